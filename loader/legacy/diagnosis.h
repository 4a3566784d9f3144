// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loader/diagnosis.h"

namespace n6vp::loader::legacy {

/// Returns a diagnosis that carries the rule's own stage, severity and status, for the rules of
/// this format and for those that it shares with the STM32N6.
[[nodiscard]] Diagnosis diagnosis_of(Rule rule);

/// Stores the rule's diagnosis with these numbers and returns its status.
Status refuse(Diagnosis& why, Rule rule, std::uint32_t file_offset, std::uint32_t expected,
              std::uint32_t found);

}  // namespace n6vp::loader::legacy
