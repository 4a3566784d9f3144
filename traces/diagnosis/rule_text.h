// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "loader/container.h"
#include "loader/diagnosis.h"

/// What the loader's numbers mean, in sentences. The table is total: every rule has its own texts.
namespace n6vp::traces {

/// How the numbers of a rule are written.
enum class NumberForm : std::uint8_t { Hex, Bytes, Plain };

/// Everything there is to say about one rule. Texts never end in a newline.
struct RuleText {
    loader::Rule rule;
    NumberForm form;          ///< of the numbers `expected` and `found`
    std::string_view id;      ///< stable name in kebab-case: "reloc-space"
    std::string_view what;    ///< the fault, one sentence
    std::string_view why;     ///< what it does on the chip
    std::string_view remedy;  ///< what to do, one line
    std::string_view vendor;  ///< what the vendor's loader does about it
    std::string_view closes;  ///< weakness of the vendor's loader, "W5" or "E2"; may be empty
};

/// Returns the texts of a rule; an unknown number gets the texts of Rule::None.
[[nodiscard]] const RuleText& rule_text(loader::Rule rule);

/// Returns the rule with this id, or Rule::None.
[[nodiscard]] loader::Rule rule_of(std::string_view id);

[[nodiscard]] std::string_view to_text(loader::Severity severity);  ///< "error", "warning", "hint"
[[nodiscard]] std::string_view to_text(loader::Stage stage);        ///< "header", "pools", …
[[nodiscard]] std::string_view to_text(loader::Status status);      ///< "invalid-binary", …

/// Returns the documented name and number of the vendor's return code, "AI_RELOC_RT_ERR_INVALID_BIN
/// (-1)".
[[nodiscard]] std::string vendor_code_text(loader::Status status);

/// Returns the part of the file that a byte offset lies in: "header", "vector", "code", "data",
/// "rt_ctx", "pool table", "GOT", "gap", "relocation table", "parameters", "padding" or "outside".
[[nodiscard]] std::string_view section_at(const loader::Container& container,
                                          std::uint32_t file_offset);

/// One diagnosis with every number as text; a number that does not apply is an empty string.
struct DiagnosisFields {
    std::string rule, severity, stage, status, vendor_code;
    std::string file_offset, section, index, address, expected, found;
    std::string what, why, remedy, vendor, closes;
};
/// Fills the fields. `container` names the section and may be null.
[[nodiscard]] DiagnosisFields fields_of(const loader::Diagnosis& diagnosis,
                                        const loader::Container* container);

/// Returns a block of lines, the first one like "error: reloc-space: …", the others indented by two
/// spaces, with a newline at the end of each.
[[nodiscard]] std::string describe(const loader::Diagnosis& diagnosis,
                                   const loader::Container* container);

}  // namespace n6vp::traces
