// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

namespace n6vp::models {

/// Simulated time as a plain integer, counted from the start of the simulation unless a name says
/// otherwise. One unit is one step of SystemC's default time resolution.
using Picoseconds = std::uint64_t;

/// When something happens that waits for others.
inline constexpr Picoseconds kNever = std::numeric_limits<Picoseconds>::max();

}  // namespace n6vp::models
