// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "models/core/ir/micro_op.h"

namespace n6vp::models::core {

/// ECI values: which beats of the next instruction (A) and of the one after it (B) were done before
/// an exception.
enum Eci : std::uint8_t {
    kEciNone = 0,
    kEciA0 = 1,
    kEciA0A1 = 2,
    kEciA0A1A2 = 4,
    kEciA0A1A2B0 = 5
};

/// Returns true if every byte of a vector instruction is active: no VPT block, no short tail, no
/// beat done before.
[[nodiscard]] inline bool all_active(const CpuState& cpu) {
    return (cpu.vpr & vpr::kMasks) == 0 && cpu.eci == kEciNone &&
           (cpu.ltpsize >= 4 || cpu.r[14] >= 16u >> cpu.ltpsize);
}

/// Returns the bytes that lie in beats still to be done, one bit each.
[[nodiscard]] inline std::uint32_t beats_to_do(std::uint8_t eci) {
    switch (eci) {
        case kEciA0:
            return 0xFFF0;
        case kEciA0A1:
            return 0xFF00;
        case kEciA0A1A2:
        case kEciA0A1A2B0:
            return 0xF000;
        default:
            return 0xFFFF;
    }
}

/// Returns the bytes of a vector that the next vector instruction may change, one bit each: the VPT
/// predicate, the tail of a loop and the beats already done together.
[[nodiscard]] inline std::uint32_t active_bytes(const CpuState& cpu) {
    std::uint32_t bytes = cpu.vpr & vpr::kP0;
    if ((cpu.vpr & vpr::kMask01) == 0) bytes |= 0x00FF;
    if ((cpu.vpr & vpr::kMask23) == 0) bytes |= 0xFF00;
    if (cpu.ltpsize < 4) {
        const std::uint32_t lanes = 16u >> cpu.ltpsize;
        if (cpu.r[14] < lanes) bytes &= (1u << (cpu.r[14] << cpu.ltpsize)) - 1;
    }
    return bytes & beats_to_do(cpu.eci);
}

/// Ends a vector instruction: moves to the next slot of the VPT block, inverting P0 where a then
/// turns into an else, and forgets the beats done. Every vector instruction that VPT may predicate
/// calls it as its last act; VPT and VPST themselves set the masks after it.
inline void finish_vector(CpuState& cpu) {
    if ((cpu.vpr & vpr::kMasks) != 0) {
        const std::uint32_t mask01 = cpu.vpr >> 16 & 15, mask23 = cpu.vpr >> 20 & 15;
        // Beats done earlier advanced their half already.
        const std::uint32_t beats = beats_to_do(cpu.eci);
        std::uint32_t invert = 0;
        if (mask01 > 8) invert |= 0x00FF & beats;
        if (mask23 > 8) invert |= 0xFF00 & beats;
        cpu.vpr ^= invert;
        std::uint32_t next01 = mask01 << 1 & 15, next23 = mask23 << 1 & 15;
        if ((beats & 0x00F0) == 0) next01 = mask01;
        cpu.vpr = (cpu.vpr & ~vpr::kMasks) | next01 << 16 | next23 << 20;
    }
    cpu.eci = cpu.eci == kEciA0A1A2B0 ? kEciA0 : kEciNone;
}

/// The way of `vector_handler` when some bytes are inactive. A function of its own, so that the
/// common way needs no stack frame.
template <auto General>
N6VP_FAR const MicroOp* general_vector_handler(CpuState& cpu, const MicroOp* op) {
    if constexpr (std::is_same_v<decltype(General(cpu, *op)), bool>) {
        if (!General(cpu, *op)) [[unlikely]]
            return op;
    } else {
        General(cpu, *op);
    }
    finish_vector(cpu);
    N6VP_TAIL return go_on(cpu, op + 1);
}

/// Makes a handler of a vector instruction's semantics: `Full` for all bytes active, `General`
/// otherwise. Both have the signature of `handler`.
template <auto Full, auto General>
[[nodiscard]] const MicroOp* vector_handler(CpuState& cpu, const MicroOp* op) {
    if (!all_active(cpu)) [[unlikely]]
        N6VP_TAIL return general_vector_handler<General>(cpu, op);
    if constexpr (std::is_same_v<decltype(Full(cpu, *op)), bool>) {
        if (!Full(cpu, *op)) [[unlikely]]
            return op;
    } else {
        Full(cpu, *op);
    }
    N6VP_TAIL return go_on(cpu, op + 1);
}

}  // namespace n6vp::models::core
