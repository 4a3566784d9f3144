// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "models/picoseconds.h"

namespace n6vp::models {

/// When a port that serves one burst at a time is busy, and with whose burst.
///
/// Initiators run ahead of each other by up to a quantum, so that bursts are booked out of the
/// order of their times: a burst takes the first gap at or after its arrival that is long enough.
/// Gaps older than the horizon before the newest booking are forgotten when room is needed.
class PortSchedule {
  public:
    struct Grant {
        Picoseconds start = 0;    ///< of service
        Picoseconds waited = 0;   ///< from arrival to start
        std::uint8_t holder = 0;  ///< who held the port longest of that, if any
    };

    /// Books `duration` (1 ps to 4 ms) for `initiator`.
    Grant book(Picoseconds arrival, Picoseconds duration, std::uint8_t initiator) {
        if (book_if_idle(arrival, duration, initiator)) return {arrival, 0, 0};
        return book_in_gap(arrival, duration, initiator);
    }
    /// The quick half of `book`: books a burst that comes after all others, unless there is work
    /// to do for that.
    [[nodiscard]] bool book_if_idle(Picoseconds arrival, Picoseconds duration,
                                    std::uint8_t initiator) {
        if (arrival < end_ || count_ == capacity_) return false;
        append(interval(arrival, duration, initiator));
        return true;
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

    static constexpr Picoseconds kHorizon = 25'000'000;  ///< 25 us: more than two long quanta

  private:
    /// 16 bytes: a schedule of thousands stays in the host's cache.
    struct Interval {
        Picoseconds start = 0;
        std::uint32_t length = 0;
        std::uint8_t initiator = 0;
        [[nodiscard]] Picoseconds end() const { return start + length; }
    };
    static constexpr Picoseconds kLongest = 0xFFFFFFFF;  ///< 4.3 ms

    /// Returns true if one interval can stand for both.
    [[nodiscard]] static bool join(const Interval& one, const Interval& next) {
        return one.end() == next.start && one.initiator == next.initiator &&
               Picoseconds{one.length} + next.length <= kLongest;
    }
    [[nodiscard]] static Interval interval(Picoseconds start, Picoseconds duration,
                                           std::uint8_t initiator) {
        return {start, static_cast<std::uint32_t>(duration), initiator};
    }
    /// Needs room.
    void append(const Interval& added) {
        const bool close = added.start == end_ && count_ != 0;
        end_ = added.end();
        if (close && join(busy_[count_ - 1], added)) {
            busy_[count_ - 1].length += added.length;
        } else {
            busy_[count_++] = added;
        }
    }
    Grant book_in_gap(Picoseconds arrival, Picoseconds duration, std::uint8_t initiator);
    void insert(std::size_t before, const Interval& added);
    void make_room();
    /// Returns the first interval that ends after `time`.
    [[nodiscard]] std::size_t first_after(Picoseconds time) const;
    /// Returns the start of the first gap from `arrival` on, which ends before interval `next`,
    /// found by looking at `next` and those behind it.
    [[nodiscard]] Picoseconds search(Picoseconds arrival, Picoseconds duration,
                                     std::size_t& next) const;
    /// Returns who held the port longest from `arrival` to `start`; interval `first` is the first
    /// that matters.
    [[nodiscard]] std::uint8_t longest_holder(std::size_t first, Picoseconds arrival,
                                              Picoseconds start);

    std::unique_ptr<Interval[]> busy_;  ///< ascending, apart
    std::size_t count_ = 0, capacity_ = 0;
    Picoseconds forgotten_ = 0;            ///< end of the last interval that was forgotten
    Picoseconds end_ = 0;                  ///< of the last interval
    std::array<Picoseconds, 256> held_{};  ///< all 0 outside of longest_holder
};

}  // namespace n6vp::models
