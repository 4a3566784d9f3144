// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace n6vp::models::crypto {

/// A natural number of any size.
class Natural {
  public:
    Natural() = default;
    // Small numbers are numbers.
    // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions)
    Natural(std::uint32_t value) : words_{value} { trim(); }
    /// The lowest word first.
    explicit Natural(std::span<const std::uint32_t> words) : words_(words.begin(), words.end()) {
        trim();
    }

    [[nodiscard]] bool zero() const { return words_.empty(); }
    [[nodiscard]] unsigned bits() const;
    [[nodiscard]] bool bit(unsigned position) const;
    /// Returns word number `index`, 0 beyond the highest.
    [[nodiscard]] std::uint32_t word(std::size_t index) const {
        return index < words_.size() ? words_[index] : 0;
    }

    friend bool operator==(const Natural&, const Natural&) = default;
    friend std::strong_ordering operator<=>(const Natural& a, const Natural& b);
    friend Natural operator+(const Natural& a, const Natural& b);
    /// `a` is not less than `b`.
    friend Natural operator-(const Natural& a, const Natural& b);
    friend Natural operator*(const Natural& a, const Natural& b);
    friend Natural operator<<(const Natural& a, unsigned bits);
    /// Quotient and remainder; `divisor` is not 0.
    [[nodiscard]] std::pair<Natural, Natural> divide(const Natural& divisor) const;
    friend Natural operator%(const Natural& a, const Natural& b) { return a.divide(b).second; }

  private:
    void trim();
    std::vector<std::uint32_t> words_;  ///< without zeros at the top
};

/// Returns base^exponent mod modulus; `modulus` is not 0.
[[nodiscard]] Natural power(const Natural& base, const Natural& exponent, const Natural& modulus);
/// Returns the inverse modulo `modulus`, none if there is none; `modulus` is not 0.
[[nodiscard]] std::optional<Natural> inverse(const Natural& value, const Natural& modulus);
/// (a - b) mod modulus, of numbers below it.
[[nodiscard]] Natural subtract(const Natural& a, const Natural& b, const Natural& modulus);

/// The curve y^2 = x^3 + ax + b over the field of a prime.
struct Curve {
    Natural prime, a, b;
};
/// In affine coordinates; none: the point at infinity.
struct Point {
    Natural x, y;
    friend bool operator==(const Point&, const Point&) = default;
};
[[nodiscard]] bool on_curve(const Curve& curve, const Point& point);
[[nodiscard]] std::optional<Point> add(const Curve& curve, const std::optional<Point>& p,
                                       const std::optional<Point>& q);
[[nodiscard]] std::optional<Point> multiply(const Curve& curve, const Natural& factor,
                                            const Point& point);

}  // namespace n6vp::models::crypto
