// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario_run.h"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "sim/errors.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

class Reader {
  public:
    Reader(std::filesystem::path path, RunConfig& config)
        : path_(std::move(path)), shown_(traces::terminal_text(path_.string())), config_(config) {}

    void read() {
        const toml::table document = parse();
        for (const auto& [key, node] : document) {
            if (key.str() == "run") {
                read_run(table(node, "run"));
            } else if (key.str() == "image") {
                read_images(node);
            } else if (key.str() == "parameters") {
                read_parameters(table(node, "parameters"), "");
            } else {
                fail(node, fmt::format("unknown table '{}'", traces::terminal_text(key.str())),
                     "a scenario has [run], [[image]] and [parameters]");
            }
        }
    }

  private:
    static constexpr std::uintmax_t kLargestFile = 1u << 20;

    [[nodiscard]] toml::table parse() const {
        std::error_code error;
        const std::uintmax_t bytes = std::filesystem::file_size(path_, error);
        std::ifstream stream(path_, std::ios::binary);
        if (error || !stream) {
            throw UserError(fmt::format("cannot read {}", shown_),
                            "is the name right, may you read it?");
        }
        if (bytes > kLargestFile) {
            throw UserError(fmt::format("{} is larger than 1 MiB", shown_), "give a scenario file");
        }
        std::ostringstream text;
        text << stream.rdbuf();
        try {
            return toml::parse(text.str());
        } catch (const toml::parse_error& problem) {
            throw UserError(fmt::format("{}:{}: {}", shown_, problem.source().begin.line,
                                        traces::terminal_text(problem.description())),
                            "scenarios are TOML: key = value, texts in quotes");
        }
    }
    [[nodiscard]] std::string origin(const toml::node& node) const {
        return fmt::format("{}:{}", shown_, node.source().begin.line);
    }
    [[noreturn]] void fail(const toml::node& node, const std::string& cause,
                           const std::string& remedy) const {
        throw UserError(fmt::format("{}: {}", origin(node), cause), remedy);
    }
    [[nodiscard]] const toml::table& table(const toml::node& node, std::string_view name) const {
        const toml::table* const found = node.as_table();
        if (found == nullptr) {
            fail(node, fmt::format("{} is no table", name), fmt::format("write [{}]", name));
        }
        return *found;
    }
    /// Returns what stands there as the command line would have it.
    [[nodiscard]] std::string text(const toml::node& node) const {
        if (const auto* const value = node.as_string()) return value->get();
        if (const auto* const value = node.as_integer()) return fmt::format("{}", value->get());
        if (const auto* const value = node.as_floating_point())
            return fmt::format("{}", value->get());
        if (const auto* const value = node.as_boolean()) return value->get() ? "true" : "false";
        fail(node, "a text, a number, true or false should stand here", "see `n6vp run --help`");
    }
    [[nodiscard]] std::string beside(const std::string& name) const {
        const std::filesystem::path file(name);
        return file.empty() || file.is_absolute() ? name : (path_.parent_path() / file).string();
    }

    void read_run(const toml::table& run) {
        for (const auto& [key, node] : run) {
            const std::string_view name = key.str();
            const bool is_file = name == "elf" || name == "files" || name == "svd";
            config_.set(name, is_file ? beside(text(node)) : text(node), origin(node));
        }
    }
    void read_images(const toml::node& node) {
        const toml::array* const list = node.as_array();
        if (list == nullptr) fail(node, "image is no list of tables", "write [[image]]");
        for (const toml::node& entry : *list) read_image(table(entry, "[image]"));
    }
    void read_image(const toml::table& table) {
        RunConfig::Image image;
        for (const auto& [key, node] : table) {
            if (key.str() == "at") {
                const bool number = node.is_integer();
                image.at = {number ? fmt::format("0x{:08x}", node.as_integer()->get()) : text(node),
                            origin(node)};
            } else if (key.str() == "file") {
                image.file = beside(text(node));
            } else if (key.str() == "bytes" && node.is_integer() && node.as_integer()->get() >= 0) {
                image.bytes = static_cast<std::uint64_t>(node.as_integer()->get());
            } else if (key.str() == "bytes") {
                fail(node, "bytes is no size", "give the size that the file must have");
            } else {
                fail(node,
                     fmt::format("unknown key '{}' in [[image]]", traces::terminal_text(key.str())),
                     "an image has at, file and bytes");
            }
        }
        if (image.at.text.empty() || image.file.empty()) {
            fail(table, "an image without at or file", "say where it goes and which file it is");
        }
        config_.add_image(std::move(image));
    }
    /// `"clock.cpu" = 600`, `clock.cpu = 600` and [parameters.clock] are the same.
    void read_parameters(const toml::table& table, const std::string& prefix) {
        for (const auto& [key, node] : table) {
            const std::string name = prefix + std::string(key.str());
            if (const toml::table* const inner = node.as_table()) {
                read_parameters(*inner, name + '.');
            } else {
                config_.set_parameter(name + '=' + text(node), origin(node));
            }
        }
    }

    std::filesystem::path path_;
    std::string shown_;
    RunConfig& config_;
};

}  // namespace

void read_scenario(const std::filesystem::path& path, RunConfig& config) {
    Reader(path, config).read();
}

}  // namespace n6vp::sim
