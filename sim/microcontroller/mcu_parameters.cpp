// SPDX-License-Identifier: Apache-2.0
#include "sim/microcontroller/mcu_parameters.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "sim/host/errors.h"
#include "sim/host/numbers.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

using models::mcu_chip::MicrocontrollerParameters;

[[nodiscard]] double mcu_value(const RunConfig::Parameter& setting) {
    if (const auto value = parse_digits<double>(setting.value.text)) return *value;
    throw UserError(
        fmt::format("{}: {}: '{}' is not a number", setting.value.origin,
                    traces::terminal_text(setting.name), traces::terminal_text(setting.value.text)),
        "write --set block.name=value, for instance --set oscillators.hse=16");
}

void apply_mcu(MicrocontrollerParameters& parameters, const RunConfig::Parameter& setting) {
    const double value = mcu_value(setting);
    bool found = false;
    MicrocontrollerParameters::visit(
        parameters, [&](const char* block, models::Parameter& parameter) {
            if (setting.name != fmt::format("{}.{}", block, parameter.name)) return;
            const models::ParameterUnit::Range& range = parameter.unit.range;
            if (value < range.least || value > range.most ||
                (range.whole && value != std::floor(value))) {
                throw UserError(fmt::format("{}: {}: out of range", setting.value.origin,
                                            traces::terminal_text(setting.name)),
                                fmt::format("give {} from {} to {}",
                                            range.whole ? "a whole number" : "a number",
                                            range.least, range.most));
            }
            parameter.value = value;
            parameter.source = "set by option";
            parameter.confidence = models::Confidence::Assumed;
            found = true;
        });
    if (found) return;
    std::string blocks, last;
    MicrocontrollerParameters::visit(parameters, [&](const char* block, const models::Parameter&) {
        if (last != block) blocks += (blocks.empty() ? "" : ", ") + std::string(block);
        last = block;
    });
    throw UserError(fmt::format("{}: {}: no such parameter", setting.value.origin,
                                traces::terminal_text(setting.name)),
                    "such a chip has parameters in the blocks " + blocks);
}

void require_power(const char* name, double value) {
    if (std::has_single_bit(static_cast<std::uint32_t>(value))) return;
    throw UserError(fmt::format("{} must be a power of two, not {}", name, value),
                    "leave it out for the value of the chip");
}

}  // namespace

void apply_settings(MicrocontrollerParameters& parameters,
                    const std::vector<RunConfig::Parameter>& settings) {
    for (const RunConfig::Parameter& setting : settings) apply_mcu(parameters, setting);
    require_power("flash.array_bytes", parameters.flash.array_bytes.value);
    require_power("flash.line_bytes", parameters.flash.line_bytes.value);
    require_power("cache.dcache_bytes", parameters.cache.dcache_bytes.value);
    require_power("cache.dcache_ways", parameters.cache.dcache_ways.value);
    require_power("cache.icache_bytes", parameters.cache.icache_bytes.value);
    require_power("cache.icache_ways", parameters.cache.icache_ways.value);
}

}  // namespace n6vp::sim
