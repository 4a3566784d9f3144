// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/tflite/import_layer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <utility>

#include "sim/host/errors.h"
#include "traces/escape.h"

namespace n6vp::sim::generate {

LayerReader::LayerReader(std::span<const ReadTensor> tensors, std::vector<TensorId> inputs,
                         std::vector<TensorId> outputs, std::optional<FlatTable> options,
                         std::uint32_t number, std::string name)
    : tensors_(tensors),
      inputs_(std::move(inputs)),
      outputs_(std::move(outputs)),
      options_(options),
      number_(number),
      name_(std::move(name)) {
    for (const std::vector<TensorId>* const list : {&inputs_, &outputs_}) {
        for (const TensorId id : *list) {
            if (id == kNoTensor || !tensors_[id].refusal.any()) continue;
            refuse(tensors_[id].refusal.reason, tensors_[id].refusal.nearest);
        }
    }
}

void LayerReader::refuse(const std::string& reason, const std::string& nearest) const {
    std::string layer = fmt::format("layer {} ({}", number_, name_);
    if (!outputs_.empty() && outputs_[0] != kNoTensor) {
        layer += fmt::format(", '{}'", traces::terminal_text(tensors_[outputs_[0]].tensor.name));
    }
    throw UserError(fmt::format("{}): {}", layer, reason), fmt::format("supported: {}", nearest));
}

void LayerReader::expect_inputs(std::size_t least, std::size_t most) const {
    if (outputs_.size() != 1 || outputs_[0] == kNoTensor) {
        refuse(fmt::format("{} outputs", outputs_.size()), "one output");
    }
    if (inputs_.size() < least || inputs_.size() > most) {
        refuse(fmt::format("{} inputs", inputs_.size()),
               least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most));
    }
    for (std::size_t i = 0; i < least; ++i) {
        if (inputs_[i] == kNoTensor) refuse(fmt::format("input {} is left out", i), "all inputs");
    }
}

const Tensor& LayerReader::input(std::size_t index) const {
    if (!has_input(index)) refuse(fmt::format("input {} is left out", index), "all inputs");
    return tensors_[inputs_[index]].tensor;
}

Activation LayerReader::activation(unsigned field) const {
    const auto code = option<std::int8_t>(field, tflite::kNone);
    switch (code) {
        case tflite::kNone:
            return Activation::None;
        case tflite::kRelu:
            return Activation::Relu;
        case tflite::kReluN1To1:
            return Activation::ReluN1To1;
        case tflite::kRelu6:
            return Activation::Relu6;
        default:
            refuse(fmt::format("fused activation {}", code), "NONE, RELU, RELU_N1_TO_1, RELU6");
    }
}

void LayerReader::expect_quantised(const Tensor& tensor, const char* what, bool uint8_too) const {
    if (tensor.type == ElementType::Float32) {
        refuse(fmt::format("{} is float32: the network is not quantised here", what),
               "full int8 quantisation, inputs and outputs too (inference_input_type = "
               "inference_output_type = tf.int8)");
    }
    if (tensor.type != ElementType::Int8 && !(uint8_too && tensor.type == ElementType::Uint8)) {
        refuse(fmt::format("{} is {}", what, type_name(tensor.type)),
               uint8_too ? "int8 or uint8" : "int8");
    }
    if (!tensor.quantisation.present()) {
        refuse(fmt::format("{} has no scale", what), "quantised tensors with scale and zero point");
    }
    if (tensor.quantisation.per_channel()) {
        refuse(fmt::format("{} has a scale per channel", what), "one scale; weights may have many");
    }
}

void LayerReader::expect_same_quantisation(std::size_t index) const {
    const Tensor& from = input(index);
    const Tensor& to = output();
    if (from.type != to.type || from.quantisation.scale != to.quantisation.scale ||
        from.quantisation.zero_point != to.quantisation.zero_point) {
        refuse("input and output have different scales or zero points",
               "the same scale and zero point on both sides");
    }
}

void LayerReader::expect_output_shape(const std::vector<std::uint32_t>& shape) const {
    if (output().shape == shape) return;
    refuse(fmt::format("its output has shape [{}], its inputs make [{}]",
                       fmt::join(output().shape, ", "), fmt::join(shape, ", ")),
           "a file as the converter writes it");
}

PictureShape LayerReader::expect_picture(const Tensor& tensor) const {
    if (tensor.shape.size() != 4 || tensor.shape[0] != 1) {
        refuse(fmt::format("shape [{}]", fmt::join(tensor.shape, ", ")),
               "[1, height, width, channels]");
    }
    return {tensor.shape[1], tensor.shape[2], tensor.shape[3]};
}

std::vector<std::int64_t> LayerReader::constant_integers(std::size_t index) const {
    const Tensor& tensor = input(index);
    if (!tensor.is_constant()) {
        refuse(fmt::format("input {} is computed", index), "a constant in the file");
    }
    if (tensor.type != ElementType::Int32 && tensor.type != ElementType::Int64) {
        refuse(fmt::format("input {} is {}", index, type_name(tensor.type)), "int32 or int64");
    }
    const std::size_t bytes = element_bytes(tensor.type);
    // A list of dimensions: longer ones are no use and cost memory.
    constexpr std::size_t kMost = 64;
    if (tensor.element_count() > kMost) {
        refuse(fmt::format("input {} has {} values", index, tensor.element_count()),
               "one value per dimension");
    }
    std::vector<std::int64_t> values(tensor.element_count());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (bytes == sizeof(std::int64_t)) {
            std::memcpy(&values[i], tensor.constant.data() + bytes * i, bytes);
        } else {
            values[i] = int32_at(tensor, i);
        }
    }
    return values;
}

std::vector<TensorId> LayerReader::first_inputs(std::size_t count) const {
    std::vector<TensorId> list = inputs_;
    if (list.size() > count) list.resize(count);
    while (!list.empty() && list.back() == kNoTensor) list.pop_back();
    return list;
}

}  // namespace n6vp::sim::generate
