// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/evaluate/evaluate.h"

#include <cstddef>
#include <utility>
#include <variant>

#include "sim/host/errors.h"
#include "sim/generate/evaluate/evaluate_kernels.h"

namespace n6vp::sim::generate {

namespace {

/// Computes one node: an overload per operator.
class NodeEvaluation {
  public:
    NodeEvaluation(const Graph& graph, const Node& node, const TensorValues& values)
        : graph_(graph), node_(node), values_(values), to_(result().element_count()) {}

    Bytes take() && { return std::move(to_); }

    void operator()(const Conv2D& op) { evaluate_convolution(op, graph_, node_, operand(0), to_); }
    void operator()(const DepthwiseConv2D& op) {
        evaluate_depthwise(op, graph_, node_, operand(0), to_);
    }
    void operator()(const FullyConnected& op) {
        evaluate_fully_connected(op, graph_, node_, operand(0), to_);
    }
    void operator()(const Add& op) {
        evaluate_sum(false, op.activation, operand(0), operand(1), result(), to_);
    }
    void operator()(const Sub& op) {
        evaluate_sum(true, op.activation, operand(0), operand(1), result(), to_);
    }
    void operator()(const Mul& op) {
        evaluate_product(op.activation, operand(0), operand(1), result(), to_);
    }
    void operator()(const AveragePool& op) { evaluate_average_pool(op, operand(0), result(), to_); }
    void operator()(const MaxPool& op) { evaluate_max_pool(op, operand(0), result(), to_); }
    void operator()(const Mean& op) { evaluate_mean(op, operand(0), result(), to_); }
    void operator()(const Concat& op) {
        std::vector<Operand> operands;
        operands.reserve(node_.inputs.size());
        for (std::size_t i = 0; i < node_.inputs.size(); ++i) operands.push_back(operand(i));
        evaluate_concatenation(op, operands, result(), to_);
    }
    void operator()(const Reshape&) { to_ = *operand(0).bytes; }
    void operator()(const Pad& op) { evaluate_pad(op, operand(0), result(), to_); }
    void operator()(const Quantize&) {
        evaluate_requantise(Activation::None, operand(0), result(), to_);
    }
    void operator()(const Relu& op) {
        evaluate_requantise(op.activation, operand(0), result(), to_);
    }
    void operator()(const Softmax& op) { evaluate_softmax(op, operand(0), result(), to_); }
    void operator()(const Logistic&) { evaluate_logistic(operand(0), result(), to_); }
    void operator()(const Resize& op) { evaluate_resize(op, operand(0), result(), to_); }

  private:
    [[nodiscard]] Operand operand(std::size_t index) const {
        const TensorId id = node_.inputs[index];
        return {&graph_.tensors[id], &values_[id]};
    }
    [[nodiscard]] const Tensor& result() const { return graph_.output(node_); }

    const Graph& graph_;
    const Node& node_;
    const TensorValues& values_;
    Bytes to_;
};

}  // namespace

TensorValues constant_values(const Graph& graph) {
    TensorValues values;
    values.reserve(graph.tensors.size());
    for (const Tensor& tensor : graph.tensors) values.push_back(tensor.constant);
    return values;
}

void evaluate_node(const Graph& graph, const Node& node, TensorValues& values) {
    NodeEvaluation evaluation(graph, node, values);
    std::visit(evaluation, node.op);
    values[node.outputs[0]] = std::move(evaluation).take();
}

TensorValues evaluate(const Graph& graph, std::span<const std::vector<std::uint8_t>> inputs) {
    if (inputs.size() != graph.inputs.size()) {
        throw UserError("another number of inputs than the network has", "give one per input");
    }
    TensorValues values = constant_values(graph);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].size() != graph.tensors[graph.inputs[i]].bytes()) {
            throw UserError("an input of another size than the network's",
                            "give as many elements as its shape has");
        }
        values[graph.inputs[i]] = inputs[i];
    }
    for (const Node& node : graph.nodes) evaluate_node(graph, node, values);
    return values;
}

}  // namespace n6vp::sim::generate
