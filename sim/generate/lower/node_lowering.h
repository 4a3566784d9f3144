// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/generate/evaluate/evaluate_kernels.h"
#include "sim/generate/lower/lowering_options.h"
#include "sim/generate/lower/model_plan.h"
#include "sim/generate/lower/weight_store.h"
#include "sim/generate/tflite/graph.h"

namespace n6vp::sim::generate {

// Beyond this a step of an input is more than all outputs, and more than factors hold.
inline constexpr double kMaxRatio = 1 << 14;

/// One node on its way to epochs: its tensors with their places, and where its epochs and weights
/// go.
class NodeLowering {
  public:
    /// What is the same for all nodes. All must outlive the lowering.
    struct Network {
        const Graph& graph;
        const LoweringOptions& options;
        std::function<Address(TensorId)> address;  ///< of computed tensors
        WeightStore& weights;
        std::vector<Epoch>& epochs;
    };
    NodeLowering(const Network& network, const Node& node) : network_(network), node_(node) {}

    [[nodiscard]] const Graph& graph() const { return network_.graph; }
    [[nodiscard]] const Node& node() const { return node_; }
    [[nodiscard]] const LoweringOptions& options() const { return network_.options; }
    [[nodiscard]] WeightStore& weights() const { return network_.weights; }

    [[nodiscard]] const Tensor& tensor(std::size_t index) const {
        return graph().input(node_, index);
    }
    [[nodiscard]] const Tensor& result() const { return graph().output(node_); }
    [[nodiscard]] Address input(std::size_t index) const {
        return network_.address(node_.inputs[index]);
    }
    [[nodiscard]] Address output() const { return network_.address(node_.outputs[0]); }
    [[nodiscard]] std::string name() const;
    /// Returns the shape of a tensor; refuses all but a feature map of batch 1.
    [[nodiscard]] PictureShape picture(const Tensor& tensor) const;
    /// Returns the ratio of the scales of an input and the output; refuses what no network has.
    [[nodiscard]] double scale_ratio(const Tensor& from) const;
    /// Throws UserError that names operator and layer.
    [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const;

    void add(Epoch epoch) { network_.epochs.push_back(std::move(epoch)); }
    /// Returns an epoch of the core of as many elements as the output has.
    [[nodiscard]] CoreEpoch core_epoch(std::uint64_t cycles_per_element) const;
    /// Adds an epoch of the core that takes every element of the only input through a table, which
    /// `evaluate` gives for all bytes.
    void add_table(const std::function<void(const Operand& every, Bytes& to)>& evaluate);
    /// Adds an epoch of the core with the node's name and tensors.
    void add_core(CoreEpoch epoch);

  private:
    const Network& network_;
    const Node& node_;
};

}  // namespace n6vp::sim::generate
