// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/generate/tflite/graph.h"

/// What operators evaluate with. `from` and `to` are the tensors' stored bytes.
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

/// Returns the byte of a number cut to a range.
[[nodiscard]] inline std::uint8_t cut(std::int64_t stored, const StoredRange& range) {
    return as_byte(
        static_cast<std::int32_t>(std::clamp<std::int64_t>(stored, range.low, range.high)));
}

/// Other scale, zero point, type and limits, element by element.
void evaluate_requantise(Activation activation, const Operand& from, const Tensor& result,
                         Bytes& to);

/// Counts through the places of a shape, last dimension fastest.
class Places {
  public:
    explicit Places(const std::vector<std::uint32_t>& shape) : shape_(shape), at_(shape.size()) {}

    [[nodiscard]] const std::vector<std::uint32_t>& at() const { return at_; }
    void next() {
        for (std::size_t i = shape_.size(); i-- > 0;) {
            if (++at_[i] < shape_[i]) return;
            at_[i] = 0;
        }
    }

  private:
    const std::vector<std::uint32_t>& shape_;
    std::vector<std::uint32_t> at_;
};

/// One node with the tensors that are known: what an operator evaluates.
struct NodeEvaluation {
    const Graph& graph;
    const Node& node;
    const std::vector<Bytes>& values;  ///< of every tensor, empty where not computed
    Bytes to;                          ///< the output, to be filled

    [[nodiscard]] Operand operand(std::size_t index) const {
        const TensorId id = node.inputs[index];
        return {&graph.tensors[id], &values[id]};
    }
    [[nodiscard]] const Tensor& result() const { return graph.output(node); }
};

}  // namespace n6vp::sim::generate
