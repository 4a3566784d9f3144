// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/firmware/core.h"

/// What a port's vector table is made of. Each port has its own table, because the number of lines
/// and their handlers differ.
extern "C" {
// Set by the linker script; only their addresses mean anything.
extern std::uint32_t n6vp_stack_top;
extern std::uint32_t n6vp_vectors;

[[noreturn]] void n6vp_reset();
void n6vp_fault();
}

namespace n6vp::firmware {

using Handler = void (*)();

/// Exceptions of the architecture behind the initial stack pointer: reset, then faults and system
/// calls.
inline constexpr std::uint32_t kSystemExceptions = 15;

/// Makes the core take its exceptions from this program's table.
inline void use_vectors() {
    write_register(kRegisterVtor,
                   static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(&n6vp_vectors)));
    barrier();
}

}  // namespace n6vp::firmware
