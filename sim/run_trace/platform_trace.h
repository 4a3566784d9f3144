// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/console/phase_recorder.h"
#include "sim/host/elf.h"
#include "sim/platform/platform.h"
#include "sim/run_trace/bus_activity.h"
#include "traces/epoch_record.h"
#include "traces/trace_log.h"

namespace n6vp::sim::trace {

/// Turns what happens on the platform into the events of a trace. It sets its hooks beside those
/// that are there, so it comes last; nothing that it does takes simulated time.
class PlatformTrace {
  public:
    static constexpr unsigned kEngines = 10;
    struct Choice {
        bool functions = false;  ///< of the core, found instruction by instruction
        const ElfFile* symbols = nullptr;
    };
    /// The platform must outlive it.
    PlatformTrace(Platform& platform, const Choice& choice);

    /// Adds a track for each output pin that is watched. Before the run.
    void add_pins(const std::vector<std::string>& names);
    /// The pin of that place has a new level at the absolute time `at`.
    void pin(std::size_t index, bool level, models::Picoseconds at);
    /// The run is over: adds events that are known only then.
    void finish(const std::vector<Phase>& phases, const std::vector<traces::EpochRecord>& epochs);
    [[nodiscard]] const traces::TraceLog& log() const { return log_; }
    [[nodiscard]] const BusActivity& activity() const { return *activity_; }
    /// The track of an engine of the NPU.
    [[nodiscard]] traces::TrackId engine_track(unsigned engine) const { return engines_[engine]; }
    [[nodiscard]] traces::TrackId sleep_track() const { return sleep_; }
    [[nodiscard]] traces::TrackId exception_track() const { return exception_; }

  private:
    static constexpr unsigned kLines = 4;

    void add_tracks();
    void listen_to_core();
    void listen_to_npu();
    void listen_for_events();
    void exception(unsigned number, bool begins);
    void line(traces::TrackId track, std::size_t& open, const std::string& name, bool level);
    void engine(unsigned number, const models::npu::StreamConfig& stream,
                const models::npu::EngineCounters* counters, models::Picoseconds at);
    void executes(std::uint32_t pc);
    [[nodiscard]] const std::string& function_at(std::uint32_t pc);
    void add_phases(const std::vector<Phase>& phases);
    void add_epochs(const std::vector<traces::EpochRecord>& epochs);
    void add_activity();
    void count(traces::TrackId track, models::Picoseconds at, double value);
    /// Relative to the last reset.
    [[nodiscard]] traces::TraceTime core_time() const;
    [[nodiscard]] static traces::TraceTime kernel_time();

    Platform& platform_;
    const ElfFile* symbols_;
    traces::TraceLog log_;
    std::unique_ptr<BusActivity> activity_;
    traces::TrackId phase_ = 0, sleep_ = 0, exception_ = 0, function_ = 0, epoch_ = 0, events_ = 0,
                    cache_line_ = 0, cache_events_ = 0, hits_ = 0, misses_ = 0;
    std::array<traces::TrackId, kEngines> engines_{};
    std::array<traces::TrackId, kLines> lines_{};
    std::vector<traces::TrackId> ports_;  ///< by initiator
    struct MemoryTracks {
        traces::TrackId reading = 0, writing = 0;
    };
    std::vector<MemoryTracks> memories_;
    struct PinTrack {
        traces::TrackId track = 0;
        std::size_t open = traces::TraceLog::kNotKept;
    };
    std::vector<PinTrack> pins_;
    std::array<std::size_t, kEngines> open_engines_{};
    std::array<std::size_t, kLines> open_lines_{};
    std::size_t open_sleep_ = traces::TraceLog::kNotKept,
                open_cache_line_ = traces::TraceLog::kNotKept,
                open_function_ = traces::TraceLog::kNotKept;
    std::vector<std::pair<unsigned, std::size_t>> open_exceptions_;
    std::map<std::uint32_t, std::string> functions_;  ///< names, by addresses that were entered
    std::string function_name_;
    std::uint32_t function_first_ = 1, function_last_ = 0;  ///< addresses known to be in it
    std::vector<double> counted_;                           ///< last value, by track
};

/// Returns "NPU0", "SysTick" or "IRQ 12" for an exception of that number.
[[nodiscard]] std::string exception_name(unsigned number);

}  // namespace n6vp::sim::trace
