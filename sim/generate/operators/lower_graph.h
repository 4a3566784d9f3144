// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/generate/lower/lowering_options.h"
#include "sim/generate/tflite/graph.h"

namespace n6vp::sim::generate {

/// Returns the npuRAM banks of the chip, for activations: npuRAM5, 4, 3; npuRAM6 is left for copied
/// weights.
[[nodiscard]] std::vector<PlacedPool> default_activation_pools();
[[nodiscard]] PlacedPool default_weights_pool();

/// Lowers a network to epochs. Fails with UserError, naming operator and layer, for what the units
/// or the software epochs cannot do, and if the memory is too small.
[[nodiscard]] ModelPlan lower_graph(const Graph& graph, const LoweringOptions& options);

}  // namespace n6vp::sim::generate
