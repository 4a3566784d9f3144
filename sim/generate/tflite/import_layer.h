// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/generate/tflite/flatbuffer.h"
#include "sim/generate/tflite/graph.h"
#include "sim/generate/tflite/import_tensors.h"
#include "sim/generate/tflite/tflite_schema.h"

namespace n6vp::sim::generate {

/// One operator of the file, for the rule that takes it over: its tensors, its options, and the
/// ways to refuse it.
class LayerReader {
  public:
    /// `tensors` are those of the file, `inputs` and `outputs` indices into them (kNoTensor: not
    /// given). All must outlive the reader.
    LayerReader(std::span<const ReadTensor> tensors, std::vector<TensorId> inputs,
                std::vector<TensorId> outputs, std::optional<FlatTable> options,
                std::uint32_t number, std::string name);

    /// Throws UserError: layer, reason, nearest supported form.
    [[noreturn]] void refuse(const std::string& reason, const std::string& nearest) const;

    /// Refuses another number of inputs, or of outputs than one.
    void expect_inputs(std::size_t least, std::size_t most) const;
    [[nodiscard]] std::size_t input_count() const { return inputs_.size(); }
    [[nodiscard]] bool has_input(std::size_t index) const {
        return index < inputs_.size() && inputs_[index] != kNoTensor;
    }
    [[nodiscard]] const Tensor& input(std::size_t index) const;
    [[nodiscard]] const Tensor& output() const { return tensors_[outputs_[0]].tensor; }

    template <FlatScalar T>
    [[nodiscard]] T option(unsigned field, T otherwise) const {
        return options_ ? options_->number<T>(field, otherwise) : otherwise;
    }
    [[nodiscard]] Activation activation(unsigned field) const;

    /// Refuses a tensor that is not int8 (or uint8 if allowed) with one scale.
    void expect_quantised(const Tensor& tensor, const char* what, bool uint8_too = false) const;
    /// Refuses an output whose quantisation is not that of input `index`.
    void expect_same_quantisation(std::size_t index) const;
    /// Refuses an output of another shape.
    void expect_output_shape(const std::vector<std::uint32_t>& shape) const;
    /// Returns [H][W][C] of an input or output that must have four dimensions and batch 1.
    [[nodiscard]] PictureShape expect_picture(const Tensor& tensor) const;
    /// Returns the int32 or int64 values of a constant input.
    [[nodiscard]] std::vector<std::int64_t> constant_integers(std::size_t index) const;

    /// Inputs of the node: the first `count`, indices of the file's tensors.
    [[nodiscard]] std::vector<TensorId> first_inputs(std::size_t count) const;

  private:
    std::span<const ReadTensor> tensors_;
    std::vector<TensorId> inputs_, outputs_;
    std::optional<FlatTable> options_;
    std::uint32_t number_;
    std::string name_;
};

}  // namespace n6vp::sim::generate
