// SPDX-License-Identifier: Apache-2.0
#include "sim/run/scenario_run.h"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <string>
#include <utility>

#include "sim/host/toml_file.h"
#include "sim/platform/parameter_file.h"
#include "sim/run/scenario_board.h"
#include "sim/run/scenario_expect.h"
#include "sim/run/scenario_input.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

class ScenarioReader {
  public:
    ScenarioReader(const std::filesystem::path& path, RunConfig& config)
        : nodes_(path), config_(config) {}

    void read() {
        const toml::table document = nodes_.parse();
        for (const auto& [key, node] : document) {
            if (key.str() == "run") {
                read_run(nodes_.table(node, "run"));
            } else if (key.str() == "image") {
                for (const toml::table* image : nodes_.tables(node, "image")) read_image(*image);
            } else if (key.str() == "parameters") {
                const toml::table& parameters = nodes_.table(node, "parameters");
                for (const ParameterSetting& one : parameters_of(nodes_, parameters)) {
                    config_.set_parameter(one.setting, one.origin);
                }
            } else if (key.str() == "model" || key.str() == "expect") {
                continue;  // models are for who runs them; expectations name masters and are read
                           // last
            } else if (key.str() == "master") {
                for (const toml::table* master : nodes_.tables(node, "master")) add_master(*master);
            } else if (key.str() == "i2c") {
                for (const toml::table* device : nodes_.tables(node, "i2c"))
                    read_i2c_device(nodes_, *device, board_);
            } else if (key.str() == "spi") {
                for (const toml::table* device : nodes_.tables(node, "spi"))
                    read_spi_device(nodes_, *device, board_);
            } else if (key.str() == "input") {
                for (const toml::table* input : nodes_.tables(node, "input"))
                    board_.inputs.push_back(read_input(nodes_, *input));
            } else if (key.str() == "pin") {
                for (const toml::table* pin : nodes_.tables(node, "pin"))
                    read_pin(nodes_, *pin, board_);
            } else {
                nodes_.fail(node,
                            fmt::format("unknown table '{}'", traces::terminal_text(key.str())),
                            "a scenario has [run], [model], [[image]], [[i2c]], [[spi]], "
                            "[[input]], [[master]], "
                            "[[pin]], [parameters] and [expect]");
            }
        }
        config_.set_board(std::move(board_));
        if (const toml::node* const expect = document.get("expect"); expect != nullptr)
            read_expect(nodes_.table(*expect, "expect"));
    }

  private:
    void read_expect(const toml::table& expect) {
        std::vector<std::string> initiators = models::Stm32n6::initiator_names({});
        for (const TrafficSetting& master : config_.masters())
            initiators.push_back(traffic_name(master.get("name")));
        config_.set_expectations(read_expectations(nodes_, expect, initiators));
    }
    void add_master(const toml::table& table) {
        TrafficSetting master = traffic_table(nodes_, table);
        for (const TrafficSetting& other : config_.masters()) {
            if (other.get("name") != master.get("name")) continue;
            nodes_.fail(table, "the master has a table already (" + other.origin + ")",
                        "give each master a name of its own");
        }
        config_.set_master(std::move(master));
    }
    void read_run(const toml::table& run) {
        for (const auto& [key, node] : run) {
            const std::string_view name = key.str();
            if (name == "elf" && node.is_array()) {
                read_programs(*node.as_array());
                continue;
            }
            if (name == "symbols") {
                read_symbols(node);
                continue;
            }
            if (name == "uart") {
                read_uarts(node);
                continue;
            }
            const bool is_file = name == "elf" || name == "files" || name == "svd" ||
                                 name == "screen" || name == "camera" || name == "sd" ||
                                 name == "sd_out" || name == "microphone" || name == "speaker" ||
                                 name == "dump";
            config_.set(name, is_file ? nodes_.path(node) : nodes_.text(node), nodes_.origin(node));
        }
    }
    /// The first is the program, of the others only the bytes are loaded.
    void read_programs(const toml::array& list) {
        bool first = true;
        for (const toml::node& one : list) {
            const std::string file = nodes_.path(one);
            if (std::exchange(first, false)) {
                config_.set("elf", file, nodes_.origin(one));
            } else {
                config_.add_image({{"", nodes_.origin(one)}, file, std::nullopt, ImageFormat::Elf});
            }
        }
    }
    void read_uarts(const toml::node& node) {
        const toml::array* const list = node.as_array();
        if (list == nullptr) return config_.set_uart(nodes_.text(node), nodes_.origin(node));
        for (const toml::node& one : *list) config_.set_uart(nodes_.text(one), nodes_.origin(one));
    }
    void read_symbols(const toml::node& node) {
        const auto add = [this](const toml::node& one) {
            config_.add_symbols({nodes_.path(one), nodes_.origin(one)});
        };
        const toml::array* const list = node.as_array();
        if (list == nullptr) return add(node);
        for (const toml::node& one : *list) add(one);
    }
    void read_image(const toml::table& table) {
        RunConfig::Image image;
        for (const auto& [key, node] : table) {
            if (key.str() == "at") {
                const bool number = node.is_integer();
                image.at = {number ? fmt::format("0x{:08x}", nodes_.number(node, "at", 0xFFFFFFFF))
                                   : nodes_.text(node),
                            nodes_.origin(node)};
            } else if (key.str() == "file") {
                image.file = nodes_.path(node);
            } else if (key.str() == "bytes") {
                image.bytes = nodes_.number(node, "bytes", INT64_MAX);
            } else {
                nodes_.unknown_key(node, key.str(), "[[image]]", {"at", "file", "bytes"});
            }
        }
        if (image.file.empty()) {
            nodes_.fail(table, "[[image]] without file", "name it with file");
        }
        if (image.at.origin == "default") image.at.origin = nodes_.origin(table);
        config_.add_image(std::move(image));
    }

    ScenarioNodes nodes_;
    RunConfig& config_;
    BoardSetup board_;
};

}  // namespace

void read_scenario(const std::filesystem::path& path, RunConfig& config) {
    ScenarioReader(path, config).read();
}

}  // namespace n6vp::sim
