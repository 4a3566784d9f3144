// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/operators/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace n6vp::sim::generate {

namespace {

constexpr std::int64_t kMaxExtent = 4096;

/// What comes of an axis.
struct Placement {
    std::uint32_t before = 0, after = 0, outputs = 0;
};

Placement place(const LayerReader& layer, std::uint32_t length, const WindowAxis& axis,
                std::int8_t padding) {
    for (const std::int64_t value : {axis.window, axis.stride, axis.dilation}) {
        if (value >= 1 && value <= kMaxExtent) continue;
        layer.refuse(fmt::format("window, stride or dilation {}", value), "1 to 4096");
    }
    const std::int64_t reach = (axis.window - 1) * axis.dilation + 1;
    Placement placement;
    if (padding == tflite::kValid) {
        if (reach > length) {
            layer.refuse(
                fmt::format("a window of {} on an image of {} without padding", reach, length),
                "a window that fits, or SAME padding");
        }
        placement.outputs = static_cast<std::uint32_t>((length - reach) / axis.stride + 1);
        return placement;
    }
    if (padding != tflite::kSame) {
        layer.refuse(fmt::format("padding {}", padding), "SAME or VALID");
    }
    const std::int64_t outputs = (length + axis.stride - 1) / axis.stride;
    const std::int64_t around =
        std::max<std::int64_t>(0, (outputs - 1) * axis.stride + reach - length);
    placement.outputs = static_cast<std::uint32_t>(outputs);
    placement.before = static_cast<std::uint32_t>(around / 2);
    placement.after = static_cast<std::uint32_t>(around - around / 2);
    return placement;
}

}  // namespace

PlacedWindow place_window(const LayerReader& layer, const PictureShape& from,
                          const WindowAxis& vertical, const WindowAxis& horizontal,
                          std::int8_t padding) {
    const Placement lines = place(layer, from.height, vertical, padding);
    const Placement columns = place(layer, from.width, horizontal, padding);
    PlacedWindow placed;
    placed.window.height = static_cast<std::uint32_t>(vertical.window);
    placed.window.width = static_cast<std::uint32_t>(horizontal.window);
    placed.window.stride_height = static_cast<std::uint32_t>(vertical.stride);
    placed.window.stride_width = static_cast<std::uint32_t>(horizontal.stride);
    placed.window.pads = {lines.before, lines.after, columns.before, columns.after};
    placed.output = {lines.outputs, columns.outputs, from.channels};
    return placed;
}

WindowAxis axis_of(const LayerReader& layer, std::uint32_t window, unsigned stride,
                   unsigned dilation) {
    return {window, layer.option<std::int32_t>(stride, 0), layer.option<std::int32_t>(dilation, 1)};
}

void expect_weights(const LayerReader& layer, std::uint32_t axis) {
    layer.expect_inputs(2, 3);
    layer.expect_quantised(layer.input(0), "its input");
    layer.expect_quantised(layer.output(), "its output");
    const Tensor& weights = layer.input(1);
    if (!weights.is_constant()) layer.refuse("its weights are computed", "constant weights");
    if (weights.type != ElementType::Int8 || !weights.quantisation.present()) {
        layer.refuse(fmt::format("its weights are {}{}", type_name(weights.type),
                                 weights.quantisation.present() ? "" : " without a scale"),
                     "int8 weights with scales");
    }
    if (weights.quantisation.per_channel() && weights.quantisation.axis != axis) {
        layer.refuse(
            fmt::format("its weights have scales along dimension {}", weights.quantisation.axis),
            fmt::format("scales along dimension {}, the output channels", axis));
    }
    const std::vector<std::int32_t>& zero_points = weights.quantisation.zero_point;
    if (std::any_of(zero_points.begin(), zero_points.end(),
                    [](std::int32_t z) { return z != 0; })) {
        layer.refuse("its weights have a zero point", "symmetric weights: zero point 0");
    }
    // What TFLite's multipliers hold; the networks of the converter stay far below.
    constexpr double kMaxScale = 1 << 30;
    for (std::size_t i = 0; i < zero_points.size(); ++i) {
        const double scale = static_cast<double>(layer.input(0).scale_of(0)) *
                             static_cast<double>(weights.scale_of(i)) /
                             static_cast<double>(layer.output().scale_of(0));
        if (scale >= kMaxScale)
            layer.refuse("a scale is out of proportion", "scales of the converter");
    }
}

void expect_bias(const LayerReader& layer, std::uint32_t channels) {
    if (!layer.has_input(2)) return;
    const Tensor& bias = layer.input(2);
    if (bias.type != ElementType::Int32) {
        layer.refuse(fmt::format("its bias is {}", type_name(bias.type)), "int32, or no bias");
    }
    if (!bias.is_constant()) layer.refuse("its bias is computed", "a constant bias");
    if (bias.element_count() != channels) {
        layer.refuse(fmt::format("{} biases for {} channels", bias.element_count(), channels),
                     "one per output channel");
    }
}

std::vector<FixedMultiplier> channel_multipliers(const Graph& graph, const Node& node) {
    const Quantisation& weights = graph.weights(node).quantisation;
    const float input_scale = graph.input(node).scale_of(0);
    const auto output_scale = static_cast<double>(graph.output(node).scale_of(0));
    if (std::holds_alternative<FullyConnected>(node.op) && !weights.per_channel()) {
        // Here the library multiplies the two scales as float.
        const float product = input_scale * weights.scale[0];
        return {fixed_multiplier(static_cast<double>(product) / output_scale)};
    }
    std::vector<FixedMultiplier> multipliers;
    multipliers.reserve(weights.scale.size());
    for (const float scale : weights.scale) {
        multipliers.push_back(fixed_multiplier(static_cast<double>(input_scale) *
                                               static_cast<double>(scale) / output_scale));
    }
    return multipliers;
}

Reach reach_of(std::uint32_t output, std::uint32_t stride, std::uint32_t pad, std::uint32_t window,
               std::uint32_t dilation, std::uint32_t length) {
    Reach reach;
    reach.origin = std::int64_t{output} * stride - pad;
    reach.last = window;
    while (reach.first < window && reach.origin + std::int64_t{reach.first} * dilation < 0) {
        ++reach.first;
    }
    while (reach.last > reach.first &&
           reach.origin + std::int64_t{reach.last - 1} * dilation >= length) {
        --reach.last;
    }
    return reach;
}

}  // namespace n6vp::sim::generate
