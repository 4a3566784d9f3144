// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/requantise.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace n6vp::sim::generate {

namespace {

constexpr std::int64_t kLargest16 = 32767;
// A sum of A * x and the constant stays in 32 bits, below the widest that was ever observed.
constexpr double kLargestConstant = 1 << 30;
// Beyond this, finer factors change no output.
constexpr std::uint32_t kMostRes = 30;

/// The largest magnitude of the sums of a channel that decide its output.
double needed_magnitude(const ChannelScale& channel, const OutputRange& range) {
    auto least = static_cast<double>(channel.least), most = static_cast<double>(channel.most);
    if (channel.multiplier > 0) {
        // One step beyond each limit, so that a saturated sum is still cut by the output.
        const double low = (range.low - 1.0 - range.zero_point) / channel.multiplier;
        const double high = (range.high + 1.0 - range.zero_point) / channel.multiplier;
        const auto offset = static_cast<double>(channel.offset);
        least = std::clamp(low - offset, least, most);
        most = std::clamp(high - offset, least, most);
    }
    return std::max(std::abs(least), std::abs(most));
}

std::uint32_t shift_to_16_bits(double magnitude) {
    std::uint32_t shift = 0;
    while (std::ldexp(magnitude, -static_cast<int>(shift)) > static_cast<double>(kLargest16)) {
        ++shift;
    }
    return shift;
}

double scaled(double value, std::uint32_t shift) {
    return std::ldexp(value, static_cast<int>(shift));
}

}  // namespace

Requantisation requantise(std::span<const ChannelScale> channels, const OutputRange& range) {
    Requantisation result;
    double magnitude = 0;
    for (const ChannelScale& channel : channels) {
        magnitude = std::max(magnitude, needed_magnitude(channel, range));
    }
    result.out_shift = shift_to_16_bits(magnitude);
    double constant = 0;
    for (const ChannelScale& channel : channels) {
        result.largest_gain =
            std::max(result.largest_gain, scaled(channel.multiplier, result.out_shift));
        constant = std::max(constant,
                            std::abs(channel.multiplier * static_cast<double>(channel.offset) +
                                     range.zero_point));
    }
    while (result.res < kMostRes &&
           scaled(result.largest_gain, result.res + 1) <= static_cast<double>(kLargest16) &&
           scaled(constant, result.res + 1) <= kLargestConstant) {
        ++result.res;
    }
    for (const ChannelScale& channel : channels) {
        const double gain = scaled(channel.multiplier, result.out_shift);
        const double added =
            channel.multiplier * static_cast<double>(channel.offset) + range.zero_point;
        result.factors.push_back(static_cast<std::int32_t>(
            std::min(std::lround(scaled(gain, result.res)), static_cast<long>(kLargest16))));
        result.constants.push_back(static_cast<std::int32_t>(
            std::clamp(std::round(scaled(added, result.res)), -kLargestConstant, kLargestConstant)));
    }
    return result;
}

AffineForm affine_form(double x_scale, std::int32_t x_zero, double y_scale, std::int32_t y_zero,
                       std::int32_t zero_point) {
    AffineForm form;
    const double constant = zero_point - x_scale * x_zero - y_scale * y_zero;
    const double factor = std::max(std::abs(x_scale), std::abs(y_scale));
    while (form.res < kMostRes &&
           scaled(factor, form.res + 1) <= static_cast<double>(kLargest16) &&
           scaled(std::abs(constant), form.res + 1) <= kLargestConstant) {
        ++form.res;
    }
    form.a = static_cast<std::int32_t>(std::lround(scaled(x_scale, form.res)));
    form.b = static_cast<std::int32_t>(std::lround(scaled(y_scale, form.res)));
    form.constant = static_cast<std::int32_t>(std::lround(scaled(constant, form.res)));
    std::int64_t c = form.constant;
    while (std::abs(c) > kLargest16) {
        ++form.c_shift;
        // Rounded to the nearest, so that at most half a step of 2^c_shift is lost.
        c = static_cast<std::int64_t>(
            std::lround(std::ldexp(form.constant, -static_cast<int>(form.c_shift))));
    }
    form.c = static_cast<std::int32_t>(c);
    return form;
}

}  // namespace n6vp::sim::generate
