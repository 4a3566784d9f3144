// SPDX-License-Identifier: Apache-2.0
// Single and double precision against the host's own arithmetic, in all rounding modes, with the
// exceptions raised.
#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "models/core/float/soft_float.h"
#include "tests/core/float/patterns.h"

namespace fp = n6vp::models::core::fp;
using fp::Environment;
using fp::Rounding;
using n6vp::tests::Patterns;

namespace {

template <class T>
using Host = std::conditional_t<std::is_same_v<T, std::uint32_t>, float, double>;

constexpr std::array kModes = {Rounding::Nearest, Rounding::Up, Rounding::Down,
                               Rounding::TowardZero};
constexpr std::array kHostModes = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

std::uint32_t host_flags() {
    const int flags = std::fetestexcept(FE_ALL_EXCEPT);
    std::uint32_t result = 0;
    if ((flags & FE_INVALID) != 0) result |= fp::raised::kInvalid;
    if ((flags & FE_DIVBYZERO) != 0) result |= fp::raised::kDivideByZero;
    if ((flags & FE_OVERFLOW) != 0) result |= fp::raised::kOverflow;
    if ((flags & FE_UNDERFLOW) != 0) result |= fp::raised::kUnderflow;
    if ((flags & FE_INEXACT) != 0) result |= fp::raised::kInexact;
    return result;
}

template <class Result>
struct Outcome {
    Result bits = 0;
    std::uint32_t flags = 0;
};

/// Runs `operation` on host numbers under a host rounding mode.
template <class Result, class Operation>
Outcome<Result> on_host(int mode, Operation operation) {
    std::fesetround(mode);
    std::feclearexcept(FE_ALL_EXCEPT);
    volatile auto result = operation();
    const std::uint32_t flags = host_flags();
    std::fesetround(FE_TONEAREST);
    const auto value = result;
    return {std::bit_cast<Result>(value), flags};
}

/// NaNs: the host's are not Arm's, only that there is one is common. Underflow: the host looks
/// after rounding, Arm before, which differs where rounding reaches the smallest normal number.
template <class Result>
bool agree(Outcome<Result> ours, Outcome<Result> host) {
    if (fp::absolute(ours.bits) == fp::Format<Result>::kSmallestNormal) {
        ours.flags &= ~fp::raised::kUnderflow;
        host.flags &= ~fp::raised::kUnderflow;
    }
    if (ours.flags != host.flags) return false;
    if (fp::is_nan(ours.bits) || fp::is_nan(host.bits))
        return fp::is_nan(ours.bits) && fp::is_nan(host.bits);
    return ours.bits == host.bits;
}

/// Runs both and compares. `ours` gets an environment and returns bits.
template <class Result, class Ours, class HostOperation>
void expect_same(unsigned mode, Ours ours, HostOperation operation, const char* name,
                 std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) {
    Environment environment;
    environment.rounding = kModes[mode];
    Outcome<Result> mine;
    mine.bits = ours(environment);
    mine.flags = environment.flags;
    const auto host = on_host<Result>(kHostModes[mode], operation);
    if (agree(mine, host)) return;
    CAPTURE(name);
    CAPTURE(mode);
    CAPTURE(a);
    CAPTURE(b);
    CAPTURE(c);
    CHECK(mine.bits == host.bits);
    CHECK(mine.flags == host.flags);
    FAIL("differs from the host");
}

constexpr int kRounds = 300000;

/// The library's functions: what compilers put in their place trusts the default rounding mode.
float (*volatile rint_single)(float) = ::rintf;
double (*volatile rint_double)(double) = ::rint;

template <class T>
T library_rint(T value) {
    if constexpr (std::is_same_v<T, float>) {
        return rint_single(value);
    } else {
        return rint_double(value);
    }
}

template <class T>
void check_arithmetic(std::uint64_t seed) {
    Patterns<T> patterns(seed);
    for (int i = 0; i < kRounds; ++i) {
        const T a = patterns.next(), b = patterns.next(), c = patterns.next();
        const unsigned mode = static_cast<unsigned>(i) % 4;
        volatile Host<T> x = std::bit_cast<Host<T>>(a), y = std::bit_cast<Host<T>>(b),
                         z = std::bit_cast<Host<T>>(c);
        using E = Environment&;
        expect_same<T>(
            mode, [&](E e) { return fp::add(a, b, e); }, [&] { return x + y; }, "add", a, b);
        expect_same<T>(
            mode, [&](E e) { return fp::subtract(a, b, e); }, [&] { return x - y; }, "subtract", a,
            b);
        expect_same<T>(
            mode, [&](E e) { return fp::multiply(a, b, e); }, [&] { return x * y; }, "multiply", a,
            b);
        expect_same<T>(
            mode, [&](E e) { return fp::divide(a, b, e); }, [&] { return x / y; }, "divide", a, b);
        expect_same<T>(
            mode, [&](E e) { return fp::square_root(a, e); },
            [&] { return std::sqrt(static_cast<Host<T>>(x)); }, "square root", a);
        // Whether a quiet NaN hides the invalid product is open in IEEE 754; Arm says no.
        if (!fp::is_nan(c))
            expect_same<T>(
                mode, [&](E e) { return fp::multiply_add(c, a, b, e); },
                [&] {
                    return std::fma(static_cast<Host<T>>(x), static_cast<Host<T>>(y),
                                    static_cast<Host<T>>(z));
                },
                "multiply-add", a, b, c);
    }
}

template <class T>
void check_conversions(std::uint64_t seed) {
    Patterns<T> patterns(seed);
    for (int i = 0; i < kRounds; ++i) {
        const T a = patterns.next();
        const unsigned mode = static_cast<unsigned>(i) % 4;
        volatile Host<T> x = std::bit_cast<Host<T>>(a);
        using E = Environment&;
        if (!fp::is_signaling(a)) {  // the C library may quieten without saying so
            expect_same<T>(
                mode, [&](E e) { return fp::round_to_integral(a, e.rounding, true, e); },
                [&] { return library_rint(static_cast<Host<T>>(x)); }, "rint", a);
        }
        if (std::fabs(static_cast<double>(x)) < 9e18) {
            Environment environment;
            environment.rounding = kModes[mode];
            const std::uint64_t mine =
                fp::to_fixed(a, 0, 64, true, environment.rounding, environment);
            std::fesetround(kHostModes[mode]);
            const auto host = static_cast<std::uint64_t>(std::llrint(static_cast<Host<T>>(x)));
            std::fesetround(FE_TONEAREST);
            REQUIRE(mine == host);
        }
        const std::uint64_t integer = std::uint64_t{a} * 0x9E3779B97F4A7C15u >> (i % 64);
        volatile auto with_sign = static_cast<std::int64_t>(integer);
        volatile std::uint64_t without = integer;
        expect_same<T>(
            mode, [&](E e) { return fp::from_fixed<T>(integer, 0, true, e.rounding, e); },
            [&] { return static_cast<Host<T>>(with_sign); }, "from signed", integer);
        // Hosts convert 64 unsigned bits in pieces, which rounds right only to nearest.
        expect_same<T>(
            0, [&](E e) { return fp::from_fixed<T>(integer, 0, false, e.rounding, e); },
            [&] { return static_cast<Host<T>>(without); }, "from unsigned", integer);
    }
}

}  // namespace

TEST_CASE("single precision agrees with the host in every rounding mode") {
    check_arithmetic<std::uint32_t>(1);
}
TEST_CASE("double precision agrees with the host in every rounding mode") {
    check_arithmetic<std::uint64_t>(2);
}
TEST_CASE("single precision converts and rounds as the host does") {
    check_conversions<std::uint32_t>(3);
}
TEST_CASE("double precision converts and rounds as the host does") {
    check_conversions<std::uint64_t>(4);
}

TEST_CASE("single and double precision convert into each other as on the host") {
    Patterns<std::uint64_t> wide(5);
    Patterns<std::uint32_t> narrow(6);
    for (int i = 0; i < kRounds; ++i) {
        const unsigned mode = static_cast<unsigned>(i) % 4;
        std::uint64_t a = wide.next();
        // Half of them in the range of single precision, whose exponents are a small part.
        if (i % 2 != 0) {
            a = (a & ~(0x7FFull << 52)) | static_cast<std::uint64_t>(1023 - 160 + i / 2 % 300)
                                              << 52;
        }
        const std::uint32_t b = narrow.next();
        volatile double x = std::bit_cast<double>(a);
        volatile float y = std::bit_cast<float>(b);
        using E = Environment&;
        expect_same<std::uint32_t>(
            mode, [&](E e) { return fp::convert<std::uint32_t>(a, e); },
            [&] { return static_cast<float>(x); }, "to single", a);
        expect_same<std::uint64_t>(
            mode, [&](E e) { return fp::convert<std::uint64_t>(b, e); },
            [&] { return static_cast<double>(y); }, "to double", b);
    }
}

TEST_CASE("comparison agrees with the host") {
    Patterns<std::uint32_t> patterns(7);
    for (int i = 0; i < kRounds; ++i) {
        const std::uint32_t a = patterns.next(), b = patterns.next();
        const float x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
        Environment environment;
        const fp::Ordering ordering = fp::compare(a, b, false, environment);
        REQUIRE((ordering == fp::Ordering::Less) == (x < y));
        REQUIRE((ordering == fp::Ordering::Equal) == (x == y));
        REQUIRE((ordering == fp::Ordering::Greater) == (x > y));
        REQUIRE(environment.flags ==
                (fp::is_signaling(a) || fp::is_signaling(b) ? fp::raised::kInvalid : 0u));
    }
}
