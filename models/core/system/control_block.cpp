// SPDX-License-Identifier: Apache-2.0
// System control space: ID registers, SCB, FPU, cache maintenance.
#include <array>

#include "models/core/system/register_bits.h"
#include "models/core/system/system_registers.h"

namespace n6vp::models::core {

namespace {

enum class Part : std::uint8_t { Active, Pending, Enabled };
struct HandlerBit {
    unsigned bit;
    Exception exception;
    Part part;
    bool v8 = false;  ///< Armv7-M does not have it
};
/// SHCSR.
constexpr std::array kHandlerBits{
    HandlerBit{0, Exception::MemManage, Part::Active},
    HandlerBit{1, Exception::BusFault, Part::Active},
    HandlerBit{2, Exception::HardFault, Part::Active, true},
    HandlerBit{3, Exception::UsageFault, Part::Active},
    HandlerBit{4, Exception::SecureFault, Part::Active, true},
    HandlerBit{5, Exception::NonMaskable, Part::Active, true},
    HandlerBit{7, Exception::SvCall, Part::Active},
    HandlerBit{8, Exception::DebugMonitor, Part::Active},
    HandlerBit{10, Exception::PendSv, Part::Active},
    HandlerBit{11, Exception::SysTick, Part::Active},
    HandlerBit{12, Exception::UsageFault, Part::Pending},
    HandlerBit{13, Exception::MemManage, Part::Pending},
    HandlerBit{14, Exception::BusFault, Part::Pending},
    HandlerBit{15, Exception::SvCall, Part::Pending},
    HandlerBit{16, Exception::MemManage, Part::Enabled},
    HandlerBit{17, Exception::BusFault, Part::Enabled},
    HandlerBit{18, Exception::UsageFault, Part::Enabled},
    HandlerBit{19, Exception::SecureFault, Part::Enabled, true},
    HandlerBit{20, Exception::SecureFault, Part::Pending, true},
    HandlerBit{21, Exception::HardFault, Part::Pending, true},
};

constexpr std::uint32_t kKey = 0x05FA0000, kKeyRead = 0xFA050000;
constexpr std::uint32_t kFpAccessBits = 0xF00000, kNonSecureFpBits = 0xC00;
constexpr std::uint32_t kFpDefaultBits =
    fpscr::kAhp | fpscr::kDn | fpscr::kFz | fpscr::kRMode | fpscr::kFz16;

}  // namespace

std::uint32_t SystemRegisters::read_control_space(CpuState& cpu, std::uint32_t offset, bool secure,
                                                  std::uint64_t now) {
    static_cast<void>(now);
    for (const IdRegister& id : config_.core.id_registers) {
        if (id.offset == offset) return id.value;
    }
    if (byte_accessible(offset)) {
        std::uint32_t value = 0;
        for (unsigned i = 0; i < 4; ++i)
            value |= std::uint32_t{read_priority_byte(offset + i, secure)} << (8 * i);
        return value;
    }
    if (offset >= 0x010 && offset <= 0x01C) return timers_[bank(secure)].read(offset - 0x010);
    if (offset >= 0x100 && offset < 0x400) return read_interrupts(offset, secure);
    if (offset >= 0xD90 && offset < 0xDC8) return protection_.read_mpu(offset - 0xD00, secure);
    if (offset >= 0xDD0 && offset < 0xDE4)
        return secure && has_security() ? protection_.read_sau(offset - 0xD00) : 0;
    if (offset >= 0xF34 && offset < 0xF40) return read_fp_block(offset, secure);
    if (offset == 0x004) return (config_.interrupts + 31) / 32 - 1;
    if (offset == 0x008) return auxiliary_control_;
    if (offset == 0x00C) return secure && config_.core.v8() ? coprocessor_power_ : 0;
    if (offset >= 0xF90 && offset < 0xFAC && config_.core.memory_system_v7)
        return tcm_and_cache_control_[(offset - 0xF90) / 4];
    if ((offset >= 0xDF0 && offset < 0xE10) || offset == 0xFB8)
        return read_debug_block(offset, secure);
    return read_control_block(cpu, offset, secure);
}

void SystemRegisters::write_control_space(CpuState& cpu, std::uint32_t offset, bool secure,
                                          std::uint32_t value, std::uint64_t now) {
    if (byte_accessible(offset)) {
        for (unsigned i = 0; i < 4; ++i)
            write_priority_byte(offset + i, secure, static_cast<std::uint8_t>(value >> (8 * i)));
    } else if (offset >= 0x010 && offset <= 0x01C) {
        timers_[bank(secure)].write(offset - 0x010, value, now);
    } else if (offset >= 0x100 && offset < 0x400) {
        write_interrupts(cpu, offset, secure, value);
    } else if (offset >= 0xD90 && offset < 0xDC8) {
        if (protection_.write_mpu(offset - 0xD00, secure, value)) {
            memory_->protection_changed(cpu);
            memory_->context_changed(cpu);
        }
    } else if (offset >= 0xDD0 && offset < 0xDE4) {
        if (secure && has_security() && protection_.write_sau(offset - 0xD00, value))
            memory_->protection_changed(cpu);
    } else if (offset >= 0xF34 && offset < 0xF40) {
        write_fp_block(cpu, offset, secure, value);
    } else if (offset >= 0xF50 && offset < 0xF7C) {
        write_cache_block(cpu, offset, value);
    } else if (offset >= 0xF90 && offset < 0xFAC && config_.core.memory_system_v7) {
        tcm_and_cache_control_[(offset - 0xF90) / 4] = value;
        if (offset == 0xF9C) update_cache_control(cpu);
    } else if (offset == 0x008) {
        auxiliary_control_ = value;
    } else if (offset == 0x00C) {
        if (secure) coprocessor_power_ = value;
    } else if (offset >= 0xDF0 && offset < 0xE10) {
        write_debug_block(cpu, offset, value, now);
    } else if (offset == 0xF00) {
        const Slot slot = Exceptions::kInternal + (value & 0x1FF);
        if (slot < exceptions_.count() && (secure || !exceptions_.targets_secure(slot)))
            pend(cpu, slot);
    } else {
        write_control_block(cpu, offset, secure, value);
    }
}

/// SLEEPDEEP is one bit for both states, kept with the Secure ones. The Non-secure state has no
/// access to it with SLEEPDEEPS set.
std::uint32_t SystemRegisters::read_sleep_control(bool secure) const {
    const std::uint32_t common = sleep_control_[kSecure];
    if (secure) return common;
    const bool open = (common & scr::kSleepDeepSecure) == 0;
    return sleep_control_[kNonSecure] | (open ? common & scr::kSleepDeep : 0);
}

void SystemRegisters::write_sleep_control(bool secure, std::uint32_t value) {
    constexpr std::uint32_t kBanked = scr::kSleepOnExit | scr::kEventOnPending;
    const std::uint32_t deep = value & scr::kSleepDeep;
    std::uint32_t& common = sleep_control_[kSecure];
    if (secure) {
        common = (value & (kBanked | (has_security() ? scr::kSleepDeepSecure : 0))) | deep;
        return;
    }
    sleep_control_[kNonSecure] = value & kBanked;
    if ((common & scr::kSleepDeepSecure) == 0) common = (common & ~scr::kSleepDeep) | deep;
}

std::uint32_t SystemRegisters::read_control_block(CpuState& cpu, std::uint32_t offset,
                                                  bool secure) {
    const Security index = bank(secure);
    switch (offset) {
        case 0xD00:
            return config_.core.cpuid;
        case 0xD04:
            return read_interrupt_state(cpu, secure);
        case 0xD08:
            return vector_table_[index];
        case 0xD0C:
            return read_reset_control(secure);
        case 0xD10:
            return read_sleep_control(secure);
        case 0xD14:
            return configuration_[index];
        case 0xD24:
            return read_handler_state(secure);
        case 0xD80:
            return (cache_select_[index] & 1) != 0 ? config_.core.ccsidr_instruction
                                                   : config_.core.ccsidr_data;
        case 0xD84:
            return cache_select_[index];
        case 0xD88:
            return fp_access_[index];
        case 0xD8C:
            return secure ? non_secure_access_ : 0;
        default:
            return read_fault_status(offset, secure);
    }
}

void SystemRegisters::write_control_block(CpuState& cpu, std::uint32_t offset, bool secure,
                                          std::uint32_t value) {
    const Security index = bank(secure);
    switch (offset) {
        case 0xD04:
            write_interrupt_state(cpu, secure, value);
            break;
        case 0xD08:
            vector_table_[index] = value & ~0x7Fu;
            break;
        case 0xD0C:
            write_reset_control(cpu, secure, value);
            break;
        case 0xD10:
            write_sleep_control(secure, value);
            break;
        case 0xD14: {
            std::uint32_t writable = config_.core.ccr_writable;
            if (!secure) writable &= ~ccr::kNoReentry;
            if (!secure && !exceptions_.faults_non_secure) writable &= ~ccr::kIgnoreBusFaults;
            configuration_[index] = config_.core.ccr_fixed | (value & writable);
            update_context(cpu);
            update_caches(cpu);
            break;
        }
        case 0xD24:
            write_handler_state(secure, value);
            break;
        case 0xD84:
            cache_select_[index] = value & 1;
            break;
        case 0xD88:
            fp_access_[index] = value & kFpAccessBits;
            update_context(cpu);
            break;
        case 0xD8C:
            if (secure && has_security()) non_secure_access_ = value & kNonSecureFpBits;
            update_context(cpu);
            break;
        default:
            write_fault_status(offset, secure, value);
            break;
    }
}

std::uint32_t SystemRegisters::read_interrupt_state(const CpuState& cpu, bool secure) const {
    std::uint32_t value = cpu.ipsr;
    Slot urgent = 0;
    if (exceptions_.most_urgent(urgent)) {
        // From Armv8.1-M on Non-secure code sees no numbers of Secure exceptions beyond that there
        // is one.
        const bool hidden = config_.core.architecture == Architecture::Armv81M && !secure &&
                            exceptions_.targets_secure(urgent);
        value |= (hidden ? 1u : exceptions_.number(urgent)) << 12;
    }
    const auto& active = exceptions_.active_slots();
    const bool base = active.empty() || (active.size() == 1 && cpu.ipsr != 0);
    if (base) value |= 1u << 11;
    for (Slot slot = Exceptions::kInternal; slot < exceptions_.count(); ++slot) {
        if (exceptions_.pending(slot)) value |= 1u << 22;
    }
    if (exceptions_.pending(exceptions_.slot(Exception::SysTick, secure))) value |= 1u << 26;
    if (exceptions_.pending(exceptions_.slot(Exception::PendSv, secure))) value |= 1u << 28;
    const Slot nmi = exceptions_.slot(Exception::NonMaskable, secure);
    if (exceptions_.pending(nmi) && (secure || exceptions_.faults_non_secure)) value |= 1u << 31;
    return value;
}

void SystemRegisters::write_interrupt_state(CpuState& cpu, bool secure, std::uint32_t value) {
    const Slot nmi = exceptions_.slot(Exception::NonMaskable, secure);
    const Slot pend_sv = exceptions_.slot(Exception::PendSv, secure);
    const Slot sys_tick = exceptions_.slot(Exception::SysTick, secure);
    if (secure || exceptions_.faults_non_secure) {
        if ((value & 1u << 31) != 0) {
            pend(cpu, nmi);
        } else if ((value & 1u << 30) != 0 && config_.core.v8()) {
            exceptions_.set_pending(nmi, false);
        }
    }
    if ((value & 1u << 28) != 0) {
        pend(cpu, pend_sv);
    } else if ((value & 1u << 27) != 0) {
        exceptions_.set_pending(pend_sv, false);
    }
    if ((value & 1u << 26) != 0) {
        pend(cpu, sys_tick);
    } else if ((value & 1u << 25) != 0) {
        exceptions_.set_pending(sys_tick, false);
    }
}

std::uint32_t SystemRegisters::read_reset_control(bool secure) const {
    std::uint32_t value = kKeyRead | std::uint32_t{exceptions_.priority_group[bank(secure)]} << 8;
    if (exceptions_.faults_non_secure) value |= 1u << 13;
    if (!secure) return value;
    if (exceptions_.prioritise_secure) value |= 1u << 14;
    if (reset_secure_only_) value |= 1u << 3;
    return value;
}

void SystemRegisters::write_reset_control(CpuState& cpu, bool secure, std::uint32_t value) {
    if ((value & 0xFFFF0000) != kKey) return;
    exceptions_.priority_group[bank(secure)] = static_cast<std::uint8_t>(value >> 8 & 7);
    const bool may_reset = secure || !reset_secure_only_;
    if (secure && has_security()) {
        exceptions_.prioritise_secure = (value & 1u << 14) != 0;
        exceptions_.faults_non_secure = (value & 1u << 13) != 0;
        reset_secure_only_ = (value & 1u << 3) != 0;
        update_context(cpu);
    }
    if ((value & 1u << 2) != 0 && may_reset && config_.reset_request) config_.reset_request();
}

std::uint32_t SystemRegisters::read_handler_state(bool secure) const {
    std::uint32_t value = 0;
    for (const HandlerBit& bit : kHandlerBits) {
        const Slot slot = exceptions_.slot(bit.exception, secure);
        if (!secure && exceptions_.targets_secure(slot)) continue;
        if (bit.v8 && !config_.core.v8()) continue;
        const bool set = bit.part == Part::Active    ? exceptions_.active(slot)
                         : bit.part == Part::Pending ? exceptions_.pending(slot)
                                                     : exceptions_.enabled(slot);
        if (set) value |= 1u << bit.bit;
    }
    return value;
}

void SystemRegisters::write_handler_state(bool secure, std::uint32_t value) {
    for (const HandlerBit& bit : kHandlerBits) {
        const Slot slot = exceptions_.slot(bit.exception, secure);
        if (!secure && exceptions_.targets_secure(slot)) continue;
        if (bit.v8 && !config_.core.v8()) continue;
        const bool set = (value >> bit.bit & 1) != 0;
        if (bit.part == Part::Enabled) exceptions_.set_enabled(slot, set);
        if (bit.part == Part::Pending && bit.exception != Exception::HardFault)
            exceptions_.set_pending(slot, set);
        const bool fixed =
            bit.exception == Exception::HardFault || bit.exception == Exception::NonMaskable;
        if (bit.part == Part::Active && !fixed) exceptions_.set_active(slot, set);
    }
}

std::uint32_t SystemRegisters::read_fault_status(std::uint32_t offset, bool secure) const {
    const bool shared = secure || exceptions_.faults_non_secure;
    switch (offset) {
        case 0xD28:
            return memory_and_usage_status_[bank(secure)] | (shared ? bus_status_ : 0);
        case 0xD2C:
            return shared ? hard_fault_status_ : 0;
        case 0xD30:
            return debug_fault_status_;
        case 0xD34:
            return memory_fault_address_[bank(secure)];
        case 0xD38:
            return shared ? bus_fault_address_ : 0;
        case 0xD3C:
            return auxiliary_fault_status_;
        case 0xDE4:
            return secure && has_security() ? secure_status_ : 0;
        case 0xDE8:
            return secure && has_security() ? secure_fault_address_ : 0;
        default:
            return 0;
    }
}

void SystemRegisters::write_fault_status(std::uint32_t offset, bool secure, std::uint32_t value) {
    const bool shared = secure || exceptions_.faults_non_secure;
    switch (offset) {
        case 0xD28:
            memory_and_usage_status_[bank(secure)] &= ~value;
            if (shared) bus_status_ &= ~(value & kBusStatus);
            break;
        case 0xD2C:
            if (shared) hard_fault_status_ &= ~value;
            break;
        case 0xD30:
            debug_fault_status_ &= ~value;
            break;
        case 0xD34:
            memory_fault_address_[bank(secure)] = value;
            break;
        case 0xD38:
            if (shared) bus_fault_address_ = value;
            break;
        case 0xDE4:
            if (secure) secure_status_ &= ~value;
            break;
        case 0xDE8:
            if (secure && has_security()) secure_fault_address_ = value;
            break;
        default:
            break;
    }
}

std::uint32_t SystemRegisters::read_fp_block(std::uint32_t offset, bool secure) const {
    using namespace fpccr;
    if (offset == 0xF38) return fp_area_[bank(secure)];
    if (offset == 0xF3C) return fp_defaults_[bank(secure)];
    if (secure) return fp_control_[kSecure] & config_.core.fpccr_bits;
    std::uint32_t visible = kLazy | kClearOnReturn | kMonitorReady;
    if (exceptions_.faults_non_secure) visible |= kBusFaultReady | kHardFaultReady;
    return (fp_control_[kNonSecure] & kBanked) | (fp_control_[kSecure] & visible);
}

void SystemRegisters::write_fp_block(CpuState& cpu, std::uint32_t offset, bool secure,
                                     std::uint32_t value) {
    using namespace fpccr;
    if (offset == 0xF38) {
        fp_area_[bank(secure)] = value & ~7u;
        return;
    }
    if (offset == 0xF3C) {
        fp_defaults_[bank(secure)] =
            ((value & kFpDefaultBits) | kNoTailPredication) & config_.core.fpscr_bits;
        return;
    }
    std::uint32_t& shared = fp_control_[kSecure];
    if (secure) {
        shared = value & config_.core.fpccr_bits;
        if (!has_security()) shared |= kOwnerSecure;
    } else {
        std::uint32_t writable = 0;
        if ((shared & kLazySecure) == 0) writable |= kLazy;
        if ((shared & kClearOnReturnSecure) == 0) writable |= kClearOnReturn;
        shared = (shared & ~writable) | (value & writable);
        fp_control_[kNonSecure] = value & kBanked;
    }
    update_context(cpu);
}

void SystemRegisters::write_cache_block(CpuState& cpu, std::uint32_t offset, std::uint32_t value) {
    const bool all_code = offset == 0xF50;
    if (all_code || offset == 0xF58) memory_->instructions_invalidated(cpu, value, all_code);
    if (maintenance_ == nullptr) return;
    using Action = CacheMaintenance::Action;
    const unsigned ways = (config_.core.ccsidr_data >> 3 & 0x3FF) + 1;
    const unsigned sets = (config_.core.ccsidr_data >> 13 & 0x7FFF) + 1;
    const unsigned line_bits = (config_.core.ccsidr_data & 7) + 4;
    unsigned way_bits = 0;
    while (1u << way_bits < ways) ++way_bits;
    const unsigned set = value >> line_bits & (sets - 1);
    const unsigned way = way_bits == 0 ? 0 : value >> (32 - way_bits);
    switch (offset) {
        case 0xF50:
            return maintenance_->invalidate_all_instructions(cpu);
        case 0xF58:
            return maintenance_->invalidate_instruction_line(cpu, value);
        case 0xF5C:
            return maintenance_->maintain_data_line(cpu, Action::Invalidate, value);
        case 0xF60:
            return maintenance_->maintain_data_set_way(cpu, Action::Invalidate, set, way);
        case 0xF64:
        case 0xF68:
            return maintenance_->maintain_data_line(cpu, Action::Clean, value);
        case 0xF6C:
            return maintenance_->maintain_data_set_way(cpu, Action::Clean, set, way);
        case 0xF70:
            return maintenance_->maintain_data_line(cpu, Action::CleanAndInvalidate, value);
        case 0xF74:
            return maintenance_->maintain_data_set_way(cpu, Action::CleanAndInvalidate, set, way);
        case 0xF78:
            return maintenance_->invalidate_branch_predictor(cpu);
        default:
            return;
    }
}

}  // namespace n6vp::models::core
