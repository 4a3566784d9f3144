// SPDX-License-Identifier: Apache-2.0
// Private peripheral bus: which block an address belongs to, debug, trace and memory system blocks.
#include "models/core/system/register_bits.h"
#include "models/core/system/system_registers.h"

namespace n6vp::models::core {

namespace {

constexpr std::uint32_t kBlockMask = 0xFFFFF000, kItm = 0xE0000000, kDwt = 0xE0001000,
                        kPmu = 0xE0003000, kControlSpace = 0xE000E000,
                        kControlSpaceNonSecure = 0xE002E000, kMemorySystem = 0xE001E000,
                        kChipStart = 0xE0040000;

// ITM.
constexpr std::uint32_t kStimulusEnd = 0x80, kTraceEnable = 0xE00, kTracePrivilege = 0xE40,
                        kTraceControl = 0xE80;

// MSCR: ECCEN, FORCEWT, EVECCFAULT, DCACTIVE, ICACTIVE.
constexpr std::uint32_t kMscrWritable = 0x300D;
// CACR, the fourth register from ITCMCR on; FORCEWT is the same bit in MSCR.
constexpr std::size_t kCacr = 3;
constexpr std::uint32_t kForceWriteThrough = 4, kSharedWriteThrough = 1;

/// Returns true for registers in which only ones act and of which parts may be written: NVIC_ISER,
/// ICER, ISPR, ICPR (Arm DDI 0337E, 8.1) and CFSR.
bool acts_by_ones(std::uint32_t offset) {
    return (offset >= 0x100 && offset < 0x300) || (offset >= 0xD28 && offset < 0xD2C);
}

/// Takes the bytes of an access out of its word.
std::uint32_t extract(std::uint32_t word, std::uint32_t address, unsigned bytes) {
    const std::uint32_t value = word >> (address % 4 * 8);
    return bytes == 4 ? value : value & ((1u << (bytes * 8)) - 1);
}

}  // namespace

bool SystemRegisters::chip_register(std::uint32_t address, unsigned bytes, bool write,
                                    std::uint32_t& value) const {
    if (address < kChipStart || !config_.chip_register) return false;
    const unsigned shift = address % 4 * 8;
    const std::uint32_t ones = bytes == 4 ? 0xFFFFFFFF : (1u << (bytes * 8)) - 1;
    std::uint32_t word = value << shift;
    if (!config_.chip_register(address & ~3u, write, ones << shift, word)) return false;
    if (!write) value = word >> shift & ones;
    return true;
}

void SystemRegisters::note_unmodelled(const CpuState& cpu, std::uint32_t address, bool write) {
    const auto [place, first] = unmodelled_.try_emplace(address);
    if (first) place->second.first_pc = cpu.pc;
    ++(write ? place->second.writes : place->second.reads);
    if (config_.unmodelled) config_.unmodelled(address, write);
}

bool SystemRegisters::read_ppb(CpuState& cpu, std::uint32_t address, unsigned bytes,
                               std::uint64_t now, std::uint32_t& value) {
    if (bytes > 4 || address % bytes != 0) return false;
    if (!check(cpu, address, Intent::Read, cpu.privileged, cpu.secure).allowed) return false;
    advance(cpu, now);
    const std::uint32_t block = address & kBlockMask, offset = address & ~kBlockMask;
    bool secure = cpu.secure;
    const bool alias = block == kControlSpaceNonSecure;
    if (alias && !cpu.secure) {
        value = 0;
        return true;
    }
    if (alias) secure = false;
    if (chip_register(address, bytes, false, value)) return true;
    if (!is_modelled_register(address)) note_unmodelled(cpu, address, false);
    if ((alias || block == kControlSpace) && byte_accessible(offset) && bytes < 4) {
        value = 0;
        for (unsigned i = 0; i < bytes; ++i)
            value |= std::uint32_t{read_priority_byte(offset + i, secure)} << (8 * i);
        return true;
    }
    value = extract(read_word(cpu, address & ~3u, secure, now), address, bytes);
    return true;
}

bool SystemRegisters::write_ppb(CpuState& cpu, std::uint32_t address, unsigned bytes,
                                std::uint64_t now, std::uint32_t value) {
    if (bytes > 4 || address % bytes != 0) return false;
    if (!check(cpu, address, Intent::Write, cpu.privileged, cpu.secure).allowed) return false;
    advance(cpu, now);
    const std::uint32_t block = address & kBlockMask, offset = address & ~kBlockMask;
    bool secure = cpu.secure;
    const bool alias = block == kControlSpaceNonSecure;
    if (alias && !cpu.secure) return true;
    if (alias) secure = false;
    if (chip_register(address, bytes, true, value)) return true;
    const bool modelled = is_modelled_register(address);
    if (!modelled) note_unmodelled(cpu, address, true);
    if (block == kItm) {
        write_trace_macrocell(offset, value, bytes);
        return true;
    }
    if ((alias || block == kControlSpace) && byte_accessible(offset) && bytes < 4) {
        for (unsigned i = 0; i < bytes; ++i)
            write_priority_byte(offset + i, secure, static_cast<std::uint8_t>(value >> (8 * i)));
        return true;
    }
    if ((alias || block == kControlSpace) && bytes < 4 && acts_by_ones(offset)) {
        // What is not addressed gets zeros and so keeps its value.
        write_word(cpu, address & ~3u, secure, value << (address % 4 * 8), now);
        return true;
    }
    if (bytes == 4) {
        write_word(cpu, address, secure, value, now);
    } else if (modelled) {
        // Part of a register that takes words only.
        note_unmodelled(cpu, address, true);
    }
    return true;
}

/// Returns false for the blocks that this core does not have.
bool SystemRegisters::exists(std::uint32_t address) const {
    switch (address & kBlockMask) {
        case kPmu:
            return config_.core.monitoring_unit;
        case kMemorySystem:
            return config_.core.memory_system;
        case kControlSpaceNonSecure:
            return has_security();
        default:
            return true;
    }
}

std::uint32_t SystemRegisters::read_word(CpuState& cpu, std::uint32_t address, bool secure,
                                         std::uint64_t now) {
    const std::uint32_t offset = address & ~kBlockMask;
    if (!exists(address)) return 0;
    switch (address & kBlockMask) {
        case kItm:
            return read_trace_macrocell(offset);
        case kDwt:
            return counters_.read_dwt(cpu, offset, now);
        case kPmu:
            return counters_.read_pmu(cpu, offset, now);
        case kControlSpace:
        case kControlSpaceNonSecure:
            return read_control_space(cpu, offset, secure, now);
        case kMemorySystem:
            return read_memory_system(offset);
        default:
            return 0;
    }
}

void SystemRegisters::write_word(CpuState& cpu, std::uint32_t address, bool secure,
                                 std::uint32_t value, std::uint64_t now) {
    const std::uint32_t offset = address & ~kBlockMask;
    if (!exists(address)) return;
    switch (address & kBlockMask) {
        case kDwt:
            counters_.write_dwt(cpu, offset, value, now);
            break;
        case kPmu:
            counters_.write_pmu(cpu, offset, value, now);
            break;
        case kControlSpace:
        case kControlSpaceNonSecure:
            write_control_space(cpu, offset, secure, value, now);
            break;
        case kMemorySystem:
            write_memory_system(cpu, offset, value);
            break;
        default:
            break;
    }
}

std::uint32_t SystemRegisters::read_trace_macrocell(std::uint32_t offset) const {
    const bool on = (debug_control_ & demcr::kTraceEnable) != 0 && (trace_control_ & 1) != 0;
    if (offset < kStimulusEnd) {
        const unsigned port = offset / 4;
        return on && (trace_enable_ >> port & 1) != 0 ? 1 : 0;  // FIFOREADY
    }
    switch (offset) {
        case kTraceEnable:
            return trace_enable_;
        case kTracePrivilege:
            return trace_privilege_;
        case kTraceControl:
            return trace_control_;
        default:
            return 0;
    }
}

void SystemRegisters::write_trace_macrocell(std::uint32_t offset, std::uint32_t value,
                                            unsigned bytes) {
    if (offset < kStimulusEnd) {
        write_stimulus(offset, value, bytes);
        return;
    }
    switch (offset) {
        case kTraceEnable:
            trace_enable_ = value;
            break;
        case kTracePrivilege:
            trace_privilege_ = value & 15;
            break;
        case kTraceControl:
            trace_control_ = value & 0x007F0F3F;
            break;
        default:
            break;
    }
}

void SystemRegisters::write_stimulus(std::uint32_t offset, std::uint32_t value, unsigned bytes) {
    const unsigned port = offset / 4;
    const bool on = (debug_control_ & demcr::kTraceEnable) != 0 && (trace_control_ & 1) != 0 &&
                    (trace_enable_ >> port & 1) != 0;
    if (on && config_.trace_port) config_.trace_port(port, value, bytes);
}

std::uint32_t SystemRegisters::read_memory_system(std::uint32_t offset) const {
    switch (offset) {
        case 0x00:
            return memory_control_;
        case 0x04:
            return prefetch_control_;
        case 0x10:
            return itcm_control_;
        case 0x14:
            return dtcm_control_;
        case 0x18:
            return peripheral_port_control_;
        default:
            return 0;
    }
}

void SystemRegisters::write_memory_system(CpuState& cpu, std::uint32_t offset,
                                          std::uint32_t value) {
    switch (offset) {
        case 0x00:
            memory_control_ = (memory_control_ & ~kMscrWritable) | (value & kMscrWritable);
            update_caches(cpu);
            break;
        case 0x04:
            prefetch_control_ = value;
            break;
        // Size fields are wired; ENABLE may be written.
        case 0x10:
            itcm_control_ = (itcm_control_ & ~1u) | (value & 1);
            break;
        case 0x14:
            dtcm_control_ = (dtcm_control_ & ~1u) | (value & 1);
            break;
        case 0x18:
            peripheral_port_control_ = (peripheral_port_control_ & ~1u) | (value & 1);
            break;
        default:
            break;
    }
}

std::uint32_t SystemRegisters::read_debug_block(std::uint32_t offset, bool secure) const {
    switch (offset) {
        case 0xDFC:
            // SDME: Secure debug is open on this core.
            return debug_control_ | (secure && has_security() ? demcr::kMonitorSecure : 0);
        case 0xE04:
            return 0;
        case 0xE08:
            return secure && has_security() ? 1u << 16 : 0;  // DSCSR.CDS: current domain is Secure
        case 0xFB8:
            if (!config_.core.v8()) return 0;
            return secure ? 0xFF : 0x0F;  // all debug enabled
        default:
            return 0;  // DHCSR and the rest: no debugger is attached
    }
}

void SystemRegisters::write_debug_block(CpuState& cpu, std::uint32_t offset, std::uint32_t value,
                                        std::uint64_t now) {
    if (offset != 0xDFC) return;
    debug_control_ = value & (demcr::kTraceEnable | demcr::kMonitorEnable | 1u << 18);
    counters_.set_trace_enabled(cpu, (value & demcr::kTraceEnable) != 0, now);
    const Slot monitor = exceptions_.slot(Exception::DebugMonitor, true);
    exceptions_.set_enabled(monitor, (value & demcr::kMonitorEnable) != 0);
    exceptions_.set_pending(monitor, (value & demcr::kMonitorPending) != 0);
}

void SystemRegisters::update_caches(CpuState& cpu) {
    if (maintenance_ == nullptr) return;
    const std::uint32_t on = configuration_[bank(cpu)];
    const std::uint32_t control =
        config_.core.memory_system_v7 ? tcm_and_cache_control_[kCacr] : memory_control_;
    maintenance_->enable(cpu, (on & ccr::kInstructionCache) != 0, (on & ccr::kDataCache) != 0,
                         (control & kForceWriteThrough) != 0);
}

void SystemRegisters::update_cache_control(CpuState& cpu) {
    protection_.cache_shareable_data((tcm_and_cache_control_[kCacr] & kSharedWriteThrough) != 0);
    memory_->protection_changed(cpu);
    update_caches(cpu);
}

}  // namespace n6vp::models::core
