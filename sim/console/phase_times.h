// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/console/phase_recorder.h"

namespace n6vp::sim {

/// Phases of one name at one depth, which a program repeats.
struct PhaseTimes {
    std::uint64_t count = 0, cycles = 0;
    models::Picoseconds time = 0;

    /// Returns how many of them fit into a second of simulated time, from mark to mark; 0 without
    /// time. The mean of all, so the first one counts as much as the later ones.
    [[nodiscard]] double per_second() const {
        return time == 0 ? 0 : static_cast<double>(count) * 1e12 / static_cast<double>(time);
    }
};

/// Sums the phases below the run itself that have this name and have ended.
[[nodiscard]] inline PhaseTimes ended_phases(const std::vector<Phase>& phases,
                                             std::string_view name) {
    PhaseTimes sum;
    for (const Phase& phase : phases) {
        if (phase.depth != 1 || !phase.ended || phase.name != name) continue;
        ++sum.count;
        sum.cycles += phase.counted.cycles;
        sum.time += phase.duration();
    }
    return sum;
}

}  // namespace n6vp::sim
