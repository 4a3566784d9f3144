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

/// LDRT and the like: for one access the core is unprivileged, to protection, caches and bus.
class Privilege {
  public:
    Privilege(CpuState& cpu, AccessKind kind)
        : cpu_(cpu), lowered_(kind == AccessKind::Unprivileged && cpu.privileged) {
        if (lowered_) cpu.privileged = false;
    }
    Privilege(const Privilege&) = delete;
    Privilege& operator=(const Privilege&) = delete;
    ~Privilege() {
        if (lowered_) cpu_.privileged = true;
    }

  private:
    CpuState& cpu_;
    bool lowered_;
};

bool concerns(const Watchpoint& point, std::uint32_t address, unsigned bytes, bool write) {
    if (write ? !point.on_write : !point.on_read) return false;
    return address + (bytes - 1) >= point.address && point.address + (point.bytes - 1) >= address;
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
    repeatable_ = false;  // the pages that note accesses are no longer in force
    Context& context = contexts_[index];
    cpu_.read_pages = context.read.entries();
    cpu_.write_pages = context.write.entries();
}

void CoreMemory::forget_pages() {
    ++revocations_;
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

bool CoreMemory::watch_before(const MicroOp& op, std::uint32_t address, unsigned bytes,
                              bool write) {
    for (const Watchpoint& point : watchpoints_) {
        if (!point.before || !concerns(point, address, bytes, write)) continue;
        watch_hit_ = true;
        hit_ = {address, op.pc, write};
        cpu_.exit = Exit::Breakpoint;
        return true;
    }
    return false;
}

void CoreMemory::watch(const MicroOp& op, std::uint32_t address, unsigned bytes, bool write) {
    for (const Watchpoint& point : watchpoints_) {
        if (point.before || !concerns(point, address, bytes, write)) continue;
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
    if (!memory.writable || blocks_.has_code(page) || !allowed(Intent::Write)) return;
    if (cpu_.instruction_cache == nullptr || !cpu_.instruction_cache->holds(start, end))
        context.write.set(page, host);
}

bool CoreMemory::locate(std::uint32_t address, Intent intent, Place& place) {
    place.privileged = cpu_.privileged;
    place.permission = system_->check(cpu_, address, intent, place.privileged, cpu_.secure);
    if (!place.permission.allowed) {
        cpu_.fault = place.permission.fault;
        cpu_.exit = Exit::Fault;
        return false;
    }
    const DirectMemory memory = find_host(address, intent, place);
    // An unprivileged access of privileged code need not enter the page: it is never on the fast
    // path.
    if (memory.bytes != nullptr && system_->context(cpu_) == context_)
        enter_page(address, memory, place.permission);
    return true;
}

DirectMemory CoreMemory::find_host(std::uint32_t address, Intent intent, Place& place) {
    place.revocations = revocations_;
    place.host = nullptr;
    if (place.permission.device) return {};
    BusAttributes with = place.attributes();
    with.for_store = intent == Intent::Write;
    const DirectMemory memory = bus_.direct(address, with);
    const bool usable = intent == Intent::Write ? memory.writable : memory.readable;
    if (memory.bytes != nullptr && usable) place.host = memory.bytes + (address - memory.start);
    return memory;
}

std::uint8_t* CoreMemory::touch_host(const MicroOp& op, std::uint32_t address, unsigned bytes,
                                     Intent intent, Place& place) {
    if (place.host == nullptr) return nullptr;
    if (cpu_.data_cache != nullptr)
        cpu_.data_cache->touch_range(cpu_, address, bytes, intent == Intent::Write, &op);
    if (place.revocations != revocations_) find_host(address, intent, place);
    return place.host;
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
    // The instruction cache may hold lines of code that is no longer decoded.
    if (cpu_.instruction_cache != nullptr) cpu_.instruction_cache->memory_changes(start, end);
    if (blocks_.has_code(start / kPageBytes)) blocks_.drop(start, end);
}

bool CoreMemory::read_place(const MicroOp& op, std::uint32_t address, unsigned bytes, Place& place,
                            std::uint8_t* to) {
    if (read_cache(op, address, bytes, place.permission, to)) {
        repeatable_ = false;
        return true;
    }
    if (const std::uint8_t* host = touch_host(op, address, bytes, Intent::Read, place)) {
        std::memcpy(to, host, bytes);
        return true;
    }
    if (cpu_.data_cache != nullptr) cpu_.data_cache->pass_cleans(address, bytes);
    const BusAnswer answer = bus_.read(address, std::span(to, bytes), place.attributes(), now(op));
    if (answer.ok) cpu_.budget -= static_cast<std::int64_t>(answer.cycles);
    return answer.ok;
}

bool CoreMemory::write_place(const MicroOp& op, std::uint32_t address, unsigned bytes, Place& place,
                             const std::uint8_t* from) {
    repeatable_ = false;
    if (write_cache(op, address, bytes, place.permission, from)) return true;
    if (std::uint8_t* host = touch_host(op, address, bytes, Intent::Write, place)) {
        std::memcpy(host, from, bytes);
        return true;
    }
    if (cpu_.data_cache != nullptr) cpu_.data_cache->pass_cleans(address, bytes);
    const BusAnswer answer =
        bus_.write(address, std::span(from, bytes), place.attributes(), now(op));
    if (answer.ok) cpu_.budget -= static_cast<std::int64_t>(answer.cycles);
    return answer.ok;
}

bool CoreMemory::load_piece(const MicroOp& op, std::uint32_t address, unsigned bytes,
                            std::uint8_t* to) {
    Place place;
    cpu_.pc = op.pc;  // for who asks the core from inside the access
    if (!watchpoints_.empty() && watch_before(op, address, bytes, false)) return false;
    if (!locate(address, Intent::Read, place)) return false;
    if (place.permission.device && address % bytes != 0) return raise_usage(cpu_, cfsr::kUnaligned);
    if (!read_place(op, address, bytes, place, to))
        return system_->ignores_bus_faults(cpu_) || bus_fault(address);
    if (!watchpoints_.empty()) watch(op, address, bytes, false);
    return true;
}

bool CoreMemory::store_piece(const MicroOp& op, std::uint32_t address, unsigned bytes,
                             const std::uint8_t* from) {
    Place place;
    cpu_.pc = op.pc;
    if (!watchpoints_.empty() && watch_before(op, address, bytes, true)) return false;
    if (!locate(address, Intent::Write, place)) return false;
    if (place.permission.device && address % bytes != 0) return raise_usage(cpu_, cfsr::kUnaligned);
    change_code(address, address + (bytes - 1));
    if (!write_place(op, address, bytes, place, from))
        return system_->ignores_bus_faults(cpu_) || bus_fault(address);
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
    repeatable_ = false;
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
    repeatable_ = false;
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
    if (observing_ && load_observed(op, address, bytes, kind)) return true;
    const Privilege privilege(cpu, kind);
    if (is_ppb(address)) return load_ppb(op, address, bytes);
    if (!aligned_enough(address, bytes, kind)) return false;
    if (cpu.dynamic != nullptr && address % bytes != 0 && bytes <= 4)
        cpu.budget -= cpu.dynamic->load.cycles(address, bytes);
    std::array<std::uint8_t, 16> value{};
    const bool one_piece = address % kPageBytes + bytes <= kPageBytes;
    if (one_piece) {
        if (!load_piece(op, address, bytes, value.data())) return false;
    } else {
        for (unsigned i = 0; i < bytes; ++i) {
            if (!load_piece(op, address + i, 1, value.data() + i)) return false;
        }
    }
    cpu.transfer = value;
    return true;
}

bool CoreMemory::store(CpuState& cpu, const MicroOp& op, std::uint32_t address, unsigned bytes,
                       AccessKind kind) {
    if (observing_ && store_observed(op, address, bytes, kind)) return true;
    const Privilege privilege(cpu, kind);
    if (is_ppb(address)) return store_ppb(op, address, bytes);
    if (!aligned_enough(address, bytes, kind)) return false;
    if (cpu.dynamic != nullptr && address % bytes != 0 && bytes <= 4)
        cpu.budget -= cpu.dynamic->store.cycles(address, bytes);
    const std::array<std::uint8_t, 16> value = cpu.transfer;
    if (address % kPageBytes + bytes <= kPageBytes)
        return store_piece(op, address, bytes, value.data());
    for (unsigned i = 0; i < bytes; ++i) {
        if (!store_piece(op, address + i, 1, value.data() + i)) return false;
    }
    return true;
}

void CoreMemory::finish_stores(CpuState& cpu, const MicroOp& op) {
    cpu.pc = op.pc;  // for who asks from inside a bus access
    if (cpu.data_cache != nullptr) cpu.data_cache->barrier(cpu, op);
    const std::uint64_t waited = bus_.finish_writes(now(op));
    cpu.budget -= static_cast<std::int64_t>(waited);
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
    if (cpu_.instruction_cache != nullptr) {
        const std::uint8_t* stale =
            cpu_.instruction_cache->stale_code(address, permission.cacheable);
        if (stale != nullptr) {
            std::memcpy(&halfword, stale, sizeof(halfword));
            return true;
        }
    }
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

// The fast path of `load`, `store`, `direct_read` and `direct_write` of access.h, page by page of
// the real tables.

bool CoreMemory::load_observed(const MicroOp& op, std::uint32_t address, unsigned bytes,
                               AccessKind kind) {
    std::uint8_t** const pages = contexts_[context_].read.entries();
    const std::uint8_t* page = pages[address / kPageBytes];
    if (page == nullptr || address % bytes != 0 || kind == AccessKind::Unprivileged) return false;
    if (cpu_.data_cache != nullptr && cpu_.data_cache->touch_read(cpu_, address, bytes, &op)) {
        page = pages[address / kPageBytes];
        if (page == nullptr) return false;
    }
    std::memcpy(cpu_.transfer.data(), page + address % kPageBytes, bytes);
    return true;
}

bool CoreMemory::store_observed(const MicroOp& op, std::uint32_t address, unsigned bytes,
                                AccessKind kind) {
    std::uint8_t** const pages = contexts_[context_].write.entries();
    std::uint8_t* page = pages[address / kPageBytes];
    if (page == nullptr || address % bytes != 0 || kind == AccessKind::Unprivileged) return false;
    if (cpu_.data_cache != nullptr && cpu_.data_cache->touch_write(cpu_, address, bytes, &op)) {
        page = pages[address / kPageBytes];
        if (page == nullptr) return false;
    }
    note_store(page + address % kPageBytes, bytes);
    std::memcpy(page + address % kPageBytes, cpu_.transfer.data(), bytes);
    return true;
}

const std::uint8_t* CoreMemory::observed_read(CpuState& cpu, std::uint32_t address, unsigned bytes,
                                              const MicroOp* op) {
    if (!observing_) return nullptr;
    std::uint8_t** const pages = contexts_[context_].read.entries();
    const std::uint8_t* page = pages[address / kPageBytes];
    if (page == nullptr) return nullptr;
    if (cpu.data_cache != nullptr && cpu.data_cache->touch_range(cpu, address, bytes, false, op)) {
        page = pages[address / kPageBytes];
        if (page == nullptr) return nullptr;
    }
    return page + address % kPageBytes;
}

std::uint8_t* CoreMemory::observed_write(CpuState& cpu, std::uint32_t address, unsigned bytes,
                                         const MicroOp* op) {
    if (!observing_) return nullptr;
    std::uint8_t** const pages = contexts_[context_].write.entries();
    std::uint8_t* page = pages[address / kPageBytes];
    if (page == nullptr) return nullptr;
    if (cpu.data_cache != nullptr && cpu.data_cache->touch_range(cpu, address, bytes, true, op)) {
        page = pages[address / kPageBytes];
        if (page == nullptr) return nullptr;
    }
    note_store(page + address % kPageBytes, bytes);
    return page + address % kPageBytes;
}

void CoreMemory::note_store(std::uint8_t* host, unsigned bytes) {
    constexpr std::size_t kMaxStores = 32;
    for (const ObservedStore& known : stores_) {
        const bool apart = host + bytes <= known.host || known.host + known.bytes <= host;
        if (apart) continue;
        // What was there when the round began is noted.
        if (host >= known.host && host + bytes <= known.host + known.bytes) return;
        repeatable_ = false;
    }
    if (bytes > ObservedStore::kMaxBytes || stores_.size() == kMaxStores) repeatable_ = false;
    if (!repeatable_) return;
    ObservedStore& store = stores_.emplace_back(ObservedStore{.host = host, .bytes = bytes});
    std::memcpy(store.before.data(), host, bytes);
}

void CoreMemory::observe() {
    observing_ = repeatable_ = true;
    observed_from_ = revocations_;
    stores_.clear();
    cpu_.read_pages = cpu_.write_pages = no_pages_.entries();
}

void CoreMemory::stop_observing() {
    observing_ = false;
    cpu_.read_pages = contexts_[context_].read.entries();
    cpu_.write_pages = contexts_[context_].write.entries();
}

bool CoreMemory::repeatable() const {
    return repeatable_ && revocations_ == observed_from_ &&
           std::ranges::all_of(stores_, [](const ObservedStore& store) {
               return std::memcmp(store.host, store.before.data(), store.bytes) == 0;
           });
}

bool CoreMemory::read32(CpuState& /*cpu*/, std::uint32_t address, const Permission& permission,
                        bool privileged, std::uint32_t& value) {
    Place place{permission, privileged};
    find_host(address, Intent::Read, place);
    std::array<std::uint8_t, 4> bytes{};
    if (!read_place(kNoInstruction, address, 4, place, bytes.data())) return false;
    std::memcpy(&value, bytes.data(), sizeof(value));
    return true;
}

bool CoreMemory::write32(CpuState& /*cpu*/, std::uint32_t address, const Permission& permission,
                         bool privileged, std::uint32_t value) {
    change_code(address, address + 3);
    Place place{permission, privileged};
    find_host(address, Intent::Write, place);
    std::array<std::uint8_t, 4> bytes{};
    std::memcpy(bytes.data(), &value, sizeof(value));
    return write_place(kNoInstruction, address, 4, place, bytes.data());
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
