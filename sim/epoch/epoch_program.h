// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/epoch/epoch_file.h"

namespace n6vp::sim {

/// A write to the NPU's register window.
struct WindowWrite {
    std::uint32_t offset = 0, value = 0;

    friend bool operator==(const WindowWrite&, const WindowWrite&) = default;
};

/// The writes of an epoch, in the order of software: clocks, units with EN taken out, the switch;
/// then what enables the units; then what clears everything again.
struct EpochProgram {
    std::vector<WindowWrite> configure, enable, clear;
};

[[nodiscard]] EpochProgram make_program(const BenchEpoch& epoch);

/// Returns the writes before the first epoch: the gates of the switch, the interfaces and
/// interrupts, which stay open, and the switch itself.
[[nodiscard]] std::vector<WindowWrite> start_writes();

}  // namespace n6vp::sim
