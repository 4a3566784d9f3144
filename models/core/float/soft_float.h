// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

// IEEE 754 arithmetic as Arm defines it, on bit patterns: the type T of every template is
// std::uint16_t (half precision), std::uint32_t (single) or std::uint64_t (double). Slow and right;
// host_float.h is the quick way for the common cases.

namespace n6vp::models::core::fp {

/// In the order of FPSCR.RMode, then those that only single instructions ask for.
enum class Rounding : std::uint8_t { Nearest, Up, Down, TowardZero, NearestAway };

/// Exceptions, each at its place in FPSCR.
namespace raised {
inline constexpr std::uint32_t kInvalid = 1u << 0, kDivideByZero = 1u << 1, kOverflow = 1u << 2,
                               kUnderflow = 1u << 3, kInexact = 1u << 4, kInputDenormal = 1u << 7;
}  // namespace raised

/// What arithmetic depends on, and the exceptions it raised so far.
struct Environment {
    Rounding rounding = Rounding::Nearest;
    bool flush = false;             ///< FZ: single and double denormals are zero
    bool flush_half = false;        ///< FZ16: half denormals are zero, except in conversions
    bool default_nan = false;       ///< DN: every NaN result is the default one
    bool alternative_half = false;  ///< AHP: conversions see half precision without Inf and NaN
    std::uint32_t flags = 0;        ///< of `raised`; only ever added to

    /// The environment that a value of FPSCR selects.
    [[nodiscard]] static Environment of_fpscr(std::uint32_t fpscr) {
        Environment environment;
        environment.rounding = static_cast<Rounding>(fpscr >> 22 & 3);
        environment.flush = (fpscr >> 24 & 1) != 0;
        environment.flush_half = (fpscr >> 19 & 1) != 0;
        environment.default_nan = (fpscr >> 25 & 1) != 0;
        environment.alternative_half = (fpscr >> 26 & 1) != 0;
        return environment;
    }
    /// The standard environment of vector arithmetic: of FPSCR only AHP and FZ16 count.
    [[nodiscard]] static Environment standard(std::uint32_t fpscr) {
        Environment environment = of_fpscr(fpscr);
        environment.rounding = Rounding::Nearest;
        environment.flush = environment.default_nan = true;
        return environment;
    }
};

/// Layout of a format.
template <class T>
struct Format {
    static constexpr unsigned kBits = std::numeric_limits<T>::digits;
    static constexpr unsigned kFraction = kBits == 16 ? 10 : kBits == 32 ? 23 : 52;
    static constexpr unsigned kExponent = kBits - 1 - kFraction;
    static constexpr int kBias = (1 << (kExponent - 1)) - 1;
    static constexpr int kMaxExponent = (1 << kExponent) - 1;  ///< biased, of infinity and NaN
    static constexpr T kSign = static_cast<T>(T{1} << (kBits - 1));
    static constexpr T kFractionMask = static_cast<T>((T{1} << kFraction) - 1);
    static constexpr T kQuiet = static_cast<T>(T{1} << (kFraction - 1));
    static constexpr T kInfinity = static_cast<T>(static_cast<T>(kMaxExponent) << kFraction);
    static constexpr T kDefaultNan = static_cast<T>(kInfinity | kQuiet);
    static constexpr T kLargest = static_cast<T>(kInfinity - 1);  ///< finite
    static constexpr T kSmallestNormal = static_cast<T>(T{1} << kFraction);
};

template <class T>
[[nodiscard]] constexpr bool is_nan(T value) {
    return static_cast<T>(value & ~Format<T>::kSign) > Format<T>::kInfinity;
}
template <class T>
[[nodiscard]] constexpr bool is_signaling(T value) {
    return is_nan(value) && (value & Format<T>::kQuiet) == 0;
}
/// Changes the sign, of a NaN too. Raises nothing.
template <class T>
[[nodiscard]] constexpr T negate(T value) {
    return static_cast<T>(value ^ Format<T>::kSign);
}
template <class T>
[[nodiscard]] constexpr T absolute(T value) {
    return static_cast<T>(value & ~Format<T>::kSign);
}

// Operands come in the order that decides which NaN propagates: first signalling, then quiet ones,
// from the left.

template <class T>
[[nodiscard]] T add(T a, T b, Environment& environment);
template <class T>
[[nodiscard]] T subtract(T a, T b, Environment& environment);
template <class T>
[[nodiscard]] T multiply(T a, T b, Environment& environment);
template <class T>
[[nodiscard]] T divide(T a, T b, Environment& environment);
template <class T>
[[nodiscard]] T square_root(T a, Environment& environment);
/// Returns addend + a * b, rounded once.
template <class T>
[[nodiscard]] T multiply_add(T addend, T a, T b, Environment& environment);

/// maxNum and minNum of IEEE 754-2008: a number wins over a quiet NaN.
template <class T>
[[nodiscard]] T max_number(T a, T b, Environment& environment);
template <class T>
[[nodiscard]] T min_number(T a, T b, Environment& environment);

enum class Ordering : std::uint8_t { Less, Equal, Greater, Unordered };

/// Compares. A quiet NaN is invalid only if `signal_quiet`.
template <class T>
[[nodiscard]] Ordering compare(T a, T b, bool signal_quiet, Environment& environment);

/// Returns the integral value next to `a` in `rounding`. Raises inexact only if `exact`.
template <class T>
[[nodiscard]] T round_to_integral(T a, Rounding rounding, bool exact, Environment& environment);

/// Converts between formats; From and To differ.
template <class To, class From>
[[nodiscard]] To convert(From a, Environment& environment);

/// Returns a * 2^fraction_bits as an integer of `width` (16, 32 or 64) bits, saturated, its bits
/// above `width` zero.
template <class T>
[[nodiscard]] std::uint64_t to_fixed(T a, unsigned fraction_bits, unsigned width, bool is_signed,
                                     Rounding rounding, Environment& environment);
/// Returns value / 2^fraction_bits. `value` of a signed type is sign-extended to 64 bits.
template <class T>
[[nodiscard]] T from_fixed(std::uint64_t value, unsigned fraction_bits, bool is_signed,
                           Rounding rounding, Environment& environment);

}  // namespace n6vp::models::core::fp
