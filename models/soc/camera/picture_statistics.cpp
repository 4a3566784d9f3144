// SPDX-License-Identifier: Apache-2.0
#include "models/soc/camera/picture_statistics.h"

#include <algorithm>
#include <cstddef>

#include "models/soc/camera/bayer_pattern.h"

namespace n6vp::models::camera {

namespace {

constexpr unsigned kLuminance = 3;  ///< component behind red, green and blue
constexpr std::uint64_t kCounted = 256;

/// Values that a module takes, and whether it adds or counts them.
struct Range {
    unsigned least = 0, most = 255;
    bool counts = false;
};
[[nodiscard]] Range range_of(unsigned module, std::uint32_t control) {
    const std::uint32_t bins = control >> 2 & 3;
    const bool counts = (control & 1u << 7) != 0;
    if (!counts) {
        constexpr unsigned kExcluded[] = {0, 16, 32, 64};
        return {kExcluded[bins], 255 - kExcluded[bins], false};
    }
    // Below the first six, above the last six.
    constexpr unsigned kBelow[2][3] = {{4, 8, 16}, {32, 64, 128}};
    constexpr unsigned kAbove[2][3] = {{127, 191, 224}, {239, 247, 251}};
    if (bins < 2) return {0, kBelow[bins][module] - 1, true};
    return {kAbove[bins - 2][module] + 1, 255, true};
}

struct Sum {
    std::uint64_t added = 0, counted = 0;
    void take(unsigned value, const Range& range) {
        const bool inside = range.least <= value && value <= range.most;
        added += inside ? value : 0;
        counted += inside ? 1 : 0;
    }
    [[nodiscard]] std::uint64_t of(const Range& range) const {
        return range.counts ? counted * kCounted : added;
    }
};

}  // namespace

void PictureStatistics::begin(const Settings& settings) {
    settings_ = settings;
    sums_ = {};
    wanted_ = std::any_of(settings.control.begin(), settings.control.end(),
                          [](std::uint32_t control) { return (control & 1) != 0; });
}

void PictureStatistics::take(std::span<const std::uint8_t> rgb, std::uint32_t line) {
    std::uint32_t column = 0;
    if (settings_.in_area) {
        const Area& area = settings_.area;
        if (line < area.top || line - area.top >= area.height) return;
        const auto columns = static_cast<std::uint32_t>(rgb.size() / kPixelBytes);
        column = std::min(area.left, columns);
        rgb =
            rgb.subspan(column * kPixelBytes, std::min(area.width, columns - column) * kPixelBytes);
    }
    for (unsigned module = 0; module < kModules; ++module) {
        if ((settings_.control[module] & 1) != 0) take(module, rgb, line, column);
    }
}

void PictureStatistics::take(unsigned module, std::span<const std::uint8_t> rgb, std::uint32_t line,
                             std::uint32_t column) {
    const std::uint32_t control = settings_.control[module];
    const Range range = range_of(module, control);
    const unsigned source = control >> 4 & 7, component = source & 3;
    const bool demosaiced = source >= 4;
    const std::size_t pixels = rgb.size() / kPixelBytes;
    Sum sum;
    if (demosaiced && component == kLuminance) {
        for (std::size_t i = 0; i < pixels; ++i) {
            const std::uint8_t* const at = rgb.data() + i * kPixelBytes;
            sum.take((at[0] * 77u + at[1] * 150u + at[2] * 29u) >> 8, range);
        }
    } else if (demosaiced) {
        for (std::size_t i = 0; i < pixels; ++i) sum.take(rgb[i * kPixelBytes + component], range);
    } else {
        for (const std::uint32_t start : {0u, 1u}) {
            const unsigned here = bayer_component(settings_.pattern, line, column + start);
            if (component != kLuminance && component != here) continue;
            for (std::size_t i = start; i < pixels; i += 2)
                sum.take(rgb[i * kPixelBytes + here], range);
        }
    }
    sums_[module] += sum.of(range);
}

std::uint32_t PictureStatistics::result(unsigned module) const {
    constexpr std::uint64_t kHighest = 0xFFFFFF;
    return static_cast<std::uint32_t>(std::min(sums_[module] / kCounted, kHighest));
}

}  // namespace n6vp::models::camera
