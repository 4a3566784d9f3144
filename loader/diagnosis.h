// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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

/// One finding, as numbers only; `traces/rule_text.h` turns it into sentences.
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

namespace detail {
[[nodiscard]] constexpr std::uint16_t pack_facts(Stage stage, Severity severity, Status status) {
    return static_cast<std::uint16_t>(static_cast<unsigned>(stage) << 8 |
                                      static_cast<unsigned>(severity) << 4 |
                                      static_cast<unsigned>(status));
}
inline constexpr std::uint16_t kRuleFacts[] = {pack_facts(Stage::File, Severity::Error, Status::Ok),
#define N6VP_FACTS(rule, stage, severity, status) \
    pack_facts(Stage::stage, Severity::severity, Status::status),
                                               N6VP_CONTAINER_RULES(N6VP_FACTS)
#undef N6VP_FACTS
};
}  // namespace detail

/// Returns a diagnosis that carries the rule's own stage, severity and status. Epoch-controller
/// rules are errors of the file; whoever reports one as something else says so.
[[nodiscard]] constexpr Diagnosis diagnosis_of(Rule rule) {
    const auto number = static_cast<std::size_t>(rule);
    const bool known = number < sizeof detail::kRuleFacts / sizeof detail::kRuleFacts[0];
    const unsigned facts =
        known ? detail::kRuleFacts[number]
              : detail::pack_facts(Stage::EpochBlob, Severity::Error, Status::InvalidBinary);
    Diagnosis diagnosis;
    diagnosis.rule = rule;
    diagnosis.severity = static_cast<Severity>(facts >> 4 & 0xF);
    diagnosis.stage = static_cast<Stage>(facts >> 8);
    diagnosis.status = static_cast<Status>(facts & 0xF);
    return diagnosis;
}

/// Receives findings one by one. `report` returns false to stop the check early.
struct FindingSink {
    void* context = nullptr;
    bool (*report)(void* context, const Diagnosis& finding) = nullptr;
};

}  // namespace n6vp::loader
