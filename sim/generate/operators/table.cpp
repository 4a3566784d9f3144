// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/operators/table.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <variant>

namespace n6vp::sim::generate {

OperatorRule add_rule();
OperatorRule average_pool_rule();
OperatorRule concatenation_rule();
OperatorRule convolution_rule();
OperatorRule depthwise_rule();
OperatorRule expand_dims_rule();
OperatorRule fully_connected_rule();
OperatorRule logistic_rule();
OperatorRule max_pool_rule();
OperatorRule mean_rule();
OperatorRule mul_rule();
OperatorRule neg_rule();
OperatorRule pad_rule();
OperatorRule pad_v2_rule();
OperatorRule quantize_rule();
OperatorRule relu_rule();
OperatorRule relu6_rule();
OperatorRule relu_n1_to_1_rule();
OperatorRule reshape_rule();
OperatorRule resize_bilinear_rule();
OperatorRule resize_nearest_rule();
OperatorRule softmax_rule();
OperatorRule squeeze_rule();
OperatorRule sub_rule();

namespace {

struct Hint {
    const char* name;
    const char* nearest;
};
constexpr std::array kHints = {
    Hint{"DEPTH_TO_SPACE", "RESIZE_NEAREST_NEIGHBOR and CONV_2D"},
    Hint{"DEQUANTIZE", "an int8 output (inference_output_type = tf.int8)"},
    Hint{"TANH", "LOGISTIC: tanh(x) = 2 * logistic(2x) - 1, with MUL and SUB"},
    Hint{"CUSTOM", "operators built into TensorFlow Lite"},
    Hint{"TRANSPOSE", "the order [1, height, width, channels] throughout"},
    Hint{"DIV", "MUL by a constant"},
    Hint{"TRANSPOSE_CONV", "RESIZE_NEAREST_NEIGHBOR and CONV_2D"},
    Hint{"LEAKY_RELU", "RELU or RELU6"},
    Hint{"MIRROR_PAD", "PAD"},
    Hint{"HARD_SWISH", "RELU6"},
};

}  // namespace

std::span<const OperatorRule> operator_rules() {
    // Sorted by name, as the table is printed.
    static const std::array rules = {
        add_rule(),
        average_pool_rule(),
        concatenation_rule(),
        convolution_rule(),
        depthwise_rule(),
        expand_dims_rule(),
        fully_connected_rule(),
        logistic_rule(),
        max_pool_rule(),
        mean_rule(),
        mul_rule(),
        neg_rule(),
        pad_rule(),
        pad_v2_rule(),
        quantize_rule(),
        relu_rule(),
        relu6_rule(),
        relu_n1_to_1_rule(),
        reshape_rule(),
        resize_bilinear_rule(),
        resize_nearest_rule(),
        softmax_rule(),
        squeeze_rule(),
        sub_rule(),
    };
    return rules;
}

const OperatorRule* find_rule(std::int32_t code) {
    const std::span<const OperatorRule> rules = operator_rules();
    const auto found = std::find_if(rules.begin(), rules.end(),
                                    [&](const OperatorRule& rule) { return rule.code == code; });
    return found == rules.end() ? nullptr : &*found;
}

const OperatorRule& rule_of(const Operator& op) {
    static const auto by_kind = [] {
        std::array<const OperatorRule*, std::variant_size_v<Operator>> table{};
        for (const OperatorRule& rule : operator_rules()) table.at(rule.kind) = &rule;
        return table;
    }();
    const OperatorRule* const rule = by_kind.at(op.index());
    if (rule == nullptr) throw std::logic_error("an operator without a rule");
    return *rule;
}

const char* nearest_operator(std::int32_t code) {
    const auto found = std::find_if(kHints.begin(), kHints.end(), [&](const Hint& hint) {
        return tflite::builtin_code(hint.name) == code;
    });
    return found == kHints.end() ? "the operators that n6vp supported-ops lists" : found->nearest;
}

}  // namespace n6vp::sim::generate
