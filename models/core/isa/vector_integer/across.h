// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/core/isa/vector_integer/lanewise.h"

// Sums of lanes and of products of lanes in general registers: in an even one (field a), or in an
// even one for the low half and an odd one (field h) for the high half of 64 bits. Field A adds to
// what is there.

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

/// VADDV.
template <class T, bool kAccumulate, bool kFull>
void add_across(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t active = active_of<kFull>(cpu);
    const Lanes<T> m = read<T>(cpu, op.rm);
    std::uint32_t sum = starts_at_zero<kAccumulate>(cpu) ? 0 : cpu.r[op.rd];
    for (unsigned i = 0; i < kLanes<T>; ++i)
        sum += lane_active<T>(active, i) ? static_cast<std::uint32_t>(m[i]) : 0;
    cpu.r[op.rd] = sum;
}

/// VMAXV and VMINV.
template <class Choice, class T, bool kFull>
void choose_across(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t active = active_of<kFull>(cpu);
    const Lanes<T> m = read<T>(cpu, op.rm);
    T chosen = wrap<T>(cpu.r[op.rd]);
    for (unsigned i = 0; i < kLanes<T>; ++i) {
        if (lane_active<T>(active, i)) chosen = Choice::template lane<T>(0, chosen, m[i]);
    }
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): the sign of a signed lane spreads.
    cpu.r[op.rd] = static_cast<std::uint32_t>(chosen);
}

template <class Choice>
struct ChooseAcross {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            vector_handler<choose_across<Choice, T, true>, choose_across<Choice, T, false>>;
    };
};

/// Which products are summed: lane i of Qm with lane i of Qn or, crossed, with its neighbour; those
/// of odd lanes are added or subtracted.
enum class Pairing : std::uint8_t { Straight, Crossed, Difference, CrossedDifference };

[[nodiscard]] constexpr bool crosses(Pairing pairing) {
    return pairing == Pairing::Crossed || pairing == Pairing::CrossedDifference;
}
[[nodiscard]] constexpr bool subtracts(Pairing pairing) {
    return pairing == Pairing::Difference || pairing == Pairing::CrossedDifference;
}

/// Returns the product of lane i, exact, with its sign, as 64 bits.
template <class T, Pairing kPairing>
[[nodiscard]] inline std::uint64_t product(const Lanes<T>& n, const Lanes<T>& m, unsigned i) {
    const auto exact = Wide<T>{n[crosses(kPairing) ? i ^ 1 : i]} * Wide<T>{m[i]};
    const auto value = static_cast<std::uint64_t>(exact);
    return subtracts(kPairing) && i % 2 != 0 ? 0 - value : value;
}

/// VMLADAV and VMLSDAV: modulo 2^32.
template <class T, Pairing kPairing, bool kAccumulate, bool kFull>
void dot(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t active = active_of<kFull>(cpu);
    const Lanes<T> n = read<T>(cpu, op.rn), m = read<T>(cpu, op.rm);
    std::uint32_t sum = starts_at_zero<kAccumulate>(cpu) ? 0 : cpu.r[op.rd];
    for (unsigned i = 0; i < kLanes<T>; ++i) {
        const auto term = static_cast<std::uint32_t>(product<T, kPairing>(n, m, i));
        sum += lane_active<T>(active, i) ? term : 0;
    }
    cpu.r[op.rd] = sum;
}

/// VMLALDAV and VMLSLDAV: modulo 2^64.
template <class T, Pairing kPairing, bool kAccumulate, bool kFull>
void dot_long(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t active = active_of<kFull>(cpu);
    const Lanes<T> n = read<T>(cpu, op.rn), m = read<T>(cpu, op.rm);
    std::uint64_t sum = starts_at_zero<kAccumulate>(cpu) ? 0 : read_pair(cpu, op);
    for (unsigned i = 0; i < kLanes<T>; ++i)
        sum += lane_active<T>(active, i) ? product<T, kPairing>(n, m, i) : 0;
    write_pair(cpu, op, sum);
}

template <bool kAccumulate>
struct AddAcross {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            vector_handler<add_across<T, kAccumulate, true>, add_across<T, kAccumulate, false>>;
    };
};

template <Pairing kPairing, bool kAccumulate>
struct Dot {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler = vector_handler<dot<T, kPairing, kAccumulate, true>,
                                                           dot<T, kPairing, kAccumulate, false>>;
    };
};

template <Pairing kPairing, bool kAccumulate>
struct DotLong {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            vector_handler<dot_long<T, kPairing, kAccumulate, true>,
                           dot_long<T, kPairing, kAccumulate, false>>;
    };
};

/// Lane types of instructions that have no form for bytes, or one elsewhere, in the order
/// U * 2 + size.
using HalfwordsUp = Types<std::int16_t, std::int32_t, std::uint16_t, std::uint32_t>;

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
