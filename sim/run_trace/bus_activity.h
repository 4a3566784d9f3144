// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/fabric/bus.h"
#include "models/fabric/bus_events.h"
#include "sim/platform/platform.h"

namespace n6vp::sim::trace {

/// What happened on the bus and in the NPU cache, by intervals of equal length. A burst counts in
/// the interval in which it left its initiator; of the time that it takes of a memory, what does
/// not fit there beside earlier ones counts in the next intervals, as bursts wait for each other.
/// Of long runs the intervals are longer: they double as soon as there are more than kMaxIntervals
/// with traffic.
class BusActivity : public models::BusRecorder {
  public:
    static constexpr models::Picoseconds kFirstInterval = 1'000'000;  ///< 1 us
    static constexpr std::size_t kMaxIntervals = 4096;

    /// Time that a target took for reads and for writes.
    struct Served {
        models::Picoseconds reading = 0, writing = 0;
    };
    struct Interval {
        std::vector<std::uint64_t> bytes;                ///< by initiator
        std::vector<Served> served;                      ///< by target
        std::uint64_t cache_hits = 0, cache_misses = 0;  ///< reads through the NPU cache
    };

    /// The platform must outlive it.
    explicit BusActivity(Platform& platform);

    void begins(const models::BusTransaction& transaction) override;
    /// Takes what is not counted yet; `at` is absolute.
    void look(models::Picoseconds at);
    /// The last transaction of each initiator is over.
    void finish(models::Picoseconds at);

    /// Of the whole run, by target.
    [[nodiscard]] const std::vector<Served>& served() const { return served_; }
    [[nodiscard]] models::Picoseconds interval() const { return interval_; }
    /// By their number: interval n begins at n * interval(), of absolute time.
    [[nodiscard]] const std::map<std::uint64_t, Interval>& intervals() const { return intervals_; }

  private:
    /// The last transaction of an initiator, which is over when its next one begins.
    struct Last {
        int target = -1;
        models::Picoseconds at = 0;
        std::uint64_t bytes = 0;
        models::Picoseconds busy = 0;
        bool write = false;
    };

    void make_room(Interval& interval) const;
    [[nodiscard]] Interval& interval_at(models::Picoseconds at);
    void widen();
    void settle(unsigned initiator);
    void carry_over();
    [[nodiscard]] int target_at(std::uint64_t address);

    Platform& platform_;
    models::Picoseconds interval_ = kFirstInterval;
    std::map<std::uint64_t, Interval> intervals_;
    std::vector<Served> served_;
    std::vector<Last> last_;  ///< by initiator
    std::uint64_t hits_ = 0, misses_ = 0;
    const memmap::Region* region_ = nullptr;  ///< of the last address
    int region_target_ = -1;
};

}  // namespace n6vp::sim::trace
