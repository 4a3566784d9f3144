// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/parameter_file.h"

#include <utility>

#include "sim/platform/parameter_setting.h"

namespace n6vp::sim {

namespace {

void collect(const ScenarioNodes& nodes, const toml::table& table, const std::string& prefix,
             std::vector<ParameterSetting>& settings) {
    for (const auto& [key, node] : table) {
        std::string name = prefix + std::string(key.str());
        if (const toml::table* const inner = node.as_table()) {
            collect(nodes, *inner, name + '.', settings);
        } else {
            settings.push_back({std::move(name) + '=' + nodes.text(node), nodes.origin(node)});
        }
    }
}

}  // namespace

std::vector<ParameterSetting> parameters_of(const ScenarioNodes& nodes, const toml::table& table) {
    std::vector<ParameterSetting> settings;
    collect(nodes, table, "", settings);
    return settings;
}

std::vector<ParameterSetting> read_parameter_file(const std::filesystem::path& path) {
    const ScenarioNodes nodes(path, "parameter file");
    return parameters_of(nodes, nodes.parse());
}

void apply_settings(PlatformParameters& parameters, const std::vector<ParameterSetting>& settings) {
    for (const ParameterSetting& one : settings)
        told_of_setting(one.origin, [&] { apply_settings(parameters, std::vector{one.setting}); });
}

}  // namespace n6vp::sim
