// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/model_table.h"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <cmath>
#include <string_view>
#include <vector>

#include "sim/host/toml_file.h"
#include "traces/escape.h"

namespace n6vp::sim::cli {

namespace {

class Reader {
  public:
    Reader(const ScenarioNodes& nodes, ModelRunOptions& options)
        : nodes_(nodes), options_(options) {}

    std::string read(const toml::table& table) {
        for (const auto& [key, node] : table) take(key.str(), node);
        if (file_.empty()) {
            nodes_.fail(table, "[model] without a file", "name it: file = \"network_rel.bin\"");
        }
        return file_;
    }

  private:
    /// Returns true if the command line has the option.
    [[nodiscard]] bool typed(const std::string& name) const {
        for (const CLI::Option* option : options_.only) {
            if (option->check_lname(name) && option->count() != 0) return true;
        }
        return false;
    }
    void take(std::string_view key, const toml::node& node) {
        model_run::ModelChoice& choice = options_.choice;
        ModelOptions& model = choice.model;
        if (key == "file") {
            file_ = nodes_.path(node);
        } else if (key == "clear") {
            if (!typed("clear")) model.clear = yes(node);
        } else if (key == "seed") {
            if (!typed("seed")) choice.inputs.seed = number(node, key, 0xFFFFFFFF);
        } else if (key == "repeat") {
            constexpr std::uint64_t kMaxRuns = 1000;
            if (!typed("repeat")) choice.repeat = number(node, key, kMaxRuns, 1);
        } else if (key == "tolerance") {
            if (!typed("tolerance")) choice.expect.tolerance = tolerance(node);
        } else if (key == "in") {
            if (!typed("in")) choice.inputs.files = paths(node);
        } else if (key == "expect") {
            if (!typed("expect")) choice.expect.files = paths(node);
        } else if (!take_text(key, node)) {
            nodes_.unknown_key(
                node, key, "[model]",
                {"file", "params", "at", "params_at", "ext_ram", "mode", "clear", "policy", "in",
                 "input", "seed", "range", "out", "expect", "tolerance", "repeat"});
        }
    }
    bool take_text(std::string_view key, const toml::node& node) {
        model_run::ModelChoice& choice = options_.choice;
        struct Row {
            std::string_view key;
            const char* option;
            std::string& to;
            bool is_path;
        };
        const Row rows[] = {
            {"params", "params", choice.model.params, true},
            {"at", "at", choice.model.at, false},
            {"params_at", "params-at", choice.model.params_at, false},
            {"ext_ram", "ext", choice.model.ext, false},
            {"mode", "mode", choice.model.mode, false},
            {"policy", "policy", options_.policy, false},
            {"input", "input", options_.input, false},
            {"range", "range", options_.range, false},
            {"out", "out", choice.outputs, true},
        };
        for (const Row& row : rows) {
            if (row.key != key) continue;
            if (!typed(row.option)) row.to = row.is_path ? nodes_.path(node) : nodes_.text(node);
            require_choice(key, node);
            return true;
        }
        return false;
    }
    /// The command line's own checks come before a scenario is read.
    void require_choice(std::string_view key, const toml::node& node) const {
        const bool policy =
            key == "policy" && options_.policy != "strict" && options_.policy != "compat";
        const bool input = key == "input" && options_.input != "zero" && options_.input != "random";
        if (policy) nodes_.fail(node, "no such policy", "write strict or compat");
        if (input) nodes_.fail(node, "no such inputs", "write zero or random");
    }

    [[nodiscard]] std::vector<std::string> paths(const toml::node& node) const {
        const toml::array* const list = node.as_array();
        if (list == nullptr) return {nodes_.path(node)};
        std::vector<std::string> result;
        result.reserve(list->size());
        for (const toml::node& one : *list) result.push_back(nodes_.path(one));
        return result;
    }
    [[nodiscard]] std::uint32_t number(const toml::node& node, std::string_view key,
                                       std::uint64_t most, std::uint64_t least = 0) const {
        return static_cast<std::uint32_t>(nodes_.number(node, key, most, least));
    }
    [[nodiscard]] bool yes(const toml::node& node) const {
        const auto value = node.value_exact<bool>();
        if (!value) nodes_.fail(node, "neither true nor false", "write clear = true");
        return *value;
    }
    [[nodiscard]] double tolerance(const toml::node& node) const {
        const auto value = node.value<double>();
        if (!value || !(*value >= 0) || std::isinf(*value)) {
            nodes_.fail(node, "tolerance is not a number of 0 or more", "write tolerance = 1");
        }
        return *value;
    }

    const ScenarioNodes& nodes_;
    ModelRunOptions& options_;
    std::string file_;
};

}  // namespace

std::string read_model_table(const std::string& scenario, ModelRunOptions& options) {
    const ScenarioNodes nodes(scenario);
    const toml::table document = nodes.parse();
    const toml::node* const model = document.get("model");
    if (model == nullptr) return "";
    return Reader(nodes, options).read(nodes.table(*model, "model"));
}

}  // namespace n6vp::sim::cli
