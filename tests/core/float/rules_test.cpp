// SPDX-License-Identifier: Apache-2.0
// What Arm adds to IEEE 754, each rule by hand, and half precision against a table of its values.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "models/core/float/soft_float.h"

namespace fp = n6vp::models::core::fp;
using fp::Environment;
using fp::Rounding;
using Half = std::uint16_t;
using Single = std::uint32_t;
using Double = std::uint64_t;

namespace {

constexpr Single kOne = 0x3F800000, kQuietA = 0x7FC00001, kQuietB = 0xFFC00002,
                 kSignalA = 0x7F800003, kSignalB = 0xFF800004, kInfinity = 0x7F800000,
                 kTiny = 0x00000001, kMinusZero = 0x80000000, kDefault = 0x7FC00000;
constexpr Single kQuiet = 0x00400000;

constexpr std::uint32_t kDn = 1u << 25, kFz = 1u << 24, kFz16 = 1u << 19, kAhp = 1u << 26;

/// Value of a half-precision bit pattern, by its definition.
double half_value(Half bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double magnitude =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// Rounds to half precision by looking for the neighbours in a table of all magnitudes. Returns
/// 65536 as the infinity above the largest.
class HalfTable {
  public:
    HalfTable() {
        for (Half bits = 0; bits <= 0x7C00; ++bits)
            values_.push_back(half_value(bits));  // 0x7C00 reads as 65536
    }
    [[nodiscard]] Half round(double exact, Rounding rounding) const {
        const double magnitude = std::fabs(exact);
        const Half sign = std::signbit(exact) ? 0x8000 : 0;
        if (magnitude >= 65536) {
            const bool infinite = rounding == Rounding::Nearest ||
                                  (rounding == Rounding::Up && sign == 0) ||
                                  (rounding == Rounding::Down && sign != 0);
            return static_cast<Half>(sign | (infinite ? 0x7C00 : 0x7BFF));
        }
        const auto above = std::lower_bound(values_.begin(), values_.end(), magnitude);
        const auto upper = static_cast<Half>(above - values_.begin());
        if (*above == magnitude) return static_cast<Half>(sign | upper);
        const auto lower = static_cast<Half>(upper - 1);
        const double to_upper = *above - magnitude, to_lower = magnitude - values_[lower];
        bool up = false;
        switch (rounding) {
            case Rounding::Up:
                up = sign == 0;
                break;
            case Rounding::Down:
                up = sign != 0;
                break;
            case Rounding::Nearest:
                up = to_upper < to_lower || (to_upper == to_lower && lower % 2 != 0);
                break;
            default:
                break;
        }
        return static_cast<Half>(sign | (up ? upper : lower));
    }

  private:
    std::vector<double> values_;
};

Environment with(std::uint32_t fpscr) {
    return Environment::of_fpscr(fpscr);
}

}  // namespace

TEST_CASE("NaNs propagate signalling first, then from the left, and become quiet") {
    Environment environment;
    CHECK(fp::add(kQuietA, kQuietB, environment) == kQuietA);
    CHECK(fp::add(kOne, kQuietB, environment) == kQuietB);
    CHECK(environment.flags == 0);
    CHECK(fp::add(kQuietA, kSignalB, environment) == (kSignalB | kQuiet));
    CHECK(environment.flags == fp::raised::kInvalid);
    CHECK(fp::add(kSignalA, kSignalB, environment) == (kSignalA | kQuiet));
    CHECK(fp::subtract(kOne, kSignalA, environment) == (kSignalA | kQuiet));
    CHECK(fp::multiply_add(kQuietA, kQuietB, kSignalA, environment) == (kSignalA | kQuiet));
    CHECK(fp::multiply_add(kQuietA, kQuietB, kOne, environment) == kQuietA);
    CHECK(fp::multiply_add(kOne, kOne, kQuietB, environment) == kQuietB);
}

TEST_CASE("the default NaN replaces them all") {
    Environment environment = with(kDn);
    CHECK(fp::add(kQuietB, kOne, environment) == kDefault);
    CHECK(fp::square_root(kSignalB, environment) == kDefault);
    CHECK(fp::max_number(kQuietA, kQuietB, environment) == kDefault);
    CHECK(fp::round_to_integral(kQuietB, Rounding::Nearest, true, environment) == kDefault);
    CHECK(fp::convert<Double>(kQuietB, environment) == 0x7FF8000000000000u);
    CHECK(fp::convert<Half>(kQuietB, environment) == 0x7E00);
}

TEST_CASE("infinity times zero is invalid even where a quiet NaN is added") {
    Environment environment;
    CHECK(fp::multiply_add(kQuietB, kInfinity, kMinusZero, environment) == kDefault);
    CHECK(environment.flags == fp::raised::kInvalid);
    environment.flags = 0;
    CHECK(fp::multiply_add(kInfinity, kInfinity, fp::negate(kOne), environment) == kDefault);
    CHECK(environment.flags == fp::raised::kInvalid);
}

TEST_CASE("exact zero sums are negative only when rounding down") {
    for (unsigned mode = 0; mode < 4; ++mode) {
        Environment environment = with(mode << 22);
        const Single expected = mode == 2 ? kMinusZero : 0;
        CHECK(fp::subtract(kOne, kOne, environment) == expected);
        CHECK(fp::add(Single{0}, kMinusZero, environment) == expected);
        CHECK(fp::multiply_add(fp::negate(kOne), kOne, kOne, environment) == expected);
        CHECK(fp::add(kMinusZero, kMinusZero, environment) == kMinusZero);
        CHECK(environment.flags == 0);
    }
}

TEST_CASE("flushing: inputs say so, outputs underflow before rounding") {
    Environment environment = with(kFz);
    CHECK(fp::add(kTiny, kMinusZero, environment) == 0);
    CHECK(environment.flags == fp::raised::kInputDenormal);
    environment.flags = 0;
    // Half the smallest normal number: a denormal, exact, and yet an underflow.
    CHECK(fp::multiply(Single{0x80800000}, Single{0x3F000000}, environment) == kMinusZero);
    CHECK(environment.flags == fp::raised::kUnderflow);
    environment.flags = 0;
    // Rounds up to the smallest normal number, but is less before.
    CHECK(fp::multiply(Single{0x00FFFFFF}, Single{0x3F000000}, environment) == 0);
    CHECK(environment.flags == fp::raised::kUnderflow);
    environment = with(0);
    CHECK(fp::multiply(Single{0x00FFFFFF}, Single{0x3F000000}, environment) == 0x00800000);
    CHECK(environment.flags == (fp::raised::kUnderflow | fp::raised::kInexact));
    environment = with(0);
    CHECK(fp::multiply(Single{0x00800000}, Single{0x3F000000}, environment) == 0x00400000);
    CHECK(environment.flags == 0);
}

TEST_CASE("an input is flushed before its partner's NaN is looked at") {
    Environment environment = with(kFz);
    CHECK(fp::add(kTiny, kQuietA, environment) == kQuietA);
    CHECK(environment.flags == fp::raised::kInputDenormal);
    environment.flags = 0;
    CHECK(fp::compare(kTiny, Single{0}, false, environment) == fp::Ordering::Equal);
    CHECK(environment.flags == fp::raised::kInputDenormal);
    environment.flags = 0;
    CHECK(fp::max_number(kTiny, fp::negate(kTiny), environment) == 0);
    CHECK(environment.flags == fp::raised::kInputDenormal);
}

TEST_CASE("half precision has its own flush bit, which says nothing about inputs") {
    Environment environment = with(kFz);
    CHECK(fp::add(Half{1}, Half{0}, environment) == 1);
    environment = with(kFz16);
    CHECK(fp::add(Half{1}, Half{0}, environment) == 0);
    CHECK(environment.flags == 0);
    CHECK(fp::multiply(Half{0x0400}, Half{0x3800}, environment) == 0);
    CHECK(environment.flags == fp::raised::kUnderflow);
    // Conversions do not flush half-precision denormals.
    environment = with(kFz16 | kFz);
    CHECK(fp::convert<Single>(Half{1}, environment) == 0x33800000);
    CHECK(fp::convert<Half>(Single{0x33800000}, environment) == 1);
    CHECK(environment.flags == 0);
}

TEST_CASE("a number wins over a quiet NaN, not over a signalling one") {
    Environment environment;
    CHECK(fp::max_number(kQuietA, kOne, environment) == kOne);
    CHECK(fp::min_number(kOne, kQuietA, environment) == kOne);
    CHECK(environment.flags == 0);
    CHECK(fp::max_number(kSignalA, kOne, environment) == (kSignalA | kQuiet));
    CHECK(environment.flags == fp::raised::kInvalid);
    CHECK(fp::min_number(Single{0}, kMinusZero, environment) == kMinusZero);
    CHECK(fp::max_number(kMinusZero, Single{0}, environment) == 0);
}

TEST_CASE("conversions to integers saturate") {
    Environment environment;
    const auto zero = Rounding::TowardZero;
    CHECK(fp::to_fixed(kInfinity, 0, 32, true, zero, environment) == 0x7FFFFFFF);
    CHECK(fp::to_fixed(Single{0xFF800000}, 0, 32, true, zero, environment) == 0x80000000);
    CHECK(fp::to_fixed(fp::negate(kOne), 0, 32, false, zero, environment) == 0);
    CHECK(fp::to_fixed(kQuietA, 0, 32, false, zero, environment) == 0);
    CHECK(environment.flags == fp::raised::kInvalid);
    environment.flags = 0;
    // -0.5 truncates to zero, which an unsigned number can be: inexact only.
    CHECK(fp::to_fixed(Single{0xBF000000}, 0, 32, false, zero, environment) == 0);
    CHECK(environment.flags == fp::raised::kInexact);
    // 2.5: away from zero on a tie, or to the even neighbour.
    CHECK(fp::to_fixed(Single{0x40200000}, 0, 32, true, Rounding::NearestAway, environment) == 3);
    CHECK(fp::to_fixed(Single{0x40200000}, 0, 32, true, Rounding::Nearest, environment) == 2);
    CHECK(fp::to_fixed(Single{0xC0200000}, 0, 16, true, Rounding::Up, environment) == 0xFFFE);
    CHECK(fp::to_fixed(Single{0x3FA00000}, 15, 16, true, zero, environment) == 0x7FFF);
    // 32768.5 does not fit: invalid, and not inexact besides.
    environment.flags = 0;
    CHECK(fp::to_fixed(Single{0x47000080}, 0, 16, true, zero, environment) == 0x7FFF);
    CHECK(environment.flags == fp::raised::kInvalid);
    CHECK(fp::to_fixed(Single{0x3F200000}, 15, 16, true, zero, environment) == 0x5000);
    CHECK(fp::from_fixed<Single>(0x5000, 15, true, Rounding::Nearest, environment) == 0x3F200000);
}

TEST_CASE("alternative half precision has no infinity and no NaN") {
    Environment environment = with(kAhp);
    CHECK(fp::convert<Single>(Half{0x7C00}, environment) == 0x47800000);  // 65536
    CHECK(fp::convert<Single>(Half{0xFFFF}, environment) == 0xC7FFE000);  // -131008
    CHECK(environment.flags == 0);
    CHECK(fp::convert<Half>(Single{0x47FFE000}, environment) == 0x7FFF);
    CHECK(environment.flags == 0);
    CHECK(fp::convert<Half>(Single{0x48000000}, environment) == 0x7FFF);
    CHECK(environment.flags == fp::raised::kInvalid);
    environment.flags = 0;
    CHECK(fp::convert<Half>(kQuietB, environment) == 0x8000);
    CHECK(environment.flags == fp::raised::kInvalid);
    environment.flags = 0;
    CHECK(fp::convert<Half>(Single{0xFF800000}, environment) == 0xFFFF);
    CHECK(environment.flags == fp::raised::kInvalid);
}

TEST_CASE("NaNs keep their top bits from format to format") {
    Environment environment;
    CHECK(fp::convert<Double>(Single{0xFF812345}, environment) == 0xFFF82468A0000000u);
    CHECK(environment.flags == fp::raised::kInvalid);
    CHECK(fp::convert<Single>(Double{0x7FF8000020000000}, environment) == 0x7FC00001);
    CHECK(fp::convert<Half>(Single{0x7FC04000}, environment) == 0x7E02);
    CHECK(fp::convert<Single>(Half{0xFE01}, environment) == 0xFFC02000);
}

TEST_CASE("every half-precision number converts to single and back") {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<Half>(bits);
        if (fp::is_signaling(half)) continue;
        Environment environment;
        const Single single = fp::convert<Single>(half, environment);
        if ((bits & 0x7C00) != 0x7C00) {
            float value = 0;
            std::memcpy(&value, &single, sizeof(value));
            REQUIRE(static_cast<double>(value) == half_value(half));
        }
        REQUIRE(fp::convert<Half>(single, environment) == half);
        REQUIRE(environment.flags == 0);
    }
}

TEST_CASE("half-precision arithmetic rounds to the table's neighbours") {
    const HalfTable table;
    std::mt19937_64 random(21);
    for (int i = 0; i < 400000; ++i) {
        const auto a = static_cast<Half>(random()), b = static_cast<Half>(random());
        if ((a & 0x7C00) == 0x7C00 || (b & 0x7C00) == 0x7C00) continue;
        const unsigned mode = static_cast<unsigned>(i) % 4;
        const auto rounding = static_cast<Rounding>(mode);
        const double x = half_value(a), y = half_value(b);
        const auto check = [&](Half ours, double exact, std::uint32_t flags) {
            CAPTURE(a);
            CAPTURE(b);
            CAPTURE(mode);
            REQUIRE(ours == table.round(exact, rounding));
            const bool inexact = std::fabs(exact) >= 65536 || half_value(ours) != exact;
            REQUIRE(((flags & fp::raised::kInexact) != 0) == inexact);
            const bool underflow = inexact && std::fabs(exact) < 0x1p-14;
            REQUIRE(((flags & fp::raised::kUnderflow) != 0) == underflow);
        };
        // Sums and products of halves are exact in double precision.
        Environment sum = with(mode << 22), product = with(mode << 22);
        const Half added = fp::add(a, b, sum), multiplied = fp::multiply(a, b, product);
        if (x + y != 0) check(added, x + y, sum.flags);
        check(multiplied, x * y, product.flags);
        // A quotient in double precision lies on the right side of every middle of two halves:
        // it would need 23 bits to come as near as the rounding to 53 bits moves it.
        if (y != 0 && x != 0) {
            Environment quotient = with(mode << 22);
            const double exact = x / y;
            const Half divided = fp::divide(a, b, quotient);
            if (half_value(table.round(exact, rounding)) != exact || exact * y == x)
                check(divided, exact, quotient.flags);
        }
        if (x > 0) {
            Environment root = with(mode << 22);
            const Half rooted = fp::square_root(a, root);
            check(rooted, std::sqrt(x), root.flags);
        }
    }
}

TEST_CASE("half-precision multiply-add rounds once") {
    const HalfTable table;
    std::mt19937_64 random(22);
    for (int i = 0; i < 300000; ++i) {
        // Exponents near one: the sum of the exact product and the addend has less than 53 bits.
        const auto near = [&] {
            const std::uint64_t bits = random();
            return static_cast<Half>((bits & 0x83FF) | (15 - 6 + (bits >> 20) % 12) << 10);
        };
        const Half a = near(), b = near(), c = near();
        const double exact = half_value(a) * half_value(b) + half_value(c);
        if (exact == 0) continue;
        const unsigned mode = static_cast<unsigned>(i) % 4;
        Environment environment = with(mode << 22);
        REQUIRE(fp::multiply_add(c, a, b, environment) ==
                table.round(exact, static_cast<Rounding>(mode)));
    }
}

TEST_CASE("half precision rounds to integral values") {
    for (unsigned bits = 0; bits < 0x7C00; ++bits) {
        const auto half = static_cast<Half>(bits);
        const double value = half_value(half);
        Environment environment;
        const auto rounded = [&](Rounding rounding) {
            return half_value(fp::round_to_integral(half, rounding, false, environment));
        };
        REQUIRE(rounded(Rounding::Up) == std::ceil(value));
        REQUIRE(rounded(Rounding::Down) == std::floor(value));
        REQUIRE(rounded(Rounding::TowardZero) == std::trunc(value));
        REQUIRE(rounded(Rounding::NearestAway) == std::round(value));
        REQUIRE(rounded(Rounding::Nearest) == std::nearbyint(value));
        REQUIRE(environment.flags == 0);
        static_cast<void>(fp::round_to_integral(half, Rounding::Up, true, environment));
        REQUIRE((environment.flags == fp::raised::kInexact) == (value != std::trunc(value)));
    }
}
