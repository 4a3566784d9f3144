// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/cores/core_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "sim/generate/cores/packed_weights.h"
#include "sim/generate/lower/memory_plan.h"
#include "sim/generate/lower/node_layers.h"
#include "sim/generate/operators/table.h"
#include "sim/host/errors.h"
#include "traces/escape.h"

namespace n6vp::sim::generate {

namespace {

/// Of the runtime's tables: kLegacyMaxTensors.
constexpr std::size_t kMostTensors = 8;
/// Of tensors, weights and scratch memory: kernels read words and vectors.
constexpr std::uint32_t kAlignment = 16;

class CorePlanning {
  public:
    CorePlanning(const Graph& graph, const CoreOptions& options) : graph_(graph) {
        plan_.options = options;
    }

    CorePlan run() {
        check_ends();
        find_storage();
        for (const Node& node : graph_.nodes) add_layer(node);
        place();
        return std::move(plan_);
    }

  private:
    static bool has_one_scale(const Tensor& tensor) {
        return tensor.quantisation.present() && !tensor.quantisation.per_channel() &&
               (tensor.type == ElementType::Int8 || tensor.type == ElementType::Uint8);
    }

    void check_ends() const {
        for (const auto* list : {&graph_.inputs, &graph_.outputs}) {
            const bool input = list == &graph_.inputs;
            if (list->size() > kMostTensors) {
                throw UserError(fmt::format("{} {}", list->size(), input ? "inputs" : "outputs"),
                                fmt::format("up to {}", kMostTensors));
            }
            for (const TensorId id : *list) {
                const Tensor& tensor = graph_.tensors[id];
                if (has_one_scale(tensor) && !tensor.is_constant()) continue;
                throw UserError(
                    fmt::format("an {} '{}' of {} that is not quantised as a whole",
                                input ? "input" : "output", traces::terminal_text(tensor.name),
                                type_name(tensor.type)),
                    "quantise the network to int8, its inputs and outputs too");
            }
        }
        std::vector<TensorId> ends = graph_.inputs;
        ends.insert(ends.end(), graph_.outputs.begin(), graph_.outputs.end());
        std::sort(ends.begin(), ends.end());
        if (std::adjacent_find(ends.begin(), ends.end()) != ends.end())
            throw UserError("an input that is an output, too, or one that is listed twice",
                            "give each input and output a tensor of its own");
    }

    void check_node(const Node& node) const {
        if (graph_.input(node).is_constant() && !rule_of(node.op).constants) {
            refuse_node(graph_, node, "an input that is a constant",
                        "fold it into the layers that use it");
        }
        for (const TensorId id : {node.inputs[0], node.outputs[0]}) {
            if (has_one_scale(graph_.tensors[id])) continue;
            refuse_node(graph_, node,
                        fmt::format("a tensor of {} that is not quantised to int8 as a whole",
                                    type_name(graph_.tensors[id].type)),
                        "quantise the network to int8, with one scale for each activation");
        }
    }

    [[nodiscard]] bool is_end(TensorId id) const {
        const auto among = [id](const std::vector<TensorId>& list) {
            return std::find(list.begin(), list.end(), id) != list.end();
        };
        return among(graph_.inputs) || among(graph_.outputs);
    }

    /// A tensor that only has another shape shares the memory of its source, unless both are known
    /// to the caller.
    void find_storage() {
        plan_.storage.resize(graph_.tensors.size());
        std::iota(plan_.storage.begin(), plan_.storage.end(), TensorId{0});
        for (const Node& node : graph_.nodes) {
            if (shares(node)) plan_.storage[node.outputs[0]] = plan_.storage[node.inputs[0]];
        }
    }
    [[nodiscard]] bool shares(const Node& node) const {
        const TensorId source = plan_.storage[node.inputs[0]];
        return keeps_memory(node) && !graph_.tensors[source].is_constant() &&
               !is_end(node.outputs[0]);
    }

    void add_layer(const Node& node) {
        check_node(node);
        if (keeps_memory(node) && plan_.storage[node.inputs[0]] == plan_.storage[node.outputs[0]]) {
            return;
        }
        CorePlan::Layer layer;
        layer.work = core_layer(graph_, node, *plan_.options.target);
        align_bytes(plan_.weights, kAlignment);
        constexpr std::size_t kMostWeights = std::size_t{1} << 28;
        if (plan_.weights.size() + layer.work.weights.size() > kMostWeights)
            throw UserError("weights of more than 256 MiB", "use a smaller network");
        layer.weights = static_cast<std::uint32_t>(plan_.weights.size());
        plan_.weights.insert(plan_.weights.end(), layer.work.weights.begin(),
                             layer.work.weights.end());
        plan_.macs += layer.work.macs;
        plan_.layers.push_back(std::move(layer));
    }

    /// Lifetimes in layers. Tensors that the caller has are not here.
    struct Owned {
        std::vector<Buffer> buffers;
        std::vector<TensorId> tensors;     ///< of the buffers; then the layers' scratch memory
        std::vector<std::size_t> scratch;  ///< layers of the buffers after those of tensors
    };

    [[nodiscard]] bool is_user(TensorId id) const {
        const auto among = [id](const std::vector<TensorId>& list) {
            return std::find(list.begin(), list.end(), id) != list.end();
        };
        return (plan_.options.user_inputs && among(graph_.inputs)) ||
               (plan_.options.user_outputs && among(graph_.outputs));
    }

    [[nodiscard]] Owned lifetimes() const {
        const auto last = static_cast<std::uint32_t>(plan_.layers.size());
        std::vector<std::optional<Buffer>> lives(graph_.tensors.size());
        const auto use = [&](TensorId id, std::uint32_t time) {
            if (id == kNoTensor || graph_.tensors[id].is_constant()) return;
            const TensorId owner = plan_.storage[id];
            if (is_user(owner)) return;
            std::optional<Buffer>& life = lives[owner];
            if (!life) life = Buffer{graph_.tensors[owner].bytes(), time, time};
            life->last = std::max(life->last, time);
        };
        for (const TensorId id : graph_.inputs) use(id, 0);
        for (std::uint32_t i = 0; i < plan_.layers.size(); ++i) {
            const Node& node = *plan_.layers[i].work.node;
            for (const TensorId id : node.inputs) use(id, i);
            for (const TensorId id : node.outputs) use(id, i);
        }
        for (const TensorId id : graph_.outputs) use(id, last);
        Owned owned;
        for (TensorId id = 0; id < lives.size(); ++id) {
            if (!lives[id]) continue;
            owned.buffers.push_back(*lives[id]);
            owned.tensors.push_back(id);
        }
        for (std::uint32_t i = 0; i < plan_.layers.size(); ++i) {
            if (plan_.layers[i].work.scratch == 0) continue;
            owned.buffers.push_back({plan_.layers[i].work.scratch, i, i});
            owned.scratch.push_back(i);
        }
        return owned;
    }

    void place() {
        const Owned owned = lifetimes();
        constexpr std::uint32_t kMost = std::numeric_limits<std::int32_t>::max();
        const PlacedPool pool = {"activations", 0, kMost};
        MissingRoom missing;
        const std::optional<MemoryPlan> memory =
            plan_memory(owned.buffers, {&pool, 1}, &missing, kAlignment);
        if (!memory) throw UserError("activations of more than 2 GiB", "use a smaller network");
        plan_.places.resize(graph_.tensors.size());
        for (std::size_t i = 0; i < owned.buffers.size(); ++i) {
            const std::uint32_t at = memory->places[i].address;
            if (i < owned.tensors.size())
                plan_.places[owned.tensors[i]] = at;
            else
                plan_.layers[owned.scratch[i - owned.tensors.size()]].scratch = at;
        }
        plan_.activation_bytes = memory->used[0];
    }

    const Graph& graph_;
    CorePlan plan_;
};

}  // namespace

CorePlan plan_core_model(const Graph& graph, const CoreOptions& options) {
    return CorePlanning(graph, options).run();
}

}  // namespace n6vp::sim::generate
