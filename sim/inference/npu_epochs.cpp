// SPDX-License-Identifier: Apache-2.0
#include "sim/inference/npu_epochs.h"

#include <algorithm>
#include <utility>

namespace n6vp::sim::model_run {

namespace {

using models::npu::TimeByCause;

void add(TimeByCause& sum, const TimeByCause& path) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += path[i];
}

void absorb(NpuEpoch& epoch, const LoggedEpoch& part, const ModelMemory& memory) {
    if (!part.worked()) return;
    epoch.cycle = models::cycles_to_ps(1, part.hz);
    if (!epoch.worked()) epoch.begun = part.begun;
    epoch.done = std::max(epoch.done, part.done);
    epoch.engines += part.engines;
    epoch.products += part.products;
    add(epoch.spent, part.earlier_paths);
    add(epoch.spent, part.last_path);
    for (const LoggedEpoch::Moved& moved : part.moved) {
        PlaceTraffic& traffic = epoch.traffic[memory.place_of(moved.address)];
        (moved.write ? traffic.written : traffic.read) += moved.bytes;
    }
    epoch.cache_hits += part.flows.read_hits + part.flows.write_hits;
    epoch.cache_misses += part.flows.read_misses + part.flows.write_misses;
    epoch.waited += part.flows.engines_waited;
}

[[nodiscard]] NpuEpoch opened(std::size_t block, models::Picoseconds at) {
    NpuEpoch epoch;
    epoch.block = block;
    epoch.start = epoch.end = epoch.begun = epoch.done = at;
    return epoch;
}

}  // namespace

std::vector<NpuEpoch> epochs_of(const std::vector<BlockTime>& blocks,
                                const std::vector<LoggedEpoch>& log, const ModelMemory& memory) {
    std::vector<NpuEpoch> epochs;
    epochs.reserve(blocks.size());
    auto part = log.begin();
    for (std::size_t number = 0; number < blocks.size(); ++number) {
        const BlockTime& block = blocks[number];
        part = std::find_if(part, log.end(),
                            [&](const LoggedEpoch& one) { return one.start >= block.start; });
        NpuEpoch epoch = opened(number, block.start);
        for (; part != log.end() && part->start < block.end; ++part) {
            // What came before the first label of a blob is its fetch.
            if (part->label && (epoch.label || epoch.worked())) {
                epoch.end = part->start;
                epochs.push_back(std::exchange(epoch, opened(number, part->start)));
            }
            if (part->label) epoch.label = part->label;
            absorb(epoch, *part, memory);
        }
        epoch.end = block.end;
        epochs.push_back(std::move(epoch));
    }
    return epochs;
}

}  // namespace n6vp::sim::model_run
