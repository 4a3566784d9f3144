// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/inference/model_memory.h"
#include "sim/platform/epoch_summary.h"

/// What the NPU did in each epoch of an inference, by the blocks that the firmware marks.
namespace n6vp::sim::model_run {

/// Bytes that engines moved between the NPU and one place.
struct PlaceTraffic {
    std::uint64_t read = 0, written = 0;
};

/// A row of the inference: work of the NPU between two labels of a blob, or a block without a blob.
/// Rows follow each other without a gap within a block.
struct NpuEpoch {
    std::optional<std::uint32_t> label;           ///< none: the block has no blob
    std::size_t block = 0;                        ///< of the inference
    models::Picoseconds start = 0, end = 0;       ///< absolute, of the row
    std::uint64_t engines = 0;                    ///< how often one began
    EpochSummary summary;                         ///< of all logged epochs of the row
    std::map<std::size_t, PlaceTraffic> traffic;  ///< of engines, by place of ModelMemory

    [[nodiscard]] bool worked() const { return engines != 0; }
    /// Returns the part of the row in which the NPU had an epoch; a label without work lasts as
    /// long as its row.
    [[nodiscard]] models::Picoseconds npu_time() const;
    /// Returns the rest, in which the core is at work.
    [[nodiscard]] models::Picoseconds core_time() const;
};

/// Of an inference, absolute.
struct BlockTime {
    models::Picoseconds start = 0, end = 0;
};

/// Returns the epochs of `blocks`, which are in the order of their times: at least one for each.
[[nodiscard]] std::vector<NpuEpoch> epochs_of(const std::vector<BlockTime>& blocks,
                                              const std::vector<LoggedEpoch>& log,
                                              const ModelMemory& memory,
                                              const PlatformParameters& parameters);

}  // namespace n6vp::sim::model_run
