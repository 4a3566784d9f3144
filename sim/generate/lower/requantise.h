// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
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

/// Exact to a fraction of 2^-31 of the multiplier: one ARITH adds the offsets as whole numbers, the
/// next sees the result at both inputs and multiplies it by high + low / 2^kLowFactorBits.
struct WholeSums {
    std::uint32_t res = 0;                ///< right shift of the second ARITH
    std::vector<std::int32_t> sums;       ///< 1, or 0 where the sum is too small to count
    std::vector<std::int32_t> offsets;    ///< that the first adds to sums, 32 bits signed
    std::vector<std::int32_t> high, low;  ///< A and B of the second, 16 bits signed
};
inline constexpr std::uint32_t kLowFactorBits = 16;

/// Returns that form, or nothing if a sum that decides about an output leaves the 24 bits of a link
/// or a multiplier the 16 bits of a factor.
[[nodiscard]] std::optional<WholeSums> whole_sums(std::span<const ChannelScale> channels,
                                                  const OutputRange& range);

/// A real number between -2^15 and 2^15 as high + low / 2^kLowFactorBits.
struct SplitFactor {
    std::int32_t high = 0, low = 0;
};
[[nodiscard]] SplitFactor split_factor(double value);

/// A x + B y + C, shifted right by `res`: an addition or a change of scale.
struct AffineForm {
    std::int32_t a = 0, b = 0;  ///< 16 bits signed
    std::int32_t c = 0;         ///< 16 bits signed
    std::uint32_t c_shift = 0;  ///< left shift of c
    std::int32_t constant = 0;  ///< the same, unshifted: for COMBINEBC with one input
    std::uint32_t res = 0;
};

/// What a stage may make of an input.
struct AllowedStep {
    std::int64_t x = 0, low = 0, high = 0;
};
/// Returns a form of one input near `factor` that gives an allowed output for every input that is
/// listed, or nothing if none of the factors beside it does. Ties are avoided where possible.
[[nodiscard]] std::optional<AffineForm> exact_form(std::span<const AllowedStep> steps,
                                                   double factor);

/// One of the weighted sums (A x + B y + (C << c_shift)) >> res.
struct PartSum {
    std::int32_t a = 0, b = 0, c = 0;  ///< 16 bits signed
    std::uint32_t c_shift = 0, res = 0;
};

/// A weighted sum of two numbers of 8 bits, exact to about 2^-20 steps: `whole` has the upper parts
/// of the factors, without a rest; `fine` what they lack, with kFineBits more. The result is
/// (whole << kFineBits) + fine, shifted right by `res`.
struct SumForm {
    PartSum whole, fine;
    std::uint32_t res = 0;
};
inline constexpr std::uint32_t kFineBits = 8;

/// Returns the form of x_scale * (x - x_zero) + y_scale * (y - y_zero) + zero point, or nothing for
/// scales that are out of proportion.
[[nodiscard]] std::optional<SumForm> sum_form(double x_scale, std::int32_t x_zero, double y_scale,
                                              std::int32_t y_zero, std::int32_t zero_point);

/// Returns the form of x_scale * (x - x_zero) + y_scale * (y - y_zero) + zero point. A scale of 0
/// leaves an input out.
[[nodiscard]] AffineForm affine_form(double x_scale, std::int32_t x_zero, double y_scale,
                                     std::int32_t y_zero, std::int32_t zero_point);

}  // namespace n6vp::sim::generate
