// SPDX-License-Identifier: Apache-2.0
#include "models/soc/crypto/natural.h"

#include <algorithm>
#include <bit>

namespace n6vp::models::crypto {

namespace {

constexpr unsigned kWordBits = 32;

}  // namespace

void Natural::trim() {
    while (!words_.empty() && words_.back() == 0) words_.pop_back();
}

unsigned Natural::bits() const {
    if (words_.empty()) return 0;
    const auto whole = static_cast<unsigned>(words_.size()) * kWordBits;
    return whole - static_cast<unsigned>(std::countl_zero(words_.back()));
}

bool Natural::bit(unsigned position) const {
    return (word(position / kWordBits) >> position % kWordBits & 1) != 0;
}

std::strong_ordering operator<=>(const Natural& a, const Natural& b) {
    if (a.words_.size() != b.words_.size()) return a.words_.size() <=> b.words_.size();
    for (std::size_t i = a.words_.size(); i-- > 0;) {
        if (a.words_[i] != b.words_[i]) return a.words_[i] <=> b.words_[i];
    }
    return std::strong_ordering::equal;
}

Natural operator+(const Natural& a, const Natural& b) {
    Natural sum;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < std::max(a.words_.size(), b.words_.size()) || carry != 0; ++i) {
        carry += std::uint64_t{a.word(i)} + b.word(i);
        sum.words_.push_back(static_cast<std::uint32_t>(carry));
        carry >>= kWordBits;
    }
    return sum;
}

Natural operator-(const Natural& a, const Natural& b) {
    Natural difference;
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < a.words_.size(); ++i) {
        const std::uint64_t next = std::uint64_t{a.word(i)} - b.word(i) - borrow;
        difference.words_.push_back(static_cast<std::uint32_t>(next));
        borrow = next >> 63;
    }
    difference.trim();
    return difference;
}

Natural operator*(const Natural& a, const Natural& b) {
    Natural product;
    product.words_.resize(a.words_.size() + b.words_.size());
    for (std::size_t i = 0; i < a.words_.size(); ++i) {
        std::uint64_t carry = 0;
        for (std::size_t k = 0; k < b.words_.size() || carry != 0; ++k) {
            carry += std::uint64_t{a.words_[i]} * b.word(k) + product.words_[i + k];
            product.words_[i + k] = static_cast<std::uint32_t>(carry);
            carry >>= kWordBits;
        }
    }
    product.trim();
    return product;
}

Natural operator<<(const Natural& a, unsigned bits) {
    Natural result;
    result.words_.resize(bits / kWordBits);
    const unsigned rest = bits % kWordBits;
    std::uint64_t carry = 0;
    for (const std::uint32_t word : a.words_) {
        carry |= std::uint64_t{word} << rest;
        result.words_.push_back(static_cast<std::uint32_t>(carry));
        carry >>= kWordBits;
    }
    result.words_.push_back(static_cast<std::uint32_t>(carry));
    result.trim();
    return result;
}

/// Knuth, The Art of Computer Programming, volume 2, algorithm D.
std::pair<Natural, Natural> Natural::divide(const Natural& divisor) const {
    if (*this < divisor) return {Natural(), *this};
    const unsigned shift = static_cast<unsigned>(std::countl_zero(divisor.words_.back()));
    const std::vector<std::uint32_t> low = (divisor << shift).words_;
    std::vector<std::uint32_t> rest = (*this << shift).words_;
    rest.resize(std::max(rest.size(), words_.size()) + 1);
    const std::size_t length = low.size();
    Natural quotient;
    quotient.words_.resize(rest.size() - length);
    for (std::size_t at = quotient.words_.size(); at-- > 0;) {
        const std::uint64_t top =
            std::uint64_t{rest[at + length]} << kWordBits | rest[at + length - 1];
        std::uint64_t digit = top / low.back(), over = top % low.back();
        const std::uint64_t second = length > 1 ? low[length - 2] : 0;
        const std::uint64_t third = length > 1 ? rest[at + length - 2] : 0;
        while (digit >> kWordBits != 0 || digit * second > (over << kWordBits | third)) {
            --digit;
            over += low.back();
            if (over >> kWordBits != 0) break;
        }
        std::uint64_t carry = 0;
        std::int64_t borrow = 0;
        for (std::size_t i = 0; i < length; ++i) {
            carry += digit * low[i];
            const std::int64_t next =
                std::int64_t{rest[at + i]} - static_cast<std::uint32_t>(carry) + borrow;
            rest[at + i] = static_cast<std::uint32_t>(next);
            borrow = next >> kWordBits;
            carry >>= kWordBits;
        }
        const std::int64_t last =
            std::int64_t{rest[at + length]} - static_cast<std::int64_t>(carry) + borrow;
        rest[at + length] = static_cast<std::uint32_t>(last);
        if (last < 0) {
            // One too many.
            --digit;
            std::uint64_t back = 0;
            for (std::size_t i = 0; i < length; ++i) {
                back += std::uint64_t{rest[at + i]} + low[i];
                rest[at + i] = static_cast<std::uint32_t>(back);
                back >>= kWordBits;
            }
            rest[at + length] += static_cast<std::uint32_t>(back);
        }
        quotient.words_[at] = static_cast<std::uint32_t>(digit);
    }
    quotient.trim();
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const std::uint64_t above = i + 1 < rest.size() ? rest[i + 1] : 0;
        rest[i] = static_cast<std::uint32_t>((above << kWordBits | rest[i]) >> shift);
    }
    return {quotient, Natural(rest)};
}

Natural power(const Natural& base, const Natural& exponent, const Natural& modulus) {
    Natural result = Natural(1) % modulus;
    const Natural factor = base % modulus;
    for (unsigned i = exponent.bits(); i-- > 0;) {
        result = result * result % modulus;
        if (exponent.bit(i)) result = result * factor % modulus;
    }
    return result;
}

Natural subtract(const Natural& a, const Natural& b, const Natural& modulus) {
    return a >= b ? a - b : a + modulus - b;
}

std::optional<Natural> inverse(const Natural& value, const Natural& modulus) {
    Natural before = modulus, now = value % modulus;
    Natural factor_before, factor = Natural(1) % modulus;
    while (!now.zero()) {
        const auto [quotient, rest] = before.divide(now);
        Natural next = subtract(factor_before, quotient * factor % modulus, modulus);
        before = std::exchange(now, rest);
        factor_before = std::exchange(factor, std::move(next));
    }
    if (before != Natural(1)) return std::nullopt;
    return factor_before;
}

bool on_curve(const Curve& curve, const Point& point) {
    const Natural& p = curve.prime;
    if (point.x >= p || point.y >= p) return false;
    const Natural right = (point.x * point.x % p * point.x + curve.a * point.x + curve.b) % p;
    return point.y * point.y % p == right;
}

std::optional<Point> add(const Curve& curve, const std::optional<Point>& p,
                         const std::optional<Point>& q) {
    if (!p || !q) return p ? p : q;
    const Natural& prime = curve.prime;
    Natural over, under;
    if (p->x != q->x) {
        over = subtract(q->y, p->y, prime);
        under = subtract(q->x, p->x, prime);
    } else if (p->y == q->y) {
        over = (Natural(3) * p->x * p->x + curve.a) % prime;
        under = Natural(2) * p->y % prime;
    }
    const std::optional<Natural> divided = inverse(under, prime);
    if (!divided) return std::nullopt;
    const Natural slope = over * *divided % prime;
    Point sum;
    sum.x = subtract(subtract(slope * slope % prime, p->x, prime), q->x, prime);
    sum.y = subtract(slope * subtract(p->x, sum.x, prime) % prime, p->y, prime);
    return sum;
}

std::optional<Point> multiply(const Curve& curve, const Natural& factor, const Point& point) {
    std::optional<Point> result;
    for (unsigned i = factor.bits(); i-- > 0;) {
        result = add(curve, result, result);
        if (factor.bit(i)) result = add(curve, result, point);
    }
    return result;
}

}  // namespace n6vp::models::crypto
