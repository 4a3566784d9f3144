// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "models/core/float/soft_float.h"

// What the arithmetic shares: values taken apart, rounded and put together again.

namespace n6vp::models::core::fp {

/// A compiler extension: products and quotients of double precision need it.
// NOLINTNEXTLINE(modernize-use-using): `using` takes no __extension__
__extension__ typedef unsigned __int128 Wide;

enum class Kind : std::uint8_t { Zero, Finite, Infinity, QuietNan, SignalingNan };

/// A value. If finite and not zero it is significand * 2^(exponent - 63) with bit 63 set.
struct Unpacked {
    Kind kind = Kind::Zero;
    bool negative = false;
    int exponent = 0;
    std::uint64_t significand = 0;

    [[nodiscard]] bool is_nan() const { return kind >= Kind::QuietNan; }
    [[nodiscard]] bool is(Kind other) const { return kind == other; }
};

/// Shifts right; the lowest bit of the result says that something was lost.
template <class Integer>
[[nodiscard]] constexpr Integer shift_right_sticky(Integer value, int count) {
    constexpr int kWidth = static_cast<int>(sizeof(Integer) * 8);
    if (count <= 0) return value;
    if (count >= kWidth) return value != 0 ? 1 : 0;
    const Integer lost = value << (kWidth - count);
    return value >> count | (lost != 0 ? 1 : 0);
}

template <class T>
[[nodiscard]] bool flushes(const Environment& environment) {
    return Format<T>::kBits == 16 ? environment.flush_half : environment.flush;
}

/// Takes a value apart. With `flush` denormals are zero; only single and double precision raise an
/// exception for that. With `alternative` the largest exponent is one like the others.
template <class T>
[[nodiscard]] Unpacked unpack(T value, bool flush, bool alternative, Environment& environment) {
    using F = Format<T>;
    Unpacked result;
    result.negative = (value & F::kSign) != 0;
    const int biased = static_cast<int>(value >> F::kFraction) & F::kMaxExponent;
    const std::uint64_t fraction = value & F::kFractionMask;
    if (biased == F::kMaxExponent && !alternative) {
        result.kind = fraction == 0                 ? Kind::Infinity
                      : (fraction & F::kQuiet) != 0 ? Kind::QuietNan
                                                    : Kind::SignalingNan;
    } else if (biased != 0) {
        result.kind = Kind::Finite;
        result.exponent = biased - F::kBias;
        result.significand = 1ull << 63 | fraction << (63 - F::kFraction);
    } else if (fraction != 0 && !flush) {
        const int shift = std::countl_zero(fraction);
        result.kind = Kind::Finite;
        result.exponent = 63 - shift - F::kBias + 1 - static_cast<int>(F::kFraction);
        result.significand = fraction << shift;
    } else if (fraction != 0 && F::kBits != 16) {
        environment.flags |= raised::kInputDenormal;
    }
    return result;
}

template <class T>
[[nodiscard]] Unpacked unpack(T value, Environment& environment) {
    return unpack(value, flushes<T>(environment), false, environment);
}

template <class T>
[[nodiscard]] constexpr T with_sign(bool negative, T magnitude) {
    return static_cast<T>(negative ? magnitude | Format<T>::kSign : magnitude);
}
template <class T>
[[nodiscard]] constexpr T zero(bool negative) {
    return with_sign<T>(negative, 0);
}
template <class T>
[[nodiscard]] constexpr T infinity(bool negative) {
    return with_sign<T>(negative, Format<T>::kInfinity);
}
template <class T>
[[nodiscard]] T invalid(Environment& environment) {
    environment.flags |= raised::kInvalid;
    return Format<T>::kDefaultNan;
}

/// Returns what an operation makes of a NaN operand.
template <class T>
[[nodiscard]] T propagate_nan(T nan, Environment& environment) {
    if (is_signaling(nan)) environment.flags |= raised::kInvalid;
    return environment.default_nan ? Format<T>::kDefaultNan
                                   : static_cast<T>(nan | Format<T>::kQuiet);
}
/// The same for two operands of which one or both are NaN.
template <class T>
[[nodiscard]] T propagate_nans(T a, T b, Environment& environment) {
    if (is_signaling(a)) return propagate_nan(a, environment);
    if (is_signaling(b)) return propagate_nan(b, environment);
    return propagate_nan(is_nan(a) ? a : b, environment);
}

/// Returns true if a magnitude between two neighbours rounds to the larger one. `rest` is the part
/// beyond the smaller one as a fraction of 2^64, not zero; `odd` says that the smaller one is.
[[nodiscard]] constexpr bool rounds_away(Rounding rounding, bool negative, bool odd,
                                         std::uint64_t rest) {
    constexpr std::uint64_t kHalf = 1ull << 63;
    switch (rounding) {
        case Rounding::Nearest:
            return rest > kHalf || (rest == kHalf && odd);
        case Rounding::NearestAway:
            return rest >= kHalf;
        case Rounding::Up:
            return !negative;
        case Rounding::Down:
            return negative;
        default:
            return false;
    }
}

struct Packing {
    Rounding rounding = Rounding::Nearest;
    bool flush = false;
    bool alternative = false;  ///< half precision without infinity and NaN
};

template <class T>
[[nodiscard]] T overflow(bool negative, const Packing& packing, Environment& environment) {
    if (packing.alternative) {
        environment.flags |= raised::kInvalid;
        return with_sign<T>(negative, static_cast<T>(~Format<T>::kSign));
    }
    environment.flags |= raised::kOverflow | raised::kInexact;
    const bool away = rounds_away(packing.rounding, negative, true, ~0ull);
    return with_sign<T>(negative, away ? Format<T>::kInfinity : Format<T>::kLargest);
}

/// Rounds significand * 2^(exponent - 63), whose lowest bit may stand for anything smaller. The
/// significand is not zero.
template <class T>
[[nodiscard]] T pack(bool negative, int exponent, std::uint64_t significand, const Packing& packing,
                     Environment& environment) {
    using F = Format<T>;
    constexpr unsigned kExtra = 63 - F::kFraction;
    const int shift = std::countl_zero(significand);
    significand <<= shift;
    int biased = exponent - shift + F::kBias;
    const bool tiny = biased <= 0;
    if (tiny) {
        if (packing.flush) {
            environment.flags |= raised::kUnderflow;
            return zero<T>(negative);
        }
        significand = shift_right_sticky(significand, 1 - biased);
        biased = 1;
    }
    const int limit = packing.alternative ? F::kMaxExponent + 1 : F::kMaxExponent;
    if (biased >= limit) return overflow<T>(negative, packing, environment);
    // The leading bit of the significand counts the exponent up from that of a denormal.
    T magnitude = static_cast<T>((static_cast<std::uint64_t>(biased - 1) << F::kFraction) +
                                 (significand >> kExtra));
    const std::uint64_t rest = significand << (64 - kExtra);
    if (rest != 0) {
        if (rounds_away(packing.rounding, negative, (magnitude & 1) != 0, rest)) {
            const T largest = packing.alternative ? static_cast<T>(~F::kSign) : F::kLargest;
            if (magnitude == largest) return overflow<T>(negative, packing, environment);
            ++magnitude;
        }
        environment.flags |= raised::kInexact;
        if (tiny) environment.flags |= raised::kUnderflow;
    }
    return with_sign<T>(negative, magnitude);
}

template <class T>
[[nodiscard]] T pack(bool negative, int exponent, std::uint64_t significand,
                     Environment& environment) {
    return pack<T>(negative, exponent, significand,
                   Packing{environment.rounding, flushes<T>(environment), false}, environment);
}

}  // namespace n6vp::models::core::fp
