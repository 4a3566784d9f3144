// SPDX-License-Identifier: Apache-2.0
#include "loader/diagnosis.h"

namespace n6vp::loader {

namespace {

/// Stage, severity and status in one halfword: a board pays for this table.
constexpr std::uint16_t pack(Stage stage, Severity severity, Status status) {
    return static_cast<std::uint16_t>(static_cast<unsigned>(stage) << 8 |
                                      static_cast<unsigned>(severity) << 4 |
                                      static_cast<unsigned>(status));
}

constexpr std::uint16_t kFacts[] = {pack(Stage::File, Severity::Error, Status::Ok),
#define N6VP_FACTS(rule, stage, severity, status) \
    pack(Stage::stage, Severity::severity, Status::status),
                                    N6VP_CONTAINER_RULES(N6VP_FACTS)
#undef N6VP_FACTS
};
constexpr std::uint32_t kKnown = sizeof kFacts / sizeof kFacts[0];

}  // namespace

Diagnosis diagnosis_of(Rule rule) {
    const auto number = static_cast<std::uint32_t>(rule);
    const std::uint32_t facts =
        number < kKnown ? kFacts[number]
                        : pack(Stage::EpochBlob, Severity::Error, Status::InvalidBinary);
    Diagnosis diagnosis;
    diagnosis.rule = rule;
    diagnosis.severity = static_cast<Severity>(facts >> 4 & 0xF);
    diagnosis.stage = static_cast<Stage>(facts >> 8);
    diagnosis.status = static_cast<Status>(facts & 0xF);
    return diagnosis;
}

}  // namespace n6vp::loader
