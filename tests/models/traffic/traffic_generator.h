// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tests/models/traffic/bus_master.h"

namespace n6vp::test {

/// What a generator sends.
struct TrafficPlan {
    enum class Pattern : std::uint8_t {
        Linear,   ///< burst follows burst
        Strided,  ///< one element per beat and burst, `stride` bytes apart
        Random,   ///< bursts at multiples of their size, anywhere in the span
    };
    enum class Mix : std::uint8_t { Reads, Writes, Alternating };

    Pattern pattern = Pattern::Linear;
    Mix mix = Mix::Reads;
    std::uint32_t base = 0, span = 0;  ///< bytes that are addressed; at the end back to the base
    std::uint32_t beats = 8;           ///< of 8 bytes, per burst: 1, 2, 4 or 8; not of Strided
    std::uint32_t element_bytes = 8;   ///< of Strided
    std::uint32_t stride = 64;
    std::uint64_t bursts = 1;
    unsigned outstanding = 1;            ///< bursts that may be on their way together
    models::Picoseconds issue = 1;       ///< shortest distance between two issues
    models::Picoseconds turnaround = 0;  ///< from a burst's end to the issue that takes its place
    models::Picoseconds gap = 0;         ///< mean distance, even between 0 and twice that; 0: none
    models::Picoseconds port_beat = 0;   ///< the master's own port moves a beat each, either way
    models::Picoseconds start = 0;       ///< not before
    std::uint64_t seed = 1;
    bool keep_records = true;
};

struct BurstRecord {
    models::Picoseconds issued = 0;
    models::Picoseconds first = 0, last = 0;  ///< absolute, at the master's port
    models::Picoseconds waited = 0;
    std::uint32_t address = 0, bytes = 0;
    std::uint8_t holder = 0;  ///< whom it waited for
    bool write = false;
};

struct TrafficResult {
    std::uint64_t bursts = 0, bytes = 0, failed = 0;
    models::Picoseconds begin = 0, end = 0;            ///< first issue, last beat
    models::Picoseconds first_sum = 0, last_sum = 0;   ///< latencies, over bursts
    models::Picoseconds longest = 0;                   ///< latency to the last beat
    models::Picoseconds waited = 0, longest_wait = 0;  ///< sum, greatest
    std::array<models::Picoseconds, 8> waited_for{};   ///< `waited`, by holder
    std::vector<BurstRecord> records;

    [[nodiscard]] double mb_per_s() const {
        return end > begin ? static_cast<double>(bytes) * 1e6 / static_cast<double>(end - begin)
                           : 0;
    }
    [[nodiscard]] double first_ns() const { return mean_ns(first_sum); }
    [[nodiscard]] double last_ns() const { return mean_ns(last_sum); }
    [[nodiscard]] double waited_ns() const { return mean_ns(waited); }

  private:
    [[nodiscard]] double mean_ns(models::Picoseconds sum) const {
        return bursts == 0 ? 0 : static_cast<double>(sum) / 1e3 / static_cast<double>(bursts);
    }
};

/// A master that loads the fabric by a plan.
///
/// Its thread runs ahead of kernel time by at most the quantum. 0 means that every burst is made as
/// at the kernel time of its issue: ahead of that only while no other process has anything to do
/// before, so that nobody can tell, and the kernel has fewer turns. A burst is issued when the
/// plan's pace allows and fewer than `outstanding` are on their way. Data of reads, and of writes,
/// come one beat after the other over the master's own port, in order.
class TrafficGenerator : public BusMaster {
  public:
    explicit TrafficGenerator(const sc_core::sc_module_name& name, models::Picoseconds quantum = 0);

    void set_quantum(models::Picoseconds quantum) { quantum_ = quantum; }
    /// Starts when kernel time goes on; the result of the plan before is forgotten.
    void begin(const TrafficPlan& plan);
    [[nodiscard]] bool busy() const { return busy_; }
    [[nodiscard]] const TrafficResult& result() const { return result_; }

  private:
    void run();
    void play();
    /// Returns true if a burst that is made now is one made at `issue`.
    [[nodiscard]] static bool alone_until(models::Picoseconds issue);
    [[nodiscard]] std::uint32_t next_address();
    [[nodiscard]] std::uint64_t draw();
    void keep(const BurstRecord& record, bool ok);

    /// The simulation may be stopped from outside: not farther than a usual quantum.
    static constexpr models::Picoseconds kLookAhead = 1'000'000;

    models::Picoseconds quantum_;
    TrafficPlan plan_;
    TrafficResult result_;
    std::uint64_t state_ = 0;  ///< of the random numbers
    std::uint32_t position_ = 0;
    /// When each place for a burst is free again. Here, as a thread that waits when the simulation
    /// ends never destroys what it holds itself.
    std::vector<models::Picoseconds> done_;
    bool busy_ = false;
    sc_core::sc_event begun_;
};

}  // namespace n6vp::test
