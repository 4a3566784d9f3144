// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "memmap/guest_addr.h"
#include "models/picoseconds.h"
#include "sim/faults/run_verdict.h"
#include "sim/host/json_output.h"

namespace n6vp::sim {

class RunSession;
struct RunOutcome;

/// What a scenario demands of a run's outcome, each demand with its place in the scenario.
struct RunExpectations {
    template <typename T>
    struct Stated {
        T value;             // clang 14 cannot compile an initializer here for enumerations
        std::string origin;  ///< "scenario.toml:7"
    };
    using Text = Stated<std::string>;

    struct Memory {
        GuestAddr at{};
        std::vector<std::uint8_t> bytes;
        std::string file;  ///< that they are from; empty: the scenario itself
    };
    /// A number of the report, of the whole run or of the phases of one name.
    struct Counter {
        std::string name;  ///< one of kCounterNames
        std::string phase;
        std::string from, to;  ///< initiator and target of traffic; empty: all of them
        std::uint64_t least = 0, most = ~std::uint64_t{0};
    };

    /// A file that the program writes into the folder granted to it.
    struct Output {
        std::string name;
        std::vector<std::uint8_t> bytes;
        std::string file;            ///< that they are from
        std::string type = "bytes";  ///< one of kElementTypes
        double tolerance = 0;
    };
    /// The most that something may take.
    struct Budget {
        std::string name;
        std::uint64_t most = 0;
    };

    std::optional<Stated<RunVerdict>> end;
    std::optional<Stated<std::uint32_t>> exit_code;  ///< of the program
    std::vector<Text> console, console_without;
    std::vector<Text> events, events_without;
    std::optional<Stated<std::uint64_t>> coherence;  ///< missing cache maintenance, core and NPU
    std::vector<Stated<std::vector<std::string>>> coherence_parties;
    std::optional<Stated<std::vector<std::uint64_t>>> set_up_steps;
    std::vector<Text> set_up_bits;
    std::optional<Stated<models::Picoseconds>> min_time, max_time;
    std::vector<Stated<Memory>> memory;
    std::vector<Stated<Counter>> counters;
    std::vector<Stated<Output>> outputs;
    std::vector<Stated<Budget>> times;  ///< of the longest phase of that name, in picoseconds
    std::vector<Stated<Budget>> uses;   ///< of memory, in bytes: keys of the document's "memory"
    std::optional<std::string> no_warnings;  ///< where it stands

    [[nodiscard]] bool any() const;
    /// Returns what to look for on the consoles: the texts of `console`, then `console_without`.
    [[nodiscard]] std::vector<std::string> console_texts() const;
    /// The run's end is among what is demanded, and so is no failure of its own.
    [[nodiscard]] bool about_end() const { return end || exit_code; }
    /// The first demand that only a run with --boot reset can meet; null if there is none.
    [[nodiscard]] const std::string* first_about_set_up() const;
};

/// Names of counters, as they stand in the report: those of a phase, then those of the caches.
inline constexpr std::string_view kCounterNames[] = {"cycles",
                                                     "instructions",
                                                     "time_ps",
                                                     "bytes_read",
                                                     "bytes_written",
                                                     "waited_ps",
                                                     "icache.fills",
                                                     "icache.uncached",
                                                     "icache.wait_cycles",
                                                     "dcache.fills",
                                                     "dcache.write_backs",
                                                     "dcache.uncached_reads",
                                                     "dcache.uncached_writes",
                                                     "dcache.wait_cycles",
                                                     "npu_cache.read_hits",
                                                     "npu_cache.read_misses",
                                                     "npu_cache.read_allocates",
                                                     "npu_cache.write_hits",
                                                     "npu_cache.write_misses",
                                                     "npu_cache.write_allocates",
                                                     "npu_cache.write_throughs",
                                                     "npu_cache.evictions",
                                                     "npu_cache.passed",
                                                     "npu_cache.waited_ps"};
/// Returns true for a counter of the caches, which has no phase.
[[nodiscard]] bool is_cache_counter(std::string_view name);
/// Returns true for a counter of traffic, which may be that of one initiator or target.
[[nodiscard]] bool is_traffic_counter(std::string_view name);

/// What came of one demand, in words for a report.
struct Judgement {
    std::string origin, key;
    std::string expected, found;
    bool holds = false;
};

/// Judges a run that has ended of itself. `document` is that of the run, as run_document returns
/// it. The demands' order is that of their members above.
[[nodiscard]] std::vector<Judgement> judge(const RunExpectations& expected, RunSession& session,
                                           const RunOutcome& outcome, const Json& document);

[[nodiscard]] bool all_hold(const std::vector<Judgement>& judgements);

/// Writes how many demands hold, if there are any.
void write_summary(std::ostream& out, const std::vector<Judgement>& judgements);

/// Writes one line for each demand that does not hold.
void write_failures(std::ostream& out, const std::vector<Judgement>& judgements);

/// Returns the value of the key "expectations" of a document of schema n6vp.run/2.
[[nodiscard]] Json judgements_json(const std::vector<Judgement>& judgements);

}  // namespace n6vp::sim
