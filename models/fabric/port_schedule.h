// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/picoseconds.h"

namespace n6vp::models {

/// When a port that serves one burst at a time is busy, and with whose burst: first come, first
/// served.
///
/// The core runs ahead of other masters by up to a quantum, so bursts are booked out of time order,
/// and reported times are not revised. A burst in the past of booked bursts waits for bursts that
/// arrived before it and were not served yet, with the later bursts still in place. Its port
/// time becomes a debt of these later bursts: they shift by it for further bursts in their past,
/// and the next burst of their master waits for it. So each slot of the port is used
/// once only, and running ahead for longer than a quantum gives no advantage.
/// Rule: masters other than the core make each burst at its own time (kernel time plus what is on
/// its way), and the core never runs past the kernel's next event by more than a block: so approx
/// stays within 3 % of precise. A master that loads a bank and runs 1 us ahead gets a share up to
/// 26 % off; a serial memory decides by the order of the calls whether a stream goes on and does
/// not revise an answer, so that two streams there end up to 30 % early.
/// Not modelled: bursts still on their way to the port. Bursts of one initiator that arrive in
/// order are served in order. Bursts older than the horizon before the newest are forgotten when
/// room is needed.
class PortSchedule {
  public:
    struct Grant {
        Picoseconds start = 0;    ///< of service
        Picoseconds waited = 0;   ///< from arrival to start
        std::uint8_t holder = 0;  ///< whom most of that was for, if any
    };

    /// Books `duration` (1 ps to 4 ms) for `initiator`.
    Grant book(Picoseconds arrival, Picoseconds duration, std::uint8_t initiator) {
        if (book_if_idle(arrival, duration, initiator)) return {arrival, 0, 0};
        return book_in_turn(arrival, duration, initiator);
    }
    /// The quick half of `book`: books a burst that comes after all others, unless there is work
    /// to do for that.
    [[nodiscard]] bool book_if_idle(Picoseconds arrival, Picoseconds duration,
                                    std::uint8_t initiator) {
        if (arrival < end_) return false;
        const std::uint8_t number = lane_of_[initiator];
        if (number == 0) return false;
        Path& path = paths_[number - 1];
        if (path.full() || path.owed != 0) return false;
        append(path, arrival, arrival, duration);
        return true;
    }
    /// Books [start, start + duration) behind all others (`start` is not before `end`), for a
    /// burst that arrived at `arrival`.
    Grant book_last(Picoseconds arrival, Picoseconds start, Picoseconds duration,
                    std::uint8_t initiator);
    /// Makes the initiator's last burst longer.
    void extend(Picoseconds duration, std::uint8_t initiator);
    /// Returns true if a burst of another initiator arrives later than this one would.
    [[nodiscard]] bool late(Picoseconds arrival, std::uint8_t initiator) const;
    /// Returns when the last burst ends, with what is owed.
    [[nodiscard]] Picoseconds end() const { return end_; }
    void clear();

    static constexpr Picoseconds kHorizon = 25'000'000;  ///< 25 us: more than two long quanta

  private:
    struct Burst {
        Picoseconds arrival = 0, end = 0;
        std::uint32_t duration = 0;
    };
    /// At `at` of a path's time, the port's time runs on by `by` alone (others are served in place
    /// of a burst that waits), or the path's by -`by` (a burst waited for the delay it owed).
    struct Shift {
        Picoseconds at = 0;
        std::int64_t by = 0;
    };
    /// Bursts in the order of arrival, service and end, all of one initiator: those that come out
    /// of order get a path of their own. A path's time is that of the answers it got.
    struct Path {
        [[nodiscard]] Burst& at(std::uint64_t number) const { return ring[number & mask]; }
        [[nodiscard]] bool full() const { return count - first > mask; }
        std::unique_ptr<Burst[]> ring;
        std::uint64_t mask = 0;
        std::uint64_t first = 0, count = 0;  ///< numbers of the oldest burst kept and of the next
        Picoseconds newest = 0;              ///< arrival
        Picoseconds end = 0;                 ///< as reported
        Picoseconds owed = 0;                ///< sum of shifts: later than reported
        std::vector<Shift> shifts;           ///< ascending
        std::int64_t forgotten = 0;          ///< sum of older shifts
        std::uint8_t initiator = 0;
        std::uint8_t creditor = 0;  ///< initiator that made it owe last
    };
    /// How far one path has followed another.
    struct View {
        std::uint64_t next = 0;   ///< number of the first burst that is not yet over
        std::size_t shifts = 0;   ///< how many have begun
        std::int64_t behind = 0;  ///< sum of those
    };
    static constexpr std::size_t kLanes = 16;

    void append(Path& path, Picoseconds arrival, Picoseconds start, Picoseconds duration) {
        if (path.owed != 0) settle(path, arrival);
        path.newest = arrival;
        path.end = start + duration;
        path.at(path.count++) = {arrival, path.end, static_cast<std::uint32_t>(duration)};
        if (path.end > end_) end_ = path.end;
    }
    /// The path's next burst waits for what it owes.
    static void settle(Path& path, Picoseconds arrival);
    void forget(std::size_t number);
    Grant book_in_turn(Picoseconds arrival, Picoseconds duration, std::uint8_t initiator);
    /// Returns a path with room for a burst.
    std::size_t lane_for(Picoseconds arrival, std::uint8_t initiator);
    void make_room(Path& path) const;
    [[nodiscard]] View& view(std::size_t viewer, std::size_t path) {
        return views_[viewer * kLanes + path];
    }
    /// Returns the time of the path at `time`, and turns the view to it.
    [[nodiscard]] static Picoseconds look(View& view, const Path& path, Picoseconds time);
    /// Shifts the path; views of it follow.
    void shift(std::size_t number, const Shift& added);
    /// Returns the time of the port at `time` of the path.
    [[nodiscard]] static Picoseconds port_time(const Path& path, Picoseconds time);
    /// Returns how much of the path's bursts has arrived and is not served at `time` of the path.
    [[nodiscard]] static Picoseconds waiting(const Path& path, std::uint64_t next,
                                             Picoseconds time);
    [[nodiscard]] static Picoseconds own_waiting(const Path& path, Picoseconds time);
    /// The viewer is served from `start` on; adds the delay to all waiting bursts.
    void push(std::size_t viewer, Picoseconds start, Picoseconds duration);

    std::vector<Path> paths_;
    std::vector<View> views_;
    Picoseconds end_ = 0;
    std::array<std::uint8_t, 256> lane_of_{};  ///< last used, by initiator; from 1 on
};

}  // namespace n6vp::models
