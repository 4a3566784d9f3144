// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "sim/phase_report.h"
#include "sim/platform.h"
#include "traces/epoch_record.h"

namespace n6vp::sim::trace {

/// What has flowed between the NPU and its memories so far.
struct EpochSum {
    std::uint64_t read = 0, written = 0;
    models::Picoseconds waited = 0;
};
struct EpochSnapshot {
    std::vector<EpochSum> targets;
    std::uint64_t hits = 0, misses = 0;
};
/// An epoch that is under way.
struct OpenEpoch {
    traces::EpochRecord record;  ///< times are absolute
    EpochSnapshot before;
    std::set<unsigned> readers, writers, active;
    bool output_ended = false, worked = false;
    models::Picoseconds last_output = 0;
    models::npu::Spent spent{};  ///< of that
    std::uint64_t units = 0;     ///< multipliers' units that worked, as bits
};

/// The epochs that the NPU ran, one by one, those inside a blob too.
///
/// One that the epoch controller runs lasts from its label to the next label; the last one of a
/// blob ends with its last engine, as far as an interrupt tells that the blob is over. One that
/// software starts lasts from the first engine that begins until all have ended that began, one
/// that writes among them. What an engine moves, and time that it waits, count for the epoch in
/// which they happen. Labels without work are no epochs.
class EpochLog {
  public:
    static constexpr std::size_t kMost = 200'000;  ///< later ones are counted only

    /// Listens to the NPU beside whoever did so before. The platform must outlive it.
    explicit EpochLog(Platform& platform);

    /// Ends what is open, and tells each epoch its phase and, where that says it, its number.
    void finish(const std::vector<Phase>& phases);
    [[nodiscard]] const std::vector<traces::EpochRecord>& epochs() const { return epochs_; }
    [[nodiscard]] std::uint64_t not_kept() const { return not_kept_; }

  private:
    void label(std::uint32_t label, models::Picoseconds at);
    void begin(unsigned engine, const models::npu::StreamConfig& stream, models::Picoseconds at);
    void end(unsigned engine, const models::npu::EngineCounters& counters, models::Picoseconds at);
    void multiplied(unsigned unit, std::uint64_t products);
    [[nodiscard]] bool blob_has_ended() const;
    void open(std::int64_t number, bool by_controller, models::Picoseconds at);
    /// `at`: the epoch lasts until then; else until its last engine ended.
    void close(std::optional<models::Picoseconds> at);
    void measure(OpenEpoch& epoch);
    void explain(OpenEpoch& epoch, traces::EpochRecord& record) const;
    [[nodiscard]] EpochSnapshot snapshot();

    Platform& platform_;
    std::optional<OpenEpoch> open_;
    std::vector<traces::EpochRecord> epochs_;
    std::uint64_t last_units_ = 0;  ///< of the last of `epochs_`
    std::uint64_t not_kept_ = 0;
};

}  // namespace n6vp::sim::trace
