// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "models/core/ir/builder.h"
#include "models/core/isa/row.h"
#include "models/core/isa/vector_integer/lanes.h"

// Instructions that do the same to every lane. An operation is a type with a static function `lane`
// of old destination, first and second operand; it returns the new lane, or Saturated.

namespace n6vp::models::core::isa::vector_integer {

/// What the second operand is.
enum class Source : std::uint8_t {
    Vector,  ///< Qm, byte offset in MicroOp::rm
    Scalar,  ///< the low bits of general register MicroOp::rm, in every lane
    Wired,   ///< MicroOp::extra, in every lane of 64 bits
};

template <class T, Source kSource>
[[nodiscard]] inline Lanes<T> second_operand(const CpuState& cpu, const MicroOp& op) {
    if constexpr (kSource == Source::Vector) {
        return read<T>(cpu, op.rm);
    } else {
        Lanes<T> lanes;
        if constexpr (kSource == Source::Scalar) {
            lanes.fill(wrap<T>(cpu.r[op.rm]));
        } else {
            lanes.fill(wrap<T>(op.extra));
        }
        return lanes;
    }
}

template <class X>
inline constexpr bool kIsSaturated = false;
template <class T, class X>
inline constexpr bool kIsSaturated<Saturated<T, X>> = true;

template <class Op, class T, Source kSource, bool kFull>
void lanewise(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t active = active_of<kFull>(cpu);
    const Lanes<T> d = read<T>(cpu, op.rd), n = read<T>(cpu, op.rn),
                   m = second_operand<T, kSource>(cpu, op);
    Lanes<T> result;
    if constexpr (kIsSaturated<decltype(Op::lane(d[0], n[0], m[0]))>) {
        decltype(Op::lane(d[0], n[0], m[0]).lost) lost = 0;
        for (unsigned i = 0; i < kLanes<T>; ++i) {
            const auto lane = Op::lane(d[i], n[i], m[i]);
            result[i] = lane.value;
            lost |= if_active<T>(active, i, lane.lost);
        }
        set_saturated(cpu, lost);
    } else {
        for (unsigned i = 0; i < kLanes<T>; ++i) result[i] = Op::lane(d[i], n[i], m[i]);
    }
    write<kFull>(cpu, op.rd, result, active);
}

/// Lane types, in the order of the index U * 3 + size.
template <class... T>
struct Types {
    /// Makes one entry for each type.
    template <template <class> class Entry>
    static constexpr std::array<Handler, sizeof...(T)> handlers() {
        return {Entry<T>::kHandler...};
    }
};
using Modular = Types<std::uint8_t, std::uint16_t, std::uint32_t>;  ///< the sign is no matter
using Signed = Types<std::int8_t, std::int16_t, std::int32_t>;
using Both =
    Types<std::int8_t, std::int16_t, std::int32_t, std::uint8_t, std::uint16_t, std::uint32_t>;

template <class Op, Source kSource>
struct Lanewise {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            vector_handler<lanewise<Op, T, kSource, true>, lanewise<Op, T, kSource, false>>;
    };
};

/// Handlers of an operation, one for each type.
template <class Op, Source kSource, class TypeList>
inline constexpr auto kLanewise =
    TypeList::template handlers<Lanewise<Op, kSource>::template Entry>();

/// Returns the byte offset of the vector register in field `letter`.
[[nodiscard]] inline std::uint8_t vector_offset(const Fields& fields, char letter) {
    return static_cast<std::uint8_t>(fields[letter] * 16);
}

/// Returns where in a table of Types the instruction's handler is: fields U and s.
[[nodiscard]] inline std::size_t type_index(const Fields& fields) {
    return fields['U'] * 3 + fields['s'];
}

/// Appends a micro-op with the operands Qd, Qn, Qm.
inline MicroOp& emit_vectors(Builder& builder, const Fields& fields, Handler handler) {
    MicroOp& op = builder.emit(handler);
    op.rd = vector_offset(fields, 'd');
    op.rn = vector_offset(fields, 'n');
    op.rm = vector_offset(fields, 'm');
    return op;
}

/// Appends a micro-op with the operands Qd, Qn, Rm.
inline MicroOp& emit_scalar(Builder& builder, const Fields& fields, Handler handler) {
    MicroOp& op = emit_vectors(builder, fields, handler);
    op.rm = fields.reg('m');
    return op;
}

template <class Op, class TypeList>
void by_vector(Builder& builder, const Fields& fields) {
    emit_vectors(builder, fields, kLanewise<Op, Source::Vector, TypeList>[type_index(fields)]);
}

template <class Op, class TypeList>
void by_scalar(Builder& builder, const Fields& fields) {
    emit_scalar(builder, fields, kLanewise<Op, Source::Scalar, TypeList>[type_index(fields)]);
}

/// For a row's `matches`: size 3 is another instruction.
[[nodiscard]] inline bool sized(const Fields& fields) {
    return fields['s'] != 3;
}
/// Rm may be neither sp nor pc.
[[nodiscard]] inline bool plain_m(const Fields& fields) {
    return fields['m'] != 13 && fields['m'] != 15;
}
[[nodiscard]] inline bool sized_plain_m(const Fields& fields) {
    return sized(fields) && plain_m(fields);
}

// The rows of each topic, with the file that has their semantics.
[[nodiscard]] std::span<const Row> arithmetic_rows();  ///< add, subtract, maximum, absolute value
[[nodiscard]] std::span<const Row> logic_rows();       ///< bitwise, immediates, reversals, VDUP
[[nodiscard]] std::span<const Row> multiply_rows();
[[nodiscard]] std::span<const Row> doubling_rows();  ///< saturating doubling multiplies
[[nodiscard]] std::span<const Row> shift_rows();
[[nodiscard]] std::span<const Row> narrow_rows();      ///< between lane widths
[[nodiscard]] std::span<const Row> reduce_rows();      ///< vector to general registers
[[nodiscard]] std::span<const Row> accumulate_rows();  ///< dot products to general registers
[[nodiscard]] std::span<const Row> sequence_rows();    ///< VIDUP and the like

}  // namespace n6vp::models::core::isa::vector_integer
