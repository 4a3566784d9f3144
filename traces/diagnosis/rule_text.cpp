// SPDX-License-Identifier: Apache-2.0
#include "traces/diagnosis/rule_text.h"

#include <fmt/format.h>

#include <array>

#include "traces/diagnosis/rule_text_ec.h"
#include "traces/diagnosis/rule_text_tables.h"

namespace n6vp::traces {

namespace {

using loader::Diagnosis;
using loader::kNotApplicable;
using loader::Severity;
using loader::Stage;
using loader::Status;

constexpr RuleText kNoRule{Rule::None,          NumberForm::Hex,  "none",     "No fault.",
                           "Nothing is wrong.", "Nothing to do.", "Goes on.", ""};

using Index = std::array<const RuleText*, static_cast<std::size_t>(Rule::kCount)>;

Index make_index() {
    Index index;
    index.fill(&kNoRule);
    for (const auto& rows : {file_rules(), header_rules(), context_rules(), firmware_rules(),
                             request_rules(), pools_rules(), image_rules(), relocation_rules(),
                             install_rules(), ec_rule_texts(), legacy_file_rules(),
                             legacy_header_rules(), legacy_request_rules(), legacy_image_rules()}) {
        for (const RuleText& row : rows) index[static_cast<std::size_t>(row.rule)] = &row;
    }
    return index;
}

const Index& index_of_rules() {
    static const Index index = make_index();
    return index;
}

std::string number(std::uint32_t value, NumberForm form) {
    if (value == kNotApplicable) return {};
    switch (form) {
        case NumberForm::Hex:
            return fmt::format("0x{:08X}", value);
        case NumberForm::Bytes:
            return fmt::format("{} bytes (0x{:X})", value, value);
        case NumberForm::Plain:
            return fmt::format("{}", value);
    }
    return {};
}

/// Returns true if the word a finding is about reads 0xFFFFFFFF, as erased flash does: the number
/// that otherwise says that none applies.
bool found_erased(const Diagnosis& diagnosis, const loader::Container* container) {
    std::uint32_t word = 0;
    return diagnosis.found == kNotApplicable && diagnosis.file_offset != kNotApplicable &&
           container != nullptr && container->word(diagnosis.file_offset, word) &&
           word == loader::format::kErasedWord;
}

std::string optional_hex(std::uint32_t value) {
    return value == kNotApplicable ? std::string{} : fmt::format("0x{:08X}", value);
}

/// What `index` counts, so that a reader knows which table to open.
std::string_view index_noun(const Diagnosis& diagnosis) {
    const std::string_view id = rule_text(diagnosis.rule).id;
    if (id.starts_with("vector") || id.starts_with("legacy-vector")) return "vector entry";
    if (id.starts_with("got") || id.starts_with("legacy-got")) return "GOT word";
    if (id.starts_with("relocation") || id.starts_with("legacy-relocation")) return "relocation";
    if (id.starts_with("pool")) return "pool";
    if (id.starts_with("grant")) return "grant";
    return "index";
}

}  // namespace

const RuleText& rule_text(Rule rule) {
    const auto number = static_cast<std::size_t>(rule);
    return number < index_of_rules().size() ? *index_of_rules()[number] : kNoRule;
}

Rule rule_of(std::string_view id) {
    for (const RuleText* row : index_of_rules()) {
        if (row->id == id) return row->rule;
    }
    return Rule::None;
}

std::string_view to_text(Severity severity) {
    switch (severity) {
        case Severity::Error:
            return "error";
        case Severity::Warning:
            return "warning";
        case Severity::Hint:
            return "hint";
    }
    return "unknown";
}

std::string_view to_text(Stage stage) {
    switch (stage) {
        case Stage::File:
            return "file";
        case Stage::Header:
            return "header";
        case Stage::Firmware:
            return "firmware";
        case Stage::Request:
            return "request";
        case Stage::Pools:
            return "pools";
        case Stage::Image:
            return "image";
        case Stage::Relocation:
            return "relocation";
        case Stage::EpochBlob:
            return "epoch-blob";
        case Stage::Handle:
            return "handle";
    }
    return "unknown";
}

std::string_view to_text(Status status) {
    switch (status) {
        case Status::Ok:
            return "ok";
        case Status::InvalidBinary:
            return "invalid-binary";
        case Status::Memory:
            return "memory";
        case Status::NotSupported:
            return "not-supported";
        case Status::Argument:
            return "argument";
        case Status::InvalidHandle:
            return "invalid-handle";
        case Status::ParameterAddress:
            return "parameter-address";
        case Status::ParameterTable:
            return "parameter-table";
        case Status::WouldOverwrite:
            return "would-overwrite";
        case Status::WouldFault:
            return "would-fault";
        case Status::BusError:
            return "bus-error";
    }
    return "unknown";
}

std::string vendor_code_text(Status status) {
    constexpr std::string_view kNames[] = {"NONE",          "INVALID_BIN", "MEMORY",
                                           "NOT_SUPPORTED", "ARG",         "INVALID_HDL",
                                           "INSTALL",       "PARAM_ADDR",  "PARAM_DESC"};
    const int code = loader::vendor_code(status);
    return fmt::format("AI_RELOC_RT_ERR_{} ({})", kNames[static_cast<std::size_t>(-code)], code);
}

std::string_view section_at(const loader::Container& container, std::uint32_t file_offset) {
    const loader::Header& header = container.header();
    if (header.header_bytes == 0)
        return file_offset < loader::format::kLongHeaderBytes ? "header" : "outside";
    const std::uint32_t ro = header.ro_bytes();
    const auto in_data = [&](std::uint32_t link_address) {
        return ro + loader::format::link_offset(link_address);
    };
    const auto within = [&](std::uint64_t start, std::uint64_t end) {
        return file_offset >= start && file_offset < end;
    };
    const std::uint32_t params = loader::format::link_offset(header.params_offset);
    loader::RuntimeContext stored;
    const bool sizes = container.context(stored) && stored.has_struct_sizes;
    const std::uint32_t context = in_data(header.context());
    const std::uint32_t pools = in_data(header.params_start);
    if (file_offset >= container.bytes()) return "outside";
    if (file_offset < loader::format::kVectorOffset) return "header";
    if (file_offset < header.header_bytes) return "vector";
    if (file_offset < ro) return "code";
    if (within(loader::format::link_offset(header.rel_start),
               loader::format::link_offset(header.rel_end))) {
        return "relocation table";
    }
    if (params != 0 && file_offset >= params) return "parameters";
    if (within(in_data(header.got_start), in_data(header.got_end))) return "GOT";
    if (within(context, context + loader::context_offset::bytes(sizes))) return "rt_ctx";
    if (within(pools, in_data(header.data_end))) return "pool table";
    if (file_offset < in_data(header.data_end)) return "data";
    if (file_offset < in_data(header.bss_start)) return "gap";
    return "padding";
}

DiagnosisFields fields_of(const Diagnosis& diagnosis, const loader::Container* container) {
    const RuleText& text = rule_text(diagnosis.rule);
    DiagnosisFields fields;
    fields.rule = text.id;
    fields.severity = to_text(diagnosis.severity);
    fields.stage = to_text(diagnosis.stage);
    fields.status = to_text(diagnosis.status);
    fields.vendor_code = vendor_code_text(diagnosis.status);
    fields.file_offset = optional_hex(diagnosis.file_offset);
    if (container != nullptr && diagnosis.file_offset != kNotApplicable) {
        fields.section = section_at(*container, diagnosis.file_offset);
    }
    if (diagnosis.index != kNotApplicable) fields.index = fmt::format("{}", diagnosis.index);
    fields.address = optional_hex(to_word(diagnosis.address));
    fields.expected = number(diagnosis.expected, text.form);
    fields.found =
        found_erased(diagnosis, container) ? "0xFFFFFFFF" : number(diagnosis.found, text.form);
    fields.what = text.what;
    fields.why = text.why;
    fields.remedy = text.remedy;
    fields.vendor = text.vendor;
    fields.closes = text.closes;
    return fields;
}

std::string describe(const Diagnosis& diagnosis, const loader::Container* container) {
    const DiagnosisFields fields = fields_of(diagnosis, container);
    std::string block = fmt::format("{}: {}: {}\n", fields.severity, fields.rule, fields.what);
    std::string where;
    const auto add = [&where](const std::string& part) {
        if (!where.empty()) where += ", ";
        where += part;
    };
    if (!fields.index.empty()) add(fmt::format("{} {}", index_noun(diagnosis), fields.index));
    if (!fields.file_offset.empty()) add("file offset " + fields.file_offset);
    if (!fields.section.empty()) where += " (" + fields.section + ")";
    if (!fields.address.empty()) add("address " + fields.address);
    if (!where.empty()) block += fmt::format("  where:  {}\n", where);
    if (!fields.found.empty()) block += fmt::format("  found:  {}\n", fields.found);
    if (!fields.expected.empty()) block += fmt::format("  wanted: {}\n", fields.expected);
    block += fmt::format("  why:    {}\n  remedy: {}\n  vendor: {}\n", fields.why, fields.remedy,
                         fields.vendor);
    return block;
}

}  // namespace n6vp::traces
