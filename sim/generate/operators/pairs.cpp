// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/generate/operators/pairs.h"

namespace n6vp::sim::generate {

namespace {

// Cycles of the core for one element: assumed.
constexpr std::uint64_t kSumCycles = 90, kProductCycles = 45;

using Shape = std::vector<std::uint32_t>;

/// The result of two shapes of which the smaller repeats; nothing if they do not match.
std::optional<Shape> common_shape(const Shape& left, const Shape& right) {
    const std::size_t rank = std::max(left.size(), right.size());
    const auto length = [&](const Shape& shape, std::size_t i) {
        const std::size_t missing = rank - shape.size();
        return i < missing ? 1 : shape[i - missing];
    };
    Shape result(rank);
    for (std::size_t i = 0; i < rank; ++i) {
        const std::uint32_t a = length(left, i);
        const std::uint32_t b = length(right, i);
        if (a != b && a != 1 && b != 1) return std::nullopt;
        result[i] = std::max(a, b);
    }
    return result;
}

/// Elements from one index of the output to the next in an operand that repeats where it is 1 long.
std::array<std::uint32_t, 4> steps_of(const Tensor& operand) {
    std::array<std::uint32_t, 4> steps{};
    std::uint32_t step = 1;
    const std::size_t rank = operand.shape.size();
    for (std::size_t i = 0; i < std::min<std::size_t>(rank, 4); ++i) {
        const std::uint32_t length = operand.shape[rank - 1 - i];
        if (length > 1) steps.at(3 - i) = step;
        step *= length;
    }
    return steps;
}

}  // namespace

Activation read_pair(const LayerReader& layer) {
    layer.expect_inputs(2, 2);
    layer.expect_quantised(layer.input(0), "its first input");
    layer.expect_quantised(layer.input(1), "its second input");
    layer.expect_quantised(layer.output(), "its output");
    const std::optional<Shape> shape = common_shape(layer.input(0).shape, layer.input(1).shape);
    if (!shape)
        layer.refuse("its inputs have shapes that do not match", "equal shapes, or lengths of 1");
    if (shape->size() > 4) {
        layer.refuse(fmt::format("{} dimensions", shape->size()), "up to 4 dimensions");
    }
    layer.expect_output_shape(*shape);
    return layer.activation(tflite::arithmetic_options::kActivation);
}

CoreEpoch pair_epoch(const NodeLowering& at, PairKind kind, Activation activation) {
    const Graph& graph = at.graph();
    const Node& node = at.node();
    const Tensor& x = graph.input(node);
    const Tensor& y = graph.input(node, 1);
    const Tensor& out = graph.output(node);
    const bool product = kind == PairKind::Product;
    CoreEpoch epoch = at.core_epoch(product ? kProductCycles : kSumCycles);
    epoch.choice = product ? "product on the core" : "sum on the core";
    PairWork work;
    work.kind = kind;
    work.x.zero_point = x.zero_point_of(0);
    work.y.zero_point = y.zero_point_of(0);
    work.x.steps = steps_of(x);
    work.y.steps = steps_of(y);
    for (std::size_t i = 0; i < std::min<std::size_t>(out.shape.size(), 4); ++i) {
        work.lengths.at(3 - i) = out.shape[out.shape.size() - 1 - i];
    }
    if (product) {
        // Networks mean this factor as a float.
        work.multiplier = fixed_multiplier(double{x.scale_of(0) * y.scale_of(0) / out.scale_of(0)});
    } else {
        constexpr double kMoreBits = 1 << 20;
        const double twice = 2 * std::max(double{x.scale_of(0)}, double{y.scale_of(0)});
        work.x.multiplier = fixed_multiplier(double{x.scale_of(0)} / twice);
        work.y.multiplier = fixed_multiplier(double{y.scale_of(0)} / twice);
        work.multiplier = fixed_multiplier(twice / (kMoreBits * double{out.scale_of(0)}));
    }
    const StoredRange range = stored_range(activation, out);
    work.zero_point = out.zero_point_of(0);
    work.low = range.low;
    work.high = range.high;
    epoch.work = work;
    return epoch;
}

}  // namespace n6vp::sim::generate
