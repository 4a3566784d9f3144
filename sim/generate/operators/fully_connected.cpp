// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/operators/convolutions.h"
#include "sim/generate/tflite/import_windows.h"

namespace n6vp::sim::generate {

namespace {

void evaluate_rows(const FullyConnected& op, NodeEvaluation& at) {
    evaluate_fully_connected(op, at.graph, at.node, at.operand(0), at.to);
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
