// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/platform_parameters.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/host/errors.h"
#include "sim/host/log.h"
#include "sim/platform/parameter_setting.h"

namespace n6vp::sim {

namespace {

/// Remedy for a value that does not fit.
constexpr const char* kDefaults = "`n6vp params` shows the default";

/// Refuses what the models require and single limits cannot say.
void check_shape(const PlatformParameters& parameters) {
    require_power_of_two("cache.dcache_bytes", parameters.cache.dcache_bytes.value, kDefaults);
    require_power_of_two("cache.dcache_ways", parameters.cache.dcache_ways.value, kDefaults);
    require_power_of_two("cache.icache_bytes", parameters.cache.icache_bytes.value, kDefaults);
    require_power_of_two("cache.icache_ways", parameters.cache.icache_ways.value, kDefaults);
    require_power_of_two("npu_cache.line_bytes", parameters.npu_cache.line_bytes.value, kDefaults);
    require_power_of_two("npu_cache.entries", parameters.npu_cache.entries.value, kDefaults);
    require_power_of_two("npu_cache.ways", parameters.npu_cache.ways.value, kDefaults);
    if (parameters.npu_cache.ways.value > parameters.npu_cache.entries.value) {
        throw UserError("npu_cache.ways must not be above npu_cache.entries",
                        "`n6vp params` shows the defaults");
    }
    for (const models::XspiParameters* memory : {&parameters.nor, &parameters.psram}) {
        if (memory->release_clocks.value != 0 &&
            memory->release_clocks.value <
                memory->command_clocks.value + memory->address_clocks.value +
                    std::max(memory->read_dummy_clocks.value, memory->write_dummy_clocks.value) +
                    1) {
            throw UserError("release_clocks leaves no clock cycle for data",
                            "set it to 0 (never) or above command, address and dummy clocks");
        }
    }
}

}  // namespace

std::string_view confidence_text(models::Confidence confidence) {
    switch (confidence) {
        case models::Confidence::Documented:
            return "documented";
        case models::Confidence::Measured:
            return "measured";
        case models::Confidence::Assumed:
            break;
    }
    return "assumed";
}

void apply_settings(PlatformParameters& parameters, const std::vector<std::string>& settings) {
    for (const std::string& setting : settings) {
        if (!set_parameter(parameters, setting, "clock.cpu=600"))
            refuse_unknown_parameter(setting, parameter_names(parameters),
                                     "`n6vp params` lists them all");
        log(LogComponent::Config, LogLevel::Info, "parameter {}", setting);
    }
    check_shape(parameters);
}

}  // namespace n6vp::sim
