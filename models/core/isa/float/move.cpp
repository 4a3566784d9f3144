// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <span>
#include <type_traits>

#include "models/core/float/soft_float.h"
#include "models/core/isa/float/operands.h"

// Moves between floating-point registers and with general ones, sign changes, constants.
namespace n6vp::models::core::isa {

namespace {

// Within the unit: rd, rm.

template <class T>
void move(CpuState& cpu, const MicroOp& op) {
    put<T>(cpu, op.rd, get<T>(cpu, op.rm));
}
template <class T>
void take_absolute(CpuState& cpu, const MicroOp& op) {
    put<T>(cpu, op.rd, fp::absolute(get<T>(cpu, op.rm)));
}
template <class T>
void change_sign(CpuState& cpu, const MicroOp& op) {
    put<T>(cpu, op.rd, fp::negate(get<T>(cpu, op.rm)));
}
/// VMOVX: the upper half of a register alone.
void move_upper(CpuState& cpu, const MicroOp& op) {
    put<Single>(cpu, op.rd, get<Single>(cpu, op.rm) >> 16);
}
/// VINS: the lower half into the upper half.
void insert_upper(CpuState& cpu, const MicroOp& op) {
    set_vector_lane(cpu, op.rd * 2u + 1, get<Half>(cpu, op.rm));
}

template <class T>
void set_constant(CpuState& cpu, const MicroOp& op) {
    put<T>(cpu, op.rd, static_cast<T>(op.extra));
}

/// Returns the number that the 8 bits of a floating-point immediate stand for.
template <class T>
T expand_immediate(std::uint32_t imm8) {
    using F = fp::Format<T>;
    // The exponent lies within -3 and 4: the inverse of bit 6 fills all but its lowest two bits.
    const bool small = (imm8 >> 6 & 1) != 0;
    const std::uint64_t low_bits = imm8 >> 4 & 3;
    const std::uint64_t fill = (1ull << (F::kExponent - 3)) - 1;
    const std::uint64_t exponent = (small ? fill << 2 : 1ull << (F::kExponent - 1)) | low_bits;
    const std::uint64_t fraction = static_cast<std::uint64_t>(imm8 & 15) << (F::kFraction - 4);
    const std::uint64_t sign = imm8 >> 7;
    return static_cast<T>(sign << (F::kBits - 1) | exponent << F::kFraction | fraction);
}

template <class T>
void build_move(Builder& builder, const Fields& fields) {
    emit_float<T, T>(builder, fields, handler<move<T>>);
}
template <class T>
void build_absolute(Builder& builder, const Fields& fields) {
    emit_float<T, T>(builder, fields, handler<take_absolute<T>>);
}
template <class T>
void build_negate(Builder& builder, const Fields& fields) {
    emit_float<T, T>(builder, fields, handler<change_sign<T>>);
}
template <class T>
void build_constant(Builder& builder, const Fields& fields) {
    emit_float<T, T>(builder, fields, handler<set_constant<T>>).extra =
        expand_immediate<T>(fields['i']);
}
void build_vmovx(Builder& builder, const Fields& fields) {
    emit_float<Single, Single>(builder, fields, handler<move_upper>);
}
void build_vins(Builder& builder, const Fields& fields) {
    emit_float<Single, Single>(builder, fields, handler<insert_upper>);
}

// With general registers: rd (and ra) general, rn S or D.

template <class T>
void to_general(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = get<T>(cpu, op.rn);
}
template <class T>
void from_general(CpuState& cpu, const MicroOp& op) {
    put<T>(cpu, op.rn, static_cast<T>(cpu.r[op.rd]));
}
/// Two S registers in a row, which may lie in different D registers.
void pair_to_general(CpuState& cpu, const MicroOp& op) {
    cpu.r[op.rd] = get<Single>(cpu, op.rn);
    cpu.r[op.ra] = get<Single>(cpu, op.rn + 1u);
}
void pair_from_general(CpuState& cpu, const MicroOp& op) {
    put<Single>(cpu, op.rn, cpu.r[op.rd]);
    put<Single>(cpu, op.rn + 1u, cpu.r[op.ra]);
}

MicroOp& emit_general(Builder& builder, const Fields& fields, Handler handler, std::uint8_t rn) {
    MicroOp& op = builder.emit(handler);
    op.rd = fields.reg('t');
    op.ra = fields.reg('u');
    op.rn = rn;
    return op;
}
void align_if_written(Builder& builder, const Fields& fields) {
    if (fields['t'] == 13 || fields['u'] == 13) builder.align_sp();
}
template <class T>
void build_to_general(Builder& builder, const Fields& fields) {
    emit_general(builder, fields, handler<to_general<T>>, float_reg<T>(fields, 'n'));
    align_if_written(builder, fields);
}
template <class T>
void build_from_general(Builder& builder, const Fields& fields) {
    emit_general(builder, fields, handler<from_general<T>>, float_reg<T>(fields, 'n'));
}
void build_singles_to_general(Builder& builder, const Fields& fields) {
    emit_general(builder, fields, handler<pair_to_general>, float_reg<Single>(fields, 'm'));
    align_if_written(builder, fields);
}
void build_singles_from_general(Builder& builder, const Fields& fields) {
    emit_general(builder, fields, handler<pair_from_general>, float_reg<Single>(fields, 'm'));
}
void build_double_to_general(Builder& builder, const Fields& fields) {
    emit_general(builder, fields, handler<pair_to_general>,
                 static_cast<std::uint8_t>(fields['m'] * 2));
    align_if_written(builder, fields);
}
void build_double_from_general(Builder& builder, const Fields& fields) {
    emit_general(builder, fields, handler<pair_from_general>,
                 static_cast<std::uint8_t>(fields['m'] * 2));
}

// 13 and twice the same register are unpredictable, and do what they say.
bool half_usable(const Fields& fields) {
    return fields['t'] != 13 && fields['t'] != 15;
}
bool general_usable(const Fields& fields) {
    return fields['t'] != 15;
}
bool generals_usable(const Fields& fields) {
    return fields['t'] != 15 && fields['u'] != 15;
}
bool singles_usable(const Fields& fields) {
    return generals_usable(fields) && low_bit_first(fields['m']) != 31;
}

#define N6VP_TOP "1110 1110"
// clang-format off
constexpr Row kRows[] = {
    needing(Feature::Half, {"VMOV (immediate) T1 (half)", "1110 1110 1d11 iiii dddd 1001 0000 iiii", "vmov{:it}.f16 {d:sf}, {i:fimm}", build_constant<Half>, Issue::FpMove, Unit::Fp}),
    {"VMOV (immediate) T1 (single)", "1110 1110 1d11 iiii dddd 1010 0000 iiii", "vmov{:it}.f32 {d:sf}, {i:fimm}", build_constant<Single>, Issue::FpMove, Unit::Fp},
    needing(Feature::Double, {"VMOV (immediate) T1 (double)", "1110 1110 1011 iiii dddd 1011 0000 iiii", "vmov{:it}.f64 {d:d}, {i:fimm}", build_constant<Double>, Issue::FpMove, Unit::Fp}),
    {"VMOV (register) T1 (single)", "1110 1110 1d11 0000 dddd 1010 01m0 mmmm", "vmov{:it}.f32 {d:sf}, {m:sf}", build_move<Single>, Issue::FpMove, Unit::Fp},
    needing(Feature::Double, {"VMOV (register) T1 (double)", "1110 1110 1011 0000 dddd 1011 0100 mmmm", "vmov{:it}.f64 {d:d}, {m:d}", build_move<Double>, Issue::FpMove, Unit::Fp}),
    N6VP_FLOAT_TWO_OPERANDS("VABS T1", "vabs{:it}", N6VP_TOP, "0000", "11", build_absolute, kMoveIssue),
    N6VP_FLOAT_TWO_OPERANDS("VNEG T1", "vneg{:it}", N6VP_TOP, "0001", "01", build_negate, kMoveIssue),
    needing(Feature::Half, {"VMOVX T1", "1111 1110 1d11 0000 dddd 1010 01m0 mmmm", "vmovx.f16 {d:sf}, {m:sf}", build_vmovx, Issue::FpMove, Unit::Fp}),
    needing(Feature::Half, {"VINS T1", "1111 1110 1d11 0000 dddd 1010 11m0 mmmm", "vins.f16 {d:sf}, {m:sf}", build_vins, Issue::FpMove, Unit::Fp}),

    needing(Feature::Half, {"VMOV (half to general) T1", "1110 1110 0001 nnnn tttt 1001 n--1 ----", "vmov{:it}.f16 {t:r}, {n:s}", build_to_general<Half>, Issue::FpMove, Unit::Fp, half_usable}),
    needing(Feature::Half, {"VMOV (general to half) T1", "1110 1110 0000 nnnn tttt 1001 n--1 ----", "vmov{:it}.f16 {n:s}, {t:r}", build_from_general<Half>, Issue::FpMove, Unit::Fp, half_usable}),
    {"VMOV (single to general) T1", "1110 1110 0001 nnnn tttt 1010 n--1 ----", "vmov{:it} {t:r}, {n:s}", build_to_general<Single>, Issue::FpMove, Unit::Fp, general_usable},
    {"VMOV (general to single) T1", "1110 1110 0000 nnnn tttt 1010 n--1 ----", "vmov{:it} {n:s}, {t:r}", build_from_general<Single>, Issue::FpMove, Unit::Fp, general_usable},
    {"VMOV (two singles to two generals) T1", "1110 1100 0101 uuuu tttt 1010 00m1 mmmm", "vmov{:it} {t:r}, {u:r}, {m:sf}, {m:sf1}", build_singles_to_general, Issue::FpMove, Unit::Fp, singles_usable},
    {"VMOV (two generals to two singles) T1", "1110 1100 0100 uuuu tttt 1010 00m1 mmmm", "vmov{:it} {m:sf}, {m:sf1}, {t:r}, {u:r}", build_singles_from_general, Issue::FpMove, Unit::Fp, singles_usable},
    {"VMOV (double to two generals) T1", "1110 1100 0101 uuuu tttt 1011 0001 mmmm", "vmov{:it} {t:r}, {u:r}, {m:d}", build_double_to_general, Issue::FpMove, Unit::Fp, generals_usable},
    {"VMOV (two generals to double) T1", "1110 1100 0100 uuuu tttt 1011 0001 mmmm", "vmov{:it} {m:d}, {t:r}, {u:r}", build_double_from_general, Issue::FpMove, Unit::Fp, generals_usable},
};
// clang-format on

}  // namespace

std::span<const Row> float_move_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa
