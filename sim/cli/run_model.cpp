// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/run_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "sim/check/check_model.h"
#include "sim/host/errors.h"
#include "sim/inference/model_run_report.h"
#include "sim/inference/model_set_report.h"

namespace n6vp::sim::cli {

namespace {

constexpr unsigned kMaxRuns = 1000;

void add_places(CLI::App& verb, ModelRunOptions& options) {
    ModelOptions& model = options.choice.model;
    const auto text = [&](const char* names, std::string& value, const char* meaning,
                          const char* type) {
        options.only.push_back(verb.add_option(names, value, meaning)->type_name(type));
    };
    text("--params", model.params, "parameter file of a split model", "FILE");
    text("--at", model.at, "address of the model (default 0x71000000)", "ADDR");
    text("--params-at", model.params_at, "address of the parameter file (default 0x71800000)",
         "ADDR");
    text("--ext,--ext-ram", model.ext, "external RAM (default 0x90100000:28311552); 0:0 for none",
         "ADDR:SIZE");
    text("--mode", model.mode, "xip or copy (default xip)", "MODE");
    options.only.push_back(verb.add_flag("--clear", model.clear, "clear activation pools"));
    CLI::Option* const policy =
        verb.add_option("--policy", options.policy,
                        "strict: all checks; compat: only the checks of the vendor's loader")
            ->type_name("POLICY")
            ->check(CLI::IsMember({"strict", "compat"}));
    options.only.push_back(policy);
    CLI::Option* const clocks =
        verb.add_option("--clocks", options.clocks,
                        "overdrive: core 800, NPU 1000 MHz; nominal: core 600, NPU 800 MHz; 400: "
                        "both 400 MHz (default overdrive)")
            ->type_name("KIND")
            ->check(CLI::IsMember({"overdrive", "nominal", "400"}));
    options.only.push_back(clocks);
}

void add_overlay(CLI::App& verb, ModelRunOptions& options) {
    options.only.push_back(
        verb.add_flag("--overlay", options.overlay,
                      "install each of several models before each of its inferences, always into "
                      "the whole exec RAM (default: all models stay installed side by side)"));
}

void add_tensors(CLI::App& verb, ModelRunOptions& options) {
    model_run::ModelChoice& choice = options.choice;
    const auto keep = [&options](CLI::Option* option) { options.only.push_back(option); };
    keep(verb.add_option(
                 "-i,--in", choice.inputs.files,
                 "input tensor, .npy or raw (repeatable, in the order of the model's inputs)")
             ->type_name("FILE")
             ->allow_extra_args(false));
    keep(verb.add_option("--input", options.input,
                         "content of inputs without a file: zero or random (default zero)")
             ->type_name("KIND")
             ->check(CLI::IsMember({"zero", "random"})));
    keep(verb.add_option("--seed", choice.inputs.seed, "seed of the random inputs (default 0)")
             ->type_name("N")
             ->check(whole_number));
    keep(verb.add_option("--range", options.range, model_run::kNumberRangeHelp)
             ->type_name("LOW:HIGH"));
    keep(verb.add_option("-o,--out", choice.outputs, "folder for the outputs")->type_name("DIR"));
    keep(verb.add_option("--snapshot", options.snapshots,
                         "write a memory range to the folder of -o at the end of an epoch of the "
                         "first inference (repeatable)")
             ->type_name("EPOCH:ADDR:BYTES")
             ->allow_extra_args(false));
    keep(verb.add_option("--expect", choice.expect.files,
                         "expected output tensor, .npy or raw (repeatable, in the order of the "
                         "model's outputs)")
             ->type_name("FILE")
             ->allow_extra_args(false));
    keep(verb.add_option("--tolerance", choice.expect.tolerance,
                         "largest permitted difference from --expect (default 0)")
             ->type_name("N")
             ->check(CLI::NonNegativeNumber));
    keep(verb.add_option("--repeat", choice.repeat, "number of inferences, 1 to 1000 (default 1)")
             ->type_name("N")
             ->check(CLI::Range(1U, kMaxRuns)));
}

}  // namespace

void add_model_run_options(CLI::App& verb, ModelRunOptions& options) {
    add_places(verb, options);
    add_tensors(verb, options);
    add_overlay(verb, options);
}

void require_no_model_options(const ModelRunOptions& options) {
    for (const CLI::Option* option : options.only) {
        if (option->count() == 0) continue;
        throw UserError(option->get_name() + " needs a model",
                        "name it first: n6vp run network_rel.bin");
    }
}

model_run::ModelChoice model_choice(const ModelRunOptions& options, const std::string& file,
                                    const std::string& exec_ram) {
    model_run::ModelChoice choice = options.choice;
    choice.model.file = file;
    choice.model.exec = exec_ram;
    choice.policy = options.policy == "compat" ? loader::Policy::Compat : loader::Policy::Strict;
    choice.clocks = options.clocks == "400" ? 2 : options.clocks == "nominal" ? 1 : 0;
    choice.inputs.random = options.input == "random";
    choice.snapshots.reserve(options.snapshots.size());
    for (const std::string& text : options.snapshots) {
        choice.snapshots.push_back(model_run::parse_snapshot(text));
    }
    if (!choice.snapshots.empty() && choice.outputs.empty()) {
        throw UserError("--snapshot without a folder", "name one with -o");
    }
    if (options.range.empty()) return choice;
    if (!choice.inputs.random) {
        throw UserError("--range applies to random inputs only", "add --input random");
    }
    choice.inputs.range = model_run::parse_number_range(options.range, "--range");
    return choice;
}

std::vector<std::string> InferenceTarget::tensor_files() const {
    if (!any()) return {};
    const model_run::ModelChoice& choice = one ? one->choice() : several->choice().each;
    std::vector<std::string> files = choice.inputs.files;
    files.insert(files.end(), choice.expect.files.begin(), choice.expect.files.end());
    return files;
}

void InferenceTarget::configure(RunConfig& config) const {
    if (one) one->configure(config);
    if (several) several->configure(config);
}

void InferenceTarget::attach(RunSession& session) {
    if (one) one->attach(session);
    if (!any()) program.attach(session);
}

void InferenceTarget::listen(RunSession::Streams& streams) {
    const auto to = [&streams](auto* models) {
        streams.on_mailbox = [models](std::string_view text) { models->take(text); };
        streams.on_phase = [models](const Phase& phase) { models->take_phase(phase); };
        streams.activity = [models] { return models->activity(); };
    };
    if (one) to(&*one);
    if (several) to(&*several);
}

void InferenceTarget::write_snapshots() const {
    if (one) one->write_snapshots();
}

bool refuse_models(const InferenceTarget& subject, bool json, Session& session) {
    const auto refuse = [&](const ModelFiles& files, const InstallPlan& plan) {
        constexpr std::uint64_t kFindings = 20;  // of one rule, as `n6vp check` shows
        const CheckReport report = check_model(files, plan, kFindings);
        if (report.passed()) return false;
        if (json) {
            write_json(session.out, check_json(report, files, plan));
        } else {
            session.out << check_text(report, files, plan);
        }
        session.exit_code = kExitRefused;
        return true;
    };
    if (subject.one) {
        const model_run::ModelRun& model = *subject.one;
        return model.choice().policy == loader::Policy::Strict &&
               refuse(model.files(), model.plan());
    }
    if (subject.several->choice().each.policy == loader::Policy::Compat) return false;
    const auto& members = subject.several->members();
    return std::any_of(members.begin(), members.end(), [&refuse](const auto& member) {
        return refuse(member->files, member->plan);
    });
}

namespace {

/// `run` is one model or several; `other` what the firmware said beside what it is expected to.
template <typename Run>
bool judge_run(Run& run, const std::string& other, const RunOutcome& outcome, Session& session) {
    if (run.finish(outcome)) {
        keep_going(session, [&run] { run.write_outputs(); });
        if (session.exit_code == kExitOk && !run.as_expected())
            session.exit_code = kExitExpectation;
        return true;
    }
    session.err << other;
    if (outcome.verdict != RunVerdict::Exit) return false;
    constexpr std::uint32_t kFirmwareFault = 3;
    if (outcome.exit_code == kFirmwareFault) session.exit_code = kExitGuestFault;
    if (run.refused()) session.exit_code = kExitRefused;
    return false;
}

}  // namespace

void judge_models(const EndedModels& ended, Json& document, Session& session) {
    if (ended.subject.one) {
        model_run::ModelRun& model = *ended.subject.one;
        if (judge_run(model, model.lines().other(), ended.outcome, session))
            model_run::write_differences(session.err, model.outputs());
        document["model"] =
            model_run_json(model_run::Finished{model, ended.phases, ended.plan, ended.outcome});
        return;
    }
    model_run::ModelSet& models = *ended.subject.several;
    if (judge_run(models, models.current().lines.other(), ended.outcome, session)) {
        for (const auto& member : models.members())
            model_run::write_differences(session.err, member->outputs.files());
    } else if (models.refused() && !models.choice().overlay) {
        session.err << "      --overlay gives the whole exec RAM to one model at a time\n";
    }
    document["models"] =
        model_set_json(model_run::FinishedSet{models, ended.phases, ended.plan, ended.outcome});
}

void write_models(std::ostream& out, const EndedModels& ended) {
    if (ended.subject.one) {
        write_model_run(
            out, model_run::Finished{*ended.subject.one, ended.phases, ended.plan, ended.outcome});
    } else {
        write_model_set(out, model_run::FinishedSet{*ended.subject.several, ended.phases,
                                                    ended.plan, ended.outcome});
    }
}

}  // namespace n6vp::sim::cli
