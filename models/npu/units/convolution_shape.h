// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "models/npu/units/convolution_config.h"

namespace n6vp::models::npu {

/// How a feature frame lies on the link.
enum class FeaturePacking : std::uint8_t {
    Elements,    ///< one element a word
    Pairs,       ///< DSS2: two channels a word
    Contiguous,  ///< deep, FBYTES 3: bytes of the whole frame, three a word
    Pixels,      ///< deep, FBYTES 1: three channels a word, each pixel starts a word
};

/// Sizes that follow from a configuration. "Plane" is the feature map after crop, ZFRAME and pads.
/// Valid for configurations that `judge` finds computable. Pixels, lines and elements, no bytes.
struct ConvolutionShape {
    std::size_t depth = 1;  ///< channels of a pixel
    std::size_t kernels = 1, kernel_width = 1, kernel_height = 1;
    std::size_t width = 0, height = 0;        ///< feature map on the link
    std::size_t crop_left = 0, crop_top = 0;  ///< first pixel and line that count
    std::size_t crop_width = 0, crop_height = 0;
    std::size_t pad_left = 0, pad_right = 0, pad_top = 0, pad_bottom = 0;          ///< zeros
    std::size_t frame_left = 0, frame_right = 0, frame_top = 0, frame_bottom = 0;  ///< ZFBIAS
    std::size_t horizontal_stride = 1, vertical_stride = 1;
    std::size_t plane_width = 0, plane_height = 0;
    std::size_t out_width = 0, out_height = 0;
    FeaturePacking packing = FeaturePacking::Elements;

    explicit ConvolutionShape(const ConvolutionConfig& config);

    /// Returns the first pixel and line of the plane that come from the link.
    [[nodiscard]] std::size_t left() const { return pad_left + frame_left; }
    [[nodiscard]] std::size_t top() const { return pad_top + frame_top; }

    /// Returns how many weights one kernel has.
    [[nodiscard]] std::size_t kernel_size() const { return kernel_width * kernel_height * depth; }
    [[nodiscard]] std::size_t feature_words() const;
    [[nodiscard]] std::size_t output_words() const { return out_width * out_height * kernels; }

    /// Returns how many pixels of the link's feature map its first `words` words complete.
    [[nodiscard]] std::size_t whole_pixels(std::size_t words) const;
    /// Returns how many words carry the first `pixels` pixels of the link's feature map.
    [[nodiscard]] std::size_t words_of(std::size_t pixels) const;
    /// Returns how many feature words the output at column `x` and line `y` depends on: all up to
    /// the last pixel of the feature map in its window.
    [[nodiscard]] std::size_t features_needed(std::size_t x, std::size_t y) const;

    /// Neighbouring pixels of a feature-map line that belong to the plane.
    struct Segment {
        std::size_t pixel = 0, plane_pixel = 0;  ///< the first of them: on the link, in the plane
        std::size_t pixels = 0;
    };
    /// Calls `function` for what lies between two pixels of the link and is not cropped.
    template <class Function>
    void for_each_segment(std::size_t first, std::size_t end, const Function& function) const {
        if (first >= end) return;
        const std::size_t bottom = std::min((end - 1) / width + 1, crop_top + crop_height);
        for (std::size_t y = std::max(first / width, crop_top); y < bottom; ++y) {
            const std::size_t from = std::max(first, y * width + crop_left);
            const std::size_t to = std::min(end, y * width + crop_left + crop_width);
            if (from >= to) continue;
            const std::size_t x = from - y * width - crop_left;
            function({from, (y - crop_top + top()) * plane_width + left() + x, to - from});
        }
    }
};

}  // namespace n6vp::models::npu
