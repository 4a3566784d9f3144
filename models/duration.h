// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace n6vp::models {

/// Simulated time as a plain integer, counted from the start of the simulation unless a name says
/// otherwise. One unit is one step of SystemC's default time resolution.
using Picoseconds = std::uint64_t;

/// When something happens that waits for others.
inline constexpr Picoseconds kNever = std::numeric_limits<Picoseconds>::max();

/// Returns the duration of `cycles` clock cycles, rounded to a picosecond once, not per cycle.
[[nodiscard]] inline Picoseconds cycles_to_ps(double cycles, double hz) {
    return static_cast<Picoseconds>(std::llround(cycles * 1e12 / hz));
}

[[nodiscard]] inline Picoseconds ns_to_ps(double ns) {
    return static_cast<Picoseconds>(std::llround(ns * 1e3));
}

}  // namespace n6vp::models
