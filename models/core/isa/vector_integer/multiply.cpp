// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <limits>

#include "models/core/isa/vector_integer/lanewise.h"
#include "models/core/isa/vector_integer/operations.h"
#include "models/core/isa/vector_integer/simd.h"

namespace n6vp::models::core::isa::vector_integer {

namespace {

/// The high half of the product; `kRounding` adds half a unit of the result.
template <bool kRounding>
struct MultiplyHigh {
    template <class T>
    static T lane(T, T n, T m) {
        constexpr Wide<T> kHalf = kRounding ? Wide<T>{1} << (kBits<T> - 1) : 0;
        return wrap<T>((Wide<T>{n} * m + kHalf) >> kBits<T>);
    }
};

/// VMLA: d + n * m.
struct MultiplyAccumulate {
    template <class T>
    static T lane(T d, T n, T m) {
        return wrap<T>(d + std::uint32_t{n} * m);
    }
};

/// VMLAS: n * d + m.
struct MultiplyAddScalar {
    template <class T>
    static T lane(T d, T n, T m) {
        return wrap<T>(std::uint32_t{n} * d + m);
    }
};

// Long multiplies: operations on two T with a result of twice the width.

struct LongProduct {
    template <class T>
    static Wide<T> lane(T n, T m) {
        return wrap<Wide<T>>(Wide<T>{n} * m);
    }
};

/// Product of polynomials over {0, 1}.
struct PolynomialProduct {
    template <class T>
    static Wide<T> lane(T n, T m) {
        std::uint32_t product = 0;
        for (unsigned bit = 0; bit < kBits<T>; ++bit)
            product ^= (m >> bit & 1) != 0 ? std::uint32_t{n} << bit : 0;
        return wrap<Wide<T>>(product);
    }
};

struct DoublingLongProduct {
    template <class T>
    static Saturated<Wide<T>, bool> lane(T n, T m) {
        const Wide<T> product = wrap<Wide<T>>(Wide<T>{n} * m);
        // Only the square of the lowest number is too large to be doubled.
        const bool lost = n == m && n == std::numeric_limits<T>::min();
        if (lost) return {std::numeric_limits<Wide<T>>::max(), true};
        return {wrap<Wide<T>>(product * 2), false};
    }
};

/// Returns true if the product in wide lane `index` may set the saturation flag. The operands'
/// place decides; words fill two beats, of which either will do.
template <class T, bool kTop>
constexpr bool long_lane_active(std::uint32_t active, unsigned index) {
    if constexpr (sizeof(T) == 4) {
        return lane_active<T>(active, 2 * index) || lane_active<T>(active, 2 * index + 1);
    }
    return lane_active<T>(active, 2 * index + kTop);
}

/// Multiplies the odd (`kTop`) or even lanes of T.
template <class Op, class T, Source kSource, bool kTop, bool kFull>
void multiply_long(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t active = active_of<kFull>(cpu);
    const Lanes<T> n = read<T>(cpu, op.rn), m = second_operand<T, kSource>(cpu, op);
    Lanes<Wide<T>> result;
    bool lost = false;
    for (unsigned i = 0; i < kLanes<Wide<T>>; ++i) {
        const auto lane = Op::lane(n[2 * i + kTop], m[2 * i + kTop]);
        if constexpr (kIsSaturated<decltype(Op::lane(n[0], m[0]))>) {
            result[i] = lane.value;
            lost |= lane.lost & long_lane_active<T, kTop>(active, i);
        } else {
            result[i] = lane;
        }
    }
    set_saturated(cpu, lost);
    write<kFull>(cpu, op.rd, result, active);
}

template <class Op, Source kSource, bool kTop>
struct MultiplyLong {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            vector_handler<multiply_long<Op, T, kSource, kTop, true>,
                           multiply_long<Op, T, kSource, kTop, false>>;
    };
};

/// Returns the handler for the type at `index` of the list and field T.
template <class Op, Source kSource, class TypeList>
Handler long_handler(const Fields& fields, std::size_t index) {
    constexpr auto kBottom =
        TypeList::template handlers<MultiplyLong<Op, kSource, false>::template Entry>();
    constexpr auto kTop =
        TypeList::template handlers<MultiplyLong<Op, kSource, true>::template Entry>();
    return (fields['T'] != 0 ? kTop : kBottom)[index];
}

void build_long(Builder& builder, const Fields& fields) {
    emit_vectors(builder, fields,
                 long_handler<LongProduct, Source::Vector, Both>(fields, type_index(fields)));
}

void build_polynomial(Builder& builder, const Fields& fields) {
    using Polynomials = Types<std::uint8_t, std::uint16_t>;
    emit_vectors(builder, fields,
                 long_handler<PolynomialProduct, Source::Vector, Polynomials>(fields, fields['z']));
}

using DoublingTypes = Types<std::int16_t, std::int32_t>;

/// The result of words overlaps an operand: unpredictable, and undefined here.
bool overlaps(const Fields& fields, bool vector) {
    return fields['z'] != 0 &&
           (fields['d'] == fields['n'] || (vector && fields['d'] == fields['m']));
}

void build_doubling_long(Builder& builder, const Fields& fields) {
    if (overlaps(fields, true)) return builder.undefined();
    emit_vectors(
        builder, fields,
        long_handler<DoublingLongProduct, Source::Vector, DoublingTypes>(fields, fields['z']));
}

void build_doubling_long_scalar(Builder& builder, const Fields& fields) {
    if (overlaps(fields, false)) return builder.undefined();
    emit_scalar(
        builder, fields,
        long_handler<DoublingLongProduct, Source::Scalar, DoublingTypes>(fields, fields['z']));
}

template <class Op>
void build_multiply_add(Builder& builder, const Fields& fields) {
    emit_scalar(builder, fields, kLanewise<Op, Source::Scalar, Modular>[fields['s']]);
}

constexpr Row kRows[] = {
    // The low half.
    {"VMUL (vector) T1", "1110 1111 00ss nnn0 ddd0 1001 0101 mmm0",
     "vmul{:v}.i{s:size} {d:q}, {n:q}, {m:q}", simd_by_vector<&SimdHandlers::multiply>,
     Issue::VectorMultiply, Unit::Vector, sized},
    {"VMUL (vector) T2", "1110 1110 00ss nnn1 ddd1 1110 0110 mmmm",
     "vmul{:v}.i{s:size} {d:q}, {n:q}, {m:r}", simd_by_scalar<&SimdHandlers::multiply_scalar>,
     Issue::VectorMultiply, Unit::Vector, sized_plain_m},
    // U only chooses between two spellings of the same instruction, and compilers write both.
    {"VMLA (vector by scalar plus vector) T1", "111U 1110 00ss nnn1 ddd0 1110 0100 mmmm",
     "vmla{:v}.{U:sign}{s:size} {d:q}, {n:q}, {m:r}", build_multiply_add<MultiplyAccumulate>,
     Issue::VectorMultiply, Unit::Vector, sized_plain_m},
    {"VMLAS (vector by vector plus scalar) T1", "111U 1110 00ss nnn1 ddd1 1110 0100 mmmm",
     "vmlas{:v}.{U:sign}{s:size} {d:q}, {n:q}, {m:r}", build_multiply_add<MultiplyAddScalar>,
     Issue::VectorMultiply, Unit::Vector, sized_plain_m},

    // The high half.
    {"VMULH T1", "111U 1110 00ss nnn1 ddd0 1110 0000 mmm1",
     "vmulh{:v}.{U:sign}{s:size} {d:q}, {n:q}, {m:q}", by_vector<MultiplyHigh<false>, Both>,
     Issue::VectorMultiply, Unit::Vector, sized},
    {"VRMULH T1", "111U 1110 00ss nnn1 ddd1 1110 0000 mmm1",
     "vrmulh{:v}.{U:sign}{s:size} {d:q}, {n:q}, {m:q}", by_vector<MultiplyHigh<true>, Both>,
     Issue::VectorMultiply, Unit::Vector, sized},

    // Both halves.
    {"VMULL (integer) T1", "111U 1110 00ss nnn1 dddT 1110 0000 mmm0",
     "vmull{T:half}{:v}.{U:sign}{s:size} {d:q}, {n:q}, {m:q}", build_long, Issue::VectorMultiply,
     Unit::Vector, sized},
    {"VMULL (polynomial) T1", "111z 1110 0011 nnn1 dddT 1110 0000 mmm0",
     "vmull{T:half}{:v}.p{z:size} {d:q}, {n:q}, {m:q}", build_polynomial, Issue::VectorMultiply,
     Unit::Vector},
    {"VQDMULL T1", "111z 1110 0011 nnn0 dddT 1111 0000 mmm1",
     "vqdmull{T:half}{:v}.s{z:halfsize} {d:q}, {n:q}, {m:q}", build_doubling_long,
     Issue::VectorMultiply, Unit::Vector},
    {"VQDMULL T2", "111z 1110 0011 nnn0 dddT 1111 0110 mmmm",
     "vqdmull{T:half}{:v}.s{z:halfsize} {d:q}, {n:q}, {m:r}", build_doubling_long_scalar,
     Issue::VectorMultiply, Unit::Vector, plain_m},
};

}  // namespace

std::span<const Row> multiply_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa::vector_integer
