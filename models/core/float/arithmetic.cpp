// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cstdint>
#include <utility>

#include "models/core/float/soft_float.h"
#include "models/core/float/unpacked.h"

namespace n6vp::models::core::fp {

namespace {

/// A significand of 128 bits: exact products, and sums with them.
struct WideValue {
    bool negative = false;
    int exponent = 0;      ///< of bit 125: two bits stay free above
    Wide significand = 0;  ///< at least the 20 lowest bits are zero before the first sum
};

/// Returns a sum; its lowest bit may stand for anything smaller. Whatever an operand loses to the
/// right when it is aligned leaves at most one leading bit to be cancelled, so the lowest bit stays
/// below all that decide the rounding.
WideValue sum(WideValue a, WideValue b) {
    if (a.exponent < b.exponent) std::swap(a, b);
    b.significand = shift_right_sticky(b.significand, a.exponent - b.exponent);
    if (a.negative == b.negative) {
        a.significand += b.significand;
    } else if (a.significand >= b.significand) {
        a.significand -= b.significand;
    } else {
        a.significand = b.significand - a.significand;
        a.negative = b.negative;
    }
    return a;
}

template <class T>
T pack_sum(const WideValue& value, Environment& environment) {
    if (value.significand == 0) return zero<T>(environment.rounding == Rounding::Down);
    const auto high = static_cast<std::uint64_t>(value.significand >> 64);
    const int shift = high != 0
                          ? std::countl_zero(high)
                          : 64 + std::countl_zero(static_cast<std::uint64_t>(value.significand));
    const Wide normalised = value.significand << shift;
    const std::uint64_t sticky = static_cast<std::uint64_t>(normalised) != 0 ? 1 : 0;
    return pack<T>(value.negative, value.exponent + 2 - shift,
                   static_cast<std::uint64_t>(normalised >> 64) | sticky, environment);
}

WideValue widen(const Unpacked& value) {
    return {value.negative, value.exponent, static_cast<Wide>(value.significand) << 62};
}

/// Adds two values that are not NaN; the sign of `b` may differ from its operand's.
template <class T>
T add_values(const Unpacked& a, const Unpacked& b, Environment& environment) {
    if (a.is(Kind::Infinity) || b.is(Kind::Infinity)) {
        if (a.is(b.kind) && a.negative != b.negative) return invalid<T>(environment);
        return infinity<T>(a.is(Kind::Infinity) ? a.negative : b.negative);
    }
    if (a.is(Kind::Zero) && b.is(Kind::Zero)) {
        if (a.negative == b.negative) return zero<T>(a.negative);
        return zero<T>(environment.rounding == Rounding::Down);
    }
    if (a.is(Kind::Zero)) return pack<T>(b.negative, b.exponent, b.significand, environment);
    if (b.is(Kind::Zero)) return pack<T>(a.negative, a.exponent, a.significand, environment);
    return pack_sum<T>(sum(widen(a), widen(b)), environment);
}

/// Returns the integral part of the root of `value` * 2^62, for `value` from 2^62 up; its lowest
/// bit may stand for anything smaller.
std::uint64_t integer_root(Wide value) {
    Wide radicand = value << 62, root = 0;
    for (Wide bit = static_cast<Wide>(1) << 126; bit != 0; bit >>= 2) {
        if (radicand >= root + bit) {
            radicand -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    return static_cast<std::uint64_t>(root) | (radicand != 0 ? 1 : 0);
}

}  // namespace

template <class T>
T add(T a, T b, Environment& environment) {
    const Unpacked x = unpack(a, environment), y = unpack(b, environment);
    if (x.is_nan() || y.is_nan()) return propagate_nans(a, b, environment);
    return add_values<T>(x, y, environment);
}

template <class T>
T subtract(T a, T b, Environment& environment) {
    const Unpacked x = unpack(a, environment);
    Unpacked y = unpack(b, environment);
    if (x.is_nan() || y.is_nan()) return propagate_nans(a, b, environment);
    y.negative = !y.negative;
    return add_values<T>(x, y, environment);
}

template <class T>
T multiply(T a, T b, Environment& environment) {
    const Unpacked x = unpack(a, environment), y = unpack(b, environment);
    if (x.is_nan() || y.is_nan()) return propagate_nans(a, b, environment);
    const bool negative = x.negative != y.negative;
    if (x.is(Kind::Infinity) || y.is(Kind::Infinity)) {
        if (x.is(Kind::Zero) || y.is(Kind::Zero)) return invalid<T>(environment);
        return infinity<T>(negative);
    }
    if (x.is(Kind::Zero) || y.is(Kind::Zero)) return zero<T>(negative);
    const Wide product = static_cast<Wide>(x.significand) * y.significand;
    const std::uint64_t sticky = static_cast<std::uint64_t>(product) != 0 ? 1 : 0;
    return pack<T>(negative, x.exponent + y.exponent + 1,
                   static_cast<std::uint64_t>(product >> 64) | sticky, environment);
}

template <class T>
T divide(T a, T b, Environment& environment) {
    const Unpacked x = unpack(a, environment), y = unpack(b, environment);
    if (x.is_nan() || y.is_nan()) return propagate_nans(a, b, environment);
    const bool negative = x.negative != y.negative;
    if (x.is(y.kind) && !x.is(Kind::Finite)) return invalid<T>(environment);
    if (x.is(Kind::Infinity)) return infinity<T>(negative);
    if (x.is(Kind::Zero) || y.is(Kind::Infinity)) return zero<T>(negative);
    if (y.is(Kind::Zero)) {
        environment.flags |= raised::kDivideByZero;
        return infinity<T>(negative);
    }
    if constexpr (Format<T>::kBits <= 32) {
        // The divisor has 24 bits at most, so the quotient gets 39 and the host divides at once.
        const std::uint64_t dividend = x.significand >> 1, divisor = y.significand >> 40;
        const std::uint64_t sticky = dividend % divisor != 0 ? 1 : 0;
        return pack<T>(negative, x.exponent - y.exponent + 24, dividend / divisor | sticky,
                       environment);
    } else {
        const Wide dividend = static_cast<Wide>(x.significand) << 63;
        const auto quotient = static_cast<std::uint64_t>(dividend / y.significand);
        const std::uint64_t sticky =
            dividend != static_cast<Wide>(quotient) * y.significand ? 1 : 0;
        return pack<T>(negative, x.exponent - y.exponent, quotient | sticky, environment);
    }
}

template <class T>
T square_root(T a, Environment& environment) {
    const Unpacked x = unpack(a, environment);
    if (x.is_nan()) return propagate_nan(a, environment);
    if (x.is(Kind::Zero)) return zero<T>(x.negative);
    if (x.negative) return invalid<T>(environment);
    if (x.is(Kind::Infinity)) return infinity<T>(false);
    // value = s * 2^e with e even, root = sqrt(s) * 2^(e / 2): an odd exponent doubles s.
    const bool odd = (x.exponent & 1) != 0;
    const Wide significand = static_cast<Wide>(x.significand) << (odd ? 1 : 0);
    const int exponent = (x.exponent - (odd ? 1 : 0)) / 2;
    return pack<T>(false, exponent + 1, integer_root(significand >> 1), environment);
}

template <class T>
T multiply_add(T addend, T a, T b, Environment& environment) {
    const Unpacked z = unpack(addend, environment), x = unpack(a, environment),
                   y = unpack(b, environment);
    const bool infinite = x.is(Kind::Infinity) || y.is(Kind::Infinity);
    const bool zero_factor = x.is(Kind::Zero) || y.is(Kind::Zero);
    const bool no_product = infinite && zero_factor;
    if (z.is_nan() || x.is_nan() || y.is_nan()) {
        if (z.is(Kind::QuietNan) && no_product) return invalid<T>(environment);
        if (z.is(Kind::SignalingNan)) return propagate_nan(addend, environment);
        if (x.is(Kind::SignalingNan)) return propagate_nan(a, environment);
        if (y.is(Kind::SignalingNan)) return propagate_nan(b, environment);
        if (z.is_nan()) return propagate_nan(addend, environment);
        return propagate_nans(a, b, environment);
    }
    const bool negative = x.negative != y.negative;
    if (no_product || (infinite && z.is(Kind::Infinity) && z.negative != negative))
        return invalid<T>(environment);
    if (infinite) return infinity<T>(negative);
    if (z.is(Kind::Infinity)) return infinity<T>(z.negative);
    if (zero_factor) {
        const Unpacked product{Kind::Zero, negative, 0, 0};
        return add_values<T>(z, product, environment);
    }
    const WideValue product{negative, x.exponent + y.exponent + 1,
                            (static_cast<Wide>(x.significand) * y.significand) >> 2};
    if (z.is(Kind::Zero)) return pack_sum<T>(product, environment);
    return pack_sum<T>(sum(product, widen(z)), environment);
}

#define N6VP_INSTANTIATE(T)                  \
    template T add(T, T, Environment&);      \
    template T subtract(T, T, Environment&); \
    template T multiply(T, T, Environment&); \
    template T divide(T, T, Environment&);   \
    template T square_root(T, Environment&); \
    template T multiply_add(T, T, T, Environment&)
N6VP_INSTANTIATE(std::uint16_t);
N6VP_INSTANTIATE(std::uint32_t);
N6VP_INSTANTIATE(std::uint64_t);

}  // namespace n6vp::models::core::fp
