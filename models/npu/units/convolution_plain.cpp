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
template <class Element>
std::int64_t dot(const ConvolutionShape& shape, const Element* window, const std::int32_t* weight) {
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
                    std::span<const Word> words, std::size_t first, std::size_t end,
                    std::vector<std::int32_t>& plane) {
    using Limits = std::numeric_limits<std::int32_t>;
    const unsigned bytes = shape.packing == FeaturePacking::Elements ? config.dformat.fbytes : 1;
    Reach reach{Limits::max(), Limits::min()};
    shape.for_each_segment(first, end, [&](const ConvolutionShape::Segment& segment) {
        for (std::size_t i = 0; i < segment.pixels * shape.depth; ++i) {
            const Word word =
                element_word(shape, words, segment.pixel + i / shape.depth, i % shape.depth);
            const std::int32_t value = low_bytes(word, bytes, config.ctrl.funsigned) - config.fsub;
            plane[segment.plane_pixel * shape.depth + i] = value;
            reach.low = std::min(reach.low, value);
            reach.high = std::max(reach.high, value);
        }
    });
    return reach;
}

template <class Element>
bool convolve(const ConvolutionShape& shape, std::span<const Element> plane,
              std::span<const std::int32_t> weights, const Portion& portion, unsigned in_shift,
              const OutputStage& stage) {
    using Limits = std::numeric_limits<std::int32_t>;
    bool wide = false;
    for (std::size_t at = 0; at < portion.out.size(); ++at) {
        const std::size_t index = portion.first_pixel + at / shape.kernels;
        const std::size_t kernel = at % shape.kernels;
        const std::size_t pixel =
            index / shape.out_width * shape.vertical_stride * shape.plane_width +
            index % shape.out_width * shape.horizontal_stride;
        std::int64_t sum =
            dot(shape, &plane[pixel * shape.depth], &weights[kernel * shape.kernel_size()]);
        if (!portion.sums.empty())
            sum += std::int64_t{portion.sums[at]} * (std::int64_t{1} << in_shift);
        wide |= sum < Limits::min() || sum > Limits::max();
        portion.out[at] = stage(sum);
    }
    return wide;
}

template bool convolve<std::int16_t>(const ConvolutionShape&, std::span<const std::int16_t>,
                                     std::span<const std::int32_t>, const Portion&, unsigned,
                                     const OutputStage&);
template bool convolve<std::int32_t>(const ConvolutionShape&, std::span<const std::int32_t>,
                                     std::span<const std::int32_t>, const Portion&, unsigned,
                                     const OutputStage&);

}  // namespace n6vp::models::npu::plain
