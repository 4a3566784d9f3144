// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "models/core/isa/vector_integer/across.h"
#include "models/core/isa/vector_integer/lanewise.h"
#include "models/core/isa/vector_integer/simd.h"

namespace n6vp::models::core::isa::vector_integer {

namespace {

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
struct DotHigh {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            vector_handler<dot_high<T, kPairing, kAccumulate, true>,
                           dot_high<T, kPairing, kAccumulate, false>>;
    };
};

/// Returns the handler for fields A, X, U and z. `kPlain` and `kCross` are the pairings that X
/// chooses between; a list has either types of both signs or of several sizes.
template <template <Pairing, bool> class Kind, class TypeList, Pairing kPlain, Pairing kCross>
Handler dot_handler(const Fields& fields) {
    constexpr std::array kTables = {
        TypeList::template handlers<Kind<kPlain, false>::template Entry>(),
        TypeList::template handlers<Kind<kPlain, true>::template Entry>(),
        TypeList::template handlers<Kind<kCross, false>::template Entry>(),
        TypeList::template handlers<Kind<kCross, true>::template Entry>(),
    };
    return kTables[fields['X'] * 2 + fields['A']][fields['U'] + fields['z']];
}

// Straight sums have a sign bit U and are hot; all others are signed.

void build_straight_dot(Builder& builder, const Fields& fields) {
    emit_to_even(builder, fields,
                 simd_handlers().dot[fields['A']][std::size_t{fields['U']} * 3 + fields['z'] + 1]);
}
void build_straight_dot_bytes(Builder& builder, const Fields& fields) {
    emit_to_even(builder, fields, simd_handlers().dot[fields['A']][std::size_t{fields['U']} * 3]);
}
void build_straight_dot_long(Builder& builder, const Fields& fields) {
    emit_to_pair(builder, fields,
                 simd_handlers().dot_long[fields['A']][std::size_t{fields['U']} * 2 + fields['z']]);
}

using SignedBytes = Types<std::int8_t>;
using SignedHalfwordsUp = Types<std::int16_t, std::int32_t>;
using SignedWords = Types<std::int32_t>;
using Words = Types<std::int32_t, std::uint32_t>;

template <class TypeList, Pairing kPlain, Pairing kCross>
void build_dot(Builder& builder, const Fields& fields) {
    emit_to_even(builder, fields, dot_handler<Dot, TypeList, kPlain, kCross>(fields));
}

template <template <Pairing, bool> class Kind, class TypeList, Pairing kPlain, Pairing kCross>
void build_pair(Builder& builder, const Fields& fields) {
    emit_to_pair(builder, fields, dot_handler<Kind, TypeList, kPlain, kCross>(fields));
}

constexpr auto kStraight = Pairing::Straight, kCrossed = Pairing::Crossed,
               kDifference = Pairing::Difference, kCrossedDifference = Pairing::CrossedDifference;

constexpr Row kRows[] = {
    // Into 32 bits. Field z: 0 for halfwords, 1 for words; bytes have encodings of their own.
    {"VMLADAV T1", "111U 1110 1111 nnnz aaa0 1110 00A0 mmm0",
     "vmlav{A:add}{:v}.{U:sign}{z:halfsize} {a:even}, {n:q}, {m:q}", build_straight_dot,
     Issue::VectorReduce, Unit::Vector},
    {"VMLADAV T2", "111U 1110 1111 nnn0 aaa0 1111 00A0 mmm0",
     "vmlav{A:add}{:v}.{U:sign}8 {a:even}, {n:q}, {m:q}", build_straight_dot_bytes,
     Issue::VectorReduce, Unit::Vector},
    {"VMLADAVX T1", "1110 1110 1111 nnnz aaa1 1110 00A0 mmm0",
     "vmladav{A:add}x{:v}.s{z:halfsize} {a:even}, {n:q}, {m:q}",
     build_dot<SignedHalfwordsUp, kCrossed, kCrossed>, Issue::VectorReduce, Unit::Vector},
    {"VMLADAVX T2", "1110 1110 1111 nnn0 aaa1 1111 00A0 mmm0",
     "vmladav{A:add}x{:v}.s8 {a:even}, {n:q}, {m:q}", build_dot<SignedBytes, kCrossed, kCrossed>,
     Issue::VectorReduce, Unit::Vector},
    {"VMLSDAV T1", "1110 1110 1111 nnnz aaaX 1110 00A0 mmm1",
     "vmlsdav{A:add}{X:cross}{:v}.s{z:halfsize} {a:even}, {n:q}, {m:q}",
     build_dot<SignedHalfwordsUp, kDifference, kCrossedDifference>, Issue::VectorReduce,
     Unit::Vector},
    {"VMLSDAV T2", "1111 1110 1111 nnn0 aaaX 1110 00A0 mmm1",
     "vmlsdav{A:add}{X:cross}{:v}.s8 {a:even}, {n:q}, {m:q}",
     build_dot<SignedBytes, kDifference, kCrossedDifference>, Issue::VectorReduce, Unit::Vector},

    // Into 64 bits.
    {"VMLALDAV T1", "111U 1110 1hhh nnnz aaa0 1110 00A0 mmm0",
     "vmlalv{A:add}{:v}.{U:sign}{z:halfsize} {a:even}, {h:odd}, {n:q}, {m:q}",
     build_straight_dot_long, Issue::VectorReduce, Unit::Vector, plain_pair},
    {"VMLALDAVX T1", "1110 1110 1hhh nnnz aaa1 1110 00A0 mmm0",
     "vmlaldav{A:add}x{:v}.s{z:halfsize} {a:even}, {h:odd}, {n:q}, {m:q}",
     build_pair<DotLong, SignedHalfwordsUp, kCrossed, kCrossed>, Issue::VectorReduce, Unit::Vector,
     plain_pair},
    {"VMLSLDAV T1", "1110 1110 1hhh nnnz aaaX 1110 00A0 mmm1",
     "vmlsldav{A:add}{X:cross}{:v}.s{z:halfsize} {a:even}, {h:odd}, {n:q}, {m:q}",
     build_pair<DotLong, SignedHalfwordsUp, kDifference, kCrossedDifference>, Issue::VectorReduce,
     Unit::Vector, plain_pair},

    // Into the upper 64 of 72 bits.
    {"VRMLALDAVH T1", "111U 1110 1hhh nnn0 aaa0 1111 00A0 mmm0",
     "vrmlalvh{A:add}{:v}.{U:sign}32 {a:even}, {h:odd}, {n:q}, {m:q}",
     build_pair<DotHigh, Words, kStraight, kStraight>, Issue::VectorReduce, Unit::Vector,
     plain_pair},
    {"VRMLALDAVHX T1", "1110 1110 1hhh nnn0 aaa1 1111 00A0 mmm0",
     "vrmlaldavh{A:add}x{:v}.s32 {a:even}, {h:odd}, {n:q}, {m:q}",
     build_pair<DotHigh, SignedWords, kCrossed, kCrossed>, Issue::VectorReduce, Unit::Vector,
     plain_pair},
    {"VRMLSLDAVH T1", "1111 1110 1hhh nnn0 aaaX 1110 00A0 mmm1",
     "vrmlsldavh{A:add}{X:cross}{:v}.s32 {a:even}, {h:odd}, {n:q}, {m:q}",
     build_pair<DotHigh, SignedWords, kDifference, kCrossedDifference>, Issue::VectorReduce,
     Unit::Vector, plain_pair},
};

}  // namespace

std::span<const Row> accumulate_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa::vector_integer
