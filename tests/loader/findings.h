// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace n6vp::test
