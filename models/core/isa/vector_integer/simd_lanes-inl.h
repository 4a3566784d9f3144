// SPDX-License-Identifier: Apache-2.0

// Hot instructions that work lane by lane. Part of simd.cpp, which is compiled once for every
// kind of vector unit; the guard lets each of them in once.

#if defined(N6VP_SIMD_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef N6VP_SIMD_LANES_INL_H_
#undef N6VP_SIMD_LANES_INL_H_
#else
#define N6VP_SIMD_LANES_INL_H_
#endif

#include <cstdint>
#include <limits>
#include <type_traits>

#include "hwy/highway.h"
#include "models/core/isa/vector_integer/lanewise.h"
#include "models/core/isa/vector_integer/operations.h"
#include "models/core/isa/vector_integer/shift.h"

HWY_BEFORE_NAMESPACE();
namespace n6vp::models::core::isa::vector_integer {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// All 16 bytes as lanes of T.
template <class T>
using Tag = hn::FixedTag<T, 16 / sizeof(T)>;
template <class T>
using Vector = hn::Vec<Tag<T>>;

using I8 = Tag<std::int8_t>;
using I16 = Tag<std::int16_t>;
using I32 = Tag<std::int32_t>;
using I64 = Tag<std::int64_t>;
using U8 = Tag<std::uint8_t>;
using U16 = Tag<std::uint16_t>;
using U32 = Tag<std::uint32_t>;
using U64 = Tag<std::uint64_t>;

template <class T>
HWY_INLINE Vector<T> load(const CpuState& cpu, unsigned offset) {
    return hn::Load(Tag<T>(), reinterpret_cast<const T*>(cpu.vector.data() + offset));
}

template <class T>
HWY_INLINE void store(CpuState& cpu, unsigned offset, Vector<T> value) {
    hn::Store(value, Tag<T>(), reinterpret_cast<T*>(cpu.vector.data() + offset));
}

/// Runs `Full` when all bytes are active, the portable handler otherwise.
template <void (*Full)(CpuState&, const MicroOp&), Handler kPortable>
const MicroOp* simd_handler(CpuState& cpu, const MicroOp* op) {
    if (!all_active(cpu)) [[unlikely]]
        N6VP_TAIL return kPortable(cpu, op);
    Full(cpu, *op);
    N6VP_TAIL return go_on(cpu, op + 1);
}

// Lane by lane. Operations have `apply` for two vectors of T, and name the portable operation.

struct SimdAdd {
    using Portable = Add;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        return hn::Add(n, m);
    }
};

struct SimdSubtract {
    using Portable = Subtract;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        return hn::Sub(n, m);
    }
};

struct SimdMultiply {
    using Portable = Multiply;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        if constexpr (sizeof(T) > 1) {
            return hn::Mul(n, m);
        } else {
            // Bytes as halves of halfwords.
            const auto n16 = hn::BitCast(U16(), n), m16 = hn::BitCast(U16(), m);
            const auto even = hn::And(hn::Mul(n16, m16), hn::Set(U16(), 0xFF));
            const auto odd = hn::Mul(hn::ShiftRight<8>(n16), hn::ShiftRight<8>(m16));
            return hn::BitCast(U8(), hn::Or(even, hn::ShiftLeft<8>(odd)));
        }
    }
};

struct SimdMaximum {
    using Portable = Maximum;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        return hn::Max(n, m);
    }
};

struct SimdMinimum {
    using Portable = Minimum;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        return hn::Min(n, m);
    }
};

struct SimdAnd {
    using Portable = And;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        return hn::And(n, m);
    }
};

struct SimdAndNot {
    using Portable = AndNot;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        return hn::AndNot(m, n);
    }
};

struct SimdOr {
    using Portable = Or;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        return hn::Or(n, m);
    }
};

struct SimdOrNot {
    using Portable = OrNot;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        return hn::Or(n, hn::Not(m));
    }
};

struct SimdExclusiveOr {
    using Portable = ExclusiveOr;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        return hn::Xor(n, m);
    }
};

template <class T, Source kSource>
HWY_INLINE Vector<T> simd_second_operand(const CpuState& cpu, const MicroOp& op) {
    if constexpr (kSource == Source::Vector) {
        return load<T>(cpu, op.rm);
    } else {
        return hn::Set(Tag<T>(), static_cast<T>(cpu.r[op.rm]));
    }
}

template <class Op, class T, Source kSource>
HWY_INLINE void simd_lanewise(CpuState& cpu, const MicroOp& op) {
    const Vector<T> n = load<T>(cpu, op.rn), m = simd_second_operand<T, kSource>(cpu, op);
    store<T>(cpu, op.rd, Op::template apply<T>(n, m));
}

template <class Op, Source kSource>
struct SimdLanewise {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            simd_handler<simd_lanewise<Op, T, kSource>,
                         Lanewise<typename Op::Portable, kSource>::template Entry<T>::kHandler>;
    };
};

// Saturating sums. Operations return the sum of two vectors twice: saturated and wrapped.

template <class V>
struct Sums {
    V saturated, wrapped;
};

/// Replaces words that overflowed: those where `overflow` is negative. `n` gives the direction.
template <class V>
HWY_INLINE V replace_overflow(V sum, V overflow, V n) {
    const hn::DFromV<V> tag;
    const auto limit =
        hn::Xor(hn::BroadcastSignBit(n), hn::Set(tag, std::numeric_limits<std::int32_t>::max()));
    return hn::IfVecThenElse(hn::BroadcastSignBit(overflow), limit, sum);
}

struct SimdSaturatingAdd {
    using Portable = SaturatingAdd;
    template <class T>
    static HWY_INLINE Sums<Vector<T>> apply(Vector<T> n, Vector<T> m) {
        const auto wrapped = hn::Add(n, m);
        if constexpr (sizeof(T) < 4) {
            return {hn::SaturatedAdd(n, m), wrapped};
        } else if constexpr (std::is_signed_v<T>) {
            const auto overflow = hn::AndNot(hn::Xor(n, m), hn::Xor(n, wrapped));
            return {replace_overflow(wrapped, overflow, n), wrapped};
        } else {
            // The room above n is all that can be added.
            return {hn::Add(n, hn::Min(m, hn::Not(n))), wrapped};
        }
    }
};

struct SimdSaturatingSubtract {
    using Portable = SaturatingSubtract;
    template <class T>
    static HWY_INLINE Sums<Vector<T>> apply(Vector<T> n, Vector<T> m) {
        const auto wrapped = hn::Sub(n, m);
        if constexpr (sizeof(T) < 4) {
            return {hn::SaturatedSub(n, m), wrapped};
        } else if constexpr (std::is_signed_v<T>) {
            const auto overflow = hn::And(hn::Xor(n, m), hn::Xor(n, wrapped));
            return {replace_overflow(wrapped, overflow, n), wrapped};
        } else {
            return {hn::Sub(n, hn::Min(m, n)), wrapped};
        }
    }
};

template <class Op, Source kSource>
struct SimdSaturating {
    template <class T>
    static HWY_INLINE void run(CpuState& cpu, const MicroOp& op) {
        const Vector<T> n = load<T>(cpu, op.rn), m = simd_second_operand<T, kSource>(cpu, op);
        const auto sums = Op::template apply<T>(n, m);
        store<T>(cpu, op.rd, sums.saturated);
        set_saturated(cpu, !hn::AllTrue(Tag<T>(), hn::Eq(sums.saturated, sums.wrapped)));
    }
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            simd_handler<run<T>,
                         Lanewise<typename Op::Portable, kSource>::template Entry<T>::kHandler>;
    };
};

// Doubling multiplies. Only the square of the lowest number saturates.

/// Returns bits 31:0 of every (n * m + half) >> (bits - 1).
template <bool kRounding>
HWY_INLINE Vector<std::int8_t> doubled_high(Vector<std::int8_t> n, Vector<std::int8_t> m) {
    const auto n16 = hn::BitCast(I16(), n), m16 = hn::BitCast(I16(), m);
    const auto half = hn::Set(I16(), kRounding ? 0x40 : 0);
    const auto even =
        hn::Mul(hn::ShiftRight<8>(hn::ShiftLeft<8>(n16)), hn::ShiftRight<8>(hn::ShiftLeft<8>(m16)));
    const auto odd = hn::Mul(hn::ShiftRight<8>(n16), hn::ShiftRight<8>(m16));
    const auto low = hn::And(hn::ShiftRight<7>(hn::Add(even, half)), hn::Set(I16(), 0xFF));
    const auto high = hn::ShiftLeft<8>(hn::ShiftRight<7>(hn::Add(odd, half)));
    return hn::BitCast(I8(), hn::Or(low, high));
}

template <bool kRounding>
HWY_INLINE Vector<std::int16_t> doubled_high(Vector<std::int16_t> n, Vector<std::int16_t> m) {
    if constexpr (kRounding) return hn::MulFixedPoint15(n, m);
    const auto low = hn::ShiftRight<15>(hn::BitCast(U16(), hn::Mul(n, m)));
    return hn::Or(hn::ShiftLeft<1>(hn::MulHigh(n, m)), hn::BitCast(I16(), low));
}

template <bool kRounding>
HWY_INLINE Vector<std::int32_t> doubled_high(Vector<std::int32_t> n, Vector<std::int32_t> m) {
    const auto half = hn::Set(I64(), kRounding ? std::int64_t{1} << 30 : 0);
    const auto even = hn::Add(hn::MulEven(n, m), half);
    const auto odd = hn::Add(hn::MulEven(hn::Shuffle2301(n), hn::Shuffle2301(m)), half);
    const auto low = hn::ShiftRight<31>(hn::BitCast(U64(), even));
    return hn::OddEven(hn::BitCast(I32(), hn::ShiftLeft<1>(odd)), hn::BitCast(I32(), low));
}

template <bool kRounding, Source kSource>
struct SimdDoublingHigh {
    template <class T>
    static HWY_INLINE void run(CpuState& cpu, const MicroOp& op) {
        const Vector<T> n = load<T>(cpu, op.rn), m = simd_second_operand<T, kSource>(cpu, op);
        const auto lowest = hn::Set(Tag<T>(), std::numeric_limits<T>::min());
        const auto lost = hn::And(hn::Eq(n, lowest), hn::Eq(m, lowest));
        const auto highest = hn::Set(Tag<T>(), std::numeric_limits<T>::max());
        store<T>(cpu, op.rd, hn::IfThenElse(lost, highest, doubled_high<kRounding>(n, m)));
        set_saturated(cpu, !hn::AllFalse(Tag<T>(), lost));
    }
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            simd_handler<run<T>, Lanewise<DoublingMultiplyHigh<kRounding>,
                                          kSource>::template Entry<T>::kHandler>;
    };
};

// Shifts by an immediate.

template <class T>
HWY_INLINE void simd_shift_left(CpuState& cpu, const MicroOp& op) {
    store<T>(cpu, op.rd, hn::ShiftLeftSame(load<T>(cpu, op.rm), static_cast<int>(op.imm)));
}

/// Shifts by one less first: the amount may be the number of bits, and rounding needs the last bit
/// that goes out.
template <bool kRounding>
struct SimdShiftRight {
    template <class T>
    static HWY_INLINE void run(CpuState& cpu, const MicroOp& op) {
        const auto nearly = hn::ShiftRightSame(load<T>(cpu, op.rm), static_cast<int>(op.imm) - 1);
        auto result = half(nearly);
        if constexpr (kRounding) result = hn::Add(result, hn::And(nearly, hn::Set(Tag<T>(), T{1})));
        store<T>(cpu, op.rd, result);
    }
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            simd_handler<run<T>,
                         ShiftImmediate<ShiftRight<kRounding>>::template Entry<T>::kHandler>;
    };

  private:
    template <class V>
    static HWY_INLINE V half(V value) {
        return hn::ShiftRight<1>(value);
    }
};

struct SimdShiftLeft {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            simd_handler<simd_shift_left<T>,
                         ShiftImmediate<ShiftLeft>::template Entry<T>::kHandler>;
    };
};

// Shifts by the signed low byte of every lane of m: left if positive.

template <bool kRounding>
struct SimdShiftBy {
    /// Of halfwords and words; hosts do not shift bytes.
    template <class T>
    struct Wider {
        using Amounts = Tag<std::make_signed_t<T>>;
        static HWY_INLINE void run(CpuState& cpu, const MicroOp& op) {
            constexpr int kUnused = static_cast<int>(kBits<T>) - 8;
            const Vector<T> n = load<T>(cpu, op.rn);
            const auto m = hn::BitCast(Amounts(), load<T>(cpu, op.rm));
            const auto amount = hn::ShiftRight<kUnused>(hn::ShiftLeft<kUnused>(m));
            const auto last = hn::Set(Amounts(), static_cast<int>(kBits<T>) - 1);
            const auto left = hn::IfThenZeroElse(cast(hn::Gt(amount, last)), n << limit(amount));
            // One less to the right first, as in SimdShiftRight: -amount - 1 inverts the bits.
            const auto nearly = n >> limit(hn::Not(amount));
            auto right = hn::ShiftRight<1>(nearly);
            if constexpr (kRounding)
                right = hn::Add(right, hn::And(nearly, hn::Set(Tag<T>(), T{1})));
            if constexpr (!std::is_signed_v<T>)
                right = hn::IfThenZeroElse(cast(hn::Gt(hn::Not(amount), last)), right);
            const auto to_right = cast(hn::Lt(amount, hn::Zero(Amounts())));
            store<T>(cpu, op.rd, hn::IfThenElse(to_right, right, left));
        }
        static constexpr Handler kHandler =
            simd_handler<run,
                         Lanewise<ShiftBy<kRounding>, Source::Vector>::template Entry<T>::kHandler>;

      private:
        template <class M>
        static HWY_INLINE auto cast(M mask) {
            return hn::RebindMask(Tag<T>(), mask);
        }
        /// Brings amounts into the range of the host's shifts.
        template <class V>
        static HWY_INLINE Vector<T> limit(V amount) {
            const auto last = hn::Set(Amounts(), static_cast<int>(kBits<T>) - 1);
            return hn::BitCast(Tag<T>(), hn::Min(hn::Max(amount, hn::Zero(Amounts())), last));
        }
    };
    template <class T>
    struct Entry
        : std::conditional_t<
              sizeof(T) == 1,
              typename Lanewise<ShiftBy<kRounding>, Source::Vector>::template Entry<T>, Wider<T>> {
    };
};

}  // namespace HWY_NAMESPACE
}  // namespace n6vp::models::core::isa::vector_integer
HWY_AFTER_NAMESPACE();

#endif
