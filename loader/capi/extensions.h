// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The compiler extensions of the C API: a weak default, and a call that sets r9.
#define N6VP_WEAK __attribute__((weak))
#define N6VP_NAKED __attribute__((naked))

extern "C" {
/// Calls `target` with the three arguments in r0 to r2 and `static_base` in r9, which the model
/// uses as its data pointer; the caller's r9 comes back. r12 holds the target, as the model's own
/// stubs expect. Returns r0.
std::uint32_t n6vp_call_model(std::uint32_t argument0, std::uint32_t argument1,
                              std::uint32_t argument2, std::uint32_t target,
                              std::uint32_t static_base);
}
