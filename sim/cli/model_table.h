// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/cli/run_model.h"

namespace n6vp::sim::cli {

/// Takes over [model] of a scenario, where the command line says nothing else, and returns the
/// model's file; "" if the scenario has no such table. Files are relative to the scenario. Fails
/// with UserError that names file and line.
[[nodiscard]] std::string read_model_table(const std::string& scenario, ModelRunOptions& options);

}  // namespace n6vp::sim::cli
