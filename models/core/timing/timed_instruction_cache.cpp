// SPDX-License-Identifier: Apache-2.0
#include "models/core/timing/timed_instruction_cache.h"

#include <algorithm>
#include <utility>

#include "models/core/ir/micro_op.h"

namespace n6vp::models::core {

namespace {

constexpr std::uint32_t kLine = InstructionCache::kLineBytes;

}  // namespace

TimedInstructionCache::TimedInstructionCache(const CacheParameters& parameters, CoreBus& bus,
                                             std::vector<TcmRange> tcm, TimedDataCache& data,
                                             Coherence coherence)
    : parameters_(parameters),
      bus_(bus),
      tcm_(std::move(tcm)),
      data_(data),
      tags_(whole(parameters.icache_bytes), whole(parameters.icache_ways), kLine),
      real_(coherence == Coherence::Real) {}

void TimedInstructionCache::reset() {
    tags_.invalidate_all();
    clear_filter();
    enabled_ = false;
    counters_ = {};
    stale_.clear();
    runs_stale_code_ = false;
}

bool TimedInstructionCache::holds(std::uint32_t start, std::uint32_t end) const {
    for (std::uint64_t at = tags_.line_of(start); at <= end; at += kLine) {
        if (tags_.find(static_cast<std::uint32_t>(at)) != nullptr) return true;
    }
    return false;
}

void TimedInstructionCache::memory_changes(std::uint32_t start, std::uint32_t end) {
    if (!tags_.may_hold(start, end)) return;
    for (std::uint64_t at = tags_.line_of(start); at <= end; at += kLine) {
        const CacheTags::Line* line = tags_.find(static_cast<std::uint32_t>(at));
        if (line == nullptr || stale_.contains(line->address)) continue;
        Bytes old{};
        if (!bus_.look(line->address, old)) continue;
        stale_[line->address] = old;
        runs_stale_code_ = real_;
        expel(line->address);
    }
}

void TimedInstructionCache::replace(std::uint32_t start, std::span<const std::uint8_t> bytes) {
    for (auto& [line, held] : stale_) {
        for (std::uint32_t i = 0; i < kLine; ++i) {
            const std::uint32_t position = line + i - start;
            if (position < bytes.size()) held[i] = bytes[position];
        }
    }
}

const std::uint8_t* TimedInstructionCache::find_stale(std::uint32_t address) const {
    if (!enabled_) return nullptr;
    const auto line = stale_.find(tags_.line_of(address));
    return line == stale_.end() ? nullptr : line->second.data() + address % kLine;
}

void TimedInstructionCache::forget_stale(std::uint32_t line) {
    if (stale_.erase(line) == 0 || !real_) return;
    runs_stale_code_ = !stale_.empty();
    if (on_other_code) on_other_code(line, line + (kLine - 1));
}

void TimedInstructionCache::tell_other_code() {
    if (!real_ || !on_other_code) return;
    for (const auto& [line, held] : stale_) on_other_code(line, line + (kLine - 1));
}

void TimedInstructionCache::notice_stale(const CacheTags::Line& line, std::uint32_t pc) {
    const auto old = stale_.find(line.address);
    Bytes now{};
    if (old == stale_.end() || !bus_.look(line.address, now)) return;
    CoherenceEvent event{CoherenceEvent::Kind::StaleCode, 0, 0, pc, "core"};
    for (std::uint32_t i = kLine; i-- > 0;) {
        if (old->second[i] == now[i]) continue;
        ++event.bytes;
        event.address = line.address + i;
    }
    if (event.bytes != 0) report_(event);
}

void TimedInstructionCache::set_enabled(bool enabled) {
    if (enabled != enabled_) tell_other_code();
    // Loops that need not ask for their lines again must do so from now on.
    if (enabled_ && !enabled && on_other_code) on_other_code(0, 0xFFFFFFFF);
    enabled_ = enabled;
    clear_filter();
}

void TimedInstructionCache::invalidate_line(CpuState& cpu, std::uint32_t address) {
    cpu.budget -= static_cast<std::int64_t>(parameters_.maintenance_cycles.value);
    expel(address);
    if (CacheTags::Line* line = tags_.find(address)) line->valid = false;
    forget_stale(tags_.line_of(address));
}

void TimedInstructionCache::invalidate_all() {
    tags_.invalidate_all();
    clear_filter();
    tell_other_code();
    stale_.clear();
    runs_stale_code_ = false;
}

void TimedInstructionCache::miss_filter(CpuState& cpu, std::uint32_t address, std::uint32_t pc) {
    if (in_ranges(tcm_, address)) {
        admit(address);
        return;
    }
    const Permission permission =
        cpu.system->check(cpu, address, Intent::Execute, cpu.privileged, cpu.secure);
    if (!permission.allowed) return;  // the block raises the fault
    const bool cached = enabled_ && permission.cacheable;
    if (cached) ++changes_;
    if (const CacheTags::Line* line = cached ? tags_.look_up(address) : nullptr) {
        notice_stale(*line, pc);
        if (!stale_.contains(line->address)) admit(address);
        return;
    }
    std::array<std::uint8_t, kLine> bytes{};
    const std::uint64_t start = cycle(cpu) + whole(parameters_.miss_request);
    const BusAnswer answer = bus_.read(tags_.line_of(address), bytes,
                                       attributes(cpu, permission, Port::Instruction), start);
    // A block runs from one end of the line to the other: it waits for the whole line.
    const std::uint64_t wait =
        whole(parameters_.miss_request) + answer.cycles + whole(parameters_.miss_answer);
    counters_.wait_cycles += wait;
    cpu.budget -= static_cast<std::int64_t>(wait);
    if (!cached) {
        ++counters_.uncached;
        return;
    }
    ++counters_.fills;
    CoherenceEvent event{CoherenceEvent::Kind::UnwrittenCode, 0, 0, pc, "core"};
    if (data_.hides(address, event.address, event.bytes)) report_(event);
    const CacheTags::Line victim = tags_.victim(address);
    if (victim.valid) {
        expel(victim.address);
        forget_stale(victim.address);
    }
    tags_.allocate(tags_.line_of(address));
    admit(address);
}

}  // namespace n6vp::models::core
