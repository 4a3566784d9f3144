// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/platform_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/host/errors.h"
#include "sim/host/log.h"
#include "sim/host/numbers.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

[[nodiscard]] double parse_value(const std::string& setting, std::string_view text) {
    if (const auto value = parse_digits<double>(text)) return *value;
    throw UserError(fmt::format("--set {}: '{}' is not a number", traces::terminal_text(setting),
                                traces::terminal_text(text)),
                    "write --set block.name=value, for instance --set clock.cpu=600");
}

void apply(PlatformParameters& parameters, const std::string& setting) {
    const std::size_t equals = setting.find('=');
    const std::string_view key = std::string_view(setting).substr(0, equals);
    const std::string_view text =
        equals == std::string::npos ? "" : std::string_view(setting).substr(equals + 1);
    const double value = parse_value(setting, text);
    bool found = false;
    PlatformParameters::visit(parameters, [&](const char* block, models::Parameter& parameter) {
        if (key != fmt::format("{}.{}", block, parameter.name)) return;
        const auto& range = parameter.unit.range;
        if (value < range.least || value > range.most ||
            (range.whole && value != std::floor(value))) {
            throw UserError(
                fmt::format("--set {}: out of range", traces::terminal_text(setting)),
                fmt::format("give {} from {} to {}", range.whole ? "a whole number" : "a number",
                            range.least, range.most));
        }
        parameter.value = value;
        parameter.source = "set by option";
        parameter.confidence = models::Confidence::Assumed;
        found = true;
    });
    if (!found) {
        throw UserError(fmt::format("--set {}: no such parameter", traces::terminal_text(setting)),
                        "`n6vp params` lists them all");
    }
}

void require_power_of_two(const char* name, double value) {
    if (std::has_single_bit(static_cast<std::uint32_t>(value))) return;
    throw UserError(fmt::format("{} must be a power of two, not {}", name, value),
                    "`n6vp params` shows the default");
}

/// Refuses what the models require and single limits cannot say.
void check_shape(const PlatformParameters& parameters) {
    require_power_of_two("cache.dcache_bytes", parameters.cache.dcache_bytes.value);
    require_power_of_two("cache.dcache_ways", parameters.cache.dcache_ways.value);
    require_power_of_two("cache.icache_bytes", parameters.cache.icache_bytes.value);
    require_power_of_two("cache.icache_ways", parameters.cache.icache_ways.value);
    require_power_of_two("npu_cache.line_bytes", parameters.npu_cache.line_bytes.value);
    require_power_of_two("npu_cache.entries", parameters.npu_cache.entries.value);
    require_power_of_two("npu_cache.ways", parameters.npu_cache.ways.value);
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
        apply(parameters, setting);
        log(LogComponent::Config, LogLevel::Info, "parameter {}", setting);
    }
    check_shape(parameters);
}

}  // namespace n6vp::sim
