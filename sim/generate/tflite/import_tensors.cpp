// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/tflite/import_tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/generate/tflite/tflite_schema.h"
#include "sim/host/errors.h"

namespace n6vp::sim::generate {

namespace {

constexpr std::size_t kMaxDimensions = 6;
constexpr std::uint64_t kMaxElements = 1u << 28;
constexpr std::size_t kMaxNameBytes = 200;
// Buffers are shared by a few tensors at most in files of the converter.
constexpr std::size_t kCopiesOfFile = 4, kCopiesBesides = 1u << 20;

std::optional<ElementType> element_type(std::int8_t code) {
    switch (code) {
        case tflite::kFloat32:
            return ElementType::Float32;
        case tflite::kInt32:
            return ElementType::Int32;
        case tflite::kUint8:
            return ElementType::Uint8;
        case tflite::kInt64:
            return ElementType::Int64;
        case tflite::kInt16:
            return ElementType::Int16;
        case tflite::kInt8:
            return ElementType::Int8;
        default:
            return std::nullopt;
    }
}

bool zero_point_fits(std::int64_t zero_point, ElementType type) {
    switch (type) {
        case ElementType::Int8:
            return zero_point >= -128 && zero_point <= 127;
        case ElementType::Uint8:
            return zero_point >= 0 && zero_point <= 255;
        case ElementType::Float32:
            return true;  // means nothing there
        default:
            return zero_point == 0;
    }
}

Refusal refused_zero_point(std::int64_t zero_point, ElementType type) {
    return {fmt::format("zero point {} of a tensor of {}", zero_point, type_name(type)),
            "a zero point in the range of its type, 0 for wider types"};
}

}  // namespace

TensorReader::TensorReader(const FlatTables& tensors, const FlatTables& buffers,
                           std::size_t file_bytes)
    : tensors_(tensors), buffers_(buffers), left_(kCopiesOfFile * file_bytes + kCopiesBesides) {}

void TensorReader::spend(std::size_t bytes) {
    if (bytes > left_) {
        throw UserError("damaged: the same data are used by a great many tensors",
                        "fetch or export the file again");
    }
    left_ -= bytes;
}

Refusal TensorReader::read_shape(const FlatTable& table, Tensor& tensor) {
    const auto shape = table.numbers<std::int32_t>(tflite::tensor::kShape);
    if (shape.size() > kMaxDimensions) {
        return {fmt::format("a tensor has {} dimensions", shape.size()), "up to 6 dimensions"};
    }
    std::uint64_t elements = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] <= 0) {
            return {"the shape of a tensor is not fixed",
                    "a fixed shape with batch 1 when the network is converted"};
        }
        tensor.shape.push_back(static_cast<std::uint32_t>(shape[i]));
        elements *= tensor.shape.back();
        if (elements > kMaxElements) {
            return {"a tensor has more than 2^28 elements", "a network that fits the chip"};
        }
    }
    return {};
}

Refusal TensorReader::read_quantisation(const FlatTable& table, Tensor& tensor) {
    const std::optional<FlatTable> given = table.table(tflite::tensor::kQuantization);
    if (!given) return {};
    const auto scales = given->numbers<float>(tflite::quantization::kScale);
    const auto zero_points = given->numbers<std::int64_t>(tflite::quantization::kZeroPoint);
    if (scales.empty()) return {};
    if (given->number<std::uint8_t>(tflite::quantization::kDetailsType, 0) != 0) {
        return {"a tensor has a custom quantisation", "scale and zero point"};
    }
    if (tensor.type == ElementType::Int32 || tensor.type == ElementType::Int64) {
        // Biases have the scale of input times weights whatever stands here, and lists of numbers
        // none at all: the library's kernels do not read it.
        for (std::size_t i = 0; i < zero_points.size(); ++i) {
            if (zero_points[i] != 0) return refused_zero_point(zero_points[i], tensor.type);
        }
        return {};
    }
    Quantisation& quantisation = tensor.quantisation;
    const auto axis = given->number<std::int32_t>(tflite::quantization::kDimension, 0);
    if (scales.size() > 1) {
        const auto dimension = static_cast<std::uint32_t>(axis);
        if (dimension >= tensor.shape.size() || tensor.shape[dimension] != scales.size()) {
            return {
                fmt::format("a tensor has {} scales for another number of channels", scales.size()),
                "one scale, or one per channel"};
        }
        quantisation.axis = dimension;
    }
    if (!zero_points.empty() && zero_points.size() != scales.size()) {
        return {fmt::format("a tensor has {} scales but {} zero points", scales.size(),
                            zero_points.size()),
                "as many zero points as scales"};
    }
    spend(scales.size() * (sizeof(float) + sizeof(std::int32_t)));
    quantisation.scale.reserve(scales.size());
    quantisation.zero_point.reserve(scales.size());
    for (std::size_t i = 0; i < scales.size(); ++i) {
        const float scale = scales[i];
        const std::int64_t zero_point = zero_points.empty() ? 0 : zero_points[i];
        if (!std::isfinite(scale) || scale <= 0) {
            return {"a scale of a tensor is not a positive number", "scales above 0"};
        }
        if (!zero_point_fits(zero_point, tensor.type)) {
            return refused_zero_point(zero_point, tensor.type);
        }
        quantisation.scale.push_back(scale);
        quantisation.zero_point.push_back(static_cast<std::int32_t>(zero_point));
    }
    return {};
}

Refusal TensorReader::read_constant(const FlatTable& table, Tensor& tensor) {
    const auto index = table.number<std::uint32_t>(tflite::tensor::kBuffer, 0);
    if (index >= buffers_.size()) {
        throw UserError(
            fmt::format("damaged: a tensor names buffer {} of {}", index, buffers_.size()),
            "fetch or export the file again");
    }
    const FlatTable buffer = buffers_[index];
    // 0 and 1 both mean that there is none.
    if (buffer.number<std::uint64_t>(tflite::buffer::kOffset, 0) > 1) {
        return {"constants are stored after the flatbuffer", "a file below 2 GiB"};
    }
    const auto data = buffer.numbers<std::uint8_t>(tflite::buffer::kData);
    if (data.empty()) return {};
    if (data.size() != tensor.bytes()) {
        return {fmt::format("a constant of {} bytes needs {}", data.size(), tensor.bytes()),
                "a file as the converter writes it"};
    }
    spend(data.size());
    tensor.constant.assign(data.bytes().begin(), data.bytes().end());
    return {};
}

ReadTensor TensorReader::read(std::size_t index) {
    const FlatTable table = tensors_[index];
    ReadTensor result;
    Tensor& tensor = result.tensor;
    const std::string_view name = table.text(tflite::tensor::kName);
    tensor.name = name.substr(0, std::min(name.size(), kMaxNameBytes));
    const auto code = table.number<std::int8_t>(tflite::tensor::kType, tflite::kFloat32);
    const std::optional<ElementType> type = element_type(code);
    if (!type) {
        result.refusal = {fmt::format("a tensor has element type {}", code),
                          "int8, int32 for biases"};
        return result;
    }
    tensor.type = *type;
    if (table.table(tflite::tensor::kSparsity)) {
        result.refusal = {"a tensor is stored sparse", "dense weights"};
        return result;
    }
    if (table.number<std::uint8_t>(tflite::tensor::kIsVariable, 0) != 0) {
        result.refusal = {"a tensor keeps its value between inferences", "a network without state"};
        return result;
    }
    result.refusal = read_shape(table, tensor);
    if (!result.refusal.any()) result.refusal = read_quantisation(table, tensor);
    if (!result.refusal.any()) result.refusal = read_constant(table, tensor);
    return result;
}

}  // namespace n6vp::sim::generate
