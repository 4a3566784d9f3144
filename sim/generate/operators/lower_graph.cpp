// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/operators/lower_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/generate/lower/memory_plan.h"
#include "sim/generate/lower/node_layers.h"
#include "sim/generate/operators/table.h"
#include "sim/host/errors.h"
#include "traces/escape.h"

namespace n6vp::sim::generate {

namespace {

constexpr std::uint32_t kBankBytes = 448 * 1024;

/// An identifier of a name that may be anything.
std::string identifier(const std::string& name) {
    std::string result;
    for (const char character : name.substr(0, 40)) {
        const bool plain = (character >= 'a' && character <= 'z') ||
                           (character >= 'A' && character <= 'Z') ||
                           (character >= '0' && character <= '9');
        result += plain ? character : '_';
    }
    return result.empty() || (result[0] >= '0' && result[0] <= '9') ? "n_" + result : result;
}

/// Goes through the network twice: which tensors need memory when, then epoch after epoch.
class GraphLowering {
  public:
    GraphLowering(const Graph& graph, const LoweringOptions& options)
        : graph_(graph),
          options_(options),
          weights_(options.weights_copy ? Address{Base::Absolute, options.weights_copy->address}
                                        : Address{Base::Weights, 0}) {}

    ModelPlan run() {
        check_tensors();
        find_storage();
        find_user_tensors();
        plan_buffers();
        plan_.name = identifier(graph_.name);
        const NodeLowering::Network network{
            graph_, options_, [this](TensorId id) { return address(id); }, weights_, plan_.epochs};
        for (const Node& node : graph_.nodes) {
            NodeLowering lowering(network, node);
            rule_of(node.op).lower(lowering);
        }
        finish_weights();
        for (const TensorId id : graph_.inputs) plan_.inputs.push_back(placed(id));
        for (const TensorId id : graph_.outputs) plan_.outputs.push_back(placed(id));
        add_internals();
        return std::move(plan_);
    }

  private:
    static bool takes_memory_over(const Node& node) { return rule_of(node.op).keeps_memory; }

    static bool has_one_scale(const Tensor& tensor) {
        return tensor.quantisation.present() && !tensor.quantisation.per_channel();
    }

    /// Inputs that no operator looks at, and outputs that none makes.
    void check_ends() const {
        for (const auto* list : {&graph_.inputs, &graph_.outputs}) {
            for (const TensorId id : *list) {
                const Tensor& tensor = graph_.tensors[id];
                const bool bytes =
                    tensor.type == ElementType::Int8 || tensor.type == ElementType::Uint8;
                if (bytes && has_one_scale(tensor)) continue;
                throw UserError(
                    fmt::format("{} '{}' of {} that is not quantised as a whole",
                                list == &graph_.inputs ? "an input" : "an output",
                                traces::terminal_text(tensor.name), type_name(tensor.type)),
                    "quantise the network to int8, its inputs and outputs too");
            }
        }
    }

    void check_tensors() const {
        check_ends();
        for (const Node& node : graph_.nodes) {
            if (graph_.input(node).is_constant() && !rule_of(node.op).constants) {
                refuse_node(graph_, node, "an input that is a constant",
                            "fold it into the layers that use it");
            }
            for (const TensorId id : {node.inputs[0], node.outputs[0]}) {
                const Tensor& tensor = graph_.tensors[id];
                const bool changed =
                    rule_of(node.op).unsigned_bytes && tensor.type == ElementType::Uint8;
                if ((changed || tensor.type == ElementType::Int8) && has_one_scale(tensor)) {
                    continue;
                }
                refuse_node(graph_, node,
                            fmt::format("a tensor of {} that is not quantised to int8 as a whole",
                                        type_name(tensor.type)),
                            "quantise the network to int8, with one scale for each activation");
            }
        }
    }

    /// A tensor that only has another shape is stored where its source is.
    void find_storage() {
        storage_.resize(graph_.tensors.size());
        std::iota(storage_.begin(), storage_.end(), TensorId{0});
        for (const Node& node : graph_.nodes) {
            if (takes_memory_over(node)) storage_[node.outputs[0]] = storage_[node.inputs[0]];
        }
    }

    /// Tensors without memory of the model's own, by the tensor that owns their memory.
    void find_user_tensors() {
        plan_.user_inputs = options_.user_inputs;
        plan_.user_outputs = options_.user_outputs;
        user_.assign(graph_.tensors.size(), Base::Absolute);
        std::uint32_t count = 0;
        const auto take = [&](const std::vector<TensorId>& ids) {
            for (const TensorId id : ids) {
                Base& base = user_[storage_[id]];
                if (base != Base::Absolute || count == kMaxUserTensors) {
                    throw UserError(fmt::format("'{}' cannot have separate memory: it shares "
                                                "memory with another tensor, or there are too many",
                                                traces::terminal_text(graph_.tensors[id].name)),
                                    "let the model allocate its inputs and outputs");
                }
                base = user_base(count++);
            }
        };
        if (options_.user_inputs) take(graph_.inputs);
        if (options_.user_outputs) take(graph_.outputs);
    }

    void plan_buffers() {
        const auto last_epoch = static_cast<std::uint32_t>(graph_.nodes.size()) + 1;
        std::vector<TensorId> owners;
        std::vector<Buffer> buffers;
        buffer_of_.assign(graph_.tensors.size(), kNoTensor);
        const auto use = [&](TensorId id, std::uint32_t epoch) {
            const TensorId owner = storage_[id];
            if (graph_.tensors[owner].is_constant() || is_user(user_[owner])) return;
            if (buffer_of_[owner] == kNoTensor) {
                buffer_of_[owner] = static_cast<TensorId>(buffers.size());
                owners.push_back(owner);
                buffers.push_back({graph_.tensors[owner].bytes(), epoch, epoch});
            }
            Buffer& buffer = buffers[buffer_of_[owner]];
            buffer.last = std::max(buffer.last, epoch);
        };
        // An input stays for the next inference, an output until it has been read.
        for (const TensorId id : graph_.inputs) use(id, 0), use(id, last_epoch);
        std::uint32_t epoch = 0;
        for (const Node& node : graph_.nodes) {
            if (!takes_memory_over(node)) ++epoch;
            for (const TensorId id : node.inputs) {
                if (id != kNoTensor) use(id, epoch);
            }
            use(node.outputs[0], epoch);
        }
        for (const TensorId id : graph_.outputs) use(id, last_epoch);
        buffers_ = buffers;
        place_buffers(owners);
    }

    [[noreturn]] void refuse_memory(const MissingRoom& missing,
                                    const std::vector<TensorId>& owners) const {
        const Buffer& buffer = buffers_[missing.buffer];
        std::string pools;
        for (std::size_t i = 0; i < missing.free.size(); ++i) {
            const PlacedPool& pool = options_.activations[i];
            pools += fmt::format("{}{} has {} of {} bytes free in one piece, {} too few",
                                 i == 0 ? "" : ", ", pool_title(pool.name), missing.free[i],
                                 pool.bytes, missing.bytes - missing.free[i]);
        }
        if (pools.empty()) pools = "no pool is left for them besides the pool of the weights";
        throw UserError(
            fmt::format("the activations do not fit: tensor '{}' needs {} bytes from epoch {} to "
                        "{}; {}",
                        traces::terminal_text(graph_.tensors[owners[missing.buffer]].name),
                        missing.bytes, buffer.first, buffer.last, pools),
            "give larger pools or external RAM with --mpool, leave inputs and outputs to the user "
            "(--no-inputs-allocation), or take a smaller network");
    }

    void place_buffers(const std::vector<TensorId>& owners) {
        MissingRoom missing;
        const auto memory = plan_memory(buffers_, options_.activations, &missing);
        if (!memory) refuse_memory(missing, owners);
        memory_ = *memory;
        for (std::size_t i = 0; i < memory_.used.size(); ++i) {
            if (memory_.used[i] == 0) continue;
            PlacedPool pool = options_.activations[i];
            pool.bytes = memory_.used[i];
            plan_.activations.push_back(pool);
        }
    }

    [[nodiscard]] Address address(TensorId id) const {
        const TensorId owner = storage_[id];
        if (is_user(user_[owner])) return {user_[owner], 0};
        const MemoryPlan::Place& place = memory_.places[buffer_of_[owner]];
        const bool external = options_.activations[place.pool].external;
        return {external ? Base::External : Base::Absolute, place.address};
    }

    void finish_weights() {
        plan_.weights = weights_.bytes();
        // Loaders refuse a model without parameters.
        if (plan_.weights.empty()) plan_.weights.resize(8);
        plan_.weights_in_place = weights_.in_place();
        plan_.weights_pool = options_.weights_pool;
        if (!options_.weights_copy) return;
        plan_.weights_pool = options_.weights_copy->name;
        plan_.weights_address = options_.weights_copy->address;
        if (plan_.weights.size() > options_.weights_copy->bytes) {
            throw UserError(
                fmt::format("the weights have {} bytes, pool {} has {}", plan_.weights.size(),
                            traces::terminal_text(plan_.weights_pool),
                            options_.weights_copy->bytes),
                "leave them in place: without --weights");
        }
    }

    PlacedTensor placed(TensorId id) const {
        const Tensor& tensor = graph_.tensors[id];
        PlacedTensor result;
        result.name = tensor.name;
        result.shape = tensor.shape;
        result.type = tensor.type;
        result.at = address(id);
        result.bytes = tensor.bytes();
        result.scale = tensor.scale_of(0);
        result.zero_point = tensor.zero_point_of(0);
        if (is_user(result.at.base)) return result;
        const TensorId buffer = buffer_of_[storage_[id]];
        result.first_epoch = buffers_[buffer].first;
        result.last_epoch = buffers_[buffer].last;
        result.pool = options_.activations[memory_.places[buffer].pool].name;
        return result;
    }

    void add_internals() {
        for (const Node& node : graph_.nodes) {
            const TensorId id = node.outputs[0];
            const auto& outputs = graph_.outputs;
            if (std::find(outputs.begin(), outputs.end(), id) != outputs.end()) continue;
            plan_.internals.push_back(placed(id));
        }
    }

    const Graph& graph_;
    const LoweringOptions& options_;
    WeightStore weights_;
    std::vector<TensorId> storage_;    ///< by tensor: the one whose memory it uses
    std::vector<Base> user_;           ///< by tensor that owns memory: the user's, or Absolute
    std::vector<TensorId> buffer_of_;  ///< by tensor: index in `buffers_`
    std::vector<Buffer> buffers_;
    MemoryPlan memory_;
    ModelPlan plan_;
};

}  // namespace

std::vector<PlacedPool> default_activation_pools() {
    return {{"npuRAM5", 0x342E0000, kBankBytes},
            {"npuRAM4", 0x34270000, kBankBytes},
            {"npuRAM3", 0x34200000, kBankBytes}};
}

PlacedPool default_weights_pool() {
    return {"npuRAM6", 0x34350000, kBankBytes};
}

ModelPlan lower_graph(const Graph& graph, const LoweringOptions& options) {
    return GraphLowering(graph, options).run();
}

}  // namespace n6vp::sim::generate
