// SPDX-License-Identifier: Apache-2.0
#include "tests/models/npu/reference/convolution.h"

namespace n6vp::test::reference {
namespace {

int cropped_width(const Layer& layer) {
    return layer.crop_right - layer.crop_left + 1;
}

int cropped_height(const Layer& layer) {
    return layer.crop_bottom - layer.crop_top + 1;
}

/// Returns a feature of the picture with everything around it; (0, 0) is the first pad.
std::int64_t feature_at(const Layer& layer, const Tensor& features, int y, int x, int channel) {
    const int frame_y = y - layer.pad_top, frame_x = x - layer.pad_left;
    const int frame_height = layer.frame_top + cropped_height(layer) + layer.frame_bottom;
    const int frame_width = layer.frame_left + cropped_width(layer) + layer.frame_right;
    if (frame_y < 0 || frame_y >= frame_height || frame_x < 0 || frame_x >= frame_width) return 0;
    const int inner_y = frame_y - layer.frame_top, inner_x = frame_x - layer.frame_left;
    if (inner_y < 0 || inner_y >= cropped_height(layer) || inner_x < 0 ||
        inner_x >= cropped_width(layer))
        return layer.frame_value;
    const int line = inner_y + layer.crop_top, pixel = inner_x + layer.crop_left;
    const int index = (line * layer.width + pixel) * layer.depth + channel;
    return features[static_cast<std::size_t>(index)] - layer.zero_point;
}

std::int64_t window_sum(const Layer& layer, const Tensor& features, const Tensor& weights, int oy,
                        int ox, int kernel) {
    std::int64_t sum = 0;
    int weight = kernel * layer.kernel_height * layer.kernel_width * layer.depth;
    for (int dy = 0; dy < layer.kernel_height; ++dy)
        for (int dx = 0; dx < layer.kernel_width; ++dx)
            for (int c = 0; c < layer.depth; ++c, ++weight)
                sum += feature_at(layer, features, oy * layer.stride_y + dy,
                                  ox * layer.stride_x + dx, c) *
                       weights[static_cast<std::size_t>(weight)];
    return sum;
}

std::int64_t power_of_two(int exponent) {
    std::int64_t power = 1;
    while (exponent-- > 0) power *= 2;
    return power;
}

}  // namespace

int Layer::out_width() const {
    const int padded = pad_left + frame_left + cropped_width(*this) + frame_right + pad_right;
    return (padded - kernel_width) / stride_x + 1;
}

int Layer::out_height() const {
    const int padded = pad_top + frame_top + cropped_height(*this) + frame_bottom + pad_bottom;
    return (padded - kernel_height) / stride_y + 1;
}

std::int64_t output_value(std::int64_t sum, int shift, Ties ties, bool relu, bool saturate,
                          int bytes) {
    // Division with a remainder that is never negative, then a look at the remainder.
    std::int64_t value = sum;
    if (shift > 0 && shift < 62) {
        const std::int64_t divisor = power_of_two(shift);
        std::int64_t rest = sum % divisor;
        if (rest < 0) rest += divisor;
        value = (sum - rest) / divisor;
        const bool more = rest > divisor / 2, tie = rest == divisor / 2;
        if (ties != Ties::NoRounding && more) ++value;
        if (ties == Ties::Up && tie) ++value;
        if (ties == Ties::AwayFromZero && tie && sum > 0) ++value;
        if (ties == Ties::ToEven && tie && value % 2 != 0) ++value;
    } else if (shift >= 62) {
        value = ties == Ties::NoRounding && sum < 0 ? -1 : 0;  // |sum| is far below 2^61
    }
    if (relu && value < 0) value = 0;
    const std::int64_t range = power_of_two(8 * bytes);
    if (saturate) {
        if (value > range / 2 - 1) return range / 2 - 1;
        if (value < -range / 2) return -range / 2;
        return value;
    }
    std::int64_t wrapped = value % range;
    if (wrapped < 0) wrapped += range;
    return wrapped >= range / 2 ? wrapped - range : wrapped;
}

Tensor convolve(const Layer& layer, const Tensor& features, const Tensor& weights,
                const Tensor& sums) {
    Tensor out;
    for (int oy = 0; oy < layer.out_height(); ++oy) {
        for (int ox = 0; ox < layer.out_width(); ++ox) {
            for (int k = 0; k < layer.kernels; ++k) {
                std::int64_t sum = window_sum(layer, features, weights, oy, ox, k);
                if (!sums.empty()) sum += sums[out.size()] * power_of_two(layer.in_shift);
                out.push_back(output_value(sum, layer.out_shift, layer.ties, layer.relu,
                                           layer.saturate, layer.out_bytes));
            }
        }
    }
    return out;
}

}  // namespace n6vp::test::reference
