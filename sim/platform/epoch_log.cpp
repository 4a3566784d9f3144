// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/epoch_log.h"

#include <algorithm>
#include <utility>

namespace n6vp::sim {

using models::Picoseconds;
using models::npu::EngineCounters;
using models::npu::StreamConfig;
using Monitor = models::CacheAxi::Monitor;

namespace {

using Moved = LoggedEpoch::Moved;

/// Adds up what comes from or goes to one address: an epoch may start its engines anew for ever.
/// Of more addresses than any network has, all count for the last one of their direction.
void add_moved(std::vector<Moved>& moved, const Moved& more) {
    constexpr std::size_t kMaxAddresses = 4096;
    const auto last = [&moved](auto&& is_wanted) {
        return std::find_if(moved.rbegin(), moved.rend(), is_wanted);
    };
    auto place = last(
        [&](const Moved& one) { return one.address == more.address && one.write == more.write; });
    if (place == moved.rend() && moved.size() >= kMaxAddresses) {
        place = last([&](const Moved& one) { return one.write == more.write; });
    }
    if (place == moved.rend()) {
        moved.push_back(more);
    } else {
        place->bytes += more.bytes;
    }
}

/// Returns what lies between two totals, which name the same flows in the same order.
[[nodiscard]] EpochFlows difference(EpochFlows now, const EpochFlows& before) {
    for (std::size_t i = 0; i < now.list.size(); ++i) {
        now.list[i].read -= before.list[i].read;
        now.list[i].written -= before.list[i].written;
        now.list[i].waited -= before.list[i].waited;
    }
    std::erase_if(now.list, [](const EpochFlow& one) {
        return one.read == 0 && one.written == 0 && one.waited == 0;
    });
    now.read_hits -= before.read_hits;
    now.read_misses -= before.read_misses;
    now.read_allocates -= before.read_allocates;
    now.write_hits -= before.write_hits;
    now.write_misses -= before.write_misses;
    return now;
}

}  // namespace

EpochFlows& EpochFlows::operator+=(const EpochFlows& more) {
    for (const EpochFlow& flow : more.list) {
        const auto known = std::find_if(list.begin(), list.end(), [&flow](const EpochFlow& one) {
            return one.master == flow.master && one.target == flow.target;
        });
        if (known == list.end()) {
            list.push_back(flow);
            continue;
        }
        known->read += flow.read;
        known->written += flow.written;
        known->waited += flow.waited;
    }
    read_hits += more.read_hits;
    read_misses += more.read_misses;
    read_allocates += more.read_allocates;
    write_hits += more.write_hits;
    write_misses += more.write_misses;
    return *this;
}

EpochLog::EpochLog(Platform& platform) : platform_(platform) {
    models::NpuModule& npu = platform.npu();
    npu.on_engine.listen(kEpochPlace, [this](unsigned engine, const StreamConfig& stream,
                                             const EngineCounters* counters, Picoseconds at) {
        if (counters == nullptr) {
            begin(engine, stream, at);
        } else {
            end(engine, stream, *counters, at);
        }
    });
    npu.on_label.listen(kEpochPlace,
                        [this](std::uint32_t label, Picoseconds at) { on_label(label, at); });
    npu.on_interrupt.listen(kEpochPlace, [this](unsigned, bool level) {
        if (level && blob_has_ended()) close(std::nullopt);
    });
    npu.on_convolution.listen(kEpochPlace,
                              [this](unsigned, const models::npu::ConvolutionNode::Counters& done,
                                     Picoseconds) { multiplied(done.products); });
}

EpochFlows EpochLog::snapshot() const {
    EpochFlows now;
    for (const Initiator master : {Initiator::Npu0, Initiator::Npu1, Initiator::EpochController}) {
        for (unsigned target = 0; target < platform_.targets(); ++target) {
            const models::Flow& flow = platform_.bus().flow(number(master), target);
            now.list.push_back({master, target, flow.bytes_read, flow.bytes_written, flow.waited});
        }
    }
    const models::CacheAxi::Statistics& cache = platform_.npu_cache().statistics();
    now.read_hits = cache.of(Monitor::ReadHit);
    now.read_misses = cache.of(Monitor::ReadMiss);
    now.read_allocates = cache.of(Monitor::ReadAllocateMiss);
    now.write_hits = cache.of(Monitor::WriteHit);
    now.write_misses = cache.of(Monitor::WriteMiss);
    return now;
}

std::optional<std::uint32_t> EpochLog::label() const {
    return open_ ? open_->epoch.label : std::nullopt;
}

void EpochLog::open(std::optional<std::uint32_t> label, Picoseconds at) {
    open_.emplace();
    LoggedEpoch& epoch = open_->epoch;
    epoch.label = label;
    epoch.start = epoch.end = epoch.begun = epoch.done = at;
    epoch.hz = platform_.clocks().hz(memmap::ClockDomain::Npu);
    open_->before = snapshot();
}

void EpochLog::on_label(std::uint32_t label, Picoseconds at) {
    if (open_) close(at);
    open(label, at);
    if (on_next) on_next(label);
}

/// A blob that has ended leaves its last epoch open.
bool EpochLog::blob_has_ended() const {
    return open_ && open_->epoch.label && open_->epoch.worked() &&
           !platform_.npu().npu().program_running();
}

void EpochLog::begin(unsigned engine, const StreamConfig& stream, Picoseconds at) {
    if (blob_has_ended()) close(std::nullopt);
    if (!open_) open(std::nullopt, at);
    LoggedEpoch& epoch = open_->epoch;
    if (!epoch.worked()) epoch.begun = epoch.done = at;
    ++epoch.engines;
    (stream.dir ? epoch.writers : epoch.readers).insert(engine);
    open_->active.insert(engine);
}

void EpochLog::end(unsigned engine, const StreamConfig& stream, const EngineCounters& counters,
                   Picoseconds at) {
    if (!open_) return;
    OpenEpoch& open = *open_;
    add_moved(open.epoch.moved, {stream.addr, stream.dir, counters.bytes});
    const bool output = stream.dir && counters.finished != 0;
    if (output) add_path(open, counters);
    if (open.active.erase(engine) == 0) return;
    open.epoch.end = std::max(open.epoch.end, at);
    open.epoch.output_ended = open.epoch.output_ended || output;
    if (!open.active.empty()) return;
    measure(open);
    if (!open.epoch.label && open.epoch.output_ended) close(std::nullopt);
}

void EpochLog::add_path(OpenEpoch& open, const EngineCounters& counters) {
    LoggedEpoch& epoch = open.epoch;
    epoch.done = std::max(epoch.done, counters.finished);
    if (counters.started >= open.path_end) {
        for (std::size_t i = 0; i < models::npu::kStallCauses; ++i) {
            epoch.earlier_paths[i] += epoch.last_path[i];
        }
    } else if (counters.finished < open.path_end) {
        return;
    }
    epoch.last_path = counters.spent;
    open.path_end = counters.finished;
}

/// A unit is often switched off behind the end of its epoch.
void EpochLog::multiplied(std::uint64_t products) {
    if (products == 0) return;
    LoggedEpoch* epoch = nullptr;
    if (open_) {
        epoch = &open_->epoch;
    } else if (last_worked_ && not_kept_ == 0) {
        epoch = &epochs_[*last_worked_];
    }
    if (epoch == nullptr) return;
    epoch->products += products;
}

/// What has flowed since the epoch began, replacing what was known.
void EpochLog::measure(OpenEpoch& open) const {
    open.epoch.flows = difference(snapshot(), open.before);
}

void EpochLog::close(std::optional<Picoseconds> at) {
    if (!open_) return;
    OpenEpoch open = std::move(*open_);
    open_.reset();
    LoggedEpoch& epoch = open.epoch;
    if (epochs_.size() >= kMost) {
        if (epoch.worked()) ++not_kept_;
        return;
    }
    if (at || !open.active.empty()) {
        measure(open);
        epoch.end = std::max(epoch.end, at.value_or(0));
    }
    epoch.ended = epoch.output_ended && open.active.empty();
    if (epoch.worked()) last_worked_ = epochs_.size();
    epochs_.push_back(std::move(epoch));
}

void EpochLog::finish() {
    const bool stuck = open_ && !open_->active.empty();
    close(stuck ? std::optional(sc_core::sc_time_stamp().value()) : std::nullopt);
}

}  // namespace n6vp::sim
