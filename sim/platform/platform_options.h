// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/chip/chip_options.h"
#include "models/chip/initiator.h"

namespace n6vp::sim {

using models::BootState;
using models::Initiator;
using models::initiator_name;
using models::kInitiators;
using models::number;
using models::on_npu_side;

using PlatformOptions = models::ChipOptions;

}  // namespace n6vp::sim
