// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "models/core/ir/state.h"

namespace n6vp::models::core {

/// A fault at the moment it becomes pending, with the registers that the program had then.
struct CoreFault {
    enum class Where : std::uint8_t {
        Instruction,  ///< the instruction at `pc`, or its fetch
        Stacking,     ///< registers did not go to the stack, at an exception or deferred
        Unstacking,   ///< registers did not come back from the stack
        Exchange,     ///< entry to or return from an exception or a function called non-secure
        Vector,       ///< the vector table could not be read
        Breakpoint,   ///< BKPT without handler
    };
    Where where = Where::Instruction;
    /// `exception` is the one that the fault is, before it was escalated.
    PendingFault fault;
    std::uint32_t pc = 0;
    std::array<std::uint32_t, 16> r{};  ///< r[13] is the stack pointer in use; r[15] is `pc`
    std::uint32_t apsr = 0;
    std::uint32_t ipsr = 0;  ///< exception that was being handled, 0 for none
    bool secure = true;
    bool locked_up = false;  ///< no handler can take it
};

/// Called inside a run: it may look at the core but not change it.
using FaultHook = std::function<void(const CoreFault&)>;

}  // namespace n6vp::models::core
