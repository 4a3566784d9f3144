// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/generate/operators/convolutions.h"
#include "sim/generate/operators/windows.h"

namespace n6vp::sim::generate {

namespace {

Operator read_fully_connected(const LayerReader& layer) {
    namespace options = tflite::fully_connected_options;
    expect_weights(layer, 0);
    if (layer.option<std::int8_t>(options::kWeightsFormat, 0) != 0) {
        layer.refuse("its weights are shuffled", "weights in their natural order");
    }
    const std::vector<std::uint32_t>& weights = layer.input(1).shape;
    const std::uint32_t inputs = layer.input(0).element_count();
    if (weights.size() != 2 || inputs % weights[1] != 0) {
        layer.refuse("its weights are not [outputs, inputs]", "rows as long as the weights");
    }
    expect_bias(layer, weights[0]);
    const std::uint64_t rows = inputs / weights[1];
    const std::vector<std::uint32_t>& shape = layer.output().shape;
    if (shape.empty() || shape.back() != weights[0] ||
        layer.output().element_count() != rows * weights[0]) {
        layer.refuse("its output has another shape than its inputs make",
                     "a file as the converter writes it");
    }
    return FullyConnected{layer.activation(options::kActivation)};
}

void evaluate_rows(const FullyConnected& op, NodeEvaluation& at) {
    const Operand from = at.operand(0);
    const Tensor& weights = at.graph.weights(at.node);
    const std::size_t outputs = weights.shape[0];
    const std::size_t inputs = weights.shape[1];
    const ChannelScaler scaler(at.graph, at.node, op.activation);
    for (std::size_t row = 0; row < at.to.size() / outputs; ++row) {
        for (std::size_t k = 0; k < outputs; ++k) {
            std::int64_t sum = 0;
            for (std::size_t c = 0; c < inputs; ++c) {
                sum +=
                    std::int64_t{from.centred(row * inputs + c)} * int8_at(weights, k * inputs + c);
            }
            at.to[row * outputs + k] = scaler.finish(sum, k);
        }
    }
}

void lower_rows(const FullyConnected& op, NodeLowering& at) {
    lower_convolution_layer(at, convolution_of(at.graph(), at.node(), op));
}

}  // namespace

OperatorRule fully_connected_rule() {
    OperatorRule rule = operator_rule<FullyConnected, evaluate_rows, lower_rows>(
        "FULLY_CONNECTED", read_fully_connected);
    rule.forms = "int8, weights int8 per channel or tensor, bias int32 or none";
    rule.generated = "NPU";
    rule.data_inputs = 3;
    return rule;
}

}  // namespace n6vp::sim::generate
