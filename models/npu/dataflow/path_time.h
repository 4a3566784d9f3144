// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/duration.h"

namespace n6vp::models::npu {

/// What the time between two events of an epoch went to.
enum class StallCause : std::uint8_t {
    Compute,   ///< the multipliers: pace of a CONVACC that uses them nearly fully, its extra pixels
    Link,      ///< one word a cycle
    Restart,   ///< from frame to frame
    Port,      ///< beats on the bus and in a memory bank, for this engine's own bursts
    Conflict,  ///< a bank that another engine or master held
    Cache,     ///< bursts that the NPU cache answered
    Flash,
    Psram,
    PortConflict,  ///< the NPU cache or a serial memory that another engine or master held
};
inline constexpr std::size_t kStallCauses = 9;

/// Picoseconds by `StallCause`.
using TimeByCause = std::array<Picoseconds, kStallCauses>;

/// A time in an epoch with the critical path that led to it.
///
/// Every time in the dataflow is the latest of several conditions (the word has come, there is
/// room, the unit is ready), and a known step after that. So `spent` follows the condition that
/// decided, and each step adds to its cause: what it adds up to is the time since the first engine
/// on that path was enabled. Nothing is estimated; only within a batch of words, whose times are
/// kept for the first and the last, `spent` is interpolated as the times are.
struct PathTime {
    Picoseconds at = 0;
    TimeByCause spent{};

    /// Returns the moment `duration` later.
    [[nodiscard]] PathTime plus(Picoseconds duration, StallCause cause) const {
        PathTime later = *this;
        later.pass(duration, cause);
        return later;
    }
    // In place: copies of what has just been changed show in the host's time.
    /// Lets `duration` go by.
    void pass(Picoseconds duration, StallCause cause) {
        at += duration;
        spent[static_cast<std::size_t>(cause)] += duration;
    }
    /// Becomes `other` if that is later.
    void wait_for(const PathTime& other) {
        if (*this < other) *this = other;
    }
    /// Becomes the moment `duration` after `other`, which is not this one, if that is later.
    void wait_for(const PathTime& other, Picoseconds duration, StallCause cause) {
        const Picoseconds end = other.at + duration;
        if (end < at || (end == at && !(*this < other.plus(duration, cause)))) return;
        *this = other;
        pass(duration, cause);
    }
    /// Deterministic tie-break: of two paths that take equally long, always the same
    /// is the later one.
    friend bool operator<(const PathTime& one, const PathTime& two) {
        return one.at != two.at ? one.at < two.at : one.spent < two.spent;
    }
};

/// Times of words that come at an even pace, as far as a batch of them is looked at one by one.
struct WordTimes {
    PathTime first, last;

    /// Returns the time of word `index` of `count`.
    [[nodiscard]] PathTime at(std::size_t index, std::size_t count) const {
        if (count < 2 || index + 1 == count) return last;
        if (index == 0) return first;
        PathTime moment = first;
        moment.at = first.at + (last.at - first.at) * index / (count - 1);
        const double share = static_cast<double>(index) / static_cast<double>(count - 1);
        for (std::size_t i = 0; i < kStallCauses; ++i) {
            if (first.spent[i] == last.spent[i]) continue;
            // Signed numbers convert faster.
            const auto from = static_cast<double>(static_cast<std::int64_t>(first.spent[i]));
            const auto to = static_cast<double>(static_cast<std::int64_t>(last.spent[i]));
            // NOLINTNEXTLINE(bugprone-incorrect-roundings): no less than 0, and lround costs a call
            const auto nearest = static_cast<std::int64_t>(from + (to - from) * share + 0.5);
            moment.spent[i] = static_cast<Picoseconds>(nearest);
        }
        return moment;
    }
    /// Returns the pace of `taken` words from word `from` on, of `count`.
    [[nodiscard]] WordTimes part(std::size_t from, std::size_t taken, std::size_t count) const {
        if (taken == count) return *this;
        return {at(from, count), at(from + taken - 1, count)};
    }
};

}  // namespace n6vp::models::npu
