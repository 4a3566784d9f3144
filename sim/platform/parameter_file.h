// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/host/toml_file.h"
#include "sim/platform/platform_parameters.h"

namespace n6vp::sim {

/// A parameter with its setting.
struct ParameterSetting {
    std::string setting;  ///< "clock.cpu=600"
    std::string origin;   ///< "fast.toml:3"
};

/// Returns the settings of a table: `"clock.cpu" = 600`, `clock.cpu = 600` and [clock] with
/// cpu = 600 are the same.
[[nodiscard]] std::vector<ParameterSetting> parameters_of(const ScenarioNodes& nodes,
                                                          const toml::table& table);

/// Returns the settings of a file that is such a table and nothing else, as --params-file has it.
/// Fails with UserError that names file and line.
[[nodiscard]] std::vector<ParameterSetting> read_parameter_file(const std::filesystem::path& path);

/// As apply_settings for texts, in their order. A UserError names the origin.
void apply_settings(PlatformParameters& parameters, const std::vector<ParameterSetting>& settings);

}  // namespace n6vp::sim
