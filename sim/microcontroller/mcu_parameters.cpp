// SPDX-License-Identifier: Apache-2.0
#include "sim/microcontroller/mcu_parameters.h"

#include <fmt/format.h>

#include <string>

#include "sim/platform/parameter_setting.h"

namespace n6vp::sim {

namespace {

using models::mcu_chip::MicrocontrollerParameters;

/// Returns the parameters of the block that `name` begins with, or else the blocks.
[[nodiscard]] std::string names_near(const MicrocontrollerParameters& parameters,
                                     const std::string& name) {
    std::string names, blocks, last;
    MicrocontrollerParameters::visit(
        parameters, [&](const char* block, const models::Parameter& parameter) {
            const auto add = [](std::string& list, const std::string& one) {
                list += (list.empty() ? "" : ", ") + one;
            };
            if (name.starts_with(std::string(block) + '.')) add(names, parameter.name);
            if (last != block) add(blocks, block);
            last = block;
        });
    return names.empty() ? "such a chip has parameters in the blocks " + blocks
                         : fmt::format("{} has {}", name.substr(0, name.find('.')), names);
}

}  // namespace

void apply_settings(MicrocontrollerParameters& parameters,
                    const std::vector<RunConfig::Parameter>& settings) {
    for (const RunConfig::Parameter& one : settings) {
        const std::string setting = one.name + '=' + one.value.text;
        told_of_setting(one.value.origin, [&] {
            if (!set_parameter(parameters, setting, "oscillators.hse=16"))
                refuse_unknown_parameter(setting, parameter_names(parameters),
                                         names_near(parameters, one.name));
        });
    }
    const auto power = [](const char* name, const models::Parameter& parameter) {
        require_power_of_two(name, parameter.value, "leave it out for the value of the chip");
    };
    power("flash.array_bytes", parameters.flash.array_bytes);
    power("flash.line_bytes", parameters.flash.line_bytes);
    power("cache.dcache_bytes", parameters.cache.dcache_bytes);
    power("cache.dcache_ways", parameters.cache.dcache_ways);
    power("cache.icache_bytes", parameters.cache.icache_bytes);
    power("cache.icache_ways", parameters.cache.icache_ways);
}

}  // namespace n6vp::sim
