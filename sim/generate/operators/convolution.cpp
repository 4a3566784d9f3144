// SPDX-License-Identifier: Apache-2.0
// CONV_2D and DEPTHWISE_CONV_2D.
#include "sim/generate/operators/convolutions.h"
#include "sim/generate/tflite/import_windows.h"

namespace n6vp::sim::generate {

namespace {

void evaluate_conv(const Conv2D& op, NodeEvaluation& at) {
    evaluate_convolution(op, at.graph, at.node, at.operand(0), at.to);
}
void lower_conv(const Conv2D& op, NodeLowering& at) {
    lower_convolution_layer(at, convolution_of(at.graph(), at.node(), op));
}

void evaluate_depthwise_conv(const DepthwiseConv2D& op, NodeEvaluation& at) {
    evaluate_depthwise(op, at.graph, at.node, at.operand(0), at.to);
}
void lower_depthwise_conv(const DepthwiseConv2D& op, NodeLowering& at) {
    lower_convolution_layer(at, convolution_of(at.graph(), at.node(), op));
}

}  // namespace

OperatorRule convolution_rule() {
    OperatorRule rule =
        operator_rule<Conv2D, evaluate_conv, lower_conv>("CONV_2D", read_convolution);
    rule.forms = "int8, weights int8 per channel or tensor, bias int32 or none";
    rule.generated = "NPU: no dilation";
    rule.data_inputs = 3;
    return rule;
}

OperatorRule depthwise_rule() {
    OperatorRule rule =
        operator_rule<DepthwiseConv2D, evaluate_depthwise_conv, lower_depthwise_conv>(
            "DEPTHWISE_CONV_2D", read_depthwise);
    rule.forms = "int8, weights int8 per channel or tensor, bias int32 or none, any multiplier";
    rule.generated = "NPU: no dilation, multiplier 1 or one input channel";
    rule.data_inputs = 3;
    return rule;
}

}  // namespace n6vp::sim::generate
