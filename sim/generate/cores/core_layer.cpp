// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/cores/core_layer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <numeric>
#include <variant>

#include "sim/generate/cores/layer_parts.h"
#include "sim/generate/cores/packed_weights.h"
#include "sim/generate/lower/node_layers.h"
#include "sim/generate/operators/evaluate.h"
#include "sim/generate/operators/probabilities.h"
#include "sim/generate/operators/resize.h"
#include "sim/generate/operators/table.h"

namespace n6vp::sim::generate {

namespace {

constexpr std::size_t kMaxRank = 4;
using Four = std::array<std::uint32_t, kMaxRank>;

/// Everything that is the same for all operators.
struct Maker {
    const Graph& graph;
    const Node& node;
    const CoreTarget& target;

    [[nodiscard]] const Tensor& in(std::size_t index = 0) const { return graph.input(node, index); }
    [[nodiscard]] const Tensor& out() const { return graph.output(node); }
    [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const {
        refuse_node(graph, node, what, remedy);
    }
    /// Returns the place of an operand: a tensor, or a constant among the weights.
    [[nodiscard]] CoreArgument operand(CoreLayer& layer, std::uint32_t index) const {
        const Tensor& tensor = in(index);
        if (!tensor.is_constant()) return input_argument(index);
        const auto offset = static_cast<std::uint32_t>(layer.weights.size());
        layer.weights.insert(layer.weights.end(), tensor.constant.begin(), tensor.constant.end());
        align_bytes(layer.weights, 4);
        return weights_argument(offset);
    }
};

/// Returns a shape filled to four dimensions from the right.
Four four_of(const Maker& at, const std::vector<std::uint32_t>& shape) {
    if (shape.size() > kMaxRank)
        at.refuse(fmt::format("{} dimensions", shape.size()), "up to four dimensions");
    Four lengths = {1, 1, 1, 1};
    std::copy(shape.begin(), shape.end(),
              lengths.end() - static_cast<std::ptrdiff_t>(shape.size()));
    return lengths;
}

std::string list(const Four& numbers) {
    return fmt::format("{{{}}}", fmt::join(numbers, ", "));
}

std::string factor_text(const FixedMultiplier& factor) {
    return fmt::format("{{{}, {}}}", factor.significand, factor.exponent);
}

/// Refuses a factor that takes numbers up to `largest` out of 30 bits.
void check_factor(const Maker& at, const FixedMultiplier& factor, std::int64_t largest) {
    constexpr std::int64_t kMost = std::int64_t{1} << 30;
    if (largest * (std::int64_t{1} << std::max(factor.exponent, 0)) < kMost) return;
    at.refuse("a scale out of proportion", "scales of the converter");
}

/// Returns the steps of an operand by output dimension; 0 where it repeats.
Four steps_of(const Maker& at, const Tensor& operand) {
    const Four lengths = four_of(at, operand.shape);
    Four steps = {};
    std::uint32_t step = 1;
    for (std::size_t i = kMaxRank; i-- > 0;) {
        steps[i] = lengths[i] == 1 ? 0 : step;
        step *= lengths[i];
    }
    return steps;
}

/// A sum (of either sign) or a product. `left`, `right` and `output` are its factors.
CoreLayer pair_layer(const Maker& at, Activation activation, const char* kernel, int sign,
                     const std::array<FixedMultiplier, 3>& factors) {
    CoreLayer layer;
    layer.type = "kernel_pair";
    const StoredRange range = stored_range(activation, at.out());
    layer.structure = fmt::format(
        "{{.lengths = {}, .left_steps = {}, .right_steps = {}, .left_zero = {}, .right_zero = {}, "
        ".output_zero = {}, .low = {}, .high = {}, .left = {}, .right = {}, .output = {}, "
        ".sign = {}}}",
        list(four_of(at, at.out().shape)), list(steps_of(at, at.in(0))),
        list(steps_of(at, at.in(1))), at.in(0).zero_point_of(0), at.in(1).zero_point_of(0),
        at.out().zero_point_of(0), range.low, range.high, factor_text(factors[0]),
        factor_text(factors[1]), factor_text(factors[2]), sign);
    CoreCall call{kernel, {kDescriptionArgument}};
    call.arguments.push_back(at.operand(layer, 0));
    call.arguments.push_back(at.operand(layer, 1));
    call.arguments.push_back(output_argument());
    layer.calls = {std::move(call)};
    return layer;
}

CoreLayer sum_layer(const Maker& at, Activation activation, int sign) {
    // As the reference: both operands have twice the larger scale and 20 more bits.
    constexpr int kMoreBits = 20;
    const auto left = static_cast<double>(at.in(0).scale_of(0));
    const auto right = static_cast<double>(at.in(1).scale_of(0));
    const double twice_larger = 2 * std::max(left, right);
    const std::array<FixedMultiplier, 3> factors = {
        fixed_multiplier(left / twice_larger), fixed_multiplier(right / twice_larger),
        fixed_multiplier(twice_larger /
                         ((1 << kMoreBits) * static_cast<double>(at.out().scale_of(0))))};
    constexpr std::int64_t kLargest = std::int64_t{1} << 28;
    check_factor(at, factors[2], kLargest);
    CoreLayer layer = pair_layer(at, activation, "kernel_sum", sign, factors);
    layer.scratch = 2 * 256 * 4;
    layer.calls[0].arguments.push_back(scratch_argument());
    return layer;
}

CoreLayer make(const Maker& at, const Conv2D& op) {
    return core_convolution(at.graph, at.node, op, at.target);
}
CoreLayer make(const Maker& at, const DepthwiseConv2D& op) {
    return core_depthwise(at.graph, at.node, op, at.target);
}
CoreLayer make(const Maker& at, const FullyConnected& op) {
    return core_fully_connected(at.graph, at.node, op, at.target);
}
CoreLayer make(const Maker& at, const Add& op) {
    return sum_layer(at, op.activation, 1);
}
CoreLayer make(const Maker& at, const Sub& op) {
    return sum_layer(at, op.activation, -1);
}
CoreLayer make(const Maker& at, const Mul& op) {
    // As the reference: this factor is computed in float.
    const float factor = at.in(0).scale_of(0) * at.in(1).scale_of(0) / at.out().scale_of(0);
    const FixedMultiplier multiplier = fixed_multiplier(static_cast<double>(factor));
    constexpr std::int64_t kLargest = std::int64_t{255} * 255;
    check_factor(at, multiplier, kLargest);
    return pair_layer(at, op.activation, "kernel_product", 1, {{{}, {}, multiplier}});
}

/// Every byte through a table, which the reference gives.
CoreLayer table_layer(const Maker& at) {
    constexpr std::uint32_t kBytes = 256;
    Graph one;
    one.tensors = {at.in(), at.out()};
    for (Tensor& tensor : one.tensors) tensor.shape = {kBytes};
    Node node = at.node;
    node.inputs = {0};
    node.outputs = {1};
    TensorValues values(2);
    for (std::uint32_t byte = 0; byte < kBytes; ++byte)
        values[0].push_back(static_cast<std::uint8_t>(byte));
    evaluate_node(one, node, values);
    CoreLayer layer;
    layer.weights = values[1];
    layer.choice = "table";
    layer.calls = {{"kernel_table",
                    {weights_argument(), input_argument(0), output_argument(),
                     number_argument(at.out().element_count())}}};
    return layer;
}
CoreLayer make(const Maker& at, const Neg&) {
    return table_layer(at);
}
CoreLayer make(const Maker& at, const Quantize&) {
    return table_layer(at);
}
CoreLayer make(const Maker& at, const Relu&) {
    return table_layer(at);
}
CoreLayer make(const Maker& at, const Logistic&) {
    return table_layer(at);
}

CoreLayer pool_layer(const Maker& at, const Window& window, Activation activation,
                     const char* kernel) {
    CoreLayer layer;
    layer.type = "kernel_pool";
    const StoredRange range = stored_range(activation, at.out());
    layer.structure = fmt::format("{{.window = {}, .low = {}, .high = {}}}",
                                  window_text(core_picture(at.graph, at.node, at.in()),
                                              core_picture(at.graph, at.node, at.out()), window),
                                  range.low, range.high);
    layer.calls = {{kernel, {kDescriptionArgument, input_argument(0), output_argument()}}};
    return layer;
}
CoreLayer make(const Maker& at, const AveragePool& op) {
    return pool_layer(at, op.window, op.activation, "kernel_average_pool");
}
CoreLayer make(const Maker& at, const MaxPool& op) {
    return pool_layer(at, op.window, op.activation, "kernel_max_pool");
}

CoreLayer make(const Maker& at, const Mean& op) {
    const std::vector<std::uint32_t>& shape = at.in().shape;
    const auto product = [&](std::size_t first, std::size_t last) {
        return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(first),
                               shape.begin() + static_cast<std::ptrdiff_t>(last), 1U,
                               std::multiplies<>{});
    };
    const std::size_t first = op.axes.empty() ? 0 : op.axes.front();
    const std::size_t last = op.axes.empty() ? 0 : op.axes.back() + std::size_t{1};
    if (last - first != op.axes.size())
        at.refuse("a mean along axes that are not neighbours", "a mean over height and width");
    const FixedMultiplier factor = fixed_multiplier(static_cast<double>(at.in().scale_of(0)) /
                                                    static_cast<double>(at.out().scale_of(0)));
    const std::uint32_t count = product(first, last);
    constexpr std::int64_t kLargest = 255;
    check_factor(at, factor, kLargest * count);
    CoreLayer layer;
    layer.type = "kernel_mean";
    layer.structure = fmt::format(
        "{{.outer = {}, .count = {}, .inner = {}, .input_zero = {}, .output_zero = {}, "
        ".significand = {}, .exponent = {}}}",
        product(0, first), count, product(last, shape.size()), at.in().zero_point_of(0),
        at.out().zero_point_of(0), factor.significand, factor.exponent);
    layer.calls = {{"kernel_mean", {kDescriptionArgument, input_argument(0), output_argument()}}};
    return layer;
}

CoreLayer make(const Maker& at, const Concat& op) {
    const std::vector<std::uint32_t>& shape = at.out().shape;
    std::uint32_t blocks = 1, inner = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (i < op.axis) blocks *= shape[i];
        if (i > op.axis) inner *= shape[i];
    }
    const std::uint32_t total = shape[op.axis] * inner;
    CoreLayer layer;
    std::uint32_t offset = 0;
    for (std::uint32_t i = 0; i < at.node.inputs.size(); ++i) {
        const std::uint32_t length = at.in(i).shape[op.axis] * inner;
        layer.calls.push_back(
            {"kernel_copy",
             {at.operand(layer, i), number_argument(length), output_argument(offset),
              number_argument(total), number_argument(length), number_argument(blocks)}});
        offset += length;
    }
    return layer;
}

CoreLayer make(const Maker& at, const Reshape&) {
    const std::uint32_t bytes = at.out().bytes();
    CoreLayer layer;
    layer.calls = {{"kernel_copy",
                    {at.operand(layer, 0), number_argument(0), output_argument(),
                     number_argument(0), number_argument(bytes), number_argument(1)}}};
    return layer;
}

CoreLayer make(const Maker& at, const Pad& op) {
    Four before = {}, after = {};
    const std::size_t missing = kMaxRank - std::min(kMaxRank, op.amounts.size());
    const Four lengths = four_of(at, at.in().shape);
    for (std::size_t i = 0; i < op.amounts.size(); ++i) {
        before[missing + i] = op.amounts[i].first;
        after[missing + i] = op.amounts[i].second;
    }
    CoreLayer layer;
    layer.type = "kernel_pad";
    layer.structure = fmt::format("{{.lengths = {}, .before = {}, .after = {}, .value = {}}}",
                                  list(lengths), list(before), list(after), op.value);
    layer.calls = {{"kernel_pad", {kDescriptionArgument, input_argument(0), output_argument()}}};
    return layer;
}

CoreLayer make(const Maker& at, const Softmax& op) {
    CoreLayer layer;
    for (const float power : softmax_powers(at.in().scale_of(0), op.beta))
        append_word(layer.weights, std::bit_cast<std::uint32_t>(power));
    const std::uint32_t length = at.in().shape.back();
    layer.type = "kernel_softmax";
    layer.structure =
        fmt::format("{{.rows = {}, .length = {}, .output_scale = {:a}f, .output_zero = {}}}",
                    at.in().element_count() / length, length,
                    static_cast<double>(at.out().scale_of(0)), at.out().zero_point_of(0));
    layer.calls = {
        {"kernel_softmax",
         {kDescriptionArgument, input_argument(0), output_argument(), weights_argument()}}};
    return layer;
}

void append_half(std::vector<std::uint8_t>& bytes, std::uint32_t half) {
    bytes.push_back(static_cast<std::uint8_t>(half & 0xFF));
    bytes.push_back(static_cast<std::uint8_t>(half >> 8 & 0xFF));
}

/// Tables of the places of lines or columns.
void append_places(CoreLayer& layer, const Resize& op, std::uint32_t from, std::uint32_t to) {
    if (op.mode == ResizeMode::Nearest) {
        for (const std::uint32_t place : nearest_places(from, to, op))
            append_half(layer.weights, place);
        align_bytes(layer.weights, 4);
        return;
    }
    for (std::uint32_t i = 0; i < to; ++i) {
        const Between between = between_places(i, from, to, op);
        append_half(layer.weights, between.first);
        append_half(layer.weights, between.second);
        append_word(layer.weights, static_cast<std::uint32_t>(between.weight));
    }
}

CoreLayer make(const Maker& at, const Resize& op) {
    const PictureShape from = core_picture(at.graph, at.node, at.in());
    const PictureShape to = core_picture(at.graph, at.node, at.out());
    constexpr std::uint32_t kMostPlaces = 1 << 16;
    if (from.height > kMostPlaces || from.width > kMostPlaces)
        at.refuse("a picture of more than 65536 lines or columns", "a smaller picture");
    CoreLayer layer;
    append_places(layer, op, from.height, to.height);
    const auto columns = static_cast<std::uint32_t>(layer.weights.size());
    append_places(layer, op, from.width, to.width);
    layer.type = "kernel_resize";
    layer.structure =
        fmt::format("{{.width = {}, .channels = {}, .out_height = {}, .out_width = {}}}",
                    from.width, from.channels, to.height, to.width);
    layer.calls = {
        {op.mode == ResizeMode::Nearest ? "kernel_resize_nearest" : "kernel_resize_bilinear",
         {kDescriptionArgument, input_argument(0), output_argument(), weights_argument(),
          weights_argument(columns)}}};
    return layer;
}

}  // namespace

std::string window_text(const PictureShape& from, const PictureShape& to, const Window& window,
                        std::uint32_t dilation_height, std::uint32_t dilation_width) {
    return fmt::format("{{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}}", from.height,
                       from.width, from.channels, to.height, to.width, window.height, window.width,
                       window.stride_height, window.stride_width, dilation_height, dilation_width,
                       window.pads.top, window.pads.left);
}

PictureShape core_picture(const Graph& graph, const Node& node, const Tensor& tensor) {
    return picture_of(graph, node, tensor);
}

bool keeps_memory(const Node& node) {
    return rule_of(node.op).keeps_memory;
}

CoreLayer core_layer(const Graph& graph, const Node& node, const CoreTarget& target) {
    const Maker maker{graph, node, target};
    CoreLayer layer = std::visit([&](const auto& op) { return make(maker, op); }, node.op);
    layer.node = &node;
    layer.macs = multiply_accumulates(graph, node);
    return layer;
}

}  // namespace n6vp::sim::generate
