// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/vector_integer/hot.h"

#include <cstdint>
#include <type_traits>

#include "models/core/isa/vector_integer/across.h"
#include "models/core/isa/vector_integer/lanewise.h"
#include "models/core/isa/vector_integer/operations.h"
#include "models/core/isa/vector_integer/shift.h"

// This file is compiled once for every kind of vector unit that the host may have, but those whose
// vectors have no size that the compiler knows: they cannot be members.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/core/isa/vector_integer/hot.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace n6vp::models::core::isa::vector_integer {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

// No vector unit: the portable handlers.

using HotAdd = Add;
using HotSubtract = Subtract;
using HotMultiply = Multiply;
using HotMaximum = Maximum;
using HotMinimum = Minimum;
using HotAnd = And;
using HotAndNot = AndNot;
using HotOr = Or;
using HotOrNot = OrNot;
using HotExclusiveOr = ExclusiveOr;
template <class Op, Source kSource>
using HotLanewise = Lanewise<Op, kSource>;
using HotSaturatingAdd = SaturatingAdd;
using HotSaturatingSubtract = SaturatingSubtract;
template <class Op, Source kSource>
using HotSaturating = Lanewise<Op, kSource>;
template <bool kRounding, Source kSource>
using HotDoublingHigh = Lanewise<DoublingMultiplyHigh<kRounding>, kSource>;
using HotShiftLeft = ShiftImmediate<ShiftLeft>;
template <bool kRounding>
using HotShiftRight = ShiftImmediate<ShiftRight<kRounding>>;
template <bool kAccumulate>
using HotAddAcross = AddAcross<kAccumulate>;
template <bool kAccumulate>
using HotDot = Dot<Pairing::Straight, kAccumulate>;
template <bool kAccumulate>
using HotDotLong = DotLong<Pairing::Straight, kAccumulate>;

#else

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
const MicroOp* hot_handler(CpuState& cpu, const MicroOp* op) {
    if (!all_active(cpu)) [[unlikely]]
        return kPortable(cpu, op);
    Full(cpu, *op);
    return go_on(cpu, op + 1);
}

// Lane by lane. Operations have `apply` for two vectors of T, and name the portable operation.

struct HotAdd {
    using Portable = Add;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        return hn::Add(n, m);
    }
};

struct HotSubtract {
    using Portable = Subtract;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        return hn::Sub(n, m);
    }
};

struct HotMultiply {
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

struct HotMaximum {
    using Portable = Maximum;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        return hn::Max(n, m);
    }
};

struct HotMinimum {
    using Portable = Minimum;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        return hn::Min(n, m);
    }
};

struct HotAnd {
    using Portable = And;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        return hn::And(n, m);
    }
};

struct HotAndNot {
    using Portable = AndNot;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        return hn::AndNot(m, n);
    }
};

struct HotOr {
    using Portable = Or;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        return hn::Or(n, m);
    }
};

struct HotOrNot {
    using Portable = OrNot;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        return hn::Or(n, hn::Not(m));
    }
};

struct HotExclusiveOr {
    using Portable = ExclusiveOr;
    template <class T>
    static HWY_INLINE Vector<T> apply(Vector<T> n, Vector<T> m) {
        return hn::Xor(n, m);
    }
};

template <class T, Source kSource>
HWY_INLINE Vector<T> hot_second_operand(const CpuState& cpu, const MicroOp& op) {
    if constexpr (kSource == Source::Vector) {
        return load<T>(cpu, op.rm);
    } else {
        return hn::Set(Tag<T>(), static_cast<T>(cpu.r[op.rm]));
    }
}

template <class Op, class T, Source kSource>
HWY_INLINE void hot_lanewise(CpuState& cpu, const MicroOp& op) {
    const Vector<T> n = load<T>(cpu, op.rn), m = hot_second_operand<T, kSource>(cpu, op);
    store<T>(cpu, op.rd, Op::template apply<T>(n, m));
}

template <class Op, Source kSource>
struct HotLanewise {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            hot_handler<hot_lanewise<Op, T, kSource>,
                        Lanewise<typename Op::Portable, kSource>::template Entry<T>::kHandler>;
    };
};

// Saturating sums. Operations return the sum of two vectors twice: saturated and wrapped.

template <class V>
struct Sums {
    V saturated, wrapped;
};

/// Replaces words that overflowed: those where `overflow` is negative. `n` tells which way.
template <class V>
HWY_INLINE V replace_overflow(V sum, V overflow, V n) {
    const hn::DFromV<V> tag;
    const auto limit =
        hn::Xor(hn::BroadcastSignBit(n), hn::Set(tag, std::numeric_limits<std::int32_t>::max()));
    return hn::IfVecThenElse(hn::BroadcastSignBit(overflow), limit, sum);
}

struct HotSaturatingAdd {
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

struct HotSaturatingSubtract {
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
struct HotSaturating {
    template <class T>
    static HWY_INLINE void run(CpuState& cpu, const MicroOp& op) {
        const Vector<T> n = load<T>(cpu, op.rn), m = hot_second_operand<T, kSource>(cpu, op);
        const auto sums = Op::template apply<T>(n, m);
        store<T>(cpu, op.rd, sums.saturated);
        set_saturated(cpu, !hn::AllTrue(Tag<T>(), hn::Eq(sums.saturated, sums.wrapped)));
    }
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            hot_handler<run<T>,
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
struct HotDoublingHigh {
    template <class T>
    static HWY_INLINE void run(CpuState& cpu, const MicroOp& op) {
        const Vector<T> n = load<T>(cpu, op.rn), m = hot_second_operand<T, kSource>(cpu, op);
        const auto lowest = hn::Set(Tag<T>(), std::numeric_limits<T>::min());
        const auto lost = hn::And(hn::Eq(n, lowest), hn::Eq(m, lowest));
        const auto highest = hn::Set(Tag<T>(), std::numeric_limits<T>::max());
        store<T>(cpu, op.rd, hn::IfThenElse(lost, highest, doubled_high<kRounding>(n, m)));
        set_saturated(cpu, !hn::AllFalse(Tag<T>(), lost));
    }
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            hot_handler<run<T>, Lanewise<DoublingMultiplyHigh<kRounding>,
                                         kSource>::template Entry<T>::kHandler>;
    };
};

// Shifts by an immediate.

template <class T>
HWY_INLINE void hot_shift_left(CpuState& cpu, const MicroOp& op) {
    store<T>(cpu, op.rd, hn::ShiftLeftSame(load<T>(cpu, op.rm), static_cast<int>(op.imm)));
}

/// Shifts by one less first: the amount may be the number of bits, and rounding needs the last bit
/// that goes out.
template <bool kRounding>
struct HotShiftRight {
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
            hot_handler<run<T>, ShiftImmediate<ShiftRight<kRounding>>::template Entry<T>::kHandler>;
    };

  private:
    template <class V>
    static HWY_INLINE V half(V value) {
        return hn::ShiftRight<1>(value);
    }
};

struct HotShiftLeft {
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            hot_handler<hot_shift_left<T>, ShiftImmediate<ShiftLeft>::template Entry<T>::kHandler>;
    };
};

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
struct HotAddAcross {
    template <class T>
    static HWY_INLINE void run(CpuState& cpu, const MicroOp& op) {
        cpu.r[op.rd] = sum_lanes<T>(load<T>(cpu, op.rm)) + (kAccumulate ? cpu.r[op.rd] : 0);
    }
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            hot_handler<run<T>, AddAcross<kAccumulate>::template Entry<T>::kHandler>;
    };
};

template <bool kAccumulate>
struct HotDot {
    template <class T>
    static HWY_INLINE void run(CpuState& cpu, const MicroOp& op) {
        const std::uint32_t sum = sum_products<T>(load<T>(cpu, op.rn), load<T>(cpu, op.rm));
        cpu.r[op.rd] = sum + (kAccumulate ? cpu.r[op.rd] : 0);
    }
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            hot_handler<run<T>, Dot<Pairing::Straight, kAccumulate>::template Entry<T>::kHandler>;
    };
};

template <bool kAccumulate>
struct HotDotLong {
    template <class T>
    static HWY_INLINE void run(CpuState& cpu, const MicroOp& op) {
        const std::uint64_t sum = sum_products_long<T>(load<T>(cpu, op.rn), load<T>(cpu, op.rm));
        write_pair(cpu, op, sum + (kAccumulate ? read_pair(cpu, op) : 0));
    }
    template <class T>
    struct Entry {
        static constexpr Handler kHandler =
            hot_handler<run<T>,
                        DotLong<Pairing::Straight, kAccumulate>::template Entry<T>::kHandler>;
    };
};

#endif

// The table.

template <class Op, Source kSource = Source::Vector>
constexpr HotHandlers::BySize kBySize =
    Modular::handlers<HotLanewise<Op, kSource>::template Entry>();
template <class Op>
constexpr HotHandlers::ByType kByType =
    Both::handlers<HotLanewise<Op, Source::Vector>::template Entry>();
template <class Op>
constexpr Handler kWhole = HotLanewise<Op, Source::Vector>::template Entry<std::uint64_t>::kHandler;
template <class Op, Source kSource>
constexpr HotHandlers::ByType kSaturating =
    Both::handlers<HotSaturating<Op, kSource>::template Entry>();
template <bool kRounding, Source kSource>
constexpr HotHandlers::BySize kDoubling =
    Signed::handlers<HotDoublingHigh<kRounding, kSource>::template Entry>();

constexpr HotHandlers kHandlers = {
    .add = kBySize<HotAdd>,
    .add_scalar = kBySize<HotAdd, Source::Scalar>,
    .subtract = kBySize<HotSubtract>,
    .subtract_scalar = kBySize<HotSubtract, Source::Scalar>,
    .multiply = kBySize<HotMultiply>,
    .multiply_scalar = kBySize<HotMultiply, Source::Scalar>,
    .maximum = kByType<HotMaximum>,
    .minimum = kByType<HotMinimum>,
    .saturating_add = kSaturating<HotSaturatingAdd, Source::Vector>,
    .saturating_add_scalar = kSaturating<HotSaturatingAdd, Source::Scalar>,
    .saturating_subtract = kSaturating<HotSaturatingSubtract, Source::Vector>,
    .saturating_subtract_scalar = kSaturating<HotSaturatingSubtract, Source::Scalar>,
    .doubling_high = kDoubling<false, Source::Vector>,
    .doubling_high_scalar = kDoubling<false, Source::Scalar>,
    .rounding_doubling_high = kDoubling<true, Source::Vector>,
    .rounding_doubling_high_scalar = kDoubling<true, Source::Scalar>,
    .shift_left = Modular::handlers<HotShiftLeft::Entry>(),
    .shift_right = Both::handlers<HotShiftRight<false>::Entry>(),
    .rounding_shift_right = Both::handlers<HotShiftRight<true>::Entry>(),
    .bit_and = kWhole<HotAnd>,
    .bit_clear = kWhole<HotAndNot>,
    .bit_or = kWhole<HotOr>,
    .bit_or_not = kWhole<HotOrNot>,
    .bit_exclusive_or = kWhole<HotExclusiveOr>,
    .add_across = {Both::handlers<HotAddAcross<false>::Entry>(),
                   Both::handlers<HotAddAcross<true>::Entry>()},
    .dot = {Both::handlers<HotDot<false>::Entry>(), Both::handlers<HotDot<true>::Entry>()},
    .dot_long = {HalfwordsUp::handlers<HotDotLong<false>::Entry>(),
                 HalfwordsUp::handlers<HotDotLong<true>::Entry>()},
};

const HotHandlers* handlers() {
    return &kHandlers;
}

}  // namespace HWY_NAMESPACE
}  // namespace n6vp::models::core::isa::vector_integer
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace n6vp::models::core::isa::vector_integer {

HWY_EXPORT(handlers);

const HotHandlers& hot_handlers() {
    return *HWY_DYNAMIC_DISPATCH(handlers)();
}

}  // namespace n6vp::models::core::isa::vector_integer
#endif
