// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "memmap/mailbox.h"
#include "models/picoseconds.h"
#include "sim/host/json_output.h"

namespace n6vp::sim {

/// Traffic of one initiator with one target.
struct PhaseFlow {
    unsigned initiator = 0, target = 0;
    std::uint64_t bytes_read = 0, bytes_written = 0;
    models::Picoseconds waited = 0;
    std::vector<models::Picoseconds> waited_for;  ///< `waited` by the initiator that held the port
};

/// Counters of the platform that only rise.
struct PhaseCounters {
    std::uint64_t cycles = 0;        ///< of the core
    std::uint64_t instructions = 0;  ///< of the core, to a block of decoded code
    std::vector<PhaseFlow> flows;    ///< in any order; absent means 0
};

/// A part of the run that the program marked, with what happened in it.
struct Phase {
    std::uint32_t id = 0;
    std::string name;    ///< as the guest gave it: escape before printing
    unsigned depth = 0;  ///< phases around it
    models::Picoseconds start = 0, end = 0;
    bool ended = false;     ///< false: the run ended within it
    PhaseCounters counted;  ///< within the phase; only flows with traffic

    [[nodiscard]] models::Picoseconds duration() const { return end - start; }
};

/// Names of the numbers in PhaseFlow.
struct PhaseNames {
    std::vector<std::string> initiators, targets;
};

/// The phases of a run, in the order of their beginnings. The first is the whole run.
class PhaseRecorder {
  public:
    /// Counters at an absolute time, that of the access that marks the phase.
    using Sampler = std::function<PhaseCounters(models::Picoseconds at)>;
    using Error = memmap::mailbox::Error;
    /// Beyond this many phases the program's marks are refused: a loop must not eat the host.
    static constexpr std::size_t kMaxPhases = 10'000;

    PhaseRecorder(PhaseNames names, Sampler sampler);

    /// Starts over: the run begins at this time.
    void restart(models::Picoseconds at);
    Error begin(std::uint32_t id, std::string_view name, models::Picoseconds at);
    /// Ends the innermost open phase of that number, and what is open within it.
    Error end(std::uint32_t id, models::Picoseconds at);
    /// The run is over: ends everything; phases of the program stay marked as not ended.
    void finish(models::Picoseconds at);

    [[nodiscard]] const std::vector<Phase>& phases() const { return phases_; }
    /// What comes before the first phase that the program marks, start-up code with its own clocks;
    /// none if it marks nothing. It is not among `phases`.
    [[nodiscard]] const std::optional<Phase>& start_up() const { return start_up_; }
    /// Name of the innermost phase that is open, "" for the run itself.
    [[nodiscard]] std::string_view current() const;
    /// Called when the program has begun a phase, or ended one.
    std::function<void(const Phase&)> on_change;
    /// Returns the open phases but the whole run, escaped, the innermost last: "inference, block
    /// 3".
    [[nodiscard]] std::string path() const;
    [[nodiscard]] const PhaseNames& names() const { return names_; }

  private:
    void end_start_up(models::Picoseconds at, const PhaseCounters& now);
    void close(std::size_t index, models::Picoseconds at, const PhaseCounters& now);

    PhaseNames names_;
    Sampler sampler_;
    std::vector<Phase> phases_;
    std::optional<Phase> start_up_;
    std::vector<std::size_t> open_;
    std::vector<PhaseCounters> at_start_;  ///< of the open phases
};

/// Writes one line per phase, and below it one per flow that moved bytes.
void write_phases(std::ostream& out, const PhaseRecorder& report);
/// Returns the value of the key "phases" of a document of schema n6vp.run/2.
[[nodiscard]] Json phases_json(const PhaseRecorder& report);
/// Returns the value of the key "start_up": as one of "phases", null if there is none.
[[nodiscard]] Json start_up_json(const PhaseRecorder& report);

}  // namespace n6vp::sim
