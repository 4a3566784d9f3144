// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/run_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "memmap/chips/chips.h"
#include "sim/check/check_model.h"
#include "sim/host/errors.h"
#include "sim/host/numbers.h"
#include "sim/inference/model_run_report.h"
#include "sim/inference/model_set_report.h"
#include "sim/model_file/legacy_model.h"
#include "traces/escape.h"

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
    text("--at,--model-at", model.at,
         "address of the model (default 0x71000000; on older chips behind the firmware in flash)",
         "ADDR");
    text("--params-at", model.params_at, "address of the parameter file (default 0x71800000)",
         "ADDR");
    text("--ext,--ext-ram", model.ext,
         "external RAM (default 0x90100000:28311552); 0:0 for none; on older chips RAM for "
         "activations",
         "ADDR:SIZE");
    text("--mode", model.mode,
         "xip or copy (default xip); on older chips also all: each mode and memory in turn",
         "MODE");
    options.only.push_back(verb.add_flag("--clear", model.clear, "clear activation pools"));
    options.only_n6.push_back(options.only.back());
    text("--clock", options.clock, "core clock of an older chip (default: its maximum)", "HZ");
    CLI::Option* const policy =
        verb.add_option("--policy", options.policy,
                        "strict: all checks; compat: only the checks of the vendor's loader")
            ->type_name("POLICY")
            ->check(CLI::IsMember({"strict", "compat"}));
    options.only.push_back(policy);
    options.only_n6.push_back(policy);
    CLI::Option* const clocks =
        verb.add_option("--clocks", options.clocks,
                        "overdrive: core 800, NPU 1000 MHz; nominal: core 600, NPU 800 MHz; 400: "
                        "both 400 MHz (default overdrive)")
            ->type_name("KIND")
            ->check(CLI::IsMember({"overdrive", "nominal", "400"}));
    options.only.push_back(clocks);
    options.only_n6.push_back(clocks);
}

void add_overlay(CLI::App& verb, ModelRunOptions& options) {
    options.only.push_back(
        verb.add_flag("--overlay", options.overlay,
                      "install each of several models before each of its inferences, always into "
                      "the whole exec RAM (default: all models stay installed side by side)"));
    options.only_n6.push_back(options.only.back());
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
    keep(verb.add_option("--seed", choice.inputs.seed,
                         "seed of the random inputs, 0 to 4294967295 (default 0)")
             ->type_name("N")
             ->check(whole_number_in(0, 0xFFFFFFFF)));
    keep(verb.add_option("--range", options.range, model_run::kNumberRangeHelp)
             ->type_name("LOW:HIGH"));
    keep(verb.add_option("-o,--out", choice.outputs, "folder for the outputs")->type_name("DIR"));
    keep(verb.add_option("--snapshot", options.snapshots,
                         "write a memory range to the folder of -o at the end of an epoch of the "
                         "first inference (repeatable)")
             ->type_name("EPOCH:ADDR:BYTES")
             ->allow_extra_args(false));
    options.only_n6.push_back(options.only.back());
    keep(verb.add_option("--expect", choice.expect.files,
                         "expected output tensor, .npy or raw (repeatable, in the order of the "
                         "model's outputs)")
             ->type_name("FILE")
             ->allow_extra_args(false));
    keep(verb.add_option("--tolerance", choice.expect.tolerance,
                         "largest permitted difference from --expect (default 0)")
             ->type_name("N")
             ->check(number_from_zero));
    keep(verb.add_option("--repeat", choice.repeat, "number of inferences, 1 to 1000 (default 1)")
             ->type_name("N")
             ->check(whole_number_in(1, kMaxRuns)));
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

namespace {

[[nodiscard]] model_run::InputChoice input_choice(const ModelRunOptions& options) {
    model_run::InputChoice inputs = options.choice.inputs;
    inputs.random = options.input == "random";
    if (options.range.empty()) return inputs;
    if (!inputs.random)
        throw UserError("--range applies to random inputs only", "add --input random");
    inputs.range = model_run::parse_number_range(options.range, "--range");
    return inputs;
}

/// Parses 80000000, 80M or 80MHz.
[[nodiscard]] std::uint32_t clock_of(std::string_view text) {
    constexpr std::uint32_t kMega = 1'000'000, kMost = 4000;
    const std::string shown = traces::terminal_text(text);
    std::string_view digits = text;
    for (const std::string_view unit : {"MHz", "M"}) {
        if (digits.ends_with(unit) && digits.size() == text.size())
            digits.remove_suffix(unit.size());
    }
    const bool mega = digits.size() != text.size();
    const auto number = parse_digits<std::uint32_t>(digits);
    if (number && *number != 0 && (!mega || *number <= kMost))
        return mega ? *number * kMega : *number;
    throw UserError(fmt::format("--clock '{}'", shown), "give Hz, or MHz as in 80MHz");
}

}  // namespace

model_run::ModelChoice model_choice(const ModelRunOptions& options, const std::string& file,
                                    const std::string& exec_ram) {
    if (!options.clock.empty())
        throw UserError("--clock and the STM32N6", "use --clocks overdrive, nominal or 400");
    if (options.choice.model.mode == "all") {
        throw UserError("--mode all and the STM32N6", "give xip or copy");
    }
    model_run::ModelChoice choice = options.choice;
    choice.model.file = file;
    choice.model.exec = exec_ram;
    choice.policy = options.policy == "compat" ? loader::Policy::Compat : loader::Policy::Strict;
    choice.clocks = options.clocks == "400" ? 2 : options.clocks == "nominal" ? 1 : 0;
    choice.inputs = input_choice(options);
    choice.snapshots.reserve(options.snapshots.size());
    for (const std::string& text : options.snapshots) {
        choice.snapshots.push_back(model_run::parse_snapshot(text));
    }
    if (!choice.snapshots.empty() && choice.outputs.empty()) {
        throw UserError("--snapshot without a folder", "name one with -o");
    }
    return choice;
}

McuModelChoice mcu_model_choice(const ModelRunOptions& options, const std::string& file,
                                const std::string& exec_ram, const memmap::Chip& chip) {
    for (const CLI::Option* option : options.only_n6) {
        if (option->count() == 0) continue;
        throw UserError(fmt::format("{} and chip {}", option->get_name(), chip.name),
                        "it applies to the STM32N6 only: leave it out");
    }
    if (!is_legacy_model(read_file(file))) {
        throw UserError(fmt::format("{} is a model for the STM32N6, chip {} runs those of the "
                                    "older family",
                                    traces::terminal_text(file), chip.name),
                        "leave --chip out, or run firmware: --elf, --hex or --bin");
    }
    McuModelChoice choice;
    choice.model = options.choice.model;
    choice.model.file = file;
    choice.model.exec = exec_ram;
    choice.inputs = input_choice(options);
    choice.expect = options.choice.expect;
    choice.outputs = options.choice.outputs;
    choice.repeat = options.choice.repeat;
    if (!options.clock.empty()) choice.clock_hz = clock_of(options.clock);
    return choice;
}

void require_model_of_n6(const std::string& file) {
    const std::vector<std::uint8_t> bytes = read_file(file);
    if (!is_legacy_model(bytes)) return;
    const LegacyModel model(ModelFiles{file, {}, bytes, {}});
    const std::string core = core_name(model.header().flags.cpu_part());
    std::string names;
    for (const memmap::Chip* const chip : memmap::kChips) {
        if (core_name(parse_core(chip->core)) != core) continue;
        names += (names.empty() ? "" : ", ") + std::string(chip->name);
    }
    throw UserError(fmt::format("{} is a model of the {}, not of the STM32N6",
                                traces::terminal_text(file), core),
                    names.empty()
                        ? "no chip has this core"
                        : "n6vp run MODEL --chip CHIP runs it; a CHIP with this core: " + names);
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
