// SPDX-License-Identifier: Apache-2.0
// ADD and SUB.
#include <algorithm>

#include "sim/generate/evaluate/fixed_point.h"
#include "sim/generate/lower/node_layers.h"
#include "sim/generate/lower/simple_layers.h"
#include "sim/generate/operators/pairs.h"

namespace n6vp::sim::generate {

namespace {

void evaluate_sum(bool subtract, Activation activation, const Operand& left, const Operand& right,
                  const Tensor& result, Bytes& to) {
    // Both operands are brought to twice the larger scale with 20 more bits, then added.
    constexpr int kMoreBits = 20;
    const double twice_larger = 2 * std::max(left.scale(), right.scale());
    const FixedMultiplier left_multiplier = fixed_multiplier(left.scale() / twice_larger);
    const FixedMultiplier right_multiplier = fixed_multiplier(right.scale() / twice_larger);
    const FixedMultiplier sum_multiplier = fixed_multiplier(
        twice_larger / ((1 << kMoreBits) * static_cast<double>(result.scale_of(0))));
    const StoredRange range = stored_range(activation, result);
    const RepeatedIndex left_index(*left.tensor, result);
    const RepeatedIndex right_index(*right.tensor, result);
    for (std::size_t i = 0; i < to.size(); ++i) {
        const std::int32_t a =
            multiply(left.centred(left_index(i)) * (1 << kMoreBits), left_multiplier);
        const std::int32_t b =
            multiply(right.centred(right_index(i)) * (1 << kMoreBits), right_multiplier);
        to[i] = cut(std::int64_t{multiply(subtract ? a - b : a + b, sum_multiplier)} +
                        result.zero_point_of(0),
                    range);
    }
}

void lower_sum(NodeLowering& at, Activation activation, int sign) {
    const Tensor& x = at.tensor(0);
    const Tensor& y = at.tensor(1);
    const Tensor& out = at.result();
    if (x.is_constant() || y.is_constant() || x.element_count() != out.element_count() ||
        y.element_count() != out.element_count()) {
        return at.add_core(
            pair_epoch(at, sign < 0 ? PairKind::Difference : PairKind::Sum, activation));
    }
    ElementwiseLayer layer;
    layer.name = at.name();
    layer.elements = out.element_count();
    layer.two_inputs = true;
    layer.x_scale = at.scale_ratio(x);
    layer.x_zero = x.zero_point_of(0);
    layer.y_scale = sign * at.scale_ratio(y);
    layer.y_zero = y.zero_point_of(0);
    layer.range = range_of(activation, out);
    at.add(lower_elementwise(layer, at.input(0), at.input(1), at.output()));
}

void evaluate_add(const Add& op, NodeEvaluation& at) {
    evaluate_sum(false, op.activation, at.operand(0), at.operand(1), at.result(), at.to);
}
void lower_add(const Add& op, NodeLowering& at) {
    lower_sum(at, op.activation, 1);
}
Operator read_add(const LayerReader& layer) {
    return Add{read_pair(layer)};
}

void evaluate_sub(const Sub& op, NodeEvaluation& at) {
    evaluate_sum(true, op.activation, at.operand(0), at.operand(1), at.result(), at.to);
}
void lower_sub(const Sub& op, NodeLowering& at) {
    lower_sum(at, op.activation, -1);
}
Operator read_sub(const LayerReader& layer) {
    return Sub{read_pair(layer)};
}

}  // namespace

OperatorRule add_rule() {
    OperatorRule rule = operator_rule<Add, evaluate_add, lower_add>("ADD", read_add);
    rule.forms = "int8, shapes equal or repeated, fused activation";
    rule.generated = "NPU: computed tensors of one shape; others: core";
    rule.data_inputs = 2;
    rule.constants = true;
    return rule;
}

OperatorRule sub_rule() {
    OperatorRule rule = operator_rule<Sub, evaluate_sub, lower_sub>("SUB", read_sub);
    rule.forms = "int8, shapes equal or repeated, fused activation";
    rule.generated = "NPU: computed tensors of one shape; others: core";
    rule.data_inputs = 2;
    rule.constants = true;
    return rule;
}

}  // namespace n6vp::sim::generate
