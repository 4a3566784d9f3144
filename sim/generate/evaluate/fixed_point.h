// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "sim/generate/tflite/graph.h"

/// The arithmetic of TFLite's integer kernels: products of 32-bit numbers with fixed-point
/// multipliers. Convolutions and fully connected layers round once (`multiply_once`), all other
/// operators twice (`multiply`): so the outputs of the reference interpreter come out bit by bit.
namespace n6vp::sim::generate {

/// Returns the number cut to 32 bits.
[[nodiscard]] inline std::int32_t saturate_word(std::int64_t value) {
    constexpr std::int64_t kLow = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t kHigh = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(std::clamp(value, kLow, kHigh));
}

/// Returns a * b / 2^31, rounded to nearest, ties away from zero on the positive side and towards
/// zero on the negative one. `b` is not negative.
[[nodiscard]] inline std::int32_t doubling_high_product(std::int32_t a, std::int32_t b) {
    const std::int64_t product = std::int64_t{a} * b;
    constexpr std::int64_t kHalf = std::int64_t{1} << 30;
    const std::int64_t nudge = product >= 0 ? kHalf : 1 - kHalf;
    return static_cast<std::int32_t>((product + nudge) / (std::int64_t{1} << 31));
}

/// Returns value / 2^shift, rounded to nearest, ties away from zero. `shift` is 0...31.
[[nodiscard]] inline std::int32_t rounding_shift(std::int32_t value, std::int32_t shift) {
    const std::int64_t mask = (std::int64_t{1} << shift) - 1;
    const std::int64_t rest = value & mask;
    const std::int64_t threshold = (mask >> 1) + (value < 0 ? 1 : 0);
    return static_cast<std::int32_t>((std::int64_t{value} >> shift) + (rest > threshold ? 1 : 0));
}

/// Returns value * multiplier, rounded at 2^-31 of the significand and at the shift. Where the
/// shifted value leaves 32 bits it saturates (TFLite leaves that case undefined).
[[nodiscard]] inline std::int32_t multiply(std::int32_t value, const FixedMultiplier& multiplier) {
    const std::int32_t left = std::max(multiplier.exponent, 0);
    const std::int32_t right = std::max(-multiplier.exponent, 0);
    const std::int32_t shifted = saturate_word(std::int64_t{value} * (std::int64_t{1} << left));
    return rounding_shift(doubling_high_product(shifted, multiplier.significand), right);
}

/// Returns value * multiplier, rounded to nearest, ties upwards.
[[nodiscard]] inline std::int32_t multiply_once(std::int32_t value,
                                                const FixedMultiplier& multiplier) {
    // The exponent is -31...30: neither the shift nor the sum leaves 64 bits.
    const int shift = 31 - multiplier.exponent;
    const std::int64_t half = std::int64_t{1} << (shift - 1);
    return saturate_word((std::int64_t{value} * multiplier.significand + half) >> shift);
}

}  // namespace n6vp::sim::generate
