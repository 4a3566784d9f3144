// SPDX-License-Identifier: Apache-2.0
#include "sim/microcontroller/mcu_run.h"

#include <fmt/format.h>

#include <optional>
#include <ostream>
#include <vector>

#include "models/chip/mcu/core_of_chip.h"
#include "sim/check/check_legacy.h"
#include "sim/faults/state_dump.h"
#include "sim/host/errors.h"
#include "sim/host/exit_codes.h"
#include "sim/host/output_file.h"
#include "sim/microcontroller/mcu_board.h"
#include "sim/microcontroller/mcu_model_report.h"
#include "sim/microcontroller/mcu_parameters.h"
#include "sim/microcontroller/mcu_report.h"

namespace n6vp::sim {

namespace {

/// Keys that only the STM32N6 has a use for; the last one serves models of other chips as well.
constexpr std::string_view kOnlyN6[] = {
    "coherence", "boot",   "exec_ram", "svd",        "screen",  "camera", "camera_sensor",
    "sd",        "sd_out", "leds",     "microphone", "speaker", "dump"};

void require_keys_fit(const RunConfig& config, const memmap::Chip& chip, bool has_model) {
    for (const std::string_view key : kOnlyN6) {
        const RunConfig::Value& value = config.get(key);
        if (value.origin == "default" || (has_model && key == "dump")) continue;
        throw UserError(fmt::format("{}: {} and chip {}", value.origin, key, chip.name),
                        "it applies to the STM32N6 only: leave it out");
    }
    if (!config.masters().empty()) {
        throw UserError(config.masters().front().origin + ": masters and --chip",
                        "generated traffic is for the STM32N6");
    }
    if (const std::string origin = config.board().origin(); !origin.empty()) {
        throw UserError(
            fmt::format("{}: a device or pin of the board and chip {}", origin, chip.name),
            "[[i2c]], [[spi]] and [[pin]] apply to the STM32N6 only: leave them out");
    }
}

void require_expectations_fit(const RunExpectations& expect) {
    const bool others = !expect.events.empty() || !expect.events_without.empty() ||
                        expect.coherence || !expect.coherence_parties.empty() ||
                        expect.set_up_steps || !expect.set_up_bits.empty() ||
                        !expect.counters.empty() || !expect.outputs.empty() ||
                        !expect.times.empty() || !expect.uses.empty() || expect.no_warnings;
    if (!others) return;
    throw UserError("[expect] has a key that needs the STM32N6",
                    "other chips have end, exit_code, console, console_without, min_time, max_time "
                    "and memory");
}

void require_bank_option(const models::mcu_chip::MicrocontrollerParameters& parameters,
                         const memmap::Chip& chip) {
    if (parameters.flash.single_bank.value == 0 || models::mcu_chip::has_bank_option(chip)) return;
    throw UserError(fmt::format("flash.single_bank = 1 and chip {}", chip.name),
                    "it is an option bit of the STM32L4R5: leave it out");
}

[[nodiscard]] int exit_code_of_mcu(const McuOutcome& outcome) {
    switch (outcome.verdict) {
        case RunVerdict::Exit:
            return outcome.exit_code == 0 ? kExitOk : kExitExpectation;
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

/// Returns the same settings for such a chip: without program is one with images, parameters are
/// the chip's own.
[[nodiscard]] RunConfig config_for_chip(const RunConfig& config) {
    RunConfig result;
    for (const RunKey& key : kRunKeys) {
        const RunConfig::Value& value = config.get(key.name);
        if (value.origin != "default") result.set(key.name, value.text, value.origin);
    }
    if (config.get("elf").text.empty()) result.set("elf", "", "--chip");
    for (const RunConfig::Image& image : config.images()) result.add_image(image);
    for (const RunConfig::Value& file : config.symbols()) result.add_symbols(file);
    for (const PortPlace& one : config.uarts())
        result.set_uart(one.port + '=' + one.place, one.origin);
    result.set_board(config.board());
    result.set_expectations(config.expectations());
    return result;
}

[[nodiscard]] models::mcu_chip::MicrocontrollerParameters parameters_of(const RunConfig& config,
                                                                        const memmap::Chip& chip) {
    models::mcu_chip::MicrocontrollerParameters parameters =
        models::mcu_chip::parameters_of_chip(chip);
    apply_settings(parameters, config.parameters());
    require_bank_option(parameters, chip);
    return parameters;
}

void write_document(const Json& document, std::optional<OutputFile>& report,
                    const McuOutputs& outputs) {
    if (report) {
        outputs.keep_going([&] {
            write_json(report->stream(), document);
            report->commit();
        });
    }
    if (outputs.json) write_json(outputs.out, document);
}

/// Shows why the loader would refuse the model.
void write_refusal(const McuModelRun& model, const McuOutputs& outputs) {
    if (outputs.json) {
        write_json(outputs.out,
                   check_legacy_json(model.check(), model.files(), model.checked_plan()));
    } else {
        outputs.out << check_legacy_text(model.check(), model.files(), model.checked_plan());
    }
}

[[nodiscard]] int exit_code_of_model(const McuModelRun& model, const McuOutcome& outcome) {
    if (outcome.verdict == RunVerdict::Interrupted) return kExitInterrupted;
    if (model.fault()) return kExitGuestFault;
    if (model.refused()) return kExitRefused;
    if (outcome.verdict != RunVerdict::Exit) return exit_code_of_mcu(outcome);
    return model.complete() && model.as_expected() && model.identical() ? exit_code_of_mcu(outcome)
                                                                        : kExitExpectation;
}

}  // namespace

int run_mcu_model(const RunConfig& config, const memmap::Chip& chip, const McuModelChoice& choice,
                  const McuOutputs& outputs) {
    require_keys_fit(config, chip, true);
    const McuBoard board(chip, config.get("external"));
    McuModelRun model(choice, board.chip());
    if (!model.check().passed()) {
        write_refusal(model, outputs);
        return kExitRefused;
    }
    RunConfig own = config_for_chip(config);
    model.configure(own);
    const RunPlan plan = make_plan(own);
    require_expectations_fit(plan.expect);
    require_outputs_apart(plan, outputs.read, {outputs.report, ""});
    std::optional<OutputFile> report;
    if (!outputs.report.empty()) report.emplace(outputs.report);
    const std::string& dump = plan.dump.text;
    if (!dump.empty()) fault_report::prepare_dump(dump);
    McuSession session(plan, board.chip(), parameters_of(config, chip), outputs.port,
                       {outputs.json ? outputs.err : outputs.out, outputs.err});
    model.attach(session);
    if (outputs.attach) outputs.attach(session);
    const McuOutcome outcome = session.run();
    model.finish();
    const std::vector<Judgement> judgements = judge_mcu(session, outcome);
    int code = exit_code_of_model(model, outcome);
    if (code == kExitOk && !all_hold(judgements)) code = kExitExpectation;
    if (!model.fault() && outcome.verdict != RunVerdict::Exit)
        write_mcu_verdict(outputs.err, session, outcome);
    write_mcu_model_failures(outputs.err, session, model);
    write_failures(outputs.err, judgements);
    outputs.keep_going([&] { model.write_outputs(); });
    if (!dump.empty()) outputs.keep_going([&] { model.write_images(dump); });
    Json document = mcu_document(session, outcome);
    document["model"] = mcu_model_json(model);
    if (plan.expect.any()) document["expectations"] = judgements_json(judgements);
    write_document(document, report, outputs);
    if (!outputs.json && !outputs.quiet) {
        write_mcu_model(outputs.out, session, model, outcome);
        write_summary(outputs.out, judgements);
    }
    return code;
}

int run_microcontroller(const RunConfig& config, const memmap::Chip& chip,
                        const McuOutputs& outputs) {
    require_keys_fit(config, chip, false);
    const RunPlan plan = make_plan(config_for_chip(config));
    require_expectations_fit(plan.expect);
    require_outputs_apart(plan, outputs.read, {outputs.report, ""});
    std::optional<OutputFile> report;
    if (!outputs.report.empty()) report.emplace(outputs.report);
    const McuBoard board(chip, config.get("external"));
    McuSession session(plan, board.chip(), parameters_of(config, chip), outputs.port,
                       {outputs.json ? outputs.err : outputs.out, outputs.err});
    if (outputs.attach) outputs.attach(session);
    const McuOutcome outcome = session.run();
    const std::vector<Judgement> judgements = judge_mcu(session, outcome);
    Json document = mcu_document(session, outcome);
    if (plan.expect.any()) document["expectations"] = judgements_json(judgements);
    int code = plan.expect.about_end() ? kExitOk : exit_code_of_mcu(outcome);
    if (outcome.verdict == RunVerdict::Interrupted) {
        code = kExitInterrupted;
    } else if (!all_hold(judgements)) {
        code = kExitExpectation;
    }
    if (code != kExitOk) write_mcu_verdict(outputs.err, session, outcome);
    write_failures(outputs.err, judgements);
    outputs.keep_going([&] { session.require_console(); });
    write_document(document, report, outputs);
    if (!outputs.json && !outputs.quiet) {
        write_mcu_run(outputs.out, session, outcome);
        write_summary(outputs.out, judgements);
    }
    return code;
}

}  // namespace n6vp::sim
