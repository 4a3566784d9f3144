// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/parameter_setting.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "sim/host/errors.h"
#include "sim/host/nearest.h"
#include "sim/host/numbers.h"
#include "traces/escape.h"

namespace n6vp::sim {

NamedValue parse_setting(const std::string& setting, std::string_view example) {
    const std::size_t equals = setting.find('=');
    const std::string_view whole = setting;
    const std::string_view text = equals == std::string::npos ? "" : whole.substr(equals + 1);
    if (const auto value = parse_digits<double>(text)) return {whole.substr(0, equals), *value};
    throw UserError(fmt::format("--set {}: '{}' is not a number", traces::terminal_text(setting),
                                traces::terminal_text(text)),
                    fmt::format("write --set block.name=value, for instance --set {}", example));
}

void set_value(models::Parameter& parameter, double value, const std::string& setting) {
    const models::ParameterUnit::Range& range = parameter.unit.range;
    if (value < range.least || value > range.most || (range.whole && value != std::floor(value))) {
        throw UserError(
            fmt::format("--set {}: out of range", traces::terminal_text(setting)),
            fmt::format("give {} from {} to {}", range.whole ? "a whole number" : "a number",
                        range.least, range.most));
    }
    parameter.value = value;
    parameter.source = "set by option";
    parameter.confidence = models::Confidence::Assumed;
}

void refuse_unknown_parameter(const std::string& setting, const std::vector<std::string>& known,
                              const std::string& remedy) {
    const std::string_view near = nearest(setting.substr(0, setting.find('=')), known);
    throw UserError(fmt::format("--set {}: no such parameter", traces::terminal_text(setting)),
                    near.empty() ? remedy : fmt::format("did you mean {}? {}", near, remedy));
}

void require_power_of_two(const char* name, double value, const char* remedy) {
    if (std::has_single_bit(static_cast<std::uint32_t>(value))) return;
    throw UserError(fmt::format("{} must be a power of two, not {}", name, value), remedy);
}

}  // namespace n6vp::sim
