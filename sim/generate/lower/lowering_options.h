// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/generate/lower/cost.h"
#include "sim/generate/lower/model_plan.h"
#include "sim/generate/lower/requantise.h"

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

}  // namespace n6vp::sim::generate
