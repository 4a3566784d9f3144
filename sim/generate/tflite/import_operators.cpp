// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sim/generate/tflite/import_layer.h"
#include "sim/generate/tflite/import_windows.h"

namespace n6vp::sim::generate {

namespace {

namespace code = tflite::code;

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

/// Two int8 inputs, one repeated if it is smaller. Returns the fused activation.
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

Operator read_add(const LayerReader& layer) {
    return Add{read_pair(layer)};
}

Operator read_sub(const LayerReader& layer) {
    return Sub{read_pair(layer)};
}

Operator read_mul(const LayerReader& layer) {
    return Mul{read_pair(layer)};
}

Operator read_concatenation(const LayerReader& layer) {
    layer.expect_inputs(1, 64);
    const auto rank = static_cast<std::int64_t>(layer.input(0).shape.size());
    std::int64_t axis = layer.option<std::int32_t>(tflite::concatenation_options::kAxis, 0);
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank)
        layer.refuse("its axis is none of its dimensions", "an existing axis");
    const auto dimension = static_cast<std::size_t>(axis);
    const Shape& to = layer.output().shape;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < layer.input_count(); ++i) {
        layer.expect_quantised(layer.input(i), "an input", true);
        layer.expect_same_quantisation(i);
        Shape other = layer.input(i).shape;
        if (other.size() != to.size()) layer.refuse("its ranks differ", "equal ranks");
        total += std::exchange(other[dimension], to[dimension]);
        if (other != to) layer.refuse("another dimension differs", "one axis that differs");
    }
    if (total != to[dimension]) {
        layer.refuse(
            fmt::format("its inputs have {} along its axis, its output {}", total, to[dimension]),
            "a file as the converter writes it");
    }
    const Activation activation = layer.activation(tflite::concatenation_options::kActivation);
    if (activation != Activation::None) layer.refuse("a fused activation", "a RELU of its own");
    return Concat{static_cast<std::uint32_t>(dimension)};
}

Operator read_reshape(const LayerReader& layer) {
    layer.expect_inputs(1, 2);
    layer.expect_quantised(layer.input(0), "its input", true);
    layer.expect_same_quantisation(0);
    if (layer.input(0).element_count() != layer.output().element_count()) {
        layer.refuse("its input and output have different numbers of elements", "equal numbers");
    }
    return Reshape{};
}

/// Amounts of a PAD: [rank][2].
Pad read_amounts(const LayerReader& layer) {
    const Shape& from = layer.input(0).shape;
    const std::vector<std::int64_t> amounts = layer.constant_integers(1);
    if (amounts.size() != 2 * from.size()) {
        layer.refuse(fmt::format("{} amounts for {} dimensions", amounts.size(), from.size()),
                     "two per dimension");
    }
    Pad pad;
    Shape shape;
    for (std::size_t i = 0; i < from.size(); ++i) {
        constexpr std::int64_t kMost = 1 << 20;
        const std::int64_t before = amounts[2 * i];
        const std::int64_t after = amounts[2 * i + 1];
        if (before < 0 || after < 0 || before > kMost || after > kMost) {
            layer.refuse("an amount below 0 or above 2^20", "amounts that fit the picture");
        }
        pad.amounts.emplace_back(before, after);
        shape.push_back(from[i] + pad.amounts.back().first + pad.amounts.back().second);
    }
    layer.expect_output_shape(shape);
    return pad;
}

Operator read_pad(const LayerReader& layer) {
    layer.expect_inputs(2, 2);
    layer.expect_quantised(layer.input(0), "its input");
    layer.expect_same_quantisation(0);
    Pad pad = read_amounts(layer);
    pad.value = layer.output().zero_point_of(0);
    return pad;
}

Operator read_pad_v2(const LayerReader& layer) {
    layer.expect_inputs(3, 3);
    layer.expect_quantised(layer.input(0), "its input");
    layer.expect_same_quantisation(0);
    Pad pad = read_amounts(layer);
    const Tensor& value = layer.input(2);
    layer.expect_quantised(value, "its value");
    if (!value.is_constant() || value.element_count() != 1) {
        layer.refuse("its value is computed", "one constant value");
    }
    pad.value = int8_at(value, 0);
    return pad;
}

Operator read_quantize(const LayerReader& layer) {
    layer.expect_inputs(1, 1);
    layer.expect_quantised(layer.input(0), "its input", true);
    layer.expect_quantised(layer.output(), "its output", true);
    layer.expect_output_shape(layer.input(0).shape);
    return Quantize{};
}

template <Activation kActivation>
Operator read_relu(const LayerReader& layer) {
    layer.expect_inputs(1, 1);
    layer.expect_quantised(layer.input(0), "its input");
    layer.expect_quantised(layer.output(), "its output");
    layer.expect_output_shape(layer.input(0).shape);
    return Relu{kActivation};
}

/// Softmax and logistic give 0...1 as int8 -128...127.
void expect_probabilities(const LayerReader& layer) {
    layer.expect_inputs(1, 1);
    layer.expect_quantised(layer.input(0), "its input");
    layer.expect_quantised(layer.output(), "its output");
    layer.expect_output_shape(layer.input(0).shape);
    const Tensor& output = layer.output();
    if (output.scale_of(0) != 1.0F / 256 || output.zero_point_of(0) != -128) {
        layer.refuse("its output has not scale 1/256 and zero point -128",
                     "the output quantisation that the converter gives it");
    }
}

Operator read_softmax(const LayerReader& layer) {
    expect_probabilities(layer);
    const auto beta = layer.option<float>(tflite::softmax_options::kBeta, 1.0F);
    if (!std::isfinite(beta) || beta <= 0) layer.refuse("beta is not above 0", "beta = 1");
    if (layer.input(0).shape.empty()) layer.refuse("no dimension", "one dimension or more");
    return Softmax{beta};
}

Operator read_logistic(const LayerReader& layer) {
    expect_probabilities(layer);
    return Logistic{};
}

Operator read_mean(const LayerReader& layer) {
    layer.expect_inputs(2, 2);
    layer.expect_quantised(layer.input(0), "its input");
    layer.expect_quantised(layer.output(), "its output");
    const Shape& from = layer.input(0).shape;
    const auto rank = static_cast<std::int64_t>(from.size());
    Mean mean;
    mean.keep_dimensions =
        layer.option<std::uint8_t>(tflite::reducer_options::kKeepDimensions, 0) != 0;
    for (const std::int64_t axis : layer.constant_integers(1)) {
        if (axis < -rank || axis >= rank) {
            layer.refuse("an axis is none of its dimensions", "existing axes");
        }
        mean.axes.push_back(static_cast<std::uint32_t>(axis < 0 ? axis + rank : axis));
    }
    std::sort(mean.axes.begin(), mean.axes.end());
    mean.axes.erase(std::unique(mean.axes.begin(), mean.axes.end()), mean.axes.end());
    Shape shape;
    for (std::uint32_t i = 0; i < from.size(); ++i) {
        const bool reduced = std::binary_search(mean.axes.begin(), mean.axes.end(), i);
        if (!reduced) shape.push_back(from[i]);
        if (reduced && mean.keep_dimensions) shape.push_back(1);
    }
    layer.expect_output_shape(shape);
    return mean;
}

template <ResizeMode kMode>
Operator read_resize(const LayerReader& layer) {
    layer.expect_inputs(2, 2);
    layer.expect_quantised(layer.input(0), "its input");
    layer.expect_same_quantisation(0);
    const PictureShape from = layer.expect_picture(layer.input(0));
    const std::vector<std::int64_t> size = layer.constant_integers(1);
    constexpr std::int64_t kMost = 1 << 16;
    if (size.size() != 2 || size[0] < 1 || size[1] < 1 || size[0] > kMost || size[1] > kMost ||
        from.height > kMost || from.width > kMost) {
        layer.refuse("its new size is none", "two constants above 0 and up to 65536");
    }
    layer.expect_output_shape({1, static_cast<std::uint32_t>(size[0]),
                               static_cast<std::uint32_t>(size[1]), from.channels});
    constexpr bool kNearest = kMode == ResizeMode::Nearest;
    constexpr unsigned kAlign = kNearest ? unsigned{tflite::nearest_options::kAlignCorners}
                                         : unsigned{tflite::bilinear_options::kAlignCorners};
    constexpr unsigned kHalf = kNearest ? unsigned{tflite::nearest_options::kHalfPixelCenters}
                                        : unsigned{tflite::bilinear_options::kHalfPixelCenters};
    Resize resize;
    resize.mode = kMode;
    resize.align_corners = layer.option<std::uint8_t>(kAlign, 0) != 0;
    resize.half_pixel_centers = layer.option<std::uint8_t>(kHalf, 0) != 0;
    if (resize.align_corners && resize.half_pixel_centers) {
        layer.refuse("align_corners and half_pixel_centers together", "one of them, or none");
    }
    return resize;
}

/// Sorted by name, as the table is printed.
constexpr std::array kRules = {
    OperatorRule{code::kAdd, "int8, shapes equal or repeated, fused activation",
                 "NPU: computed tensors of one shape; others: core", 2, read_add},
    OperatorRule{code::kAveragePool2D, "int8, equal scales, any window, stride and padding",
                 "NPU: windows to 7x7 or the whole picture, no padding", 1, read_average_pool},
    OperatorRule{code::kConcatenation, "int8 or uint8, equal scales, any axis",
                 "NPU: up to 5 tensors of int8", 64, read_concatenation},
    OperatorRule{code::kConv2D, "int8, weights int8 per channel or tensor, bias int32 or none",
                 "NPU: no dilation", 3, read_convolution},
    OperatorRule{code::kDepthwiseConv2D,
                 "int8, weights int8 per channel or tensor, bias int32 or none, any multiplier",
                 "NPU: no dilation, multiplier 1 or one input channel", 3, read_depthwise},
    OperatorRule{code::kExpandDims, "int8 or uint8", "no work", 1, read_reshape},
    OperatorRule{code::kFullyConnected,
                 "int8, weights int8 per channel or tensor, bias int32 or none", "NPU", 3,
                 read_fully_connected},
    OperatorRule{code::kLogistic, "int8, output scale 1/256, zero point -128", "core", 1,
                 read_logistic},
    OperatorRule{code::kMaxPool2D, "int8, equal scales, any window, stride and padding",
                 "NPU: windows to 7x7, no padding", 1, read_max_pool},
    OperatorRule{code::kMean, "int8, constant axes", "NPU: over height and width", 1, read_mean},
    OperatorRule{code::kMul, "int8, shapes equal or repeated, fused activation", "core", 2,
                 read_mul},
    OperatorRule{code::kPad, "int8, constant amounts", "NPU: height, width, channels", 1, read_pad},
    OperatorRule{code::kPadV2, "int8, constant amounts and value", "NPU: height, width, channels",
                 1, read_pad_v2},
    OperatorRule{code::kQuantize, "int8 or uint8 to int8 or uint8", "NPU: to int8; core: to uint8",
                 1, read_quantize},
    OperatorRule{code::kRelu, "int8", "NPU", 1, read_relu<Activation::Relu>},
    OperatorRule{code::kRelu6, "int8", "NPU", 1, read_relu<Activation::Relu6>},
    OperatorRule{code::kReluN1To1, "int8", "NPU", 1, read_relu<Activation::ReluN1To1>},
    OperatorRule{code::kReshape, "int8 or uint8", "no work", 1, read_reshape},
    OperatorRule{code::kResizeBilinear, "int8, equal scales, constant size", "", 1,
                 read_resize<ResizeMode::Bilinear>},
    OperatorRule{code::kResizeNearestNeighbor, "int8, equal scales, constant size",
                 "NPU: pixels repeated up to 9 times; others: core", 1,
                 read_resize<ResizeMode::Nearest>},
    OperatorRule{code::kSoftmax, "int8, last dimension, output scale 1/256, zero point -128",
                 "core: up to 512 classes", 1, read_softmax},
    OperatorRule{code::kSqueeze, "int8 or uint8", "no work", 1, read_reshape},
    OperatorRule{code::kSub, "int8, shapes equal or repeated, fused activation",
                 "NPU: computed tensors of one shape; others: core", 2, read_sub},
};

struct Hint {
    std::int32_t code;
    const char* nearest;
};
constexpr std::array kHints = {
    Hint{code::kDepthToSpace, "RESIZE_NEAREST_NEIGHBOR and CONV_2D"},
    Hint{code::kDequantize, "an int8 output (inference_output_type = tf.int8)"},
    Hint{code::kTanh, "LOGISTIC: tanh(x) = 2 * logistic(2x) - 1, with MUL and SUB"},
    Hint{code::kCustom, "operators built into TensorFlow Lite"},
    Hint{code::kTranspose, "the order [1, height, width, channels] throughout"},
    Hint{code::kDiv, "MUL by a constant"},
    Hint{code::kTransposeConv, "RESIZE_NEAREST_NEIGHBOR and CONV_2D"},
    Hint{code::kLeakyRelu, "RELU or RELU6"},
    Hint{code::kMirrorPad, "PAD"},
    Hint{code::kHardSwish, "RELU6"},
};

}  // namespace

std::span<const OperatorRule> operator_rules() {
    return kRules;
}

const OperatorRule* find_rule(std::int32_t code) {
    const auto found = std::find_if(kRules.begin(), kRules.end(),
                                    [&](const OperatorRule& rule) { return rule.code == code; });
    return found == kRules.end() ? nullptr : &*found;
}

const char* nearest_operator(std::int32_t code) {
    const auto found = std::find_if(kHints.begin(), kHints.end(),
                                    [&](const Hint& hint) { return hint.code == code; });
    return found == kHints.end() ? "the operators that n6vp supported-ops lists" : found->nearest;
}

}  // namespace n6vp::sim::generate
