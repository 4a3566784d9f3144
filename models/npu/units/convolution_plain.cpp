// SPDX-License-Identifier: Apache-2.0
#include "models/npu/units/convolution_plain.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace n6vp::models::npu::plain {
namespace {

/// Returns element `channel` of pixel `pixel` as the link carries it, in its lowest bytes.
Word element_word(const ConvolutionShape& shape, std::span<const Word> words, std::size_t pixel,
                  std::size_t channel) {
    std::size_t index = pixel * shape.depth + channel, lane = 0;
    switch (shape.packing) {
        case FeaturePacking::Elements:
            break;
        case FeaturePacking::Pairs:
            lane = index % 2;
            index /= 2;
            break;
        case FeaturePacking::Contiguous:
            lane = index % 3;
            index /= 3;
            break;
        case FeaturePacking::Pixels:
            lane = channel % 3;
            index = pixel * ((shape.depth + 2) / 3) + channel / 3;
            break;
    }
    return words[index] >> (8 * lane);
}

/// Returns the sum over one window, whose first element is `window`.
std::int64_t dot(const ConvolutionShape& shape, const std::int32_t* window,
                 const std::int32_t* weight) {
    std::int64_t sum = 0;
    const std::size_t row = shape.kernel_width * shape.depth;
    for (std::size_t y = 0; y < shape.kernel_height; ++y) {
        for (std::size_t i = 0; i < row; ++i) sum += std::int64_t{window[i]} * weight[i];
        window += shape.plane_width * shape.depth;
        weight += row;
    }
    return sum;
}

}  // namespace

Reach load_features(const ConvolutionShape& shape, const ConvolutionConfig& config,
                    std::span<const Word> words, std::vector<std::int32_t>& plane) {
    using Limits = std::numeric_limits<std::int32_t>;
    const unsigned bytes = shape.packing == FeaturePacking::Elements ? config.dformat.fbytes : 1;
    Reach reach{Limits::max(), Limits::min()};
    for (std::size_t y = 0; y < shape.crop_height; ++y) {
        for (std::size_t x = 0; x < shape.crop_width; ++x) {
            const std::size_t from = (y + shape.crop_top) * shape.width + x + shape.crop_left;
            const std::size_t to = (y + shape.top()) * shape.plane_width + x + shape.left();
            for (std::size_t c = 0; c < shape.depth; ++c) {
                const Word word = element_word(shape, words, from, c);
                const std::int32_t value =
                    low_bytes(word, bytes, config.ctrl.funsigned) - config.fsub;
                plane[to * shape.depth + c] = value;
                reach.low = std::min(reach.low, value);
                reach.high = std::max(reach.high, value);
            }
        }
    }
    return reach;
}

bool convolve(const ConvolutionShape& shape, std::span<const std::int32_t> plane,
              std::span<const std::int32_t> weights, std::span<const Word> sums, unsigned in_shift,
              const OutputStage& stage, std::span<Word> out) {
    using Limits = std::numeric_limits<std::int32_t>;
    bool wide = false;
    std::size_t at = 0;
    for (std::size_t y = 0; y < shape.out_height; ++y) {
        for (std::size_t x = 0; x < shape.out_width; ++x) {
            const std::size_t pixel =
                y * shape.vertical_stride * shape.plane_width + x * shape.horizontal_stride;
            for (std::size_t k = 0; k < shape.kernels; ++k, ++at) {
                std::int64_t sum =
                    dot(shape, &plane[pixel * shape.depth], &weights[k * shape.kernel_size()]);
                if (!sums.empty()) sum += std::int64_t{sums[at]} * (std::int64_t{1} << in_shift);
                wide |= sum < Limits::min() || sum > Limits::max();
                out[at] = stage(sum);
            }
        }
    }
    return wide;
}

}  // namespace n6vp::models::npu::plain
