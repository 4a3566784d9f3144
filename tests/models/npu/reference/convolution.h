// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace n6vp::test::reference {

/// What a half becomes when bits are shifted out.
enum class Ties : std::uint8_t { Up, AwayFromZero, ToEven, NoRounding };

/// One pass of the convolution unit as its description has it: numbers, no registers, no stream
/// words. Horizontal measures are pixels here.
struct Layer {
    int kernel_width = 1, kernel_height = 1, depth = 1, kernels = 1;
    int width = 1, height = 1;
    int crop_left = 0, crop_right = 0, crop_top = 0, crop_bottom = 0;  ///< inclusive
    int frame_left = 0, frame_right = 0, frame_top = 0, frame_bottom = 0;
    int frame_value = 0;
    int pad_left = 0, pad_right = 0, pad_top = 0, pad_bottom = 0;
    int stride_x = 1, stride_y = 1;
    int zero_point = 0;
    int in_shift = 0, out_shift = 0, out_bytes = 3;
    Ties ties = Ties::Up;
    bool relu = false, saturate = true;

    [[nodiscard]] int out_width() const;
    [[nodiscard]] int out_height() const;
};

/// Tensors: features [line][pixel][channel], weights [kernel][line][column][channel], sums and
/// results [line][pixel][kernel]. An empty `sums` adds nothing.
using Tensor = std::vector<std::int64_t>;

Tensor convolve(const Layer& layer, const Tensor& features, const Tensor& weights,
                const Tensor& sums);

/// Returns the number that a unit puts on its link for a sum.
std::int64_t output_value(std::int64_t sum, int shift, Ties ties, bool relu, bool saturate,
                          int bytes);

}  // namespace n6vp::test::reference
