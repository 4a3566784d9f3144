// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <type_traits>

#include "models/core/float/soft_float.h"
#include "models/core/float/unpacked.h"

namespace n6vp::models::core::fp {

namespace {

/// A magnitude cut into its integral part and the rest as a fraction of 2^64, whose lowest bit may
/// stand for anything smaller.
struct Cut {
    std::uint64_t integral = 0;
    std::uint64_t rest = 0;
};

/// Cuts significand * 2^(exponent - 63); the exponent is below 64.
Cut cut(std::uint64_t significand, int exponent) {
    if (exponent < 0) return {0, shift_right_sticky(significand, -1 - exponent)};
    if (exponent == 63) return {significand, 0};
    return {significand >> (63 - exponent), significand << (exponent + 1)};
}

bool rounds_away(Rounding rounding, bool negative, const Cut& value) {
    return value.rest != 0 &&
           rounds_away(rounding, negative, (value.integral & 1) != 0, value.rest);
}

/// Moves the fraction of a NaN to another format, top bits to top bits, and makes it quiet.
template <class To, class From>
To convert_nan(From nan) {
    using S = Format<From>;
    using D = Format<To>;
    const std::uint64_t fraction = static_cast<std::uint64_t>(nan & S::kFractionMask)
                                   << (63 - S::kFraction);
    const auto moved = static_cast<To>(fraction >> (63 - D::kFraction));
    return with_sign<To>((nan & S::kSign) != 0, static_cast<To>(moved | D::kDefaultNan));
}

/// Largest magnitude of an integer.
std::uint64_t integer_limit(unsigned width, bool is_signed, bool negative) {
    if (is_signed) return (1ull << (width - 1)) - (negative ? 0 : 1);
    return negative ? 0 : ~0ull >> (64 - width);
}

}  // namespace

template <class To, class From>
To convert(From a, Environment& environment) {
    constexpr bool kFromHalf = Format<From>::kBits == 16, kToHalf = Format<To>::kBits == 16;
    const bool alternative = environment.alternative_half;
    const Unpacked x =
        unpack(a, !kFromHalf && environment.flush, kFromHalf && alternative, environment);
    if (x.is_nan()) {
        if (is_signaling(a) || (kToHalf && alternative)) environment.flags |= raised::kInvalid;
        if (kToHalf && alternative) return zero<To>(x.negative);
        return environment.default_nan ? Format<To>::kDefaultNan : convert_nan<To>(a);
    }
    if (x.is(Kind::Zero)) return zero<To>(x.negative);
    const Packing packing{environment.rounding, !kToHalf && environment.flush,
                          kToHalf && alternative};
    if (x.is(Kind::Infinity))
        return packing.alternative ? overflow<To>(x.negative, packing, environment)
                                   : infinity<To>(x.negative);
    return pack<To>(x.negative, x.exponent, x.significand, packing, environment);
}

template <class T>
std::uint64_t to_fixed(T a, unsigned fraction_bits, unsigned width, bool is_signed,
                       Rounding rounding, Environment& environment) {
    const Unpacked x = unpack(a, environment);
    if (x.is_nan()) {
        environment.flags |= raised::kInvalid;
        return 0;
    }
    if (x.is(Kind::Zero)) return 0;
    const std::uint64_t limit = integer_limit(width, is_signed, x.negative);
    const int exponent = x.exponent + static_cast<int>(fraction_bits);
    bool fits = x.is(Kind::Finite) && exponent < 64;
    std::uint64_t magnitude = limit;
    if (fits) {
        const Cut value = cut(x.significand, exponent);
        const std::uint64_t rounded =
            value.integral + (rounds_away(rounding, x.negative, value) ? 1 : 0);
        fits = rounded <= limit;
        if (fits) magnitude = rounded;
        if (fits && value.rest != 0) environment.flags |= raised::kInexact;
    }
    if (!fits) environment.flags |= raised::kInvalid;
    const std::uint64_t result = x.negative ? ~magnitude + 1 : magnitude;
    return result & ~0ull >> (64 - width);
}

template <class T>
T from_fixed(std::uint64_t value, unsigned fraction_bits, bool is_signed, Rounding rounding,
             Environment& environment) {
    if (value == 0) return 0;
    const bool negative = is_signed && value >> 63 != 0;
    return pack<T>(negative, 63 - static_cast<int>(fraction_bits), negative ? ~value + 1 : value,
                   Packing{rounding, flushes<T>(environment), false}, environment);
}

template <class T>
T round_to_integral(T a, Rounding rounding, bool exact, Environment& environment) {
    const Unpacked x = unpack(a, environment);
    if (x.is_nan()) return propagate_nan(a, environment);
    if (x.is(Kind::Zero)) return zero<T>(x.negative);
    if (x.is(Kind::Infinity) || x.exponent >= static_cast<int>(Format<T>::kFraction)) return a;
    const Cut value = cut(x.significand, x.exponent);
    const std::uint64_t rounded =
        value.integral + (rounds_away(rounding, x.negative, value) ? 1 : 0);
    if (exact && value.rest != 0) environment.flags |= raised::kInexact;
    if (rounded == 0) return zero<T>(x.negative);
    return pack<T>(x.negative, 63, rounded, environment);
}

#define N6VP_INSTANTIATE(T)                                                               \
    template std::uint64_t to_fixed(T, unsigned, unsigned, bool, Rounding, Environment&); \
    template T from_fixed<T>(std::uint64_t, unsigned, bool, Rounding, Environment&);      \
    template T round_to_integral(T, Rounding, bool, Environment&)
N6VP_INSTANTIATE(std::uint16_t);
N6VP_INSTANTIATE(std::uint32_t);
N6VP_INSTANTIATE(std::uint64_t);

template std::uint32_t convert<std::uint32_t>(std::uint16_t, Environment&);
template std::uint64_t convert<std::uint64_t>(std::uint16_t, Environment&);
template std::uint16_t convert<std::uint16_t>(std::uint32_t, Environment&);
template std::uint64_t convert<std::uint64_t>(std::uint32_t, Environment&);
template std::uint16_t convert<std::uint16_t>(std::uint64_t, Environment&);
template std::uint32_t convert<std::uint32_t>(std::uint64_t, Environment&);

}  // namespace n6vp::models::core::fp
