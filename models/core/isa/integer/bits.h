// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "models/core/ir/micro_op.h"

// Semantics of moving bits about that 16-bit and 32-bit rows share.
namespace n6vp::models::core::isa::integer {

enum class ShiftKind : std::uint8_t { Lsl, Lsr, Asr, Ror };

/// Returns the handler of rd = rn shifted by the low byte of rm.
[[nodiscard]] Handler shift_handler(ShiftKind kind, bool set_flags);

[[nodiscard]] constexpr std::uint32_t sign_extend_16(std::uint32_t value) {
    return static_cast<std::uint32_t>(static_cast<std::int16_t>(value & 0xFFFF));
}
[[nodiscard]] constexpr std::uint32_t sign_extend_8(std::uint32_t value) {
    return static_cast<std::uint32_t>(static_cast<std::int8_t>(value & 0xFF));
}
[[nodiscard]] constexpr std::uint32_t reverse_bytes(std::uint32_t value) {
    const std::uint32_t swapped = (value & 0x00FF00FF) << 8 | (value >> 8 & 0x00FF00FF);
    return std::rotl(swapped, 16);
}

inline void sign_extend_halfword(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = sign_extend_16(cpu.r[op.rm]);
}
inline void sign_extend_byte(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = sign_extend_8(cpu.r[op.rm]);
}
inline void zero_extend_halfword(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = cpu.r[op.rm] & 0xFFFF;
}
inline void zero_extend_byte(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = cpu.r[op.rm] & 0xFF;
}
inline void reverse_word(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = reverse_bytes(cpu.r[op.rm]);
}
inline void reverse_halfwords(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = std::rotl(reverse_bytes(cpu.r[op.rm]), 16);
}
inline void reverse_signed_halfword(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = sign_extend_16(reverse_bytes(cpu.r[op.rm]) >> 16);
}

}  // namespace n6vp::models::core::isa::integer
