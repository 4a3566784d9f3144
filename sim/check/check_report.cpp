// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "memmap/regions.h"
#include "sim/check/check_model.h"
#include "sim/host/message_text.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

using loader::Severity;
using loader::Status;

std::string range_text(AddressRange range) {
    return fmt::format("0x{:08x}:{}", to_word(range.start), range.bytes);
}

std::string_view mode_name(std::uint32_t mode) {
    const bool xip = (mode & loader::format::kModeXip) != 0;
    const bool copy = (mode & loader::format::kModeCopy) != 0;
    if (xip && copy) return "XIP|COPY";
    return xip ? "XIP" : copy ? "COPY" : "none";
}

std::string mode_text(std::uint32_t mode) {
    const bool clear = (mode & loader::format::kModeClear) != 0;
    return fmt::format("{}{} ({})", mode_name(mode), clear ? "|CLEAR" : "", mode);
}

/// Returns the exec RAM that an install in this mode needs.
std::uint32_t needed_exec(const loader::Header& header, std::uint32_t mode) {
    return header.exec_bytes((mode & loader::format::kModeCopy) != 0);
}

std::string_view section_name(EcSection section) {
    switch (section) {
        case EcSection::ReadOnly:
            return "read-only";
        case EcSection::Data:
            return "data";
        case EcSection::Params:
            return "parameters";
    }
    return "unknown";
}

std::string where_text(const EcHit& hit) {
    return fmt::format("{} at offset 0x{:x} of the {} ({})",
                       hit.container ? "container" : "plain blob", hit.offset,
                       hit.in_params_file ? "parameter file" : "file", section_name(hit.section));
}

std::string region_at(GuestAddr address) {
    const memmap::Location location = memmap::find_region(address);
    if (!location) return "no memory";
    return fmt::format("{} + 0x{:x}", location.region->name, location.offset);
}

/// Returns what was asked for: places, needs, firmware.
std::string header_text(const CheckReport& report, const ModelFiles& files,
                        const InstallPlan& plan) {
    const loader::InstallRequest& request = plan.request();
    std::string text = fmt::format(
        "{}: {} bytes at 0x{:08x} ({}), mode {}\n", traces::terminal_text(files.file_path),
        files.file.size(), to_word(request.file), region_at(request.file), mode_text(request.mode));
    if (plan.params().bytes != 0) {
        text += fmt::format("  parameters    {}: {} bytes at 0x{:08x}\n",
                            traces::terminal_text(files.params_path), files.params.size(),
                            to_word(request.params));
    } else if (to_word(request.params) != 0) {
        text +=
            fmt::format("  parameters    at 0x{:08x}, length not known\n", to_word(request.params));
    }
    text += fmt::format("  exec RAM      {}", range_text(plan.exec_ram()));
    if (report.header) {
        text +=
            fmt::format(", needed: {} (XIP {}, COPY {})", needed_exec(*report.header, request.mode),
                        report.header->exec_bytes(false), report.header->exec_bytes(true));
    }
    text += fmt::format("\n  external RAM  {}", range_text(plan.ext_ram()));
    if (report.context) {
        text += fmt::format(", needed: {}", loader::format::align8(report.context->ext_ram_sz));
    }
    if (report.context) {
        const loader::RuntimeVersion version = report.context->version();
        text += fmt::format("\n  model         ll_aton {} ({})", version_text(version),
                            generation_name(loader::generation_of(version)));
    }
    text += fmt::format("\n  firmware      {}{}\n", profile_text(request.profile),
                        plan.firmware_matched() ? " [taken from the file]" : "");
    return text;
}

std::string ec_text(const EcScan& scan) {
    const auto containers = std::count_if(scan.hits.begin(), scan.hits.end(),
                                          [](const EcHit& hit) { return hit.container; });
    std::uint64_t words = 0;
    std::uint64_t relocated = 0;
    for (const EcHit& hit : scan.hits) {
        words += hit.facts.words;
        relocated += hit.relocated_words;
    }
    if (scan.hits.empty() && scan.literals == 0)
        return "epoch controller: no blobs in this model\n";
    const auto plain = scan.hits.size() - static_cast<std::size_t>(containers);
    std::string text = fmt::format("epoch controller: {}, {}, {} decoded, {} relocated\n",
                                   counted(static_cast<std::uint64_t>(containers), "container"),
                                   counted(plain, "plain blob"), counted(words, "word"), relocated);
    if (scan.literals != 0) {
        text += fmt::format("  {} without a plausible blob: not checked\n",
                            counted(scan.literals, "more magic word"));
    }
    return text;
}

std::string summary_text(const CheckReport& report) {
    return fmt::format("{}, {}, {}: {}\n", counted(report.errors, "error"),
                       counted(report.warnings, "warning"), counted(report.hints, "hint"),
                       report.passed() ? "the model installs" : "refused");
}

Json word_or_null(std::uint32_t value) {
    return value == loader::kNotApplicable ? Json() : Json(hex_word(value));
}

Json finding_json(const CheckFinding& finding) {
    const traces::DiagnosisFields& fields = finding.fields;
    Json row;
    row["rule"] = fields.rule;
    row["severity"] = fields.severity;
    row["stage"] = fields.stage;
    row["status"] = fields.status;
    row["vendor_code"] = loader::vendor_code(finding.diagnosis.status);
    row["file"] = finding.in_params_file ? "params" : "model";
    row["file_offset"] = word_or_null(finding.diagnosis.file_offset);
    row["section"] = fields.section;
    row["index"] =
        finding.diagnosis.index == loader::kNotApplicable ? Json() : Json(finding.diagnosis.index);
    row["address"] = word_or_null(to_word(finding.diagnosis.address));
    row["expected"] = fields.expected;
    row["found"] = fields.found;
    row["what"] = fields.what;
    row["why"] = fields.why;
    row["remedy"] = fields.remedy;
    row["option"] = finding.option;
    row["vendor"] = fields.vendor;
    row["closes"] = fields.closes;
    row["ec_hit"] = finding.hit ? Json(*finding.hit) : Json();
    return row;
}

Json ec_json(const EcScan& scan) {
    Json hits = Json::array();
    for (const EcHit& hit : scan.hits) {
        hits.push_back({{"kind", hit.container ? "container" : "blob"},
                        {"section", section_name(hit.section)},
                        {"file", hit.in_params_file ? "params" : "model"},
                        {"offset", hit.offset},
                        {"bytes", hit.bytes},
                        {"magic", hex_word(hit.magic)},
                        {"symbols", hit.symbols},
                        {"relocated_words", hit.relocated_words},
                        {"words", hit.facts.words},
                        {"writes", hit.facts.writes},
                        {"bursts", hit.facts.bursts + hit.facts.increment_bursts},
                        {"polls", hit.facts.polls},
                        {"labels", hit.facts.labels},
                        {"findings", hit.findings.size()}});
    }
    return {{"hits", std::move(hits)}, {"not_judged", scan.literals}};
}

Json vendor_json(const VendorVerdict& verdict, const loader::RuntimeProfile& profile) {
    Json row;
    row["generation"] = generation_name(profile.generation);
    row["ll_aton"] = version_text(profile.version);
    row["status"] = traces::to_text(verdict.status);
    const bool stopped = verdict.status == Status::WouldOverwrite ||
                         verdict.status == Status::WouldFault || verdict.status == Status::BusError;
    row["code"] = stopped ? Json() : Json(loader::vendor_code(verdict.status));
    row["rule"] =
        verdict.status == Status::Ok ? Json() : Json(traces::rule_text(verdict.why.rule).id);
    row["address"] = word_or_null(to_word(verdict.why.address));
    row["bytes"] = stopped ? Json(verdict.why.found) : Json();
    row["bytes_written"] = verdict.bytes_written;
    row["npu_cache_used"] = verdict.npu_cache_used;
    row["text"] = vendor_text(verdict);
    return row;
}

Json request_json(const CheckReport& report, const ModelFiles& files, const InstallPlan& plan) {
    const loader::InstallRequest& request = plan.request();
    Json row;
    row["file"] = {{"path", files.file_path},
                   {"bytes", files.file.size()},
                   {"address", hex_word(to_word(request.file))}};
    row["params"] = Json();
    if (to_word(request.params) != 0 || !files.params_path.empty()) {
        row["params"] = {{"path", files.params_path},
                         {"bytes", files.params.size()},
                         {"address", hex_word(to_word(request.params))}};
    }
    row["mode"] = {{"name", mode_name(request.mode)}, {"value", request.mode}};
    row["exec_ram"] = {{"address", hex_word(to_word(request.exec_ram))},
                       {"bytes", request.exec_ram_bytes}};
    row["ext_ram"] = {{"address", hex_word(to_word(request.ext_ram))},
                      {"bytes", request.ext_ram_bytes}};
    row["exec_ram"]["needed"] =
        report.header ? Json(needed_exec(*report.header, request.mode)) : Json();
    row["ext_ram"]["needed"] =
        report.context ? Json(loader::format::align8(report.context->ext_ram_sz)) : Json();
    row["grants"] = Json::array();
    for (const AddressRange& grant : plan.grants()) {
        row["grants"].push_back(
            {{"address", hex_word(to_word(grant.start))}, {"bytes", grant.bytes}});
    }
    row["firmware"] = {{"text", profile_text(request.profile)},
                       {"generation", generation_name(request.profile.generation)},
                       {"ll_aton", version_text(request.profile.version)},
                       {"secure", request.profile.secure},
                       {"dbg_info", request.profile.dbg_info},
                       {"async", request.profile.async},
                       {"from_file", plan.firmware_matched()}};
    return row;
}

}  // namespace

std::string findings_text(const CheckReport& report) {
    std::string text;
    for (const CheckFinding& finding : report.findings) {
        text += '\n' + finding.block;
        if (!finding.option.empty()) text += fmt::format("  option: {}\n", finding.option);
        if (finding.hit) {
            text += fmt::format("  in: epoch-controller {}\n",
                                where_text(report.ec.hits[*finding.hit]));
        }
    }
    for (const auto& [rule, count] : report.suppressed) {
        text += fmt::format("\n{}: {} more of these (--limit 0 shows all)\n",
                            traces::rule_text(rule).id, count);
    }
    for (const CheckNote& note : report.notes) {
        if (note.severity == Severity::Hint) continue;
        text += fmt::format("\n{}: {}: {}\n", traces::to_text(note.severity), note.id, note.text);
    }
    return text;
}

Json findings_json(const CheckReport& report) {
    Json findings = Json::array();
    for (const CheckFinding& finding : report.findings) findings.push_back(finding_json(finding));
    return findings;
}

std::string mending_option(const loader::Diagnosis& finding, const InstallPlan& plan) {
    using loader::Rule;
    const loader::InstallRequest& request = plan.request();
    const std::uint32_t ext = to_word(request.ext_ram);
    switch (finding.rule) {
        case Rule::ExecTooSmall:
        case Rule::ExecSizeZero:
            return fmt::format("--exec 0x{:08x}:{}", to_word(request.exec_ram), finding.expected);
        case Rule::ExecNull:
            return "--exec 0x34060000:640K, or any other RAM";
        case Rule::PoolExternalTooSmall:
            return fmt::format("--ext 0x{:08x}:{}", ext, finding.expected);
        case Rule::PoolExternalMissing:
            return fmt::format("--ext ADDR:{}, such as --ext 0x90100000:{}", finding.expected,
                               finding.expected);
        case Rule::PoolExternalOnChip:
            return "--ext 0x90100000:27M, or other memory from 0x60000000 up";
        case Rule::ParamsMissing:
            return "--params FILE, with --params-at ADDR if not at 0x71800000";
        case Rule::ParamsUnreadable:
            return "--params FILE: the content of the parameter address is unknown";
        case Rule::ParamsBoth:
            return "leave out --params and --params-at to use the file's own";
        case Rule::RelocationNeedsCopy:
            return "--mode copy";
        case Rule::ModeNone:
        case Rule::ModeBoth:
            return "--mode xip or --mode copy";
        case Rule::PoolDestinationNotGranted:
        case Rule::PoolDestinationRoundingNotGranted:
            return fmt::format("--grant 0x{:08x}:{}, if that memory is free",
                               to_word(finding.address), finding.found);
        default:
            return {};
    }
}

std::string vendor_text(const VendorVerdict& verdict) {
    const GuestAddr address = verdict.why.address;
    switch (verdict.status) {
        case Status::Ok:
            return fmt::format("returns {}: it installs (0 is success)",
                               traces::vendor_code_text(verdict.status));
        case Status::WouldOverwrite:
            return fmt::format(
                "would overwrite {} bytes at 0x{:08x} ({}), outside all granted memory",
                verdict.why.found, to_word(address), region_at(address));
        case Status::WouldFault:
            return fmt::format(
                "would read {} bytes at 0x{:08x} ({}), outside files and granted memory; the "
                "result depends on its content",
                verdict.why.found, to_word(address), region_at(address));
        default:
            break;
    }
    std::string text = fmt::format("returns {} for {}", traces::vendor_code_text(verdict.status),
                                   traces::rule_text(verdict.why.rule).id);
    if (verdict.bytes_written != 0) {
        text += fmt::format(", after it has written {} bytes", verdict.bytes_written);
    }
    return text;
}

std::string check_text(const CheckReport& report, const ModelFiles& files,
                       const InstallPlan& plan) {
    std::string text = header_text(report, files, plan);
    text += findings_text(report);
    text += '\n';
    if (report.header) text += ec_text(report.ec);
    const loader::RuntimeProfile& profile = plan.request().profile;
    text += fmt::format("vendor's loader of ll_aton {} ({}): {}\n", version_text(profile.version),
                        generation_name(profile.generation), vendor_text(report.vendor));
    for (const CheckNote& note : report.notes) {
        if (note.severity == Severity::Hint) text += fmt::format("note: {}\n", note.text);
    }
    return text + summary_text(report);
}

Json check_json(const CheckReport& report, const ModelFiles& files, const InstallPlan& plan) {
    Json document = json_document("check");
    document.update(request_json(report, files, plan));
    document["findings"] = findings_json(report);
    document["suppressed"] = Json::object();
    for (const auto& [rule, count] : report.suppressed) {
        document["suppressed"][std::string(traces::rule_text(rule).id)] = count;
    }
    document["epoch_controller"] = ec_json(report.ec);
    document["vendor"] = vendor_json(report.vendor, plan.request().profile);
    document["notes"] = Json::array();
    for (const CheckNote& note : report.notes) {
        document["notes"].push_back(
            {{"id", note.id}, {"severity", traces::to_text(note.severity)}, {"text", note.text}});
    }
    document["summary"] = {{"errors", report.errors},
                           {"warnings", report.warnings},
                           {"hints", report.hints},
                           {"verdict", report.passed() ? "ok" : "refused"}};
    return document;
}

}  // namespace n6vp::sim
