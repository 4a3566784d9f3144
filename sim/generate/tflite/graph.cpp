// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/tflite/graph.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace n6vp::sim::generate {

namespace {

/// Returns the stored value of a real one, as TFLite rounds it, before it is cut to the type.
std::int32_t stored_value(double real, const Tensor& tensor) {
    const double stored = std::round(real / static_cast<double>(tensor.scale_of(0)));
    const double limit = 1 << 30;
    return static_cast<std::int32_t>(std::clamp(stored, -limit, limit)) + tensor.zero_point_of(0);
}

std::int32_t little_endian_word(const Tensor& tensor, std::size_t index) {
    std::int32_t value = 0;
    std::memcpy(&value, tensor.constant.data() + sizeof value * index, sizeof value);
    return value;
}

}  // namespace

std::uint32_t element_bytes(ElementType type) {
    switch (type) {
        case ElementType::Int8:
        case ElementType::Uint8:
            return 1;
        case ElementType::Int16:
            return 2;
        case ElementType::Int32:
        case ElementType::Float32:
            return 4;
        case ElementType::Int64:
            return 8;
    }
    return 1;
}

const char* type_name(ElementType type) {
    switch (type) {
        case ElementType::Int8:
            return "int8";
        case ElementType::Uint8:
            return "uint8";
        case ElementType::Int16:
            return "int16";
        case ElementType::Int32:
            return "int32";
        case ElementType::Int64:
            return "int64";
        case ElementType::Float32:
            return "float32";
    }
    return "?";
}

std::uint32_t Tensor::element_count() const {
    std::uint32_t count = 1;
    for (const std::uint32_t length : shape) count *= length;
    return count;
}

float Tensor::scale_of(std::size_t channel) const {
    return quantisation.scale[quantisation.per_channel() ? channel : 0];
}

std::int32_t Tensor::zero_point_of(std::size_t channel) const {
    return quantisation.zero_point[quantisation.per_channel() ? channel : 0];
}

std::int32_t int8_at(const Tensor& tensor, std::size_t index) {
    return static_cast<std::int8_t>(tensor.constant[index]);
}

std::int32_t int32_at(const Tensor& tensor, std::size_t index) {
    return little_endian_word(tensor, index);
}

const char* activation_name(Activation activation) {
    switch (activation) {
        case Activation::None:
            return "NONE";
        case Activation::Relu:
            return "RELU";
        case Activation::ReluN1To1:
            return "RELU_N1_TO_1";
        case Activation::Relu6:
            return "RELU6";
    }
    return "?";
}

StoredRange stored_range(Activation activation, const Tensor& output) {
    StoredRange range =
        output.type == ElementType::Uint8 ? StoredRange{0, 255} : StoredRange{-128, 127};
    const auto from = [&](double real) {
        range.low = std::clamp(stored_value(real, output), range.low, range.high);
    };
    const auto up_to = [&](double real) {
        range.high = std::clamp(stored_value(real, output), range.low, range.high);
    };
    switch (activation) {
        case Activation::None:
            break;
        case Activation::Relu:
            from(0);
            break;
        case Activation::ReluN1To1:
            from(-1);
            up_to(1);
            break;
        case Activation::Relu6:
            from(0);
            up_to(6);
            break;
    }
    return range;
}

const char* operator_name(const Operator& op) {
    return std::visit([](const auto& one) { return one.name(); }, op);
}

std::vector<std::uint32_t> nearest_places(std::uint32_t from, std::uint32_t to, const Resize& op) {
    const bool corners = op.align_corners && to > 1;
    const float scale = corners ? static_cast<float>(from - 1) / static_cast<float>(to - 1)
                                : static_cast<float>(from) / static_cast<float>(to);
    std::vector<std::uint32_t> places(to);
    for (std::uint32_t place = 0; place < to; ++place) {
        const float position =
            (static_cast<float>(place) + (op.half_pixel_centers ? 0.5F : 0.0F)) * scale;
        const float whole = op.align_corners ? std::round(position) : std::floor(position);
        places[place] = std::min(static_cast<std::uint32_t>(whole), from - 1);
    }
    return places;
}

std::optional<PictureShape> picture_shape(const Tensor& tensor) {
    const std::vector<std::uint32_t>& shape = tensor.shape;
    if (shape.size() > 4 || (shape.size() == 4 && shape[0] != 1)) return std::nullopt;
    const auto from_right = [&](std::size_t position) {
        return position < shape.size() ? shape[shape.size() - 1 - position] : 1;
    };
    return PictureShape{from_right(2), from_right(1), from_right(0)};
}

std::uint64_t multiply_accumulates(const Graph& graph, const Node& node) {
    const auto per_output = [&](std::size_t dimensions_of_channel) {
        const Tensor& weights = graph.weights(node);
        std::uint64_t products = 1;
        for (std::size_t i = dimensions_of_channel; i < weights.shape.size(); ++i) {
            products *= weights.shape[i];
        }
        return products * graph.output(node).element_count();
    };
    if (std::holds_alternative<Conv2D>(node.op) ||
        std::holds_alternative<FullyConnected>(node.op)) {
        return per_output(1);
    }
    if (std::holds_alternative<DepthwiseConv2D>(node.op)) {
        const std::vector<std::uint32_t>& kernel = graph.weights(node).shape;
        return std::uint64_t{kernel[1]} * kernel[2] * graph.output(node).element_count();
    }
    return 0;
}

FixedMultiplier fixed_multiplier(double real) {
    constexpr int kMaxExponent = 30;
    constexpr FixedMultiplier kMost = {std::numeric_limits<std::int32_t>::max(), kMaxExponent};
    if (!(real > 0)) return {};
    if (!std::isfinite(real)) return kMost;
    int exponent = 0;
    const double fraction = std::frexp(real, &exponent);
    auto significand = static_cast<std::int64_t>(std::round(std::ldexp(fraction, 31)));
    if (significand == std::int64_t{1} << 31) {
        significand /= 2;
        ++exponent;
    }
    if (exponent < -31) return {};
    if (exponent > kMaxExponent) return kMost;
    return {static_cast<std::int32_t>(significand), exponent};
}

}  // namespace n6vp::sim::generate
