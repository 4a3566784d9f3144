// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// The arithmetic of a quantised layer in the form that the units compute: CONVACC shifts its sums
/// to 16 or 24 bits, ARITH scales them by a 16-bit factor and a 32-bit constant per channel.
namespace n6vp::sim::generate {

/// One output channel: y = multiplier * (sum + offset) + zero point of the output, cut to the
/// range.
struct ChannelScale {
    double multiplier = 0;             ///< s_in * s_w / s_out
    std::int64_t offset = 0;           ///< bias less the input's zero point times the weights
    std::int64_t rest = 0;             ///< the sum of features that are all at their zero point
    std::int64_t least = 0, most = 0;  ///< bounds of the sum; those of a part lie between
};

/// What the layer's output may be.
struct OutputRange {
    std::int32_t zero_point = 0;
    std::int32_t low = -128, high = 127;
};

/// Width of the sums between CONVACC and ARITH. Compiled networks have 16 bits there. That ARITH
/// takes the 24 bits of a link is assumed: its field for them exists, but was never seen in use.
enum class SumWidth : std::uint8_t { Bits16 = 2, Bits24 = 3 };

struct Requantisation {
    std::uint32_t out_shift = 0;          ///< right shift of the sums
    std::uint32_t res = 0;                ///< right shift of ARITH
    std::vector<std::int32_t> factors;    ///< A, 16 bits signed
    std::vector<std::int32_t> constants;  ///< B and C combined
    double largest_error = 0;             ///< bound of what rounding costs, in output steps
};

/// Returns the form with the smallest error bound. Sums may saturate where the output is at its
/// limit anyway, unless `keep_partial`: then partial sums have that width too.
[[nodiscard]] Requantisation requantise(std::span<const ChannelScale> channels,
                                        const OutputRange& range, SumWidth width,
                                        bool keep_partial);

/// A x + B y + C, shifted right by `res`: an addition or a change of scale.
struct AffineForm {
    std::int32_t a = 0, b = 0;  ///< 16 bits signed
    std::int32_t c = 0;         ///< 16 bits signed
    std::uint32_t c_shift = 0;  ///< left shift of c
    std::int32_t constant = 0;  ///< the same, unshifted: for COMBINEBC with one input
    std::uint32_t res = 0;
};

/// Returns the form of x_scale * (x - x_zero) + y_scale * (y - y_zero) + zero point. A scale of 0
/// leaves an input out.
[[nodiscard]] AffineForm affine_form(double x_scale, std::int32_t x_zero, double y_scale,
                                     std::int32_t y_zero, std::int32_t zero_point);

}  // namespace n6vp::sim::generate
