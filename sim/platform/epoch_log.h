// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "models/npu/dataflow/engine_bus.h"
#include "models/npu/dataflow/path_time.h"
#include "sim/platform/platform.h"

namespace n6vp::sim {

/// What one master of the NPU moved from and to one target of the bus.
struct EpochFlow {
    Initiator master = Initiator::Npu0;
    unsigned target = 0;
    std::uint64_t read = 0, written = 0;
    models::Picoseconds waited = 0;  ///< sum over bursts, which may overlap
};

/// What flowed between the NPU and its memories.
struct EpochFlows {
    /// Of the engines on either port, and fetches of the epoch controller; only those with traffic.
    std::vector<EpochFlow> list;
    /// Of the NPU cache; `read_allocates` are those of `read_misses` that bring a line in.
    std::uint64_t read_hits = 0, read_misses = 0, read_allocates = 0, write_hits = 0,
                  write_misses = 0;

    EpochFlows& operator+=(const EpochFlows& more);
};

/// An epoch of the NPU. Times are absolute.
struct LoggedEpoch {
    /// What one engine moved.
    struct Moved {
        std::uint32_t address = 0;  ///< of its stream
        bool write = false;
        std::uint64_t bytes = 0;
    };
    std::optional<std::uint32_t> label;  ///< of the epoch controller; none: software started it
    models::Picoseconds start = 0, end = 0;
    /// First engine on and last output engine done; equal if none was at work.
    models::Picoseconds begun = 0, done = 0;
    double hz = 0;  ///< of the NPU
    std::set<unsigned> readers, writers;
    std::uint64_t engines = 0;  ///< how often one began
    bool output_ended = false;
    bool ended = false;  ///< an output, and no engine was left at work
    /// Overlapping engines share one critical path, up to the last end. Engines that start after
    /// others have finished form a second critical path.
    models::npu::TimeByCause last_path{}, earlier_paths{};
    std::vector<Moved> moved;
    EpochFlows flows;
    std::uint64_t products = 0;  ///< multiply-accumulates of all CONVACC

    [[nodiscard]] bool worked() const { return engines != 0; }
};

/// One that is under way.
struct OpenEpoch {
    LoggedEpoch epoch;
    EpochFlows before;  ///< totals of the platform, flows without traffic included
    std::set<unsigned> active;
    models::Picoseconds path_end = 0;
};

/// The epochs that the NPU ran, one by one, those inside a blob too.
///
/// One that the epoch controller runs lasts from its label to the next label; the last one of a
/// blob ends with its last engine, if an interrupt signals the end of the blob. One that software
/// starts lasts from the start of the first engine until all started engines have ended, among
/// them one that writes. What an engine moves, and time that it waits, count for the epoch in
/// which they happen. Labels without work are in the list, too: they may be epochs of software.
class EpochLog {
  public:
    static constexpr std::size_t kMost = 200'000;  ///< later ones are counted only

    /// Listens to the NPU in addition to present listeners. The platform must outlive it.
    explicit EpochLog(Platform& platform);

    /// Called with a label of the epoch controller when its epoch begins.
    std::function<void(std::uint32_t label)> on_next;

    /// Ends what is open.
    void finish();
    /// In the order of their beginnings; an open one is not among them.
    [[nodiscard]] const std::vector<LoggedEpoch>& epochs() const { return epochs_; }
    /// Epochs with work beyond kMost.
    [[nodiscard]] std::uint64_t not_kept() const { return not_kept_; }
    /// Of the epoch that is under way.
    [[nodiscard]] std::optional<std::uint32_t> label() const;

  private:
    void on_label(std::uint32_t label, models::Picoseconds at);
    void begin(unsigned engine, const models::npu::StreamConfig& stream, models::Picoseconds at);
    void end(unsigned engine, const models::npu::StreamConfig& stream,
             const models::npu::EngineCounters& counters, models::Picoseconds at);
    static void add_path(OpenEpoch& open, const models::npu::EngineCounters& counters);
    void multiplied(std::uint64_t products);
    [[nodiscard]] bool blob_has_ended() const;
    void open(std::optional<std::uint32_t> label, models::Picoseconds at);
    /// `at`: the epoch lasts until then; else until its last engine ended.
    void close(std::optional<models::Picoseconds> at);
    void measure(OpenEpoch& open) const;
    [[nodiscard]] EpochFlows snapshot() const;

    Platform& platform_;
    std::optional<OpenEpoch> open_;
    std::vector<LoggedEpoch> epochs_;
    std::optional<std::size_t> last_worked_;  ///< of `epochs_`
    std::uint64_t not_kept_ = 0;
};

}  // namespace n6vp::sim
