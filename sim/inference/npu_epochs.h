// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/inference/model_memory.h"
#include "sim/platform/epoch_log.h"

/// What the NPU did in each epoch of an inference, by the blocks that the firmware marks.
namespace n6vp::sim::model_run {

/// Bytes that engines moved between the NPU and one place.
struct PlaceTraffic {
    std::uint64_t read = 0, written = 0;
};

/// Work of the NPU between two labels of a blob, or in a block without a blob.
struct NpuEpoch {
    std::optional<std::uint32_t> label;      ///< none: the block has no blob
    std::size_t block = 0;                   ///< of the inference
    models::Picoseconds start = 0, end = 0;  ///< absolute
    /// First engine on and last output engine done; equal if none was at work.
    models::Picoseconds begun = 0, done = 0;
    models::Picoseconds cycle = 0;  ///< of the NPU's clock; 0: it did nothing
    std::uint64_t engines = 0, products = 0;
    models::npu::TimeByCause spent{};                ///< critical path of the work, by cause
    std::map<std::size_t, PlaceTraffic> traffic;     ///< by place of ModelMemory
    std::uint64_t cache_hits = 0, cache_misses = 0;  ///< reads and writes, of the NPU cache
    models::Picoseconds waited = 0;  ///< bursts of all engines for ports that were busy

    [[nodiscard]] bool worked() const { return engines != 0; }
};

/// Of an inference, absolute.
struct BlockTime {
    models::Picoseconds start = 0, end = 0;
};

/// Returns the epochs of `blocks`, which are in the order of their times: at least one for each.
[[nodiscard]] std::vector<NpuEpoch> epochs_of(const std::vector<BlockTime>& blocks,
                                              const std::vector<LoggedEpoch>& log,
                                              const ModelMemory& memory);

}  // namespace n6vp::sim::model_run
