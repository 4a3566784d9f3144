// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/generate/evaluate/fixed_point.h"
#include "sim/generate/operators/operator.h"

/// What the operators with weights or windows share: reading and evaluation.
namespace n6vp::sim::generate {

/// Window, stride and dilation along one direction.
struct WindowAxis {
    std::int64_t window = 1, stride = 1, dilation = 1;
};
struct PlacedWindow {
    Window window;
    PictureShape output;  ///< channels are the caller's
};

/// Returns the position of a window on a feature map and the size of the output. Refuses what
/// TFLite does not define, and a window that does not fit.
[[nodiscard]] PlacedWindow place_window(const LayerReader& layer, const PictureShape& from,
                                        const WindowAxis& vertical, const WindowAxis& horizontal,
                                        std::int8_t padding);
/// Returns an axis of a convolution by the numbers of its fields.
[[nodiscard]] WindowAxis axis_of(const LayerReader& layer, std::uint32_t window, unsigned stride,
                                 unsigned dilation);

/// Refuses input, output or weights of a layer that are not quantised as TFLite does it; its output
/// channels are dimension `axis` of its weights.
void expect_weights(const LayerReader& layer, std::uint32_t axis);
/// Refuses a bias, if there is one, of another type or number.
void expect_bias(const LayerReader& layer, std::uint32_t channels);

/// Returns the multipliers of a layer with weights: one per output channel, or one for all.
[[nodiscard]] std::vector<FixedMultiplier> channel_multipliers(const Graph& graph,
                                                               const Node& node);

/// From accumulators to stored outputs.
class ChannelScaler {
  public:
    ChannelScaler(const Graph& graph, const Node& node, Activation activation)
        : multipliers_(channel_multipliers(graph, node)),
          bias_(node.has_bias() ? &graph.input(node, 2) : nullptr),
          zero_point_(graph.output(node).zero_point_of(0)),
          range_(stored_range(activation, graph.output(node))) {}

    [[nodiscard]] std::uint8_t finish(std::int64_t sum, std::size_t channel) const {
        if (bias_ != nullptr) sum += int32_at(*bias_, channel);
        const FixedMultiplier& multiplier = multipliers_[multipliers_.size() > 1 ? channel : 0];
        const std::int64_t stored =
            std::int64_t{multiply_once(saturate_word(sum), multiplier)} + zero_point_;
        return as_byte(
            static_cast<std::int32_t>(std::clamp<std::int64_t>(stored, range_.low, range_.high)));
    }

  private:
    std::vector<FixedMultiplier> multipliers_;
    const Tensor* bias_;
    std::int32_t zero_point_;
    StoredRange range_;
};

/// Positions of a window inside the feature map: first and one after the last, and the origin of
/// the window, which may be before the feature map.
struct Reach {
    std::int64_t origin = 0;
    std::uint32_t first = 0, last = 0;
};

[[nodiscard]] Reach reach_of(std::uint32_t output, std::uint32_t stride, std::uint32_t pad,
                             std::uint32_t window, std::uint32_t dilation, std::uint32_t length);

/// Calls visit(output pixel, lines, columns) for every output pixel in order.
template <class Visit>
void for_each_pixel(const Window& window, std::uint32_t dilation_height,
                    std::uint32_t dilation_width, const PictureShape& from, const PictureShape& to,
                    const Visit& visit) {
    std::size_t pixel = 0;
    for (std::uint32_t y = 0; y < to.height; ++y) {
        const Reach lines = reach_of(y, window.stride_height, window.pads.top, window.height,
                                     dilation_height, from.height);
        for (std::uint32_t x = 0; x < to.width; ++x) {
            visit(pixel++, lines,
                  reach_of(x, window.stride_width, window.pads.left, window.width, dilation_width,
                           from.width));
        }
    }
}

[[nodiscard]] inline std::size_t pixel_at(const PictureShape& from, std::int64_t line,
                                          std::int64_t column) {
    return static_cast<std::size_t>(line) * from.width + static_cast<std::size_t>(column);
}

}  // namespace n6vp::sim::generate
