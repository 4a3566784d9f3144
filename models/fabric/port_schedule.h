// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "models/picoseconds.h"

namespace n6vp::models {

/// When a port that serves one burst at a time is busy, and with whose burst.
///
/// Initiators run ahead of each other by up to a quantum, so that bursts are booked out of the
/// order of their times: a burst takes the first gap at or after its arrival that is long enough.
/// Gaps older than `horizon` before the newest booking are forgotten.
class PortSchedule {
  public:
    struct Grant {
        Picoseconds start = 0;    ///< of service
        Picoseconds waited = 0;   ///< from arrival to start
        std::uint8_t holder = 0;  ///< who held the port longest of that, if any
    };

    /// Books `duration` (at least 1 ps) for `initiator`.
    Grant book(Picoseconds arrival, Picoseconds duration, std::uint8_t initiator);
    void clear();

  private:
    struct Interval {
        Picoseconds start = 0, end = 0;
        std::uint8_t initiator = 0;
    };

    static constexpr Picoseconds kHorizon = 50'000'000;  ///< 50 us: more than any quantum
    std::deque<Interval> busy_;                          ///< ascending, apart
};

}  // namespace n6vp::models
