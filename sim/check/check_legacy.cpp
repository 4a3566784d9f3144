// SPDX-License-Identifier: Apache-2.0
#include "sim/check/check_legacy.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "sim/host/errors.h"
#include "sim/host/message_text.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

namespace legacy = loader::legacy;
using loader::Diagnosis;
using loader::Rule;
using loader::Severity;
using loader::Status;

/// Weaknesses of the STM32N6's loader that the one of this family shares, under its own numbers.
struct SharedWeakness {
    std::string_view there, here;
};
constexpr SharedWeakness kShared[] = {{"W4", "L4"},  {"W5", "L4"},  {"W6", "L4"}, {"W8", "L4"},
                                      {"W14", "L3"}, {"W27", "L4"}, {"W30", "L4"}};

/// Returns the weakness of this family's loader that a rule closes, or "" if it has none. Rules of
/// both families carry the number of the STM32N6.
std::string weakness_of(const traces::RuleText& text) {
    if (text.closes.starts_with('L')) return std::string(text.closes);
    for (const SharedWeakness& shared : kShared) {
        if (shared.there == text.closes) return std::string(shared.here);
    }
    return {};
}

/// Returns the option of `n6vp check` that mends a finding, or an empty text.
std::string option_for(const Diagnosis& finding, const legacy::Request& request) {
    switch (finding.rule) {
        case Rule::LegacyRamTooSmall:
        case Rule::LegacyRamHalfGiven:
        case Rule::LegacyHeapMissing:
            return fmt::format("--exec 0x{:08x}:{}",
                               to_word(request.ram) != 0 ? to_word(request.ram)
                                                         : to_word(LegacyPlan::kDefaultRam.start),
                               finding.expected);
        case Rule::LegacyModeNone:
        case Rule::LegacyModeBoth:
        case Rule::LegacyModeUnknownBits:
            return "--mode xip or --mode copy";
        case Rule::LegacyWeightsApart:
            return "--params FILE, with --params-at ADDR if not at 0x08100000";
        case Rule::LegacyCpuPart:
            return finding.found == legacy::kCortexM4    ? "--core cortex-m4"
                   : finding.found == legacy::kCortexM7  ? "--core cortex-m7"
                   : finding.found == legacy::kCortexM33 ? "--core cortex-m33"
                   : finding.found == legacy::kCortexM55 ? "--core cortex-m55"
                                                         : "";
        default:
            return {};
    }
}

/// Keeps findings, bounded per rule.
struct LegacyCollector {
    CheckReport& report;
    const LegacyPlan& plan;
    std::uint64_t limit;
    const legacy::Container& container;
    bool opened;
    std::map<Rule, std::uint64_t> counts;

    void add(const Diagnosis& finding) {
        if (finding.severity == Severity::Error) ++report.errors;
        if (finding.severity == Severity::Warning) ++report.warnings;
        if (finding.severity == Severity::Hint) ++report.hints;
        if (limit != 0 && ++counts[finding.rule] > limit) {
            ++report.suppressed[finding.rule];
            return;
        }
        CheckFinding row{finding,
                         traces::fields_of(finding, nullptr),
                         traces::describe(finding, nullptr),
                         option_for(finding, plan.request()),
                         false,
                         std::nullopt};
        row.fields.closes = weakness_of(traces::rule_text(finding.rule));
        if (opened && !row.fields.file_offset.empty()) {
            row.fields.section = legacy_section(container, finding.file_offset);
            const std::string place = "file offset " + row.fields.file_offset;
            const std::size_t at = row.block.find(place);
            if (at != std::string::npos)
                row.block.insert(at + place.size(), " (" + row.fields.section + ")");
        }
        report.findings.push_back(std::move(row));
    }
};

std::string vendor_words(const VendorVerdict& verdict) {
    if (verdict.status == Status::Ok) return "installs";
    const std::string_view rule = traces::rule_text(verdict.why.rule).id;
    if (verdict.status == Status::WouldOverwrite || verdict.status == Status::WouldFault) {
        return fmt::format(
            "would {} {} bytes at 0x{:08x}, outside {}",
            verdict.status == Status::WouldOverwrite ? "overwrite" : "read", verdict.why.found,
            to_word(verdict.why.address),
            verdict.status == Status::WouldOverwrite ? "the RAM it was given" : "the file");
    }
    std::string text = fmt::format("refuses it for {} (internal code {})", rule,
                                   loader::vendor_code(verdict.status));
    if (verdict.bytes_written != 0)
        text += fmt::format(", after it has written {} bytes", verdict.bytes_written);
    return text;
}

std::string mode_words(std::uint32_t mode) {
    if (mode == legacy::kModeXip) return "XIP (1)";
    if (mode == legacy::kModeCopy) return "COPY (2)";
    return fmt::format("{}", mode);
}

Json range_json(AddressRange range) {
    return {{"address", hex_word(to_word(range.start))}, {"bytes", range.bytes}};
}

}  // namespace

CheckReport check_legacy(const ModelFiles& files, const LegacyPlan& plan, std::uint64_t limit) {
    CheckReport report;
    HostMemory memory;
    plan.place(memory, files);
    const loader::MemoryPort port = memory.port();
    legacy::Container container(port, plan.file().start, plan.file().bytes);
    Diagnosis why;
    const bool opened = container.open(why) == Status::Ok;
    LegacyCollector collector{report, plan, limit, container, opened, {}};
    static_cast<void>(legacy::check(port, plan.request(),
                                    {&collector, [](void* context, const Diagnosis& finding) {
                                         static_cast<LegacyCollector*>(context)->add(finding);
                                         return true;
                                     }}));
    std::stable_sort(report.findings.begin(), report.findings.end(),
                     [](const CheckFinding& left, const CheckFinding& right) {
                         return left.diagnosis.severity < right.diagnosis.severity;
                     });
    legacy::Result result;
    memory.record(true);
    report.vendor.status =
        legacy::install(port, plan.request(loader::Policy::Compat), result, report.vendor.why);
    report.vendor.bytes_written = memory.bytes_written();
    return report;
}

std::string check_legacy_text(const CheckReport& report, const ModelFiles& files,
                              const LegacyPlan& plan) {
    const LegacyModel model(files);
    const legacy::Request& request = plan.request();
    const legacy::Header& header = model.header();
    const auto context = model.context();
    std::string text = fmt::format("{}: {} bytes at 0x{:08x}, older family (AI_RELOC), mode {}\n",
                                   traces::terminal_text(files.file_path), files.file.size(),
                                   to_word(request.file), mode_words(request.mode));
    text +=
        fmt::format("  RAM           0x{:08x}:{}, needed: XIP {}, COPY {}\n", to_word(request.ram),
                    request.ram_bytes, header.ram_bytes(false), header.ram_bytes(true));
    text += fmt::format("  core          {}{}\n", core_name(request.target.cpu_part),
                        plan.core_matched() ? " [taken from the file]" : "");
    if (context) {
        text += fmt::format("  weights       {} bytes, {}\n", context->weights_bytes,
                            header.has_weights() ? "in the file" : "not in the file");
        text += fmt::format("  activations   {} bytes\n", context->activations_bytes);
    }
    text += findings_text(report);
    text += fmt::format("\nvendor's loader: {}\n", vendor_words(report.vendor));
    return text + fmt::format("{}, {}, {}: {}\n", counted(report.errors, "error"),
                              counted(report.warnings, "warning"), counted(report.hints, "hint"),
                              report.passed() ? "the model installs" : "refused");
}

Json check_legacy_json(const CheckReport& report, const ModelFiles& files, const LegacyPlan& plan) {
    const LegacyModel model(files);
    const legacy::Request& request = plan.request();
    const auto context = model.context();
    Json document = json_document("check");
    document["family"] = "legacy";
    document["file"] = {{"path", files.file_path},
                        {"bytes", files.file.size()},
                        {"address", hex_word(to_word(request.file))}};
    document["mode"] = {{"name", mode_words(request.mode)}, {"value", request.mode}};
    document["ram"] = range_json({request.ram, request.ram_bytes});
    document["ram"]["needed_xip"] = model.header().ram_bytes(false);
    document["ram"]["needed_copy"] = model.header().ram_bytes(true);
    document["weights"] = {{"path", files.params_path},
                           {"address", hex_word(to_word(request.weights))},
                           {"needed", context ? Json(context->weights_bytes) : Json()},
                           {"in_file", model.header().has_weights()}};
    document["activations"] = {{"address", hex_word(to_word(request.activations))},
                               {"needed", context ? Json(context->activations_bytes) : Json()}};
    document["core"] = {{"name", core_name(request.target.cpu_part)},
                        {"from_file", plan.core_matched()}};
    document["findings"] = findings_json(report);
    document["suppressed"] = Json::object();
    for (const auto& [rule, count] : report.suppressed)
        document["suppressed"][std::string(traces::rule_text(rule).id)] = count;
    const VendorVerdict& vendor = report.vendor;
    document["vendor"] = {
        {"status", traces::to_text(vendor.status)},
        {"rule",
         vendor.status == Status::Ok ? Json() : Json(traces::rule_text(vendor.why.rule).id)},
        {"bytes_written", vendor.bytes_written},
        {"text", vendor_words(vendor)}};
    document["notes"] = Json::array();
    document["summary"] = {{"errors", report.errors},
                           {"warnings", report.warnings},
                           {"hints", report.hints},
                           {"verdict", report.passed() ? "ok" : "refused"}};
    return document;
}

}  // namespace n6vp::sim
