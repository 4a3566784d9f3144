// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/generate/lower/cost.h"
#include "sim/generate/lower/model_plan.h"
#include "sim/generate/lower/requantise.h"
#include "sim/generate/tflite/graph.h"

namespace n6vp::sim::generate {

/// Where a model's memory is.
struct LoweringOptions {
    std::vector<PlacedPool> activations;  ///< in the order of preference
    std::string weights_pool = "flash";
    std::optional<PlacedPool>
        weights_copy;                  ///< the pool that weights are copied to; none: in place
    SumWidth sums = SumWidth::Bits24;  ///< between CONVACC and ARITH
    bool user_inputs = false, user_outputs = false;  ///< memory is the user's
    CostParameters costs = default_costs();          ///< by which shares of the units are chosen
};

/// Returns the npuRAM banks of the chip, for activations: npuRAM5, 4, 3; npuRAM6 is left for copied
/// weights.
[[nodiscard]] std::vector<PlacedPool> default_activation_pools();
[[nodiscard]] PlacedPool default_weights_pool();

/// Lowers a network to epochs. Fails with UserError, naming operator and layer, for what the units
/// or the software epochs cannot do, and if the memory is too small.
[[nodiscard]] ModelPlan lower_graph(const Graph& graph, const LoweringOptions& options);

}  // namespace n6vp::sim::generate
