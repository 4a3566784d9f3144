// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/operators/operator.h"

namespace n6vp::sim::generate {

namespace {

Operator read_neg(const LayerReader& layer) {
    layer.expect_inputs(1, 1);
    layer.expect_quantised(layer.input(0), "its input");
    layer.expect_quantised(layer.output(), "its output");
    layer.expect_output_shape(layer.input(0).shape);
    if (layer.input(0).scale_of(0) != layer.output().scale_of(0)) {
        layer.refuse("input and output have different scales", "the same scale on both sides");
    }
    return Neg{};
}

/// With one scale the stored number is the sum of the zero points less the input's: nothing is
/// rounded.
void negate(const Operand& from, const Tensor& result, Bytes& to) {
    const StoredRange range = stored_range(Activation::None, result);
    for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] = cut(result.zero_point_of(0) - from.centred(i), range);
    }
}

void evaluate_neg(const Neg&, NodeEvaluation& at) {
    negate(at.operand(0), at.result(), at.to);
}

void lower_neg(const Neg&, NodeLowering& at) {
    at.add_table([&](const Operand& every, Bytes& to) { negate(every, at.result(), to); });
}

}  // namespace

OperatorRule neg_rule() {
    OperatorRule rule = operator_rule<Neg, evaluate_neg, lower_neg>("NEG", read_neg);
    rule.forms = "int8, equal scales";
    rule.generated = "core";
    return rule;
}

}  // namespace n6vp::sim::generate
