// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "models/core/float/soft_float.h"

// The quick way: host arithmetic where it gives Arm's bits and raises nothing but, perhaps,
// inexact. The host rounds to nearest and knows denormals; it need not have a fused multiply-add.
static_assert(FLT_EVAL_METHOD == 0, "the host must compute in the precision of its operands");

namespace n6vp::models::core::fp {

/// Result of a quick operation, to be used only if `known`.
template <class T>
struct Quick {
    T bits = 0;
    bool known = false;
};

template <class T>
using HostNumber = std::conditional_t<std::is_same_v<T, std::uint32_t>, float, double>;

template <class T>
[[nodiscard]] inline HostNumber<T> to_host(T bits) {
    return std::bit_cast<HostNumber<T>>(bits);
}
[[nodiscard]] inline std::uint32_t from_host(float value) {
    return std::bit_cast<std::uint32_t>(value);
}
[[nodiscard]] inline std::uint64_t from_host(double value) {
    return std::bit_cast<std::uint64_t>(value);
}

template <class T>
[[nodiscard]] constexpr bool is_zero(T bits) {
    return absolute(bits) == 0;
}
template <class T>
[[nodiscard]] constexpr bool is_denormal(T bits) {
    return static_cast<T>(absolute(bits) - 1) < Format<T>::kFractionMask;
}
/// Returns true if a rounded result proves that the exact one is in the normal range: finite, and
/// above the smallest normal number, to which a smaller one may have been rounded.
template <class T>
[[nodiscard]] constexpr bool surely_normal(T bits) {
    constexpr T kFirst = Format<T>::kSmallestNormal + 1;
    return static_cast<T>(absolute(bits) - kFirst) < static_cast<T>(Format<T>::kInfinity - kFirst);
}

/// Returns true if FPSCR selects rounding to nearest.
[[nodiscard]] constexpr bool rounds_to_nearest(std::uint32_t fpscr) {
    return (fpscr >> 22 & 3) == 0;
}
/// Returns true if, beyond that, nothing can be learnt from an inexact result: IXC is set.
[[nodiscard]] constexpr bool ignores_inexact(std::uint32_t fpscr) {
    return (fpscr & (3u << 22 | raised::kInexact)) == raised::kInexact;
}
/// Returns true if no operand is one that FPSCR.FZ makes zero.
template <class... T>
[[nodiscard]] constexpr bool none_flushed(std::uint32_t fpscr, T... operands) {
    return (fpscr >> 24 & 1) == 0 || !(is_denormal(operands) || ...);
}

// Each operation: `quick` gives the rounded result, `exact` says whether such a known result is
// exact; operands are not subject to flushing. NaN and infinities are never known. `soft` is the
// slow way.

struct Add {
    template <class T>
    static T soft(T a, T b, Environment& environment) {
        return fp::add(a, b, environment);
    }
    template <class T>
    static Quick<T> quick(T a, T b) {
        const T sum = from_host(to_host(a) + to_host(b));
        // Sums never underflow to zero.
        return {sum, surely_normal(sum) || is_zero(sum)};
    }
    template <class T>
    static bool exact(T a, T b, T result) {
        const auto x = to_host(a), y = to_host(b), sum = to_host(result);
        const auto second = sum - x;
        return (x - (sum - second)) + (y - second) == 0;
    }
};

struct Subtract {
    template <class T>
    static T soft(T a, T b, Environment& environment) {
        return fp::subtract(a, b, environment);
    }
    template <class T>
    static Quick<T> quick(T a, T b) {
        return Add::quick(a, negate(b));
    }
    template <class T>
    static bool exact(T a, T b, T result) {
        return Add::exact(a, negate(b), result);
    }
};

struct Multiply {
    template <class T>
    static T soft(T a, T b, Environment& environment) {
        return fp::multiply(a, b, environment);
    }
    template <class T>
    static Quick<T> quick(T a, T b) {
        const T product = from_host(to_host(a) * to_host(b));
        return {product,
                surely_normal(product) || (is_zero(product) && (is_zero(a) || is_zero(b)))};
    }
    static bool exact(std::uint32_t a, std::uint32_t b, std::uint32_t result) {
        return static_cast<double>(to_host(a)) * to_host(b) == to_host(result);
    }
    static bool exact(std::uint64_t a, std::uint64_t b, std::uint64_t result) {
        // The rest of a product far from the smallest numbers is one itself.
        constexpr std::uint64_t kAmple = 200ull << 52;
        return absolute(result) > kAmple && std::fma(to_host(a), to_host(b), -to_host(result)) == 0;
    }
};

struct Divide {
    template <class T>
    static T soft(T a, T b, Environment& environment) {
        return fp::divide(a, b, environment);
    }
    template <class T>
    static Quick<T> quick(T a, T b) {
        const T quotient = from_host(to_host(a) / to_host(b));
        return {quotient, surely_normal(quotient)};
    }
    static bool exact(std::uint32_t a, std::uint32_t b, std::uint32_t result) {
        return static_cast<double>(to_host(result)) * to_host(b) == to_host(a);
    }
    static bool exact(std::uint64_t /*a*/, std::uint64_t /*b*/, std::uint64_t /*result*/) {
        return false;  // not worth knowing
    }
};

/// addend + a * b, rounded once.
struct MultiplyAdd {
    template <class T>
    static T soft(T addend, T a, T b, Environment& environment) {
        return fp::multiply_add(addend, a, b, environment);
    }
    static Quick<std::uint32_t> quick(std::uint32_t addend, std::uint32_t a, std::uint32_t b) {
        const double sum = static_cast<double>(to_host(a)) * to_host(b) + to_host(addend);
        const std::uint32_t result = from_host(static_cast<float>(sum));
        // The product is exact. The sum is rounded twice, which matters only where the first
        // rounding may have reached the middle between two results.
        constexpr std::uint64_t kBelow = (1ull << 29) - 1, kMiddle = 1ull << 28;
        const bool once = (from_host(sum) & kBelow) != kMiddle;
        return {result, (surely_normal(result) && once) || sum == 0};
    }
    static bool exact(std::uint32_t addend, std::uint32_t a, std::uint32_t b,
                      std::uint32_t result) {
        const double product = static_cast<double>(to_host(a)) * to_host(b);
        const double wide_addend = to_host(addend);
        const std::uint64_t sum = from_host(product + wide_addend);
        return to_host(sum) == to_host(result) &&
               Add::exact(from_host(product), from_host(wide_addend), sum);
    }
    static Quick<std::uint64_t> quick(std::uint64_t addend, std::uint64_t a, std::uint64_t b) {
        const std::uint64_t result = from_host(std::fma(to_host(a), to_host(b), to_host(addend)));
        return {result, surely_normal(result)};
    }
    static bool exact(std::uint64_t /*addend*/, std::uint64_t /*a*/, std::uint64_t /*b*/,
                      std::uint64_t /*result*/) {
        return false;
    }
};

struct SquareRoot {
    template <class T>
    static T soft(T a, Environment& environment) {
        return fp::square_root(a, environment);
    }
    template <class T>
    static Quick<T> quick(T a) {
        if ((a & Format<T>::kSign) != 0) return {};
        const T root = from_host(std::sqrt(to_host(a)));
        return {root, surely_normal(root)};
    }
    static bool exact(std::uint32_t a, std::uint32_t result) {
        return static_cast<double>(to_host(result)) * to_host(result) == to_host(a);
    }
    static bool exact(std::uint64_t /*a*/, std::uint64_t /*result*/) { return false; }
};

}  // namespace n6vp::models::core::fp
