// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "sim/generate/operators/operator.h"
#include "sim/generate/operators/probabilities.h"

namespace n6vp::sim::generate {

namespace {

Operator read_logistic(const LayerReader& layer) {
    expect_probabilities(layer);
    return Logistic{};
}

void logistic(const Operand& from, const Tensor& result, Bytes& to) {
    const StoredRange range = stored_range(Activation::None, result);
    for (std::size_t i = 0; i < to.size(); ++i) {
        const double probability = 1 / (1 + std::exp(-from.scale() * from.centred(i)));
        const double steps = std::round(probability / static_cast<double>(result.scale_of(0)));
        to[i] = cut(static_cast<std::int64_t>(steps) + result.zero_point_of(0), range);
    }
}

void evaluate_logistic(const Logistic&, NodeEvaluation& at) {
    logistic(at.operand(0), at.result(), at.to);
}

void lower_logistic(const Logistic&, NodeLowering& at) {
    at.add_table([&](const Operand& every, Bytes& to) { logistic(every, at.result(), to); });
}

}  // namespace

OperatorRule logistic_rule() {
    OperatorRule rule =
        operator_rule<Logistic, evaluate_logistic, lower_logistic>("LOGISTIC", read_logistic);
    rule.forms = "int8, output scale 1/256, zero point -128";
    rule.generated = "core";
    return rule;
}

}  // namespace n6vp::sim::generate
