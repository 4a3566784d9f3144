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
#include "sim/run_expect.h"
#include "sim/run_files.h"
#include "sim/run_report.h"
#include "sim/run_session.h"
#include "sim/scenario_run.h"
#include "sim/trace/run_page.h"
#include "sim/trace/run_trace.h"
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
    trace::TraceRequest trace;
    bool strict = false, csv = false, json = false, print_config = false, quiet = false;
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

int exit_code_of_end(const RunOutcome& outcome) {
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
            // Waiting for what the NPU cannot finish.
            return outcome.npu_fault.empty() ? kExitLimit : kExitGuestFault;
    }
}

/// Demands come before what the run itself says, but for Ctrl-C, after which nobody can judge.
int exit_code_of(const RunOutcome& outcome, const RunExpectations& expected,
                 const std::vector<Judgement>& judgements) {
    if (outcome.verdict == RunVerdict::Interrupted) return kExitInterrupted;
    if (!all_hold(judgements)) return kExitExpectation;
    return expected.about_end() ? kExitOk : exit_code_of_end(outcome);
}

/// The document has standard output for itself: what the program says goes to standard error.
void make_room_for_document(RunConfig& config) {
    const RunConfig::Value& uart = config.get("uart");
    if (uart.text == "stdout") config.set("uart", "stderr", "--json");
    if (uart.text != "stdio") return;
    throw UserError(uart.origin + ": uart = 'stdio' and --json both want standard output",
                    "write the document with --report FILE, or give the console a --uart pty");
}

void run(const RunOptions& options, Session& session) {
    RunConfig config = configure(options);
    if (options.json) make_room_for_document(config);
    if (options.print_config) {
        config.write(session.out);
        return;
    }
    const RunPlan plan = make_plan(config);
    const std::optional<trace::TracePlan> traced = trace::plan_trace(options.trace);
    require_outputs_apart(plan, options.scenario, {options.report, options.trace.file});
    // A place that cannot be written is told of before the run.
    std::optional<OutputFile> report;
    std::ostream& said = options.json ? session.err : session.out;
    RunSession work(plan, {said, session.err, isatty(STDERR_FILENO) != 0});
    if (!options.report.empty()) report.emplace(options.report);
    trace::RunTrace recorder(traced, trace::is_page(options.report), work);
    const RunOutcome outcome = work.run();
    recorder.finish(session.err);
    Json document = run_document(work, outcome, plan);
    std::vector<Judgement> judgements;
    if (plan.expect.any() && outcome.verdict != RunVerdict::Interrupted) {
        judgements = judge(plan.expect, work, outcome, document);
        document["expectations"] = judgements_json(judgements);
    }
    session.exit_code = exit_code_of(outcome, plan.expect, judgements);
    // A bad end that was wanted is no news.
    if (session.exit_code != kExitOk) write_verdict(session.err, outcome, work.events());
    write_failures(session.err, judgements);
    if (report) {
        if (trace::is_page(options.report)) {
            traces::write_report_page(report->stream(),
                                      trace::run_page(work, outcome, plan, recorder));
        } else {
            write_json(report->stream(), document);
        }
        report->commit();
    }
    if (options.json) {
        write_json(session.out, document);
    } else if (options.csv) {
        write_run_csv(session.out, work);
    } else if (!options.quiet) {
        write_run(session.out, work, outcome, plan);
        write_summary(session.out, judgements);
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
    "  [expect]                             every key may be left out; files: beside the scenario\n"
    "  end = \"exit\"                         reset, breakpoint, lockup, unmodelled, limit, "
    "asleep\n"
    "  exit_code = 0                        of the program\n"
    "  console = [\"status=0\"]              texts that it writes; console_without: that it must "
    "not\n"
    "  events = [\"AXISRAM3EN = 0\"]         texts in the report's events; also events_without\n"
    "  coherence = 0                        how often cache maintenance was missing\n"
    "  coherence_parties = [\"NPU port 0\", \"core data\"]   both in one of those events\n"
    "  set_up_steps = [3, 6]                steps that are missing, no others (boot = \"reset\")\n"
    "  set_up_bits = [\"RCC_MEMENR\"]        texts in what the report says of them\n"
    "  min_time = \"1ms\"                     of simulated time; also max_time\n"
    "  [[expect.memory]]                    as the core sees it at the end\n"
    "  at = 0x34060000\n"
    "  hex = \"de ad be ef\"                 or file = \"image.bin\"\n"
    "  [[expect.counter]]                   named as in the report's JSON: cycles, instructions,\n"
    "  name = \"bytes_read\"                 time_ps, bytes_read, bytes_written, waited_ps, and\n"
    "  phase = \"install\"                   dcache.fills and the like; phase: name or number\n"
    "  from = \"core data\"                  with = \"XSPI2\": whose traffic with which memory\n"
    "  max = 150000                         or min, or equals\n"
    "Exit code: 0 if the program ended with 0, 1 if with any other or if it asked for a reset;\n"
    "3 lockup, breakpoint, or waiting in vain for an NPU that failed; 4 a register or a use of "
    "the\n"
    "NPU that is not modelled, under --strict; 5 limit, or asleep for ever;\n"
    "130 interrupted, with partial results. With [expect]: 1 if a demand is not met, a line for\n"
    "each; else 0 if end or exit_code is demanded, so met.";

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
    verb->add_flag(
        "--strict", options->strict,
        "an access to a register, or a use of the NPU, that is not modelled ends the run "
        "with exit code 4");
    verb->add_option(
            "--report", options->report,
            "write the report: as a page if FILE ends with .html, else as JSON (n6vp.run/1)")
        ->type_name("FILE");
    CLI::Option* csv =
        verb->add_flag("--csv", options->csv, "phases and traffic as CSV in place of the report");
    verb->add_flag(
            "--json", options->json,
            "write the report to standard output as JSON (n6vp.run/1); what the program says "
            "goes to standard error")
        ->excludes(csv);
    trace::add_trace_options(*verb, options->trace);
    verb->add_flag("--quiet", options->quiet, "no report on standard output");
    verb->add_flag("--print-config", options->print_config,
                   "show every setting and who made it, and do not run");
    verb->footer(kFooter);
    verb->callback([options, &session] { run(*options, session); });
}

}  // namespace n6vp::sim::cli
