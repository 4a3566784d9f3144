// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "memmap/chips/chip.h"
#include "sim/microcontroller/mcu_model_run.h"
#include "sim/microcontroller/mcu_session.h"
#include "sim/run/run_config.h"
#include "sim/run/run_files.h"

namespace n6vp::sim {

/// What a run writes, and how much of it.
struct McuOutputs {
    std::ostream& out;
    std::ostream& err;
    std::string port;    ///< serial port of the console; empty: that of the board's debug probe
    std::string report;  ///< file for the JSON document; empty: none
    RunSources read;     ///< files beside those of the plan, which no output may overwrite
    bool json = false, quiet = false;
    /// Runs work that writes one output; a failure must not cost the other outputs.
    std::function<void(const std::function<void()>&)> keep_going;
    /// Called with the session before it runs; may be empty.
    std::function<void(McuSession&)> attach = {};
};

/// `n6vp run MODEL --chip`: the same of a model of the older family.
[[nodiscard]] int run_mcu_model(const RunConfig& config, const memmap::Chip& chip,
                                const McuModelChoice& choice, const McuOutputs& outputs);

/// `n6vp run --chip`: runs the configured firmware and reports. Returns the exit code. Fails with
/// UserError.
[[nodiscard]] int run_microcontroller(const RunConfig& config, const memmap::Chip& chip,
                                      const McuOutputs& outputs);

}  // namespace n6vp::sim
