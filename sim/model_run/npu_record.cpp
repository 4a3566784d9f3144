// SPDX-License-Identifier: Apache-2.0
#include "sim/model_run/npu_record.h"

#include <algorithm>
#include <utility>

namespace n6vp::sim::model_run {

namespace {

using models::Picoseconds;
using models::npu::EngineCounters;
using models::npu::StreamConfig;

/// A model whose blobs never end its labels must not eat the host.
constexpr std::size_t kMostEpochs = 100'000;

}  // namespace

NpuRecord::NpuRecord(Platform& platform, const ModelMemory& memory)
    : platform_(platform), memory_(memory) {}

void NpuRecord::listen() {
    models::NpuModule& npu = platform_.npu();
    npu.on_label = [this, before = std::move(npu.on_label)](std::uint32_t label, Picoseconds at) {
        if (before) before(label, at);
        on_label(label, at);
    };
    npu.on_engine = [this, before = std::move(npu.on_engine)](
                        unsigned engine, const StreamConfig& stream, const EngineCounters* counters,
                        Picoseconds at) {
        if (before) before(engine, stream, counters, at);
        on_engine(stream, counters, at);
    };
    npu.on_convolution = [this, before = std::move(npu.on_convolution)](
                             unsigned unit, const models::npu::ConvolutionNode::Counters& counters,
                             Picoseconds at) {
        if (before) before(unit, counters, at);
        if (open_) epochs_.back().products += counters.products;
    };
}

NpuRecord::Counters NpuRecord::count() const {
    using Monitor = models::CacheAxi::Monitor;
    Counters now;
    const models::CacheAxi::Statistics& cache = platform_.npu_cache().statistics();
    now.hits = cache.of(Monitor::ReadHit) + cache.of(Monitor::WriteHit);
    now.misses = cache.of(Monitor::ReadMiss) + cache.of(Monitor::WriteMiss);
    for (const Initiator master : {Initiator::Npu0, Initiator::Npu1}) {
        for (unsigned target = 0; target < platform_.memories().size(); ++target) {
            now.waited += platform_.bus().flow(number(master), target).waited;
        }
    }
    return now;
}

std::optional<std::uint32_t> NpuRecord::label() const {
    return open_ ? epochs_.back().label : std::nullopt;
}

void NpuRecord::begin_block(Picoseconds at) {
    block_times_.push_back({at, at});
    begin_epoch(std::nullopt, at);
}

void NpuRecord::end_block(Picoseconds at) {
    if (!open_) return;
    end_epoch(at);
    block_times_.back().end = at;
}

void NpuRecord::begin_epoch(std::optional<std::uint32_t> label, Picoseconds at) {
    if (epochs_.size() == kMostEpochs) return;
    NpuEpoch epoch;
    epoch.label = label;
    epoch.block = block_times_.size() - 1;
    epoch.start = epoch.end = epoch.begun = epoch.done = at;
    epoch.cycle = models::cycles_to_ps(1, platform_.clocks().hz(memmap::ClockDomain::Npu));
    epochs_.push_back(std::move(epoch));
    at_start_ = count();
    path_ = {};
    path_end_ = 0;
    open_ = true;
}

void NpuRecord::end_epoch(Picoseconds at) {
    NpuEpoch& epoch = epochs_.back();
    epoch.end = std::max(at, epoch.start);
    const Counters now = count();
    epoch.cache_hits = now.hits - at_start_.hits;
    epoch.cache_misses = now.misses - at_start_.misses;
    epoch.waited = now.waited - at_start_.waited;
    for (std::size_t i = 0; i < epoch.spent.size(); ++i) epoch.spent[i] += path_[i];
    open_ = false;
    if (on_epoch_end) on_epoch_end(epoch.label);
}

void NpuRecord::on_label(std::uint32_t label, Picoseconds at) {
    if (!open_) return;
    NpuEpoch& epoch = epochs_.back();
    // The first label of a blob: what came before it is the fetch of the blob.
    if (!epoch.label && !epoch.worked()) {
        epoch.label = label;
        return;
    }
    end_epoch(at);
    begin_epoch(label, at);
}

void NpuRecord::on_engine(const StreamConfig& stream, const EngineCounters* counters,
                          Picoseconds at) {
    if (!open_) return;
    NpuEpoch& epoch = epochs_.back();
    if (counters == nullptr) {
        if (!epoch.worked()) epoch.begun = epoch.done = at;
        ++epoch.engines;
        return;
    }
    PlaceTraffic& traffic = epoch.traffic[memory_.place_of(stream.addr)];
    (stream.dir ? traffic.written : traffic.read) += counters->bytes;
    if (!stream.dir || counters->finished == 0) return;
    epoch.done = std::max(epoch.done, counters->finished);
    add_path(*counters);
}

void NpuRecord::add_path(const EngineCounters& counters) {
    if (counters.started >= path_end_) {
        for (std::size_t i = 0; i < path_.size(); ++i) epochs_.back().spent[i] += path_[i];
    } else if (counters.finished < path_end_) {
        return;
    }
    path_ = counters.spent;
    path_end_ = counters.finished;
}

}  // namespace n6vp::sim::model_run
