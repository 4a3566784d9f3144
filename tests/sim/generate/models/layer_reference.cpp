// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/generate/models/layer_reference.h"

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
    if (const auto* op = std::get_if<Sub>(&node.op)) return op->activation;
    if (const auto* op = std::get_if<Mul>(&node.op)) return op->activation;
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

/// Element of an operand that meets output element `index`: it repeats along lengths of 1.
std::size_t repeated(const Tensor& operand, const Tensor& result, std::size_t index) {
    std::size_t place = 0, step = 1;
    for (std::size_t i = 0; i < result.shape.size(); ++i) {
        const std::size_t length = result.shape[result.shape.size() - 1 - i];
        const std::size_t own =
            i < operand.shape.size() ? operand.shape[operand.shape.size() - 1 - i] : 1;
        if (own > 1) place += index % length * step;
        step *= own;
        index /= length;
    }
    return place;
}

Picture exact_elements(const Graph& graph, const Node& node, const std::vector<Picture>& operands) {
    const Tensor& out = graph.output(node);
    Picture result(out.element_count());
    const auto real = [&](std::size_t operand, std::size_t i) {
        const Tensor& tensor = graph.input(node, operand);
        return double{tensor.scale_of(0)} *
               (operands[operand][repeated(tensor, out, i)] - tensor.zero_point_of(0));
    };
    for (std::size_t i = 0; i < result.size(); ++i) {
        double value = real(0, i);
        if (std::holds_alternative<Add>(node.op)) value += real(1, i);
        if (std::holds_alternative<Sub>(node.op)) value -= real(1, i);
        if (std::holds_alternative<Mul>(node.op)) value *= real(1, i);
        if (std::holds_alternative<Logistic>(node.op)) value = 1 / (1 + std::exp(-value));
        if (std::holds_alternative<Neg>(node.op)) value = -value;
        result[i] = stored(graph, node, value);
    }
    return result;
}

/// Operators that move elements: of pictures [1][H][W][C].
Picture exact_moves(const Graph& graph, const Node& node, const std::vector<Picture>& operands) {
    const Shape out = shape_of(graph.output(node)), in = shape_of(graph.input(node));
    Picture result;
    for (long y = 0; y < out.height; ++y) {
        for (long x = 0; x < out.width; ++x) {
            for (long c = 0; c < out.channels; ++c) {
                if (const auto* pad = std::get_if<Pad>(&node.op)) {
                    const long from_y = y - long{pad->amounts[1].first};
                    const long from_x = x - long{pad->amounts[2].first};
                    const long from_c = c - long{pad->amounts[3].first};
                    const bool inside = from_y >= 0 && from_y < in.height && from_x >= 0 &&
                                        from_x < in.width && from_c >= 0 && from_c < in.channels;
                    result.push_back(inside ? operands[0][at(in, from_y, from_x, from_c)]
                                            : static_cast<std::int8_t>(pad->value));
                } else if (const auto* join = std::get_if<Concat>(&node.op)) {
                    long place[] = {y, x, c};
                    std::size_t operand = 0;
                    for (;; ++operand) {
                        const Shape part = shape_of(graph.input(node, operand));
                        const long lengths[] = {part.height, part.width, part.channels};
                        long& along = place[join->axis - 1];
                        if (along < lengths[join->axis - 1]) break;
                        along -= lengths[join->axis - 1];
                    }
                    const Shape part = shape_of(graph.input(node, operand));
                    result.push_back(operands[operand][at(part, place[0], place[1], place[2])]);
                } else {
                    result.push_back(operands[0][at(in, y * in.height / out.height,
                                                    x * in.width / out.width, c)]);
                }
            }
        }
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

Picture exact_layer(const Graph& graph, const std::vector<Picture>& inputs) {
    const Node& node = graph.nodes.front();
    if (std::holds_alternative<Conv2D>(node.op) ||
        std::holds_alternative<DepthwiseConv2D>(node.op) ||
        std::holds_alternative<FullyConnected>(node.op)) {
        return exact_convolution(graph, node, inputs[0]);
    }
    if (std::holds_alternative<Softmax>(node.op)) return exact_softmax(graph, node, inputs[0]);
    if (std::holds_alternative<AveragePool>(node.op) || std::holds_alternative<MaxPool>(node.op) ||
        std::holds_alternative<Mean>(node.op)) {
        return exact_pool(graph, node, inputs[0]);
    }
    std::vector<Picture> operands;
    std::size_t computed = 0;
    for (const TensorId id : node.inputs) {
        const std::vector<std::uint8_t>& constant = graph.tensors[id].constant;
        operands.push_back(constant.empty() ? inputs.at(computed++)
                                            : Picture(constant.begin(), constant.end()));
    }
    if (std::holds_alternative<Pad>(node.op) || std::holds_alternative<Concat>(node.op) ||
        std::holds_alternative<Resize>(node.op)) {
        return exact_moves(graph, node, operands);
    }
    return exact_elements(graph, node, operands);
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
