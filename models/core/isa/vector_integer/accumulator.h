// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/core/isa/vector_integer/lanewise.h"

// General registers as accumulators: an even one (field a), or an even one for the low half and an
// odd one (field h) for the high half of 64 bits. Field A adds to what is there.

namespace n6vp::models::core::isa::vector_integer {

/// Returns true if an instruction starts a new sum: not if an exception interrupted it, because its
/// first beats are in the accumulator then.
template <bool kAccumulate>
[[nodiscard]] inline bool starts_at_zero(const CpuState& cpu) {
    return !kAccumulate && cpu.eci == kEciNone;
}

[[nodiscard]] inline std::uint64_t read_pair(const CpuState& cpu, const MicroOp& op) {
    return std::uint64_t{cpu.r[op.ra]} << 32 | cpu.r[op.rd];
}
inline void write_pair(CpuState& cpu, const MicroOp& op, std::uint64_t value) {
    cpu.r[op.rd] = static_cast<std::uint32_t>(value);
    cpu.r[op.ra] = static_cast<std::uint32_t>(value >> 32);
}

/// Appends a micro-op with the operands Rda, Qn, Qm.
inline MicroOp& emit_to_even(Builder& builder, const Fields& fields, Handler handler) {
    MicroOp& op = emit_vectors(builder, fields, handler);
    op.rd = static_cast<std::uint8_t>(fields['a'] * 2);
    return op;
}

/// Appends a micro-op with the operands RdaLo, RdaHi, Qn, Qm.
inline MicroOp& emit_to_pair(Builder& builder, const Fields& fields, Handler handler) {
    MicroOp& op = emit_to_even(builder, fields, handler);
    op.ra = static_cast<std::uint8_t>(fields['h'] * 2 + 1);
    return op;
}

/// For a row's `matches`: RdaHi may be neither sp nor pc.
[[nodiscard]] inline bool plain_pair(const Fields& fields) {
    return fields['h'] < 6;
}

}  // namespace n6vp::models::core::isa::vector_integer
