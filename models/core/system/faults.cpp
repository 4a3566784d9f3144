// SPDX-License-Identifier: Apache-2.0
// Faults: status registers, escalation, lockup; accesses of the exception machinery to memory.
#include "models/core/ir/micro_op.h"
#include "models/core/system/register_bits.h"
#include "models/core/system/system_registers.h"

namespace n6vp::models::core {

void SystemRegisters::record_status(bool secure, const PendingFault& fault) {
    switch (fault.exception) {
        case Exception::MemManage:
            memory_and_usage_status_[bank(secure)] |= fault.status;
            if (!fault.address_valid) break;
            memory_and_usage_status_[bank(secure)] |= cfsr::kMmarValid;
            memory_fault_address_[bank(secure)] = fault.address;
            break;
        case Exception::BusFault:
            bus_status_ |= fault.status & kBusStatus;
            if (!fault.address_valid) break;
            bus_status_ |= cfsr::kBfarValid;
            bus_fault_address_ = fault.address;
            break;
        case Exception::UsageFault:
            memory_and_usage_status_[bank(secure)] |= fault.status;
            break;
        case Exception::SecureFault:
            secure_status_ |= fault.status;
            if (!fault.address_valid) break;
            secure_status_ |= sfsr::kSfarValid;
            secure_fault_address_ = fault.address;
            break;
        default:
            break;
    }
}

void SystemRegisters::tell_fault(const CpuState& cpu, const PendingFault& fault,
                                 CoreFault::Where where) const {
    if (!fault_hook_) return;
    CoreFault told{where, fault, cpu.pc, cpu.r, apsr(cpu), cpu.ipsr, cpu.secure, locked_up_};
    told.r[15] = cpu.pc;
    fault_hook_(told);
}

bool SystemRegisters::pend_synchronous(CpuState& cpu, Slot slot, bool forced) {
    const int running = exceptions_.execution_priority(cpu);
    if (!forced && exceptions_.enabled(slot) && exceptions_.group_priority(slot) < running) {
        exceptions_.set_pending(slot, true);
        return true;
    }
    const bool secure = exceptions_.targets_secure(slot) || !exceptions_.faults_non_secure;
    const Slot hard = exceptions_.slot(Exception::HardFault, secure);
    if (exceptions_.group_priority(hard) >= running) {
        locked_up_ = true;
        return false;
    }
    hard_fault_status_ |= hfsr::kForced;
    exceptions_.set_pending(hard, true);
    return true;
}

bool SystemRegisters::pend_fault(CpuState& cpu, Exception exception, bool secure,
                                 std::uint32_t status, std::uint32_t address, bool address_valid) {
    const PendingFault fault{exception, status, address, address_valid};
    record_status(secure, fault);
    const bool taken = pend_synchronous(cpu, exceptions_.slot(exception, secure));
    tell_fault(cpu, fault, CoreFault::Where::Exchange);
    return taken;
}

bool SystemRegisters::take_fault(CpuState& cpu) {
    const PendingFault fault = cpu.fault;
    cpu.exit = Exit::None;
    cpu.fault = {};
    const bool secure = cpu.secure || fault_to_secure_;
    fault_to_secure_ = false;
    // A failure of deferred stacking counts as if it had happened at exception entry.
    const bool lazy =
        (fault.exception == Exception::MemManage && (fault.status & cfsr::kMLspErr) != 0) ||
        (fault.exception == Exception::BusFault && (fault.status & cfsr::kLspErr) != 0) ||
        (fault.exception == Exception::SecureFault && (fault.status & sfsr::kLsPerr) != 0);
    const bool of_secure = lazy ? (fp_control_[kSecure] & fpccr::kOwnerSecure) != 0 : secure;
    record_status(of_secure, fault);
    bool ready = true;
    if (lazy) {
        const std::uint32_t bits = fp_control_[bank(of_secure)] & fpccr::kBanked;
        const std::uint32_t shared = fp_control_[kSecure];
        ready = fault.exception == Exception::MemManage  ? (bits & fpccr::kMemManageReady) != 0
                : fault.exception == Exception::BusFault ? (shared & fpccr::kBusFaultReady) != 0
                                                         : (shared & fpccr::kSecureFaultReady) != 0;
    }
    const bool taken = pend_synchronous(cpu, exceptions_.slot(fault.exception, of_secure), !ready);
    tell_fault(cpu, fault, lazy ? CoreFault::Where::Stacking : CoreFault::Where::Instruction);
    return taken;
}

bool SystemRegisters::take_breakpoint(CpuState& cpu) {
    debug_fault_status_ |= 2;  // BKPT
    const Slot monitor = exceptions_.slot(Exception::DebugMonitor, true);
    const bool taken = pend_synchronous(cpu, monitor);
    if (!exceptions_.pending(monitor)) {
        hard_fault_status_ = (hard_fault_status_ & ~hfsr::kForced) | hfsr::kDebug;
    }
    tell_fault(cpu, {Exception::HardFault, 0, 0, false}, CoreFault::Where::Breakpoint);
    return taken;
}

void SystemRegisters::call_supervisor(CpuState& cpu) {
    pend_synchronous(cpu, exceptions_.slot(Exception::SvCall, cpu.secure));
}

bool SystemRegisters::StackAccess::permitted(std::uint32_t address, Intent intent,
                                             Permission& permission) {
    if (!ok_) return false;
    permission = owner_.check(cpu_, address, intent, privileged_, secure_);
    if (!permission.allowed) {
        fail(permission.fault);
    } else if (address >= 0xE0000000 && address <= 0xE00FFFFF) {
        fail({Exception::BusFault, cfsr::kPrecisErr, address, true});
    }
    return ok_;
}

void SystemRegisters::StackAccess::write(std::uint32_t address, std::uint32_t value) {
    Permission permission;
    if (!permitted(address, Intent::Write, permission)) return;
    if (!owner_.memory_->write32(cpu_, address, permission, privileged_, value))
        fail({Exception::BusFault, cfsr::kPrecisErr, address, true});
}

std::uint32_t SystemRegisters::StackAccess::read(std::uint32_t address) {
    Permission permission;
    std::uint32_t value = 0;
    if (!permitted(address, Intent::Read, permission)) return 0;
    if (!owner_.memory_->read32(cpu_, address, permission, privileged_, value))
        fail({Exception::BusFault, cfsr::kPrecisErr, address, true});
    return value;
}

void SystemRegisters::pend_stack_fault(CpuState& cpu, const StackAccess& access, StackUse use) {
    PendingFault fault = access.fault();
    const bool entry = use == StackUse::Entry;
    // Stacking faults do not load the address registers, security violations do.
    if (fault.exception == Exception::MemManage) {
        fault.status = entry ? cfsr::kMStkErr : cfsr::kMunStkErr;
        fault.address_valid = false;
    } else if (fault.exception == Exception::BusFault) {
        fault.status = entry ? cfsr::kStkErr : cfsr::kUnStkErr;
        fault.address_valid = false;
    }
    record_status(access.secure(), fault);
    static_cast<void>(pend_synchronous(cpu, exceptions_.slot(fault.exception, access.secure())));
    // The registers for the status say nothing of the address; the report may.
    fault.address = access.fault().address;
    fault.address_valid = access.fault().address_valid;
    tell_fault(cpu, fault, entry ? CoreFault::Where::Stacking : CoreFault::Where::Unstacking);
}

}  // namespace n6vp::models::core
