// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/vector_integer/shift.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "models/core/isa/vector_integer/lanewise.h"
#include "models/core/isa/vector_integer/operations.h"
#include "models/core/isa/vector_integer/simd.h"

namespace n6vp::models::core::isa::vector_integer {

namespace {

template <bool kRounding>
struct SaturatingShiftBy {
    template <class T>
    static auto lane(T, T n, T m) -> Saturated<T, Long<T>> {
        const int amount = signed_byte(m);
        if (amount < 0) return {wrap<T>(shift_right_far<T, kRounding>(n, -amount)), 0};
        // 32 is enough to lose everything but 0.
        return saturate<T>(Long<T>{n} << std::min(amount, 32));
    }
};

// Shifts by an immediate.

struct SaturatingShiftLeft {
    template <class T>
    static auto lane(T, T m, unsigned amount) {
        return saturate<T>(wrap<Wide<T>>(Wide<T>{m} << amount));
    }
};

/// VQSHLU: of a signed number, with an unsigned result. T is unsigned.
struct SaturatingShiftLeftToUnsigned {
    template <class T>
    static Saturated<T> lane(T, T m, unsigned amount) {
        return saturate<T>(wrap<Exact<T>>(Exact<T>{wrap<std::make_signed_t<T>>(m)} << amount));
    }
};

struct ShiftLeftInsert {
    template <class T>
    static T lane(T d, T m, unsigned amount) {
        const std::uint32_t kept = (1u << amount) - 1;
        return wrap<T>((d & kept) | std::uint32_t{m} << amount);
    }
};

struct ShiftRightInsert {
    template <class T>
    static T lane(T d, T m, unsigned amount) {
        const Wide<T> inserted = wrap<Wide<T>>(Wide<T>{wrap<T>(~T{0})} >> amount);
        return wrap<T>((d & ~inserted) | (Wide<T>{m} >> amount));
    }
};

/// VSHLC: the whole register moves left; a general register gives the bits that come in and gets
/// those that go out.
template <bool kFull>
void shift_with_carry(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t active = active_of<kFull>(cpu);
    Lanes<std::uint32_t> lanes = read<std::uint32_t>(cpu, op.rd);
    std::uint32_t carry = cpu.r[op.rm];
    for (unsigned i = 0; i < kLanes<std::uint32_t>; ++i) {
        const std::uint64_t incoming = carry & ((std::uint64_t{1} << op.imm) - 1);
        const std::uint64_t shifted = std::uint64_t{lanes[i]} << op.imm | incoming;
        lanes[i] = wrap<std::uint32_t>(shifted);
        if (lane_active<std::uint32_t>(active, i)) carry = wrap<std::uint32_t>(shifted >> 32);
    }
    write<kFull>(cpu, op.rd, lanes, active);
    cpu.r[op.rm] = carry;
}

// Building.

/// Shifts by a vector have the amounts in Qn.
void emit_by_amounts(Builder& builder, const Fields& fields, Handler handler) {
    MicroOp& op = builder.emit(handler);
    op.rd = vector_offset(fields, 'd');
    op.rn = vector_offset(fields, 'm');
    op.rm = vector_offset(fields, 'n');
}

template <class Op>
void by_amounts(Builder& builder, const Fields& fields) {
    emit_by_amounts(builder, fields, kLanewise<Op, Source::Vector, Both>[type_index(fields)]);
}

template <auto kMember>
void simd_by_amounts(Builder& builder, const Fields& fields) {
    emit_by_amounts(builder, fields, (simd_handlers().*kMember)[type_index(fields)]);
}

/// Shifts by a scalar have one register for operand and destination.
template <class Op>
void by_register(Builder& builder, const Fields& fields) {
    MicroOp& op = builder.emit(kLanewise<Op, Source::Scalar, Both>[type_index(fields)]);
    op.rd = vector_offset(fields, 'd');
    op.rn = op.rd;
    op.rm = fields.reg('m');
}

template <class Op, class TypeList>
void left_by_immediate(Builder& builder, const Fields& fields) {
    emit_vectors(builder, fields, kShiftImmediate<Op, TypeList>[shift_index(fields)]).imm =
        left_amount(fields['i']);
}

template <class Op, class TypeList>
void right_by_immediate(Builder& builder, const Fields& fields) {
    emit_vectors(builder, fields, kShiftImmediate<Op, TypeList>[shift_index(fields)]).imm =
        right_amount(fields['i']);
}

void simd_left_by_immediate(Builder& builder, const Fields& fields) {
    const Handler handler = simd_handlers().shift_left[immediate_size(fields['i'])];
    emit_vectors(builder, fields, handler).imm = left_amount(fields['i']);
}

template <auto kMember>
void simd_right_by_immediate(Builder& builder, const Fields& fields) {
    const Handler handler = (simd_handlers().*kMember)[shift_index(fields)];
    emit_vectors(builder, fields, handler).imm = right_amount(fields['i']);
}

/// VQSHLU has no field U: its only list starts at index 0.
void left_to_unsigned(Builder& builder, const Fields& fields) {
    left_by_immediate<SaturatingShiftLeftToUnsigned, Modular>(builder, fields);
}

void build_shift_with_carry(Builder& builder, const Fields& fields) {
    MicroOp& op = emit_scalar(builder, fields,
                              vector_handler<shift_with_carry<true>, shift_with_carry<false>>);
    op.imm = fields['i'] == 0 ? 32 : fields['i'];
}

constexpr Row kRows[] = {
    // By a vector.
    {"VSHL T3", "111U 1111 00ss nnn0 ddd0 0100 0100 mmm0",
     "vshl{:v}.{U:sign}{s:size} {d:q}, {m:q}, {n:q}", simd_by_amounts<&SimdHandlers::shift_by>,
     Issue::VectorSimple, Unit::Vector, sized},
    {"VRSHL T1", "111U 1111 00ss nnn0 ddd0 0101 0100 mmm0",
     "vrshl{:v}.{U:sign}{s:size} {d:q}, {m:q}, {n:q}",
     simd_by_amounts<&SimdHandlers::rounding_shift_by>, Issue::VectorShift, Unit::Vector, sized},
    {"VQSHL T4", "111U 1111 00ss nnn0 ddd0 0100 0101 mmm0",
     "vqshl{:v}.{U:sign}{s:size} {d:q}, {m:q}, {n:q}", by_amounts<SaturatingShiftBy<false>>,
     Issue::VectorShift, Unit::Vector, sized},
    {"VQRSHL T1", "111U 1111 00ss nnn0 ddd0 0101 0101 mmm0",
     "vqrshl{:v}.{U:sign}{s:size} {d:q}, {m:q}, {n:q}", by_amounts<SaturatingShiftBy<true>>,
     Issue::VectorShift, Unit::Vector, sized},

    // By a general register.
    {"VSHL T2", "111U 1110 0011 ss01 ddd1 1110 0110 mmmm", "vshl{:v}.{U:sign}{s:size} {d:q}, {m:r}",
     by_register<ShiftBy<false>>, Issue::VectorSimple, Unit::Vector, sized_plain_m},
    {"VRSHL T2", "111U 1110 0011 ss11 ddd1 1110 0110 mmmm",
     "vrshl{:v}.{U:sign}{s:size} {d:q}, {m:r}", by_register<ShiftBy<true>>, Issue::VectorShift,
     Unit::Vector, sized_plain_m},
    {"VQSHL T1", "111U 1110 0011 ss01 ddd1 1110 1110 mmmm",
     "vqshl{:v}.{U:sign}{s:size} {d:q}, {m:r}", by_register<SaturatingShiftBy<false>>,
     Issue::VectorShift, Unit::Vector, sized_plain_m},
    {"VQRSHL T2", "111U 1110 0011 ss11 ddd1 1110 1110 mmmm",
     "vqrshl{:v}.{U:sign}{s:size} {d:q}, {m:r}", by_register<SaturatingShiftBy<true>>,
     Issue::VectorShift, Unit::Vector, sized_plain_m},

    // By an immediate.
    {"VSHL T1", "1110 1111 10ii iiii ddd0 0101 0101 mmm0",
     "vshl{:v}.i{i:isize} {d:q}, {m:q}, {i:left}", simd_left_by_immediate, Issue::VectorSimple,
     Unit::Vector, shift_sized},
    {"VQSHL T2", "111U 1111 10ii iiii ddd0 0111 0101 mmm0",
     "vqshl{:v}.{U:sign}{i:isize} {d:q}, {m:q}, {i:left}",
     left_by_immediate<SaturatingShiftLeft, Both>, Issue::VectorShift, Unit::Vector, shift_sized},
    {"VQSHLU T3", "1111 1111 10ii iiii ddd0 0110 0101 mmm0",
     "vqshlu{:v}.s{i:isize} {d:q}, {m:q}, {i:left}", left_to_unsigned, Issue::VectorShift,
     Unit::Vector, shift_sized},
    {"VSHR T1", "111U 1111 10ii iiii ddd0 0000 0101 mmm0",
     "vshr{:v}.{U:sign}{i:isize} {d:q}, {m:q}, {i:right}",
     simd_right_by_immediate<&SimdHandlers::shift_right>, Issue::VectorSimple, Unit::Vector,
     shift_sized},
    {"VRSHR T1", "111U 1111 10ii iiii ddd0 0010 0101 mmm0",
     "vrshr{:v}.{U:sign}{i:isize} {d:q}, {m:q}, {i:right}",
     simd_right_by_immediate<&SimdHandlers::rounding_shift_right>, Issue::VectorShift, Unit::Vector,
     shift_sized},
    {"VSLI T1", "1111 1111 10ii iiii ddd0 0101 0101 mmm0",
     "vsli{:v}.{i:isize} {d:q}, {m:q}, {i:left}", left_by_immediate<ShiftLeftInsert, Modular>,
     Issue::VectorSimple, Unit::Vector, shift_sized},
    {"VSRI T1", "1111 1111 10ii iiii ddd0 0100 0101 mmm0",
     "vsri{:v}.{i:isize} {d:q}, {m:q}, {i:right}", right_by_immediate<ShiftRightInsert, Modular>,
     Issue::VectorSimple, Unit::Vector, shift_sized},

    // Through a general register.
    {"VSHLC T1", "1110 1110 101i iiii ddd0 1111 1100 mmmm", "vshlc{:v} {d:q}, {m:r}, {i:count32}",
     build_shift_with_carry, Issue::VectorShift, Unit::Vector, plain_m},
};

}  // namespace

std::span<const Row> shift_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa::vector_integer
