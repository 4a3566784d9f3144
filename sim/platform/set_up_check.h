// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/soc/system/set_up.h"
#include "sim/platform/platform.h"

namespace n6vp::sim {

/// A missing step of the chip's set-up, derived from the state of the registers.
struct SetUpGap {
    models::SetUpStep step = models::SetUpStep::None;
    std::string bit;  ///< "RCC_AHB5LPENR.NPULPEN = 0"
};

/// Returns the missing steps before the NPU works, in their order, including those that cause no
/// refused access: caches that are off, units without a clock while the core sleeps, or an
/// interrupt line that was not enabled while the NPU worked. Not while the core is inside an
/// access.
[[nodiscard]] std::vector<SetUpGap> set_up_gaps(Platform& platform);

}  // namespace n6vp::sim
