// SPDX-License-Identifier: Apache-2.0
// From interrupted code to the first instruction of a handler.
#include "models/core/system/register_bits.h"
#include "models/core/system/system_registers.h"

namespace n6vp::models::core {

namespace {

// EXC_RETURN.
constexpr std::uint32_t kReturnCode = 0xFFFFFF80, kToSecure = 1u << 6, kCalleeByDefault = 1u << 5,
                        kStandardFrame = 1u << 4, kToThread = 1u << 3, kProcessStack = 1u << 2,
                        kFromSecure = 1u;

/// IT and ECI share bits 26:25 and 15:10.
std::uint32_t it_bits(const CpuState& cpu) {
    const std::uint32_t it =
        cpu.itstate != 0 ? cpu.itstate : static_cast<std::uint32_t>(cpu.eci) << 4;
    return (it & 3) << 25 | (it >> 2) << 10;
}

}  // namespace

void SystemRegisters::charge(CpuState& cpu, double cycles) const {
    cpu.budget -= static_cast<std::int64_t>(cycles);
}

void SystemRegisters::push_fp(CpuState& cpu, StackAccess& stack, std::uint32_t frame,
                              bool below_limit) {
    const std::uint32_t control = fp_control_[kSecure];
    const bool whole = cpu.secure && (control & fpccr::kTreatSecure) != 0;
    if ((control & fpccr::kLazy) != 0) {
        defer_fp(cpu, frame + kBasicFrame, below_limit);
        return;
    }
    bool to_secure = false;
    if (fp_denied(cpu, cpu.secure, cpu.privileged, to_secure)) {
        static_cast<void>(
            pend_fault(cpu, Exception::UsageFault, to_secure || cpu.secure, cfsr::kNoCp, 0, false));
        return;
    }
    if (!below_limit) write_fp_area(cpu, stack, frame + kBasicFrame, whole);
    forget_fp(cpu, whole);
    charge(cpu, config_.exceptions.fp_frame_cycles.value);
}

SystemRegisters::ReturnCode SystemRegisters::push_frame(CpuState& cpu) {
    const bool whole = cpu.secure && (fp_control_[kSecure] & fpccr::kTreatSecure) != 0;
    const std::uint32_t bytes = !cpu.fpca ? kBasicFrame : whole ? kWholeFpFrame : kFpFrame;
    const std::uint32_t sp = cpu.r[13];
    // A frame with FP context is aligned in any case.
    const bool align = cpu.fpca || (configuration_[bank(cpu)] & ccr::kAlignStack) != 0;
    std::uint32_t frame = (sp - bytes) & (align ? ~7u : ~3u);
    std::uint32_t status = cpu.ipsr | apsr(cpu) | it_bits(cpu);
    if (cpu.thumb) status |= xpsr::kThumb;
    if (align && (sp & 4) != 0) status |= xpsr::kAligned;
    if (cpu.secure && cpu.sfpa) status |= xpsr::kSecureFp;

    const bool below_limit = frame < cpu.sp_limit;
    StackAccess stack(*this, cpu, cpu.secure, cpu.privileged);
    if (below_limit) {
        // Nothing is written below the limit; here nothing at all.
        static_cast<void>(
            pend_fault(cpu, Exception::UsageFault, cpu.secure, cfsr::kStkOf, 0, false));
    } else {
        const std::uint32_t words[8] = {cpu.r[0],  cpu.r[1],  cpu.r[2], cpu.r[3],
                                        cpu.r[12], cpu.r[14], cpu.pc,   status};
        for (unsigned i = 0; i < 8; ++i) stack.write(frame + 4 * i, words[i]);
    }
    if (cpu.fpca) push_fp(cpu, stack, frame, below_limit);
    if (below_limit) frame = cpu.sp_limit;
    if (!stack.ok()) pend_stack_fault(cpu, stack, StackUse::Entry);
    cpu.r[13] = frame;

    ReturnCode code(kReturnCode | kCalleeByDefault);
    code.set(kToSecure, cpu.secure && has_state_bits());
    code.set(kStandardFrame, !cpu.fpca);
    code.set(kToThread, cpu.ipsr == 0);
    return code;
}

bool SystemRegisters::push_callee(CpuState& cpu, ReturnCode code) {
    // At entry the Secure stack is the one in use; from a Secure handler, that of the background.
    const bool thread = code.to_thread();
    const bool process = thread && (cpu.control[kSecure] & control::kProcessStack) != 0;
    const StackPointer index = process ? kPspS : kMspS;
    const bool in_use = stack_in_use(cpu) == index;
    const bool privileged = !thread || (cpu.control[kSecure] & control::kUnprivileged) == 0;
    std::uint32_t sp = in_use ? cpu.r[13] : cpu.stack_pointers[index];
    sp -= kCalleeFrame;
    const bool no_limit = (configuration_[kSecure] & ccr::kIgnoreStackLimit) != 0 &&
                          exceptions_.negative_priority(cpu, true);
    bool ok = true;
    if (!no_limit && sp < cpu.stack_limits[index]) {
        sp = cpu.stack_limits[index];
        static_cast<void>(pend_fault(cpu, Exception::UsageFault, true, cfsr::kStkOf, 0, false));
        ok = false;
    } else {
        StackAccess stack(*this, cpu, true, privileged);
        stack.write(sp, kIntegritySignature | (code.basic_frame() ? 1u : 0u));
        for (unsigned i = 0; i < 8; ++i) stack.write(sp + 8 + 4 * i, cpu.r[4 + i]);
        ok = stack.ok();
        if (!ok) pend_stack_fault(cpu, stack, StackUse::Entry);
    }
    cpu.stack_pointers[index] = sp;
    if (in_use) cpu.r[13] = sp;
    return ok;
}

void SystemRegisters::arrange_callee(CpuState& cpu, Slot slot, ReturnCode& code, bool chained,
                                     bool& fresh) {
    fresh = true;
    if (!code.to_secure()) return;
    // The Secure owner of r4 to r11 has them on the stack already if the handler that ends now is
    // Non-secure.
    const bool stacked = !code.callee_by_default() || (chained && !code.from_secure());
    if (exceptions_.targets_secure(slot)) {
        if (stacked) code.set(kCalleeByDefault, false);
        return;
    }
    if (!stacked) fresh = push_callee(cpu, code);
    code.set(kCalleeByDefault, true);
}

bool SystemRegisters::fetch_vector(CpuState& cpu, Slot slot, std::uint32_t& vector) {
    const bool secure = exceptions_.targets_secure(slot);
    const std::uint32_t address = vector_table_[bank(secure)] + 4 * exceptions_.number(slot);
    const Permission permission = protection_.check_vector(address, secure);
    if (permission.allowed && memory_->read32(cpu, address, permission, true, vector)) return true;
    if (!permission.allowed && permission.fault.exception == Exception::SecureFault)
        record_status(true, permission.fault);
    hard_fault_status_ |= hfsr::kVectorTable;
    const Slot hard =
        exceptions_.slot(Exception::HardFault, secure || !exceptions_.faults_non_secure);
    if (exceptions_.group_priority(slot) <= exceptions_.group_priority(hard)) {
        locked_up_ = true;
    } else {
        exceptions_.set_pending(hard, true);
    }
    tell_fault(cpu, {Exception::HardFault, 0, address, true}, CoreFault::Where::Vector);
    return false;
}

void SystemRegisters::vector_to(CpuState& cpu, ReturnCode code, bool chained) {
    Slot slot = 0;
    std::uint32_t vector = 0;
    bool callee_failed = false;
    while (true) {
        if (locked_up_ || !exceptions_.most_urgent(slot)) return;
        bool fresh = true;
        arrange_callee(cpu, slot, code, chained, fresh);
        if (!fresh && !callee_failed) {
            // The fault of stacking is pending now and may be more urgent.
            callee_failed = true;
            continue;
        }
        if (locked_up_) return;
        if (fetch_vector(cpu, slot, vector)) break;
    }
    start_handler(cpu, slot, code, vector, chained);
}

void SystemRegisters::start_handler(CpuState& cpu, Slot slot, ReturnCode code, std::uint32_t vector,
                                    bool chained) {
    const bool secure = exceptions_.targets_secure(slot);
    exceptions_.acknowledge(slot);
    if (config_.exception) config_.exception(exceptions_.number(slot), true);
    code.set(kFromSecure, secure && has_state_bits());
    code.set(kProcessStack, (cpu.control[bank(secure)] & control::kProcessStack) != 0);
    if (!secure && (code.to_secure() || (chained && cpu.secure))) {
        // Nothing of Secure code may show.
        for (unsigned i = 0; i < 13; ++i) {
            if (i < 4 || i == 12 || code.to_secure()) cpu.r[i] = 0;
        }
        set_apsr_nzcvq(cpu, 0);
        cpu.ge = 0;
    }
    save_sp(cpu);
    cpu.secure = secure;
    cpu.ipsr = exceptions_.number(slot);
    cpu.control[bank(secure)] &= static_cast<std::uint8_t>(~control::kProcessStack);
    load_sp(cpu);
    cpu.r[14] = code.value;
    cpu.fpca = cpu.sfpa = false;
    cpu.pc = vector & ~1u;
    cpu.thumb = (vector & 1) != 0;
    cpu.itstate = 0;
    cpu.eci = 0;
    cpu.exclusive = false;
    cpu.event = true;
    update_context(cpu);
    update_caches(cpu);
    const double cycles = chained ? config_.exceptions.tail_chain_cycles.value
                                  : config_.exceptions.entry_cycles.value;
    charge(cpu, cycles);
    counters_.count_exception(static_cast<std::uint64_t>(cycles));
}

void SystemRegisters::take_exception(CpuState& cpu) {
    cpu.exit = Exit::None;
    const ReturnCode code = push_frame(cpu);
    if (!locked_up_) vector_to(cpu, code, false);
}

}  // namespace n6vp::models::core
