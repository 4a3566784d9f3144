// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sim/generate/operators/operator.h"
#include "sim/generate/operators/probabilities.h"

namespace n6vp::sim::generate {

namespace {

Operator read_softmax(const LayerReader& layer) {
    expect_probabilities(layer);
    const auto beta = layer.option<float>(tflite::softmax_options::kBeta, 1.0F);
    if (!std::isfinite(beta) || beta <= 0) layer.refuse("beta is not above 0", "beta = 1");
    if (layer.input(0).shape.empty()) layer.refuse("no dimension", "one dimension or more");
    return Softmax{beta};
}

void evaluate_softmax(const Softmax& op, NodeEvaluation& at) {
    const Operand from = at.operand(0);
    const Tensor& result = at.result();
    // By the distance to the largest element.
    const std::array<float, 256> powers = softmax_powers(from.tensor->scale_of(0), op.beta);
    const StoredRange range = stored_range(Activation::None, result);
    const std::size_t length = from.tensor->shape.back();
    for (std::size_t row = 0; row < at.to.size(); row += length) {
        std::int32_t largest = from.stored(row);
        for (std::size_t i = 1; i < length; ++i) largest = std::max(largest, from.stored(row + i));
        const auto power = [&](std::size_t i) {
            return powers[static_cast<std::size_t>(largest - from.stored(row + i))];
        };
        float sum = 0;
        for (std::size_t i = 0; i < length; ++i) sum += power(i);
        const float steps = 1.0F / (sum * result.scale_of(0));
        for (std::size_t i = 0; i < length; ++i) {
            const auto stored = static_cast<std::int32_t>(std::floor(power(i) * steps + 0.5F));
            at.to[row + i] = cut(std::int64_t{stored} + result.zero_point_of(0), range);
        }
    }
}

void lower_softmax(const Softmax& op, NodeLowering& at) {
    const Tensor& in = at.tensor(0);
    const Tensor& out = at.result();
    constexpr std::uint32_t kMaxClasses = 512;
    SoftmaxEpoch epoch;
    epoch.elements = in.shape.empty() ? 1 : in.shape.back();
    if (epoch.elements > kMaxClasses || out.zero_point_of(0) != -128 ||
        out.scale_of(0) != 1.0F / 256) {
        at.refuse("more than 512 classes, or another output than 1/256 from -128",
                  "use the converter's int8 softmax");
    }
    epoch.name = at.name();
    epoch.rows = in.element_count() / epoch.elements;
    epoch.input = at.input(0);
    epoch.output = at.output();
    const double step = static_cast<double>(in.scale_of(0)) * static_cast<double>(op.beta);
    constexpr double kOne = 1 << 22;
    for (std::size_t d = 0; d < epoch.table.size(); ++d) {
        const double value = std::exp(-static_cast<double>(d) * step) * kOne;
        epoch.table[d] = static_cast<std::uint32_t>(std::lround(value));
    }
    at.add(std::move(epoch));
}

}  // namespace

OperatorRule softmax_rule() {
    OperatorRule rule =
        operator_rule<Softmax, evaluate_softmax, lower_softmax>("SOFTMAX", read_softmax);
    rule.forms = "int8, last dimension, output scale 1/256, zero point -128";
    rule.generated = "core: up to 512 classes";
    return rule;
}

}  // namespace n6vp::sim::generate
