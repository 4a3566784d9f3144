// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/npu/base/limit.h"

namespace n6vp::models::npu {

/// The reconfigurable buffer has three inputs, three outputs and a register for each; what it does
/// with them is not described and no network uses it. Enabling it is this limit.
inline constexpr Limit kRecbuf{"RECBUF", "CTRL.EN", "what the unit does with its inputs"};

}  // namespace n6vp::models::npu
