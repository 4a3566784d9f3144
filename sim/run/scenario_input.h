// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include "sim/host/toml_file.h"
#include "sim/run/input_feed.h"

namespace n6vp::sim {

/// Returns what a table [[input]] describes. Fails with UserError.
[[nodiscard]] BoardInput read_input(const ScenarioNodes& nodes, const toml::table& table);

}  // namespace n6vp::sim
