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

std::uint32_t byte_mask(std::uint32_t address, unsigned bytes) {
    const std::uint32_t ones = bytes >= 32 ? ~0u : (1u << bytes) - 1;
    return ones << address % kLine;
}

/// Bytes of the line at `line` that lie in [start, end].
std::uint32_t overlap_mask(std::uint32_t line, std::uint32_t start, std::uint32_t end) {
    const std::uint32_t first = std::max(line, start), last = std::min(line + (kLine - 1), end);
    return first > last ? 0 : byte_mask(first, last - first + 1);
}

}  // namespace

TimedDataCache::TimedDataCache(const CacheParameters& parameters, CoreBus& bus,
                               std::vector<TcmRange> tcm, Coherence coherence)
    : parameters_(parameters),
      bus_(bus),
      tcm_(std::move(tcm)),
      tags_(whole(parameters.dcache_bytes), whole(parameters.dcache_ways), kLine),
      write_back_free_(std::max(1u, whole(parameters.write_back_buffers))),
      store_free_(std::max(1u, whole(parameters.store_buffers))),
      contents_(tags_.slots()) {
    holds_data_ = coherence == Coherence::Real;
}

void TimedDataCache::reset() {
    tags_.invalidate_all();
    clear_filter();
    enabled_ = write_through_ = false;
    load_fill_ = store_fill_ = {};
    fill_free_ = 0;
    std::ranges::fill(write_back_free_, 0);
    std::ranges::fill(store_free_, 0);
    if (contents_used_) std::ranges::fill(contents_, Content{});
    contents_used_ = false;
    counters_ = {};
    found_ = {};
}

void TimedDataCache::set_enabled(bool enabled, bool force_write_through) {
    enabled_ = enabled;
    write_through_ = force_write_through;
    clear_filter();
}

bool TimedDataCache::bypassed(std::uint32_t address) const {
    return in_ranges(tcm_, address);
}

std::uint64_t TimedDataCache::now(const CpuState& cpu) const {
    return cycle(cpu) + ahead_;
}

void TimedDataCache::wait_until(CpuState& cpu, std::uint64_t when) {
    const std::uint64_t current = now(cpu);
    if (when <= current) return;
    counters_.wait_cycles += when - current;
    cpu.budget -= static_cast<std::int64_t>(when - current);
}

bool TimedDataCache::copy_memory(std::uint32_t line, Bytes& to) {
    const DirectMemory memory = bus_.direct(line, {});
    if (memory.bytes == nullptr || !memory.readable || memory.end - line < kLine - 1) return false;
    std::copy_n(memory.bytes + (line - memory.start), kLine, to.begin());
    return true;
}

void TimedDataCache::compare(const Bytes& one, const Bytes& two, std::uint32_t bytes,
                             CoherenceEvent event) {
    event.bytes = 0;
    for (std::uint32_t i = kLine; i-- > 0;) {
        if ((bytes >> i & 1) == 0 || one[i] == two[i]) continue;
        ++event.bytes;
        event.address = (event.address & ~(kLine - 1)) + i;
    }
    if (event.bytes == 0) {
        ++found_.benign;
        return;
    }
    ++found_.events;
    if (hook_) hook_(event);
}

void TimedDataCache::make_dirty(CacheTags::Line& line) {
    if (!line.dirty && !holds_data_) copy_memory(line.address, content(line).memory);
    line.dirty = true;
}

void TimedDataCache::notice_access(CacheTags::Line& line, const CacheAccess& access) {
    Content& kept = content(line);
    const std::uint32_t touched = byte_mask(access.address, access.bytes);
    if (access.write) {
        kept.differs &= ~touched;  // the core's own bytes are the same on both sides
        return;
    }
    Bytes memory{};
    if (holds_data_ || kept.differs == 0 || !copy_memory(line.address, memory)) return;
    const std::uint32_t pc = access.op != nullptr ? access.op->pc : 0;
    if ((kept.differs & touched) == 0) {
        ++found_.benign;
        return;
    }
    compare(kept.held, memory, kept.differs & touched,
            {CoherenceEvent::Kind::CoreReadStale, line.address, 0, pc, kept.other});
}

void TimedDataCache::notice_write_back(CacheTags::Line& line) {
    Content& kept = content(line);
    Bytes memory{};
    if (holds_data_ || kept.differs == 0 || !copy_memory(line.address, memory)) return;
    compare(kept.held, memory, kept.differs,
            {CoherenceEvent::Kind::OtherWriteLost, line.address, 0, 0, kept.other});
}

void TimedDataCache::notice_loss(CacheTags::Line& line) {
    Content& kept = content(line);
    Bytes memory{};
    if (holds_data_ || !line.dirty || !copy_memory(line.address, memory)) return;
    compare(kept.memory, memory, ~kept.differs,
            {CoherenceEvent::Kind::CoreWriteLost, line.address, 0, 0, ""});
}

void TimedDataCache::other_writes(std::uint32_t start, std::uint32_t end, const char* other) {
    for (std::uint64_t at = tags_.line_of(start); at <= end; at += kLine) {
        CacheTags::Line* line = tags_.find(static_cast<std::uint32_t>(at));
        Bytes memory{};
        if (line == nullptr || holds_data_ || !copy_memory(line->address, memory)) continue;
        Content& kept = content(*line);
        const std::uint32_t written = overlap_mask(line->address, start, end);
        for (std::uint32_t i = 0; i < kLine; ++i) {
            if ((written & ~kept.differs) >> i & 1) kept.held[i] = memory[i];
        }
        kept.differs |= written;
        kept.other = other;
        expel(line->address);
    }
}

void TimedDataCache::other_reads(std::uint32_t start, std::uint32_t end, const char* other) {
    for (std::uint64_t at = tags_.line_of(start); at <= end; at += kLine) {
        CacheTags::Line* line = tags_.find(static_cast<std::uint32_t>(at));
        Bytes memory{};
        if (line == nullptr || !line->dirty || holds_data_ || !copy_memory(line->address, memory))
            continue;
        const Content& kept = content(*line);
        compare(kept.memory, memory, overlap_mask(line->address, start, end) & ~kept.differs,
                {CoherenceEvent::Kind::OtherReadStale, line->address, 0, 0, other});
    }
}

bool TimedDataCache::hides(std::uint32_t address, std::uint32_t& first, std::uint32_t& count) {
    const CacheTags::Line* line = tags_.find(address);
    Bytes memory{};
    count = 0;
    if (line == nullptr || !line->dirty || !copy_memory(line->address, memory)) return false;
    const Content& kept = content(*line);
    const Bytes& without_cache = holds_data_ ? memory : kept.memory;
    const Bytes& with_cache = holds_data_ ? kept.held : memory;
    for (std::uint32_t i = kLine; i-- > 0;) {
        if (without_cache[i] == with_cache[i]) continue;
        ++count;
        first = line->address + i;
    }
    return count != 0;
}

template <class Action>
void TimedDataCache::for_held(std::uint32_t start, std::size_t count, Action&& action) {
    if (!holds_data_) return;
    for (std::size_t done = 0; done < count;) {
        const auto at = static_cast<std::uint32_t>(start + done);
        const std::size_t piece = std::min<std::size_t>(kLine - at % kLine, count - done);
        if (const CacheTags::Line* line = tags_.find(at)) {
            for (std::size_t i = 0; i < piece; ++i)
                action(content(*line).held[at % kLine + i], done + i);
        }
        done += piece;
    }
}

void TimedDataCache::look(std::uint32_t start, std::span<std::uint8_t> bytes) {
    for_held(start, bytes.size(),
             [bytes](std::uint8_t held, std::size_t position) { bytes[position] = held; });
}

void TimedDataCache::replace(std::uint32_t start, std::span<const std::uint8_t> bytes) {
    for_held(start, bytes.size(),
             [bytes](std::uint8_t& held, std::size_t position) { held = bytes[position]; });
}

void TimedDataCache::write_back(CpuState& cpu, const CacheTags::Line& line, bool secure) {
    const auto entry = std::ranges::min_element(write_back_free_);
    const BusAttributes with{Port::Data, secure, cpu.privileged, false, false};
    ++counters_.write_backs;
    const std::uint64_t start = std::max(now(cpu) + whole(parameters_.miss_request), *entry);
    // Ideal: the line's data are in memory already, the transaction carries what is there.
    Bytes bytes{};
    if (holds_data_) {
        bytes = content(line).held;
    } else if (!copy_memory(line.address, bytes)) {
        return;
    }
    *entry = start + bus_.write(line.address, bytes, with, start).cycles;
}

void TimedDataCache::fill(CpuState& cpu, std::uint32_t address, const Permission& permission,
                          LineFill& record) {
    const std::uint32_t line = tags_.line_of(address);
    CacheTags::Line& victim = tags_.next_victim(line);
    const bool evicts = victim.valid && victim.dirty;
    std::uint64_t start = std::max(now(cpu) + whole(parameters_.miss_request), fill_free_);
    if (evicts) start = std::max(start, *std::ranges::min_element(write_back_free_));
    if (evicts && holds_data_) write_back(cpu, victim, permission.secure);
    Bytes bytes{};
    BusAttributes with = attributes(cpu, permission, Port::Data);
    with.for_store = &record == &store_fill_;
    const BusAnswer answer = bus_.read(line, bytes, with, start);
    ++counters_.fills;
    record.line = line;
    record.first = (address - line) / kBeatBytes;
    record.last_beat = start + answer.cycles;
    record.first_beat = answer.first_cycles != 0 ? start + answer.first_cycles : record.last_beat;
    fill_free_ = record.last_beat + whole(parameters_.fill_turnaround);
    if (evicts && !holds_data_) {
        notice_write_back(victim);
        write_back(cpu, victim, permission.secure);
    }
    if (victim.valid) expel(victim.address);
    Content& fresh = content(tags_.allocate(line));
    fresh.differs = 0;
    if (holds_data_) fresh.held = bytes;
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

void TimedDataCache::pass_by(CpuState& cpu, const CacheAccess& access,
                             const Permission& permission) {
    std::array<std::uint8_t, 4> bytes{};
    const std::uint32_t address = access.address, word = address & ~3u;
    const BusAttributes with = attributes(cpu, permission, Port::Data);
    if (!access.write) {
        ++counters_.uncached_reads;
        wait_until(cpu, now(cpu) + bus_.read(word, bytes, with, now(cpu)).cycles);
        return;
    }
    ++counters_.uncached_writes;
    const auto entry = std::ranges::min_element(store_free_);
    wait_until(cpu, *entry);
    // The store puts its bytes into memory itself, afterwards. What is written here is nothing but
    // old values of these bytes, never of others, which another master may be writing meanwhile.
    const std::uint32_t count = std::min(access.bytes, 4 - (address - word));
    const std::span<std::uint8_t> own(bytes.data(), count);
    const DirectMemory memory = bus_.direct(address, with);
    if (memory.bytes != nullptr && memory.readable)
        std::copy_n(memory.bytes + (address - memory.start), count, own.begin());
    *entry = now(cpu) + bus_.write(address, own, with, now(cpu)).cycles;
}

void TimedDataCache::note_position(const CacheAccess& access) {
    ahead_ = access.op != nullptr ? access.op->cycles_before : 0;
}

CacheTags::Line& TimedDataCache::line_for(CpuState& cpu, const CacheAccess& access,
                                          const Permission& permission) {
    CacheTags::Line* line = tags_.look_up(access.address);
    if (line == nullptr) {
        if (access.write) wait_until(cpu, store_fill_.last_beat);
        fill(cpu, access.address, permission, access.write ? store_fill_ : load_fill_);
        line = tags_.look_up(access.address);
    }
    if (access.write) {
        make_dirty(*line);
    } else {
        wait_until(cpu, available(access.address));
    }
    notice_access(*line, access);
    return *line;
}

void TimedDataCache::miss_filter(CpuState& cpu, const CacheAccess& access) {
    note_position(access);
    if (access.op != nullptr) cpu.pc = access.op->pc;  // who asks from inside a bus access
    const std::uint32_t address = access.address;
    if (bypassed(address)) {
        admit(address, true);
        return;
    }
    ++counters_.lookups;
    const Permission permission =
        cpu.system->check(cpu, address, Intent::Read, cpu.privileged, cpu.secure);
    if (!cached(address, permission)) {
        pass_by(cpu, access, permission);
        return;
    }
    const bool writes_back = permission.write_back && !write_through_;
    if (access.write && !writes_back) {
        // A line that is there is updated, none is fetched.
        pass_by(cpu, access, permission);
        if (CacheTags::Line* line = tags_.look_up(address)) notice_access(*line, access);
        return;
    }
    const CacheTags::Line& line = line_for(cpu, access, permission);
    // Until the whole line has come, each access asks which beats are there.
    const bool loaded = now(cpu) >= load_fill_.last_beat || load_fill_.line != line.address;
    const bool stored = now(cpu) >= store_fill_.last_beat || store_fill_.line != line.address;
    if (loaded && stored && content(line).differs == 0) admit(address, access.write && writes_back);
}

bool TimedDataCache::read(CpuState& cpu, const CacheAccess& access, const Permission& permission,
                          std::uint8_t* to) {
    if (!cached(access.address, permission)) return false;
    note_position(access);
    const CacheTags::Line& line = line_for(cpu, access, permission);
    std::copy_n(content(line).held.data() + access.address % kLine, access.bytes, to);
    return true;
}

bool TimedDataCache::write(CpuState& cpu, const CacheAccess& access, const Permission& permission,
                           const std::uint8_t* from) {
    if (!cached(access.address, permission)) return false;
    note_position(access);
    const bool writes_back = permission.write_back && !write_through_;
    CacheTags::Line* line =
        writes_back ? &line_for(cpu, access, permission) : tags_.look_up(access.address);
    if (line != nullptr)
        std::copy_n(from, access.bytes, content(*line).held.data() + access.address % kLine);
    return writes_back;
}

void TimedDataCache::maintain_line(CpuState& cpu, CacheMaintenance::Action action,
                                   std::uint32_t address) {
    ahead_ = 0;  // a register write says nothing of its place
    cpu.budget -= static_cast<std::int64_t>(parameters_.maintenance_cycles.value);
    CacheTags::Line* line = tags_.find(address);
    if (line == nullptr) return;
    expel(address);
    if (action == CacheMaintenance::Action::Invalidate) {
        notice_loss(*line);
    } else if (line->dirty) {
        wait_until(cpu, *std::ranges::min_element(write_back_free_));
        notice_write_back(*line);
        write_back(cpu, *line, cpu.secure);
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
                                             std::vector<TcmRange> tcm, TimedDataCache& data)
    : parameters_(parameters),
      bus_(bus),
      tcm_(std::move(tcm)),
      data_(data),
      tags_(whole(parameters.icache_bytes), whole(parameters.icache_ways), kLine) {}

void TimedInstructionCache::reset() {
    tags_.invalidate_all();
    clear_filter();
    enabled_ = false;
    counters_ = {};
    stale_.clear();
}

void TimedInstructionCache::memory_changes(std::uint32_t start, std::uint32_t end) {
    for (std::uint64_t at = tags_.line_of(start); at <= end; at += kLine) {
        const CacheTags::Line* line = tags_.find(static_cast<std::uint32_t>(at));
        if (line == nullptr || stale_.contains(line->address)) continue;
        const DirectMemory memory = bus_.direct(line->address, {});
        if (memory.bytes == nullptr) continue;
        std::copy_n(memory.bytes + (line->address - memory.start), kLine,
                    stale_[line->address].begin());
        expel(line->address);
    }
}

void TimedInstructionCache::notice_stale(const CacheTags::Line& line) {
    const auto old = stale_.find(line.address);
    const DirectMemory memory = bus_.direct(line.address, {});
    if (old == stale_.end() || memory.bytes == nullptr) return;
    const std::uint8_t* now = memory.bytes + (line.address - memory.start);
    CoherenceEvent event{CoherenceEvent::Kind::StaleCode, 0, 0, line.address, "core"};
    for (std::uint32_t i = kLine; i-- > 0;) {
        if (old->second[i] == now[i]) continue;
        ++event.bytes;
        event.address = line.address + i;
    }
    if (event.bytes != 0 && hook_) hook_(event);
}

void TimedInstructionCache::set_enabled(bool enabled) {
    enabled_ = enabled;
    clear_filter();
}

void TimedInstructionCache::invalidate_line(CpuState& cpu, std::uint32_t address) {
    cpu.budget -= static_cast<std::int64_t>(parameters_.maintenance_cycles.value);
    expel(address);
    stale_.erase(tags_.line_of(address));
    if (CacheTags::Line* line = tags_.find(address)) line->valid = false;
}

void TimedInstructionCache::invalidate_all() {
    tags_.invalidate_all();
    clear_filter();
    stale_.clear();
}

void TimedInstructionCache::miss_filter(CpuState& cpu, std::uint32_t address) {
    if (in_ranges(tcm_, address)) {
        admit(address);
        return;
    }
    const Permission permission =
        cpu.system->check(cpu, address, Intent::Execute, cpu.privileged, cpu.secure);
    if (!permission.allowed) return;  // the block raises the fault
    const bool cached = enabled_ && permission.cacheable;
    if (const CacheTags::Line* line = cached ? tags_.look_up(address) : nullptr) {
        notice_stale(*line);
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
    CoherenceEvent event{CoherenceEvent::Kind::UnwrittenCode, 0, 0, address, "core"};
    if (data_.hides(address, event.address, event.bytes) && hook_) hook_(event);
    const CacheTags::Line victim = tags_.victim(address);
    if (victim.valid) expel(victim.address);
    stale_.erase(tags_.line_of(address));
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
