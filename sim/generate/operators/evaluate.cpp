// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/operators/evaluate.h"

#include <cstddef>
#include <utility>

#include "sim/generate/operators/table.h"
#include "sim/host/errors.h"

namespace n6vp::sim::generate {

TensorValues constant_values(const Graph& graph) {
    TensorValues values;
    values.reserve(graph.tensors.size());
    for (const Tensor& tensor : graph.tensors) values.push_back(tensor.constant);
    return values;
}

void evaluate_node(const Graph& graph, const Node& node, TensorValues& values) {
    NodeEvaluation evaluation{graph, node, values, Bytes(graph.output(node).element_count())};
    rule_of(node.op).evaluate(evaluation);
    values[node.outputs[0]] = std::move(evaluation.to);
}

TensorValues evaluate(const Graph& graph, std::span<const std::vector<std::uint8_t>> inputs) {
    if (inputs.size() != graph.inputs.size()) {
        throw UserError("another number of inputs than the network has", "give one per input");
    }
    TensorValues values = constant_values(graph);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].size() != graph.tensors[graph.inputs[i]].bytes()) {
            throw UserError("an input whose size differs from the network",
                            "give as many elements as its shape has");
        }
        values[graph.inputs[i]] = inputs[i];
    }
    for (const Node& node : graph.nodes) evaluate_node(graph, node, values);
    return values;
}

}  // namespace n6vp::sim::generate
