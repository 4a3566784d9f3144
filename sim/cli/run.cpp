// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "sim/cli/verb.h"
#include "sim/errors.h"
#include "sim/interrupt.h"
#include "sim/run_config.h"
#include "sim/run_report.h"
#include "sim/run_session.h"
#include "sim/scenario_run.h"
#include "traces/escape.h"

namespace n6vp::sim::cli {

namespace {

/// An option that sets a key of the configuration.
struct KeyOption {
    const char* option;
    const char* key;
    const char* type;
};
constexpr KeyOption kKeyOptions[] = {
    {"--elf", "elf", "FILE"},
    {"--timing", "timing", "GRADE"},
    {"--coherence", "coherence", "MODE"},
    {"--boot", "boot", "STATE"},
    {"--uart", "uart", "PLACE"},
    {"--quantum", "quantum", "TIME"},
    {"--max-time", "max_time", "TIME"},
    {"--max-instr", "max_instructions", "N"},
    {"--vectors", "vectors", "ADDR"},
    {"--exec", "exec_ram", "ADDR:SIZE"},
    {"--files", "files", "DIR"},
    {"--arguments", "arguments", "TEXT"},
    {"--svd", "svd", "FILE"},
};

struct RunOptions {
    std::string scenario;
    std::vector<std::pair<const KeyOption*, std::unique_ptr<std::string>>> keys;
    std::vector<std::string> images, settings;
    std::string report;
    bool strict = false, csv = false, print_config = false, quiet = false;
};

RunConfig configure(const RunOptions& options) {
    RunConfig config;
    if (!options.scenario.empty()) read_scenario(options.scenario, config);
    for (const auto& [option, text] : options.keys) {
        if (!text->empty()) config.set(option->key, *text, option->option);
    }
    if (options.strict) config.set("strict", "true", "--strict");
    for (const std::string& image : options.images) {
        const std::size_t equals = image.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == image.size()) {
            throw UserError(fmt::format("--image '{}'", traces::terminal_text(image)),
                            "write --image ADDR=FILE, for instance --image 0x71000000=model.bin");
        }
        config.add_image(
            {{image.substr(0, equals), "--image"}, image.substr(equals + 1), std::nullopt});
    }
    for (const std::string& setting : options.settings) config.set_parameter(setting, "--set");
    return config;
}

int exit_code_of(const RunOutcome& outcome) {
    switch (outcome.verdict) {
        case RunVerdict::Exit:
            return outcome.exit_code == 0 ? kExitOk : kExitExpectation;
        case RunVerdict::Reset:
            // Without a verdict of its own a program has not done what was asked of it.
            return kExitExpectation;
        case RunVerdict::Breakpoint:
        case RunVerdict::Lockup:
            return kExitGuestFault;
        case RunVerdict::Unmodelled:
            return kExitUnmodelled;
        case RunVerdict::Interrupted:
            return kExitInterrupted;
        default:
            return kExitLimit;
    }
}

void run(const RunOptions& options, Session& session) {
    const RunConfig config = configure(options);
    if (options.print_config) {
        config.write(session.out);
        return;
    }
    const RunPlan plan = make_plan(config);
    // A place that cannot be written is told of before the run.
    std::optional<OutputFile> report;
    RunSession work(plan, {session.out, session.err, isatty(STDERR_FILENO) != 0});
    if (!options.report.empty()) report.emplace(options.report);
    const RunOutcome outcome = work.run();
    session.exit_code = exit_code_of(outcome);
    write_verdict(session.err, outcome, work.events());
    if (report) {
        write_json(report->stream(), run_document(work, outcome, plan));
        report->commit();
    }
    if (options.csv) {
        write_run_csv(session.out, work);
    } else if (!options.quiet) {
        write_run(session.out, work, outcome, plan);
    }
}

constexpr const char* kFooter =
    "The program runs on the simulated chip: core, caches, memories, fabric, peripherals. Its\n"
    "serial port USART1 and the text it gives the simulator's mailbox appear on standard output,\n"
    "then the report. With --boot ready the memories and the NPU's side are set up as platform\n"
    "firmware leaves them; with --boot reset the program has to do that itself.\n"
    "Settings of the command line replace those of the scenario, and those the defaults.\n"
    "Examples:\n"
    "  n6vp run --elf firmware.elf\n"
    "  n6vp run --elf firmware.elf --image 0x71000000=network_rel.bin --report run.json\n"
    "  n6vp run scenario.toml --timing precise --max-time 50ms\n"
    "  n6vp run scenario.toml --print-config               every value and where it is from\n"
    "A scenario:\n"
    "  [run]\n"
    "  elf = \"firmware.elf\"\n"
    "  max_time = \"20ms\"\n"
    "  [[image]]\n"
    "  at = 0x71000000\n"
    "  file = \"network_rel.bin\"\n"
    "  [parameters]\n"
    "  clock.cpu = 600\n"
    "Exit code: 0 if the program ended with 0, 1 if with any other or if it asked for a reset;\n"
    "3 lockup or breakpoint; 4 unmodelled register under --strict; 5 limit, or asleep for ever;\n"
    "130 interrupted, with partial results.";

}  // namespace

void add_run(CLI::App& app, Session& session) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* verb = app.add_subcommand("run", "run firmware on the simulated chip");
    verb->add_option("SCENARIO", options->scenario, "TOML file with settings");
    for (const KeyOption& row : kKeyOptions) {
        options->keys.emplace_back(&row, std::make_unique<std::string>());
        std::string meaning;
        for (const RunKey& key : kRunKeys) {
            if (key.name != row.key) continue;
            meaning = key.meaning;
            if (!key.standard.empty()) meaning += fmt::format(" [{}]", key.standard);
        }
        verb->add_option(row.option, *options->keys.back().second, meaning)->type_name(row.type);
    }
    verb->add_option("--image", options->images,
                     "put a file into memory before the run, flash included (repeatable)")
        ->type_name("ADDR=FILE")
        ->allow_extra_args(false);
    verb->add_option("--set", options->settings, "change a parameter (repeatable; n6vp params)")
        ->type_name("BLOCK.NAME=VALUE")
        ->allow_extra_args(false);
    verb->add_flag("--strict", options->strict,
                   "an access to a register that is not modelled ends the run with exit code 4");
    verb->add_option("--report", options->report, "write the report as JSON (n6vp.run/1)")
        ->type_name("FILE");
    verb->add_flag("--csv", options->csv, "phases and traffic as CSV in place of the report");
    verb->add_flag("--quiet", options->quiet, "no report on standard output");
    verb->add_flag("--print-config", options->print_config,
                   "show every setting and who made it, and do not run");
    verb->footer(kFooter);
    verb->callback([options, &session] { run(*options, session); });
}

}  // namespace n6vp::sim::cli
