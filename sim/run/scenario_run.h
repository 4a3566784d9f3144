// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "sim/run/run_config.h"

namespace n6vp::sim {

/// Takes over the settings of a scenario file: [run] with the keys of kRunKeys, [[image]] with at,
/// file and bytes, [parameters] with block.name = value, and the demands of [expect]. Files are
/// relative to the scenario. Fails with UserError that names file and line; unknown tables and keys
/// are refused.
void read_scenario(const std::filesystem::path& path, RunConfig& config);

}  // namespace n6vp::sim
