// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/generate/cores/core_target.h"
#include "sim/generate/tflite/graph.h"

/// Nodes of a graph as calls of kernels (emit/kernels).
namespace n6vp::sim::generate {

/// What a kernel is called with.
struct CoreArgument {
    enum class Kind : std::uint8_t { Description, Input, Output, Weights, Scratch, Number };
    Kind kind = Kind::Number;
    std::uint32_t index = 0;   ///< of the input of the node
    std::uint32_t offset = 0;  ///< bytes from its start; the value of a number
};

struct CoreCall {
    std::string kernel;
    std::vector<CoreArgument> arguments;
};

/// One node of the model.
struct CoreLayer {
    const Node* node = nullptr;
    std::string structure;  ///< of the description, as C initialiser; or empty
    std::string type;       ///< of the description: "kernel_convolution"
    std::vector<CoreCall> calls;
    std::vector<std::uint8_t> weights;  ///< packed, with tables
    std::uint32_t scratch = 0;          ///< bytes
    std::uint64_t macs = 0;
    std::string choice;  ///< which kernel, for people
};

/// Returns true if the output of a node is its input by another shape.
[[nodiscard]] bool keeps_memory(const Node& node);

/// Fails with UserError, naming operator and layer, for what no kernel does.
[[nodiscard]] CoreLayer core_layer(const Graph& graph, const Node& node, const CoreTarget& target);

}  // namespace n6vp::sim::generate
