// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "traces/diagnosis/rule_text.h"

namespace n6vp::traces {

/// Returns the texts of the rules EcTooShort … EcNotEncrypted, in the order of the enumerators.
[[nodiscard]] std::span<const RuleText> ec_rule_texts();

}  // namespace n6vp::traces
