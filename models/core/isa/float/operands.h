// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "models/core/float/soft_float.h"
#include "models/core/ir/builder.h"
#include "models/core/ir/micro_op.h"
#include "models/core/ir/state.h"
#include "models/core/isa/row.h"

// Registers of scalar floating point. A micro-op names S registers 0 to 31 or D registers 0 to 15,
// as its types ask; half-precision values live in S registers.

namespace n6vp::models::core::isa {

using Half = std::uint16_t;
using Single = std::uint32_t;
using Double = std::uint64_t;

/// Returns the number of an S register whose lowest bit stands before the others in the encoding,
/// as with destination and second source; that of the first source stands behind.
[[nodiscard]] constexpr std::uint32_t low_bit_first(std::uint32_t field) {
    return (field & 15) << 1 | field >> 4;
}

/// Returns the register of field `letter` for a value of type T.
template <class T>
[[nodiscard]] std::uint8_t float_reg(const Fields& fields, char letter) {
    const bool turned = !std::is_same_v<T, Double> && letter != 'n';
    return static_cast<std::uint8_t>(turned ? low_bit_first(fields[letter]) : fields[letter]);
}

/// Emits a micro-op with the registers d, n and m for values of the given types.
template <class Destination, class Source>
MicroOp& emit_float(Builder& builder, const Fields& fields, Handler handler) {
    MicroOp& op = builder.emit(handler);
    op.rd = float_reg<Destination>(fields, 'd');
    op.rn = float_reg<Source>(fields, 'n');
    op.rm = float_reg<Source>(fields, 'm');
    return op;
}

template <class T>
[[nodiscard]] inline T get(const CpuState& cpu, unsigned number) {
    if constexpr (std::is_same_v<T, Half>) {
        return static_cast<Half>(vector_lane<Single>(cpu, number));
    } else {
        return vector_lane<T>(cpu, number);
    }
}

/// Writes a register; the upper half of an S register with a half-precision value is zero.
template <class T>
inline void put(CpuState& cpu, unsigned number, T value) {
    if constexpr (std::is_same_v<T, Half>) {
        set_vector_lane<Single>(cpu, number, value);
    } else {
        set_vector_lane<T>(cpu, number, value);
    }
}

/// Runs `compute` on the environment of FPSCR and adds the exceptions it raised.
template <class Compute>
inline auto with_environment(CpuState& cpu, Compute compute) {
    fp::Environment environment = fp::Environment::of_fpscr(cpu.fpscr);
    const auto result = compute(environment);
    cpu.fpscr |= environment.flags;
    return result;
}

/// The slow way out of a `two_speed` handler. Far, so that the quick way needs no frame.
template <auto Semantics>
N6VP_FAR const MicroOp* far_handler(CpuState& cpu, const MicroOp* op) {
    Semantics(cpu, *op);
    N6VP_TAIL return go_on(cpu, op + 1);
}

/// Makes a handler of semantics that handle the common case, or return false with nothing done,
/// and semantics that handle every case. Neither may fault.
template <auto QuickSemantics, auto Semantics>
[[nodiscard]] const MicroOp* two_speed(CpuState& cpu, const MicroOp* op) {
    if (QuickSemantics(cpu, *op)) [[likely]]
        N6VP_TAIL return go_on(cpu, op + 1);
    N6VP_TAIL return far_handler<Semantics>(cpu, op);
}

/// What an instruction costs by the precision it works in.
struct FloatIssue {
    Issue half, single, twice;
};
inline constexpr FloatIssue kMoveIssue{Issue::FpMove, Issue::FpMove, Issue::FpMove};
inline constexpr FloatIssue kAddIssue{Issue::FpArithmetic, Issue::FpArithmetic, Issue::FpDoubleAdd};

// Rows of each topic.
[[nodiscard]] std::span<const Row> float_arithmetic_rows();
[[nodiscard]] std::span<const Row> float_compare_rows();
[[nodiscard]] std::span<const Row> float_convert_rows();
/// Of the same topics, what FPv5 added.
[[nodiscard]] std::span<const Row> float_compare_v5_rows();
[[nodiscard]] std::span<const Row> float_convert_v5_rows();
[[nodiscard]] std::span<const Row> float_move_rows();
[[nodiscard]] std::span<const Row> float_memory_rows();
[[nodiscard]] std::span<const Row> float_status_rows();

}  // namespace n6vp::models::core::isa

// Rows for the three precisions: only a table of literals can be cut together from pieces, so these
// are macros. `a` and `b` are the bits around the highest bit of the destination, `op` is bit 6.
// clang-format off
#define N6VP_FLOAT_THREE_OPERANDS(title, name, top, a, b, op, build, issue)                        \
    needing(Feature::Half, {title " (half)", top " " a "d" b " nnnn dddd 1001 n" op "m0 mmmm",     \
     name ".f16 {d:sf}, {n:s}, {m:sf}", build<Half>, issue.half, Unit::Fp}),                       \
    {title " (single)", top " " a "d" b " nnnn dddd 1010 n" op "m0 mmmm",                          \
     name ".f32 {d:sf}, {n:s}, {m:sf}", build<Single>, issue.single, Unit::Fp},                    \
    needing(Feature::Double, {title " (double)", top " " a "0" b " nnnn dddd 1011 0" op "00 mmmm", \
     name ".f64 {d:d}, {n:d}, {m:d}", build<Double>, issue.twice, Unit::Fp})
// The same for one source: `opc` is bits 19:16, `op` bits 7 and 6.
#define N6VP_FLOAT_TWO_OPERANDS(title, name, top, opc, op, build, issue)                           \
    needing(Feature::Half, {title " (half)", top " 1d11 " opc " dddd 1001 " op "m0 mmmm",          \
     name ".f16 {d:sf}, {m:sf}", build<Half>, issue.half, Unit::Fp}),                              \
    {title " (single)", top " 1d11 " opc " dddd 1010 " op "m0 mmmm",                               \
     name ".f32 {d:sf}, {m:sf}", build<Single>, issue.single, Unit::Fp},                           \
    needing(Feature::Double, {title " (double)", top " 1011 " opc " dddd 1011 " op "00 mmmm",      \
     name ".f64 {d:d}, {m:d}", build<Double>, issue.twice, Unit::Fp})
// clang-format on
