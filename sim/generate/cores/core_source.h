// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/generate/cores/core_plan.h"
#include "sim/generate/emit/client_headers.h"

namespace n6vp::sim::generate {

/// Returns the C file of a model, the same for both forms (emit/README.md): descriptions, node
/// functions, buffers, tables. `weights` is the name of a C array with the weights, for the static
/// form; empty for none.
[[nodiscard]] std::string core_source(const Graph& graph, const CorePlan& plan,
                                      const std::string& weights);

/// Returns the C file that defines this array.
[[nodiscard]] std::string core_weights_source(const CorePlan& plan, const std::string& weights);

/// Returns what the two headers of the static form say.
[[nodiscard]] ClientNetwork core_client(const Graph& graph, const CorePlan& plan);

}  // namespace n6vp::sim::generate
