// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/description.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <string_view>

namespace n6vp::sim::cli {

namespace {

std::vector<std::string> words_of(std::string_view list, char between) {
    std::vector<std::string> words;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(between), list.size());
        words.emplace_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return words;
}

/// Returns what the parser appends to the type of an option for its checks, such as
/// ":UINT in [1 - 1000]".
std::string text_of_checks(const CLI::Option& option) {
    std::string text;
    try {
        for (int index = 0;; ++index) {
            const std::string check =
                const_cast<CLI::Option&>(option).get_validator(index)->get_description();
            if (!check.empty()) text += ":" + check;
        }
    } catch (const CLI::OptionNotFound&) {
        return text;  // the parser has no count of them
    }
}

/// Sets value and choices from a type such as "ADDR:SIZE", "16|24" or "KIND:{zero,random}".
void read_type(const CLI::Option& option, OptionDescription& row) {
    const std::string type = option.get_type_name();
    const std::string checks = text_of_checks(option);
    row.value = type.ends_with(checks) ? type.substr(0, type.size() - checks.size()) : type;
    const std::size_t open = type.find(":{"), close = type.find('}', open);
    if (open != std::string::npos && close != std::string::npos) {
        row.choices = words_of(std::string_view(type).substr(open + 2, close - open - 2), ',');
        row.value = type.substr(0, open);
    } else if (row.value.find('|') != std::string::npos) {
        row.choices = words_of(row.value, '|');
    }
}

OptionDescription describe(const CLI::Option& option) {
    OptionDescription row;
    if (option.get_positional()) row.names.push_back(option.get_name());
    for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
    row.text = option.get_description();
    if (option.get_expected_max() != 0) read_type(option, row);
    return row;
}

}  // namespace

std::vector<VerbDescription> describe(const CLI::App& app) {
    std::vector<VerbDescription> verbs;
    for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (verb->get_group().empty()) continue;
        VerbDescription description{verb->get_name(), verb->get_description(), {}, {}};
        for (const CLI::Option* option : verb->get_options()) {
            if (option->get_group().empty()) continue;
            (option->get_positional() ? description.positionals : description.options)
                .push_back(describe(*option));
        }
        verbs.push_back(std::move(description));
    }
    return verbs;
}

}  // namespace n6vp::sim::cli
