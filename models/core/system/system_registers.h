// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "models/core/ir/private_registers.h"
#include "models/core/ir/system.h"
#include "models/core/system/counters.h"
#include "models/core/system/exceptions.h"
#include "models/core/system/protection.h"
#include "models/core/system/sys_tick.h"
#include "models/core/system/system_config.h"
#include "models/core/system/system_memory.h"

namespace n6vp::models::core {

/// The system side of a Cortex-M: README.md of this folder says what is modelled. A core without
/// the Security Extension is one that never leaves the Secure state and has no names for it: its
/// frames and EXC_RETURN values are the same bits.
class SystemRegisters final : public System {
  public:
    explicit SystemRegisters(const SystemConfig& config);

    void attach(SystemMemory& memory, CacheMaintenance* maintenance, EventSource* events) override;

    void set_fault_hook(FaultHook hook) override { fault_hook_ = std::move(hook); }

    [[nodiscard]] std::uint32_t read_special(CpuState& cpu, unsigned sysm) override;
    void write_special(CpuState& cpu, unsigned sysm, unsigned mask, std::uint32_t value) override;
    void change_processor_state(CpuState& cpu, bool disable, bool primask, bool faultmask) override;
    [[nodiscard]] std::uint32_t test_target(CpuState& cpu, std::uint32_t address, bool unprivileged,
                                            bool alternate) override;
    bool secure_gateway(CpuState& cpu, std::uint32_t pc) override;
    void enter_security_state(CpuState& cpu, bool secure) override;
    [[nodiscard]] bool prepare_fp(CpuState& cpu, std::uint32_t pc, bool vector) override;
    [[nodiscard]] bool lazy_store_multiple(CpuState& cpu, const MicroOp& op) override;
    [[nodiscard]] bool lazy_load_multiple(CpuState& cpu, const MicroOp& op) override;
    [[nodiscard]] bool clears_fp_context(const CpuState& cpu) const override;
    [[nodiscard]] bool fp_inactive(const CpuState& cpu) const override;
    [[nodiscard]] std::uint32_t read_fp_context(CpuState& cpu, bool non_secure) override;
    void write_fp_context(CpuState& cpu, bool non_secure, std::uint32_t value) override;
    void send_event(CpuState& cpu) override;

    [[nodiscard]] Permission check(const CpuState& cpu, std::uint32_t address, Intent intent,
                                   bool privileged, bool secure) override;
    [[nodiscard]] unsigned context(const CpuState& cpu) const override;
    [[nodiscard]] bool read_ppb(CpuState& cpu, std::uint32_t address, unsigned bytes,
                                std::uint64_t now, std::uint32_t& value) override;
    [[nodiscard]] bool write_ppb(CpuState& cpu, std::uint32_t address, unsigned bytes,
                                 std::uint64_t now, std::uint32_t value) override;
    [[nodiscard]] bool traps_unaligned(const CpuState& cpu) const override;
    [[nodiscard]] bool traps_divide_by_zero(const CpuState& cpu) const override;
    [[nodiscard]] bool ignores_bus_faults(const CpuState& cpu) const override;

    bool reset(CpuState& cpu) override;
    [[nodiscard]] bool preempts(CpuState& cpu, std::uint64_t now) override;
    void take_exception(CpuState& cpu) override;
    bool take_fault(CpuState& cpu) override;
    bool take_breakpoint(CpuState& cpu) override;
    void call_supervisor(CpuState& cpu) override;
    bool leave(CpuState& cpu) override;
    void branch_non_secure(CpuState& cpu, std::uint32_t target) override;
    bool call_non_secure(CpuState& cpu, std::uint32_t target,
                         std::uint32_t return_address) override;
    void set_interrupt(CpuState& cpu, unsigned irq, bool level) override;
    [[nodiscard]] bool interrupt_enabled(unsigned irq) const override;
    void set_tcm_sizes(unsigned itcm, unsigned dtcm) override;
    [[nodiscard]] bool locked_up() const override { return locked_up_; }
    [[nodiscard]] std::uint64_t next_event(const CpuState& cpu, std::uint64_t now) override;
    [[nodiscard]] bool sleeps_deeply() const override;
    void stop_clock(CpuState& cpu, std::uint64_t now) override;
    void start_clock(CpuState& cpu, std::uint64_t now) override;
    [[nodiscard]] bool clock_stopped() const override { return timers_[kSecure].stopped(); }
    [[nodiscard]] bool wakes(CpuState& cpu, bool for_event) override;
    [[nodiscard]] const PrivateAccessMap* unmodelled_accesses() const override {
        return &unmodelled_;
    }

    /// Pends NMI, as the chip's pin does.
    void set_non_maskable(CpuState& cpu);
    [[nodiscard]] const Exceptions& exceptions() const { return exceptions_; }

  private:
    using Slot = Exceptions::Slot;

    /// Fields of an EXC_RETURN value.
    struct ReturnCode {
        explicit ReturnCode(std::uint32_t bits) : value(bits) {}
        [[nodiscard]] bool to_secure() const { return (value & 1u << 6) != 0; }
        [[nodiscard]] bool callee_by_default() const { return (value & 1u << 5) != 0; }
        [[nodiscard]] bool basic_frame() const { return (value & 1u << 4) != 0; }
        [[nodiscard]] bool to_thread() const { return (value & 1u << 3) != 0; }
        [[nodiscard]] bool process_stack() const { return (value & 1u << 2) != 0; }
        [[nodiscard]] bool from_secure() const { return (value & 1u) != 0; }
        void set(std::uint32_t bit, bool on) { value = on ? value | bit : value & ~bit; }
        std::uint32_t value;
    };

    /// Accesses to a stack with one privilege and security; counts the first failure only.
    class StackAccess {
      public:
        StackAccess(SystemRegisters& owner, CpuState& cpu, bool secure, bool privileged)
            : owner_(owner), cpu_(cpu), secure_(secure), privileged_(privileged) {}
        void write(std::uint32_t address, std::uint32_t value);
        [[nodiscard]] std::uint32_t read(std::uint32_t address);
        [[nodiscard]] bool ok() const { return ok_; }
        /// Why it failed: exception and address, for the caller to give the status bit.
        [[nodiscard]] const PendingFault& fault() const { return fault_; }
        [[nodiscard]] bool secure() const { return secure_; }

      private:
        [[nodiscard]] bool permitted(std::uint32_t address, Intent intent, Permission& permission);
        void fail(const PendingFault& fault) {
            ok_ = false;
            fault_ = fault;
        }
        SystemRegisters& owner_;
        CpuState& cpu_;
        bool secure_, privileged_;
        bool ok_ = true;
        PendingFault fault_;
    };
    /// What was being done when a stack access failed.
    enum class StackUse : std::uint8_t { Entry, Return, Lazy };

    [[nodiscard]] bool has_security() const { return config_.core.has(isa::Feature::Security); }
    [[nodiscard]] bool has_vectors() const { return config_.core.has(isa::Feature::Vector); }

    // registers in use (special_registers.cpp)
    /// Bits 6 and 0 of EXC_RETURN: ones in Armv7-M, the states of the Security Extension in
    /// Armv8-M, zeros in an Armv8-M core without it.
    [[nodiscard]] bool has_state_bits() const { return has_security() || !config_.core.v8(); }
    [[nodiscard]] static Security bank(bool secure) { return secure ? kSecure : kNonSecure; }
    [[nodiscard]] static Security bank(const CpuState& cpu) { return bank(cpu.secure); }
    [[nodiscard]] static StackPointer stack_in_use(const CpuState& cpu);
    static void save_sp(CpuState& cpu);
    void load_sp(CpuState& cpu) const;
    /// Privilege, stack limit, page tables and FP readiness from what they depend on.
    void update_context(CpuState& cpu);
    [[nodiscard]] std::uint32_t read_stack_register(const CpuState& cpu, unsigned which,
                                                    bool secure) const;
    void write_stack_register(CpuState& cpu, unsigned which, bool secure, std::uint32_t value);
    void write_mask_register(CpuState& cpu, unsigned which, bool secure, std::uint32_t value);
    [[nodiscard]] std::uint32_t read_control(const CpuState& cpu, bool secure) const;
    void write_control(CpuState& cpu, bool secure, std::uint32_t value);

    // exceptions (exception_entry.cpp, exception_return.cpp, faults.cpp)
    [[nodiscard]] bool pend_fault(CpuState& cpu, Exception exception, bool secure,
                                  std::uint32_t status, std::uint32_t address, bool address_valid);
    /// Pends `slot`, or HardFault if it cannot be taken now. Returns false, locked up, if that
    /// cannot either. `forced` escalates in any case.
    bool pend_synchronous(CpuState& cpu, Slot slot, bool forced = false);
    void record_status(bool secure, const PendingFault& fault);
    void tell_fault(const CpuState& cpu, const PendingFault& fault, CoreFault::Where where) const;
    void pend_stack_fault(CpuState& cpu, const StackAccess& access, StackUse use);
    [[nodiscard]] ReturnCode push_frame(CpuState& cpu);
    void push_fp(CpuState& cpu, StackAccess& stack, std::uint32_t frame, bool below_limit);
    [[nodiscard]] bool push_callee(CpuState& cpu, ReturnCode code);
    void arrange_callee(CpuState& cpu, Slot slot, ReturnCode& code, bool chained, bool& fresh);
    [[nodiscard]] bool fetch_vector(CpuState& cpu, Slot slot, std::uint32_t& vector);
    /// Goes to the most urgent pending exception with `code` as lr. `chained`: from a handler.
    void vector_to(CpuState& cpu, ReturnCode code, bool chained);
    void start_handler(CpuState& cpu, Slot slot, ReturnCode code, std::uint32_t vector,
                       bool chained);
    bool return_from_exception(CpuState& cpu, std::uint32_t value);
    bool return_from_function(CpuState& cpu);
    [[nodiscard]] bool may_return(CpuState& cpu, ReturnCode& code);
    [[nodiscard]] bool is_return_code(ReturnCode code) const;
    void restore_stack_choice(CpuState& cpu, ReturnCode code) const;
    bool unstack(CpuState& cpu, ReturnCode code);
    [[nodiscard]] bool pop_callee(CpuState& cpu, StackAccess& stack, ReturnCode code,
                                  std::uint32_t& sp, std::array<std::uint32_t, 8>& saved);
    [[nodiscard]] bool pop_fp(CpuState& cpu, StackAccess& stack, ReturnCode code,
                              std::uint32_t frame);
    [[nodiscard]] bool clear_fp_on_return(CpuState& cpu);
    void finish_return(CpuState& cpu, ReturnCode code, std::uint32_t status);
    void charge(CpuState& cpu, double cycles) const;

    // floating-point context (fp_context.cpp)
    [[nodiscard]] bool fp_denied(const CpuState& cpu, bool secure, bool privileged,
                                 bool& to_secure) const;
    void defer_fp(CpuState& cpu, std::uint32_t area, bool below_limit);
    [[nodiscard]] bool preserve_fp(CpuState& cpu);
    void write_fp_area(CpuState& cpu, StackAccess& stack, std::uint32_t area, bool whole);
    void read_fp_area(CpuState& cpu, StackAccess& stack, std::uint32_t area, bool whole);
    void forget_fp(CpuState& cpu, bool whole);

    // private peripheral bus (private_bus.cpp, control_block.cpp, interrupt_block.cpp)
    [[nodiscard]] std::uint32_t read_word(CpuState& cpu, std::uint32_t address, bool secure,
                                          std::uint64_t now);
    void write_word(CpuState& cpu, std::uint32_t address, bool secure, std::uint32_t value,
                    std::uint64_t now);
    [[nodiscard]] std::uint32_t read_control_space(CpuState& cpu, std::uint32_t offset, bool secure,
                                                   std::uint64_t now);
    void write_control_space(CpuState& cpu, std::uint32_t offset, bool secure, std::uint32_t value,
                             std::uint64_t now);
    [[nodiscard]] bool byte_accessible(std::uint32_t offset) const;
    void note_unmodelled(const CpuState& cpu, std::uint32_t address, bool write);
    /// Returns true if the chip has a register there. Reads fill `value`.
    [[nodiscard]] bool chip_register(std::uint32_t address, unsigned bytes, bool write,
                                     std::uint32_t& value) const;
    [[nodiscard]] std::uint32_t read_control_block(CpuState& cpu, std::uint32_t offset,
                                                   bool secure);
    void write_control_block(CpuState& cpu, std::uint32_t offset, bool secure, std::uint32_t value);
    [[nodiscard]] std::uint32_t read_fault_status(std::uint32_t offset, bool secure) const;
    void write_fault_status(std::uint32_t offset, bool secure, std::uint32_t value);
    [[nodiscard]] std::uint32_t read_fp_block(std::uint32_t offset, bool secure) const;
    void write_fp_block(CpuState& cpu, std::uint32_t offset, bool secure, std::uint32_t value);
    void write_cache_block(CpuState& cpu, std::uint32_t offset, std::uint32_t value);
    void update_caches(CpuState& cpu);
    /// Armv7-M: CACR was written.
    void update_cache_control(CpuState& cpu);
    [[nodiscard]] std::uint32_t read_interrupt_state(const CpuState& cpu, bool secure) const;
    void write_interrupt_state(CpuState& cpu, bool secure, std::uint32_t value);
    [[nodiscard]] std::uint32_t read_reset_control(bool secure) const;
    void write_reset_control(CpuState& cpu, bool secure, std::uint32_t value);
    [[nodiscard]] std::uint32_t read_sleep_control(bool secure) const;
    void write_sleep_control(bool secure, std::uint32_t value);
    [[nodiscard]] std::uint32_t read_handler_state(bool secure) const;
    void write_handler_state(bool secure, std::uint32_t value);
    [[nodiscard]] std::uint8_t read_priority_byte(std::uint32_t offset, bool secure) const;
    void write_priority_byte(std::uint32_t offset, bool secure, std::uint8_t value);
    [[nodiscard]] bool priority_slot(std::uint32_t offset, bool secure, Slot& slot) const;
    [[nodiscard]] std::uint32_t read_debug_block(std::uint32_t offset, bool secure) const;
    void write_debug_block(CpuState& cpu, std::uint32_t offset, std::uint32_t value,
                           std::uint64_t now);
    [[nodiscard]] std::uint32_t read_interrupts(std::uint32_t offset, bool secure) const;
    void write_interrupts(CpuState& cpu, std::uint32_t offset, bool secure, std::uint32_t value);
    void write_stimulus(std::uint32_t offset, std::uint32_t value, unsigned bytes);
    [[nodiscard]] std::uint32_t read_trace_macrocell(std::uint32_t offset) const;
    void write_trace_macrocell(std::uint32_t offset, std::uint32_t value, unsigned bytes);
    [[nodiscard]] std::uint32_t read_memory_system(std::uint32_t offset) const;
    void write_memory_system(CpuState& cpu, std::uint32_t offset, std::uint32_t value);
    [[nodiscard]] bool exists(std::uint32_t address) const;

    void pend(CpuState& cpu, Slot slot);
    void advance(CpuState& cpu, std::uint64_t now);

    SystemConfig config_;
    SystemMemory* memory_ = nullptr;
    CacheMaintenance* maintenance_ = nullptr;
    Exceptions exceptions_;
    Protection protection_;
    Counters counters_;
    std::array<SysTick, 2> timers_;  ///< by Security
    PrivateAccessMap unmodelled_;
    FaultHook fault_hook_;
    bool locked_up_ = false;
    /// The fault being raised goes to Secure state whatever the current one.
    bool fault_to_secure_ = false;
    bool reset_secure_only_ = false;  ///< AIRCR.SYSRESETREQS
    /// LTPSIZE of the context that lazy stacking left in the registers.
    std::uint32_t deferred_ltpsize_ = 4;

    // Banked registers, by Security.
    std::array<std::uint32_t, 2> vector_table_{}, sleep_control_{}, configuration_{};
    std::array<std::uint32_t, 2> memory_and_usage_status_{};  ///< CFSR without bus faults
    std::array<std::uint32_t, 2> memory_fault_address_{};
    std::array<std::uint32_t, 2> fp_access_{};  ///< CPACR
    std::array<std::uint32_t, 2> fp_control_{}, fp_area_{}, fp_defaults_{};
    std::array<std::uint32_t, 2> cache_select_{};
    // The others.
    std::uint32_t bus_status_ = 0, bus_fault_address_ = 0, hard_fault_status_ = 0,
                  debug_fault_status_ = 0, auxiliary_fault_status_ = 0;
    std::uint32_t secure_status_ = 0, secure_fault_address_ = 0;
    std::uint32_t non_secure_access_ = 0, coprocessor_power_ = 0;  ///< NSACR, CPPWR
    std::uint32_t debug_control_ = 0;                              ///< DEMCR
    std::uint32_t auxiliary_control_ = 0;
    std::uint32_t memory_control_ = 0, prefetch_control_ = 0, itcm_control_ = 0, dtcm_control_ = 0,
                  peripheral_port_control_ = 0;
    std::uint32_t trace_enable_ = 0, trace_control_ = 0, trace_privilege_ = 0;
    std::array<std::uint32_t, 7> tcm_and_cache_control_{};  ///< Armv7-M: ITCMCR to ABFSR
};

}  // namespace n6vp::models::core
