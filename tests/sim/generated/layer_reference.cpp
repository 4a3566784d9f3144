// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/generated/layer_reference.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace n6vp::test {

using namespace sim::generate;

namespace {

struct Shape {
    long height, width, channels;
};

Shape shape_of(const Tensor& tensor) {
    const PictureShape shape = picture_shape(tensor).value();
    return {long{shape.height}, long{shape.width}, long{shape.channels}};
}

std::size_t at(const Shape& shape, long y, long x, long c) {
    return static_cast<std::size_t>((y * shape.width + x) * shape.channels + c);
}

const Window* window_of(const Node& node) {
    if (const auto* op = std::get_if<Conv2D>(&node.op)) return &op->window;
    if (const auto* op = std::get_if<DepthwiseConv2D>(&node.op)) return &op->window;
    if (const auto* op = std::get_if<AveragePool>(&node.op)) return &op->window;
    if (const auto* op = std::get_if<MaxPool>(&node.op)) return &op->window;
    return nullptr;
}

Activation activation_of(const Node& node) {
    if (const auto* op = std::get_if<Conv2D>(&node.op)) return op->activation;
    if (const auto* op = std::get_if<DepthwiseConv2D>(&node.op)) return op->activation;
    if (const auto* op = std::get_if<FullyConnected>(&node.op)) return op->activation;
    if (const auto* op = std::get_if<Add>(&node.op)) return op->activation;
    if (const auto* op = std::get_if<Relu>(&node.op)) return op->activation;
    return Activation::None;
}

std::int8_t stored(const Graph& graph, const Node& node, double real) {
    const Tensor& out = graph.output(node);
    const double scale = out.scale_of(0);
    const int zero = out.zero_point_of(0);
    double low = -128, high = 127;
    const Activation activation = activation_of(node);
    if (activation != Activation::None) {
        low = std::max(low,
                       std::round((activation == Activation::ReluN1To1 ? -1 : 0) / scale) + zero);
    }
    if (activation == Activation::Relu6) high = std::min(high, std::round(6 / scale) + zero);
    if (activation == Activation::ReluN1To1) high = std::min(high, std::round(1 / scale) + zero);
    return static_cast<std::int8_t>(std::clamp(std::round(real / scale) + zero, low, high));
}

Picture exact_convolution(const Graph& graph, const Node& node, const Picture& input) {
    const std::vector<std::int64_t> sums = plain_sums(graph, input);
    const Tensor& weights = graph.weights(node);
    const Tensor& in = graph.input(node);
    const auto channels = static_cast<std::size_t>(shape_of(graph.output(node)).channels);
    const bool depthwise = std::holds_alternative<DepthwiseConv2D>(node.op);
    // The zero point times all weights of a channel.
    std::vector<std::int64_t> offset(channels);
    const std::size_t share = weights.element_count() / channels;
    for (std::size_t i = 0; i < weights.element_count(); ++i) {
        offset[depthwise ? i % channels : i / share] +=
            std::int64_t{in.zero_point_of(0)} * int8_at(weights, i);
    }
    Picture result(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const std::size_t k = i % channels;
        const std::int64_t bias = node.has_bias() ? int32_at(graph.input(node, 2), k) : 0;
        const double unit = double{in.scale_of(0)} * double{weights.scale_of(k)};
        result[i] = stored(graph, node, unit * static_cast<double>(sums[i] - offset[k] + bias));
    }
    return result;
}

Picture exact_pool(const Graph& graph, const Node& node, const Picture& input) {
    const Shape in = shape_of(graph.input(node)), out = shape_of(graph.output(node));
    const Window* const window = window_of(node);
    const Window whole{
        static_cast<std::uint32_t>(in.height), static_cast<std::uint32_t>(in.width), 1, 1, {}};
    const Window& w = window != nullptr ? *window : whole;
    const bool largest = std::holds_alternative<MaxPool>(node.op);
    Picture result(input.size() / static_cast<std::size_t>(in.height * in.width) *
                   static_cast<std::size_t>(out.height * out.width));
    for (long y = 0; y < out.height; ++y) {
        for (long x = 0; x < out.width; ++x) {
            for (long c = 0; c < in.channels; ++c) {
                double sum = 0, most = -1000;
                for (long dy = 0; dy < long{w.height}; ++dy) {
                    for (long dx = 0; dx < long{w.width}; ++dx) {
                        const double value = input[at(in, y * long{w.stride_height} + dy,
                                                      x * long{w.stride_width} + dx, c)];
                        sum += value;
                        most = std::max(most, value);
                    }
                }
                const double value = largest ? most : sum / static_cast<double>(w.height * w.width);
                const Tensor& tensor = graph.input(node);
                result[at(out, y, x, c)] = stored(
                    graph, node, double{tensor.scale_of(0)} * (value - tensor.zero_point_of(0)));
            }
        }
    }
    return result;
}

Picture exact_elements(const Graph& graph, const Node& node, const Picture& x, const Picture& y) {
    Picture result(x.size());
    const auto real = [&](std::size_t index, const Picture& picture, std::size_t i) {
        const Tensor& tensor = graph.input(node, index);
        return double{tensor.scale_of(0)} * (picture[i] - tensor.zero_point_of(0));
    };
    for (std::size_t i = 0; i < x.size(); ++i) {
        double value = real(0, x, i);
        if (std::holds_alternative<Add>(node.op)) value += real(1, y, i);
        if (std::holds_alternative<Sub>(node.op)) value -= real(1, y, i);
        result[i] = stored(graph, node, value);
    }
    return result;
}

Picture exact_softmax(const Graph& graph, const Node& node, const Picture& input) {
    const auto row = graph.input(node).shape.back();
    const double beta = double{std::get<Softmax>(node.op).beta};
    Picture result(input.size());
    for (std::size_t start = 0; start < input.size(); start += row) {
        double sum = 0;
        const auto value = [&](std::size_t i) {
            return std::exp(beta * double{graph.input(node).scale_of(0)} * input[start + i]);
        };
        for (std::size_t i = 0; i < row; ++i) sum += value(i);
        for (std::size_t i = 0; i < row; ++i) {
            result[start + i] = stored(graph, node, value(i) / sum);
        }
    }
    return result;
}

}  // namespace

std::vector<std::int64_t> plain_sums(const Graph& graph, const Picture& input) {
    const Node& node = graph.nodes.front();
    const Tensor& weights = graph.weights(node);
    const bool depthwise = std::holds_alternative<DepthwiseConv2D>(node.op);
    const Window* const window = window_of(node);
    Shape in = shape_of(graph.input(node)), out = shape_of(graph.output(node));
    if (window == nullptr) in = {1, 1, long{weights.shape.back()}};
    const Window one;
    const Window& w = window != nullptr ? *window : one;
    const long multiplier = out.channels / in.channels;
    std::vector<std::int64_t> sums;
    for (long y = 0; y < out.height; ++y) {
        for (long x = 0; x < out.width; ++x) {
            for (long k = 0; k < out.channels; ++k) {
                std::int64_t sum = 0;
                for (long dy = 0; dy < long{w.height}; ++dy) {
                    for (long dx = 0; dx < long{w.width}; ++dx) {
                        const long iy = y * long{w.stride_height} + dy - long{w.pads.top};
                        const long ix = x * long{w.stride_width} + dx - long{w.pads.left};
                        const bool inside = iy >= 0 && iy < in.height && ix >= 0 && ix < in.width;
                        const long tap = dy * long{w.width} + dx;
                        const long first = depthwise ? k / multiplier : 0;
                        const long end = depthwise ? first + 1 : in.channels;
                        for (long c = first; c < end; ++c) {
                            const long place =
                                depthwise
                                    ? tap * out.channels + k
                                    : (k * long{w.height} * long{w.width} + tap) * in.channels + c;
                            const int feature = inside ? input[at(in, iy, ix, c)]
                                                       : graph.input(node).zero_point_of(0);
                            sum += std::int64_t{feature} *
                                   int8_at(weights, static_cast<std::size_t>(place));
                        }
                    }
                }
                sums.push_back(sum);
            }
        }
    }
    return sums;
}

Picture exact_layer(const Graph& graph, const Picture& first, const Picture& second) {
    const Node& node = graph.nodes.front();
    if (std::holds_alternative<Conv2D>(node.op) ||
        std::holds_alternative<DepthwiseConv2D>(node.op) ||
        std::holds_alternative<FullyConnected>(node.op)) {
        return exact_convolution(graph, node, first);
    }
    if (std::holds_alternative<Softmax>(node.op)) return exact_softmax(graph, node, first);
    if (std::holds_alternative<AveragePool>(node.op) || std::holds_alternative<MaxPool>(node.op) ||
        std::holds_alternative<Mean>(node.op)) {
        return exact_pool(graph, node, first);
    }
    return exact_elements(graph, node, first, second);
}

Agreement compare(const Picture& got, const Picture& expected) {
    if (got.size() != expected.size()) throw std::runtime_error("outputs of different sizes");
    Agreement result;
    result.elements = got.size();
    for (std::size_t i = 0; i < got.size(); ++i) {
        const int difference = std::abs(got[i] - expected[i]);
        result.equal += difference == 0 ? 1 : 0;
        result.within_one += difference <= 1 ? 1 : 0;
        result.largest = std::max(result.largest, difference);
    }
    return result;
}

}  // namespace n6vp::test
