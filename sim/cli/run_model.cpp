// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/run_model.h"

#include <fmt/format.h>

#include <ostream>

#include "sim/check_model.h"
#include "sim/errors.h"
#include "sim/model_run/model_run_report.h"

namespace n6vp::sim::cli {

namespace {

constexpr unsigned kMostRuns = 1000;

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
        verb.add_option("--policy", options.policy, "strict, or compat: as the vendor's loader")
            ->type_name("POLICY")
            ->check(CLI::IsMember({"strict", "compat"}));
    options.only.push_back(policy);
    CLI::Option* const clocks =
        verb.add_option("--clocks", options.clocks,
                        "overdrive: core 800, NPU 1000 MHz; nominal: 600, 800; or 400: all at 400 "
                        "(default overdrive)")
            ->type_name("KIND")
            ->check(CLI::IsMember({"overdrive", "nominal", "400"}));
    options.only.push_back(clocks);
}

void add_tensors(CLI::App& verb, ModelRunOptions& options) {
    model_run::ModelChoice& choice = options.choice;
    const auto keep = [&options](CLI::Option* option) { options.only.push_back(option); };
    keep(verb.add_option("-i,--in", choice.inputs.files,
                         "an input, .npy or raw (repeatable, in the order of the model's inputs)")
             ->type_name("FILE")
             ->allow_extra_args(false));
    keep(verb.add_option("--input", options.input,
                         "inputs without a file: zero or random (default zero)")
             ->type_name("KIND")
             ->check(CLI::IsMember({"zero", "random"})));
    keep(verb.add_option("--seed", choice.inputs.seed, "of random inputs (default 0)")
             ->type_name("N")
             ->check(whole_number));
    keep(verb.add_option("--range", options.range,
                         "of random inputs, both ends included (default: all of an integer's "
                         "type, 0:1 of floating point)")
             ->type_name("LOW:HIGH"));
    keep(verb.add_option("-o,--out", choice.outputs, "folder for the outputs")->type_name("DIR"));
    keep(verb.add_option("--snapshot", options.snapshots,
                         "write memory as it is when an epoch of the first inference ends to the "
                         "folder of -o (repeatable)")
             ->type_name("EPOCH:ADDR:BYTES")
             ->allow_extra_args(false));
    keep(verb.add_option("--expect", choice.expect.files,
                         "what an output must be, .npy or raw (repeatable, in the order of the "
                         "model's outputs)")
             ->type_name("FILE")
             ->allow_extra_args(false));
    keep(verb.add_option("--tolerance", choice.expect.tolerance,
                         "by how much a number may differ from --expect (default 0)")
             ->type_name("N")
             ->check(CLI::NonNegativeNumber));
    keep(verb.add_option("--repeat", choice.repeat, "inferences, 1 to 1000 (default 1)")
             ->type_name("N")
             ->check(CLI::Range(1U, kMostRuns)));
}

}  // namespace

void add_model_run_options(CLI::App& verb, ModelRunOptions& options) {
    add_places(verb, options);
    add_tensors(verb, options);
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
        throw UserError("--range is about random inputs", "add --input random");
    }
    choice.inputs.range = model_run::parse_number_range(options.range, "--range");
    return choice;
}

bool refuse_model(const model_run::ModelRun& model, bool json, Session& session) {
    if (model.choice().policy == loader::Policy::Compat) return false;
    const CheckReport report = model.check();
    if (report.passed()) return false;
    if (json) {
        write_json(session.out, check_json(report, model.files(), model.plan()));
    } else {
        session.out << check_text(report, model.files(), model.plan());
    }
    session.exit_code = kExitRefused;
    return true;
}

void judge_model(model_run::ModelRun& model, const RunOutcome& outcome, Session& session) {
    if (model.finish(outcome)) {
        if (session.exit_code == kExitOk && !model.as_expected()) {
            session.exit_code = kExitExpectation;
        }
        model_run::write_differences(session.err, model.outputs());
        return;
    }
    session.err << model.lines().other();
    if (outcome.verdict != RunVerdict::Exit) return;
    constexpr std::uint32_t kFirmwareFault = 3;
    if (outcome.exit_code == kFirmwareFault) session.exit_code = kExitGuestFault;
    if (model.refused()) session.exit_code = kExitRefused;
}

}  // namespace n6vp::sim::cli
