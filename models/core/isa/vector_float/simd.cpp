// SPDX-License-Identifier: Apache-2.0
#include "models/core/isa/vector_float/simd.h"

#include <cstdint>

#include "models/core/isa/vector_float/operations.h"

// This file is compiled once for every kind of vector unit that the host may have, but those whose
// vectors have no size that the compiler knows.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/core/isa/vector_float/simd.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace n6vp::models::core::isa::vector_float {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

// No vector unit: the portable handlers.
template <class Op, Source kSource>
constexpr Handler kHot = kLanewise<typename Op::Portable, std::uint32_t, kSource>;

struct SimdAdd {
    using Portable = Add;
};
struct SimdSubtract {
    using Portable = Subtract;
};
struct SimdAbsoluteDifference {
    using Portable = AbsoluteDifference;
};
struct SimdMultiply {
    using Portable = Multiply;
};
struct SimdFusedAdd {
    using Portable = FusedAdd;
};
struct SimdFusedSubtract {
    using Portable = FusedSubtract;
};
struct SimdFusedAddToScalar {
    using Portable = FusedAddToScalar;
};
struct SimdMaximum {
    using Portable = Maximum;
};
struct SimdMinimum {
    using Portable = Minimum;
};

#else

namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::FixedTag<float, 4>;
using U32 = hn::FixedTag<std::uint32_t, 4>;
using I32 = hn::FixedTag<std::int32_t, 4>;
using HalfF32 = hn::FixedTag<float, 2>;
using F64 = hn::FixedTag<double, 2>;
using U64 = hn::FixedTag<std::uint64_t, 2>;
using Singles = hn::Vec<F32>;
using Words = hn::Vec<U32>;
using SignedWords = hn::Vec<I32>;
using Pair = hn::Vec<HalfF32>;
using Doubles = hn::Vec<F64>;

HWY_INLINE Singles load(const CpuState& cpu, unsigned q) {
    const auto* from = reinterpret_cast<const std::uint32_t*>(cpu.vector.data() + q * 16);
    return hn::BitCast(F32(), hn::Load(U32(), from));
}
HWY_INLINE void store(CpuState& cpu, unsigned q, Singles value) {
    auto* to = reinterpret_cast<std::uint32_t*>(cpu.vector.data() + q * 16);
    hn::Store(hn::BitCast(U32(), value), U32(), to);
}

// What keeps an operation from the portable handler. Magnitudes are compared as integers. Less one,
// denormals are the smallest of all numbers and zero is the largest.

constexpr std::uint32_t kSmallestNormal = 0x00800000, kInfinity = 0x7F800000;

HWY_INLINE Words magnitude(Singles value) {
    return hn::And(hn::BitCast(U32(), value), hn::Set(U32(), 0x7FFFFFFF));
}
/// Returns a magnitude less one.
HWY_INLINE Words ordinal(Words value) {
    return hn::Sub(value, hn::Set(U32(), 1));
}
/// Returns true in all bits of lanes that are `limit` or more.
HWY_INLINE Words at_least(Words value, std::uint32_t limit) {
    return hn::VecFromMask(U32(), hn::Eq(hn::Max(value, hn::Set(U32(), limit)), value));
}
/// The same for lanes of which the magnitude less one is not that of a denormal.
HWY_INLINE Words not_denormal(Words less_one) {
    return at_least(less_one, kSmallestNormal - 1);
}
HWY_INLINE Words finite(Words value) {
    const auto limit = hn::Set(I32(), static_cast<std::int32_t>(kInfinity));
    return hn::BitCast(U32(), hn::VecFromMask(I32(), hn::Lt(hn::BitCast(I32(), value), limit)));
}
HWY_INLINE Words is_zero(Words value) {
    return hn::VecFromMask(U32(), hn::Eq(value, hn::Zero(U32())));
}
HWY_INLINE bool all_true(Words mask) {
    return hn::AllTrue(U32(), hn::MaskFromVec(mask));
}
HWY_INLINE bool equal(Singles a, Singles b) {
    return hn::AllTrue(F32(), hn::Eq(a, b));
}
HWY_INLINE bool equal(Doubles a, Doubles b) {
    return hn::AllTrue(F64(), hn::Eq(a, b));
}

HWY_INLINE Pair lower(Singles value) {
    return hn::LowerHalf(HalfF32(), value);
}
HWY_INLINE Pair upper(Singles value) {
    return hn::UpperHalf(HalfF32(), value);
}
HWY_INLINE Doubles widen(Pair value) {
    return hn::PromoteTo(F64(), value);
}

/// A sum of doubles, rounded, and what rounding took away.
struct ExactSum {
    HWY_INLINE ExactSum(Doubles a, Doubles b) : sum(hn::Add(a, b)) {
        const Doubles part = hn::Sub(sum, a);
        error = hn::Add(hn::Sub(a, hn::Sub(sum, part)), hn::Sub(b, part));
    }
    Doubles sum, error;
};

/// Sums. Below the normal numbers they are exact, so that zero is a true zero.
struct SimdSum {
    static HWY_INLINE Singles sum(Singles a, Singles b) { return hn::Add(a, b); }
    static HWY_INLINE bool safe(Singles a, Singles b, Singles result) {
        const Words r = magnitude(result);
        const Words least =
            hn::Min(hn::Min(ordinal(magnitude(a)), ordinal(magnitude(b))), ordinal(r));
        return all_true(hn::And(not_denormal(least), finite(r)));
    }
    static HWY_INLINE bool exact(Singles a, Singles b, Singles result) {
        const Singles part = hn::Sub(result, a);
        const Singles error = hn::Add(hn::Sub(a, hn::Sub(result, part)), hn::Sub(b, part));
        return equal(error, hn::Zero(F32()));
    }
};

HWY_INLINE SignedWords as_signed(Words value) {
    return hn::BitCast(I32(), value);
}
/// Returns true if all operands, of which `least` is the smallest magnitude, and all results are
/// normal numbers, and no result the smallest one: that is enough for products, and quick.
HWY_INLINE bool comfortable(SignedWords least, Words result) {
    const auto r = as_signed(result);
    const auto all = hn::Min(least, hn::Sub(r, hn::Set(I32(), 1)));
    const auto normal = hn::Gt(all, hn::Set(I32(), static_cast<std::int32_t>(kSmallestNormal - 1)));
    const auto not_infinite = hn::Lt(r, hn::Set(I32(), static_cast<std::int32_t>(kInfinity)));
    return hn::AllTrue(I32(), hn::And(normal, not_infinite));
}

/// Returns lanes that are safe in products: a zero must come from a zero factor, and the smallest
/// normal number may have been rounded up to.
HWY_INLINE Words safe_product(Words a, Words b, Words result) {
    const Words true_zero = hn::Or(is_zero(a), is_zero(b));
    const Words nothing_lost = hn::Or(hn::Not(is_zero(result)), true_zero);
    const Words factors = not_denormal(hn::Min(ordinal(a), ordinal(b)));
    const Words product = hn::And(at_least(ordinal(result), kSmallestNormal), finite(result));
    return hn::And(hn::And(factors, product), nothing_lost);
}

struct SimdProduct {
    static HWY_INLINE bool safe(Singles a, Singles b, Singles result) {
        const Words x = magnitude(a), y = magnitude(b), r = magnitude(result);
        return comfortable(hn::Min(as_signed(x), as_signed(y)), r) ||
               all_true(safe_product(x, y, r));
    }
    static HWY_INLINE bool exact(Singles a, Singles b, Singles result) {
        return equal(hn::Mul(widen(lower(a)), widen(lower(b))), widen(lower(result))) &&
               equal(hn::Mul(widen(upper(a)), widen(upper(b))), widen(upper(result)));
    }
};

struct SimdFused {
    /// Rounds the product plus addend once.
    static HWY_INLINE Singles run(Singles addend, Singles a, Singles b) {
#if HWY_NATIVE_FMA
        return hn::MulAdd(a, b, addend);
#else
        return hn::Combine(F32(), half(upper(addend), upper(a), upper(b)),
                           half(lower(addend), lower(a), lower(b)));
#endif
    }
    static HWY_INLINE bool safe(Singles addend, Singles a, Singles b, Singles result) {
        const Words x = magnitude(a), y = magnitude(b), z = magnitude(addend),
                    r = magnitude(result);
        const auto least = hn::Min(hn::Min(as_signed(x), as_signed(y)), as_signed(z));
        return comfortable(least, r) ||
               all_true(hn::And(safe_product(x, y, r), not_denormal(ordinal(z))));
    }
    static HWY_INLINE bool exact(Singles addend, Singles a, Singles b, Singles result) {
        return exact_half(lower(addend), lower(a), lower(b), lower(result)) &&
               exact_half(upper(addend), upper(a), upper(b), upper(result));
    }

  private:
    static HWY_INLINE ExactSum sum(Pair addend, Pair a, Pair b) {
        // A product of singles is exact as a double.
        return {hn::Mul(widen(a), widen(b)), widen(addend)};
    }
    static HWY_INLINE bool exact_half(Pair addend, Pair a, Pair b, Pair result) {
        const ExactSum exact_sum = sum(addend, a, b);
        return equal(exact_sum.error, hn::Zero(F64())) && equal(exact_sum.sum, widen(result));
    }
    /// Makes an inexact sum odd, so that rounding it again, to a single, goes the right way.
    [[maybe_unused]] static HWY_INLINE Pair half(Pair addend, Pair a, Pair b) {
        const ExactSum exact_sum = sum(addend, a, b);
        const auto bits = hn::BitCast(U64(), exact_sum.sum);
        const auto error = hn::BitCast(U64(), exact_sum.error);
        const auto one = hn::Set(U64(), 1);
        const auto opposite = hn::ShiftRight<63>(hn::Xor(bits, error));
        const auto step = hn::Sub(one, hn::Add(opposite, opposite));  // 1 or -1
        const auto inexact = hn::VecFromMask(F64(), hn::Ne(exact_sum.error, hn::Zero(F64())));
        const auto even = hn::Sub(hn::And(bits, one), one);  // all bits, or none
        const auto change = hn::And(hn::And(step, even), hn::BitCast(U64(), inexact));
        return hn::DemoteTo(HalfF32(), hn::BitCast(F64(), hn::Add(bits, change)));
    }
};

// Operations: `run` computes, `safe` and `exact` judge the result.

struct SimdAdd : SimdSum {
    using Portable = Add;
    static HWY_INLINE Singles run(Singles /*d*/, Singles n, Singles m) { return sum(n, m); }
    static HWY_INLINE bool safe(Singles /*d*/, Singles n, Singles m, Singles result) {
        return SimdSum::safe(n, m, result);
    }
    static HWY_INLINE bool exact(Singles /*d*/, Singles n, Singles m, Singles result) {
        return SimdSum::exact(n, m, result);
    }
};
struct SimdSubtract : SimdSum {
    using Portable = Subtract;
    static HWY_INLINE Singles run(Singles /*d*/, Singles n, Singles m) { return hn::Sub(n, m); }
    static HWY_INLINE bool safe(Singles /*d*/, Singles n, Singles m, Singles result) {
        return SimdSum::safe(n, m, result);
    }
    static HWY_INLINE bool exact(Singles /*d*/, Singles n, Singles m, Singles result) {
        return SimdSum::exact(n, hn::Neg(m), result);
    }
};
struct SimdAbsoluteDifference : SimdSum {
    using Portable = AbsoluteDifference;
    static HWY_INLINE Singles run(Singles /*d*/, Singles n, Singles m) {
        return hn::Abs(hn::Sub(n, m));
    }
    static HWY_INLINE bool safe(Singles /*d*/, Singles n, Singles m, Singles result) {
        return SimdSum::safe(n, m, result);
    }
    static HWY_INLINE bool exact(Singles /*d*/, Singles n, Singles m, Singles /*result*/) {
        return SimdSum::exact(n, hn::Neg(m), hn::Sub(n, m));
    }
};
struct SimdMultiply {
    using Portable = Multiply;
    static HWY_INLINE Singles run(Singles /*d*/, Singles n, Singles m) { return hn::Mul(n, m); }
    static HWY_INLINE bool safe(Singles /*d*/, Singles n, Singles m, Singles result) {
        return SimdProduct::safe(n, m, result);
    }
    static HWY_INLINE bool exact(Singles /*d*/, Singles n, Singles m, Singles result) {
        return SimdProduct::exact(n, m, result);
    }
};
struct SimdFusedAdd : SimdFused {
    using Portable = FusedAdd;
};
struct SimdFusedSubtract {
    using Portable = FusedSubtract;
    static HWY_INLINE Singles run(Singles d, Singles n, Singles m) {
        return SimdFused::run(d, hn::Neg(n), m);
    }
    static HWY_INLINE bool safe(Singles d, Singles n, Singles m, Singles result) {
        return SimdFused::safe(d, n, m, result);
    }
    static HWY_INLINE bool exact(Singles d, Singles n, Singles m, Singles result) {
        return SimdFused::exact(d, hn::Neg(n), m, result);
    }
};
struct SimdFusedAddToScalar {
    using Portable = FusedAddToScalar;
    static HWY_INLINE Singles run(Singles d, Singles n, Singles m) {
        return SimdFused::run(m, d, n);
    }
    static HWY_INLINE bool safe(Singles d, Singles n, Singles m, Singles result) {
        return SimdFused::safe(m, d, n, result);
    }
    static HWY_INLINE bool exact(Singles d, Singles n, Singles m, Singles result) {
        return SimdFused::exact(m, d, n, result);
    }
};

/// Maximum and minimum: numbers in the order of their bits, negative ones reversed.
struct SimdExtreme {
    static HWY_INLINE SignedWords key(Singles value) {
        const auto bits = hn::BitCast(I32(), value);
        const auto reverse = hn::And(hn::ShiftRight<31>(bits), hn::Set(I32(), 0x7FFFFFFF));
        return hn::Xor(bits, reverse);
    }
    static HWY_INLINE Singles from_key(SignedWords value) {
        const auto reverse = hn::And(hn::ShiftRight<31>(value), hn::Set(I32(), 0x7FFFFFFF));
        return hn::BitCast(F32(), hn::Xor(value, reverse));
    }
    static HWY_INLINE bool safe(Singles /*d*/, Singles n, Singles m, Singles /*result*/) {
        const Words a = magnitude(n), b = magnitude(m);
        const Words least = hn::Min(ordinal(a), ordinal(b));
        return all_true(hn::And(not_denormal(least), finite(hn::Max(a, b))));
    }
    static HWY_INLINE bool exact(Singles, Singles, Singles, Singles) { return true; }
};
struct SimdMaximum : SimdExtreme {
    using Portable = Maximum;
    static HWY_INLINE Singles run(Singles /*d*/, Singles n, Singles m) {
        return from_key(hn::Max(key(n), key(m)));
    }
};
struct SimdMinimum : SimdExtreme {
    using Portable = Minimum;
    static HWY_INLINE Singles run(Singles /*d*/, Singles n, Singles m) {
        return from_key(hn::Min(key(n), key(m)));
    }
};

template <class Op, Source kSource>
const MicroOp* run_hot(CpuState& cpu, const MicroOp* op) {
    if (all_active(cpu)) [[likely]] {
        const Singles d = load(cpu, op->rd), n = load(cpu, op->rn);
        Singles m;
        if constexpr (kSource == Source::Vector) {
            m = load(cpu, op->rm);
        } else {
            m = hn::BitCast(F32(), hn::Set(U32(), cpu.r[op->rm]));
        }
        const Singles result = Op::run(d, n, m);
        if (Op::safe(d, n, m, result)) [[likely]] {
            if ((cpu.fpscr & fpscr::kIxc) == 0 && !Op::exact(d, n, m, result))
                cpu.fpscr |= fpscr::kIxc;
            store(cpu, op->rd, result);
            N6VP_TAIL return go_on(cpu, op + 1);
        }
    }
    N6VP_TAIL return kLanewise<typename Op::Portable, std::uint32_t, kSource>(cpu, op);
}

template <class Op, Source kSource>
constexpr Handler kHot = run_hot<Op, kSource>;

#endif

constexpr SimdHandlers kHandlers = {
    .add = kHot<SimdAdd, Source::Vector>,
    .add_scalar = kHot<SimdAdd, Source::Scalar>,
    .subtract = kHot<SimdSubtract, Source::Vector>,
    .subtract_scalar = kHot<SimdSubtract, Source::Scalar>,
    .multiply = kHot<SimdMultiply, Source::Vector>,
    .multiply_scalar = kHot<SimdMultiply, Source::Scalar>,
    .fused_add = kHot<SimdFusedAdd, Source::Vector>,
    .fused_add_scalar = kHot<SimdFusedAdd, Source::Scalar>,
    .fused_subtract = kHot<SimdFusedSubtract, Source::Vector>,
    .fused_add_to_scalar = kHot<SimdFusedAddToScalar, Source::Scalar>,
    .absolute_difference = kHot<SimdAbsoluteDifference, Source::Vector>,
    .maximum = kHot<SimdMaximum, Source::Vector>,
    .minimum = kHot<SimdMinimum, Source::Vector>,
};

const SimdHandlers* handlers() {
    return &kHandlers;
}

}  // namespace HWY_NAMESPACE
}  // namespace n6vp::models::core::isa::vector_float
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace n6vp::models::core::isa::vector_float {

HWY_EXPORT(handlers);

const SimdHandlers& simd_handlers() {
    return *HWY_DYNAMIC_DISPATCH(handlers)();
}

}  // namespace n6vp::models::core::isa::vector_float
#endif
