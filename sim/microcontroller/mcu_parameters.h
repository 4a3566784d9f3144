// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/chip/mcu/microcontroller_parameters.h"
#include "sim/run/run_config.h"

namespace n6vp::sim {

/// Changes parameters as the settings of a run say. Fails with UserError, naming the origin, for an
/// unknown name, for text that is no number, and for a value that the chip cannot be built with.
void apply_settings(models::mcu_chip::MicrocontrollerParameters& parameters,
                    const std::vector<RunConfig::Parameter>& settings);

}  // namespace n6vp::sim
