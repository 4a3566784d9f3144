// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "models/parameter.h"
#include "sim/host/errors.h"

namespace n6vp::sim {

/// "block.name=value", parsed.
struct NamedValue {
    std::string_view name;  ///< "block.name", a part of the text
    double value = 0;
};

/// Fails with UserError if the value is no number; `example` is a setting that would be right.
[[nodiscard]] NamedValue parse_setting(const std::string& setting, std::string_view example);

/// Changes the parameter, with the source "set by option". Fails with UserError if the value is
/// outside its range.
void set_value(models::Parameter& parameter, double value, const std::string& setting);

/// Fails with UserError; its remedy names the nearest of `known` before `remedy`.
[[noreturn]] void refuse_unknown_parameter(const std::string& setting,
                                           const std::vector<std::string>& known,
                                           const std::string& remedy);
void require_power_of_two(const char* name, double value, const char* remedy);

/// Does `work`. An error says where the setting is from in place of --set: "fast.toml:3".
template <typename Work>
void told_of_setting(const std::string& origin, Work work) {
    try {
        work();
    } catch (const UserError& error) {
        constexpr std::string_view kOption = "--set";
        const std::string_view cause = error.what();
        const bool named = cause.starts_with("--set ");
        if (origin == kOption && named) throw;
        throw UserError(
            fmt::format("{}: {}", origin, named ? cause.substr(kOption.size() + 1) : cause),
            error.remedy());
    }
}

/// Changes the parameter that the setting names, of a struct of blocks with
/// `visit(self, function(block, parameter))`. Returns false if there is none. Fails with UserError
/// as the two above.
template <typename Parameters>
[[nodiscard]] bool set_parameter(Parameters& parameters, const std::string& setting,
                                 std::string_view example) {
    const NamedValue wanted = parse_setting(setting, example);
    bool found = false;
    Parameters::visit(parameters, [&](const char* block, models::Parameter& parameter) {
        if (wanted.name != fmt::format("{}.{}", block, parameter.name)) return;
        set_value(parameter, wanted.value, setting);
        found = true;
    });
    return found;
}

/// Returns "block.name" of each parameter of such a struct.
template <typename Parameters>
[[nodiscard]] std::vector<std::string> parameter_names(const Parameters& parameters) {
    std::vector<std::string> names;
    Parameters::visit(parameters, [&](const char* block, const models::Parameter& parameter) {
        names.push_back(fmt::format("{}.{}", block, parameter.name));
    });
    return names;
}

}  // namespace n6vp::sim
