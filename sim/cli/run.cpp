// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cli/debugger_options.h"
#include "sim/cli/frame.h"
#include "sim/cli/model_table.h"
#include "sim/cli/run_help.h"
#include "sim/cli/run_model.h"
#include "sim/cli/run_options.h"
#include "sim/cli/verb.h"
#include "sim/debugger/debugger.h"
#include "sim/debugger/mcu_machine.h"
#include "sim/debugger/n6_machine.h"
#include "sim/host/errors.h"
#include "sim/host/output_file.h"
#include "sim/microcontroller/mcu_run.h"
#include "sim/model_file/chip_name.h"
#include "sim/model_file/foreign_file.h"
#include "sim/model_file/model_image.h"
#include "sim/model_file/model_source.h"
#include "sim/run/run_config.h"
#include "sim/run/run_expect.h"
#include "sim/run/run_files.h"
#include "sim/run/run_report.h"
#include "sim/run/run_session.h"
#include "sim/run/scenario_batch.h"
#include "sim/run/scenario_run.h"
#include "sim/run/traffic_report.h"
#include "sim/run_trace/run_page.h"
#include "sim/run_trace/run_trace.h"
#include "traces/escape.h"

namespace n6vp::sim::cli {

namespace {

/// Keys that running a model decides itself.
constexpr std::string_view kNotWithModel[] = {"elf",     "boot",   "vectors",       "files",
                                              "screen",  "camera", "camera_sensor", "microphone",
                                              "speaker", "sd",     "sd_out"};

/// Fails with UserError for options of the one kind of run in the other.
void require_options_fit(const RunOptions& options, bool has_model) {
    if (!has_model) return require_no_model_options(options.model);
    for (const std::string_view key : kNotWithModel) {
        if (options.typed(key).empty()) continue;
        std::string option(key);
        std::replace(option.begin(), option.end(), '_', '-');
        throw UserError(fmt::format("--{} and a model", option),
                        "the built-in firmware runs the model; to use other firmware, load the "
                        "model into memory: --elf FW.elf --image 0x71000000=network_rel.bin");
    }
}

/// Returns the value of a key that the command line or the scenario set, "" for the default.
std::string set_by_user(const RunConfig& config, std::string_view key) {
    const RunConfig::Value& value = config.get(key);
    return value.origin == "default" ? "" : value.text;
}

/// Fails with UserError if a scenario with [model] sets what running a model decides itself.
void require_settings_fit(const RunConfig& config) {
    for (const std::string_view key : kNotWithModel) {
        if (set_by_user(config, key).empty()) continue;
        throw UserError(fmt::format("{}: {} and a model", config.get(key).origin, key),
                        "the built-in firmware runs the model: remove one of the two");
    }
}

int exit_code_of_end(const RunOutcome& outcome, bool strict) {
    if (outcome.faulted) return kExitGuestFault;
    switch (outcome.verdict) {
        case RunVerdict::Exit:
            if (outcome.exit_code != 0) return kExitExpectation;
            return strict && outcome.doubtful ? kExitGuestFault : kExitOk;
        case RunVerdict::Reset:
            // Without a verdict of its own a program has not done what was asked of it.
            return kExitExpectation;
        case RunVerdict::Breakpoint:
        case RunVerdict::Lockup:
        case RunVerdict::NoProgress:
            return kExitGuestFault;
        case RunVerdict::Unmodelled:
            return kExitUnmodelled;
        case RunVerdict::Interrupted:
            return kExitInterrupted;
        default:
            return kExitLimit;
    }
}

/// Expectations take precedence over the verdict of the run, except after Ctrl-C.
int exit_code_of(const RunOutcome& outcome, const RunPlan& plan,
                 const std::vector<Judgement>& judgements) {
    if (outcome.verdict == RunVerdict::Interrupted) return kExitInterrupted;
    if (!all_hold(judgements)) return kExitExpectation;
    return plan.expect.about_end() ? kExitOk : exit_code_of_end(outcome, plan.strict);
}

/// Standard output belongs to `option` alone: what the program says goes to standard error.
void free_standard_output(RunConfig& config, const std::string& option, const char* remedy) {
    config.move_uarts("stdout", "stderr", option);
    const auto refuse = [&](const std::string& place, const std::string& origin) {
        if (place != "stdio") return;
        throw UserError(
            fmt::format("{}: uart = 'stdio' and {} both use standard output", origin, option),
            remedy);
    };
    refuse(config.get("uart").text, config.get("uart").origin);
    for (const PortPlace& one : config.uarts()) refuse(one.place, one.origin);
}

void make_room(const RunOptions& options, RunConfig& config) {
    if (options.json) {
        free_standard_output(
            config, "--json",
            "write the document with --report FILE, or give the console a --uart pty");
    }
    if (!takes_standard_streams(options.debugger)) return;
    const char* const kRemedy = "give the debugger a port: --gdb 3333";
    if (options.json || options.csv)
        throw UserError("--json or --csv, and --gdb stdio: both use standard output", kRemedy);
    free_standard_output(config, "--gdb stdio", kRemedy);
}

/// A run that has ended, with all that reports need.
struct CompletedRun {
    const RunOptions& options;
    const RunPlan& plan;
    RunSession& work;
    const RunOutcome& outcome;
    std::vector<Judgement> judgements;
    InferenceTarget& subject;

    [[nodiscard]] EndedModels models() const { return {subject, work.phases(), plan, outcome}; }
};

void print(const CompletedRun& run, const Json& document, Session& session) {
    if (run.options.json) {
        write_json(session.out, document);
    } else if (run.options.csv) {
        write_run_csv(session.out, run.work);
    } else if (!run.options.quiet && !takes_standard_streams(run.options.debugger)) {
        write_assumptions(session.out, run.work.events());
        if (run.subject.any()) {
            write_models(session.out, run.models());
            write_traffic(session.out, run.work.platform());
            write_doubts(session.out, run.work);
            if (session.exit_code == kExitOk) return;
            session.out << '\n';
        }
        write_run(session.out, run.work, run.outcome, run.plan);
        run.subject.program.write(session.out);
        write_summary(session.out, run.judgements);
    }
}

/// Judges the run, sets the exit code, says what went wrong and returns the document.
Json conclude(CompletedRun& run, Session& session) {
    Json document = run_document(run.work, run.outcome, run.plan);
    const RunExpectations& expect = run.plan.expect;
    if (expect.any() && run.outcome.verdict != RunVerdict::Interrupted) {
        run.judgements = judge(expect, run.work, run.outcome, document);
        document["expectations"] = judgements_json(run.judgements);
    }
    session.exit_code = exit_code_of(run.outcome, run.plan, run.judgements);
    // A bad end that was wanted is no news.
    if (session.exit_code != kExitOk) {
        write_verdict(session.err, run.outcome, run.work.events());
        write_faults_at_end(session.err, run.work);
    }
    write_failures(session.err, run.judgements);
    if (run.subject.any()) {
        judge_models(run.models(), document, session);
    } else {
        run.subject.program.finish(run.plan);
        run.subject.program.add_to(document);
    }
    return document;
}

/// Returns the destinations of the program's text, and its readers.
RunSession::Streams streams_of(const RunOptions& options, InferenceTarget& subject,
                               std::ostream& unseen, Session& session) {
    const bool aside = options.json || takes_standard_streams(options.debugger);
    std::ostream& said = aside ? session.err : session.out;
    RunSession::Streams streams{
        subject.any() ? unseen : said, session.err, isatty(STDERR_FILENO) != 0, {}, {}, {}};
    subject.listen(streams);
    return streams;
}

void execute(const RunOptions& options, const RunPlan& plan, InferenceTarget& subject,
             debugger::Debugger* clients, Session& session) {
    const std::optional<trace::TracePlan> traced = trace::plan_trace(options.trace);
    require_outputs_apart(plan, {options.scenario, options.parameters.file, subject.tensor_files()},
                          {options.report, options.trace.file});
    std::ostringstream unseen;
    RunSession work(plan, streams_of(options, subject, unseen, session));
    // A file that cannot be created is refused before the run.
    std::optional<OutputFile> report;
    if (!options.report.empty()) report.emplace(options.report);
    subject.attach(work);
    if (clients != nullptr) debugger::attach(*clients, work);
    const bool page = trace::is_page(options.report);
    trace::RunTrace recorder(traced, page, work);
    const RunOutcome outcome = work.run();
    keep_going(session, [&] { work.require_console(); });
    keep_going(session, [&] { work.write_dump(); });
    keep_going(session, [&] { work.write_screen(); });
    keep_going(session, [&] { work.write_card(); });
    keep_going(session, [&] { work.write_sound(); });
    keep_going(session, [&] { recorder.finish(session.err); });
    CompletedRun ended{options, plan, work, outcome, {}, subject};
    const Json document = conclude(ended, session);
    if (report) {
        keep_going(session, [&] {
            if (page) {
                traces::write_report_page(report->stream(),
                                          trace::run_page(work, outcome, plan, recorder));
            } else {
                write_json(report->stream(), document);
            }
            report->commit();
        });
    }
    print(ended, document, session);
    subject.write_snapshots();
}

/// Fails with UserError for what looks like anything but a scenario: a network, a program, an
/// image, or other binary data, which is judged as a model.
void require_scenario(const std::string& file, bool has_program) {
    constexpr std::size_t kSample = 4096;
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) return;
    std::vector<std::uint8_t> first(kSample);
    std::ifstream stream(file, std::ios::binary);
    stream.read(reinterpret_cast<char*>(first.data()), static_cast<std::streamsize>(kSample));
    if (!stream.is_open()) return;
    first.resize(static_cast<std::size_t>(stream.gcount()));
    if (first.empty() && !has_program) {
        throw UserError(traces::terminal_text(file) + " is empty", "give a model or a scenario");
    }
    require_not_foreign(file, first, "neither a model nor a scenario");
    const bool binary = std::find(first.begin(), first.end(), 0) != first.end();
    if (binary && !file.ends_with(".toml"))
        static_cast<void>(report::ModelImage(read_model(file, "")));
}

/// Fails with UserError for options that only runs on the STM32N6 have.
void require_options_of_chips(const RunOptions& options, bool has_model) {
    if (has_model && options.files.size() > 1) {
        throw UserError("--chip and several models", "run them one after the other");
    }
    if (!options.csv && options.trace.file.empty() && !options.report.ends_with(".html")) return;
    throw UserError("--csv, --trace and --report FILE.html apply to the STM32N6",
                    "other chips write JSON: --json, or --report FILE.json");
}

McuOutputs mcu_outputs(const RunOptions& options, const RunConfig& config,
                       debugger::Debugger* clients, Session& session) {
    const bool aside = takes_standard_streams(options.debugger);
    return {aside ? session.err : session.out,
            session.err,
            config.get("uart_port").text,
            options.report,
            {options.scenario, options.parameters.file, {}},
            options.json,
            options.quiet || aside,
            [&session](const std::function<void()>& work) { keep_going(session, work); },
            [clients](McuSession& work) {
                if (clients != nullptr) debugger::attach(*clients, work);
            }};
}

/// A model of the older family, or one that should be.
void run_on_chip(const RunOptions& options, const ModelRunOptions& model, const std::string& file,
                 RunConfig config, const memmap::Chip& chip, Session& session) {
    require_settings_fit(config);
    const McuModelChoice choice =
        mcu_model_choice(model, file, set_by_user(config, "exec_ram"), chip);
    // A key of the STM32N6 there, an option of the model here.
    config.set("exec_ram", config.get("exec_ram").text, "default");
    make_room(options, config);
    if (options.print_config) {
        config.write(session.out);
        return;
    }
    const std::unique_ptr<debugger::Debugger> clients =
        open_debugger(options.debugger, session.err);
    McuOutputs outputs = mcu_outputs(options, config, clients.get(), session);
    std::vector<std::string>& tensors = outputs.read.tensors;
    tensors = choice.inputs.files;
    tensors.insert(tensors.end(), choice.expect.files.begin(), choice.expect.files.end());
    session.exit_code = run_mcu_model(config, chip, choice, outputs);
}

/// Fails with UserError for settings that only other chips have a use for.
void require_keys_of_n6(const RunConfig& config) {
    const auto refuse = [&config](std::string_view key, const char* remedy) {
        const RunConfig::Value& value = config.get(key);
        if (!value.text.empty())
            throw UserError(fmt::format("{}: {} and the STM32N6", value.origin, key), remedy);
    };
    refuse("external",
           "the external memories of the STM32N6 are fixed: remove the option, or choose another "
           "--chip");
}

void run(const RunOptions& options, Session& session) {
    const bool is_model = model_run::is_model_file(options.scenario);
    ModelRunOptions model_options = options.model;
    std::string file = is_model ? options.scenario : "";
    if (!is_model && !options.scenario.empty()) {
        const bool has_program =
            !(options.elf.empty() && options.images.empty() && options.hex.empty() &&
              options.srec.empty() && options.bin.empty());
        require_scenario(options.scenario, has_program);
        file = read_model_table(options.scenario, model_options);
    }
    require_options_fit(options, !file.empty());
    RunConfig config = configure(options, is_model);
    const RunConfig::Value& chip_name = config.get("chip");
    const memmap::Chip* const chip = chip_named(chip_name.text, chip_name.origin);
    if (chip != nullptr) {
        require_options_of_chips(options, !file.empty());
    } else {
        require_keys_of_n6(config);
    }
    if (chip != nullptr && !file.empty())
        return run_on_chip(options, model_options, file, config, *chip, session);
    if (!file.empty()) require_model_of_n6(file);
    InferenceTarget subject;
    if (!file.empty()) {
        require_settings_fit(config);
        model_run::ModelChoice choice =
            model_choice(model_options, file, set_by_user(config, "exec_ram"));
        if (options.files.size() > 1) {
            subject.several.emplace(
                model_run::SetChoice{options.files, std::move(choice), model_options.overlay});
        } else if (model_options.overlay) {
            throw UserError("--overlay and one model", "it needs several models: name them all");
        } else {
            subject.one.emplace(choice);
        }
        if (refuse_models(subject, options.json, session)) return;
        subject.configure(config);
    }
    make_room(options, config);
    if (options.print_config) {
        config.write(session.out);
        return;
    }
    const std::unique_ptr<debugger::Debugger> clients =
        open_debugger(options.debugger, session.err);
    if (chip != nullptr) {
        session.exit_code = run_microcontroller(
            config, *chip, mcu_outputs(options, config, clients.get(), session));
        return;
    }
    execute(options, make_plan(config), subject, clients.get(), session);
}

/// Several scenarios, or one with a report for CI.
void run_all(const RunOptions& options, Session& session) {
    if (options.files.empty()) {
        throw UserError("--junit without a scenario", "name the scenarios: n6vp run a.toml b.toml");
    }
    if (!options.debugger.place.empty()) {
        throw UserError("--gdb and several scenarios, or --junit", "debug one run at a time");
    }
    require_place_to_wait(options.debugger);
    if (options.json || options.csv || options.print_config || !options.report.empty() ||
        !options.trace.file.empty() || !options.typed("screen").empty() ||
        !options.typed("speaker").empty() || !options.typed("sd_out").empty()) {
        throw UserError(
            "--json, --csv, --report, --trace, --screen, --speaker, --sd-out and --print-config "
            "apply to a single run",
            "for several scenarios write the results with --junit FILE");
    }
    require_no_model_options(options.model);
    const ScenarioBatch batch{options.files, options_for_each(options), options.typed("dump"),
                              options.quiet};
    std::optional<OutputFile> junit;
    if (!options.junit.empty()) junit.emplace(options.junit);
    const std::vector<ScenarioOutcome> outcomes = run_batch(batch, session.out);
    session.exit_code = exit_code_of(outcomes);
    if (!junit) return;
    std::vector<JunitCase> cases;
    cases.reserve(outcomes.size());
    for (const ScenarioOutcome& one : outcomes) cases.push_back(one.junit);
    write_junit(junit->stream(), cases);
    junit->commit();
}

}  // namespace

void add_run(CLI::App& app, Session& session) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* verb = app.add_subcommand("run", "run a model, or firmware, on the simulated chip");
    add_run_options(*verb, *options, session);
    verb->footer(kRunFooter);
    verb->callback([options, &session] {
        const std::vector<std::string>& files = options->files;
        const auto models = std::count_if(files.begin(), files.end(), model_run::is_model_file);
        if (models != 0 && static_cast<std::size_t>(models) != files.size()) {
            throw UserError("models and scenarios in one run", "run them one after the other");
        }
        const bool batch = models == 0 && files.size() > 1;
        if (batch || !options->junit.empty()) return run_all(*options, session);
        if (!options->files.empty()) options->scenario = options->files.front();
        run(*options, session);
    });
}

}  // namespace n6vp::sim::cli
