// SPDX-License-Identifier: Apache-2.0
#include "models/soc/camera/pixel_path.h"

#include <algorithm>

#include "models/soc/camera/bayer_pattern.h"

namespace n6vp::models::camera {

namespace {

constexpr std::uint32_t kPixelUnits = 8192;  ///< of the ratios
/// Bits behind the point of ratio times factor: 1024 * 8192.
constexpr unsigned kScaleBits = 23, kMeanBits = 8;
constexpr std::uint32_t kHighest = 255;

[[nodiscard]] std::uint32_t shifted_up(std::uint32_t value, unsigned shift) {
    return (value + (1u << shift) - 1) >> shift;
}
/// Returns how many whole outputs `input` pixels are enough for.
[[nodiscard]] std::uint32_t outputs(std::uint32_t input, std::uint32_t ratio, std::uint32_t most) {
    if (ratio == 0) return 0;
    const std::uint64_t whole = std::uint64_t{input} * kPixelUnits / ratio;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(whole, most));
}

}  // namespace

void PixelPath::begin(const PathSettings& settings, std::uint32_t width, std::uint32_t height) {
    settings_ = settings;
    area_ = {0, 0, width, height};
    if (settings.crop) {
        area_.left = std::min(settings.area.left, width);
        area_.top = std::min(settings.area.top, height);
        area_.width = std::min(settings.area.width, width - area_.left);
        area_.height = std::min(settings.area.height, height - area_.top);
    }
    const std::uint32_t columns = shifted_up(area_.width, settings.column_shift);
    lines_ = shifted_up(area_.height, settings.line_shift);
    out_width_ = columns;
    out_height_ = lines_;
    done_ = 0;
    if (!settings.downsize) return;
    out_width_ = outputs(columns, settings.column_ratio, settings.width);
    out_height_ = outputs(lines_, settings.line_ratio, settings.height);
    plan_columns(columns);
    sums_.assign(columns * kPixelBytes, 0);
    line_means_.resize(columns * kPixelBytes);
    output_.resize(out_width_ * kPixelBytes);
}

void PixelPath::plan_columns(std::uint32_t columns) {
    columns_.resize(out_width_);
    for (std::uint32_t i = 0; i < out_width_; ++i) {
        const std::uint64_t from = std::uint64_t{i} * settings_.column_ratio;
        const std::uint64_t to = from + settings_.column_ratio;
        Column& column = columns_[i];
        column.first = static_cast<std::uint32_t>(from / kPixelUnits);
        column.last = std::min(static_cast<std::uint32_t>((to - 1) / kPixelUnits), columns - 1);
        const std::uint64_t first_end =
            std::min<std::uint64_t>(to, (std::uint64_t{column.first} + 1) * kPixelUnits);
        column.first_weight = static_cast<std::uint32_t>(first_end - from);
        column.last_weight =
            column.last == column.first
                ? 0
                : static_cast<std::uint32_t>(to - std::uint64_t{column.last} * kPixelUnits);
    }
}

std::span<const std::uint8_t> PixelPath::selected(std::span<const std::uint8_t> rgb) {
    // Software may have changed the decimation before this pipe within the frame.
    const std::size_t first = std::min(area_.left * kPixelBytes, rgb.size());
    rgb = rgb.subspan(first, std::min(area_.width * kPixelBytes, rgb.size() - first));
    if (settings_.column_shift == 0) return rgb;
    const std::size_t step = kPixelBytes << settings_.column_shift;
    decimated_.clear();
    for (std::size_t i = 0; i < rgb.size(); i += step) {
        decimated_.insert(decimated_.end(), rgb.begin() + static_cast<std::ptrdiff_t>(i),
                          rgb.begin() + static_cast<std::ptrdiff_t>(i + kPixelBytes));
    }
    return decimated_;
}

bool PixelPath::take(std::span<const std::uint8_t> rgb, std::uint32_t line) {
    if (line < area_.top || line - area_.top >= area_.height || done_ == out_height_) return false;
    const std::uint32_t within = line - area_.top;
    if ((within & ((1u << settings_.line_shift) - 1)) != 0) return false;
    const std::span<const std::uint8_t> wanted = selected(rgb);
    if (settings_.downsize) return accumulate(wanted, within >> settings_.line_shift);
    output_.assign(wanted.begin(), wanted.end());
    ++done_;
    return true;
}

/// A line may end one output line and begin the next.
bool PixelPath::accumulate(std::span<const std::uint8_t> rgb, std::uint32_t line) {
    const std::uint64_t from = std::uint64_t{line} * kPixelUnits, to = from + kPixelUnits;
    const std::uint64_t end = (std::uint64_t{done_} + 1) * settings_.line_ratio;
    if (to < end) {
        add(rgb, kPixelUnits);
        return false;
    }
    add(rgb, static_cast<std::uint32_t>(end - from));
    finish_line();
    std::fill(sums_.begin(), sums_.end(), 0);
    // A ratio below one, which would give several lines: the hardware only makes pictures smaller.
    if (to > end) add(rgb, static_cast<std::uint32_t>(to - end));
    ++done_;
    return true;
}

void PixelPath::add(std::span<const std::uint8_t> rgb, std::uint32_t weight) {
    const std::size_t count = std::min(rgb.size(), sums_.size());
    std::uint32_t* const sums = sums_.data();
    const std::uint8_t* const values = rgb.data();
    for (std::size_t i = 0; i < count; ++i) sums[i] += weight * values[i];
}

void PixelPath::finish_line() {
    const std::uint64_t line_factor = settings_.line_factor;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        line_means_[i] =
            static_cast<std::uint32_t>(sums_[i] * line_factor >> (kScaleBits - kMeanBits));
    }
    constexpr std::uint64_t kHalf = std::uint64_t{1} << (kScaleBits + kMeanBits - 1);
    for (std::uint32_t i = 0; i < out_width_; ++i) {
        const Column& column = columns_[i];
        for (std::size_t part = 0; part < kPixelBytes; ++part) {
            const std::uint32_t* const at = line_means_.data() + part;
            std::uint64_t inner = 0;
            for (std::uint32_t x = column.first + 1; x < column.last; ++x)
                inner += at[x * kPixelBytes];
            const std::uint64_t sum =
                inner * kPixelUnits +
                std::uint64_t{at[column.first * kPixelBytes]} * column.first_weight +
                std::uint64_t{at[column.last * kPixelBytes]} * column.last_weight;
            const std::uint64_t mean =
                (sum * settings_.column_factor + kHalf) >> (kScaleBits + kMeanBits);
            output_[i * kPixelBytes + part] =
                static_cast<std::uint8_t>(std::min<std::uint64_t>(mean, kHighest));
        }
    }
}

}  // namespace n6vp::models::camera
