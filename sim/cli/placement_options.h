// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "sim/cli/common_options.h"
#include "sim/generate/operators/lower_graph.h"

namespace n6vp::sim::cli {

/// Where the memory of a lowered network is to be, and the parameters of the platform that it is
/// lowered for: options that `generate` and `analyze` share.
struct PlacementOptions {
    std::string weights, mpool, sums = "24";
    ParameterOptions parameters;
    bool no_inputs = false, no_outputs = false;
};

void add_placement_options(CLI::App& verb, PlacementOptions& options);

/// Fails with UserError for pools that are not there or that a model cannot use.
[[nodiscard]] generate::LoweringOptions lowering_options(const PlacementOptions& options);

}  // namespace n6vp::sim::cli
