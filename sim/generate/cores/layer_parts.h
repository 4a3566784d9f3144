// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/generate/cores/core_layer.h"

/// What the makers of layers share.
namespace n6vp::sim::generate {

using ArgumentKind = CoreArgument::Kind;

inline constexpr CoreArgument kDescriptionArgument{ArgumentKind::Description, 0, 0};
[[nodiscard]] inline CoreArgument input_argument(std::uint32_t index, std::uint32_t offset = 0) {
    return {ArgumentKind::Input, index, offset};
}
[[nodiscard]] inline CoreArgument output_argument(std::uint32_t offset = 0) {
    return {ArgumentKind::Output, 0, offset};
}
[[nodiscard]] inline CoreArgument weights_argument(std::uint32_t offset = 0) {
    return {ArgumentKind::Weights, 0, offset};
}
[[nodiscard]] inline CoreArgument scratch_argument() {
    return {ArgumentKind::Scratch, 0, 0};
}
[[nodiscard]] inline CoreArgument number_argument(std::uint32_t value) {
    return {ArgumentKind::Number, 0, value};
}

/// Returns the initialiser of a kernel_window.
[[nodiscard]] std::string window_text(const PictureShape& from, const PictureShape& to,
                                      const Window& window, std::uint32_t dilation_height = 1,
                                      std::uint32_t dilation_width = 1);

/// Returns the shape of a tensor of the node; refuses all but a feature map of batch 1.
[[nodiscard]] PictureShape core_picture(const Graph& graph, const Node& node, const Tensor& tensor);

/// Layers with weights.
[[nodiscard]] CoreLayer core_convolution(const Graph& graph, const Node& node, const Conv2D& op,
                                         const CoreTarget& target);
[[nodiscard]] CoreLayer core_depthwise(const Graph& graph, const Node& node,
                                       const DepthwiseConv2D& op, const CoreTarget& target);
[[nodiscard]] CoreLayer core_fully_connected(const Graph& graph, const Node& node,
                                             const FullyConnected& op, const CoreTarget& target);

}  // namespace n6vp::sim::generate
