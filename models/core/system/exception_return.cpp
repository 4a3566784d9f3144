// SPDX-License-Identifier: Apache-2.0
// From a handler back to what it interrupted, or to the next handler.
#include "models/core/ir/micro_op.h"
#include "models/core/system/register_bits.h"
#include "models/core/system/system_registers.h"

namespace n6vp::models::core {

namespace {

constexpr std::uint32_t kFromSecure = 1u;

}  // namespace

bool SystemRegisters::leave(CpuState& cpu) {
    cpu.exit = Exit::None;
    const std::uint32_t value = cpu.pc;
    if ((value | 1) == kFunctionReturn && !cpu.secure) return return_from_function(cpu);
    if (cpu.ipsr != 0 && value >= kExceptionReturnStart) return return_from_exception(cpu, value);
    // Not a magic value here: nothing can be executed at such an address.
    cpu.pc = value & ~1u;
    return pend_fault(cpu, Exception::MemManage, cpu.secure, cfsr::kIaccViol, 0, false);
}

bool SystemRegisters::clear_fp_on_return(CpuState& cpu) {
    if ((fp_control_[kSecure] & fpccr::kClearOnReturn) == 0 || !cpu.fpca) return true;
    if ((fp_control_[kSecure] & fpccr::kPreservationActive) != 0) {
        static_cast<void>(pend_fault(cpu, Exception::SecureFault, true, sfsr::kLsErr, 0, false));
        return false;
    }
    forget_fp(cpu, false);
    return true;
}

/// Armv7-M knows six values, and Thread mode is for the last handler unless CCR says otherwise.
bool SystemRegisters::is_return_code(ReturnCode code) const {
    if (config_.core.v8()) return true;
    if (!code.to_thread()) return (code.value & 15) == 1;
    const bool last = exceptions_.active_slots().size() == 1;
    return ((code.value & 15) == 9 || (code.value & 15) == 13) &&
           (last || (configuration_[kSecure] & ccr::kThreadFromAnyLevel) != 0);
}

bool SystemRegisters::may_return(CpuState& cpu, ReturnCode& code) {
    const bool forged = !cpu.secure && (code.from_secure() || !code.callee_by_default());
    if (!cpu.secure) code.set(kFromSecure, false);
    const bool of_secure = code.from_secure() || !has_security();
    const bool known = is_return_code(code);
    const Slot slot = exceptions_.slot(cpu.ipsr, of_secure);
    const bool matches = exceptions_.active(slot) && exceptions_.targets_secure(slot) == of_secure;
    const bool unmask = has_security()
                            ? exceptions_.active_priority() >= 0
                            : cpu.ipsr != static_cast<std::uint32_t>(Exception::NonMaskable);
    if (unmask) cpu.faultmask[bank(of_secure)] = 0;
    if (matches) {
        exceptions_.deactivate(slot);
        if (config_.exception) config_.exception(exceptions_.number(slot), false);
    }
    // The handler is over: its priority no longer keeps a fault of the return from its own handler.
    if (forged) {
        static_cast<void>(pend_fault(cpu, Exception::SecureFault, true, sfsr::kInvEr, 0, false));
    } else if (!matches || !known) {
        static_cast<void>(
            pend_fault(cpu, Exception::UsageFault, cpu.secure, cfsr::kInvPc, 0, false));
    }
    update_context(cpu);
    return matches && known && !forged;
}

void SystemRegisters::restore_stack_choice(CpuState& cpu, ReturnCode code) const {
    // Before any tail-chaining: the next handler's EXC_RETURN repeats it.
    auto& control = cpu.control[bank(code.from_secure() || !has_security())];
    control = static_cast<std::uint8_t>((control & ~control::kProcessStack) |
                                        (code.process_stack() ? control::kProcessStack : 0));
}

bool SystemRegisters::return_from_exception(CpuState& cpu, std::uint32_t value) {
    ReturnCode code(value);
    bool good = clear_fp_on_return(cpu);
    good = may_return(cpu, code) && good;
    restore_stack_choice(cpu, code);
    if (locked_up_) return false;
    if (!good || exceptions_.preempts(cpu)) {
        vector_to(cpu, code, true);
        return !locked_up_;
    }
    if (!unstack(cpu, code)) {
        if (!locked_up_) vector_to(cpu, code, true);
        return !locked_up_;
    }
    const double cycles = config_.exceptions.exit_cycles.value;
    charge(cpu, cycles);
    counters_.count_return(static_cast<std::uint64_t>(cycles));
    if (code.to_thread() && (sleep_control_[bank(cpu)] & scr::kSleepOnExit) != 0)
        cpu.exit = Exit::Wait;
    return true;
}

bool SystemRegisters::pop_callee(CpuState& cpu, StackAccess& stack, ReturnCode code,
                                 std::uint32_t& sp, std::array<std::uint32_t, 8>& saved) {
    const std::uint32_t signature = stack.read(sp);
    if (!stack.ok()) {
        pend_stack_fault(cpu, stack, StackUse::Return);
        return false;
    }
    if (signature != (kIntegritySignature | (code.basic_frame() ? 1u : 0u))) {
        static_cast<void>(pend_fault(cpu, Exception::SecureFault, true, sfsr::kInvIs, 0, false));
        return false;
    }
    for (unsigned i = 0; i < 8; ++i) saved[i] = stack.read(sp + 8 + 4 * i);
    sp += kCalleeFrame;
    return true;
}

bool SystemRegisters::pop_fp(CpuState& cpu, StackAccess& stack, ReturnCode code,
                             std::uint32_t frame) {
    const bool secure = code.to_secure() || !has_security();
    std::uint32_t& control = fp_control_[bank(secure)];
    if (!secure && (fp_control_[kSecure] & fpccr::kPreservationActive) != 0) {
        static_cast<void>(pend_fault(cpu, Exception::SecureFault, true, sfsr::kLsErr, 0, false));
        return false;
    }
    if ((control & fpccr::kPreservationActive) != 0) {
        // The FPU was not used: the context never left the registers.
        control &= ~fpccr::kPreservationActive;
        cpu.ltpsize = deferred_ltpsize_;
        return true;
    }
    const bool privileged =
        !code.to_thread() || (cpu.control[bank(secure)] & control::kUnprivileged) == 0;
    bool to_secure = false;
    if (fp_denied(cpu, secure, privileged, to_secure)) {
        static_cast<void>(
            pend_fault(cpu, Exception::UsageFault, to_secure || secure, cfsr::kNoCp, 0, false));
        return false;
    }
    const bool whole = secure && (fp_control_[kSecure] & fpccr::kTreatSecure) != 0;
    read_fp_area(cpu, stack, frame + kBasicFrame, whole);
    if (!stack.ok()) {
        pend_stack_fault(cpu, stack, StackUse::Return);
        return false;
    }
    charge(cpu, config_.exceptions.fp_frame_cycles.value);
    return true;
}

bool SystemRegisters::unstack(CpuState& cpu, ReturnCode code) {
    const bool secure = code.to_secure() || !has_security();
    // From here on faults are those of the interrupted code's state. Its handler stack stays in use
    // until its registers are known to be good.
    save_sp(cpu);
    cpu.secure = secure;
    load_sp(cpu);
    update_context(cpu);

    const bool process =
        code.to_thread() && (cpu.control[bank(secure)] & control::kProcessStack) != 0;
    const auto index = static_cast<StackPointer>((secure ? kMspS : kMspNs) + (process ? 1 : 0));
    const bool privileged =
        !code.to_thread() || (cpu.control[bank(secure)] & control::kUnprivileged) == 0;
    std::uint32_t sp = cpu.stack_pointers[index];
    StackAccess stack(*this, cpu, secure, privileged);
    std::array<std::uint32_t, 8> callee{}, frame{};
    const bool has_callee =
        secure && has_state_bits() && (!code.from_secure() || !code.callee_by_default());
    if (has_callee && !pop_callee(cpu, stack, code, sp, callee)) return false;
    for (unsigned i = 0; i < 8; ++i) frame[i] = stack.read(sp + 4 * i);
    if (!stack.ok()) {
        pend_stack_fault(cpu, stack, StackUse::Return);
        return false;
    }
    const std::uint32_t status = frame[7];
    if (((status & xpsr::kException) == 0) != code.to_thread()) {
        static_cast<void>(pend_fault(cpu, Exception::UsageFault, secure, cfsr::kInvPc, 0, false));
        return false;
    }
    if (!code.basic_frame() && !pop_fp(cpu, stack, code, sp)) return false;

    if (has_callee) {
        for (unsigned i = 0; i < 8; ++i) cpu.r[4 + i] = callee[i];
    }
    for (unsigned i = 0; i < 4; ++i) cpu.r[i] = frame[i];
    cpu.r[12] = frame[4];
    cpu.r[14] = frame[5];
    cpu.pc = frame[6] & ~1u;
    const bool whole = secure && (fp_control_[kSecure] & fpccr::kTreatSecure) != 0;
    sp += code.basic_frame() ? kBasicFrame : whole ? kWholeFpFrame : kFpFrame;
    const bool aligned =
        !code.basic_frame() || (configuration_[bank(secure)] & ccr::kAlignStack) != 0;
    if (aligned && (status & xpsr::kAligned) != 0) sp |= 4;
    cpu.stack_pointers[index] = sp;
    finish_return(cpu, code, status);
    return true;
}

void SystemRegisters::finish_return(CpuState& cpu, ReturnCode code, std::uint32_t status) {
    cpu.ipsr = status & xpsr::kException;
    load_sp(cpu);
    set_apsr_nzcvq(cpu, status);
    cpu.ge = status >> 16 & 15;
    cpu.thumb = (status & xpsr::kThumb) != 0;
    const std::uint32_t it = (status >> 25 & 3) | (status >> 10 & 63) << 2;
    // Inside an IT block the low half is never zero.
    cpu.itstate = (it & 15) != 0 ? static_cast<std::uint8_t>(it) : 0;
    cpu.eci = has_vectors() && (it & 15) == 0 ? static_cast<std::uint8_t>(it >> 4) : 0;
    cpu.fpca = !code.basic_frame();
    cpu.sfpa = has_security() && code.to_secure() && (status & xpsr::kSecureFp) != 0;
    cpu.exclusive = false;
    cpu.event = true;
    update_context(cpu);
    update_caches(cpu);
}

}  // namespace n6vp::models::core
