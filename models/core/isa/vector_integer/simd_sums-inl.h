// SPDX-License-Identifier: Apache-2.0

// Hot instructions that sum up lanes. Part of simd.cpp, which is compiled once for every
// kind of vector unit; the guard lets each of them in once.

#if defined(N6VP_SIMD_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef N6VP_SIMD_SUMS_INL_H_
#undef N6VP_SIMD_SUMS_INL_H_
#else
#define N6VP_SIMD_SUMS_INL_H_
#endif

#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"
#include "models/core/isa/vector_integer/across.h"
#include "models/core/isa/vector_integer/simd_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace n6vp::models::core::isa::vector_integer {
namespace HWY_NAMESPACE {

// Sums.

/// Returns the sum of four lanes, modulo 2^32.
template <class V>
HWY_INLINE std::uint32_t sum_words(V value) {
    return hn::GetLane(hn::SumOfLanes(U32(), hn::BitCast(U32(), value)));
}

/// Returns lanes of words that together have the sum of the products of all halfwords; no lane is
/// the sum of more than two products.
struct PairSums {
    Vector<std::int32_t> first, second;
};
HWY_INLINE PairSums pair_sums(Vector<std::int16_t> n, Vector<std::int16_t> m) {
    PairSums sums{hn::Zero(I32()), hn::Zero(I32())};
    sums.first = hn::ReorderWidenMulAccumulate(I32(), n, m, sums.first, sums.second);
    return sums;
}

/// Returns the even and the odd bytes of a vector as halfwords.
template <class T>
struct Bytes {
    HWY_INLINE explicit Bytes(Vector<T> value) {
        const auto halfwords = hn::BitCast(I16(), value);
        if constexpr (std::is_signed_v<T>) {
            even = hn::ShiftRight<8>(hn::ShiftLeft<8>(halfwords));
            odd = hn::ShiftRight<8>(halfwords);
        } else {
            even = hn::And(halfwords, hn::Set(I16(), 0xFF));
            odd = hn::BitCast(I16(), hn::ShiftRight<8>(hn::BitCast(U16(), value)));
        }
    }
    Vector<std::int16_t> even, odd;
};

/// Returns the even and the odd halfwords of a vector as words.
struct UnsignedHalfwords {
    HWY_INLINE explicit UnsignedHalfwords(Vector<std::uint16_t> value)
        : even(hn::And(hn::BitCast(U32(), value), hn::Set(U32(), 0xFFFF))),
          odd(hn::ShiftRight<16>(hn::BitCast(U32(), value))) {}
    Vector<std::uint32_t> even, odd;
};

template <class T>
HWY_INLINE std::uint32_t sum_lanes(Vector<T> m) {
    if constexpr (sizeof(T) == 4) {
        return sum_words(m);
    } else if constexpr (std::is_same_v<T, std::int16_t>) {
        const PairSums sums = pair_sums(m, hn::Set(I16(), 1));
        return sum_words(hn::Add(sums.first, sums.second));
    } else if constexpr (std::is_same_v<T, std::uint16_t>) {
        const UnsignedHalfwords lanes(m);
        return sum_words(hn::Add(lanes.even, lanes.odd));
    } else {
        // Signed bytes are made unsigned by an offset of 128.
        const auto offset = hn::Set(U8(), std::is_signed_v<T> ? 0x80 : 0);
        const auto eighths = hn::SumsOf8(hn::Xor(hn::BitCast(U8(), m), offset));
        return sum_words(eighths) - (std::is_signed_v<T> ? 16u * 128u : 0u);
    }
}

template <class T>
HWY_INLINE std::uint32_t sum_products(Vector<T> n, Vector<T> m) {
    if constexpr (sizeof(T) == 4) {
        return sum_words(hn::Mul(hn::BitCast(U32(), n), hn::BitCast(U32(), m)));
    } else if constexpr (std::is_same_v<T, std::int16_t>) {
        const PairSums sums = pair_sums(n, m);
        return sum_words(hn::Add(sums.first, sums.second));
    } else if constexpr (std::is_same_v<T, std::uint16_t>) {
        const UnsignedHalfwords a(n), b(m);
        return sum_words(hn::Add(hn::Mul(a.even, b.even), hn::Mul(a.odd, b.odd)));
    } else {
        const Bytes<T> a(n), b(m);
        const PairSums even = pair_sums(a.even, b.even), odd = pair_sums(a.odd, b.odd);
        return sum_words(hn::Add(hn::Add(even.first, odd.first), hn::Add(even.second, odd.second)));
    }
}

/// Returns the sum of four words as 64 bits.
HWY_INLINE Vector<std::uint64_t> widen_words(Vector<std::uint32_t> value) {
    const auto pairs = hn::BitCast(U64(), value);
    return hn::Add(hn::And(pairs, hn::Set(U64(), 0xFFFFFFFFu)), hn::ShiftRight<32>(pairs));
}

HWY_INLINE std::uint64_t sum_doublewords(Vector<std::uint64_t> value) {
    return hn::GetLane(hn::SumOfLanes(U64(), value));
}

template <class T>
HWY_INLINE std::uint64_t sum_products_long(Vector<T> n, Vector<T> m) {
    if constexpr (sizeof(T) == 4) {
        const auto even = hn::BitCast(U64(), hn::MulEven(n, m));
        const auto odd = hn::BitCast(U64(), hn::MulEven(hn::Shuffle2301(n), hn::Shuffle2301(m)));
        return sum_doublewords(hn::Add(even, odd));
    } else if constexpr (std::is_signed_v<T>) {
        // Pair sums reach from -2 * 2^15 * (2^15 - 1) to 2^31, which an offset makes unsigned.
        constexpr std::uint32_t kOffset = 0x7FFFFFFF;
        const PairSums sums = pair_sums(n, m);
        const auto offset = hn::Set(U32(), kOffset);
        const auto first = widen_words(hn::Add(hn::BitCast(U32(), sums.first), offset));
        const auto second = widen_words(hn::Add(hn::BitCast(U32(), sums.second), offset));
        return sum_doublewords(hn::Add(first, second)) - 8 * std::uint64_t{kOffset};
    } else {
        const UnsignedHalfwords a(n), b(m);
        return sum_doublewords(
            hn::Add(widen_words(hn::Mul(a.even, b.even)), widen_words(hn::Mul(a.odd, b.odd))));
    }
}

template <bool kAccumulate>
struct SimdAddAcross {
    template <class T>
    static HWY_INLINE void run(CpuState& cpu, const MicroOp& op) {
        cpu.r[op.rd] = sum_lanes<T>(load<T>(cpu, op.rm)) + (kAccumulate ? cpu.r[op.rd] : 0);
    }
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            simd_handler<run<T>, AddAcross<kAccumulate>::template Entry<T>::kHandler>;
    };
};

template <bool kAccumulate>
struct SimdDot {
    template <class T>
    static HWY_INLINE void run(CpuState& cpu, const MicroOp& op) {
        const std::uint32_t sum = sum_products<T>(load<T>(cpu, op.rn), load<T>(cpu, op.rm));
        cpu.r[op.rd] = sum + (kAccumulate ? cpu.r[op.rd] : 0);
    }
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            simd_handler<run<T>, Dot<Pairing::Straight, kAccumulate>::template Entry<T>::kHandler>;
    };
};

template <bool kAccumulate>
struct SimdDotLong {
    template <class T>
    static HWY_INLINE void run(CpuState& cpu, const MicroOp& op) {
        const std::uint64_t sum = sum_products_long<T>(load<T>(cpu, op.rn), load<T>(cpu, op.rm));
        write_pair(cpu, op, sum + (kAccumulate ? read_pair(cpu, op) : 0));
    }
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            simd_handler<run<T>,
                         DotLong<Pairing::Straight, kAccumulate>::template Entry<T>::kHandler>;
    };
};

/// VMAXV and VMINV: halves of the vector meet until one lane is left.
template <class Choice>
struct SimdChooseAcross {
    template <class T>
    static HWY_INLINE void run(CpuState& cpu, const MicroOp& op) {
        Vector<T> m = load<T>(cpu, op.rm);
        m = Choice::template apply<T>(m,
                                      hn::BitCast(Tag<T>(), hn::Shuffle01(hn::BitCast(U64(), m))));
        m = Choice::template apply<T>(
            m, hn::BitCast(Tag<T>(), hn::Shuffle2301(hn::BitCast(U32(), m))));
        if constexpr (sizeof(T) < 4) {
            m = Choice::template apply<T>(
                m, hn::BitCast(Tag<T>(), hn::ShiftRight<16>(hn::BitCast(U32(), m))));
        }
        if constexpr (sizeof(T) < 2) {
            m = Choice::template apply<T>(
                m, hn::BitCast(Tag<T>(), hn::ShiftRight<8>(hn::BitCast(U16(), m))));
        }
        const T before = wrap<T>(cpu.r[op.rd]);
        const T chosen = Choice::Portable::template lane<T>(0, before, hn::GetLane(m));
        cpu.r[op.rd] = static_cast<std::uint32_t>(chosen);
    }
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            simd_handler<run<T>,
                         ChooseAcross<typename Choice::Portable>::template Entry<T>::kHandler>;
    };
};

}  // namespace HWY_NAMESPACE
}  // namespace n6vp::models::core::isa::vector_integer
HWY_AFTER_NAMESPACE();

#endif
