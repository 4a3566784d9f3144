// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/core/ir/core_fault.h"
#include "models/core/ir/private_registers.h"
#include "models/core/ir/state.h"

namespace n6vp::models::core {

/// Result of asking whether an access is allowed.
struct Permission {
    bool allowed = true;
    bool secure = true;   ///< security attribute of the address (what the bus sees)
    bool device = false;  ///< Device memory: aligned accesses only, no cache
    bool cacheable = false;
    bool write_back = false;
    bool uniform_page = true;  ///< the same holds for the whole 4 KiB page
    /// Of Execute by non-secure code: only an SG instruction may be executed here; anything else is
    /// a SecureFault with INVEP at this address.
    bool gateway_only = false;
    PendingFault fault;  ///< if not allowed
};

enum class Intent : std::uint8_t { Read, Write, Execute };

class SystemMemory;
class CacheMaintenance;
class EventSource;

/// The core beside its instruction stream: special registers, exceptions, NVIC, SCB, MPU, SAU,
/// SysTick, debug and performance counters. One object owns all of it; this is what instructions
/// and engine ask of it.
class System {
  public:
    System() = default;
    System(const System&) = delete;
    System& operator=(const System&) = delete;
    virtual ~System() = default;

    /// Connects the engine; called once, before `reset`. `maintenance` and `events` may be null.
    virtual void attach(SystemMemory& memory, CacheMaintenance* maintenance, EventSource* events) {
        static_cast<void>(memory);
        static_cast<void>(maintenance);
        static_cast<void>(events);
    }

    /// Called for every fault that becomes pending; may be empty.
    virtual void set_fault_hook(FaultHook hook) { static_cast<void>(hook); }

    // Asked by instructions.

    /// MRS. Returns 0 where the current state may not read.
    [[nodiscard]] virtual std::uint32_t read_special(CpuState& cpu, unsigned sysm) = 0;
    /// MSR with its mask bits (0b10 = nzcvq, 0b01 = g).
    virtual void write_special(CpuState& cpu, unsigned sysm, unsigned mask,
                               std::uint32_t value) = 0;
    /// CPSIE (`disable` false) and CPSID.
    virtual void change_processor_state(CpuState& cpu, bool disable, bool primask,
                                        bool faultmask) = 0;
    /// TT, TTT (`unprivileged`), TTA (`alternate`), TTAT. Returns the response word.
    [[nodiscard]] virtual std::uint32_t test_target(CpuState& cpu, std::uint32_t address,
                                                    bool unprivileged, bool alternate) = 0;
    /// SG at `cpu.pc` ... returns true if it changed the state to Secure.
    virtual bool secure_gateway(CpuState& cpu, std::uint32_t pc) = 0;
    /// Changes the security state: banks registers in use (r[13], limits, control).
    virtual void enter_security_state(CpuState& cpu, bool secure) = 0;
    /// Checks access to CP10/CP11 and prepares the FP context: lazy preservation, FPCA, fresh
    /// FPSCR. Returns false after a fault. `pc` is that of the instruction.
    [[nodiscard]] virtual bool prepare_fp(CpuState& cpu, std::uint32_t pc, bool vector) = 0;
    /// VLSTM and VLLDM, VSCCLRM: see the Arm ARM. Return false after a fault.
    [[nodiscard]] virtual bool lazy_store_multiple(CpuState& cpu, const struct MicroOp& op) = 0;
    [[nodiscard]] virtual bool lazy_load_multiple(CpuState& cpu, const struct MicroOp& op) = 0;
    /// Returns true if VSCCLRM clears anything: the FP context is the Secure state's.
    [[nodiscard]] virtual bool clears_fp_context(const CpuState& cpu) const { return cpu.sfpa; }
    /// Returns true if there is no FP context for FPCXTNS: writing it then does nothing, not even
    /// load what would be written.
    [[nodiscard]] virtual bool fp_inactive(const CpuState& cpu) const {
        static_cast<void>(cpu);
        return false;
    }
    /// FPCXTNS / FPCXTS read and write (VMRS, VMSR, VLDR, VSTR): value of the payload.
    [[nodiscard]] virtual std::uint32_t read_fp_context(CpuState& cpu, bool non_secure) = 0;
    virtual void write_fp_context(CpuState& cpu, bool non_secure, std::uint32_t value) = 0;
    /// SEV: also sets the own event register.
    virtual void send_event(CpuState& cpu) = 0;

    // Asked by memory system and engine.

    [[nodiscard]] virtual Permission check(const CpuState& cpu, std::uint32_t address,
                                           Intent intent, bool privileged, bool secure) = 0;
    /// Returns which of 8 sets of permissions holds: bit 0 secure, bit 1 privileged, bit 2 MPU
    /// bypassed by a negative execution priority. Memory is notified of changes.
    [[nodiscard]] virtual unsigned context(const CpuState& cpu) const = 0;
    /// Private peripheral bus, 0xE0000000 to 0xE00FFFFF. Returns false for a bus error. `now` is
    /// core cycles since reset, `cpu.pc` that of the instruction.
    [[nodiscard]] virtual bool read_ppb(CpuState& cpu, std::uint32_t address, unsigned bytes,
                                        std::uint64_t now, std::uint32_t& value) = 0;
    [[nodiscard]] virtual bool write_ppb(CpuState& cpu, std::uint32_t address, unsigned bytes,
                                         std::uint64_t now, std::uint32_t value) = 0;
    /// Returns true if CCR.UNALIGN_TRP / CCR.DIV_0_TRP is set for the current state.
    [[nodiscard]] virtual bool traps_unaligned(const CpuState& cpu) const = 0;
    [[nodiscard]] virtual bool traps_divide_by_zero(const CpuState& cpu) const = 0;
    /// Returns true if bus errors of data accesses are to be ignored: CCR.BFHFNMIGN at a negative
    /// priority.
    [[nodiscard]] virtual bool ignores_bus_faults(const CpuState& cpu) const {
        static_cast<void>(cpu);
        return false;
    }

    /// Sets all registers to their reset values and loads MSP and PC from the vector table.
    virtual bool reset(CpuState& cpu) = 0;
    /// Advances timers to `now` and returns true if an exception is pending that preempts.
    [[nodiscard]] virtual bool preempts(CpuState& cpu, std::uint64_t now) = 0;
    /// Takes the highest pending exception: stacks from `cpu.pc`, `cpu.itstate` and `cpu.eci`,
    /// loads the vector. Charges `cpu.budget`. May end in lockup.
    virtual void take_exception(CpuState& cpu) = 0;
    /// Makes `cpu.fault` pending, escalated if need be, with its status registers. `cpu.pc` is that
    /// of the instruction. Returns false on lockup.
    virtual bool take_fault(CpuState& cpu) = 0;
    /// SVC: makes SVCall pending (or HardFault).
    virtual void call_supervisor(CpuState& cpu) = 0;
    /// Return from exception or from a secure function called non-secure, by the value in `cpu.pc`
    /// (bit 0 set or not). Tail-chains by itself. What fails is made pending. Returns false on
    /// lockup.
    virtual bool leave(CpuState& cpu) = 0;
    /// BXNS to `target` with bit 0 clear: goes on at it in Non-secure state.
    virtual void branch_non_secure(CpuState& cpu, std::uint32_t target) = 0;
    /// BLXNS to `target` with bit 0 clear: stacks the return state, lr becomes FNC_RETURN. Returns
    /// false after a fault.
    virtual bool call_non_secure(CpuState& cpu, std::uint32_t target,
                                 std::uint32_t return_address) = 0;
    /// Interrupt line `irq` (0 ..) changes its level.
    virtual void set_interrupt(CpuState& cpu, unsigned irq, bool level) = 0;
    /// Returns true if the core can only be reset: a fault at a priority where none can be taken.
    [[nodiscard]] virtual bool locked_up() const = 0;
    /// BKPT without a debugger, at `cpu.pc`: DebugMonitor if enabled, else HardFault. Returns false
    /// on lockup.
    virtual bool take_breakpoint(CpuState& cpu) = 0;
    /// Returns core cycles from now until a timer may make something pending; UINT64_MAX if none.
    [[nodiscard]] virtual std::uint64_t next_event(const CpuState& cpu, std::uint64_t now) = 0;
    /// Returns true if SCR asks for deep sleep.
    [[nodiscard]] virtual bool sleeps_deeply() const { return false; }
    /// The core's clock stops, or starts again: no timer and no counter of its counts in between,
    /// though cycles pass.
    virtual void stop_clock(CpuState& cpu, std::uint64_t now) {
        static_cast<void>(cpu);
        static_cast<void>(now);
    }
    virtual void start_clock(CpuState& cpu, std::uint64_t now) {
        static_cast<void>(cpu);
        static_cast<void>(now);
    }
    [[nodiscard]] virtual bool clock_stopped() const { return false; }
    /// Returns true if WFI (or WFE, which also looks at and clears the event register) need not
    /// sleep.
    [[nodiscard]] virtual bool wakes(CpuState& cpu, bool for_event) = 0;
    /// Accesses since reset to registers of the private bus that do not exist or are not modelled;
    /// null if they are not counted.
    [[nodiscard]] virtual const PrivateAccessMap* unmodelled_accesses() const { return nullptr; }
    /// Returns true if the program has enabled line `irq`. May be asked inside an access, too.
    [[nodiscard]] virtual bool interrupt_enabled(unsigned /*irq*/) const { return false; }
    /// Sizes of the TCMs from the next reset on, as ITCMCR.SZ and DTCMCR.SZ show them.
    virtual void set_tcm_sizes(unsigned /*itcm*/, unsigned /*dtcm*/) {}
};

}  // namespace n6vp::models::core
