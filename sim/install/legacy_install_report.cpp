// SPDX-License-Identifier: Apache-2.0
#include "sim/install/legacy_install_report.h"

#include <fmt/format.h>

#include "traces/diagnosis/rule_text.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

namespace legacy = loader::legacy;
using loader::Phase;

constexpr Phase kShown[] = {Phase::ReadOnlyCopy, Phase::DataBss, Phase::Got, Phase::Relocation,
                            Phase::Finish};

const LegacyPhase& phase_of(const LegacyOutcome& outcome, Phase phase) {
    return outcome.phases[static_cast<std::size_t>(phase)];
}

std::string_view legacy_mode(std::uint32_t mode) {
    if (mode == legacy::kModeXip) return "XIP";
    return mode == legacy::kModeCopy ? "COPY" : "none";
}

std::string legacy_name(const LegacyModel& model) {
    const auto context = model.context();
    return context ? model.text(context->name).value_or("") : "";
}

std::string place_line(std::string_view what, AddressRange range, const memmap::Chip* chip) {
    return fmt::format("  {:<11} 0x{:08x}, {} bytes ({})\n", what, to_word(range.start),
                       range.bytes, memory_name(chip, range.start));
}

std::string link_counts_text(const LegacyCounts& counts) {
    return fmt::format("{} words: {} RAM, {} FLASH, {} zero", counts.words, counts.ram,
                       counts.flash, counts.zero);
}

std::string legacy_phases_text(const LegacyOutcome& outcome) {
    std::string text =
        fmt::format("\n  {:<14}{:>12}{:>12}{:>14}\n", "phase", "copied", "cleared", "words stored");
    LegacyPhase total;
    for (const Phase phase : kShown) {
        const LegacyPhase& one = phase_of(outcome, phase);
        text += fmt::format("  {:<14}{:>12}{:>12}{:>14}\n", traces::to_text(phase), one.copied,
                            one.cleared, one.words);
        total.copied += one.copied;
        total.cleared += one.cleared;
        total.words += one.words;
    }
    return text + fmt::format("  {:<14}{:>12}{:>12}{:>14}\n", "total", total.copied, total.cleared,
                              total.words);
}

std::string legacy_result_text(const LegacyInstallReport& report) {
    const legacy::Result& result = report.outcome.result;
    return fmt::format(
        "\nInstalled; create is called by the application\n"
        "  RO base 0x{:08x}   RAM base (r9) 0x{:08x}   handle 0x{:08x}   state {}\n"
        "  GOT          {}\n"
        "  relocations  {}\n",
        to_word(result.ro_base), to_word(result.ram_base), to_word(result.context), result.state,
        link_counts_text(report.model.got()), link_counts_text(report.model.relocations()));
}

Json place_json(AddressRange range, const memmap::Chip* chip) {
    return {{"address", hex_word(to_word(range.start))},
            {"bytes", range.bytes},
            {"memory", memory_name(chip, range.start)}};
}

Json link_counts_json(const LegacyCounts& counts) {
    return {{"words", counts.words},
            {"ram", counts.ram},
            {"flash", counts.flash},
            {"zero", counts.zero}};
}

}  // namespace

std::string legacy_install_text(const LegacyInstallReport& report) {
    const legacy::Request& request = report.plan.request();
    const legacy::Header& header = report.model.header();
    const std::string name = legacy_name(report.model);
    std::string text = fmt::format(
        "Install of {}{}, older family (AI_RELOC)\n  mode {}, policy {}\n",
        traces::terminal_text(report.model.files().file_path),
        name.empty() ? "" : fmt::format(" (\"{}\")", traces::terminal_text(name)),
        legacy_mode(request.mode), report.policy == loader::Policy::Strict ? "strict" : "compat");
    text += fmt::format("  {:<11} {}{}\n", "core", core_name(request.target.cpu_part),
                        report.plan.core_matched() ? " (taken from the file)" : "");
    text += fmt::format("  {:<11} {}\n", "chip",
                        report.chip == nullptr ? "none named: memory where the options put it"
                                               : report.chip->title);
    text += place_line("file", report.plan.file(), report.chip);
    text += place_line("RAM", {request.ram, request.ram_bytes}, report.chip);
    text += fmt::format("  {:<11} {} bytes for XIP, {} for COPY\n", "RAM needed",
                        header.ram_bytes(false), header.ram_bytes(true));
    text += legacy_phases_text(report.outcome);
    if (report.outcome.ok()) return text + legacy_result_text(report);
    text +=
        fmt::format("\nRefused, internal code {}\n", loader::vendor_code(report.outcome.status));
    return text +
           (report.causes.empty() ? traces::describe(report.outcome.why, nullptr) : report.causes);
}

Json legacy_install_json(const LegacyInstallReport& report) {
    const legacy::Request& request = report.plan.request();
    const legacy::Header& header = report.model.header();
    const LegacyOutcome& outcome = report.outcome;
    Json document = json_document("install");
    document["family"] = "legacy";
    document["file"] = report.model.files().file_path;
    document["model"] = legacy_name(report.model);
    document["mode"] = legacy_mode(request.mode);
    document["policy"] = report.policy == loader::Policy::Strict ? "strict" : "compat";
    document["core"] = core_name(request.target.cpu_part);
    document["chip"] = report.chip == nullptr ? Json() : Json(report.chip->name);
    document["memory"] = {{"file", place_json(report.plan.file(), report.chip)},
                          {"ram", place_json({request.ram, request.ram_bytes}, report.chip)},
                          {"needed_xip", header.ram_bytes(false)},
                          {"needed_copy", header.ram_bytes(true)}};
    document["status"] = traces::to_text(outcome.status);
    document["installed"] = outcome.ok();
    document["phases"] = Json::array();
    for (const Phase phase : kShown) {
        const LegacyPhase& one = phase_of(outcome, phase);
        document["phases"].push_back({{"name", traces::to_text(phase)},
                                      {"copied_bytes", one.copied},
                                      {"cleared_bytes", one.cleared},
                                      {"words_stored", one.words}});
    }
    if (outcome.ok()) {
        const legacy::Result& result = outcome.result;
        document["result"] = {{"ro_base", hex_word(to_word(result.ro_base))},
                              {"ram_base", hex_word(to_word(result.ram_base))},
                              {"handle", hex_word(to_word(result.context))},
                              {"state", result.state},
                              {"got", link_counts_json(report.model.got())},
                              {"relocations", link_counts_json(report.model.relocations())}};
    } else {
        const traces::DiagnosisFields fields = traces::fields_of(outcome.why, nullptr);
        document["diagnosis"] = {{"rule", fields.rule},       {"file_offset", fields.file_offset},
                                 {"address", fields.address}, {"expected", fields.expected},
                                 {"found", fields.found},     {"what", fields.what},
                                 {"remedy", fields.remedy}};
        if (!report.findings.empty()) document["findings"] = report.findings;
    }
    return document;
}

}  // namespace n6vp::sim
