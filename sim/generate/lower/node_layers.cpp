// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/lower/node_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/host/errors.h"
#include "traces/escape.h"

namespace n6vp::sim::generate {

namespace {

void fill_layer(const Graph& graph, const Node& node, Activation activation,
                ConvolutionLayer& layer) {
    const Tensor& in = graph.input(node);
    const Tensor& out = graph.output(node);
    const Tensor& weights = graph.weights(node);
    if (!weights.is_constant() || weights.type != ElementType::Int8) {
        refuse_node(graph, node, "weights that are not int8 constants",
                    "quantise the weights to int8");
    }
    layer.name = node_title(graph, node);
    layer.input_zero = in.zero_point_of(0);
    layer.range = range_of(activation, out);
    const std::size_t kernels = layer.out.channels;
    for (std::size_t k = 0; k < kernels; ++k) {
        layer.multipliers.push_back(static_cast<double>(in.scale_of(0)) *
                                    static_cast<double>(weights.scale_of(k)) /
                                    static_cast<double>(out.scale_of(0)));
        layer.bias.push_back(node.has_bias() ? int32_at(graph.input(node, 2), k) : 0);
    }
    layer.weights.resize(weights.element_count());
    for (std::size_t i = 0; i < layer.weights.size(); ++i)
        layer.weights[i] = static_cast<std::int8_t>(int8_at(weights, i));
}

/// A convolution of feature maps, as if it were dense.
template <class Operator>
ConvolutionLayer picture_convolution(const Graph& graph, const Node& node, const Operator& op) {
    if (op.dilation_height != 1 || op.dilation_width != 1) {
        refuse_node(graph, node,
                    fmt::format("dilation {}x{}", op.dilation_height, op.dilation_width),
                    "use dilation 1: the units do not support dilation");
    }
    ConvolutionLayer layer;
    layer.in = picture_of(graph, node, graph.input(node));
    layer.out = picture_of(graph, node, graph.output(node));
    layer.window = op.window;
    fill_layer(graph, node, op.activation, layer);
    return layer;
}

}  // namespace

void refuse_node(const Graph& graph, const Node& node, const std::string& what,
                 const std::string& remedy) {
    throw UserError(fmt::format("{} (layer {}, '{}'): {}", operator_name(node.op), node.layer,
                                traces::terminal_text(graph.output(node).name), what),
                    remedy);
}

std::string node_title(const Graph& graph, const Node& node) {
    return fmt::format("{} {}", operator_name(node.op), graph.output(node).name);
}

OutputRange range_of(Activation activation, const Tensor& output) {
    const StoredRange stored = stored_range(activation, output);
    return {output.zero_point_of(0), stored.low, stored.high};
}

PictureShape picture_of(const Graph& graph, const Node& node, const Tensor& tensor) {
    const auto shape = picture_shape(tensor);
    if (!shape) {
        refuse_node(graph, node, "a tensor that is not an image of batch 1",
                    "use batches of 1 and at most four dimensions");
    }
    return *shape;
}

ConvolutionLayer convolution_of(const Graph& graph, const Node& node, const Conv2D& op) {
    return picture_convolution(graph, node, op);
}

ConvolutionLayer convolution_of(const Graph& graph, const Node& node, const DepthwiseConv2D& op) {
    ConvolutionLayer layer = picture_convolution(graph, node, op);
    layer.depthwise = layer.in.channels == layer.out.channels;
    if (layer.depthwise) return layer;
    if (layer.in.channels != 1) {
        refuse_node(graph, node, "a depth multiplier above 1 with several channels",
                    "use a depth multiplier of 1, or a convolution");
    }
    // One channel: a convolution, whose weights stand kernel by kernel.
    const std::size_t kernels = layer.out.channels;
    const std::size_t taps = layer.weights.size() / kernels;
    std::vector<std::int8_t> sorted(layer.weights.size());
    for (std::size_t k = 0; k < kernels; ++k) {
        for (std::size_t tap = 0; tap < taps; ++tap) {
            sorted[k * taps + tap] = layer.weights[tap * kernels + k];
        }
    }
    layer.weights = std::move(sorted);
    return layer;
}

ConvolutionLayer convolution_of(const Graph& graph, const Node& node, const FullyConnected& op) {
    ConvolutionLayer layer;
    const Tensor& weights = graph.weights(node);
    const std::uint32_t channels = weights.shape.back();
    const std::uint32_t rows = graph.input(node).element_count() / channels;
    layer.in = {1, rows, channels};
    layer.out = {1, rows, weights.shape.front()};
    fill_layer(graph, node, op.activation, layer);
    if (weights.quantisation.per_channel()) return layer;
    // As networks mean it: here the product of the two scales is a float.
    const float product = graph.input(node).scale_of(0) * weights.scale_of(0);
    std::fill(layer.multipliers.begin(), layer.multipliers.end(),
              static_cast<double>(product) / static_cast<double>(graph.output(node).scale_of(0)));
    return layer;
}

}  // namespace n6vp::sim::generate
