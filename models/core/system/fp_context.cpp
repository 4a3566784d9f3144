// SPDX-License-Identifier: Apache-2.0
// Floating-point context: access rights, lazy preservation, Secure calls.
#include "models/core/ir/micro_op.h"
#include "models/core/system/register_bits.h"
#include "models/core/system/system_registers.h"

namespace n6vp::models::core {

namespace {

constexpr unsigned kCoprocessor = 10;
constexpr std::uint32_t kContextBits = 0x0FFFFFFF, kContextSfpa = 1u << 31;
constexpr std::uint32_t kStatusOffset = 0x40, kPredicateOffset = 0x44, kUpperOffset = 0x48;

}  // namespace

bool SystemRegisters::fp_denied(const CpuState& cpu, bool secure, bool privileged,
                                bool& to_secure) const {
    static_cast<void>(cpu);
    const unsigned access = fp_access_[bank(secure)] >> (2 * kCoprocessor) & 3;
    to_secure = false;
    if (access == 0 || access == 2 || (access == 1 && !privileged)) return true;
    if (!secure && (non_secure_access_ & 1u << kCoprocessor) == 0) {
        to_secure = true;
        return true;
    }
    return false;
}

void SystemRegisters::defer_fp(CpuState& cpu, std::uint32_t area, bool below_limit) {
    using namespace fpccr;
    const bool secure = cpu.secure;
    fp_area_[bank(secure)] = area & ~7u;
    std::uint32_t& own = fp_control_[bank(secure)];
    std::uint32_t& shared = fp_control_[kSecure];
    const auto put = [](std::uint32_t& word, std::uint32_t bit, bool on) {
        word = on ? word | bit : word & ~bit;
    };
    const int running = exceptions_.execution_priority(cpu);
    // Whether a fault of the deferred stacking could have been taken now.
    const auto could_take = [&](Exception exception, bool of_secure) {
        const Slot slot = exceptions_.slot(exception, of_secure);
        return exceptions_.enabled(slot) && exceptions_.group_priority(slot) < running;
    };
    put(own, kPreservationActive, true);
    put(own, kBelowLimit, below_limit);
    put(own, kUser, !cpu.privileged);
    put(own, kThread, cpu.ipsr == 0);
    put(own, kMemManageReady, could_take(Exception::MemManage, secure));
    put(fp_control_[kNonSecure], kUsageFaultReady, could_take(Exception::UsageFault, false));
    put(shared, kOwnerSecure, secure);
    if (secure) put(shared, kUsageFaultReady, could_take(Exception::UsageFault, true));
    put(shared, kBusFaultReady, could_take(Exception::BusFault, secure));
    put(shared, kSecureFaultReady, could_take(Exception::SecureFault, true));
    put(shared, kMonitorReady, could_take(Exception::DebugMonitor, true));
    const Slot hard =
        exceptions_.slot(Exception::HardFault, secure || !exceptions_.faults_non_secure);
    put(shared, kHardFaultReady, exceptions_.group_priority(hard) < running);
    deferred_ltpsize_ = cpu.ltpsize;
    cpu.ltpsize = 4;
}

void SystemRegisters::write_fp_area(CpuState& cpu, StackAccess& stack, std::uint32_t area,
                                    bool whole) {
    for (unsigned i = 0; i < 16; ++i) stack.write(area + 4 * i, vector_lane<std::uint32_t>(cpu, i));
    stack.write(area + kStatusOffset, whole_fpscr(cpu));
    // Without vectors the word is reserved and stays as it was.
    if (has_vectors()) stack.write(area + kPredicateOffset, cpu.vpr);
    for (unsigned i = 16; whole && i < 32; ++i)
        stack.write(area + kUpperOffset + 4 * (i - 16), vector_lane<std::uint32_t>(cpu, i));
}

void SystemRegisters::read_fp_area(CpuState& cpu, StackAccess& stack, std::uint32_t area,
                                   bool whole) {
    std::array<std::uint32_t, 34> words{};
    for (unsigned i = 0; i < (whole ? 34u : 18u); ++i) words[i] = stack.read(area + 4 * i);
    if (!stack.ok()) return;
    for (unsigned i = 0; i < 16; ++i) set_vector_lane(cpu, i, words[i]);
    set_whole_fpscr(cpu, words[16]);
    cpu.vpr = has_vectors() ? words[17] & 0xFFFFFF : 0;
    for (unsigned i = 16; whole && i < 32; ++i) set_vector_lane(cpu, i, words[2 + i]);
}

void SystemRegisters::forget_fp(CpuState& cpu, bool whole) {
    for (unsigned i = 0; i < (whole ? 32u : 16u); ++i) set_vector_lane(cpu, i, std::uint32_t{0});
    cpu.fpscr = 0;
    cpu.ltpsize = 4;
    cpu.vpr = 0;
}

bool SystemRegisters::preserve_fp(CpuState& cpu) {
    const bool secure = (fp_control_[kSecure] & fpccr::kOwnerSecure) != 0;
    std::uint32_t& control = fp_control_[bank(secure)];
    const bool whole = secure && (fp_control_[kSecure] & fpccr::kTreatSecure) != 0;
    cpu.ltpsize = deferred_ltpsize_;
    if ((control & fpccr::kBelowLimit) == 0) {
        StackAccess stack(*this, cpu, secure, (control & fpccr::kUser) == 0);
        write_fp_area(cpu, stack, fp_area_[bank(secure)], whole);
        if (!stack.ok()) {
            cpu.ltpsize = 4;
            PendingFault fault = stack.fault();
            fault.status = fault.exception == Exception::MemManage  ? cfsr::kMLspErr
                           : fault.exception == Exception::BusFault ? cfsr::kLspErr
                                                                    : sfsr::kLsPerr;
            fault.address_valid = fault.exception == Exception::SecureFault;
            cpu.fault = fault;
            cpu.exit = Exit::Fault;
            return false;
        }
    }
    charge(cpu, config_.exceptions.fp_frame_cycles.value);
    control &= ~fpccr::kPreservationActive;
    if (whole) forget_fp(cpu, true);
    cpu.vpr = 0;
    cpu.ltpsize = 4;
    return true;
}

bool SystemRegisters::prepare_fp(CpuState& cpu, std::uint32_t pc, bool vector) {
    static_cast<void>(pc);
    static_cast<void>(vector);
    bool to_secure = false;
    if (fp_denied(cpu, cpu.secure, cpu.privileged, to_secure)) {
        fault_to_secure_ = to_secure;
        return raise_usage(cpu, cfsr::kNoCp);
    }
    const std::uint32_t active =
        (fp_control_[kSecure] | fp_control_[kNonSecure]) & fpccr::kPreservationActive;
    if (active != 0 && !preserve_fp(cpu)) return false;
    // The state that uses the FPU owns the context.
    if (cpu.secure) {
        fp_control_[kSecure] |= fpccr::kOwnerSecure;
    } else {
        fp_control_[kSecure] &= ~fpccr::kOwnerSecure;
    }
    const bool automatic = (fp_control_[bank(cpu)] & fpccr::kAutomatic) != 0;
    const bool of_secure = cpu.secure && has_security();
    if (automatic && (!cpu.fpca || (of_secure && !cpu.sfpa))) {
        set_whole_fpscr(cpu, fp_defaults_[bank(cpu)]);
        cpu.vpr = 0;
        cpu.fpca = true;
        if (of_secure) cpu.sfpa = true;
    }
    cpu.fp_ready = true;
    return true;
}

bool SystemRegisters::lazy_store_multiple(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t area = cpu.r[op.rn];
    if (!cpu.secure) return raise_usage(cpu, cfsr::kUndefInstr);
    if (!cpu.sfpa) return true;
    bool to_secure = false;
    if (fp_denied(cpu, true, cpu.privileged, to_secure)) return raise_usage(cpu, cfsr::kNoCp);
    if ((fp_control_[kSecure] & fpccr::kPreservationActive) != 0)
        return raise(cpu, Exception::SecureFault, sfsr::kLsErr);
    if ((area & 7) != 0) return raise_usage(cpu, cfsr::kUnaligned);
    if ((fp_control_[kSecure] & fpccr::kLazy) != 0) {
        defer_fp(cpu, area, false);
    } else {
        const bool whole = (fp_control_[kSecure] & fpccr::kTreatSecure) != 0;
        StackAccess stack(*this, cpu, true, cpu.privileged);
        write_fp_area(cpu, stack, area, whole);
        if (!stack.ok()) {
            cpu.fault = stack.fault();
            cpu.exit = Exit::Fault;
            return false;
        }
        // Otherwise the registers are the callee's to overwrite.
        if (whole) forget_fp(cpu, true);
    }
    cpu.fpca = false;
    cpu.fp_ready = false;
    return true;
}

bool SystemRegisters::lazy_load_multiple(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t area = cpu.r[op.rn];
    if (!cpu.secure) return raise_usage(cpu, cfsr::kUndefInstr);
    if (!cpu.sfpa) return true;
    bool to_secure = false;
    if (fp_denied(cpu, true, cpu.privileged, to_secure)) return raise_usage(cpu, cfsr::kNoCp);
    if ((fp_control_[kSecure] & fpccr::kPreservationActive) != 0) {
        fp_control_[kSecure] &= ~fpccr::kPreservationActive;
        cpu.ltpsize = deferred_ltpsize_;
    } else {
        if ((area & 7) != 0) return raise_usage(cpu, cfsr::kUnaligned);
        StackAccess stack(*this, cpu, true, cpu.privileged);
        read_fp_area(cpu, stack, area, (fp_control_[kSecure] & fpccr::kTreatSecure) != 0);
        if (!stack.ok()) {
            cpu.fault = stack.fault();
            cpu.exit = Exit::Fault;
            return false;
        }
    }
    cpu.fpca = true;
    cpu.fp_ready = false;
    return true;
}

bool SystemRegisters::clears_fp_context(const CpuState& cpu) const {
    return cpu.sfpa || (fp_control_[kSecure] & fpccr::kAutomatic) == 0;
}

bool SystemRegisters::fp_inactive(const CpuState& cpu) const {
    return (fp_control_[kNonSecure] & fpccr::kAutomatic) != 0 && !cpu.fpca;
}

std::uint32_t SystemRegisters::read_fp_context(CpuState& cpu, bool non_secure) {
    if (non_secure && fp_inactive(cpu)) return fp_defaults_[kNonSecure] & kContextBits;
    if (non_secure &&
        ((fp_control_[kSecure] | fp_control_[kNonSecure]) & fpccr::kPreservationActive) != 0 &&
        !preserve_fp(cpu))
        return 0;
    const std::uint32_t value = (whole_fpscr(cpu) & kContextBits) | (cpu.sfpa ? kContextSfpa : 0);
    if (!non_secure || !cpu.sfpa) set_whole_fpscr(cpu, fp_defaults_[kNonSecure]);
    if (!non_secure) cpu.sfpa = false;
    cpu.fp_ready = false;
    return value;
}

void SystemRegisters::write_fp_context(CpuState& cpu, bool non_secure, std::uint32_t value) {
    if (non_secure && fp_inactive(cpu)) return;
    if (non_secure &&
        ((fp_control_[kSecure] | fp_control_[kNonSecure]) & fpccr::kPreservationActive) != 0 &&
        !preserve_fp(cpu))
        return;
    cpu.sfpa = (value & kContextSfpa) != 0;
    set_whole_fpscr(cpu, value & kContextBits);
    cpu.fp_ready = false;
}

}  // namespace n6vp::models::core
