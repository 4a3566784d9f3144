// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "loader/legacy/install.h"
#include "sim/check/check_model.h"
#include "sim/model_file/legacy_model.h"
#include "sim/model_file/legacy_plan.h"

/// `n6vp check` for models of the older family (Cortex-M4, M7, M33).
namespace n6vp::sim {

/// Judges the file under the plan: every rule, and the vendor's loader on a scratch memory. Of the
/// report, findings, counts and vendor verdict are filled. `limit` bounds the findings kept per
/// rule, 0 for all.
[[nodiscard]] CheckReport check_legacy(const ModelFiles& files, const LegacyPlan& plan,
                                       std::uint64_t limit);

[[nodiscard]] std::string check_legacy_text(const CheckReport& report, const ModelFiles& files,
                                            const LegacyPlan& plan);
[[nodiscard]] Json check_legacy_json(const CheckReport& report, const ModelFiles& files,
                                     const LegacyPlan& plan);

}  // namespace n6vp::sim
