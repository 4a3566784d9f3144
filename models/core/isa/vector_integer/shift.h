// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "models/core/isa/vector_integer/lanewise.h"

// Shifts by immediates: field i holds the amount together with the element size, given by its
// highest set bit.

namespace n6vp::models::core::isa::vector_integer {

/// Returns 0 for bytes, 1 for halfwords, 2 for words. `field` is 8 to 63; below, which belongs to
/// other instructions, it counts as bytes.
[[nodiscard]] constexpr std::size_t immediate_size(std::uint32_t field) {
    return static_cast<std::size_t>(std::bit_width(field | 8)) - 4;
}
/// Returns 0 to element size - 1.
[[nodiscard]] constexpr std::uint32_t left_amount(std::uint32_t field) {
    return field - (8u << immediate_size(field));
}
/// Returns 1 to element size.
[[nodiscard]] constexpr std::uint32_t right_amount(std::uint32_t field) {
    return (16u << immediate_size(field)) - field;
}

/// For a row's `matches`: below 8, field i belongs to other instructions.
[[nodiscard]] inline bool shift_sized(const Fields& fields) {
    return fields['i'] >= 8;
}

/// Long enough for any lane shifted either way.
template <class T>
using Long = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;

/// Returns `value` shifted right by 1 to 128.
template <class T, bool kRounding>
[[nodiscard]] constexpr Long<T> shift_right_far(T value, int amount) {
    // Beyond 40 nothing changes any more.
    const int limited = std::min(amount, 40);
    const Long<T> half = kRounding ? Long<T>{1} << (limited - 1) : 0;
    return (Long<T>{value} + half) >> limited;
}

/// Returns the low byte of m with its sign.
template <class T>
[[nodiscard]] constexpr int signed_byte(T m) {
    return static_cast<int>(static_cast<unsigned>(m & 0xFF) ^ 0x80) - 0x80;
}

// Shifts of n by a signed amount, the low byte of m: left if positive.

template <bool kRounding>
struct ShiftBy {
    template <class T>
    static T lane(T, T n, T m) {
        const int amount = signed_byte(m);
        if (amount < 0) return wrap<T>(shift_right_far<T, kRounding>(n, -amount));
        return wrap<T>(static_cast<std::uint64_t>(n) << std::min(amount, 32));
    }
};

/// Applies an operation on old destination, operand and amount to every lane.
template <class Op, class T, bool kFull>
void shift_immediate(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t active = active_of<kFull>(cpu);
    const Lanes<T> d = read<T>(cpu, op.rd), m = read<T>(cpu, op.rm);
    const unsigned amount = op.imm;
    Lanes<T> result;
    if constexpr (kIsSaturated<decltype(Op::lane(d[0], m[0], amount))>) {
        decltype(Op::lane(d[0], m[0], amount).lost) lost = 0;
        for (unsigned i = 0; i < kLanes<T>; ++i) {
            const auto lane = Op::lane(d[i], m[i], amount);
            result[i] = lane.value;
            lost |= if_active<T>(active, i, lane.lost);
        }
        set_saturated(cpu, lost);
    } else {
        for (unsigned i = 0; i < kLanes<T>; ++i) result[i] = Op::lane(d[i], m[i], amount);
    }
    write<kFull>(cpu, op.rd, result, active);
}

template <class Op>
struct ShiftImmediate {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            vector_handler<shift_immediate<Op, T, true>, shift_immediate<Op, T, false>>;
    };
};

template <class Op, class TypeList>
inline constexpr auto kShiftImmediate =
    TypeList::template handlers<ShiftImmediate<Op>::template Entry>();

/// Returns where in a table of Types the handler of a shift by immediate is: fields U and i.
[[nodiscard]] inline std::size_t shift_index(const Fields& fields) {
    return std::size_t{fields['U']} * 3 + immediate_size(fields['i']);
}

}  // namespace n6vp::models::core::isa::vector_integer
