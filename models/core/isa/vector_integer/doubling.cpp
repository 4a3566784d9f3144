// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <limits>

#include "models/core/isa/vector_integer/lanewise.h"
#include "models/core/isa/vector_integer/operations.h"
#include "models/core/isa/vector_integer/simd.h"

namespace n6vp::models::core::isa::vector_integer {

namespace {

/// Half a unit of the result of a doubling multiply whose sum is shifted right by kBits - 1.
template <class T, bool kRounding>
inline constexpr Exact<T> kHalf = kRounding ? Exact<T>{1} << (kBits<T> - 2) : 0;

/// Returns the high half of 2 * (a * b + c * 2^(bits - 1)). The sum never leaves Exact: products
/// reach 2^(2 * bits - 2) only once, and the addend stays below that.
template <class T, bool kRounding>
Saturated<T> doubled_high(T a, T b, T c) {
    const Exact<T> addend = wrap<Exact<T>>(Exact<T>{c} << (kBits<T> - 1));
    return saturate<T>(
        wrap<Exact<T>>((Exact<T>{a} * b + addend + kHalf<T, kRounding>) >> (kBits<T> - 1)));
}

/// VQDMLAH: d + n * m.
template <bool kRounding>
struct DoublingMultiplyAccumulate {
    template <class T>
    static Saturated<T> lane(T d, T n, T m) {
        return doubled_high<T, kRounding>(n, m, d);
    }
};

/// VQDMLASH: n * d + m.
template <bool kRounding>
struct DoublingMultiplyAddScalar {
    template <class T>
    static Saturated<T> lane(T d, T n, T m) {
        return doubled_high<T, kRounding>(n, d, m);
    }
};

/// Returns the high half of 2 * (a * b + c * d) or, if `kSubtract`, 2 * (a * b - c * d).
template <class T, bool kSubtract, bool kRounding>
Saturated<T, std::int64_t> dual_doubled_high(T a, T b, T c, T d) {
    const std::int64_t first = std::int64_t{a} * b, second = std::int64_t{c} * d;
    // The one sum that 64 bits do not hold.
    constexpr std::int64_t kLargest = std::int64_t{1} << 62;
    if (!kSubtract && first == kLargest && second == kLargest)
        return {std::numeric_limits<T>::max(), 1};
    const std::int64_t sum = kSubtract ? first - second : first + second;
    return saturate<T>((sum + kHalf<T, kRounding>) >> (kBits<T> - 1));
}

/// VQDMLADH and VQDMLSDH: one result for two pairs of lanes, in the even lane, or in the odd one if
/// `kExchange` multiplies across. The other lanes stay.
template <class T, bool kSubtract, bool kRounding, bool kExchange, bool kFull>
void dual_multiply(CpuState& cpu, const MicroOp& op) {
    const std::uint32_t active = active_of<kFull>(cpu);
    const Lanes<T> n = read<T>(cpu, op.rn), m = read<T>(cpu, op.rm);
    Lanes<T> result = read<T>(cpu, op.rd);
    std::int64_t lost = 0;
    for (unsigned pair = 0; pair < kLanes<T>; pair += 2) {
        const unsigned own = pair + kExchange, other = pair + !kExchange;
        const auto lane =
            dual_doubled_high<T, kSubtract, kRounding>(n[own], m[pair], n[other], m[pair + 1]);
        result[own] = lane.value;
        lost |= if_active<T>(active, own, lane.lost);
    }
    set_saturated(cpu, lost);
    write<kFull>(cpu, op.rd, result, active);
}

template <bool kSubtract, bool kRounding, bool kExchange>
struct DualMultiply {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            vector_handler<dual_multiply<T, kSubtract, kRounding, kExchange, true>,
                           dual_multiply<T, kSubtract, kRounding, kExchange, false>>;
    };
};

template <bool kSubtract, bool kRounding>
void build_dual(Builder& builder, const Fields& fields) {
    constexpr auto kStraight =
        Signed::handlers<DualMultiply<kSubtract, kRounding, false>::template Entry>();
    constexpr auto kExchanged =
        Signed::handlers<DualMultiply<kSubtract, kRounding, true>::template Entry>();
    emit_vectors(builder, fields, (fields['X'] != 0 ? kExchanged : kStraight)[fields['s']]);
}

constexpr Row kRows[] = {
    {"VQDMULH T1", "1110 1111 00ss nnn0 ddd0 1011 0100 mmm0",
     "vqdmulh{:v}.s{s:size} {d:q}, {n:q}, {m:q}", simd_by_vector<&SimdHandlers::doubling_high>,
     Issue::VectorMultiply, Unit::Vector, sized},
    {"VQDMULH T2", "1110 1110 00ss nnn1 ddd0 1110 0110 mmmm",
     "vqdmulh{:v}.s{s:size} {d:q}, {n:q}, {m:r}",
     simd_by_scalar<&SimdHandlers::doubling_high_scalar>, Issue::VectorMultiply, Unit::Vector,
     sized_plain_m},
    {"VQRDMULH T1", "1111 1111 00ss nnn0 ddd0 1011 0100 mmm0",
     "vqrdmulh{:v}.s{s:size} {d:q}, {n:q}, {m:q}",
     simd_by_vector<&SimdHandlers::rounding_doubling_high>, Issue::VectorMultiply, Unit::Vector,
     sized},
    {"VQRDMULH T2", "1111 1110 00ss nnn1 ddd0 1110 0110 mmmm",
     "vqrdmulh{:v}.s{s:size} {d:q}, {n:q}, {m:r}",
     simd_by_scalar<&SimdHandlers::rounding_doubling_high_scalar>, Issue::VectorMultiply,
     Unit::Vector, sized_plain_m},

    // With an addend.
    {"VQDMLAH (vector by scalar plus vector) T1", "1110 1110 00ss nnn0 ddd0 1110 0110 mmmm",
     "vqdmlah{:v}.s{s:size} {d:q}, {n:q}, {m:r}",
     by_scalar<DoublingMultiplyAccumulate<false>, Signed>, Issue::VectorMultiply, Unit::Vector,
     sized_plain_m},
    {"VQRDMLAH (vector by scalar plus vector) T2", "1110 1110 00ss nnn0 ddd0 1110 0100 mmmm",
     "vqrdmlah{:v}.s{s:size} {d:q}, {n:q}, {m:r}",
     by_scalar<DoublingMultiplyAccumulate<true>, Signed>, Issue::VectorMultiply, Unit::Vector,
     sized_plain_m},
    {"VQDMLASH (vector by vector plus scalar) T1", "1110 1110 00ss nnn0 ddd1 1110 0110 mmmm",
     "vqdmlash{:v}.s{s:size} {d:q}, {n:q}, {m:r}",
     by_scalar<DoublingMultiplyAddScalar<false>, Signed>, Issue::VectorMultiply, Unit::Vector,
     sized_plain_m},
    {"VQRDMLASH (vector by vector plus scalar) T2", "1110 1110 00ss nnn0 ddd1 1110 0100 mmmm",
     "vqrdmlash{:v}.s{s:size} {d:q}, {n:q}, {m:r}",
     by_scalar<DoublingMultiplyAddScalar<true>, Signed>, Issue::VectorMultiply, Unit::Vector,
     sized_plain_m},

    // Of pairs.
    {"VQDMLADH T1", "1110 1110 00ss nnn0 dddX 1110 0000 mmm0",
     "vqdmladh{X:cross}{:v}.s{s:size} {d:q}, {n:q}, {m:q}", build_dual<false, false>,
     Issue::VectorMultiply, Unit::Vector, sized},
    {"VQRDMLADH T2", "1110 1110 00ss nnn0 dddX 1110 0000 mmm1",
     "vqrdmladh{X:cross}{:v}.s{s:size} {d:q}, {n:q}, {m:q}", build_dual<false, true>,
     Issue::VectorMultiply, Unit::Vector, sized},
    {"VQDMLSDH T1", "1111 1110 00ss nnn0 dddX 1110 0000 mmm0",
     "vqdmlsdh{X:cross}{:v}.s{s:size} {d:q}, {n:q}, {m:q}", build_dual<true, false>,
     Issue::VectorMultiply, Unit::Vector, sized},
    {"VQRDMLSDH T2", "1111 1110 00ss nnn0 dddX 1110 0000 mmm1",
     "vqrdmlsdh{X:cross}{:v}.s{s:size} {d:q}, {n:q}, {m:q}", build_dual<true, true>,
     Issue::VectorMultiply, Unit::Vector, sized},
};

}  // namespace

std::span<const Row> doubling_rows() {
    return kRows;
}

}  // namespace n6vp::models::core::isa::vector_integer
