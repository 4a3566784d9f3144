// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/lower/lower_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/generate/lower/copy_layers.h"
#include "sim/generate/lower/memory_plan.h"
#include "sim/generate/lower/node_layers.h"
#include "sim/generate/lower/simple_layers.h"
#include "sim/host/errors.h"
#include "traces/escape.h"

namespace n6vp::sim::generate {

namespace {

constexpr std::uint32_t kBankBytes = 448 * 1024;

// Beyond this a step of an input is more than all outputs, and more than factors hold.
constexpr double kMaxRatio = 1 << 14;

/// Returns the ratio of two scales; refuses what no network has.
double scale_ratio(const Graph& graph, const Node& node, const Tensor& from) {
    const double ratio =
        static_cast<double>(from.scale_of(0)) / static_cast<double>(graph.output(node).scale_of(0));
    if (ratio > kMaxRatio) {
        refuse_node(graph, node, "scales of input and output that are out of proportion",
                    "quantise the network with scales that fit its numbers");
    }
    return ratio;
}

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
        for (const Node& node : graph_.nodes) lower(node);
        finish_weights();
        for (const TensorId id : graph_.inputs) plan_.inputs.push_back(placed(id));
        for (const TensorId id : graph_.outputs) plan_.outputs.push_back(placed(id));
        add_internals();
        return std::move(plan_);
    }

  private:
    static bool takes_memory_over(const Node& node) {
        return std::holds_alternative<Reshape>(node.op);
    }

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

    /// Tells if operands may be constant.
    static bool takes_constants(const Node& node) {
        return std::holds_alternative<Add>(node.op) || std::holds_alternative<Sub>(node.op) ||
               std::holds_alternative<Mul>(node.op) || std::holds_alternative<Concat>(node.op);
    }

    void check_tensors() const {
        check_ends();
        for (const Node& node : graph_.nodes) {
            if (graph_.input(node).is_constant() && !takes_constants(node)) {
                refuse_node(graph_, node, "an input that is a constant",
                            "fold it into the layers that use it");
            }
            for (const TensorId id : {node.inputs[0], node.outputs[0]}) {
                const Tensor& tensor = graph_.tensors[id];
                const bool changed =
                    std::holds_alternative<Quantize>(node.op) && tensor.type == ElementType::Uint8;
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
                    throw UserError(fmt::format("'{}' cannot have memory of its own: it shares "
                                                "that of another tensor, or there are too many",
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
        // An input stays for the next inference, an output until somebody has read it.
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
        if (pools.empty()) pools = "no pool is left for them beside that of the weights";
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
    [[nodiscard]] Address input(const Node& node, std::size_t index = 0) const {
        return address(node.inputs[index]);
    }
    [[nodiscard]] Address output(const Node& node) const { return address(node.outputs[0]); }
    [[nodiscard]] std::string name(const Node& node) const { return node_title(graph_, node); }
    [[nodiscard]] PictureShape picture(const Node& node, const Tensor& tensor) const {
        return picture_of(graph_, node, tensor);
    }

    void lower(const Node& node) {
        std::visit([&](const auto& op) { lower_node(node, op); }, node.op);
    }

    // --- Convolutions ---

    void add_convolution(const Node& node, ConvolutionLayer layer) {
        layer.sums = options_.sums;
        for (const double multiplier : layer.multipliers) {
            if (multiplier <= kMaxRatio) continue;
            refuse_node(graph_, node, "scales of input and output that are out of proportion",
                        "quantise the network with scales that fit its numbers");
        }
        const auto plan = plan_convolution(layer, weights_.in_place(), options_.costs);
        if (!plan) {
            refuse_node(
                graph_, node, "no share of the units can compute it",
                "kernels of at most 72 elements a column of the stride, input channels that "
                "divide into at most 4 shares of 128, strides of at most 7");
        }
        plan_.epochs.emplace_back(
            lower_convolution(layer, *plan, input(node), output(node), weights_));
    }

    void lower_node(const Node& node, const Conv2D& op) {
        add_convolution(node, convolution_of(graph_, node, op));
    }
    void lower_node(const Node& node, const DepthwiseConv2D& op) {
        add_convolution(node, convolution_of(graph_, node, op));
    }
    void lower_node(const Node& node, const FullyConnected& op) {
        add_convolution(node, convolution_of(graph_, node, op));
    }
    void lower_node(const Node& node, const Pad& op) {
        add_convolution(node, convolution_of(graph_, node, op));
    }

    // --- Element by element ---

    void lower_node(const Node& node, const Add& op) { add_sum(node, op.activation, 1); }
    void lower_node(const Node& node, const Sub& op) { add_sum(node, op.activation, -1); }

    void add_sum(const Node& node, Activation activation, int sign) {
        const Tensor& x = graph_.input(node);
        const Tensor& y = graph_.input(node, 1);
        const Tensor& out = graph_.output(node);
        if (x.is_constant() || y.is_constant() || x.element_count() != out.element_count() ||
            y.element_count() != out.element_count()) {
            return add_pair(node, sign < 0 ? PairKind::Difference : PairKind::Sum, activation);
        }
        ElementwiseLayer layer;
        layer.name = name(node);
        layer.elements = out.element_count();
        layer.two_inputs = true;
        layer.x_scale = scale_ratio(graph_, node, x);
        layer.x_zero = x.zero_point_of(0);
        layer.y_scale = sign * scale_ratio(graph_, node, y);
        layer.y_zero = y.zero_point_of(0);
        layer.range = range_of(activation, out);
        plan_.epochs.emplace_back(
            lower_elementwise(layer, input(node), input(node, 1), output(node)));
    }

    void add_pair(const Node& node, PairKind kind, Activation activation) {
        add_core_epoch(node, pair_epoch(graph_, node, kind, activation));
    }
    void lower_node(const Node& node, const Mul& op) {
        add_pair(node, PairKind::Product, op.activation);
    }
    void lower_node(const Node& node, const Logistic&) {
        add_core_epoch(node, logistic_epoch(graph_, node));
    }

    void add_core_epoch(const Node& node, CoreEpoch epoch) {
        epoch.name = name(node);
        for (const TensorId id : node.inputs) {
            const Tensor& tensor = graph_.tensors[id];
            CoreInput input;
            input.bytes = tensor.bytes();
            input.constant = tensor.constant;
            if (!tensor.is_constant()) input.at = address(id);
            epoch.inputs.push_back(std::move(input));
        }
        epoch.output = output(node);
        plan_.epochs.emplace_back(std::move(epoch));
    }

    void add_change_of_scale(const Node& node, Activation activation) {
        const Tensor& in = graph_.input(node);
        const Tensor& out = graph_.output(node);
        ElementwiseLayer layer;
        layer.name = name(node);
        layer.elements = out.element_count();
        layer.x_scale = scale_ratio(graph_, node, in);
        layer.x_zero = in.zero_point_of(0);
        layer.unsigned_input = in.type == ElementType::Uint8;
        layer.range = range_of(activation, out);
        plan_.epochs.emplace_back(lower_elementwise(layer, input(node), {}, output(node)));
    }
    void lower_node(const Node& node, const Quantize&) {
        // The units give signed bytes.
        if (graph_.output(node).type == ElementType::Uint8) {
            return add_core_epoch(node, requantise_epoch(graph_, node));
        }
        add_change_of_scale(node, Activation::None);
    }
    void lower_node(const Node& node, const Relu& op) { add_change_of_scale(node, op.activation); }

    // --- Pools ---

    void add_pool(const Node& node, PoolLayer layer, Activation activation) {
        const Tensor& in = graph_.input(node);
        const Tensor& out = graph_.output(node);
        layer.name = name(node);
        layer.in = picture(node, in);
        layer.scale = scale_ratio(graph_, node, in);
        layer.input_zero = in.zero_point_of(0);
        layer.range = range_of(activation, out);
        const bool same = layer.scale == 1 && layer.input_zero == layer.range.zero_point;
        std::string reason = pool_refusal(layer);
        if (!same && layer.kind != PoolKind::GlobalAverage) reason = "a change of scale";
        if (layer.range.low > -128 || layer.range.high < 127) reason = "an activation";
        if (!reason.empty()) {
            refuse_node(
                graph_, node, reason,
                "the units pool windows of up to 7 x 7 without padding, or a whole picture");
        }
        plan_.epochs.emplace_back(lower_pool(layer, input(node), output(node)));
    }

    void lower_node(const Node& node, const AveragePool& op) {
        PoolLayer layer;
        layer.out = picture(node, graph_.output(node));
        layer.window = op.window;
        const PictureShape in = picture(node, graph_.input(node));
        const bool whole =
            op.window.height == in.height && op.window.width == in.width && !op.window.pads.any();
        layer.kind = whole ? PoolKind::GlobalAverage : PoolKind::Average;
        add_pool(node, layer, op.activation);
    }
    void lower_node(const Node& node, const MaxPool& op) {
        PoolLayer layer;
        layer.out = picture(node, graph_.output(node));
        layer.window = op.window;
        add_pool(node, layer, op.activation);
    }
    void lower_node(const Node& node, const Mean& op) {
        const Tensor& in = graph_.input(node);
        if (in.shape.size() != 4 || op.axes != std::vector<std::uint32_t>{1, 2}) {
            refuse_node(graph_, node, "a mean along other axes than height and width",
                        "take the mean of whole pictures");
        }
        PoolLayer layer;
        layer.out = {1, 1, in.shape.back()};
        layer.kind = PoolKind::GlobalAverage;
        add_pool(node, layer, Activation::None);
    }

    // --- Others ---

    void lower_node(const Node&, const Reshape&) {}

    void add_copies(const Node& node, CopyLayer layer) {
        const auto refusal = copy_refusal(layer);
        if (refusal) refuse_node(graph_, node, refusal->what, refusal->remedy);
        layer.name = name(node);
        for (std::size_t i = 0; i < layer.sources.size(); ++i) {
            const Tensor& tensor = graph_.input(node, i);
            layer.sources[i].from =
                tensor.is_constant() ? weights_.add(tensor.constant) : input(node, i);
        }
        plan_.epochs.emplace_back(lower_copies(layer, output(node)));
    }

    void lower_node(const Node& node, const Concat& op) {
        add_copies(node, concatenation_copies(graph_, node, op.axis));
    }

    void lower_node(const Node& node, const Resize& op) {
        if (op.mode != ResizeMode::Nearest) {
            refuse_node(graph_, node, "interpolation", "RESIZE_NEAREST_NEIGHBOR");
        }
        CopyLayer copies = enlargement_copies(graph_, node, op);
        if (!copies.sources.empty() && !copy_refusal(copies)) {
            return add_copies(node, std::move(copies));
        }
        add_core_epoch(node, nearest_epoch(graph_, node, op));
    }

    void lower_node(const Node& node, const Softmax& op) {
        const Tensor& in = graph_.input(node);
        const Tensor& out = graph_.output(node);
        constexpr std::uint32_t kMaxClasses = 512;
        SoftmaxEpoch epoch;
        epoch.elements = in.shape.empty() ? 1 : in.shape.back();
        if (epoch.elements > kMaxClasses || out.zero_point_of(0) != -128 ||
            out.scale_of(0) != 1.0F / 256) {
            refuse_node(graph_, node,
                        "more than 512 classes, or another output than 1/256 from -128",
                        "use the converter's int8 softmax");
        }
        epoch.name = name(node);
        epoch.rows = in.element_count() / epoch.elements;
        epoch.input = input(node);
        epoch.output = output(node);
        const double step = static_cast<double>(in.scale_of(0)) * static_cast<double>(op.beta);
        constexpr double kOne = 1 << 22;
        for (std::size_t d = 0; d < epoch.table.size(); ++d) {
            const double value = std::exp(-static_cast<double>(d) * step) * kOne;
            epoch.table[d] = static_cast<std::uint32_t>(std::lround(value));
        }
        plan_.epochs.emplace_back(std::move(epoch));
    }

    // --- The rest of the plan ---

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
