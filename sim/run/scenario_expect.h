// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include "sim/run/run_expect.h"
#include "sim/host/toml_file.h"

namespace n6vp::sim {

/// Returns what [expect] of a scenario demands. Files it names are read. Fails with UserError for
/// unknown keys and for what no run can meet.
[[nodiscard]] RunExpectations read_expectations(const ScenarioNodes& nodes,
                                                const toml::table& table);

}  // namespace n6vp::sim
