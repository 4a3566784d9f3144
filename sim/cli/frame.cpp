// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <ostream>
#include <stdexcept>

#include "sim/cli/log_options.h"
#include "sim/host/errors.h"
#include "sim/host/json_output.h"
#include "sim/host/log.h"
#include "sim/host/message_text.h"
#include "sim/host/nearest.h"
#include "sim/host/numbers.h"
#include "sim/host/version.h"
#include "traces/escape.h"

namespace n6vp::sim::cli {

namespace {

constexpr std::string_view kFrameFooter = R"(Examples:
  n6vp info network_rel.bin                    what is in the file, in the vendor's report form
  n6vp info network_rel.bin --relocs           target of every relocation and GOT word
  n6vp check network_rel.bin --at 0x71000000   find errors before the install: place, cause, remedy
  n6vp install network_rel.bin --mode copy     install it into the simulated chip; time of each phase
  n6vp run --elf firmware.elf                  run firmware on the simulated chip
  n6vp ecdump network_rel.bin                  units, registers and links of each epoch
  n6vp epoch epochs.toml                       run NPU epochs given as register tables
  n6vp map 0x34210000                          memory or peripheral at an address
  n6vp analyze kws.tflite                      predicted memory and time of a network
  n6vp validate network_rel.bin --tflite kws.tflite
                                               compare the outputs with the network

Exit codes:
  0 done                                  4 unmodelled or assumed, under --strict
  1 expectation failed, or check errors   5 time or cycle limit, or the core sleeps for ever
  2 usage, configuration, unreadable      6 model refused by the loader
  3 guest fault, or no progress           7 an output could not be written, the rest is done
  70 internal error                       130 interrupted, with partial results

Each verb has its own --help with examples. A --json document starts with its schema,
"n6vp.<verb>/<version>"; --version lists them.)";

std::string version_text() {
    std::string text = fmt::format("n6vp {}\nschemas:", version());
    for (const Schema& schema : schemas()) text += ' ' + schema_name(schema.verb);
    return text;
}

std::vector<std::string> verb_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(verb->get_name());
    }
    return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

int fail(Session& session, std::string_view cause, std::string_view remedy, int exit_code) {
    session.err << "n6vp: " << shortened(cause) << "\n      " << shortened(remedy) << '\n';
    return exit_code;
}

/// Refuses a first word that is no verb before the parser does, because the parser only says that
/// one is missing.
void require_verb(const CLI::App& app, int argc, char** argv) {
    if (argc < 2) throw UserError("no verb given", "name a verb: n6vp --help lists them");
    const std::string_view word = argv[1];
    if (word.starts_with('-')) {
        const std::vector<std::string> options = option_names(app);
        const bool known =
            word == "-h" || std::find(options.begin(), options.end(), word) != options.end();
        if (known) return;
        const std::string_view near = nearest(word, options);
        throw UserError(
            fmt::format("unknown option {} before the verb", traces::terminal_text(word)),
            near.empty() ? std::string("write options after the verb: n6vp VERB OPTIONS")
                         : fmt::format("did you mean {}?", near));
    }
    const std::vector<std::string> names = verb_names(app);
    if (std::find(names.begin(), names.end(), word) != names.end()) return;
    const std::string_view near = nearest(word, names);
    throw UserError(fmt::format("'{}' is not a verb", traces::terminal_text(word)),
                    near.empty() ? std::string("n6vp --help lists the verbs")
                                 : fmt::format("did you mean 'n6vp {}'?", near));
}

/// Refuses empty words, which no verb has a use for: behind an option they would silently mean its
/// default.
void require_no_empty_word(int argc, char** argv) {
    for (int index = 2; index < argc; ++index) {
        const std::string_view word = argv[index];
        const bool empty_value = word.starts_with("--") && word.ends_with('=');
        if (!word.empty() && !empty_value) continue;
        const std::string_view shown = empty_value ? word : std::string_view(argv[index - 1]);
        throw UserError(
            fmt::format("nothing {} {}", empty_value ? "in" : "but an empty argument after",
                        traces::terminal_text(shown)),
            "give a value, or leave the option out; is a shell variable unset?");
    }
}

/// Returns the advice that fits a mistake on the command line: a near option name, or where to read
/// more.
std::string parse_remedy(const CLI::App& app, int argc, char** argv) {
    const std::vector<CLI::App*> verbs = app.get_subcommands();
    const CLI::App& where = verbs.empty() ? app : *verbs.front();
    const std::vector<std::string> names = option_names(where);
    for (int index = 1; index < argc; ++index) {
        const std::string_view word = argv[index];
        const std::string_view option = word.substr(0, word.find('='));
        if (!option.starts_with("--") || option.size() == 2) continue;
        if (std::find(names.begin(), names.end(), option) != names.end()) continue;
        const std::string_view near = nearest(option, names);
        if (!near.empty()) return fmt::format("did you mean {}?", near);
    }
    const std::string verb = verbs.empty() ? "" : ' ' + where.get_name();
    return fmt::format("n6vp{} --help explains the options", verb);
}

/// The parser's text, in words of this tool for an option that is given too often.
std::string parse_cause(const CLI::ParseError& error) {
    constexpr std::string_view kTooMany = ": At Most 1 required but received ";
    std::string text = error.what();
    const std::size_t at = text.find(kTooMany);
    if (at == std::string::npos) return text;
    return fmt::format("{} takes one value and has {}", text.substr(0, at),
                       text.substr(at + kTooMany.size()));
}

/// Users of the vendor's tool know two options of `validate` with one dash and two letters, which
/// the parser would take for -v.
void spell_out_vendor_options(int argc, char** argv) {
    static char input[] = "--valinput", output[] = "--valoutput";
    if (argc < 2 || std::string_view(argv[1]) != "validate") return;
    for (int index = 2; index < argc; ++index) {
        const std::string_view word = argv[index];
        if (word == "-vi") argv[index] = input;
        if (word == "-vo") argv[index] = output;
    }
}

int parse(CLI::App& app, int argc, char** argv, Session& session) {
    try {
        require_verb(app, argc, argv);
        require_no_empty_word(argc, argv);
        require_log_file_apart(argc, argv);
        spell_out_vendor_options(argc, argv);
        app.parse(argc, argv);
        const bool only_lost = session.output_lost && session.exit_code == kExitOk;
        return only_lost ? kExitOutput : session.exit_code;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
            app.exit(error, session.out,
                     session.err);  // prints the help or version that was asked for
            return kExitOk;
        }
        return fail(session, traces::terminal_text(parse_cause(error)),
                    parse_remedy(app, argc, argv), kExitUsage);
    } catch (const UserError& error) {
        return fail(session, error.what(), error.remedy(), error.exit_code());
    }
}

int run_verb(int argc, char** argv, Session& session) {
    try {
        CLI::App app{
            "n6vp: open virtual platform of the STM32N6. Explains, checks and installs runtime "
            "loadable models\n"
            "(network_rel.bin) on a simulated chip.",
            "n6vp"};
        app.require_subcommand(1);
        app.set_version_flag("--version", version_text(),
                             "Print the version and every schema version");
        app.get_formatter()->column_width(34);
        app.footer(std::string(kFrameFooter));
        for (const Verb& verb : verbs()) verb.add(app, session);
        return parse(app, argc, argv, session);
    } catch (const std::bad_alloc&) {
        return fail(session, "out of memory", "the input needs more memory than this machine has",
                    kExitInternal);
    } catch (const std::exception& error) {
        return fail(session, fmt::format("internal error: {}", traces::terminal_text(error.what())),
                    "this is a defect of n6vp: please report it with the command line and the file",
                    kExitInternal);
    }
}

}  // namespace

void keep_going(Session& session, const std::function<void()>& work) {
    try {
        work();
    } catch (const UserError& error) {
        (void)fail(session, error.what(), error.remedy(), error.exit_code());
        session.output_lost = true;
    }
}

std::string whole_number(const std::string& text) {
    if (parse_digits<std::uint64_t>(text)) return {};
    return fmt::format("'{}' is not a whole number below 2^64", text);
}

std::function<std::string(const std::string&)> whole_number_in(std::uint64_t least,
                                                               std::uint64_t most) {
    return [least, most](const std::string& text) -> std::string {
        const auto number = parse_digits<std::uint64_t>(text);
        if (number && *number >= least && *number <= most) return {};
        return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
    };
}

std::string number_from_zero(const std::string& text) {
    const auto number = parse_digits<double>(text);
    return number && *number >= 0 ? "" : fmt::format("'{}' is not a number of 0 or more", text);
}

int run(int argc, char** argv, Session& session) {
    const int exit_code = run_verb(argc, argv, session);
    log(LogComponent::Cli, LogLevel::Info, "exit code {}", exit_code);
    if (Log::close()) return exit_code;
    return fail(session, "the log is incomplete",
                "check free space and permissions at the place of --log-file",
                exit_code == kExitOk ? kExitOutput : exit_code);
}

}  // namespace n6vp::sim::cli
