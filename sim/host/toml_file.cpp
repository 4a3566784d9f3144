// SPDX-License-Identifier: Apache-2.0
#include "sim/host/toml_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <utility>

#include "sim/host/errors.h"
#include "sim/host/input_file.h"
#include "sim/host/nearest.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

/// The parser limits how deep values nest, not how deep dotted keys do, and follows both by
/// recursion. Counts the dots between two characters that end a key, a row of dots once.
void refuse_deep_keys(const std::string& shown, std::string_view text) {
    constexpr std::size_t kMost = 32;
    std::size_t dots = 0, line = 1;
    char before = 0;
    for (const char c : text) {
        if (c == '\n') ++line;
        if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) dots = 0;
        if (c == '.' && before != '.' && ++dots > kMost) {
            throw UserError(fmt::format("{}:{}: more than {} dots in a key", shown, line, kMost),
                            "break the line if it is not a key");
        }
        before = c;
    }
}

}  // namespace

ScenarioNodes::ScenarioNodes(std::filesystem::path path, const char* kind)
    : path_(std::move(path)), shown_(traces::terminal_text(path_.string())), kind_(kind) {}

toml::table ScenarioNodes::parse() const {
    constexpr std::uintmax_t kMost = 1u << 20;
    const std::vector<std::uint8_t> text =
        read_input(path_.string(), kMost, fmt::format("give a {}", kind_));
    const std::string_view whole(reinterpret_cast<const char*>(text.data()), text.size());
    refuse_deep_keys(shown_, whole);
    try {
        return toml::parse(whole);
    } catch (const toml::parse_error& problem) {
        throw UserError(fmt::format("{}:{}: {}", shown_, problem.source().begin.line,
                                    traces::terminal_text(problem.description())),
                        fmt::format("{}s are TOML: key = value, texts in quotes", kind_));
    }
}

std::string ScenarioNodes::origin(const toml::node& node) const {
    return fmt::format("{}:{}", shown_, node.source().begin.line);
}

void ScenarioNodes::fail(const toml::node& node, const std::string& cause,
                         const std::string& remedy) const {
    throw UserError(fmt::format("{}: {}", origin(node), cause), remedy);
}

void ScenarioNodes::unknown_key(const toml::node& node, std::string_view key,
                                std::string_view where,
                                const std::vector<std::string>& known) const {
    const std::string_view near = nearest(key, known);
    fail(node, fmt::format("unknown key '{}' in {}", traces::terminal_text(key), where),
         near.empty() ? fmt::format("possible: {}", fmt::join(known, ", "))
                      : fmt::format("did you mean {}?", near));
}

const toml::table& ScenarioNodes::table(const toml::node& node, std::string_view name) const {
    const toml::table* const found = node.as_table();
    if (found == nullptr) {
        fail(node, fmt::format("{} is not a table", name), fmt::format("write [{}]", name));
    }
    return *found;
}

std::vector<const toml::table*> ScenarioNodes::tables(const toml::node& node,
                                                      std::string_view name) const {
    const toml::array* const list = node.as_array();
    if (list == nullptr) {
        fail(node, fmt::format("{} is not a list of tables", name),
             fmt::format("write [[{}]]", name));
    }
    std::vector<const toml::table*> found;
    for (const toml::node& entry : *list) found.push_back(&table(entry, name));
    return found;
}

std::string ScenarioNodes::text(const toml::node& node) const {
    if (const auto* const value = node.as_string()) return value->get();
    if (const auto* const value = node.as_integer()) return fmt::format("{}", value->get());
    if (const auto* const value = node.as_floating_point()) return fmt::format("{}", value->get());
    if (const auto* const value = node.as_boolean()) return value->get() ? "true" : "false";
    fail(node, "expected a text, a number, true or false", "see `n6vp run --help`");
}

std::uint64_t ScenarioNodes::number(const toml::node& node, std::string_view key,
                                    std::uint64_t most, std::uint64_t least) const {
    const auto* const value = node.as_integer();
    if (value != nullptr && value->get() >= 0) {
        const auto number = static_cast<std::uint64_t>(value->get());
        if (number >= least && number <= most) return number;
    }
    fail(node, fmt::format("{} is not a valid number", key),
         fmt::format("give a whole number from {} to {}", least, most));
}

std::string ScenarioNodes::path(const toml::node& node) const {
    const auto* const value = node.as_string();
    if (value == nullptr)
        fail(node, "expected the name of a file", "write a text in quotes: \"name\"");
    const std::filesystem::path file(value->get());
    return file.empty() || file.is_absolute() ? value->get()
                                              : (path_.parent_path() / file).string();
}

}  // namespace n6vp::sim
