// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/analyze/analysis.h"

#include <algorithm>
#include <limits>
#include <set>

#include "sim/generate/emit/emit_source.h"
#include "sim/generate/lower/epoch_steps.h"

namespace n6vp::sim::generate {

namespace {

// Cycles of the core per element of a softmax, and of the call around it: assumed. NPU cycles per
// core cycle at 1000 and 800 MHz.
constexpr double kSoftmaxElement = 40, kSoftwareEpoch = 2000, kNpuPerCore = 1000.0 / 800;
// Cycles of the core that programs an epoch itself: for every step before and after it, and beside
// them. From simulated runs of two generated models (approx): no measurement.
constexpr double kStartStep = 42, kEndStep = 68, kProgrammedEpoch = 1400;

EpochRow npu_row(const NpuEpoch& epoch, const CostParameters& cost) {
    const EpochEstimate estimate = estimate_epoch(epoch, cost);
    EpochRow row;
    row.name = epoch.name;
    row.choice = epoch.choice;
    row.bound = bound_name(estimate.bound);
    row.multiplications = epoch.multiplications;
    row.cycles = estimate.cycles;
    row.least_cycles = estimate.least_cycles;
    row.utilisation = static_cast<double>(epoch.multiplications) /
                      (cost.multipliers * cost.units * std::max(estimate.cycles, 1.0));
    row.read_bytes = estimate.read_bytes;
    row.written_bytes = estimate.written_bytes;
    row.flash_bytes = estimate.flash_bytes;
    return row;
}

EpochRow software_row(const Epoch& epoch) {
    EpochRow row;
    row.name = epoch_name(epoch);
    row.bound = "software";
    row.software = true;
    double work = 0;
    if (const auto* const core = std::get_if<CoreEpoch>(&epoch)) {
        row.choice = core->choice;
        for (const CoreInput& input : core->inputs) row.read_bytes += input.bytes;
        row.written_bytes = core->elements;
        work = static_cast<double>(core->estimated_cycles);
    } else {
        const auto& softmax = std::get<SoftmaxEpoch>(epoch);
        row.choice = "softmax on the core";
        row.read_bytes = std::uint64_t{softmax.rows} * softmax.elements;
        row.written_bytes = row.read_bytes;
        work = kSoftmaxElement * static_cast<double>(row.read_bytes);
    }
    row.cycles = (kSoftwareEpoch + work) * kNpuPerCore;
    return row;
}

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

void add_programming(const ModelPlan& plan, bool controller, const CostParameters& cost,
                     Analysis& analysis) {
    for (const EpochBlock& block : make_blocks(plan, controller, loader::Generation::Core4x)) {
        if (block.software) continue;
        analysis.programming_cycles += cost.core_start;
        analysis.blob_bytes += std::uint64_t{4} * block.blob_words;
    }
    const std::uint64_t fetches = (analysis.blob_bytes + 7) / 8;
    analysis.programming_cycles += cost.controller_fetch * static_cast<double>(fetches);
    if (controller) return;
    for (const Epoch& epoch : plan.epochs) {
        const auto* const npu = std::get_if<NpuEpoch>(&epoch);
        if (npu == nullptr) continue;
        const CoreSteps steps = core_steps(*npu);
        analysis.programming_cycles +=
            kNpuPerCore * (kProgrammedEpoch + kStartStep * static_cast<double>(steps.start.size()) +
                           kEndStep * static_cast<double>(steps.end.size()));
    }
}

}  // namespace

double Analysis::epoch_cycles() const {
    double sum = 0;
    for (const EpochRow& row : epochs) sum += row.cycles;
    return sum;
}

double Analysis::least_cycles() const {
    double sum = 0;
    for (const EpochRow& row : epochs) sum += row.least_cycles;
    return sum;
}

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
    const CostParameters cost;
    const ModelPlan plan = lower_graph(graph, options.lowering);
    Analysis analysis;
    analysis.name = graph.name;
    analysis.layers = graph.nodes.size();
    analysis.largest_activations = largest_live_bytes(graph);
    count_parameters(graph, analysis);
    add_pools(plan, analysis);
    for (const Epoch& epoch : plan.epochs) {
        const auto* const npu = std::get_if<NpuEpoch>(&epoch);
        analysis.epochs.push_back(npu != nullptr ? npu_row(*npu, cost) : software_row(epoch));
    }
    add_programming(plan, options.controller, cost, analysis);
    return analysis;
}

}  // namespace n6vp::sim::generate
