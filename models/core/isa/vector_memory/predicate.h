// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/core/ir/predication.h"

namespace n6vp::models::core::isa::vector_memory {

/// Writes P0: of the bytes in beats still to be done, the predicated ones become zero.
inline void set_predicate(CpuState& cpu, std::uint32_t bits, std::uint32_t active) {
    const std::uint32_t beats = beats_to_do(cpu.eci);
    cpu.vpr = (cpu.vpr & ~beats) | (bits & active & beats);
}

/// Starts a VPT block with four mask bits, for the halves that `beats` touches.
inline void start_block(CpuState& cpu, std::uint32_t mask, std::uint32_t beats) {
    // Of a half of which one beat was done before, the mask is set with the other one.
    if ((beats & 0x00F0) != 0) cpu.vpr = (cpu.vpr & ~vpr::kMask01) | mask << 16;
    if ((beats & 0xF000) != 0) cpu.vpr = (cpu.vpr & ~vpr::kMask23) | mask << 20;
}

}  // namespace n6vp::models::core::isa::vector_memory
