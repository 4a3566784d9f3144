// SPDX-License-Identifier: Apache-2.0
#include "loader/legacy/diagnosis.h"

namespace n6vp::loader::legacy {

namespace {

struct Facts {
    Stage stage;
    Severity severity;
    Status status;
};

constexpr Facts kFacts[] = {
#define N6VP_FACTS(rule, stage, severity, status) \
    {Stage::stage, Severity::severity, Status::status},
    N6VP_LEGACY_RULES(N6VP_FACTS)
#undef N6VP_FACTS
};
constexpr auto kFirst = static_cast<std::uint32_t>(Rule::LegacyFileNull);
static_assert(kFirst + sizeof kFacts / sizeof kFacts[0] ==
              static_cast<std::uint32_t>(Rule::kCount));

}  // namespace

Diagnosis diagnosis_of(Rule rule) {
    const auto number = static_cast<std::uint32_t>(rule);
    if (number < kFirst || rule >= Rule::kCount) return loader::diagnosis_of(rule);
    const Facts& facts = kFacts[number - kFirst];
    Diagnosis diagnosis;
    diagnosis.rule = rule;
    diagnosis.stage = facts.stage;
    diagnosis.severity = facts.severity;
    diagnosis.status = facts.status;
    return diagnosis;
}

Status refuse(Diagnosis& why, Rule rule, std::uint32_t file_offset, std::uint32_t expected,
              std::uint32_t found) {
    why = legacy::diagnosis_of(rule);
    why.file_offset = file_offset;
    why.expected = expected;
    why.found = found;
    return why.status;
}

}  // namespace n6vp::loader::legacy
