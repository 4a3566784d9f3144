// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>
#include <string>
#include <vector>

#include "sim/host/toml_file.h"
#include "sim/run/run_expect.h"

namespace n6vp::sim {

/// Returns what [expect] of a scenario demands; `initiators` are the names of all ports of the bus.
/// Files it names are read. Fails with UserError for unknown keys and for what no run can meet.
[[nodiscard]] RunExpectations read_expectations(const ScenarioNodes& nodes,
                                                const toml::table& table,
                                                const std::vector<std::string>& initiators);

}  // namespace n6vp::sim
