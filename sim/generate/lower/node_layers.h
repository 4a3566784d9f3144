// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/generate/lower/convolution_layer.h"
#include "sim/generate/tflite/graph.h"

/// Nodes of a graph as layers in the numbers that the units need. What no unit can do is refused
/// with UserError, naming operator and layer.
namespace n6vp::sim::generate {

[[noreturn]] void refuse_node(const Graph& graph, const Node& node, const std::string& what,
                              const std::string& remedy);

/// Returns the name of a node's epoch.
[[nodiscard]] std::string node_title(const Graph& graph, const Node& node);
/// Returns what the units know of an output: zero point, and the limits of its activation.
[[nodiscard]] OutputRange range_of(Activation activation, const Tensor& output);
/// Returns the shape of a tensor of the node; refuses all but a feature map of batch 1.
[[nodiscard]] PictureShape picture_of(const Graph& graph, const Node& node, const Tensor& tensor);

[[nodiscard]] ConvolutionLayer convolution_of(const Graph& graph, const Node& node,
                                              const Conv2D& op);
[[nodiscard]] ConvolutionLayer convolution_of(const Graph& graph, const Node& node,
                                              const DepthwiseConv2D& op);
[[nodiscard]] ConvolutionLayer convolution_of(const Graph& graph, const Node& node,
                                              const FullyConnected& op);

}  // namespace n6vp::sim::generate
