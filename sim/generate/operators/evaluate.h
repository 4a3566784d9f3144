// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/generate/tflite/graph.h"

/// What a network computes according to TFLite's integer kernels, independent of how it is lowered:
/// the yardstick of `n6vp validate`. It agrees bit by bit with the outputs of the TFLite
/// interpreter in scenarios/models/tflite/expected. All tensors between layers are 8 bits wide;
/// 8-bit softmax and logistic go through tables of real numbers, as the library's do. MEAN
/// multiplies the sum and then divides by the count (versions of the library differ here, by 1 at
/// most).
namespace n6vp::sim::generate {

/// The bytes of every tensor of a graph; empty where nothing has been computed.
using TensorValues = std::vector<std::vector<std::uint8_t>>;

/// Returns the values of all tensors. `inputs` are as many and as long as the graph's.
[[nodiscard]] TensorValues evaluate(const Graph& graph,
                                    std::span<const std::vector<std::uint8_t>> inputs);

/// Returns the constants of a graph, everything else empty.
[[nodiscard]] TensorValues constant_values(const Graph& graph);

/// Computes the output of one node from the inputs in `values`.
void evaluate_node(const Graph& graph, const Node& node, TensorValues& values);

}  // namespace n6vp::sim::generate
