// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "sim/generate/operators/operator.h"

/// All operators.
namespace n6vp::sim::generate {

/// Returns the rules sorted by name: what `n6vp supported-ops` prints.
[[nodiscard]] std::span<const OperatorRule> operator_rules();
/// Returns the rule of a code, or null.
[[nodiscard]] const OperatorRule* find_rule(std::int32_t code);
/// Returns the rule of an operator of a graph.
[[nodiscard]] const OperatorRule& rule_of(const Operator& op);
/// Returns what to use instead of an operator that has no rule.
[[nodiscard]] const char* nearest_operator(std::int32_t code);

}  // namespace n6vp::sim::generate
