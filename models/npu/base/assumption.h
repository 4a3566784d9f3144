// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "models/npu/base/limit.h"

namespace n6vp::models::npu {

/// Features of which only the time is not certain: whatever is assumed, the same is computed.
inline constexpr const char* kPauses = "POS.GAPCYCLES, THROTTLE";
inline constexpr const char* kFrameTrigger = "EVENT.FRMTRG";

/// Returns whether other results may be computed if an assumption is wrong.
[[nodiscard]] constexpr bool changes_results(const Limit& assumption) {
    const std::string_view feature = assumption.feature;
    return feature != kPauses && feature != kFrameTrigger;
}

}  // namespace n6vp::models::npu
