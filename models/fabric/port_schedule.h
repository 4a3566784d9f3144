// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/picoseconds.h"

namespace n6vp::models {

/// When a port that serves one burst at a time is busy, and with whose burst.
///
/// Initiators run ahead of each other by up to a quantum, so that bursts are booked out of the
/// order of their times: a burst takes the first gap at or after its arrival that is long enough.
/// Gaps older than the horizon before the newest booking are forgotten.
class PortSchedule {
  public:
    struct Grant {
        Picoseconds start = 0;    ///< of service
        Picoseconds waited = 0;   ///< from arrival to start
        std::uint8_t holder = 0;  ///< who held the port longest of that, if any
    };

    /// Books `duration` (at least 1 ps) for `initiator`.
    Grant book(Picoseconds arrival, Picoseconds duration, std::uint8_t initiator) {
        if (arrival < end_) return book_in_gap(arrival, duration, initiator);
        append(arrival, arrival + duration, initiator);
        return {arrival, 0, 0};
    }
    /// Books [start, start + duration) behind all others (`start` is not before `end`), for a
    /// burst that arrived at `arrival`.
    Grant book_last(Picoseconds arrival, Picoseconds start, Picoseconds duration,
                    std::uint8_t initiator);
    /// Returns when a burst would be served.
    [[nodiscard]] Picoseconds find(Picoseconds arrival, Picoseconds duration) const;
    /// Returns when the last burst ends.
    [[nodiscard]] Picoseconds end() const { return end_; }
    void clear();

    static constexpr Picoseconds kHorizon = 50'000'000;  ///< 50 us: more than any quantum

  private:
    struct Interval {
        Picoseconds start = 0, end = 0;
        std::uint8_t initiator = 0;
    };

    void append(Picoseconds start, Picoseconds end, std::uint8_t initiator) {
        end_ = end;
        if (!busy_.empty() && busy_.back().end == start && busy_.back().initiator == initiator) {
            busy_.back().end = end;
            return;
        }
        busy_.push_back({start, end, initiator});
        if (busy_[oldest_].end + kHorizon < end) forget();
    }
    Grant book_in_gap(Picoseconds arrival, Picoseconds duration, std::uint8_t initiator);
    void insert(std::size_t before, const Interval& interval);
    void forget();
    /// Returns the first interval that ends after `time`.
    [[nodiscard]] std::size_t first_after(Picoseconds time) const;
    /// Finds the first gap; `next` is the interval behind it.
    [[nodiscard]] Picoseconds search(Picoseconds arrival, Picoseconds duration,
                                     std::size_t& next) const;
    [[nodiscard]] std::uint8_t longest_holder(Picoseconds arrival, Picoseconds start);

    std::vector<Interval> busy_;           ///< from `oldest_` on ascending and apart
    std::size_t oldest_ = 0;               ///< those before are forgotten
    Picoseconds forgotten_ = 0;            ///< end of the last of them
    Picoseconds end_ = 0;                  ///< of the last interval
    std::array<Picoseconds, 256> held_{};  ///< all 0 outside of longest_holder
};

}  // namespace n6vp::models
