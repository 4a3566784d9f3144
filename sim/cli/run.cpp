// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sim/cli/frame.h"
#include "sim/cli/verb.h"
#include "sim/errors.h"
#include "sim/interrupt.h"
#include "sim/model_run/model_run.h"
#include "sim/run_config.h"
#include "sim/run_expect.h"
#include "sim/run_files.h"
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

/// Keys that running a model decides itself.
constexpr std::string_view kNotWithModel[] = {"elf", "boot", "vectors", "files"};

struct RunOptions {
    std::string scenario;  ///< or a model
    model_run::ModelChoice model;
    std::string policy = "strict", input = "zero";
    std::vector<CLI::Option*> of_models;  ///< which mean nothing without one
    std::vector<std::pair<const KeyOption*, std::unique_ptr<std::string>>> keys;
    std::vector<std::string> images, settings;
    std::string report;
    bool strict = false, csv = false, json = false, print_config = false, quiet = false;
};

RunConfig configure(const RunOptions& options, bool has_model) {
    RunConfig config;
    if (!options.scenario.empty() && !has_model) read_scenario(options.scenario, config);
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

/// Fails with UserError for options of the one kind of run in the other.
void require_options_fit(const RunOptions& options, bool has_model) {
    if (!has_model) {
        for (const CLI::Option* option : options.of_models) {
            if (option->count() == 0) continue;
            throw UserError(option->get_name() + " needs a model",
                            "name it first: n6vp run network_rel.bin");
        }
        return;
    }
    for (const auto& [option, text] : options.keys) {
        for (const std::string_view key : kNotWithModel) {
            if (text->empty() || key != option->key) continue;
            throw UserError(fmt::format("{} and a model", option->option),
                            "the tool's own firmware runs the model; for firmware of yours put the "
                            "model into memory: --elf FW.elf --image 0x71000000=network_rel.bin");
        }
    }
}

model_run::ModelChoice choice_of(const RunOptions& options) {
    model_run::ModelChoice choice = options.model;
    choice.model.file = options.scenario;
    for (const auto& [option, text] : options.keys) {
        if (std::string_view(option->key) == "exec_ram") choice.model.exec = *text;
    }
    choice.policy = options.policy == "compat" ? loader::Policy::Compat : loader::Policy::Strict;
    choice.inputs.random = options.input == "random";
    return choice;
}

/// Shows why a model would not install. Returns false if it would. The vendor's loader judges less:
/// with its policy the model comes to the loader on the chip.
bool refuse(const RunOptions& options, const model_run::ModelRun& model, Session& session) {
    if (options.policy == "compat") return false;
    const CheckReport report = model.check();
    if (report.passed()) return false;
    if (options.json) {
        write_json(session.out, check_json(report, model.files(), model.plan()));
    } else {
        session.out << check_text(report, model.files(), model.plan());
    }
    session.exit_code = kExitRefused;
    return true;
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

/// What a run was: for the report after it.
struct Finished {
    const RunOptions& options;
    const RunPlan& plan;
    RunSession& work;
    const RunOutcome& outcome;
    const std::vector<Judgement>& judgements;
    const model_run::ModelRun* model;  ///< or null
};

void print(const Finished& run, const Json& document, Session& session) {
    if (run.options.json) {
        write_json(session.out, document);
    } else if (run.options.csv) {
        write_run_csv(session.out, run.work);
    } else if (!run.options.quiet) {
        if (run.model != nullptr) {
            write_model_run(session.out, *run.model, run.work.phases(), run.plan, run.outcome);
            if (session.exit_code == kExitOk) return;
            session.out << '\n';
        }
        write_run(session.out, run.work, run.outcome, run.plan);
        write_summary(session.out, run.judgements);
    }
}

/// The exit code of a run of a model, whose firmware has ended with what it found.
void judge_model(model_run::ModelRun& model, const RunOutcome& outcome, Session& session) {
    if (model.finish(outcome)) return;
    session.err << model.lines().other();
    if (outcome.verdict != RunVerdict::Exit) return;
    constexpr std::uint32_t kFirmwareFault = 3;
    if (outcome.exit_code == kFirmwareFault) session.exit_code = kExitGuestFault;
    if (model.refused()) session.exit_code = kExitRefused;
}

void run(const RunOptions& options, Session& session) {
    const bool has_model = model_run::is_model_file(options.scenario);
    require_options_fit(options, has_model);
    RunConfig config = configure(options, has_model);
    std::optional<model_run::ModelRun> model;
    if (has_model) {
        model.emplace(choice_of(options));
        if (refuse(options, *model, session)) return;
        model->configure(config);
    }
    if (options.json) make_room_for_document(config);
    if (options.print_config) {
        config.write(session.out);
        return;
    }
    const RunPlan plan = make_plan(config);
    require_outputs_apart(plan, options.scenario, options.report);
    // A place that cannot be written is told of before the run.
    std::optional<OutputFile> report;
    std::ostringstream unseen;
    std::ostream& said = options.json ? session.err : session.out;
    RunSession::Streams streams{model ? unseen : said, session.err, isatty(STDERR_FILENO) != 0, {}};
    if (model) streams.on_mailbox = [&model](std::string_view text) { model->take(text); };
    RunSession work(plan, streams);
    if (!options.report.empty()) report.emplace(options.report);
    const RunOutcome outcome = work.run();
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
    if (model) {
        judge_model(*model, outcome, session);
        document["model"] = model_run_json(*model);
    }
    if (report) {
        write_json(report->stream(), document);
        report->commit();
    }
    print({options, plan, work, outcome, judgements, model ? &*model : nullptr}, document, session);
}

constexpr const char* kFooter =
    "A model is installed and run by firmware of the tool's own, which sets the chip up. Shown "
    "are\n"
    "install, initialisation, the time of each node, inferences, and the outputs with their CRC.\n"
    "A program (--elf) runs on the simulated chip: core, caches, memories, fabric, peripherals. "
    "Its\n"
    "serial port USART1 and the text it gives the simulator's mailbox appear on standard output,\n"
    "then the report. With --boot ready the memories and the NPU's side are set up as platform\n"
    "firmware leaves them; with --boot reset the program has to do that itself.\n"
    "Settings of the command line replace those of the scenario, and those the defaults.\n"
    "Examples:\n"
    "  n6vp run network_rel.bin -i image.npy -o out --repeat 2\n"
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

namespace {

void add_model_options(CLI::App& verb, RunOptions& options) {
    ModelOptions& model = options.model.model;
    const auto text = [&](const char* names, std::string& value, const char* meaning,
                          const char* type) {
        options.of_models.push_back(verb.add_option(names, value, meaning)->type_name(type));
    };
    text("--params", model.params, "parameter file of a split model", "FILE");
    text("--at", model.at, "address of the model (default 0x71000000)", "ADDR");
    text("--params-at", model.params_at, "address of the parameter file (default 0x71800000)",
         "ADDR");
    text("--ext", model.ext, "external RAM (default 0x90100000:28311552); 0:0 for none",
         "ADDR:SIZE");
    text("--mode", model.mode, "xip or copy (default xip)", "MODE");
    text("--policy", options.policy, "strict, or compat: as the vendor's loader", "POLICY");
    text("--input", options.input, "inputs without a file: zero or random (default zero)", "KIND");
    text("-o,--out", options.model.outputs, "folder for the outputs", "DIR");
    options.of_models[5]->check(CLI::IsMember({"strict", "compat"}));
    options.of_models[6]->check(CLI::IsMember({"zero", "random"}));
    const auto keep = [&options](CLI::Option* option) { options.of_models.push_back(option); };
    keep(verb.add_flag("--clear", model.clear, "clear activation pools"));
    keep(verb.add_option("-i,--in", options.model.inputs.files,
                         "an input, .npy or raw (repeatable, in the order of the model's inputs)")
             ->type_name("FILE")
             ->allow_extra_args(false));
    keep(verb.add_option("--seed", options.model.inputs.seed, "of random inputs (default 0)")
             ->type_name("N")
             ->check(whole_number));
    constexpr unsigned kMostRuns = 1000;
    keep(verb.add_option("--repeat", options.model.repeat, "inferences, 1 to 1000 (default 1)")
             ->type_name("N")
             ->check(CLI::Range(1U, kMostRuns)));
}

}  // namespace

void add_run(CLI::App& app, Session& session) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* verb = app.add_subcommand("run", "run a model, or firmware, on the simulated chip");
    verb->add_option("MODEL", options->scenario,
                     "a model (network_rel.bin), or a TOML scenario with settings");
    add_model_options(*verb, *options);
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
    verb->add_option("--report", options->report, "write the report as JSON (n6vp.run/1)")
        ->type_name("FILE");
    CLI::Option* csv =
        verb->add_flag("--csv", options->csv, "phases and traffic as CSV in place of the report");
    verb->add_flag(
            "--json", options->json,
            "write the report to standard output as JSON (n6vp.run/1); what the program says "
            "goes to standard error")
        ->excludes(csv);
    verb->add_flag("--quiet", options->quiet, "no report on standard output");
    verb->add_flag("--print-config", options->print_config,
                   "show every setting and who made it, and do not run");
    verb->footer(kFooter);
    verb->callback([options, &session] { run(*options, session); });
}

}  // namespace n6vp::sim::cli
