// SPDX-License-Identifier: Apache-2.0
// MRS, MSR, CPS and the registers in use.
#include "models/core/ir/micro_op.h"
#include "models/core/system/register_bits.h"
#include "models/core/system/system_registers.h"

namespace n6vp::models::core {

namespace {

/// SYSm numbers; with kNonSecureView set, the Non-secure register named from Secure state.
enum SpecialRegister : unsigned {
    kEpsrLast = 7,
    kMsp = 8,
    kPsp = 9,
    kMspLimit = 10,
    kPspLimit = 11,
    kPrimask = 16,
    kBasepri = 17,
    kBasepriMax = 18,
    kFaultmask = 19,
    kControl = 20,
    kStackPointer = 24,  ///< SP_NS only
    kNonSecureView = 0x80,
};

constexpr std::uint32_t kGeMask = 0xF0000, kFlagMask = 0xF8000000;

}  // namespace

StackPointer SystemRegisters::stack_in_use(const CpuState& cpu) {
    const bool process = cpu.ipsr == 0 && (cpu.control[bank(cpu)] & control::kProcessStack) != 0;
    return static_cast<StackPointer>((cpu.secure ? kMspS : kMspNs) + (process ? 1 : 0));
}

void SystemRegisters::save_sp(CpuState& cpu) {
    cpu.stack_pointers[stack_in_use(cpu)] = cpu.r[13];
}

void SystemRegisters::load_sp(CpuState& cpu) const {
    cpu.r[13] = cpu.stack_pointers[stack_in_use(cpu)];
}

void SystemRegisters::update_context(CpuState& cpu) {
    cpu.privileged = cpu.ipsr != 0 || (cpu.control[bank(cpu)] & control::kUnprivileged) == 0;
    const bool no_limit = (configuration_[bank(cpu)] & ccr::kIgnoreStackLimit) != 0 &&
                          exceptions_.negative_priority(cpu, cpu.secure);
    cpu.sp_limit = no_limit ? 0 : cpu.stack_limits[stack_in_use(cpu)];
    cpu.fp_ready = false;
    if (memory_ != nullptr) memory_->context_changed(cpu);
    // What a mask held back is due now: at the end of this block.
    if (cpu.budget > 0 && exceptions_.preempts(cpu)) {
        cpu.cycle_base -= static_cast<std::uint64_t>(cpu.budget);
        cpu.budget = 0;
    }
}

void SystemRegisters::enter_security_state(CpuState& cpu, bool secure) {
    if (cpu.secure == secure) return;
    save_sp(cpu);
    cpu.secure = secure;
    load_sp(cpu);
    update_context(cpu);
    update_caches(cpu);
}

std::uint32_t SystemRegisters::read_stack_register(const CpuState& cpu, unsigned which,
                                                   bool secure) const {
    const unsigned index = (secure ? kMspS : kMspNs) + (which & 1);
    if (which >= kMspLimit) return cpu.stack_limits[index];
    return index == stack_in_use(cpu) ? cpu.r[13] : cpu.stack_pointers[index];
}

void SystemRegisters::write_stack_register(CpuState& cpu, unsigned which, bool secure,
                                           std::uint32_t value) {
    const unsigned index = (secure ? kMspS : kMspNs) + (which & 1);
    if (which >= kMspLimit) {
        if (!config_.core.v8()) return;
        cpu.stack_limits[index] = value & ~7u;
        update_context(cpu);
        return;
    }
    cpu.stack_pointers[index] = value & ~3u;
    if (index == stack_in_use(cpu)) cpu.r[13] = value & ~3u;
}

std::uint32_t SystemRegisters::read_control(const CpuState& cpu, bool secure) const {
    std::uint32_t value = cpu.control[bank(secure)];
    const bool fp_visible = cpu.secure || (non_secure_access_ & 1u << 10) != 0;
    if (cpu.fpca && fp_visible) value |= control::kFpActive;
    if (cpu.sfpa && secure) value |= control::kSecureFpActive;
    return value;
}

void SystemRegisters::write_control(CpuState& cpu, bool secure, std::uint32_t value) {
    save_sp(cpu);
    std::uint32_t writable = control::kUnprivileged | control::kProcessStack;
    if (!config_.core.v8() && cpu.ipsr != 0) writable = control::kUnprivileged;
    auto& own = cpu.control[bank(secure)];
    own = static_cast<std::uint8_t>((own & ~writable) | (value & writable));
    load_sp(cpu);
    // FPCA belongs to Non-secure state only where NSACR grants it the unit.
    if (secure || (non_secure_access_ & 1u << 10) != 0)
        cpu.fpca = (value & control::kFpActive) != 0;
    if (cpu.secure && secure && has_security()) cpu.sfpa = (value & control::kSecureFpActive) != 0;
    update_context(cpu);
}

std::uint32_t SystemRegisters::read_special(CpuState& cpu, unsigned sysm) {
    const bool non_secure_view = (sysm & kNonSecureView) != 0;
    const unsigned which = sysm & ~unsigned{kNonSecureView};
    if (non_secure_view && (!cpu.secure || !has_security())) return 0;
    const bool secure = cpu.secure && !non_secure_view;
    if (which <= kEpsrLast) {
        std::uint32_t value = 0;
        if ((which & 1) != 0 && cpu.privileged) value |= cpu.ipsr;
        if ((which & 4) == 0) value |= apsr(cpu);
        return value;
    }
    if (which == kControl) return read_control(cpu, secure);
    if (!cpu.privileged) return 0;
    switch (which) {
        case kMsp:
        case kPsp:
        case kMspLimit:
        case kPspLimit:
            return read_stack_register(cpu, which, secure);
        case kPrimask:
            return cpu.primask[bank(secure)];
        case kBasepri:
        case kBasepriMax:
            return cpu.basepri[bank(secure)];
        case kFaultmask:
            return cpu.faultmask[bank(secure)];
        case kStackPointer: {
            if (!non_secure_view) return 0;
            const bool process =
                cpu.ipsr == 0 && (cpu.control[kNonSecure] & control::kProcessStack) != 0;
            return cpu.stack_pointers[process ? kPspNs : kMspNs];
        }
        default:
            return 0;
    }
}

void SystemRegisters::write_mask_register(CpuState& cpu, unsigned which, bool secure,
                                          std::uint32_t value) {
    const Security index = bank(secure);
    const auto level =
        static_cast<std::uint8_t>(value & 0xFF & (0xFFu << (8 - config_.priority_bits)));
    switch (which) {
        case kPrimask:
            cpu.primask[index] = static_cast<std::uint8_t>(value & 1);
            break;
        case kBasepri:
            cpu.basepri[index] = level;
            break;
        case kBasepriMax:
            if (level != 0 && (level < cpu.basepri[index] || cpu.basepri[index] == 0))
                cpu.basepri[index] = level;
            break;
        default:
            if (exceptions_.execution_priority(cpu) > Exceptions::kHardFaultPriority ||
                (value & 1) == 0)
                cpu.faultmask[index] = static_cast<std::uint8_t>(value & 1);
            break;
    }
    update_context(cpu);
}

void SystemRegisters::write_special(CpuState& cpu, unsigned sysm, unsigned mask,
                                    std::uint32_t value) {
    const bool non_secure_view = (sysm & kNonSecureView) != 0;
    const unsigned which = sysm & ~unsigned{kNonSecureView};
    if (non_secure_view && (!cpu.secure || !has_security())) return;
    const bool secure = cpu.secure && !non_secure_view;
    if (which <= kEpsrLast) {
        if ((which & 4) != 0) return;
        if ((mask & 2) != 0) set_apsr_nzcvq(cpu, value & kFlagMask);
        if ((mask & 1) != 0) cpu.ge = (value & kGeMask) >> 16;
        return;
    }
    if (!cpu.privileged) return;
    switch (which) {
        case kMsp:
        case kPsp:
        case kMspLimit:
        case kPspLimit:
            write_stack_register(cpu, which, secure, value);
            break;
        case kPrimask:
        case kBasepri:
        case kBasepriMax:
        case kFaultmask:
            write_mask_register(cpu, which, secure, value);
            break;
        case kControl:
            write_control(cpu, secure, value);
            break;
        case kStackPointer: {
            if (!non_secure_view) break;
            const bool process =
                cpu.ipsr == 0 && (cpu.control[kNonSecure] & control::kProcessStack) != 0;
            const StackPointer index = process ? kPspNs : kMspNs;
            // The one MSR that checks the limit.
            if ((value & ~3u) < cpu.stack_limits[index]) {
                raise_usage(cpu, cfsr::kStkOf);
                break;
            }
            cpu.stack_pointers[index] = value & ~3u;
            break;
        }
        default:
            break;
    }
}

void SystemRegisters::change_processor_state(CpuState& cpu, bool disable, bool primask,
                                             bool faultmask) {
    if (!cpu.privileged) return;
    if (primask) cpu.primask[bank(cpu)] = disable ? 1 : 0;
    if (faultmask &&
        (!disable || exceptions_.execution_priority(cpu) > Exceptions::kHardFaultPriority))
        cpu.faultmask[bank(cpu)] = disable ? 1 : 0;
    update_context(cpu);
}

std::uint32_t SystemRegisters::test_target(CpuState& cpu, std::uint32_t address, bool unprivileged,
                                           bool alternate) {
    const bool secure = cpu.secure && !alternate;
    bool privileged = cpu.privileged;
    if (alternate)
        privileged = cpu.ipsr != 0 || (cpu.control[kNonSecure] & control::kUnprivileged) == 0;
    if (unprivileged) privileged = false;
    const bool bypass =
        protection_.bypassable(secure) && exceptions_.negative_priority(cpu, secure);
    // Unprivileged code learns nothing about the MPU of its own state.
    const bool with_mpu = cpu.privileged || alternate;
    return protection_.test_target(address, privileged, secure, bypass, with_mpu, cpu.secure);
}

bool SystemRegisters::secure_gateway(CpuState& cpu, std::uint32_t pc) {
    if (cpu.secure) return false;
    // Only code in a callable region gets here with a Secure address.
    const Permission permission = check(cpu, pc, Intent::Execute, cpu.privileged, false);
    if (!permission.gateway_only) return false;
    if ((configuration_[kSecure] & ccr::kNoReentry) != 0 && cpu.ipsr == 0) {
        // A Secure thread stack that ends in a signature is in use by an interrupted call.
        const bool process = (cpu.control[kSecure] & control::kProcessStack) != 0;
        const std::uint32_t sp = cpu.stack_pointers[process ? kPspS : kMspS];
        const bool privileged = (cpu.control[kSecure] & control::kUnprivileged) == 0;
        StackAccess stack(*this, cpu, true, privileged);
        const std::uint32_t word = stack.read(sp);
        const bool in_use = stack.ok() && (word & ~1u) == kIntegritySignature;
        if (in_use || !stack.ok() || (sp & 7) != 0) {
            raise(cpu, Exception::SecureFault, sfsr::kInvEp);
            return false;
        }
    }
    cpu.r[14] &= ~1u;
    cpu.sfpa = false;
    cpu.itstate = 0;
    enter_security_state(cpu, true);
    return true;
}

void SystemRegisters::branch_non_secure(CpuState& cpu, std::uint32_t target) {
    if (target >= kExceptionReturnStart && cpu.ipsr != 0) {
        cpu.pc = target;
        leave(cpu);
        return;
    }
    cpu.sfpa = false;
    enter_security_state(cpu, false);
    cpu.pc = target & ~1u;
    cpu.itstate = 0;
    cpu.thumb = true;
}

bool SystemRegisters::call_non_secure(CpuState& cpu, std::uint32_t target,
                                      std::uint32_t return_address) {
    const std::uint32_t sp = cpu.r[13] - 8;
    if (!check_stack_limit(cpu, sp)) return false;
    StackAccess stack(*this, cpu, true, cpu.privileged);
    stack.write(sp, return_address | 1);
    stack.write(sp + 4, cpu.ipsr | (cpu.sfpa ? xpsr::kSecureFp : 0));
    if (!stack.ok()) {
        PendingFault fault = stack.fault();
        cpu.fault = fault;
        cpu.exit = Exit::Fault;
        return false;
    }
    cpu.r[13] = sp;
    cpu.r[14] = kFunctionReturn;
    // Non-secure code may know that it runs in a handler, not in which.
    save_sp(cpu);
    if (cpu.ipsr != 0) cpu.ipsr = 1;
    branch_non_secure(cpu, target);
    return true;
}

bool SystemRegisters::return_from_function(CpuState& cpu) {
    const bool thread = cpu.ipsr == 0;
    const bool process = thread && (cpu.control[kSecure] & control::kProcessStack) != 0;
    const StackPointer index = process ? kPspS : kMspS;
    const std::uint32_t sp = cpu.stack_pointers[index];
    const bool privileged = !thread || (cpu.control[kSecure] & control::kUnprivileged) == 0;
    StackAccess stack(*this, cpu, true, privileged);
    const std::uint32_t pc = stack.read(sp), status = stack.read(sp + 4);
    if (!stack.ok()) {
        pend_stack_fault(cpu, stack, StackUse::Return);
        return !locked_up_;
    }
    const std::uint32_t exception = status & xpsr::kException;
    const bool consistent = thread ? exception == 0 : cpu.ipsr == 1 && exception != 0;
    if (!consistent)
        return pend_fault(cpu, Exception::UsageFault, cpu.secure, cfsr::kInvPc, 0, false);
    cpu.stack_pointers[index] = sp + 8;
    // The mode stays, only its number comes back.
    save_sp(cpu);
    cpu.secure = true;
    cpu.ipsr = exception;
    load_sp(cpu);
    cpu.sfpa = (status & xpsr::kSecureFp) != 0;
    cpu.pc = pc & ~1u;
    cpu.thumb = (pc & 1) != 0;
    cpu.itstate = 0;
    update_context(cpu);
    update_caches(cpu);
    return true;
}

}  // namespace n6vp::models::core
