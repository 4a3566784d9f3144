// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace n6vp::models::camera {

/// A part of a picture.
struct Area {
    std::uint32_t left = 0, top = 0, width = 0, height = 0;
};

/// Size and place of a pipe's pixels.
struct PathSettings {
    bool crop = false;
    Area area;  ///< what of it lies outside the picture is not there
    /// Of each 2^n columns and lines the first remains.
    unsigned column_shift = 0, line_shift = 0;
    bool downsize = false;
    std::uint32_t column_ratio = 0, line_ratio = 0;    ///< input by output, in 1/8192
    std::uint32_t column_factor = 0, line_factor = 0;  ///< 1024 * 8192 by the ratio
    std::uint32_t width = 0, height = 0;               ///< largest output of the downsizer
};

/// Crop, decimation and downsizing of DCMIPP's pixel pipes, whole lines at a time.
///
/// Assumed: this order, after the public middleware, which computes the ratios from the size of the
/// crop and halves them for the decimation; an output pixel is the mean of the input that it
/// covers, with parts of a pixel weighed in 1/8192, and is scaled by the factor of the register.
class PixelPath {
  public:
    /// Prepares for a picture of `width` by `height` pixels.
    void begin(const PathSettings& settings, std::uint32_t width, std::uint32_t height);
    /// Takes line `line` of the picture, three bytes for each pixel; lines ascend. Returns true if
    /// an output line is complete, which `output` then has.
    [[nodiscard]] bool take(std::span<const std::uint8_t> rgb, std::uint32_t line);
    [[nodiscard]] std::span<const std::uint8_t> output() const { return output_; }
    [[nodiscard]] std::uint32_t width() const { return out_width_; }
    [[nodiscard]] std::uint32_t height() const { return out_height_; }

  private:
    /// Part of an output column: input samples [first, last], the inner ones with full weight.
    struct Column {
        std::uint32_t first = 0, last = 0;
        std::uint32_t first_weight = 0, last_weight = 0;
    };
    void plan_columns(std::uint32_t columns);
    [[nodiscard]] std::span<const std::uint8_t> selected(std::span<const std::uint8_t> rgb);
    [[nodiscard]] bool accumulate(std::span<const std::uint8_t> rgb, std::uint32_t line);
    void add(std::span<const std::uint8_t> rgb, std::uint32_t weight);
    void finish_line();

    PathSettings settings_;
    Area area_;
    std::uint32_t lines_ = 0;  ///< after the decimation
    std::uint32_t out_width_ = 0, out_height_ = 0, done_ = 0;
    std::vector<std::uint8_t> decimated_, output_;
    std::vector<Column> columns_;
    std::vector<std::uint32_t>
        sums_;  ///< of the output line under way: weights sum up to the ratio
    std::vector<std::uint32_t> line_means_;  ///< 8 bits with 8 more behind the point
};

}  // namespace n6vp::models::camera
