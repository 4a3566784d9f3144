// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "loader/diagnosis.h"
#include "traces/diagnosis/rule_text.h"

/// Questions to the findings of a check.
namespace n6vp::test {

inline bool has(const std::vector<loader::Diagnosis>& findings, loader::Rule rule) {
    return std::any_of(findings.begin(), findings.end(),
                       [rule](const loader::Diagnosis& finding) { return finding.rule == rule; });
}

/// Returns the ids of their rules.
inline std::string names_of(const std::vector<loader::Diagnosis>& findings) {
    std::string text;
    for (const loader::Diagnosis& finding : findings)
        text += std::string(traces::rule_text(finding.rule).id) + " ";
    return text;
}

/// Both sides of each limit of a file: the last legal value has no finding of its rule, the next
/// one has. `findings_of` checks a file with such a limit after `inside` or `outside` changed it.
template <typename Limits, typename FindingsOf>
void check_both_sides(const Limits& limits, FindingsOf findings_of) {
    for (const auto& limit : limits) {
        CAPTURE(limit.name);
        const std::vector<loader::Diagnosis> legal = findings_of(limit, limit.inside);
        const std::vector<loader::Diagnosis> beyond = findings_of(limit, limit.outside);
        CHECK_FALSE_MESSAGE(has(legal, limit.rule), names_of(legal));
        CHECK_MESSAGE(has(beyond, limit.rule), names_of(beyond));
    }
}

}  // namespace n6vp::test
