// SPDX-License-Identifier: Apache-2.0
// MUL.
#include "sim/generate/evaluate/fixed_point.h"
#include "sim/generate/operators/pairs.h"

namespace n6vp::sim::generate {

namespace {

Operator read_mul(const LayerReader& layer) {
    return Mul{read_pair(layer)};
}

void evaluate_mul(const Mul& op, NodeEvaluation& at) {
    const Operand left = at.operand(0), right = at.operand(1);
    const Tensor& result = at.result();
    // The library computes this factor in float.
    const float factor = left.tensor->scale_of(0) * right.tensor->scale_of(0) / result.scale_of(0);
    const FixedMultiplier multiplier = fixed_multiplier(static_cast<double>(factor));
    const StoredRange range = stored_range(op.activation, result);
    const RepeatedIndex left_index(*left.tensor, result);
    const RepeatedIndex right_index(*right.tensor, result);
    for (std::size_t i = 0; i < at.to.size(); ++i) {
        const std::int32_t product = left.centred(left_index(i)) * right.centred(right_index(i));
        at.to[i] =
            cut(std::int64_t{multiply(product, multiplier)} + result.zero_point_of(0), range);
    }
}

void lower_mul(const Mul& op, NodeLowering& at) {
    at.add_core(pair_epoch(at, PairKind::Product, op.activation));
}

}  // namespace

OperatorRule mul_rule() {
    OperatorRule rule = operator_rule<Mul, evaluate_mul, lower_mul>("MUL", read_mul);
    rule.forms = "int8, shapes equal or repeated, fused activation";
    rule.generated = "core";
    rule.data_inputs = 2;
    rule.constants = true;
    return rule;
}

}  // namespace n6vp::sim::generate
