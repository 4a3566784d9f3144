// SPDX-License-Identifier: Apache-2.0
#include "sim/inference/npu_epochs.h"

#include <algorithm>
#include <utility>

namespace n6vp::sim::model_run {

namespace {

void absorb(NpuEpoch& epoch, const LoggedEpoch& part, const ModelMemory& memory,
            const PlatformParameters& parameters) {
    if (!part.worked()) return;
    epoch.engines += part.engines;
    epoch.summary.add(summarise(part, parameters));
    for (const LoggedEpoch::Moved& moved : part.moved) {
        PlaceTraffic& traffic = epoch.traffic[memory.place_of(moved.address)];
        (moved.write ? traffic.written : traffic.read) += moved.bytes;
    }
}

[[nodiscard]] NpuEpoch opened(std::size_t block, models::Picoseconds at) {
    NpuEpoch epoch;
    epoch.block = block;
    epoch.start = epoch.end = at;
    return epoch;
}

}  // namespace

models::Picoseconds NpuEpoch::npu_time() const {
    const models::Picoseconds row = end - start;
    return label && !worked() ? row : std::min(row, summary.time);
}

models::Picoseconds NpuEpoch::core_time() const {
    return end - start - npu_time();
}

std::vector<NpuEpoch> epochs_of(const std::vector<BlockTime>& blocks,
                                const std::vector<LoggedEpoch>& log, const ModelMemory& memory,
                                const PlatformParameters& parameters) {
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
            absorb(epoch, *part, memory, parameters);
        }
        epoch.end = block.end;
        epochs.push_back(std::move(epoch));
    }
    return epochs;
}

}  // namespace n6vp::sim::model_run
