// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <type_traits>

#include "models/core/isa/vector_integer/accumulator.h"
#include "models/core/isa/vector_integer/lanewise.h"

namespace n6vp::models::core::isa::vector_integer {

namespace {

/// Which products are summed: lane i of Qm with lane i of Qn or, crossed, with its neighbour; those
/// of odd lanes are added or subtracted.
enum class Pairing : std::uint8_t { Straight, Crossed, Difference, CrossedDifference };

constexpr bool crosses(Pairing pairing) {
    return pairing == Pairing::Crossed || pairing == Pairing::CrossedDifference;
}
constexpr bool subtracts(Pairing pairing) {
    return pairing == Pairing::Difference || pairing == Pairing::CrossedDifference;
}

/// Returns the product of lane i, exact, with its sign, as 64 bits.
template <class T, Pairing kPairing>
std::uint64_t product(const Lanes<T>& n, const Lanes<T>& m, unsigned i) {
    const auto value =
        static_cast<std::uint64_t>(Wide<T>{n[crosses(kPairing) ? i ^ 1 : i]} * Wide<T>{m[i]});
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

/// VRMLALDAVH and VRMLSLDAVH: every product is divided by 256 and rounded before it is added.
template <class T, Pairing kPairing, bool kAccumulate, bool kFull>
void dot_high(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t active = active_of<kFull>(cpu);
    const Lanes<T> n = read<T>(cpu, op.rn), m = read<T>(cpu, op.rm);
    std::uint64_t sum = starts_at_zero<kAccumulate>(cpu) ? 0 : read_pair(cpu, op);
    for (unsigned i = 0; i < kLanes<T>; ++i) {
        const auto exact = static_cast<Wide<T>>(product<T, kPairing>(n, m, i));
        // Rounded after the shift: 128 more could overflow before it.
        const auto high = static_cast<std::uint64_t>((exact >> 8) + (exact >> 7 & 1));
        sum += lane_active<T>(active, i) ? high : 0;
    }
    write_pair(cpu, op, sum);
}

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

template <Pairing kPairing, bool kAccumulate>
struct DotHigh {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            vector_handler<dot_high<T, kPairing, kAccumulate, true>,
                           dot_high<T, kPairing, kAccumulate, false>>;
    };
};

/// Returns the handler for fields A, X, U and z. `kPlain` and `kCross` are the pairings that X
/// chooses between, `kPerSign` the types of one sign in the list.
template <template <Pairing, bool> class Kind, class TypeList, std::size_t kPerSign, Pairing kPlain,
          Pairing kCross>
Handler dot_handler(const Fields& fields) {
    constexpr std::array kTables = {
        TypeList::template handlers<Kind<kPlain, false>::template Entry>(),
        TypeList::template handlers<Kind<kPlain, true>::template Entry>(),
        TypeList::template handlers<Kind<kCross, false>::template Entry>(),
        TypeList::template handlers<Kind<kCross, true>::template Entry>(),
    };
    return kTables[fields['X'] * 2 + fields['A']][fields['U'] * kPerSign + fields['z']];
}

// Without exchange or difference every type has a sign bit U; all others are signed.

using SignedBytes = Types<std::int8_t>;
using Bytes = Types<std::int8_t, std::uint8_t>;
using SignedUpper = Types<std::int16_t, std::int32_t>;
using Upper = Types<std::int16_t, std::int32_t, std::uint16_t, std::uint32_t>;
using SignedWords = Types<std::int32_t>;
using Words = Types<std::int32_t, std::uint32_t>;

template <class TypeList, std::size_t kPerSign, Pairing kPlain, Pairing kCross = kPlain>
void build_dot(Builder& builder, const Fields& fields) {
    emit_to_even(builder, fields, dot_handler<Dot, TypeList, kPerSign, kPlain, kCross>(fields));
}

template <template <Pairing, bool> class Kind, class TypeList, std::size_t kPerSign, Pairing kPlain,
          Pairing kCross = kPlain>
void build_pair(Builder& builder, const Fields& fields) {
    emit_to_pair(builder, fields, dot_handler<Kind, TypeList, kPerSign, kPlain, kCross>(fields));
}

constexpr auto kStraight = Pairing::Straight, kCrossed = Pairing::Crossed,
               kDifference = Pairing::Difference, kCrossedDifference = Pairing::CrossedDifference;

constexpr Row kRows[] = {
    // Into 32 bits. Field z: 0 for halfwords, 1 for words; bytes have encodings of their own.
    {"VMLADAV T1", "111U 1110 1111 nnnz aaa0 1110 00A0 mmm0",
     "vmlav{A:add}{:v}.{U:sign}{z:halfsize} {a:even}, {n:q}, {m:q}", build_dot<Upper, 2, kStraight>,
     Issue::VectorReduce, Unit::Vector},
    {"VMLADAV T2", "111U 1110 1111 nnn0 aaa0 1111 00A0 mmm0",
     "vmlav{A:add}{:v}.{U:sign}8 {a:even}, {n:q}, {m:q}", build_dot<Bytes, 1, kStraight>,
     Issue::VectorReduce, Unit::Vector},
    {"VMLADAVX T1", "1110 1110 1111 nnnz aaa1 1110 00A0 mmm0",
     "vmladav{A:add}x{:v}.s{z:halfsize} {a:even}, {n:q}, {m:q}",
     build_dot<SignedUpper, 2, kCrossed>, Issue::VectorReduce, Unit::Vector},
    {"VMLADAVX T2", "1110 1110 1111 nnn0 aaa1 1111 00A0 mmm0",
     "vmladav{A:add}x{:v}.s8 {a:even}, {n:q}, {m:q}", build_dot<SignedBytes, 1, kCrossed>,
     Issue::VectorReduce, Unit::Vector},
    {"VMLSDAV T1", "1110 1110 1111 nnnz aaaX 1110 00A0 mmm1",
     "vmlsdav{A:add}{X:cross}{:v}.s{z:halfsize} {a:even}, {n:q}, {m:q}",
     build_dot<SignedUpper, 2, kDifference, kCrossedDifference>, Issue::VectorReduce, Unit::Vector},
    {"VMLSDAV T2", "1111 1110 1111 nnn0 aaaX 1110 00A0 mmm1",
     "vmlsdav{A:add}{X:cross}{:v}.s8 {a:even}, {n:q}, {m:q}",
     build_dot<SignedBytes, 1, kDifference, kCrossedDifference>, Issue::VectorReduce, Unit::Vector},

    // Into 64 bits.
    {"VMLALDAV T1", "111U 1110 1hhh nnnz aaa0 1110 00A0 mmm0",
     "vmlalv{A:add}{:v}.{U:sign}{z:halfsize} {a:even}, {h:odd}, {n:q}, {m:q}",
     build_pair<DotLong, Upper, 2, kStraight>, Issue::VectorReduce, Unit::Vector, plain_pair},
    {"VMLALDAVX T1", "1110 1110 1hhh nnnz aaa1 1110 00A0 mmm0",
     "vmlaldav{A:add}x{:v}.s{z:halfsize} {a:even}, {h:odd}, {n:q}, {m:q}",
     build_pair<DotLong, SignedUpper, 2, kCrossed>, Issue::VectorReduce, Unit::Vector, plain_pair},
    {"VMLSLDAV T1", "1110 1110 1hhh nnnz aaaX 1110 00A0 mmm1",
     "vmlsldav{A:add}{X:cross}{:v}.s{z:halfsize} {a:even}, {h:odd}, {n:q}, {m:q}",
     build_pair<DotLong, SignedUpper, 2, kDifference, kCrossedDifference>, Issue::VectorReduce,
     Unit::Vector, plain_pair},

    // Into the upper 64 of 72 bits.
    {"VRMLALDAVH T1", "111U 1110 1hhh nnn0 aaa0 1111 00A0 mmm0",
     "vrmlalvh{A:add}{:v}.{U:sign}32 {a:even}, {h:odd}, {n:q}, {m:q}",
     build_pair<DotHigh, Words, 1, kStraight>, Issue::VectorReduce, Unit::Vector, plain_pair},
    {"VRMLALDAVHX T1", "1110 1110 1hhh nnn0 aaa1 1111 00A0 mmm0",
     "vrmlaldavh{A:add}x{:v}.s32 {a:even}, {h:odd}, {n:q}, {m:q}",
     build_pair<DotHigh, SignedWords, 1, kCrossed>, Issue::VectorReduce, Unit::Vector, plain_pair},
    {"VRMLSLDAVH T1", "1111 1110 1hhh nnn0 aaaX 1110 00A0 mmm1",
     "vrmlsldavh{A:add}{X:cross}{:v}.s32 {a:even}, {h:odd}, {n:q}, {m:q}",
     build_pair<DotHigh, SignedWords, 1, kDifference, kCrossedDifference>, Issue::VectorReduce,
     Unit::Vector, plain_pair},
};

}  // namespace

std::span<const Row> accumulate_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa::vector_integer
