// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <variant>

#include "sim/generate/evaluate/evaluate_kernels.h"
#include "sim/generate/lower/node_lowering.h"
#include "sim/generate/tflite/graph.h"
#include "sim/generate/tflite/import_layer.h"

/// An operator of TFLite: how it is read from a file, evaluated and lowered. Each stands in a file
/// of its own as these three functions and a rule; `table.cpp` lists the rules.
namespace n6vp::sim::generate {

struct OperatorRule {
    const char* name = "";        ///< of the schema: "CONV_2D"
    const char* forms = "";       ///< what is taken over and evaluated, one line
    const char* generated = "";   ///< what of it is lowered, and to what; "" for nothing
    std::size_t data_inputs = 1;  ///< inputs that stay inputs; the others are attributes

    bool constants = false;       ///< data inputs may be constant
    bool keeps_memory = false;    ///< the output is the input by another shape
    bool unsigned_bytes = false;  ///< input and output may be uint8 where it is lowered

    std::int32_t code = 0;  ///< of the schema, by the name
    std::size_t kind = 0;   ///< index in Operator
    Operator (*read)(const LayerReader&) = nullptr;
    void (*evaluate)(NodeEvaluation&) = nullptr;
    void (*lower)(NodeLowering&) = nullptr;
};

/// Returns the index of an operator in the variant.
template <class Op>
[[nodiscard]] constexpr std::size_t operator_kind() {
    return []<class... Ops>(const std::variant<Ops...>*) {
        std::size_t index = 0;
        static_cast<void>(((std::is_same_v<Op, Ops> || (++index, false)) || ...));
        return index;
    }(static_cast<const Operator*>(nullptr));
}

/// Returns a rule with its functions: kEvaluate(const Op&, NodeEvaluation&) and
/// kLower(const Op&, NodeLowering&).
template <class Op, auto kEvaluate, auto kLower>
[[nodiscard]] OperatorRule operator_rule(const char* name, Operator (*read)(const LayerReader&)) {
    OperatorRule rule;
    rule.name = name;
    rule.code = tflite::builtin_code(name);
    rule.kind = operator_kind<Op>();
    rule.read = read;
    rule.evaluate = [](NodeEvaluation& at) { kEvaluate(std::get<Op>(at.node.op), at); };
    rule.lower = [](NodeLowering& at) { kLower(std::get<Op>(at.node().op), at); };
    return rule;
}

}  // namespace n6vp::sim::generate
