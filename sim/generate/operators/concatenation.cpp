// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "sim/generate/operators/copies.h"

namespace n6vp::sim::generate {

namespace {

using Shape = std::vector<std::uint32_t>;

Operator read_concatenation(const LayerReader& layer) {
    layer.expect_inputs(1, 64);
    const auto rank = static_cast<std::int64_t>(layer.input(0).shape.size());
    std::int64_t axis = layer.option<std::int32_t>(tflite::concatenation_options::kAxis, 0);
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank)
        layer.refuse("its axis is none of its dimensions", "an existing axis");
    const auto dimension = static_cast<std::size_t>(axis);
    const Shape& to = layer.output().shape;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < layer.input_count(); ++i) {
        layer.expect_quantised(layer.input(i), "an input", true);
        layer.expect_same_quantisation(i);
        Shape other = layer.input(i).shape;
        if (other.size() != to.size()) layer.refuse("its ranks differ", "equal ranks");
        total += std::exchange(other[dimension], to[dimension]);
        if (other != to) layer.refuse("another dimension differs", "one axis that differs");
    }
    if (total != to[dimension]) {
        layer.refuse(
            fmt::format("its inputs have {} along its axis, its output {}", total, to[dimension]),
            "a file as the converter writes it");
    }
    const Activation activation = layer.activation(tflite::concatenation_options::kActivation);
    if (activation != Activation::None) layer.refuse("a fused activation", "a separate RELU");
    return Concat{static_cast<std::uint32_t>(dimension)};
}

/// Product of the lengths of dimensions first...last - 1.
std::size_t lengths(const Tensor& tensor, std::size_t first, std::size_t last) {
    std::size_t product = 1;
    for (std::size_t i = first; i < last; ++i) product *= tensor.shape[i];
    return product;
}

void evaluate_concatenation(const Concat& op, NodeEvaluation& at) {
    const Tensor& result = at.result();
    const std::size_t outer = lengths(result, 0, op.axis);
    auto target = at.to.begin();
    for (std::size_t block = 0; block < outer; ++block) {
        for (std::size_t i = 0; i < at.node.inputs.size(); ++i) {
            const Operand part = at.operand(i);
            const std::size_t length = lengths(*part.tensor, op.axis, part.tensor->shape.size());
            const auto first = part.bytes->begin() + static_cast<std::ptrdiff_t>(block * length);
            target = std::copy(first, first + static_cast<std::ptrdiff_t>(length), target);
        }
    }
}

void lower_concatenation(const Concat& op, NodeLowering& at) {
    lower_copy_layer(at, concatenation_copies(at.graph(), at.node(), op.axis));
}

}  // namespace

OperatorRule concatenation_rule() {
    OperatorRule rule = operator_rule<Concat, evaluate_concatenation, lower_concatenation>(
        "CONCATENATION", read_concatenation);
    rule.forms = "int8 or uint8, equal scales, any axis";
    rule.generated = "NPU: up to 5 tensors of int8";
    rule.data_inputs = 64;
    rule.constants = true;
    return rule;
}

}  // namespace n6vp::sim::generate
