// SPDX-License-Identifier: Apache-2.0
// QUANTIZE and activations that stand alone: other scale, zero point, type or limits.
#include <cstdint>

#include "sim/generate/lower/node_layers.h"
#include "sim/generate/lower/simple_layers.h"
#include "sim/generate/operators/operator.h"

namespace n6vp::sim::generate {

namespace {

Operator read_quantize(const LayerReader& layer) {
    layer.expect_inputs(1, 1);
    layer.expect_quantised(layer.input(0), "its input", true);
    layer.expect_quantised(layer.output(), "its output", true);
    layer.expect_output_shape(layer.input(0).shape);
    return Quantize{};
}

template <Activation kActivation>
Operator read_relu(const LayerReader& layer) {
    layer.expect_inputs(1, 1);
    layer.expect_quantised(layer.input(0), "its input");
    layer.expect_quantised(layer.output(), "its output");
    layer.expect_output_shape(layer.input(0).shape);
    return Relu{kActivation};
}

void lower_change_of_scale(NodeLowering& at, Activation activation) {
    const Tensor& in = at.tensor(0);
    const Tensor& out = at.result();
    ElementwiseLayer layer;
    layer.name = at.name();
    layer.elements = out.element_count();
    layer.x_scale = at.scale_ratio(in);
    layer.x_zero = in.zero_point_of(0);
    layer.unsigned_input = in.type == ElementType::Uint8;
    layer.range = range_of(activation, out);
    at.add(lower_elementwise(layer, at.input(0), {}, at.output()));
}
void evaluate_quantize(const Quantize&, NodeEvaluation& at) {
    evaluate_requantise(Activation::None, at.operand(0), at.result(), at.to);
}
void lower_quantize(const Quantize&, NodeLowering& at) {
    if (at.result().type != ElementType::Uint8) return lower_change_of_scale(at, Activation::None);
    // The units give signed bytes.
    at.add_table([&](const Operand& every, Bytes& to) {
        evaluate_requantise(Activation::None, every, at.result(), to);
    });
}

void evaluate_relu(const Relu& op, NodeEvaluation& at) {
    evaluate_requantise(op.activation, at.operand(0), at.result(), at.to);
}
void lower_relu(const Relu& op, NodeLowering& at) {
    lower_change_of_scale(at, op.activation);
}

}  // namespace

OperatorRule quantize_rule() {
    OperatorRule rule =
        operator_rule<Quantize, evaluate_quantize, lower_quantize>("QUANTIZE", read_quantize);
    rule.forms = "int8 or uint8 to int8 or uint8";
    rule.generated = "NPU: to int8; core: to uint8";
    rule.unsigned_bytes = true;
    return rule;
}

OperatorRule relu_rule() {
    OperatorRule rule =
        operator_rule<Relu, evaluate_relu, lower_relu>("RELU", read_relu<Activation::Relu>);
    rule.forms = "int8";
    rule.generated = "NPU";
    return rule;
}

OperatorRule relu6_rule() {
    OperatorRule rule =
        operator_rule<Relu, evaluate_relu, lower_relu>("RELU6", read_relu<Activation::Relu6>);
    rule.forms = "int8";
    rule.generated = "NPU";
    return rule;
}

OperatorRule relu_n1_to_1_rule() {
    OperatorRule rule = operator_rule<Relu, evaluate_relu, lower_relu>(
        "RELU_N1_TO_1", read_relu<Activation::ReluN1To1>);
    rule.forms = "int8";
    rule.generated = "NPU";
    return rule;
}

}  // namespace n6vp::sim::generate
