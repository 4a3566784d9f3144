// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/lower/requantise.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace n6vp::sim::generate {

namespace {

constexpr double kLargest16 = 32767, kLargest24 = (1 << 23) - 1;
// The widest sum ever observed in ARITH needs 33 bits with its sign.
constexpr double kLargestSum = 4294967295.0;
constexpr double kLargestConstant = 1 << 30;
// Of an ARITH with B and C combined.
constexpr double kLargestOffset = 2147483647.0;
// Beyond this, finer factors change no output.
constexpr std::uint32_t kMaxRes = 30;
constexpr std::uint32_t kMaxShift = 31;

double scaled(double value, std::uint32_t shift) {
    return std::ldexp(value, static_cast<int>(shift));
}
double shifted(double value, std::uint32_t shift) {
    return std::ldexp(value, -static_cast<int>(shift));
}

double reach_of(const ChannelScale& channel) {
    return static_cast<double>(std::max(-channel.least, channel.most));
}

/// The sums of a channel that decide its output: others are cut.
struct Span {
    double low = 0, high = 0;

    [[nodiscard]] double magnitude() const { return std::max(std::abs(low), std::abs(high)); }
    [[nodiscard]] double reach_from(double point) const {
        return std::max(high - point, point - low);
    }
};
Span deciding_sums(const ChannelScale& channel, const OutputRange& range) {
    if (channel.multiplier <= 0) return {};
    const auto least = static_cast<double>(channel.least), most = static_cast<double>(channel.most);
    // One step beyond each limit, so that a saturated sum is still cut by the output.
    const double low = (range.low - 1.0 - range.zero_point) / channel.multiplier;
    const double high = (range.high + 1.0 - range.zero_point) / channel.multiplier;
    const auto offset = static_cast<double>(channel.offset);
    return {std::clamp(low - offset, least, most), std::clamp(high - offset, least, most)};
}

/// The sum around which results are most exact: most features are near their zero point.
double pivot(const ChannelScale& channel, const Span& sums) {
    return std::clamp(static_cast<double>(channel.rest), sums.low, sums.high);
}

double constant_of(const ChannelScale& channel, const OutputRange& range) {
    return channel.multiplier * static_cast<double>(channel.offset) + range.zero_point;
}

/// Returns whether factors with `res` bits behind the point stay within the unit for every sum.
bool fits(std::span<const ChannelScale> channels, const OutputRange& range, std::uint32_t shift,
          std::uint32_t res, double largest_sum) {
    return std::all_of(channels.begin(), channels.end(), [&](const ChannelScale& channel) {
        const double factor = scaled(channel.multiplier, shift + res);
        const double constant = std::abs(scaled(constant_of(channel, range), res));
        const double sum = std::min(shifted(reach_of(channel), shift), largest_sum);
        return factor <= kLargest16 && constant <= kLargestConstant &&
               (factor + 1) * sum + constant <= kLargestSum;
    });
}

/// Returns the bound of the error of one shift, in output steps: of the sum's last bit, and of the
/// factor's.
double error_of(std::span<const ChannelScale> channels, const OutputRange& range,
                std::uint32_t shift, std::uint32_t res) {
    double error = 0;
    for (const ChannelScale& channel : channels) {
        const double of_sum = shift == 0 ? 0 : scaled(channel.multiplier, shift) / 2;
        const Span sums = deciding_sums(channel, range);
        const double of_factor = shifted(sums.reach_from(pivot(channel, sums)), shift + res) / 2;
        error = std::max(error, of_sum + of_factor);
    }
    return error;
}

std::int32_t rounded(double value, double most) {
    return static_cast<std::int32_t>(std::clamp(std::round(value), -most, most));
}

}  // namespace

Requantisation requantise(std::span<const ChannelScale> channels, const OutputRange& range,
                          SumWidth width, bool keep_partial) {
    const double largest_sum = width == SumWidth::Bits16 ? kLargest16 : kLargest24;
    double magnitude = 0;
    for (const ChannelScale& channel : channels) {
        magnitude = std::max(magnitude, keep_partial ? reach_of(channel)
                                                     : deciding_sums(channel, range).magnitude());
    }
    std::uint32_t least_shift = 0;
    while (shifted(magnitude, least_shift) > largest_sum) ++least_shift;
    Requantisation result;
    bool found = false;
    // Of 16 bits as many as possible are used; of 24, as many as leave room for the factors.
    const std::uint32_t most_shift = width == SumWidth::Bits16 ? least_shift : kMaxShift;
    for (std::uint32_t shift = least_shift; shift <= most_shift; ++shift) {
        std::uint32_t res = 0;
        while (res < kMaxRes && fits(channels, range, shift, res + 1, largest_sum)) ++res;
        const double error = error_of(channels, range, shift, res);
        if (found && error >= result.largest_error) continue;
        found = true;
        result.out_shift = shift;
        result.res = res;
        result.largest_error = error;
    }
    for (const ChannelScale& channel : channels) {
        const std::int32_t factor =
            rounded(scaled(channel.multiplier, result.out_shift + result.res), kLargest16);
        // What the rounded factor lacks is made up for at the pivot.
        const double sum = pivot(channel, deciding_sums(channel, range));
        const double exact =
            scaled(channel.multiplier * sum + constant_of(channel, range), result.res);
        const double product = factor * shifted(sum, result.out_shift);
        result.factors.push_back(factor);
        result.constants.push_back(rounded(exact - product, kLargestConstant));
    }
    return result;
}

SplitFactor split_factor(double value) {
    constexpr double kLowOne = 1 << kLowFactorBits;
    const auto whole = static_cast<std::int64_t>(std::llround(value * kLowOne));
    // The lower part is a signed number of 16 bits.
    const std::int64_t high = (whole + (1 << (kLowFactorBits - 1))) >> kLowFactorBits;
    return {static_cast<std::int32_t>(high),
            static_cast<std::int32_t>(whole - high * (1 << kLowFactorBits))};
}

namespace {

/// Channels whose weights are all but 0 have multipliers so small that their offsets have more bits
/// than a link. They are constants: a smaller offset with a larger multiplier is the same. Returns
/// true for these.
bool make_constant(ChannelScale& channel) {
    constexpr double kNothing = 1.0 / (1 << 16);  // of a step
    constexpr double kEnough = 1 << 22;
    if (std::abs(static_cast<double>(channel.offset)) < kEnough ||
        channel.multiplier * reach_of(channel) > kNothing) {
        return false;
    }
    auto offset = static_cast<double>(channel.offset);
    while (std::abs(offset) >= kEnough) {
        offset /= 2;
        channel.multiplier *= 2;
    }
    channel.offset = static_cast<std::int64_t>(std::llround(offset));
    channel.rest = channel.least = channel.most = 0;
    return true;
}

}  // namespace

std::optional<WholeSums> whole_sums(std::span<const ChannelScale> channels,
                                    const OutputRange& range) {
    std::vector<ChannelScale> own(channels.begin(), channels.end());
    WholeSums result;
    double reach = 0, largest = 0;
    for (ChannelScale& channel : own) {
        result.sums.push_back(make_constant(channel) ? 0 : 1);
        ChannelScale moved = channel;
        moved.least += channel.offset;
        moved.most += channel.offset;
        moved.offset = 0;
        if (deciding_sums(channel, range).magnitude() > kLargest24 ||
            deciding_sums(moved, range).magnitude() > kLargest24 ||
            std::abs(static_cast<double>(channel.offset)) > kLargestOffset) {
            return std::nullopt;
        }
        largest = std::max(largest, channel.multiplier);
        reach = std::max(reach, channel.multiplier * std::min(reach_of(moved), kLargest24));
    }
    const auto fits = [&](std::uint32_t res) {
        const double zero = scaled(std::abs(range.zero_point), res);
        // The lower part of the factor is half a unit of the upper one at most.
        return scaled(largest, res) < kLargest16 - 1 &&
               scaled(reach, res) + zero + kLargest24 < kLargestSum;
    };
    if (!fits(0)) return std::nullopt;
    while (result.res < kMaxRes && fits(result.res + 1)) ++result.res;
    for (const ChannelScale& channel : own) {
        const SplitFactor factor = split_factor(scaled(channel.multiplier, result.res));
        result.offsets.push_back(static_cast<std::int32_t>(channel.offset));
        result.high.push_back(factor.high);
        result.low.push_back(factor.low);
    }
    return result;
}

std::optional<AffineForm> exact_form(std::span<const AllowedStep> steps, double factor) {
    std::uint32_t res = 0;
    while (res < kMaxRes && scaled(factor, res + 1) <= kLargest16) ++res;
    const std::int64_t one = std::int64_t{1} << res, half = one / 2;
    const auto nearest = static_cast<std::int64_t>(std::llround(scaled(factor, res)));
    constexpr std::int64_t kNeighbours = 8;
    for (std::int64_t i = 0; i <= 2 * kNeighbours; ++i) {
        const std::int64_t a = nearest + (i % 2 == 0 ? -i / 2 : (i + 1) / 2);
        if (std::abs(static_cast<double>(a)) > kLargest16) continue;
        // The constants with which a x + c, rounded, is allowed for every x.
        std::int64_t least = std::numeric_limits<std::int32_t>::min();
        std::int64_t most = std::numeric_limits<std::int32_t>::max();
        for (const AllowedStep& step : steps) {
            least = std::max(least, step.low * one - half - a * step.x);
            most = std::min(most, (step.high + 1) * one - 1 - half - a * step.x);
        }
        if (least > most) continue;
        AffineForm form;
        form.a = static_cast<std::int32_t>(a);
        form.constant = static_cast<std::int32_t>(least + (most - least) / 2);
        form.res = res;
        return form;
    }
    return std::nullopt;
}

namespace {

/// Sets C and its shift to a number; returns what is lost.
double set_constant(PartSum& part, double value) {
    while (std::abs(std::round(shifted(value, part.c_shift))) > kLargest16) ++part.c_shift;
    const double c = std::round(shifted(value, part.c_shift));
    part.c = static_cast<std::int32_t>(c);
    return value - scaled(c, part.c_shift);
}

}  // namespace

std::optional<SumForm> sum_form(double x_scale, std::int32_t x_zero, double y_scale,
                                std::int32_t y_zero, std::int32_t zero_point) {
    constexpr double kByte = 128;
    const double constant = zero_point - x_scale * x_zero - y_scale * y_zero;
    const double reach = kByte * (std::abs(x_scale) + std::abs(y_scale)) + std::abs(constant);
    const double factor = std::max(std::abs(x_scale), std::abs(y_scale));
    // A rounded constant may be a little larger than the constant.
    const auto fits = [&](std::uint32_t bits) {
        return scaled(factor, bits) < kLargest16 && scaled(reach, bits) < kLargest24 * 0.99;
    };
    if (!fits(0)) return std::nullopt;
    std::uint32_t bits = 0;
    while (bits < kMaxRes && fits(bits + 1)) ++bits;
    SumForm form;
    form.res = bits + kFineBits;
    form.whole.a = static_cast<std::int32_t>(std::lround(scaled(x_scale, bits)));
    form.whole.b = static_cast<std::int32_t>(std::lround(scaled(y_scale, bits)));
    const double lost = set_constant(form.whole, scaled(constant, bits));
    // Rests of the factors are half a unit at most.
    constexpr std::uint32_t kRestBits = 15;
    const auto rest = [&](double scale, std::int32_t whole) {
        return static_cast<std::int32_t>(
            std::lround(scaled(scaled(scale, bits) - whole, kRestBits)));
    };
    form.fine.a = rest(x_scale, form.whole.a);
    form.fine.b = rest(y_scale, form.whole.b);
    form.fine.res = kRestBits - kFineBits;
    set_constant(form.fine, scaled(lost, kRestBits));
    return form;
}

AffineForm affine_form(double x_scale, std::int32_t x_zero, double y_scale, std::int32_t y_zero,
                       std::int32_t zero_point) {
    AffineForm form;
    const double constant = zero_point - x_scale * x_zero - y_scale * y_zero;
    const double factor = std::max(std::abs(x_scale), std::abs(y_scale));
    while (form.res < kMaxRes && scaled(factor, form.res + 1) <= kLargest16 &&
           scaled(std::abs(constant), form.res + 1) <= kLargestConstant) {
        ++form.res;
    }
    form.a = static_cast<std::int32_t>(std::lround(scaled(x_scale, form.res)));
    form.b = static_cast<std::int32_t>(std::lround(scaled(y_scale, form.res)));
    // Of the rounded factors, so that a zero point gives a zero point whatever they lack.
    const std::int64_t exact = std::int64_t{zero_point} * (std::int64_t{1} << form.res) -
                               std::int64_t{form.a} * x_zero - std::int64_t{form.b} * y_zero;
    form.constant = static_cast<std::int32_t>(exact);
    std::int64_t c = form.constant;
    while (std::abs(static_cast<double>(c)) > kLargest16) {
        ++form.c_shift;
        // Rounded to the nearest, so that at most half a step of 2^c_shift is lost.
        c = static_cast<std::int64_t>(
            std::lround(std::ldexp(form.constant, -static_cast<int>(form.c_shift))));
    }
    form.c = static_cast<std::int32_t>(c);
    return form;
}

}  // namespace n6vp::sim::generate
