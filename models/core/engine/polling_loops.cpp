// SPDX-License-Identifier: Apache-2.0
#include "models/core/engine/polling_loops.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "models/core/ir/dynamic_timing.h"
#include "models/core/ir/instruction_cache.h"

namespace n6vp::models::core {

namespace {

static_assert(std::is_trivially_copyable_v<CpuState>);

/// Copies the state byte by byte, so that copies of equal states are equal; without what is not
/// state of the core between two blocks: time, counts, and what is written before it is read.
void copy_state(const CpuState& from, CpuState& to) {
    std::memcpy(static_cast<void*>(&to), &from, sizeof(CpuState));
    to.r[15] = 0;
    to.budget = to.held_back = 0;
    to.cycle_base = to.instructions = 0;
    to.transfer = {};
    to.exit = Exit::None;
    to.read_pages = to.write_pages = nullptr;
}

}  // namespace

void PollingLoops::take_snapshot() {
    copy_state(cpu_, start_.cpu);
    if (cpu_.data_cache != nullptr) {
        start_.data_changes = cpu_.data_cache->changes();
        start_data_ = cpu_.data_cache->passed_reads();
    }
    if (cpu_.instruction_cache != nullptr) {
        start_.instruction_changes = cpu_.instruction_cache->changes();
        start_fetches_ = cpu_.instruction_cache->passed_reads();
    }
    if (cpu_.predictor != nullptr) start_.predictor_changes = cpu_.predictor->changes();
    start_cycle_ = now();
    start_instructions_ = cpu_.instructions;
}

bool PollingLoops::same_state() const {
    if (cpu_.data_cache != nullptr && cpu_.data_cache->changes() != start_.data_changes)
        return false;
    if (cpu_.instruction_cache != nullptr &&
        cpu_.instruction_cache->changes() != start_.instruction_changes)
        return false;
    if (cpu_.predictor != nullptr && cpu_.predictor->changes() != start_.predictor_changes)
        return false;
    CpuState current;
    copy_state(cpu_, current);
    // Both are copies byte by byte, padding too.
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    return std::memcmp(&current, &start_.cpu, sizeof(CpuState)) == 0;
}

bool PollingLoops::begin_slice() {
    // After a reset the cycle is an earlier one.
    if (cpu_.budget < kLeastBudget || now() - failed_at_ < pause_) return false;
    blocks_ = 0;
    take_snapshot();
    bus_.observe();
    memory_.observe();
    return true;
}

void PollingLoops::stop() {
    bus_.stop_observing();
    memory_.stop_observing();
}

void PollingLoops::give_up() {
    stop();
    pause_ = std::clamp(2 * pause_, kMinPause, kMaxPause);
    failed_at_ = now();
}

bool PollingLoops::end_block() {
    cpu_.budget += cpu_.held_back;
    cpu_.cycle_base += static_cast<std::uint64_t>(cpu_.held_back);
    cpu_.held_back = 0;
    const bool goes_on = cpu_.exit == Exit::Budget || cpu_.exit == Exit::Lookup;
    if (!goes_on || cpu_.budget <= 0) {
        give_up();
        return false;
    }
    if (cpu_.pc == start_.cpu.pc && same_state()) {
        Round round;
        if (!describe(round)) {
            give_up();
            return false;
        }
        stop();
        pause_ = 0;
        skip(round);
        return false;
    }
    if (++blocks_ < kMaxBlocks) return true;
    give_up();
    return false;
}

bool PollingLoops::describe(Round& round) {
    if (!bus_.repeatable() || !memory_.repeatable()) return false;
    round.instructions = cpu_.instructions - start_instructions_;
    if (cpu_.data_cache != nullptr) {
        const DataCache::PassedReads passed = cpu_.data_cache->passed_reads();
        round.data = {passed.count - start_data_.count,
                      passed.wait_cycles - start_data_.wait_cycles};
    }
    if (cpu_.instruction_cache != nullptr) {
        const DataCache::PassedReads passed = cpu_.instruction_cache->passed_reads();
        round.fetches = {passed.count - start_fetches_.count,
                         passed.wait_cycles - start_fetches_.wait_cycles};
    }
    std::uint64_t reached = start_cycle_, waited = 0;
    std::size_t number = 0;
    for (const ObservedRead& read : bus_.reads()) {
        if (read.now < reached || read.at < read.now) return false;
        round.steps[number++] = {read.now - reached, read.at - read.now};
        reached = read.now + read.answer.cycles;
        waited += read.answer.cycles;
        if (read.attributes.port == Port::Instruction) {
            round.fetches.wait_cycles -= read.answer.cycles;
        } else if (!read.attributes.device) {
            round.data.wait_cycles -= read.answer.cycles;
        }
    }
    if (now() < reached) return false;
    round.tail = now() - reached;
    round.cycles = now() - start_cycle_ - waited;
    return now() != start_cycle_;
}

void PollingLoops::skip(const Round& round) {
    std::uint64_t rounds = 0;
    more_data_ = more_fetches_ = {};
    if (bus_.reads().empty()) {
        // After the last of them some of the slice is left, as the executed loop would have it.
        rounds = static_cast<std::uint64_t>(cpu_.budget - 1) / round.cycles;
        cpu_.budget -= static_cast<std::int64_t>(rounds * round.cycles);
    } else {
        while (repeat_reads(round)) ++rounds;
    }
    cpu_.instructions += rounds * round.instructions;
    skipped_rounds_ += rounds;
    more_data_.count += rounds * round.data.count;
    more_data_.wait_cycles += rounds * round.data.wait_cycles;
    more_fetches_.count += rounds * round.fetches.count;
    more_fetches_.wait_cycles += rounds * round.fetches.wait_cycles;
    if (cpu_.data_cache != nullptr) cpu_.data_cache->count_passed_reads(more_data_);
    if (cpu_.instruction_cache != nullptr)
        cpu_.instruction_cache->count_passed_reads(more_fetches_);
}

bool PollingLoops::repeat_reads(const Round& round) {
    const std::int64_t begin = cpu_.budget;
    const std::uint32_t pc = cpu_.pc;
    std::vector<ObservedRead>& reads = bus_.reads();
    std::size_t made = 0;
    for (; made < reads.size(); ++made) {
        const Step& step = round.steps[made];
        cpu_.budget -= static_cast<std::int64_t>(step.advance);
        cpu_.pc = reads[made].pc;
        // The executed loop would not come to this read before the slice ends.
        if (cpu_.budget <= 0) break;
        const std::uint64_t at = now() + step.ahead;
        if (!bus_.ask_again(reads[made], at, waited_[made])) break;
        reads[made].at = at;
        cpu_.budget -= static_cast<std::int64_t>(waited_[made]);
    }
    cpu_.budget -= static_cast<std::int64_t>(round.tail);
    cpu_.pc = pc;
    if (made == reads.size() && cpu_.budget > 0) {
        for (std::size_t i = 0; i < made; ++i) {
            if (reads[i].attributes.port == Port::Instruction) {
                more_fetches_.wait_cycles += waited_[i];
            } else if (!reads[i].attributes.device) {
                more_data_.wait_cycles += waited_[i];
            }
        }
        return true;
    }
    cpu_.budget = begin;
    for (std::size_t i = 0; i < made; ++i) {
        reads[i].answer.cycles = waited_[i];
        bus_.answer_later(reads[i]);
    }
    return false;
}

}  // namespace n6vp::models::core
