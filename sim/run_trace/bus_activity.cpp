// SPDX-License-Identifier: Apache-2.0
#include "sim/run_trace/bus_activity.h"

#include <algorithm>
#include <utility>

namespace n6vp::sim::trace {

using models::Picoseconds;
using Monitor = models::CacheAxi::Monitor;

BusActivity::BusActivity(Platform& platform)
    : platform_(platform), served_(platform.targets()), last_(platform.initiators()) {}

void BusActivity::make_room(Interval& interval) const {
    interval.bytes.resize(platform_.initiators());
    interval.served.resize(platform_.targets());
}

BusActivity::Interval& BusActivity::interval_at(Picoseconds at) {
    Interval& found = intervals_[at / interval_];
    make_room(found);
    if (intervals_.size() <= kMaxIntervals) return found;
    widen();
    return interval_at(at);
}

void BusActivity::widen() {
    interval_ *= 2;
    std::map<std::uint64_t, Interval> wider;
    for (const auto& [number, interval] : intervals_) {
        Interval& sum = wider[number / 2];
        make_room(sum);
        for (std::size_t i = 0; i < sum.bytes.size(); ++i) sum.bytes[i] += interval.bytes[i];
        for (std::size_t i = 0; i < sum.served.size(); ++i) {
            sum.served[i].reading += interval.served[i].reading;
            sum.served[i].writing += interval.served[i].writing;
        }
        sum.cache_hits += interval.cache_hits;
        sum.cache_misses += interval.cache_misses;
    }
    intervals_ = std::move(wider);
}

int BusActivity::target_at(std::uint64_t address) {
    const GuestAddr at{static_cast<std::uint32_t>(address)};
    if (region_ != nullptr &&
        (region_->non_secure_range().contains(at) || region_->secure_range().contains(at))) {
        return region_target_;
    }
    const memmap::Location location = memmap::find_region(at);
    if (!location) return -1;
    region_ = location.region;
    region_target_ = platform_.target_of(region_->name);
    return region_target_;
}

void BusActivity::settle(unsigned initiator) {
    const Last last = std::exchange(last_[initiator], {});
    if (last.target < 0) return;
    const models::Flow& flow = platform_.bus().flow(initiator, static_cast<unsigned>(last.target));
    Interval& interval = interval_at(last.at);
    const std::uint64_t bytes = flow.bytes_read + flow.bytes_written;
    // A reset of the chip forgets what flowed.
    if (bytes < last.bytes || flow.busy < last.busy) return;
    interval.bytes[initiator] += bytes - last.bytes;
    const auto target = static_cast<std::size_t>(last.target);
    const auto took = last.write ? &Served::writing : &Served::reading;
    interval.served[target].*took += flow.busy - last.busy;
    served_[target].*took += flow.busy - last.busy;
}

void BusActivity::begins(const models::BusTransaction& transaction) {
    const unsigned initiator = transaction.initiator;
    if (initiator >= last_.size()) return;
    settle(initiator);
    const int target = target_at(transaction.address);
    if (target >= 0) {
        const models::Flow& flow = platform_.bus().flow(initiator, static_cast<unsigned>(target));
        last_[initiator] = {target, transaction.at, flow.bytes_read + flow.bytes_written, flow.busy,
                            transaction.write};
    }
    if (on_npu_side(static_cast<Initiator>(initiator))) look(transaction.at);
}

void BusActivity::look(Picoseconds at) {
    const models::CacheAxi::Statistics& cache = platform_.npu_cache().statistics();
    const std::uint64_t hits = cache.of(Monitor::ReadHit), misses = cache.of(Monitor::ReadMiss);
    const std::uint64_t old_hits = std::exchange(hits_, hits),
                        old_misses = std::exchange(misses_, misses);
    if (hits <= old_hits && misses <= old_misses) return;
    Interval& interval = interval_at(at);
    interval.cache_hits += hits > old_hits ? hits - old_hits : 0;
    interval.cache_misses += misses > old_misses ? misses - old_misses : 0;
}

void BusActivity::carry_over() {
    const auto excess = [this](Picoseconds& served) {
        const Picoseconds fits = std::min(served, interval_);
        return std::exchange(served, fits) - fits;
    };
    for (auto now = intervals_.begin(); now != intervals_.end(); ++now) {
        for (std::size_t i = 0; i < now->second.served.size(); ++i) {
            Served& served = now->second.served[i];
            const Served late{excess(served.reading), excess(served.writing)};
            if (late.reading + late.writing == 0) continue;
            Interval& next = intervals_[now->first + 1];
            make_room(next);
            next.served[i].reading += late.reading;
            next.served[i].writing += late.writing;
        }
    }
}

void BusActivity::finish(Picoseconds at) {
    for (unsigned initiator = 0; initiator < last_.size(); ++initiator) settle(initiator);
    look(at);
    carry_over();
}

}  // namespace n6vp::sim::trace
