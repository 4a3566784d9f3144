// SPDX-License-Identifier: Apache-2.0
// The command line as scripts of users know it: every option and argument of every verb, with its
// value and choices. Whoever changes one changes it here, too, and says so in CHANGELOG.md.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/process.h"

using n6vp::test::Outcome;
using n6vp::test::run_process;

namespace {

using Words = std::set<std::string>;

/// Returns what --help lists of a verb, without the meanings, which begin in a column of their own
/// or on a line of their own. Long lists of choices are cut.
Words listed(const std::string& verb) {
    constexpr std::size_t kColumn = 31, kLongest = 60, kShown = 30;
    Words words;
    std::istringstream stream(run_process({N6VP_BINARY, verb, "--help"}).out);
    for (std::string line; std::getline(stream, line);) {
        const bool argument = line.find(" TEXT") != std::string::npos && line.size() > 2 &&
                              line[2] >= 'A' && line[2] <= 'Z';
        if (!line.starts_with("  -") && !(line.starts_with("  ") && argument)) continue;
        std::string head = line.substr(2);
        if (head.size() > kColumn && head[kColumn] == ' ') head.resize(kColumn);
        head = head.substr(0, head.find("  "));
        head.resize(head.find_last_not_of(' ') + 1);
        if (head.size() > kLongest) head.resize(kShown);
        words.insert(head);
    }
    return words;
}

const std::map<std::string, Words>& interface() {
    static const std::map<std::string, Words> verbs = {
        {"info",
         {"FILE TEXT REQUIRED", "--params FILE", "--json", "--relocs", "--disasm [WHAT]",
          "--symbols ELF", "--at ADDR", "--params-at ADDR", "--exec ADDR:SIZE", "--ext ADDR:SIZE",
          "--mode MODE:{xip,copy}"}},
        {"check",
         {"FILE TEXT REQUIRED", "--params FILE", "--at ADDR", "--params-at ADDR",
          "--exec ADDR:SIZE", "--ext ADDR:SIZE", "--mode MODE:{xip,copy}", "--clear",
          "--firmware LIST", "--instance ADDR", "--grant ADDR:SIZE ...",
          "--core CORE:{cortex-m4,cortex-m7,cortex-m33,cortex-m55}", "--limit N", "--json"}},
        {"map",
         {"ADDR TEXT ...", "--mpool FILE", "--chip NAME:{list,stm32n6,stm3", "--all", "--json"}},
        {"install",
         {"FILE TEXT REQUIRED",
          "--params FILE",
          "--at ADDR",
          "--params-at ADDR",
          "--exec ADDR:SIZE",
          "--ext ADDR:SIZE",
          "--mode MODE:{xip,copy}",
          "--clear",
          "--firmware LIST",
          "--instance ADDR",
          "--grant ADDR:SIZE ...",
          "--policy TEXT:{strict,compat}=strict",
          "--chip CHIP",
          "--core CORE:{cortex-m4,cortex-m7,cortex-m33,cortex-m55}",
          "--console TEXT:{on,off}",
          "--params-file FILE",
          "--set BLOCK.NAME=VALUE ...",
          "--dump DIR",
          "--force",
          "--json",
          "--quiet",
          "--log LEVEL[,COMPONENT=LEVEL]...",
          "--log-file FILE"}},
        {"pack",
         {"ELF TEXT ... REQUIRED", "-o,--output OUT REQUIRED", "--generation 2.1|2.2|3.0|4.x",
          "--pool NAME=FILE ...", "--split{auto}", "--ecblob-in-params",
          "--core CORE:{cortex-m4,cortex-m7,cortex-m33,cortex-m55}", "--weights FILE",
          "--gen-c-file", "--c-name NAME", "--report FILE", "--created-date TEXT", "--json"}},
        {"generate",
         {"FILE TEXT REQUIRED",
          "-o,--output DIR REQUIRED",
          "--target stm32n6|stm32f3|stm32",
          "-n,--name NAME",
          "--form relocatable|static",
          "--generation 2.1|2.2|3.0|4.x",
          "--no-ec",
          "--weights POOL",
          "--mpool FILE",
          "--no-inputs-allocation",
          "--no-outputs-allocation",
          "--sums 16|24",
          "--params-file FILE",
          "--set BLOCK.NAME=VALUE ...",
          "--ecblob-in-params",
          "--split",
          "--nonsecure",
          "--compiler GCC",
          "--json",
          "--log LEVEL[,COMPONENT=LEVEL]...",
          "--log-file FILE"}},
        {"run",
         {"MODEL TEXT ...",
          "--params FILE",
          "--at,--model-at ADDR",
          "--params-at ADDR",
          "--ext,--ext-ram ADDR:SIZE",
          "--mode MODE",
          "--clear",
          "--clock HZ",
          "--policy POLICY:{strict,compat}",
          "--clocks KIND:{overdrive,nominal,400}",
          "-i,--in FILE ...",
          "--input KIND:{zero,random}",
          "--seed N",
          "--range LOW:HIGH",
          "-o,--out DIR",
          "--snapshot EPOCH:ADDR:BYTES ...",
          "--expect FILE ...",
          "--tolerance N",
          "--repeat N",
          "--overlay",
          "--chip NAME",
          "--timing GRADE:{functional,approx,precise}",
          "--coherence MODE:{ideal,real}",
          "--boot STATE:{ready,reset,flash}",
          "--uart-port NAME",
          "--rtt-interval TIME",
          "--quantum TIME",
          "--max-time TIME",
          "--max-host-time TIME",
          "--max-quiet TIME",
          "--max-instr N",
          "--resets N",
          "--vectors ADDR",
          "--external ADDR:SIZE",
          "--exec,--exec-ram ADDR:SIZE",
          "--files DIR",
          "--arguments TEXT",
          "--svd FILE",
          "--leds BOARD:{none,dk,nucleo}",
          "--screen FILE",
          "--camera FILE",
          "--camera-sensor [BUS:]NAME",
          "--sd FILE",
          "--sd-out FILE",
          "--microphone FILE",
          "--speaker FILE",
          "--dump DIR",
          "--uart [NAME=]PLACE ...",
          "--master NAME:PATTERN:ACCESS@ADDR ...",
          "--elf FILE ...",
          "--image [ADDR=]FILE ...",
          "--hex FILE ...",
          "--srec FILE ...",
          "--bin FILE@ADDR ...",
          "--symbols ELF ...",
          "--params-file FILE",
          "--set BLOCK.NAME=VALUE ...",
          "--strict",
          "--report FILE",
          "--junit FILE",
          "--csv Excludes: --json",
          "--json Excludes: --csv",
          "--trace FILE",
          "--trace-filter KIND=VALUE ...",
          "--trace-limit SIZE",
          "--trace-functions",
          "--gdb PORT",
          "--gdb-wait",
          "--quiet",
          "--print-config",
          "--log LEVEL[,COMPONENT=LEVEL]...",
          "--log-file FILE"}},
        {"board",
         {"MODEL TEXT ... REQUIRED", "--elf FILE", "--uart PLACE=tcp:10000", "--keep",
          "--max-host-time TIME", "--params FILE", "--mode MODE:{xip,copy}", "--clear", "--overlay",
          "--timing GRADE:{functional,approx,precise}", "--json",
          "--log LEVEL[,COMPONENT=LEVEL]...", "--log-file FILE"}},
        {"exec",
         {"ELF TEXT REQUIRED", "ARG TEXT ...", "--timing TEXT:{functional,approx,precise}=approx",
          "--core NAME=cortex-m55", "--board TEXT:{n6,an547,an505,an386,an500}=n6",
          "--vectors ADDR", "--max-instr N", "--max-time TIME", "--max-host-time TIME",
          "--files DIR", "--trace TEXT:{insn}", "--params-file FILE", "--set BLOCK.NAME=VALUE ...",
          "--strict", "--stats", "--json", "--log LEVEL[,COMPONENT=LEVEL]...", "--log-file FILE"}},
        {"ecdump",
         {"FILE TEXT", "--params FILE", "--blob N", "--listing", "--assemble TEXT",
          "-o,--output FILE", "--json"}},
        {"epoch",
         {"FILE TEXT REQUIRED", "--timing GRADE:{functional,approx}", "--params-file FILE",
          "--set BLOCK.NAME=VALUE ...", "--dump DIR", "--json", "--log LEVEL[,COMPONENT=LEVEL]...",
          "--log-file FILE"}},
        {"analyze",
         {"FILE TEXT REQUIRED", "--weights POOL", "--mpool FILE", "--no-inputs-allocation",
          "--no-outputs-allocation", "--sums 16|24", "--params-file FILE",
          "--set BLOCK.NAME=VALUE ...", "--no-ec", "--json"}},
        {"validate",
         {"MODEL TEXT REQUIRED",
          "--tflite FILE",
          "--valinput FILE ...",
          "--valoutput FILE ...",
          "-b,--batches N:UINT in [1 - 10000]",
          "--range LOW:HIGH",
          "--seed N",
          "--layers",
          "--min-layer-within-one P",
          "--classifier",
          "--max-diff N",
          "--min-within-one P",
          "--min-acc P",
          "--min-cos C",
          "--params FILE",
          "--mode MODE:{xip,copy}",
          "--timing GRADE",
          "--json",
          "--log LEVEL[,COMPONENT=LEVEL]...",
          "--log-file FILE"}},
        {"supported-ops", {"--json"}},
        {"params", {"--params-file FILE", "--set BLOCK.NAME=VALUE ...", "--json"}},
        {"completions", {"SHELL TEXT:{bash,zsh,fish} REQUIRED"}},
    };
    return verbs;
}

}  // namespace

TEST_CASE("command line: every verb has its options and arguments, with values and choices") {
    for (const auto& entry : interface()) {
        Words expected = entry.second;
        expected.insert("-h,--help");
        const Words found = listed(entry.first);
        CAPTURE(entry.first);
        for (const std::string& word : expected) {
            CAPTURE(word);
            CHECK(found.contains(word));
        }
        for (const std::string& word : found) {
            CAPTURE(word);
            CHECK(expected.contains(word));
        }
    }
}

TEST_CASE("command line: a verb without its argument ends with 2 and names it") {
    const std::pair<const char*, const char*> rows[] = {
        {"info", "FILE"},     {"check", "FILE"},     {"install", "FILE"},     {"pack", "ELF"},
        {"generate", "FILE"}, {"board", "MODEL"},    {"exec", "ELF"},         {"epoch", "FILE"},
        {"analyze", "FILE"},  {"validate", "MODEL"}, {"completions", "SHELL"}};
    for (const auto& row : rows) {
        CAPTURE(row.first);
        const Outcome outcome = run_process({N6VP_BINARY, row.first});
        CHECK(outcome.exit_code == 2);
        CHECK(outcome.out.empty());
        CHECK(outcome.err.find(row.second) != std::string::npos);
        CHECK(outcome.err.find(std::string("n6vp ") + row.first + " --help") != std::string::npos);
    }
    for (const char* const verb : {"map", "params", "supported-ops"}) {
        CAPTURE(verb);
        const Outcome outcome = run_process({N6VP_BINARY, verb});
        CHECK(outcome.exit_code == 0);
        CHECK_FALSE(outcome.out.starts_with("{"));
        CHECK(run_process({N6VP_BINARY, verb, "--json"}).out.starts_with("{"));
    }
}
