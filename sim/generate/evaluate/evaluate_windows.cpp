// SPDX-License-Identifier: Apache-2.0
// Convolutions, fully connected layers and pools.
#include <algorithm>
#include <cstddef>

#include "sim/generate/evaluate/evaluate_kernels.h"
#include "sim/generate/evaluate/fixed_point.h"

namespace n6vp::sim::generate {

namespace {

/// From accumulators to stored outputs, one multiplier per output channel.
class ChannelScaler {
  public:
    ChannelScaler(const Graph& graph, const Node& node, Activation activation, double input_scale)
        : bias_(node.has_bias() ? &graph.input(node, 2) : nullptr),
          zero_point_(graph.output(node).zero_point_of(0)),
          range_(stored_range(activation, graph.output(node))) {
        const Tensor& weights = graph.weights(node);
        const auto output_scale = static_cast<double>(graph.output(node).scale_of(0));
        multipliers_.reserve(weights.quantisation.scale.size());
        for (const float scale : weights.quantisation.scale) {
            multipliers_.push_back(
                fixed_multiplier(input_scale * static_cast<double>(scale) / output_scale));
        }
    }
    /// Replaces the multiplier of a layer that has one for all channels.
    void use_single(double real) { multipliers_ = {fixed_multiplier(real)}; }

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

/// Positions of a window that fall on the picture: first and one behind the last, and where the
/// window stands (which may be before the picture).
struct Reach {
    std::int64_t origin = 0;
    std::uint32_t first = 0, last = 0;
};

Reach reach_of(std::uint32_t output, std::uint32_t stride, std::uint32_t pad, std::uint32_t window,
               std::uint32_t dilation, std::uint32_t length) {
    Reach reach;
    reach.origin = std::int64_t{output} * stride - pad;
    reach.last = window;
    while (reach.first < window && reach.origin + std::int64_t{reach.first} * dilation < 0) {
        ++reach.first;
    }
    while (reach.last > reach.first &&
           reach.origin + std::int64_t{reach.last - 1} * dilation >= length) {
        --reach.last;
    }
    return reach;
}

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

std::size_t pixel_at(const PictureShape& from, std::int64_t line, std::int64_t column) {
    return static_cast<std::size_t>(line) * from.width + static_cast<std::size_t>(column);
}

}  // namespace

void evaluate_convolution(const Conv2D& op, const Graph& graph, const Node& node,
                          const Operand& from, Bytes& to) {
    const Tensor& weights = graph.weights(node);
    const PictureShape input = *picture_shape(*from.tensor);
    const PictureShape output = *picture_shape(graph.output(node));
    const ChannelScaler scaler(graph, node, op.activation, from.scale());
    for_each_pixel(
        op.window, op.dilation_height, op.dilation_width, input, output,
        [&](std::size_t pixel, const Reach& lines, const Reach& columns) {
            for (std::size_t k = 0; k < output.channels; ++k) {
                std::int64_t sum = 0;
                for (std::uint32_t dy = lines.first; dy < lines.last; ++dy) {
                    for (std::uint32_t dx = columns.first; dx < columns.last; ++dx) {
                        const std::size_t source =
                            pixel_at(input, lines.origin + std::int64_t{dy} * op.dilation_height,
                                     columns.origin + std::int64_t{dx} * op.dilation_width) *
                            input.channels;
                        const std::size_t kernel =
                            ((k * op.window.height + dy) * op.window.width + dx) * input.channels;
                        for (std::size_t c = 0; c < input.channels; ++c) {
                            sum += std::int64_t{from.centred(source + c)} *
                                   int8_at(weights, kernel + c);
                        }
                    }
                }
                to[pixel * output.channels + k] = scaler.finish(sum, k);
            }
        });
}

void evaluate_depthwise(const DepthwiseConv2D& op, const Graph& graph, const Node& node,
                        const Operand& from, Bytes& to) {
    const Tensor& weights = graph.weights(node);
    const PictureShape input = *picture_shape(*from.tensor);
    const PictureShape output = *picture_shape(graph.output(node));
    const ChannelScaler scaler(graph, node, op.activation, from.scale());
    for_each_pixel(
        op.window, op.dilation_height, op.dilation_width, input, output,
        [&](std::size_t pixel, const Reach& lines, const Reach& columns) {
            for (std::size_t k = 0; k < output.channels; ++k) {
                const std::size_t channel = k / op.depth_multiplier;
                std::int64_t sum = 0;
                for (std::uint32_t dy = lines.first; dy < lines.last; ++dy) {
                    for (std::uint32_t dx = columns.first; dx < columns.last; ++dx) {
                        const std::size_t source =
                            pixel_at(input, lines.origin + std::int64_t{dy} * op.dilation_height,
                                     columns.origin + std::int64_t{dx} * op.dilation_width);
                        const std::size_t kernel =
                            (std::size_t{dy} * op.window.width + dx) * output.channels + k;
                        sum += std::int64_t{from.centred(source * input.channels + channel)} *
                               int8_at(weights, kernel);
                    }
                }
                to[pixel * output.channels + k] = scaler.finish(sum, k);
            }
        });
}

void evaluate_fully_connected(const FullyConnected& op, const Graph& graph, const Node& node,
                              const Operand& from, Bytes& to) {
    const Tensor& weights = graph.weights(node);
    const std::size_t outputs = weights.shape[0];
    const std::size_t inputs = weights.shape[1];
    ChannelScaler scaler(graph, node, op.activation, from.scale());
    if (!weights.quantisation.per_channel()) {
        // Here the library multiplies the two scales as float.
        const float product = from.tensor->scale_of(0) * weights.scale_of(0);
        scaler.use_single(static_cast<double>(product) /
                          static_cast<double>(graph.output(node).scale_of(0)));
    }
    for (std::size_t row = 0; row < to.size() / outputs; ++row) {
        for (std::size_t k = 0; k < outputs; ++k) {
            std::int64_t sum = 0;
            for (std::size_t c = 0; c < inputs; ++c) {
                sum +=
                    std::int64_t{from.centred(row * inputs + c)} * int8_at(weights, k * inputs + c);
            }
            to[row * outputs + k] = scaler.finish(sum, k);
        }
    }
}

void evaluate_average_pool(const AveragePool& op, const Operand& from, const Tensor& result,
                           Bytes& to) {
    const PictureShape input = *picture_shape(*from.tensor);
    const StoredRange range = stored_range(op.activation, result);
    for_each_pixel(
        op.window, 1, 1, input, *picture_shape(result),
        [&](std::size_t pixel, const Reach& lines, const Reach& columns) {
            const std::int64_t count =
                std::int64_t{lines.last - lines.first} * (columns.last - columns.first);
            for (std::size_t c = 0; c < input.channels; ++c) {
                std::int64_t sum = 0;
                for (std::uint32_t dy = lines.first; dy < lines.last; ++dy) {
                    for (std::uint32_t dx = columns.first; dx < columns.last; ++dx) {
                        sum += from.stored(pixel_at(input, lines.origin + dy, columns.origin + dx) *
                                               input.channels +
                                           c);
                    }
                }
                const std::int64_t mean =
                    count == 0 ? 0 : (sum + (sum > 0 ? count / 2 : -(count / 2))) / count;
                to[pixel * input.channels + c] = as_byte(static_cast<std::int32_t>(
                    std::clamp<std::int64_t>(mean, range.low, range.high)));
            }
        });
}

void evaluate_max_pool(const MaxPool& op, const Operand& from, const Tensor& result, Bytes& to) {
    const PictureShape input = *picture_shape(*from.tensor);
    const StoredRange range = stored_range(op.activation, result);
    for_each_pixel(op.window, 1, 1, input, *picture_shape(result),
                   [&](std::size_t pixel, const Reach& lines, const Reach& columns) {
                       for (std::size_t c = 0; c < input.channels; ++c) {
                           std::int32_t most = range.low;
                           for (std::uint32_t dy = lines.first; dy < lines.last; ++dy) {
                               for (std::uint32_t dx = columns.first; dx < columns.last; ++dx) {
                                   most =
                                       std::max(most, from.stored(pixel_at(input, lines.origin + dy,
                                                                           columns.origin + dx) *
                                                                      input.channels +
                                                                  c));
                               }
                           }
                           to[pixel * input.channels + c] = as_byte(std::min(most, range.high));
                       }
                   });
}

}  // namespace n6vp::sim::generate
