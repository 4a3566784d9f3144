// SPDX-License-Identifier: Apache-2.0
// Integer rules of the documents by division, for the tests of the vector units. Shares nothing
// with the model.
#pragma once

namespace n6vp::test {

using Integer = long long;

/// Returns 2^n.
inline Integer power(unsigned n) {
    Integer value = 1;
    for (unsigned i = 0; i < n; ++i) value *= 2;
    return value;
}

/// Returns the largest whole number not above value / 2^shift; |value| < 2^62.
inline Integer floor_shift(Integer value, unsigned shift) {
    if (shift > 61) return value < 0 ? -1 : 0;
    const Integer divisor = power(shift), quotient = value / divisor;
    return value % divisor < 0 ? quotient - 1 : quotient;
}

enum class VectorTies { Up, Away, Even, None };

/// Returns value / 2^shift to the nearest whole number, ties by rule; |value| < 2^60.
inline Integer rounded_shift(Integer value, unsigned shift, VectorTies ties) {
    const Integer down = floor_shift(value, shift);
    if (ties == VectorTies::None || shift == 0) return down;
    if (shift > 61) return 0;
    const Integer twice = 2 * (value - down * power(shift)), whole = power(shift);
    if (twice != whole) return twice > whole ? down + 1 : down;
    if (ties == VectorTies::Up) return down + 1;
    if (ties == VectorTies::Away) return value > 0 ? down + 1 : down;
    return down % 2 == 0 ? down : down + 1;
}

/// Returns the low bytes of a value as a signed number.
inline Integer wrapped(Integer value, unsigned bytes) {
    const Integer whole = power(8 * bytes);
    Integer low = value % whole;
    if (low < 0) low += whole;
    return low >= whole / 2 ? low - whole : low;
}

inline Integer limited(Integer value, Integer low, Integer high) {
    return value < low ? low : value > high ? high : value;
}

/// The output stage that all units share.
struct ReferenceStage {
    unsigned shift = 0, bytes = 1;
    bool round = true, relu = false, saturate = true;
    VectorTies ties = VectorTies::Up;
    bool clip = false;
    Integer clip_low = 0, clip_high = 0;

    [[nodiscard]] Integer operator()(Integer sum) const {
        Integer value = rounded_shift(sum, shift, round ? ties : VectorTies::None);
        if (clip) value = limited(value, clip_low, clip_high);
        if (relu && value < 0) value = 0;
        const Integer half = power(8 * bytes - 1);
        return saturate ? limited(value, -half, half - 1) : wrapped(value, bytes);
    }
};

}  // namespace n6vp::test
