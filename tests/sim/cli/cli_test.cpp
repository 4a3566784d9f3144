// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <signal.h>

#include <cstdio>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cli/frame.h"
#include "sim/host/nearest.h"
#include "tests/support/process.h"

using namespace n6vp::test;

namespace {

const std::string kMan = N6VP_MANUAL "/n6vp.1";
const std::string kRunMan = N6VP_MANUAL "/n6vp-run.1";
const std::string kBash = N6VP_MANUAL "/n6vp.bash";
const std::string kZsh = N6VP_MANUAL "/n6vp.zsh";
const std::string kFish = N6VP_MANUAL "/n6vp.fish";

using Options = std::map<std::string, std::set<std::string>>;                // long options by verb
using Meanings = std::map<std::string, std::map<std::string, std::string>>;  // of those options

Outcome tool(std::vector<std::string> words) {
    words.insert(words.begin(), N6VP_BINARY);
    return run_process(words);
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// Returns the long option that starts at `at`, such as "--json", or "".
std::string option_at(const std::string& text, std::size_t at) {
    if (text.compare(at, 2, "--") != 0) return "";
    const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at);
    return text.substr(at, end - at);
}

std::vector<std::string> verbs() {
    std::vector<std::string> names;
    bool listed = false;
    for (const std::string& line : lines_of(tool({"--help"}).out)) {
        if (line == "Subcommands:")
            listed = true;
        else if (line.empty())
            listed = false;
        else if (listed && line.starts_with("  ") && line[2] != ' ')
            names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
    REQUIRE(names.size() >= 6);
    return names;
}

/// Returns what each verb's own --help lists.
Options help_options() {
    Options options;
    for (const std::string& verb : verbs()) {
        for (const std::string& line : lines_of(tool({verb, "--help"}).out)) {
            if (!line.starts_with("  -")) continue;
            options[verb].insert(option_at(line, line.find("--")));
        }
        options[verb].erase("--help");
    }
    return options;
}

/// Takes the options of a page, which is about `about` where no heading names another verb.
void take_man_page(const std::string& page, const std::string& about, Options& options) {
    std::string verb = about;
    for (std::string line : lines_of(read_text(page))) {
        for (std::size_t at = line.find("\\-"); at != std::string::npos; at = line.find("\\-", at))
            line.replace(at, 2, "-");
        if (line.starts_with(".SH")) verb = about;
        if (line.starts_with(".SS n6vp ")) verb = line.substr(9, line.find(' ', 9) - 9);
        if (!verb.empty()) options[verb];
        const std::size_t at = line.find("--");
        if (!verb.empty() && line.starts_with(".B ") && at != std::string::npos)
            options[verb].insert(option_at(line, at));
    }
}

Options man_options() {
    Options options;
    take_man_page(kMan, "", options);
    take_man_page(kRunMan, "run", options);
    return options;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
        text.replace(at, what.size(), with);
    return text;
}

/// What zsh shows of each option. It takes a colon for the end of a part unless it is escaped.
Meanings zsh_meanings() {
    Meanings meanings;
    std::string verb;
    for (const std::string& line : lines_of(read_text(kZsh))) {
        const std::size_t first = line.find_first_not_of(' ');
        if (first == 8 && line.back() == ')') verb = line.substr(8, line.size() - 9);
        const std::size_t at = line.find("'--");
        if (first != 16 || at == std::string::npos) continue;
        const std::size_t start = line.find('[') + 1;
        std::size_t end = line.find(']', start);
        while (line[end - 1] == '\\') end = line.find(']', end + 1);
        std::string text = line.substr(start, end - start);
        text = replaced(replaced(text, R"(\[)", "["), R"(\])", "]");
        text = replaced(replaced(text, R"('\'')", "'"), R"(\:)", "\n");
        meanings[verb][option_at(line, at + 1)] = replaced(replaced(text, ":", ""), "\n", ":");
    }
    return meanings;
}

Meanings fish_meanings() {
    Meanings meanings;
    constexpr std::string_view kFrom = "__fish_seen_subcommand_from ";
    for (const std::string& line : lines_of(read_text(kFish))) {
        const std::size_t from = line.find(kFrom);
        const std::size_t at = line.find(" -l ");
        if (from == std::string::npos || at == std::string::npos) continue;
        const std::size_t start = from + kFrom.size();
        const std::string text = replaced(line.substr(line.find(" -d '") + 5), R"(\')", "\n");
        meanings[line.substr(start, line.find('\'', start) - start)]
                ["--" + line.substr(at + 4, line.find(' ', at + 4) - at - 4)] =
                    replaced(text.substr(0, text.find('\'')), "\n", "'");
    }
    return meanings;
}

Options options_of(const Meanings& meanings) {
    Options options;
    for (const auto& [verb, list] : meanings) {
        for (const auto& [option, meaning] : list) options[verb].insert(option);
        options[verb].erase("--help");
    }
    return options;
}

/// Returns what bash offers for the words, the last one being completed.
std::set<std::string> bash_offers(const std::vector<std::string>& words) {
    std::string script = "source '" + kBash + "'; COMP_WORDS=(";
    for (const std::string& word : words) script += " '" + word + "'";
    script += "); COMP_CWORD=" + std::to_string(words.size() - 1) +
              "; _n6vp; printf '%s\\n' \"${COMPREPLY[@]}\"";
    const std::vector<std::string> lines = lines_of(run_process({"/bin/bash", "-c", script}).out);
    return {lines.begin(), lines.end()};
}

Options bash_options() {
    Options options;
    for (const std::string& verb : verbs()) {
        options[verb] = bash_offers({"n6vp", verb, "--"});
        options[verb].erase("--help");
    }
    return options;
}

}  // namespace

TEST_CASE("help names every verb in one line, examples and exit codes") {
    const Outcome help = tool({"--help"});
    CHECK(help.exit_code == 0);
    CHECK(help.err == "");
    for (const char* verb :
         {"info", "check", "map", "install", "pack", "generate", "params", "ecdump", "epoch"}) {
        CHECK(contains(help.out, std::string("\n  ") + verb + " "));
        const Outcome own = tool({verb, "--help"});
        CHECK(own.exit_code == 0);
        CHECK(contains(own.out, "Examples:"));
        CHECK(contains(own.out, "--json"));
    }
    CHECK(contains(help.out, "Examples:"));
    CHECK(contains(help.out, "Exit codes:"));
    CHECK_FALSE(contains(help.out, "\x1b"));
}

TEST_CASE("lists of exit codes lacked that of an output that could not be written") {
    std::map<std::string, std::string> texts{{"--help", tool({"--help"}).out},
                                             {"man", read_text(kMan)}};
    for (const std::string& verb : verbs()) texts[verb] = tool({verb, "--help"}).out;
    std::size_t lists = 0;
    for (const auto& entry : texts) {
        const std::string& name = entry.first;
        const std::string& text = entry.second;
        // A list begins with success.
        if (!contains(text, "Exit code: 0") && !contains(text, "Exit codes:") &&
            !contains(text, ".SH EXIT STATUS"))
            continue;
        CAPTURE(name);
        ++lists;
        CHECK((contains(text, "7 an output could not be written") ||
               contains(text, "7 the output could not be written") ||
               contains(text, ".B 7\nAn output could not be written")));
    }
    CHECK(lists == 6);  // n6vp, its man page, board, check, exec, run
}

TEST_CASE("lists of exit codes gave a core that sleeps for ever code 3") {
    CHECK(contains(tool({"--help"}).out, "5 time or cycle limit, or the core sleeps for ever\n"));
    CHECK(contains(read_text(kMan),
                   ".B 5\nTime or cycle limit, or the core sleeps without a wake\\-up source."));
    CHECK(contains(tool({"run", "--help"}).out,
                   "5 time or instruction limit, or the core sleeps without a wake-up source"));
}

TEST_CASE("--version prints the version and one schema per verb") {
    const Outcome version = tool({"--version"});
    CHECK(version.exit_code == 0);
    CHECK(version.out.starts_with("n6vp " N6VP_VERSION "\n"));
    for (const std::string& verb : verbs()) {
        if (verb == "completions") continue;
        CAPTURE(verb);
        CHECK_MESSAGE(contains(version.out, "n6vp." + verb + "/"),
                      "sim/host/json_output.cpp has no schema of this verb");
    }
}

TEST_CASE("mistakes end with exit code 2, one line of cause and one of remedy") {
    const auto error = [](std::vector<std::string> words) {
        const Outcome outcome = tool(std::move(words));
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out == "");
        CHECK(lines_of(outcome.err).size() == 2);
        CHECK(outcome.err.starts_with("n6vp: "));
        return outcome.err;
    };
    CHECK(contains(error({}), "no verb given"));
    CHECK(contains(error({"ifno"}), "did you mean 'n6vp info'?"));
    CHECK(contains(error({"chekc"}), "did you mean 'n6vp check'?"));
    CHECK(contains(error({"zzzzzzzz"}), "lists the verbs"));
    CHECK(contains(error({"--verison"}), "did you mean --version?"));
    CHECK(contains(error({"info"}), "FILE"));
    CHECK(contains(error({"info", "x.bin", "--jsno"}), "did you mean --json?"));
    CHECK(contains(error({"info", "x.bin", "--nothing-like-it"}), "n6vp info --help"));
    const std::string hostile = error({"bad\x1b[31m\nverb"});
    CHECK(contains(hostile, "bad\\x1b[31m\\x0averb"));
}

TEST_CASE("--seed named a limit that it does not have") {
    const std::vector<std::string> seeds{"4294967296", "-1", "99999999999999999999"};
    for (const std::string& verb : std::vector<std::string>{"run", "validate"}) {
        for (const std::string& seed : seeds) {
            const Outcome outcome = tool({verb, "m.bin", "--seed", seed});
            CHECK(outcome.exit_code == 2);
            std::string expected = "n6vp: --seed: '";
            expected += seed;
            expected += "' is not a whole number from 0 to 4294967295\n      n6vp ";
            expected += verb;
            expected += " --help explains the options\n";
            CHECK(outcome.err == expected);
        }
        CHECK_FALSE(contains(tool({verb, "m.bin", "--seed", "4294967295"}).err, "--seed"));
    }
}

TEST_CASE("an option out of its range was answered with a number of 316 digits") {
    struct Row {
        const char *verb, *option, *value, *cause;
    };
    for (const Row& row : {Row{"ecdump", "--blob", "0", "is no blob: they are counted from 1"},
                           Row{"run", "--tolerance", "-1", "is not a number of 0 or more"},
                           Row{"run", "--tolerance", "inf", "is not a number of 0 or more"},
                           Row{"run", "--tolerance", "nan", "is not a number of 0 or more"},
                           Row{"run", "--repeat", "0", "is not a whole number from 1 to 1000"}}) {
        const Outcome outcome = tool({row.verb, "m.bin", row.option, row.value});
        CHECK(outcome.exit_code == 2);
        CHECK_MESSAGE(
            contains(outcome.err, std::string(row.option) + ": '" + row.value + "' " + row.cause),
            outcome.err);
    }
}

TEST_CASE("an empty word is not taken for a default") {
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"check", kMan, "--at", ""},
                                               {"check", kMan, "--at="},
                                               {"install", kMan, "--dump", ""},
                                               {"info", ""},
                                               {"map", ""}}) {
        const Outcome outcome = tool(words);
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
        CHECK(contains(outcome.err, "n6vp: nothing "));
    }
}

TEST_CASE("the nearest name is found, a far one is not") {
    using n6vp::sim::nearest;
    const std::vector<std::string> names = {"info", "check", "install"};
    CHECK(nearest("inof", names) == "info");
    CHECK(nearest("instal", names) == "install");
    CHECK(nearest("chck", names) == "check");
    CHECK(nearest("xyz", names).empty());
    CHECK(nearest(std::string(100000, 'a'), names).empty());
}

TEST_CASE("a full disk is an error, a closed pipe is not") {
    const std::string binary = N6VP_BINARY;
    const Outcome full = run_process({"/bin/bash", "-c", binary + " map > /dev/full"});
    CHECK(full.exit_code == 7);
    CHECK(contains(full.err, "cannot write the output: No space left on device"));
    const Outcome closed =
        run_process({"/bin/bash", "-c", "set -o pipefail; " + binary + " map --all | true"});
    CHECK(closed.exit_code == 0);
    CHECK(closed.err == "");
}

TEST_CASE("man page and completions list exactly the options of every verb") {
    const Options help = help_options();
    REQUIRE(help.size() >= 6);
    const Options man = man_options();
    for (const auto& entry : help) {
        const std::string& verb = entry.first;
        CAPTURE(verb);
        CHECK_MESSAGE(man.contains(verb),
                      "sim/cli/man/n6vp.1.in needs a heading .SS and a line @OPTIONS of this verb");
    }
    CHECK(man == help);
    CHECK(options_of(zsh_meanings()) == help);
    CHECK(options_of(fish_meanings()) == help);
    CHECK(bash_options() == help);
}

TEST_CASE("help of run says of every key its own meaning, choices and value") {
    const std::string help = tool({"run", "--help"}).out;
    const std::pair<const char*, const char*> rows[] = {
        {"--timing GRADE:{functional,approx,precise}", "accuracy of time [approx]\n"},
        {"--coherence MODE:{ideal,real}", "ideal: report stale data"},
        {"--boot STATE:{ready,reset,flash}", "ready: memories and NPU are set up"},
        {"--uart-port NAME", "serial port connected to a uart without NAME"},
        {"--rtt-interval TIME", "polling interval of the debug probe for RTT buffers"},
        {"--quantum TIME",
         "largest time by which the core runs ahead of the kernel. While no other unit is due it "
         "may be 8 times that (64 on older chips): its lead [1us]\n"},
        {"--max-time TIME",
         "limit of simulated time, which the core may exceed by its lead (quantum); 0: none "
         "[0s]\n"},
        {"--max-host-time TIME",
         "limit of host time, examined each 1 ms of simulated time; 0: none [0s]\n"},
        {"--max-quiet TIME",
         "simulated time without progress that ends the run, examined each 1 ms. Progress: "},
        {"--max-instr N",
         "limit of instructions, which the core may exceed by those of its lead (quantum); 0: none "
         "[0]\n"},
        {"--vectors ADDR", "address of the vector table"},
        {"--exec,--exec-ram ADDR:SIZE",
         "must not overlap the pools of a model; none: no check [0x34060000:655360]\n"},
        {"--files DIR", "folder whose files the program may open\n"},
        {"--arguments TEXT", "arguments of the program\n"},
        {"--svd FILE", "CMSIS-SVD file with names of registers\n"},
        {"--leds BOARD:{none,dk,nucleo}", "watch the LEDs of a board"},
        {"--screen FILE", "PNG file for the last picture that LTDC has shown\n"},
        {"--camera FILE", "pictures of the camera"},
        {"--sd FILE", "image of an SD card in the slot of the discovery kit"},
        {"--sd-out FILE", "file for the contents of the card at the end of the run\n"},
        {"--microphone FILE", "WAV file (16-bit PCM, mono or stereo)"},
        {"--speaker FILE", "WAV file for the samples sent by the first SAI block that transmits\n"},
        {"--dump DIR", "folder for registers and memory at the end of the run"}};
    for (const auto& row : rows) {
        CAPTURE(row.first);
        const std::string_view meaning = row.second;
        const std::string start = "\n  " + std::string(row.first);
        const std::size_t at = help.find(start);
        REQUIRE(at != std::string::npos);
        const std::size_t text = help.find_first_not_of(" \n", at + start.size());
        CHECK(help.compare(text, meaning.size(), meaning) == 0);
    }
}

TEST_CASE("completions: zsh offers files and words where a verb takes them") {
    std::map<std::string, std::string> offers;
    std::string verb;
    for (const std::string& line : lines_of(read_text(kZsh))) {
        const std::size_t first = line.find_first_not_of(' ');
        if (first == 8 && line.back() == ')') verb = line.substr(8, line.size() - 9);
        const std::size_t at = line.find("'*:");
        if (first == 16 && at == 16) offers[verb] += line.substr(17, line.find('\'', 17) - 17);
    }
    for (const char* const files : {"info", "check", "install", "pack", "generate", "run", "board",
                                    "ecdump", "epoch", "analyze", "validate"}) {
        CAPTURE(files);
        CHECK(offers[files] == "*:file:_files");
    }
    CHECK(offers["exec"] == "*:file:_files*:value:");
    CHECK(offers["map"] == "*:value:");
    CHECK(offers["completions"] == "*:value:(bash zsh fish)");
}

TEST_CASE("completions: no description loses its colons") {
    const Meanings zsh = zsh_meanings(), fish = fish_meanings();
    CHECK(zsh.at("info").at("--disasm") ==
          "disassemble START:SIZE, START-END, an entry or symbol, around REL n, around GOT n");
    for (const auto& [verb, list] : fish) {
        for (const auto& [option, meaning] : list) {
            std::string title = verb;
            title.append(" ").append(option);
            CAPTURE(title);
            CHECK(zsh.at(verb).at(option) == meaning);
        }
    }
}

TEST_CASE("completions: where a value is no file, none is offered") {
    // zsh says of every value what it is: "_files", a list in brackets, or nothing of the kind.
    std::map<std::string, std::map<std::string, std::string>> kinds;
    std::string verb;
    for (const std::string& line : lines_of(read_text(kZsh))) {
        const std::size_t first = line.find_first_not_of(' ');
        if (first == 8 && line.back() == ')') verb = line.substr(8, line.size() - 9);
        const std::size_t at = line.find("'--"), type = line.find("]:");
        if (first != 16 || at == std::string::npos || type == std::string::npos) continue;
        const std::size_t start = line.find(':', type + 2) + 1;
        kinds[verb][option_at(line, at + 1)] = line.substr(start, line.rfind('\'') - start);
    }
    std::size_t fixed = 0;
    for (const std::string& line : lines_of(read_text(kFish))) {
        const std::size_t at = line.find("_from "), option = line.find(" -l ");
        if (at == std::string::npos || option == std::string::npos) continue;
        const std::string of = line.substr(at + 6, line.find('\'', at) - at - 6);
        const std::string name =
            "--" + line.substr(option + 4, line.find(' ', option + 4) - option - 4);
        if (!kinds[of].contains(name)) continue;
        CAPTURE(line);
        // -r takes files, too; -x does not.
        CHECK(contains(line, kinds[of][name] == "_files" ? " -r " : " -x "));
        ++fixed;
    }
    CHECK(fixed > 80);
    for (const auto& entry : kinds) {
        const std::string& of = entry.first;
        for (const auto& option : entry.second) {
            const std::string &name = option.first, &kind = option.second;
            if (kind.starts_with("_files") || name == "--image") continue;
            CAPTURE(of);
            CAPTURE(name);
            std::set<std::string> wanted;
            std::istringstream words(kind.empty() ? "" : kind.substr(1, kind.size() - 2));
            for (std::string word; words >> word;) wanted.insert(word);
            if (wanted.empty()) wanted.insert("");  // the line that printf makes of nothing
            // The name of any file begins with nothing.
            CHECK(bash_offers({"n6vp", of, name, ""}) == wanted);
        }
    }
}

TEST_CASE("bash completes verbs and values") {
    const std::set<std::string> all = bash_offers({"n6vp", ""});
    for (const std::string& verb : verbs()) CHECK(all.contains(verb));
    CHECK(bash_offers({"n6vp", "ch"}) == std::set<std::string>{"check"});
    CHECK(bash_offers({"n6vp", "check", "--mode", ""}) == std::set<std::string>{"copy", "xip"});
    CHECK(bash_offers({"n6vp", "info", "--rel"}) == std::set<std::string>{"--relocs"});
}

TEST_CASE("the man pages render without a warning") {
    if (std::string(N6VP_MAN).empty()) {
        MESSAGE("skipped: man is not installed");
        return;
    }
    for (const std::string& file : {kMan, kRunMan}) {
        CAPTURE(file);
        const Outcome page = run_process({N6VP_MAN, "--warnings", "-l", file});
        CHECK(page.exit_code == 0);
        CHECK(page.err == "");
        CHECK(contains(page.out, "EXIT STATUS"));
    }
}
