// SPDX-License-Identifier: Apache-2.0
#include "loader/legacy/capi/extensions.h"

// The fifth argument is on the stack. Two words pushed keep it 8-aligned, as the AAPCS wants at a
// call.
N6VP_NAKED std::uint32_t n6vp_rel_call(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                                       std::uint32_t) {
    __asm volatile(
        "mov r12, r3\n\t"
        "ldr r3, [sp]\n\t"
        "push {r9, lr}\n\t"
        "mov r9, r3\n\t"
        "blx r12\n\t"
        "pop {r9, pc}");
}
