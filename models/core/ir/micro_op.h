// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "models/core/ir/state.h"

// Handlers end by calling the next handler. In an optimised build compilers turn that call into a
// jump; elsewhere, and under gcc's AddressSanitizer, which keeps frames alive, a loop calls one
// handler after the other.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(N6VP_NO_TAIL_CALLS)
#define N6VP_TAIL_CALLS 1
#else
#define N6VP_TAIL_CALLS 0
#endif

namespace n6vp::models::core {

struct MicroOp;

/// Executes `op` and whatever follows. Returns the micro-op at which execution stopped, with
/// `CpuState::exit` set; without tail calls also the next micro-op to execute, with `exit` None.
using Handler = const MicroOp* (*)(CpuState& cpu, const MicroOp* op);

/// One step of a decoded block. What the operands mean is between a row's build function and its
/// handler.
struct MicroOp {
    Handler handler = nullptr;
    std::uint32_t imm = 0;
    std::uint8_t rd = 0, rn = 0, rm = 0, ra = 0;
    std::uint32_t pc = 0;             ///< address of the instruction
    std::uint16_t cycles_before = 0;  ///< of the block, before this instruction
    std::uint8_t index = 0;           ///< instructions of the block before this one
    std::uint8_t bytes = 2;           ///< of the instruction: 2 or 4
    union {
        const MicroOp* link = nullptr;  ///< of a branch: first micro-op of the block it leads to
        std::uint64_t extra;            ///< of anything else: free
    };
};
static_assert(sizeof(MicroOp) == 32);

/// Before the `return` of a tail call: without it, clang leaves a stack frame behind for some
/// instructions, many per slice of the engine, and the core's thread has little stack.
#if N6VP_TAIL_CALLS && defined(__clang__)
#define N6VP_TAIL [[clang::musttail]]
#else
#define N6VP_TAIL
#endif

/// Goes on with `next`.
[[nodiscard]] inline const MicroOp* go_on(CpuState& cpu, const MicroOp* next) {
#if N6VP_TAIL_CALLS
    N6VP_TAIL return next->handler(cpu, next);
#else
    (void)cpu;
    return next;
#endif
}

/// Makes a handler of an instruction's semantics: `void f(CpuState&, const MicroOp&)` for what
/// cannot fault, `bool f(CpuState&, const MicroOp&)` for what can; false stops before the
/// instruction, with `exit` and, for a fault, `fault` set, and nothing of the instruction done but
/// what the architecture allows.
///
/// The address of a local variable must not leave `Semantics`, or the compiler keeps a frame per
/// instruction; where it must, mark the function N6VP_FAR.
template <auto Semantics>
[[nodiscard]] const MicroOp* handler(CpuState& cpu, const MicroOp* op) {
    if constexpr (std::is_same_v<decltype(Semantics(cpu, *op)), bool>) {
        if (!Semantics(cpu, *op)) [[unlikely]] {
            return op;
        }
    } else {
        Semantics(cpu, *op);
    }
    N6VP_TAIL return go_on(cpu, op + 1);
}

#define N6VP_FAR [[gnu::noinline]]

/// Records a fault of the current instruction. Returns false for the semantics to return.
inline bool raise(CpuState& cpu, Exception exception, std::uint32_t status) {
    cpu.fault = {exception, status, 0, false};
    cpu.exit = Exit::Fault;
    return false;
}
inline bool raise_usage(CpuState& cpu, std::uint32_t status) {
    return raise(cpu, Exception::UsageFault, status);
}

/// Checks a new value of the stack pointer against its limit, as instructions do that move it.
[[nodiscard]] inline bool check_stack_limit(CpuState& cpu, std::uint32_t value) {
    if (value < cpu.sp_limit) [[unlikely]] {
        return raise_usage(cpu, cfsr::kStkOf);
    }
    return true;
}

}  // namespace n6vp::models::core
