// SPDX-License-Identifier: Apache-2.0
// RESHAPE, SQUEEZE and EXPAND_DIMS: another shape of the same memory.
#include "sim/generate/operators/operator.h"

namespace n6vp::sim::generate {

namespace {

Operator read_reshape(const LayerReader& layer) {
    layer.expect_inputs(1, 2);
    layer.expect_quantised(layer.input(0), "its input", true);
    layer.expect_same_quantisation(0);
    if (layer.input(0).element_count() != layer.output().element_count()) {
        layer.refuse("its input and output have different numbers of elements", "equal numbers");
    }
    return Reshape{};
}

void evaluate_reshape(const Reshape&, NodeEvaluation& at) {
    at.to = *at.operand(0).bytes;
}

void lower_reshape(const Reshape&, NodeLowering&) {}

OperatorRule rule_named(const char* name) {
    OperatorRule rule = operator_rule<Reshape, evaluate_reshape, lower_reshape>(name, read_reshape);
    rule.forms = "int8 or uint8";
    rule.generated = "no work";
    rule.keeps_memory = true;
    return rule;
}

}  // namespace

OperatorRule reshape_rule() {
    return rule_named("RESHAPE");
}
OperatorRule squeeze_rule() {
    return rule_named("SQUEEZE");
}
OperatorRule expand_dims_rule() {
    return rule_named("EXPAND_DIMS");
}

}  // namespace n6vp::sim::generate
