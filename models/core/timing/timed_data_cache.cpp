// SPDX-License-Identifier: Apache-2.0
#include "models/core/timing/timed_data_cache.h"

#include <algorithm>
#include <utility>

namespace n6vp::models::core {

namespace {

constexpr std::uint32_t kBeatBytes = 8;
constexpr std::uint32_t kBeats = DataCache::kLineBytes / kBeatBytes;

}  // namespace

TimedDataCache::TimedDataCache(const CacheParameters& parameters, CoreBus& bus,
                               std::vector<TcmRange> tcm, Coherence coherence)
    : parameters_(parameters),
      bus_(bus),
      tcm_(std::move(tcm)),
      tags_(whole(parameters.dcache_bytes), whole(parameters.dcache_ways), kLineBytes),
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
    open_.clear();
    note_open_cleans();
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

void TimedDataCache::write_back(CpuState& cpu, const CacheTags::Line& line, bool secure) {
    const auto entry = std::ranges::min_element(write_back_free_);
    BusAttributes with{Port::Data, secure, cpu.privileged, false, false};
    ++counters_.write_backs;
    const std::uint64_t start = std::max(now(cpu) + whole(parameters_.miss_request), *entry);
    Bytes bytes{};
    if (holds_data_) {
        bytes = content(line).held;
        if (about_to_write_back) about_to_write_back(line.address, line.address + (kLineBytes - 1));
    } else {
        // The line's data are in memory already, and others may have changed them since.
        with.unchanged = true;
        if (!copy_memory(line.address, bytes)) return;
    }
    *entry = start + bus_.write(line.address, bytes, with, start).cycles;
}

void TimedDataCache::fill(CpuState& cpu, std::uint32_t address, const Permission& permission,
                          LineFill& record) {
    const std::uint32_t line = tags_.line_of(address);
    pass_cleans(line, kLineBytes);
    CacheTags::Line& victim = tags_.next_victim(line);
    const bool evicts = victim.valid && victim.dirty;
    if (evicts && holds_data_) {
        pass_cleans(victim.address, kLineBytes);
        free_buffer();
    }
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
    pass_cleans(access.address, access.bytes);
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

void TimedDataCache::count_passed_reads(const PassedReads& more) {
    counters_.lookups += more.count;
    counters_.uncached_reads += more.count;
    counters_.wait_cycles += more.wait_cycles;
}

void TimedDataCache::wait_for_stores(CpuState& cpu, const MicroOp& op) {
    ahead_ = op.cycles_before;
    wait_until(cpu, *std::ranges::max_element(store_free_));
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

/// The access is allowed. That of an exception's entry may be one of the handler's state, while the
/// core is still in that of the code before.
Permission TimedDataCache::permission_of(CpuState& cpu, std::uint32_t address) {
    const Permission own =
        cpu.system->check(cpu, address, Intent::Read, cpu.privileged, cpu.secure);
    if (own.allowed || (cpu.privileged && cpu.secure)) return own;
    const Permission privileged = cpu.system->check(cpu, address, Intent::Read, true, cpu.secure);
    if (privileged.allowed || cpu.secure) return privileged;
    return cpu.system->check(cpu, address, Intent::Read, true, true);
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
    const Permission permission = permission_of(cpu, address);
    if (access.write || cached(address, permission)) ++changes_;
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
    ++changes_;
    note_position(access);
    const CacheTags::Line& line = line_for(cpu, access, permission);
    std::copy_n(content(line).held.data() + access.address % kLineBytes, access.bytes, to);
    return true;
}

bool TimedDataCache::write(CpuState& cpu, const CacheAccess& access, const Permission& permission,
                           const std::uint8_t* from) {
    if (!cached(access.address, permission)) return false;
    ++changes_;
    note_position(access);
    const bool writes_back = permission.write_back && !write_through_;
    CacheTags::Line* line =
        writes_back ? &line_for(cpu, access, permission) : tags_.look_up(access.address);
    if (line != nullptr)
        std::copy_n(from, access.bytes, content(*line).held.data() + access.address % kLineBytes);
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
        if (holds_data_) {
            open_real(cpu, *line);
        } else {
            wait_until(cpu, *std::ranges::min_element(write_back_free_));
            notice_write_back(*line);
            open_ideal(cpu, *line);
        }
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

}  // namespace n6vp::models::core
