// SPDX-License-Identifier: Apache-2.0
// Input: a .tflite file.
#include <vector>

#include "sim/generate/operators/evaluate.h"
#include "sim/generate/operators/import.h"
#include "sim/host/errors.h"
#include "tests/fuzz/fuzz_check.h"

namespace {

using namespace n6vp::sim::generate;

/// What every user of a graph relies on.
void check_tensor(const Tensor& tensor) {
    N6VP_FUZZ_CHECK(tensor.element_count() >= 1);
    N6VP_FUZZ_CHECK(tensor.element_count() <= 1u << 28);
    N6VP_FUZZ_CHECK(!tensor.is_constant() || tensor.constant.size() == tensor.bytes());
    N6VP_FUZZ_CHECK(tensor.quantisation.scale.size() == tensor.quantisation.zero_point.size());
    for (const float scale : tensor.quantisation.scale) N6VP_FUZZ_CHECK(scale > 0);
}

void check_node(const Graph& graph, const Node& node, std::vector<bool>& ready) {
    N6VP_FUZZ_CHECK(!node.inputs.empty());
    N6VP_FUZZ_CHECK(node.outputs.size() == 1);
    for (const TensorId id : node.inputs) {
        if (id == kNoTensor) continue;
        N6VP_FUZZ_CHECK(id < graph.tensors.size());
        N6VP_FUZZ_CHECK(ready[id]);
    }
    N6VP_FUZZ_CHECK(!ready[node.outputs[0]]);
    ready[node.outputs[0]] = true;
}

/// Small graphs are evaluated, with all inputs zero.
void evaluate_small(const Graph& graph) {
    std::uint64_t work = 0;
    for (const Tensor& tensor : graph.tensors) work += tensor.bytes();
    for (const Node& node : graph.nodes) {
        work += multiply_accumulates(graph, node) + graph.output(node).bytes();
    }
    // Windows of pools count too.
    constexpr std::uint64_t kMaxWork = 20'000;
    if (work > kMaxWork) return;
    for (const Node& node : graph.nodes) {
        const auto* const average = std::get_if<AveragePool>(&node.op);
        const auto* const most = std::get_if<MaxPool>(&node.op);
        const Window* const window = average != nullptr ? &average->window
                                     : most != nullptr  ? &most->window
                                                        : nullptr;
        if (window != nullptr && window->height * window->width > 256) return;
    }
    std::vector<std::vector<std::uint8_t>> inputs;
    inputs.reserve(graph.inputs.size());
    for (const TensorId id : graph.inputs) inputs.emplace_back(graph.tensors[id].bytes());
    const TensorValues values = evaluate(graph, inputs);
    for (const TensorId id : graph.outputs) {
        N6VP_FUZZ_CHECK(values[id].size() == graph.tensors[id].bytes());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // Exactly as long as the input, so that the sanitizer sees the first byte too many.
    const std::vector<std::uint8_t> copy(data, data + size);
    try {
        const Graph graph = import_tflite(copy, "fuzz");
        std::vector<bool> ready(graph.tensors.size());
        for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
            check_tensor(graph.tensors[i]);
            ready[i] = graph.tensors[i].is_constant();
        }
        for (const TensorId id : graph.inputs) ready[id] = true;
        for (const Node& node : graph.nodes) check_node(graph, node, ready);
        for (const TensorId id : graph.outputs) N6VP_FUZZ_CHECK(ready[id]);
        evaluate_small(graph);
    } catch (const n6vp::sim::UserError& error) {
        N6VP_FUZZ_CHECK(error.what()[0] != '\0');
        N6VP_FUZZ_CHECK(!error.remedy().empty());
    }
    return 0;
}
