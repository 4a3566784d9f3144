// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "models/npu/dataflow/engine_bus.h"
#include "models/npu/dataflow/moment.h"
#include "sim/model_run/model_memory.h"
#include "sim/platform.h"

/// What the NPU did in each epoch of an inference, from what it tells while it works.
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
    models::Picoseconds cycle = 0;  ///< of the NPU's clock
    std::uint64_t engines = 0, products = 0;
    models::npu::Spent spent{};                      ///< critical path of the work, by cause
    std::map<std::size_t, PlaceTraffic> traffic;     ///< by place of ModelMemory
    std::uint64_t cache_hits = 0, cache_misses = 0;  ///< reads and writes, of the NPU cache
    models::Picoseconds waited = 0;  ///< bursts of all engines for ports that were busy

    [[nodiscard]] bool worked() const { return engines != 0; }
};

/// Listens to the NPU while blocks are marked.
class NpuRecord {
  public:
    /// Both outlive the record.
    NpuRecord(Platform& platform, const ModelMemory& memory);

    /// Takes the NPU's callbacks and hands on what comes to those before.
    void listen();
    /// Times are absolute.
    void begin_block(models::Picoseconds at);
    void end_block(models::Picoseconds at);

    /// Called when an epoch ends, with its label if it has one.
    std::function<void(std::optional<std::uint32_t> label)> on_epoch_end;

    /// In the order of their beginnings.
    [[nodiscard]] const std::vector<NpuEpoch>& epochs() const { return epochs_; }
    /// Last label; none outside of blobs.
    [[nodiscard]] std::optional<std::uint32_t> label() const;
    /// Blocks in the order of the inference, absolute.
    struct Block {
        models::Picoseconds start = 0, end = 0;
    };
    [[nodiscard]] const std::vector<Block>& block_times() const { return block_times_; }

  private:
    /// Counters of the platform that only rise.
    struct Counters {
        std::uint64_t hits = 0, misses = 0;
        models::Picoseconds waited = 0;
    };
    [[nodiscard]] Counters count() const;
    void begin_epoch(std::optional<std::uint32_t> label, models::Picoseconds at);
    void end_epoch(models::Picoseconds at);
    void on_label(std::uint32_t label, models::Picoseconds at);
    void on_engine(const models::npu::StreamConfig& stream,
                   const models::npu::EngineCounters* counters, models::Picoseconds at);
    void add_path(const models::npu::EngineCounters& counters);

    Platform& platform_;
    const ModelMemory& memory_;
    std::vector<NpuEpoch> epochs_;
    std::vector<Block> block_times_;
    bool open_ = false;  ///< the last epoch is under way
    Counters at_start_;
    /// Engines that work side by side share a path: that of the last to end. Those that begin
    /// behind its end begin another.
    models::npu::Spent path_{};
    models::Picoseconds path_end_ = 0;
};

}  // namespace n6vp::sim::model_run
