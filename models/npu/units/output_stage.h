// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/npu/units/word.h"

namespace n6vp::models::npu {

/// What becomes of the bits that a right shift drops. Rounding with ORNDMODE bit 0 set is inferred
/// to be `HalfUp`: it agrees best with three evaluated networks, by less than 0.1 % of elements
/// over the next rule, so the rule of ties stays a switch of the model.
enum class Rounding : std::uint8_t { HalfUp, HalfAway, HalfEven, Floor };

/// Returns value / 2^shift as a whole number; |value| < 2^62, shift 0 to 63.
[[nodiscard]] constexpr std::int64_t shift_right(std::int64_t value, unsigned shift,
                                                 Rounding rounding) {
    if (shift == 0) return value;
    const std::int64_t half = std::int64_t{1} << (shift - 1);
    switch (rounding) {
        case Rounding::HalfUp:
            value += half;
            break;
        case Rounding::HalfAway:
            value += half - (value < 0 ? 1 : 0);
            break;
        case Rounding::HalfEven:
            value += half - 1 + ((value >> shift) & 1);
            break;
        case Rounding::Floor:
            break;
    }
    return value >> shift;
}

/// The last step of CONVACC, ARITH, ACTIV and POOL: shift, round, limit, put on the link.
struct OutputStage {
    unsigned shift = 0;                    ///< bits to the right, 0 to 63
    Rounding rounding = Rounding::HalfUp;  ///< Floor where the ROUND field is 0
    bool relu = false;     ///< ORNDMODE bit 1: negative becomes 0, before saturation or wrapping
    bool saturate = true;  ///< SAT; otherwise the low bytes are kept, sign-extended
    unsigned bytes = 1;    ///< OBYTES, 1 to 3

    /// Returns the link word for a sum; |sum| < 2^62.
    [[nodiscard]] constexpr Word operator()(std::int64_t sum) const {
        return fit(shift_right(sum, shift, rounding));
    }

    /// The part after the shift, for units that clip between the two.
    [[nodiscard]] constexpr Word fit(std::int64_t value) const {
        if (relu && value < 0) value = 0;
        if (!saturate) return static_cast<Word>(sign_extend(value, 8 * bytes));
        const std::int64_t high = (std::int64_t{1} << (8 * bytes - 1)) - 1;
        return static_cast<Word>(value > high ? high : value < -high - 1 ? -high - 1 : value);
    }
};

}  // namespace n6vp::models::npu
