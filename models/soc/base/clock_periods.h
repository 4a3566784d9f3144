// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/picoseconds.h"

/// Exact conversion between times and whole periods of a clock below 10 GHz: counters that run for
/// hours must not drift by rounding.
namespace n6vp::models {

constexpr std::uint64_t kMillion = 1'000'000;

/// Returns the number of whole periods in a time.
[[nodiscard]] constexpr std::uint64_t periods_in(Picoseconds time, std::uint64_t hz) {
    const std::uint64_t us = time / kMillion, rest_ps = time % kMillion;
    const std::uint64_t seconds = us / kMillion, rest_us = us % kMillion;
    // Each product is below 10^16.
    const std::uint64_t by_us = rest_us * hz;
    return seconds * hz + by_us / kMillion +
           (by_us % kMillion * kMillion + rest_ps * hz) / (kMillion * kMillion);
}

/// Returns the time after which `count` periods are over, rounded up to a picosecond.
[[nodiscard]] constexpr Picoseconds periods_to_ps(std::uint64_t count, std::uint64_t hz) {
    const std::uint64_t seconds = count / hz;
    const std::uint64_t us = count % hz * kMillion;
    return seconds * kMillion * kMillion + us / hz * kMillion + (us % hz * kMillion + hz - 1) / hz;
}

}  // namespace n6vp::models
