// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include "sim/host/json_output.h"
#include "sim/microcontroller/mcu_model_run.h"

/// What `n6vp run MODEL --chip` shows.
namespace n6vp::sim {

/// Writes, for each variant, phases, the time of each node, inferences, memory; then a comparison
/// of several, and inputs and outputs.
void write_mcu_model(std::ostream& out, McuSession& session, const McuModelRun& model,
                     const McuOutcome& outcome);
/// Writes what went wrong, one line for each thing: refusals, failures, a fault with registers and
/// its place in the model, outputs that differ.
void write_mcu_model_failures(std::ostream& err, McuSession& session, const McuModelRun& model);
/// Returns the value of the key "model" of a document of schema n6vp.run/2.
[[nodiscard]] Json mcu_model_json(const McuModelRun& model);

/// Returns where in the model an address is: "code + 0x1a4, 0x20 behind run", "data + 0x10", or
/// nothing.
[[nodiscard]] std::string place_in_model(const McuModelPlan& plan, const McuVariant& variant,
                                         std::uint32_t address);

}  // namespace n6vp::sim
