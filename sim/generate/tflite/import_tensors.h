// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/generate/tflite/flatbuffer.h"
#include "sim/generate/tflite/graph.h"

namespace n6vp::sim::generate {

/// Why a layer cannot be taken over, and what would be.
struct Refusal {
    std::string reason, nearest;
    [[nodiscard]] bool any() const { return !reason.empty(); }
};

/// A tensor of the file. With a refusal the tensor is not whole; only a layer that uses it minds.
struct ReadTensor {
    Tensor tensor;
    Refusal refusal;
};

/// Reads tensors; keeps count of what is copied, since a file may name one buffer many times.
class TensorReader {
  public:
    TensorReader(const FlatTables& tensors, const FlatTables& buffers, std::size_t file_bytes);

    [[nodiscard]] std::size_t size() const { return tensors_.size(); }
    [[nodiscard]] ReadTensor read(std::size_t index);

  private:
    Refusal read_shape(const FlatTable& table, Tensor& tensor);
    Refusal read_quantisation(const FlatTable& table, Tensor& tensor);
    Refusal read_constant(const FlatTable& table, Tensor& tensor);
    void spend(std::size_t bytes);

    FlatTables tensors_, buffers_;
    std::size_t left_;  ///< bytes that may still be copied
};

}  // namespace n6vp::sim::generate
