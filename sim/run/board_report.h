// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include "sim/host/json_output.h"
#include "sim/run/board_devices.h"
#include "sim/run/input_feed.h"

namespace n6vp::sim {

/// Writes the output pins that are watched: changes, last level, period, the first changes.
void write_pins(std::ostream& out, const BoardDevices& board);
/// Returns the value of the key "pins" of a document of schema n6vp.run/2.
[[nodiscard]] Json pins_json(const BoardDevices& board);

/// Writes the pins that timers drive at the absolute time `at`, the end of the run.
void write_timer_outputs(std::ostream& out, const BoardDevices& board, models::Picoseconds at);
/// The same as value of the key "timer_outputs", an empty list if there are none.
[[nodiscard]] Json timer_outputs_json(const BoardDevices& board, models::Picoseconds at);

/// Writes what inputs of the scenario came to serial ports and I2C targets, and what those did not
/// hear.
void write_inputs(std::ostream& out, const InputFeed& inputs);
/// The same as value of the key "inputs".
[[nodiscard]] Json inputs_json(const InputFeed& inputs);

}  // namespace n6vp::sim
