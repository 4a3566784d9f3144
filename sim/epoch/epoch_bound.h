// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "models/npu/dataflow/path_time.h"

namespace n6vp::sim {

/// What reports call the causes of `models::npu::StallCause`, in its order.
inline constexpr std::array<const char*, models::npu::kStallCauses> kCauseNames = {
    "compute",   "link",  "frame restart", "bus port",     "bank conflict",
    "NPU cache", "flash", "PSRAM",         "port conflict"};
static_assert(kCauseNames.back() != nullptr, "every cause has a name");
/// What comes before the first step of an epoch's critical path: its units are switched on.
inline constexpr const char* kConfigurationCause = "configuration";

}  // namespace n6vp::sim
