// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "models/core/ir/profile.h"
#include "models/parameter.h"

namespace n6vp::models::core {

/// Cycles of exceptions beyond what their memory accesses cost.
struct ExceptionParameters {
    Parameter entry_cycles{"exception_entry", 12, "CPU cycles", Confidence::Assumed,
                           "from the interrupted to the first handler instruction, basic frame in "
                           "zero-wait memory; figure published for older cores of the line"};
    Parameter exit_cycles{"exception_exit", 10, "CPU cycles", Confidence::Assumed,
                          "from the return to the resumed instruction; as above"};
    Parameter tail_chain_cycles{"tail_chain", 6, "CPU cycles", Confidence::Assumed,
                                "from one handler to the next without unstacking; as above"};
    Parameter fp_frame_cycles{"fp_frame", 9, "CPU cycles", Confidence::Assumed,
                              "18 words of FP context over a 64-bit port"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.entry_cycles);
        function(self.exit_cycles);
        function(self.tail_chain_cycles);
        function(self.fp_frame_cycles);
    }
};

/// What the chip's attribution unit says about an address.
struct Attribution {
    bool secure = false;
    bool callable = false;  ///< non-secure code may enter at an SG instruction
    bool exempt = false;    ///< takes the security of the access
    bool region_valid = false;
    std::uint8_t region = 0;
};

/// How a core is built into its chip.
struct SystemConfig {
    CoreProfile core = cortex_m55();  ///< a copy: revisions of a chip may differ in ID registers
    unsigned interrupts = 195;
    /// Bits of a priority: __NVIC_PRIO_BITS of the device header.
    unsigned priority_bits = 4;
    std::uint32_t vector_table = 0x10000000;  ///< VTOR_S at reset
    std::uint32_t vector_table_ns = 0;        ///< VTOR_NS at reset
    bool secure = true;                       ///< out of reset
    /// Core cycles per tick of SysTick's external clock: HCLK/8 of RM0486, core clock twice HCLK.
    unsigned systick_divider = 16;
    std::uint32_t itcm_control = 0x39;  ///< ITCMCR at reset: 64 KB, enabled
    std::uint32_t dtcm_control = 0x41;  ///< DTCMCR at reset: 128 KB, enabled
    ExceptionParameters exceptions;

    /// Null: the chip has no attribution unit, SAU alone decides.
    std::function<Attribution(std::uint32_t address)> attribution;
    /// AIRCR.SYSRESETREQ was written.
    std::function<void()> reset_request;
    /// SEV was executed: the core's event output.
    std::function<void()> event_output;
    /// A stimulus port of the ITM was written while enabled.
    std::function<void(unsigned port, std::uint32_t value, unsigned bytes)> trace_port;
    /// A private register that does not exist or is not modelled was accessed, as
    /// `System::unmodelled_accesses` counts it.
    std::function<void(std::uint32_t address, bool write)> unmodelled;
    /// Registers of the chip on the private bus, from 0xE0040000 on: at a word's address, with the
    /// bits of the bytes accessed. Returns false if there is none, which then counts as unmodelled.
    std::function<bool(std::uint32_t address, bool write, std::uint32_t mask, std::uint32_t& value)>
        chip_register;
    /// An exception of that number begins, or is over. From inside a run.
    std::function<void(unsigned number, bool begins)> exception;
};

}  // namespace n6vp::models::core
