// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/rules.h"
#include "loader/status.h"
#include "memmap/guest_addr.h"

namespace n6vp::loader {

/// Where in the life of a file a finding arose.
enum class Stage : std::uint8_t {
    File,
    Header,
    Firmware,
    Request,
    Pools,
    Image,
    Relocation,
    EpochBlob,
    Handle
};

enum class Severity : std::uint8_t { Error, Warning, Hint };

/// Marks a number of a Diagnosis that does not apply.
inline constexpr std::uint32_t kNotApplicable = 0xFFFFFFFFu;

/// One finding, as numbers only; `traces/diagnosis/rule_text.h` turns it into sentences.
struct Diagnosis {
    Rule rule = Rule::None;
    Severity severity = Severity::Error;
    Stage stage = Stage::File;
    Status status = Status::Ok;
    std::uint32_t file_offset = kNotApplicable;  ///< byte offset of the offending word in the file
    std::uint32_t index =
        kNotApplicable;                 ///< which relocation, GOT word, pool, vector entry or blob
    GuestAddr address{kNotApplicable};  ///< guest address concerned
    std::uint32_t expected = kNotApplicable;
    std::uint32_t found = kNotApplicable;
};

/// Returns a diagnosis that carries the rule's own stage, severity and status. Epoch-controller
/// rules are errors of the file; a caller that reports another class sets it.
[[nodiscard]] Diagnosis diagnosis_of(Rule rule);

/// Stores the rule's diagnosis with these numbers and returns its status.
Status refuse(Diagnosis& why, Rule rule, std::uint32_t file_offset, std::uint32_t expected,
              std::uint32_t found);

/// Receives findings one by one. `report` returns false to stop the check early.
struct FindingSink {
    void* context = nullptr;
    bool (*report)(void* context, const Diagnosis& finding) = nullptr;
};

}  // namespace n6vp::loader
