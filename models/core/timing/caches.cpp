// SPDX-License-Identifier: Apache-2.0
#include "models/core/timing/caches.h"

#include <algorithm>
#include <span>
#include <utility>

namespace n6vp::models::core {

namespace {

constexpr std::uint32_t kLine = DataCache::kLineBytes;
constexpr std::uint32_t kBeatBytes = 8;
constexpr std::uint32_t kBeats = kLine / kBeatBytes;

std::uint32_t whole(const Parameter& parameter) {
    return static_cast<std::uint32_t>(parameter.value);
}

std::uint64_t cycle(const CpuState& cpu) {
    return cpu.cycle_base - static_cast<std::uint64_t>(cpu.budget);
}

bool in_ranges(const std::vector<TcmRange>& ranges, std::uint32_t address) {
    return std::ranges::any_of(ranges, [address](const TcmRange& range) {
        return range.start <= address && address <= range.end;
    });
}

BusAttributes attributes(const CpuState& cpu, const Permission& permission, Port port) {
    return {port, permission.secure, cpu.privileged, false, permission.device};
}

}  // namespace

TimedDataCache::TimedDataCache(const CacheParameters& parameters, CoreBus& bus,
                               std::vector<TcmRange> tcm)
    : parameters_(parameters),
      bus_(bus),
      tcm_(std::move(tcm)),
      tags_(whole(parameters.dcache_bytes), whole(parameters.dcache_ways), kLine),
      write_back_free_(std::max(1u, whole(parameters.write_back_buffers))),
      store_free_(std::max(1u, whole(parameters.store_buffers))) {}

void TimedDataCache::reset() {
    tags_.invalidate_all();
    clear_filter();
    enabled_ = write_through_ = false;
    load_fill_ = store_fill_ = {};
    fill_free_ = 0;
    std::ranges::fill(write_back_free_, 0);
    std::ranges::fill(store_free_, 0);
    counters_ = {};
}

void TimedDataCache::set_enabled(bool enabled, bool force_write_through) {
    enabled_ = enabled;
    write_through_ = force_write_through;
    clear_filter();
}

bool TimedDataCache::in_tcm(std::uint32_t address) const {
    return in_ranges(tcm_, address);
}

void TimedDataCache::wait_until(CpuState& cpu, std::uint64_t when) {
    const std::uint64_t now = cycle(cpu);
    if (when <= now) return;
    counters_.wait_cycles += when - now;
    cpu.budget -= static_cast<std::int64_t>(when - now);
}

void TimedDataCache::write_back(CpuState& cpu, std::uint32_t line, bool secure) {
    const auto entry = std::ranges::min_element(write_back_free_);
    const BusAttributes with{Port::Data, secure, cpu.privileged, false, false};
    const DirectMemory memory = bus_.direct(line, with);
    ++counters_.write_backs;
    const std::uint64_t start = std::max(cycle(cpu) + whole(parameters_.miss_request), *entry);
    // The line's data are in memory already: the transaction carries what is there.
    std::array<std::uint8_t, kLine> bytes{};
    if (memory.bytes != nullptr && memory.readable) {
        std::copy_n(memory.bytes + (line - memory.start), kLine, bytes.begin());
        *entry = start + bus_.write(line, bytes, with, start).cycles;
    }
}

void TimedDataCache::fill(CpuState& cpu, std::uint32_t address, const Permission& permission,
                          LineFill& record) {
    const std::uint32_t line = tags_.line_of(address);
    const CacheTags::Line victim = tags_.victim(line);
    const bool evicts = victim.valid && victim.dirty;
    std::uint64_t start = std::max(cycle(cpu) + whole(parameters_.miss_request), fill_free_);
    if (evicts) start = std::max(start, *std::ranges::min_element(write_back_free_));
    std::array<std::uint8_t, kLine> bytes{};
    const BusAnswer answer = bus_.read(line, bytes, attributes(cpu, permission, Port::Data), start);
    ++counters_.fills;
    record.line = line;
    record.first = (address - line) / kBeatBytes;
    record.last_beat = start + answer.cycles;
    record.first_beat = answer.first_cycles != 0 ? start + answer.first_cycles : record.last_beat;
    fill_free_ = record.last_beat + whole(parameters_.fill_turnaround);
    if (evicts) write_back(cpu, victim.address, permission.secure);
    if (victim.valid) expel(victim.address);
    tags_.allocate(line);
}

std::uint64_t TimedDataCache::available(std::uint32_t address) const {
    const std::uint32_t line = tags_.line_of(address);
    std::uint64_t when = 0;
    for (const LineFill* fill : {&load_fill_, &store_fill_}) {
        if (fill->line != line) continue;
        const std::uint32_t turn = ((address - line) / kBeatBytes + kBeats - fill->first) % kBeats;
        const std::uint64_t span = fill->last_beat - fill->first_beat;
        when = std::max(
            when, fill->first_beat + turn * span / (kBeats - 1) + whole(parameters_.miss_answer));
    }
    return when;
}

void TimedDataCache::pass_by(CpuState& cpu, std::uint32_t address, bool write,
                             const Permission& permission) {
    std::array<std::uint8_t, 4> bytes{};
    const std::uint32_t word = address & ~3u;
    const BusAttributes with = attributes(cpu, permission, Port::Data);
    if (!write) {
        ++counters_.uncached_reads;
        wait_until(cpu, cycle(cpu) + bus_.read(word, bytes, with, cycle(cpu)).cycles);
        return;
    }
    ++counters_.uncached_writes;
    const auto entry = std::ranges::min_element(store_free_);
    wait_until(cpu, *entry);
    const DirectMemory memory = bus_.direct(word, with);
    if (memory.bytes != nullptr && memory.readable)
        std::copy_n(memory.bytes + (word - memory.start), bytes.size(), bytes.begin());
    *entry = cycle(cpu) + bus_.write(word, bytes, with, cycle(cpu)).cycles;
}

void TimedDataCache::miss_filter(CpuState& cpu, std::uint32_t address, bool write) {
    if (in_tcm(address)) {
        admit(address, true);
        return;
    }
    ++counters_.lookups;
    const Permission permission =
        cpu.system->check(cpu, address, Intent::Read, cpu.privileged, cpu.secure);
    if (!enabled_ || !permission.cacheable) {
        pass_by(cpu, address, write, permission);
        return;
    }
    const bool write_back = permission.write_back && !write_through_;
    CacheTags::Line* line = tags_.look_up(address);
    if (write && !write_back) {
        pass_by(cpu, address, true,
                permission);  // a line that is there is updated, none is fetched
        return;
    }
    if (line == nullptr) {
        if (write) wait_until(cpu, store_fill_.last_beat);
        fill(cpu, address, permission, write ? store_fill_ : load_fill_);
        line = tags_.look_up(address);
    }
    if (write) {
        line->dirty = true;
    } else {
        wait_until(cpu, available(address));
    }
    // Until the whole line has come, each access asks which beats are there.
    const bool complete = cycle(cpu) >= load_fill_.last_beat || load_fill_.line != line->address;
    const bool stored = cycle(cpu) >= store_fill_.last_beat || store_fill_.line != line->address;
    if (complete && stored) admit(address, write && write_back);
}

void TimedDataCache::maintain_line(CpuState& cpu, CacheMaintenance::Action action,
                                   std::uint32_t address) {
    cpu.budget -= static_cast<std::int64_t>(parameters_.maintenance_cycles.value);
    CacheTags::Line* line = tags_.find(address);
    if (line == nullptr) return;
    expel(address);
    if (action != CacheMaintenance::Action::Invalidate && line->dirty) {
        wait_until(cpu, *std::ranges::min_element(write_back_free_));
        write_back(cpu, line->address, cpu.secure);
    }
    line->dirty = false;
    if (action != CacheMaintenance::Action::Clean) line->valid = false;
}

void TimedDataCache::maintain_set_way(CpuState& cpu, CacheMaintenance::Action action, unsigned set,
                                      unsigned way) {
    CacheTags::Line* line = tags_.at(set, way);
    if (line == nullptr || !line->valid) {
        cpu.budget -= static_cast<std::int64_t>(parameters_.maintenance_cycles.value);
        return;
    }
    maintain_line(cpu, action, line->address);
}

TimedInstructionCache::TimedInstructionCache(const CacheParameters& parameters, CoreBus& bus,
                                             std::vector<TcmRange> tcm)
    : parameters_(parameters),
      bus_(bus),
      tcm_(std::move(tcm)),
      tags_(whole(parameters.icache_bytes), whole(parameters.icache_ways), kLine) {}

void TimedInstructionCache::reset() {
    tags_.invalidate_all();
    clear_filter();
    enabled_ = false;
    counters_ = {};
}

void TimedInstructionCache::set_enabled(bool enabled) {
    enabled_ = enabled;
    clear_filter();
}

void TimedInstructionCache::invalidate_line(CpuState& cpu, std::uint32_t address) {
    cpu.budget -= static_cast<std::int64_t>(parameters_.maintenance_cycles.value);
    expel(address);
    if (CacheTags::Line* line = tags_.find(address)) line->valid = false;
}

void TimedInstructionCache::invalidate_all() {
    tags_.invalidate_all();
    clear_filter();
}

void TimedInstructionCache::miss_filter(CpuState& cpu, std::uint32_t address) {
    if (in_ranges(tcm_, address)) {
        admit(address);
        return;
    }
    const Permission permission =
        cpu.system->check(cpu, address, Intent::Execute, cpu.privileged, cpu.secure);
    const bool cached = enabled_ && permission.cacheable;
    if (cached && tags_.look_up(address) != nullptr) {
        admit(address);
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
    const CacheTags::Line victim = tags_.victim(address);
    if (victim.valid) expel(victim.address);
    tags_.allocate(tags_.line_of(address));
    admit(address);
}

void CoreCaches::reset() {
    data.reset();
    instructions.reset();
}

void CoreCaches::maintain_data_line(CpuState& cpu, Action action, std::uint32_t address) {
    data.maintain_line(cpu, action, address);
}

void CoreCaches::maintain_data_set_way(CpuState& cpu, Action action, unsigned set, unsigned way) {
    data.maintain_set_way(cpu, action, set, way);
}

void CoreCaches::invalidate_instruction_line(CpuState& cpu, std::uint32_t address) {
    instructions.invalidate_line(cpu, address);
}

void CoreCaches::invalidate_all_instructions(CpuState& cpu) {
    cpu.budget -= static_cast<std::int64_t>(parameters_.maintenance_cycles.value);
    instructions.invalidate_all();
}

void CoreCaches::invalidate_branch_predictor(CpuState& /*cpu*/) {}

void CoreCaches::enable(CpuState& /*cpu*/, bool instruction, bool data_too,
                        bool force_write_through) {
    instructions.set_enabled(instruction);
    data.set_enabled(data_too, force_write_through);
}

bool CoreCaches::events(const CpuState& /*cpu*/, unsigned event, std::uint64_t& total) {
    // Architectural event numbers of the PMU.
    constexpr unsigned kL1iRefill = 0x01, kL1dRefill = 0x03, kL1dWriteBack = 0x15;
    switch (event) {
        case kL1iRefill:
            total = instructions.counters().fills;
            return true;
        case kL1dRefill:
            total = data.counters().fills;
            return true;
        case kL1dWriteBack:
            total = data.counters().write_backs;
            return true;
        default:
            return false;
    }
}

}  // namespace n6vp::models::core
