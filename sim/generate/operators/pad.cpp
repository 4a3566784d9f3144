// SPDX-License-Identifier: Apache-2.0
// PAD and PADV2.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/generate/operators/convolutions.h"

namespace n6vp::sim::generate {

namespace {

using Shape = std::vector<std::uint32_t>;

/// Amounts of a PAD: [rank][2].
Pad read_amounts(const LayerReader& layer) {
    const Shape& from = layer.input(0).shape;
    const std::vector<std::int64_t> amounts = layer.constant_integers(1);
    if (amounts.size() != 2 * from.size()) {
        layer.refuse(fmt::format("{} amounts for {} dimensions", amounts.size(), from.size()),
                     "two per dimension");
    }
    Pad pad;
    Shape shape;
    for (std::size_t i = 0; i < from.size(); ++i) {
        constexpr std::int64_t kMost = 1 << 20;
        const std::int64_t before = amounts[2 * i];
        const std::int64_t after = amounts[2 * i + 1];
        if (before < 0 || after < 0 || before > kMost || after > kMost) {
            layer.refuse("an amount below 0 or above 2^20", "amounts that fit the image");
        }
        pad.amounts.emplace_back(before, after);
        shape.push_back(from[i] + pad.amounts.back().first + pad.amounts.back().second);
    }
    layer.expect_output_shape(shape);
    return pad;
}

Operator read_pad(const LayerReader& layer) {
    layer.expect_inputs(2, 2);
    layer.expect_quantised(layer.input(0), "its input");
    layer.expect_same_quantisation(0);
    Pad pad = read_amounts(layer);
    pad.value = layer.output().zero_point_of(0);
    return pad;
}

Operator read_pad_v2(const LayerReader& layer) {
    layer.expect_inputs(3, 3);
    layer.expect_quantised(layer.input(0), "its input");
    layer.expect_same_quantisation(0);
    Pad pad = read_amounts(layer);
    const Tensor& value = layer.input(2);
    layer.expect_quantised(value, "its value");
    if (!value.is_constant() || value.element_count() != 1) {
        layer.refuse("its value is computed", "one constant value");
    }
    pad.value = int8_at(value, 0);
    return pad;
}

void evaluate_pad(const Pad& op, NodeEvaluation& at) {
    const Operand from = at.operand(0);
    const Tensor& result = at.result();
    std::fill(at.to.begin(), at.to.end(), as_byte(op.value));
    Places places(from.tensor->shape);
    for (const std::uint8_t byte : *from.bytes) {
        std::size_t target = 0;
        for (std::size_t d = 0; d < result.shape.size(); ++d) {
            target = target * result.shape[d] + places.at()[d] + op.amounts[d].first;
        }
        at.to[target] = byte;
        places.next();
    }
}

/// Returns the weights of a dense layer that adds channels, `first` of them before those of its
/// input: each kernel sees one channel, or none.
std::vector<std::int8_t> placing_weights(const Graph& graph, const Node& node,
                                         const ConvolutionLayer& layer, std::uint32_t first) {
    constexpr std::uint64_t kMaxWeights = 1 << 20;
    const std::size_t channels = layer.in.channels;
    if (std::uint64_t{channels} * layer.out.channels > kMaxWeights) {
        refuse_node(graph, node, fmt::format("{} channels to {}", channels, layer.out.channels),
                    "join the tensor with a constant: CONCATENATION");
    }
    std::vector<std::int8_t> weights(channels * layer.out.channels);
    for (std::size_t c = 0; c < channels; ++c) weights[(first + c) * channels + c] = 1;
    return weights;
}

/// A convolution with weight 1: the padding is that of its feature map, or the output of kernels of
/// zeros. Depthwise if no channels are added.
ConvolutionLayer padding_layer(const Graph& graph, const Node& node, const Pad& op) {
    ConvolutionLayer layer;
    layer.name = node_title(graph, node);
    layer.in = picture_of(graph, node, graph.input(node));
    layer.out = picture_of(graph, node, graph.output(node));
    using Amount = std::pair<std::uint32_t, std::uint32_t>;
    const std::size_t rank = op.amounts.size();
    const auto amount = [&](std::size_t from_right) {
        return from_right < rank ? op.amounts[rank - 1 - from_right] : Amount{};
    };
    layer.window.pads = {amount(2).first, amount(2).second, amount(1).first, amount(1).second};
    layer.input_zero = op.value;
    layer.range.zero_point = op.value;
    layer.bias.assign(layer.out.channels, 0);
    layer.multipliers.assign(layer.out.channels, 1.0);
    layer.depthwise = amount(0) == Amount{};
    layer.weights = layer.depthwise ? std::vector<std::int8_t>(layer.in.channels, 1)
                                    : placing_weights(graph, node, layer, amount(0).first);
    return layer;
}

void lower_pad(const Pad& op, NodeLowering& at) {
    lower_convolution_layer(at, padding_layer(at.graph(), at.node(), op));
}

}  // namespace

OperatorRule pad_rule() {
    OperatorRule rule = operator_rule<Pad, evaluate_pad, lower_pad>("PAD", read_pad);
    rule.forms = "int8, constant amounts";
    rule.generated = "NPU: height, width, channels";
    return rule;
}

OperatorRule pad_v2_rule() {
    OperatorRule rule = operator_rule<Pad, evaluate_pad, lower_pad>("PADV2", read_pad_v2);
    rule.forms = "int8, constant amounts and value";
    rule.generated = "NPU: height, width, channels";
    return rule;
}

}  // namespace n6vp::sim::generate
