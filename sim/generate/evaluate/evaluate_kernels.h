// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/generate/tflite/graph.h"

/// One function per kind of operator. `from` and `to` are the tensors' stored bytes.
namespace n6vp::sim::generate {

/// A tensor with its bytes.
struct Operand {
    const Tensor* tensor = nullptr;
    const std::vector<std::uint8_t>* bytes = nullptr;

    /// Returns the stored number of an 8-bit tensor.
    [[nodiscard]] std::int32_t stored(std::size_t index) const {
        const std::uint8_t byte = (*bytes)[index];
        return tensor->type == ElementType::Int8 ? static_cast<std::int8_t>(byte) : byte;
    }
    /// Returns the stored number above the zero point.
    [[nodiscard]] std::int32_t centred(std::size_t index) const {
        return stored(index) - tensor->zero_point_of(0);
    }
    [[nodiscard]] double scale() const { return static_cast<double>(tensor->scale_of(0)); }
};

/// Returns the byte of a number that has been cut to its type.
[[nodiscard]] inline std::uint8_t as_byte(std::int32_t stored) {
    return static_cast<std::uint8_t>(stored & 0xFF);
}

using Bytes = std::vector<std::uint8_t>;

// Windows and weights.
void evaluate_convolution(const Conv2D& op, const Graph& graph, const Node& node,
                          const Operand& from, Bytes& to);
void evaluate_depthwise(const DepthwiseConv2D& op, const Graph& graph, const Node& node,
                        const Operand& from, Bytes& to);
void evaluate_fully_connected(const FullyConnected& op, const Graph& graph, const Node& node,
                              const Operand& from, Bytes& to);
void evaluate_average_pool(const AveragePool& op, const Operand& from, const Tensor& result,
                           Bytes& to);
void evaluate_max_pool(const MaxPool& op, const Operand& from, const Tensor& result, Bytes& to);

// Element by element.
void evaluate_sum(bool subtract, Activation activation, const Operand& left, const Operand& right,
                  const Tensor& result, Bytes& to);
void evaluate_product(Activation activation, const Operand& left, const Operand& right,
                      const Tensor& result, Bytes& to);
void evaluate_requantise(Activation activation, const Operand& from, const Tensor& result,
                         Bytes& to);
void evaluate_logistic(const Operand& from, const Tensor& result, Bytes& to);
void evaluate_softmax(const Softmax& op, const Operand& from, const Tensor& result, Bytes& to);

// Shapes.
void evaluate_mean(const Mean& op, const Operand& from, const Tensor& result, Bytes& to);
void evaluate_concatenation(const Concat& op, const std::vector<Operand>& from,
                            const Tensor& result, Bytes& to);
void evaluate_pad(const Pad& op, const Operand& from, const Tensor& result, Bytes& to);
void evaluate_resize(const Resize& op, const Operand& from, const Tensor& result, Bytes& to);

}  // namespace n6vp::sim::generate
