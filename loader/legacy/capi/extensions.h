// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The compiler extensions of this C interface: a weak default, and a call that sets r9.
#define N6VP_WEAK __attribute__((weak))
#define N6VP_NAKED __attribute__((naked))

extern "C" {
/// Calls `target` with three arguments in r0 to r2 and `static_base` in r9; the caller's r9 comes
/// back. Returns r0.
std::uint32_t n6vp_rel_call(std::uint32_t argument0, std::uint32_t argument1,
                            std::uint32_t argument2, std::uint32_t target,
                            std::uint32_t static_base);
}
