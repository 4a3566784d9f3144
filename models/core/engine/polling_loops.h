// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/core/engine/core_memory.h"
#include "models/core/engine/observed_bus.h"
#include "models/core/ir/block.h"
#include "models/core/ir/data_cache.h"
#include "models/core/ir/state.h"

namespace n6vp::models::core {

/// Skips rounds of loops that wait for something: a flag of a peripheral, a word in memory, a tick.
/// All results are those of the executed rounds.
///
/// At the start of a slice the engine runs blocks one by one while accesses are noted. If the core
/// comes back to where it was with all of its state but time, memory and caches as they were, and
/// every read of the bus one that can be made again, then the next round is the same as long as
/// those reads are answered the same, because nothing else runs within a slice. Rounds with reads
/// make them again, one by one, at the times of the executed loop. Rounds without are arithmetic.
///
/// Not skipped: rounds of more than `kMaxBlocks` blocks, with instructions other than integer
/// arithmetic, loads, stores and branches, with accesses to the private bus, or with stores that
/// leave other bytes behind.
class PollingLoops {
  public:
    PollingLoops(CpuState& cpu, CoreMemory& memory, ObservedBus& bus)
        : cpu_(cpu), memory_(memory), bus_(bus) {}

    /// A slice begins. Returns true if its blocks are to be run one by one: each between `hold` and
    /// `end_block`.
    [[nodiscard]] bool begin_slice();
    /// Has the next block return to the engine. Call `end_block` after it.
    void hold() {
        cpu_.held_back = cpu_.budget;
        cpu_.cycle_base -= static_cast<std::uint64_t>(cpu_.budget);
        cpu_.budget = 0;
    }
    /// The block has ended, in whatever way. Skips rounds where it can. Returns true if the next
    /// block is to be run in the same way.
    [[nodiscard]] bool end_block();
    /// The next block is none of a polling loop.
    void give_up();

    [[nodiscard]] std::uint64_t skipped_rounds() const { return skipped_rounds_; }

  private:
    static constexpr unsigned kMaxBlocks = 24;
    /// Cycles after an attempt in vain until the next one, doubled by each.
    static constexpr std::uint64_t kMinPause = 1'000, kMaxPause = 64'000;
    static constexpr std::int64_t kLeastBudget = 200;  ///< cycles, of a slice worth a look

    /// All that must be the same again at the end of a round. Of `CpuState`, what is not state of
    /// the core is zero.
    struct Snapshot {
        CpuState cpu;
        std::uint64_t data_changes = 0, instruction_changes = 0, predictor_changes = 0;
    };
    /// Time between two reads of a round, and from read to read in the core's own view.
    struct Step {
        std::uint64_t advance = 0;  ///< from the last answer to `ObservedRead::now`
        std::uint64_t ahead = 0;    ///< from there to the read
    };
    struct Round {
        std::uint64_t instructions = 0;
        std::uint64_t cycles = 0;  ///< without those of the answers
        std::uint64_t tail = 0;    ///< of `cycles`, those after the last answer
        std::array<Step, ObservedBus::kMaxReads> steps;
        DataCache::PassedReads data, fetches;  ///< without the cycles of the answers
    };

    [[nodiscard]] std::uint64_t now() const {
        return cpu_.cycle_base - static_cast<std::uint64_t>(cpu_.budget);
    }
    void take_snapshot();
    [[nodiscard]] bool same_state() const;
    /// Returns true if the round that ends can be made again, and describes it.
    [[nodiscard]] bool describe(Round& round);
    void skip(const Round& round);
    /// Makes the reads of a round again. Returns false if they are not all made within the slice:
    /// then those that were made are answers to come, and the core is where the round began.
    [[nodiscard]] bool repeat_reads(const Round& round);
    void stop();

    CpuState& cpu_;
    CoreMemory& memory_;
    ObservedBus& bus_;
    Snapshot start_;
    std::uint64_t start_cycle_ = 0, start_instructions_ = 0;
    DataCache::PassedReads start_data_, start_fetches_;
    unsigned blocks_ = 0;  ///< of the observed round
    std::uint64_t failed_at_ = 0, pause_ = 0;
    std::array<std::uint64_t, ObservedBus::kMaxReads> waited_{};  ///< cycles of the answers
    DataCache::PassedReads more_data_, more_fetches_;  ///< of skipped rounds, not counted yet
    std::uint64_t skipped_rounds_ = 0;
};

}  // namespace n6vp::models::core
