// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/analyze/analysis.h"

#include <algorithm>
#include <limits>
#include <set>

#include "sim/generate/emit/emit_source.h"

namespace n6vp::sim::generate {

namespace {

void count_parameters(const Graph& graph, Analysis& analysis) {
    std::set<TensorId> counted;
    for (const Node& node : graph.nodes) {
        analysis.multiplications += multiply_accumulates(graph, node);
        for (const TensorId id : node.inputs) {
            if (id == kNoTensor || !graph.tensors[id].is_constant()) continue;
            if (!counted.insert(id).second) continue;
            analysis.parameters += graph.tensors[id].element_count();
            analysis.parameter_bytes += graph.tensors[id].bytes();
        }
    }
}

/// What is used of each pool: up to the end of the last tensor in it.
void add_pools(const ModelPlan& plan, Analysis& analysis) {
    for (const PlacedPool& pool : plan.activations) {
        std::uint64_t used = 0;
        for (const auto* const tensors : {&plan.inputs, &plan.outputs, &plan.internals}) {
            for (const PlacedTensor& tensor : *tensors) {
                if (is_user(tensor.at.base) || tensor.pool != pool.name) continue;
                used =
                    std::max<std::uint64_t>(used, tensor.at.offset - pool.address + tensor.bytes);
            }
        }
        if (used > 0) analysis.pools.push_back({pool.name, "activations", used});
    }
    analysis.pools.push_back({plan.weights_pool,
                              plan.weights_in_place ? "weights, in place" : "weights, copied",
                              plan.weights.size()});
}

}  // namespace

std::uint64_t largest_live_bytes(const Graph& graph) {
    // First and last node that needs a tensor; inputs are there from the start, outputs to the end.
    struct Life {
        std::size_t first = std::numeric_limits<std::size_t>::max(), last = 0;
        void add(std::size_t node) {
            first = std::min(first, node);
            last = std::max(last, node);
        }
    };
    std::vector<Life> lives(graph.tensors.size());
    for (const TensorId id : graph.inputs) lives[id].add(0);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        for (const auto* const list : {&graph.nodes[i].inputs, &graph.nodes[i].outputs}) {
            for (const TensorId id : *list) {
                if (id != kNoTensor) lives[id].add(i);
            }
        }
    }
    for (const TensorId id : graph.outputs) lives[id].add(graph.nodes.size() - 1);
    std::uint64_t largest = 0;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        std::uint64_t bytes = 0;
        for (std::size_t id = 0; id < lives.size(); ++id) {
            if (graph.tensors[id].is_constant()) continue;
            if (lives[id].first <= i && i <= lives[id].last) bytes += graph.tensors[id].bytes();
        }
        largest = std::max(largest, bytes);
    }
    return largest;
}

Analysis analyse(const Graph& graph, const AnalysisOptions& options) {
    const ModelPlan plan = lower_graph(graph, options.lowering);
    Analysis analysis;
    analysis.name = graph.name;
    analysis.layers = graph.nodes.size();
    analysis.largest_activations = largest_live_bytes(graph);
    count_parameters(graph, analysis);
    add_pools(plan, analysis);
    analysis.prediction =
        predict(plan, make_blocks(plan, options.controller, loader::Generation::Core4x),
                options.lowering.costs);
    return analysis;
}

}  // namespace n6vp::sim::generate
