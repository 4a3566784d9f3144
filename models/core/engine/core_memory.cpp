// SPDX-License-Identifier: Apache-2.0
#include "models/core/engine/core_memory.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <utility>

namespace n6vp::models::core {

namespace {

constexpr std::size_t kPages = std::size_t{1} << 20;
/// Stands for accesses that no instruction makes.
constexpr MicroOp kNoInstruction{};

constexpr std::uint32_t kPpbStart = 0xE0000000, kPpbEnd = 0xE00FFFFF;

bool is_ppb(std::uint32_t address) {
    return address >= kPpbStart && address <= kPpbEnd;
}

}  // namespace

void PageTable::Free::operator()(std::uint8_t** pages) const {
    std::free(pages);
}

// calloc takes fresh pages from the host without touching them.
PageTable::PageTable()
    : pages_(static_cast<std::uint8_t**>(std::calloc(kPages, sizeof(std::uint8_t*)))) {
    if (pages_ == nullptr) throw std::bad_alloc();
}

void PageTable::set(std::uint32_t page, std::uint8_t* host) {
    if (pages_.get()[page] == nullptr) used_.push_back(page);
    pages_.get()[page] = host;
}

void PageTable::clear(std::uint32_t page) {
    if (pages_.get()[page] == nullptr) return;
    pages_.get()[page] = nullptr;
    std::erase(used_, page);  // or pages that come and go, as code that changes does, fill the list
}

void PageTable::clear_all() {
    for (const std::uint32_t page : used_) pages_.get()[page] = nullptr;
    used_.clear();
}

void CoreMemory::select_context() {
    const unsigned index = system_->context(cpu_);
    if (index != context_) {
        // What was decoded and chained was allowed in another context.
        context_ = index;
        blocks_.forget_jumps();
        ask_for_attention(cpu_);
    }
    Context& context = contexts_[index];
    cpu_.read_pages = context.read.entries();
    cpu_.write_pages = context.write.entries();
}

void CoreMemory::forget_pages() {
    for (Context& context : contexts_) {
        context.read.clear_all();
        context.write.clear_all();
    }
}

void CoreMemory::invalidate(std::uint32_t start, std::uint32_t end) {
    forget_pages();
    blocks_.drop(start, end);
}

void CoreMemory::guard_code(std::uint32_t first_page, std::uint32_t last_page) {
    for (Context& context : contexts_) {
        context.write.clear(first_page);
        context.write.clear(last_page);
    }
}

void CoreMemory::set_watchpoints(std::vector<Watchpoint> watchpoints) {
    watchpoints_ = std::move(watchpoints);
    forget_pages();
}

bool CoreMemory::watched(std::uint32_t page) const {
    return std::ranges::any_of(watchpoints_, [page](const Watchpoint& point) {
        return point.address / kPageBytes <= page &&
               page <= (point.address + (point.bytes - 1)) / kPageBytes;
    });
}

void CoreMemory::watch(const MicroOp& op, std::uint32_t address, unsigned bytes, bool write) {
    for (const Watchpoint& point : watchpoints_) {
        if (write ? !point.on_write : !point.on_read) continue;
        if (address + (bytes - 1) < point.address || point.address + (point.bytes - 1) < address)
            continue;
        watch_hit_ = true;
        hit_ = {address, op.pc, write};
        ask_for_attention(cpu_);
    }
}

std::uint64_t CoreMemory::now(const MicroOp& op) const {
    return cpu_.cycle_base - static_cast<std::uint64_t>(cpu_.budget) + op.cycles_before;
}

bool CoreMemory::bus_fault(std::uint32_t address) {
    cpu_.fault = {Exception::BusFault, cfsr::kPrecisErr, address, true};
    cpu_.exit = Exit::Fault;
    return false;
}

void CoreMemory::enter_page(std::uint32_t address, const DirectMemory& memory,
                            const Permission& permission) {
    const std::uint32_t page = address / kPageBytes;
    const std::uint32_t start = page * kPageBytes, end = start + (kPageBytes - 1);
    if (!permission.uniform_page || permission.device || memory.start > start || memory.end < end ||
        watched(page) || held_by_cache(address, permission))
        return;
    std::uint8_t* host = memory.bytes + (start - memory.start);
    Context& context = contexts_[system_->context(cpu_)];
    const auto allowed = [&](Intent intent) {
        return system_->check(cpu_, address, intent, cpu_.privileged, cpu_.secure).allowed;
    };
    if (memory.readable && allowed(Intent::Read)) context.read.set(page, host);
    if (memory.writable && !blocks_.has_code(page) && allowed(Intent::Write))
        context.write.set(page, host);
}

bool CoreMemory::locate(std::uint32_t address, Intent intent, AccessKind kind, Place& place) {
    const bool privileged = cpu_.privileged && kind != AccessKind::Unprivileged;
    place.permission = system_->check(cpu_, address, intent, privileged, cpu_.secure);
    if (!place.permission.allowed) {
        cpu_.fault = place.permission.fault;
        cpu_.exit = Exit::Fault;
        return false;
    }
    const BusAttributes attributes{Port::Data, place.permission.secure, privileged, false,
                                   place.permission.device};
    const DirectMemory memory = bus_.direct(address, attributes);
    if (memory.bytes == nullptr) return true;
    // An unprivileged access says nothing about what the core itself may do.
    if (privileged == cpu_.privileged) enter_page(address, memory, place.permission);
    if (intent == Intent::Write ? memory.writable : memory.readable)
        place.host = memory.bytes + (address - memory.start);
    return true;
}

bool CoreMemory::held_by_cache(std::uint32_t address, const Permission& permission) const {
    return cpu_.data_cache != nullptr && cpu_.data_cache->holds_data() && permission.cacheable &&
           !cpu_.data_cache->bypassed(address);
}

bool CoreMemory::read_cache(const MicroOp& op, std::uint32_t address, unsigned bytes,
                            const Permission& permission, std::uint8_t* to) {
    if (!held_by_cache(address, permission)) return false;
    constexpr std::uint32_t kLine = DataCache::kLineBytes;
    for (unsigned done = 0; done < bytes;) {
        const unsigned piece = std::min(bytes - done, kLine - (address + done) % kLine);
        if (!cpu_.data_cache->read(cpu_, {address + done, piece, false, &op}, permission,
                                   to + done))
            return false;
        done += piece;
    }
    return true;
}

bool CoreMemory::write_cache(const MicroOp& op, std::uint32_t address, unsigned bytes,
                             const Permission& permission, const std::uint8_t* from) {
    if (!held_by_cache(address, permission)) return false;
    constexpr std::uint32_t kLine = DataCache::kLineBytes;
    bool kept = true;  // write-through lines are updated and written to memory
    for (unsigned done = 0; done < bytes;) {
        const unsigned piece = std::min(bytes - done, kLine - (address + done) % kLine);
        kept = cpu_.data_cache->write(cpu_, {address + done, piece, true, &op}, permission,
                                      from + done) &&
               kept;
        done += piece;
    }
    return kept;
}

void CoreMemory::change_code(std::uint32_t start, std::uint32_t end) {
    if (cpu_.instruction_cache != nullptr) cpu_.instruction_cache->memory_changes(start, end);
    blocks_.drop(start, end);
}

bool CoreMemory::load_piece(const MicroOp& op, std::uint32_t address, unsigned bytes,
                            AccessKind kind, std::uint8_t* to) {
    Place place;
    if (!locate(address, Intent::Read, kind, place)) return false;
    if (place.permission.device && address % bytes != 0) return raise_usage(cpu_, cfsr::kUnaligned);
    if (read_cache(op, address, bytes, place.permission, to)) {
        // done
    } else if (place.host != nullptr) {
        if (cpu_.data_cache != nullptr)
            cpu_.data_cache->touch_range(cpu_, address, bytes, false, &op);
        std::memcpy(to, place.host, bytes);
    } else {
        const BusAttributes attributes{Port::Data, place.permission.secure, cpu_.privileged, false,
                                       place.permission.device};
        cpu_.pc = op.pc;  // who asks the core from inside the access
        const BusAnswer answer = bus_.read(address, std::span(to, bytes), attributes, now(op));
        if (!answer.ok) return system_->ignores_bus_faults(cpu_) || bus_fault(address);
        cpu_.budget -= static_cast<std::int64_t>(answer.cycles);
    }
    if (!watchpoints_.empty()) watch(op, address, bytes, false);
    return true;
}

bool CoreMemory::store_piece(const MicroOp& op, std::uint32_t address, unsigned bytes,
                             AccessKind kind, const std::uint8_t* from) {
    Place place;
    if (!locate(address, Intent::Write, kind, place)) return false;
    if (place.permission.device && address % bytes != 0) return raise_usage(cpu_, cfsr::kUnaligned);
    if (blocks_.has_code(address / kPageBytes)) change_code(address, address + (bytes - 1));
    if (write_cache(op, address, bytes, place.permission, from)) {
        // done
    } else if (place.host != nullptr) {
        if (cpu_.data_cache != nullptr)
            cpu_.data_cache->touch_range(cpu_, address, bytes, true, &op);
        std::memcpy(place.host, from, bytes);
    } else {
        const BusAttributes attributes{Port::Data, place.permission.secure, cpu_.privileged, false,
                                       place.permission.device};
        cpu_.pc = op.pc;
        const BusAnswer answer = bus_.write(address, std::span(from, bytes), attributes, now(op));
        if (!answer.ok) return system_->ignores_bus_faults(cpu_) || bus_fault(address);
        cpu_.budget -= static_cast<std::int64_t>(answer.cycles);
    }
    if (!watchpoints_.empty()) watch(op, address, bytes, true);
    return true;
}

bool CoreMemory::aligned_enough(std::uint32_t address, unsigned bytes, AccessKind kind) {
    if (address % std::min(bytes, 4u) == 0) return true;
    if (kind == AccessKind::Aligned || kind == AccessKind::Stacking ||
        system_->traps_unaligned(cpu_))
        return raise_usage(cpu_, cfsr::kUnaligned);
    return true;
}

bool CoreMemory::load_ppb(const MicroOp& op, std::uint32_t address, unsigned bytes) {
    std::uint32_t value = 0;
    const bool fits = bytes <= 4 && address % bytes == 0;
    if (!fits) return raise_usage(cpu_, cfsr::kUnaligned);
    cpu_.pc = op.pc;
    if (!system_->read_ppb(cpu_, address, bytes, now(op), value)) {
        return cpu_.exit == Exit::Fault ? false : bus_fault(address);
    }
    std::memcpy(cpu_.transfer.data(), &value, sizeof(value));
    return true;
}

bool CoreMemory::store_ppb(const MicroOp& op, std::uint32_t address, unsigned bytes) {
    std::uint32_t value = 0;
    const bool fits = bytes <= 4 && address % bytes == 0;
    if (!fits) return raise_usage(cpu_, cfsr::kUnaligned);
    std::memcpy(&value, cpu_.transfer.data(), bytes);
    cpu_.pc = op.pc;
    if (!system_->write_ppb(cpu_, address, bytes, now(op), value)) {
        return cpu_.exit == Exit::Fault ? false : bus_fault(address);
    }
    ask_for_attention(cpu_);
    return true;
}

bool CoreMemory::load(CpuState& cpu, const MicroOp& op, std::uint32_t address, unsigned bytes,
                      AccessKind kind) {
    if (is_ppb(address)) {
        const bool unprivileged = kind == AccessKind::Unprivileged && cpu.privileged;
        if (unprivileged) cpu.privileged = false;
        const bool done = load_ppb(op, address, bytes);
        if (unprivileged) cpu.privileged = true;
        return done;
    }
    if (!aligned_enough(address, bytes, kind)) return false;
    std::array<std::uint8_t, 16> value{};
    const bool one_piece = address % kPageBytes + bytes <= kPageBytes;
    if (one_piece) {
        if (!load_piece(op, address, bytes, kind, value.data())) return false;
    } else {
        for (unsigned i = 0; i < bytes; ++i) {
            if (!load_piece(op, address + i, 1, kind, value.data() + i)) return false;
        }
    }
    cpu.transfer = value;
    return true;
}

bool CoreMemory::store(CpuState& cpu, const MicroOp& op, std::uint32_t address, unsigned bytes,
                       AccessKind kind) {
    if (is_ppb(address)) {
        const bool unprivileged = kind == AccessKind::Unprivileged && cpu.privileged;
        if (unprivileged) cpu.privileged = false;
        const bool done = store_ppb(op, address, bytes);
        if (unprivileged) cpu.privileged = true;
        return done;
    }
    if (!aligned_enough(address, bytes, kind)) return false;
    const std::array<std::uint8_t, 16> value = cpu.transfer;
    if (address % kPageBytes + bytes <= kPageBytes)
        return store_piece(op, address, bytes, kind, value.data());
    for (unsigned i = 0; i < bytes; ++i) {
        if (!store_piece(op, address + i, 1, kind, value.data() + i)) return false;
    }
    return true;
}

bool CoreMemory::fetch(std::uint32_t address, std::uint16_t& halfword, bool& gateway_only,
                       PendingFault& fault) {
    const Permission permission =
        system_->check(cpu_, address, Intent::Execute, cpu_.privileged, cpu_.secure);
    if (!permission.allowed) {
        fault = permission.fault;
        return false;
    }
    gateway_only = permission.gateway_only;
    const BusAttributes attributes{Port::Instruction, permission.secure, cpu_.privileged, false,
                                   false};
    const DirectMemory memory = bus_.direct(address, attributes);
    if (memory.bytes != nullptr && memory.readable && memory.end > address) {
        std::memcpy(&halfword, memory.bytes + (address - memory.start), sizeof(halfword));
        return true;
    }
    std::array<std::uint8_t, 2> bytes{};
    const std::uint64_t at = cpu_.cycle_base - static_cast<std::uint64_t>(cpu_.budget);
    if (!bus_.read(address, bytes, attributes, at).ok) {
        fault = {Exception::BusFault, cfsr::kIbusErr, 0, false};
        return false;
    }
    std::memcpy(&halfword, bytes.data(), sizeof(halfword));
    return true;
}

bool CoreMemory::read32(CpuState& cpu, std::uint32_t address, const Permission& permission,
                        bool privileged, std::uint32_t& value) {
    const BusAttributes attributes{Port::Data, permission.secure, privileged, false,
                                   permission.device};
    const DirectMemory memory = bus_.direct(address, attributes);
    std::array<std::uint8_t, 4> bytes{};
    if (read_cache(kNoInstruction, address, 4, permission, bytes.data())) {
        std::memcpy(&value, bytes.data(), sizeof(value));
        return true;
    }
    if (memory.bytes != nullptr && memory.readable) {
        if (cpu.data_cache != nullptr) cpu.data_cache->touch_read(cpu, address, 4, nullptr);
        std::memcpy(&value, memory.bytes + (address - memory.start), sizeof(value));
        return true;
    }
    const std::uint64_t at = cpu.cycle_base - static_cast<std::uint64_t>(cpu.budget);
    const BusAnswer answer = bus_.read(address, bytes, attributes, at);
    if (!answer.ok) return false;
    cpu.budget -= static_cast<std::int64_t>(answer.cycles);
    std::memcpy(&value, bytes.data(), sizeof(value));
    return true;
}

bool CoreMemory::write32(CpuState& cpu, std::uint32_t address, const Permission& permission,
                         bool privileged, std::uint32_t value) {
    const BusAttributes attributes{Port::Data, permission.secure, privileged, false,
                                   permission.device};
    if (blocks_.has_code(address / kPageBytes)) change_code(address, address + 3);
    std::array<std::uint8_t, 4> bytes{};
    std::memcpy(bytes.data(), &value, sizeof(value));
    if (write_cache(kNoInstruction, address, 4, permission, bytes.data())) return true;
    const DirectMemory memory = bus_.direct(address, attributes);
    if (memory.bytes != nullptr && memory.writable) {
        if (cpu.data_cache != nullptr) cpu.data_cache->touch_write(cpu, address, 4, nullptr);
        std::memcpy(memory.bytes + (address - memory.start), &value, sizeof(value));
        return true;
    }
    const std::uint64_t at = cpu.cycle_base - static_cast<std::uint64_t>(cpu.budget);
    const BusAnswer answer = bus_.write(address, bytes, attributes, at);
    if (!answer.ok) return false;
    cpu.budget -= static_cast<std::int64_t>(answer.cycles);
    return true;
}

void CoreMemory::context_changed(CpuState& /*cpu*/) {
    select_context();
}

void CoreMemory::instructions_invalidated(CpuState& /*cpu*/, std::uint32_t address, bool all) {
    // The code may have been stored through another alias of its memory.
    if (all) {
        blocks_.drop_all();
    } else {
        const std::uint32_t line = address & ~(InstructionCache::kLineBytes - 1);
        blocks_.drop(line, line + (InstructionCache::kLineBytes - 1));
    }
}

void CoreMemory::protection_changed(CpuState& /*cpu*/) {
    forget_pages();
    blocks_.drop_all();
}

}  // namespace n6vp::models::core
