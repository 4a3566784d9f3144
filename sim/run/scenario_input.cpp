// SPDX-License-Identifier: Apache-2.0
#include "sim/run/scenario_input.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "sim/host/numbers.h"
#include "sim/run/run_config.h"
#include "sim/run/scenario_board.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

class InputReader {
  public:
    InputReader(const ScenarioNodes& nodes, const toml::table& table)
        : nodes_(nodes), table_(table) {}

    [[nodiscard]] BoardInput read() {
        input_.origin = nodes_.origin(table_);
        for (const auto& [key, node] : table_) read_key(key.str(), node);
        require(has("at"), "without at", "give its time: at = \"10ms\"");
        const bool characters = has("text") || has("hex");
        require(!characters || !has("pin"), "has characters and a pin",
                "give each a table of its own");
        require(characters || has("pin") || has("i2c"), "needs characters, a pin or a bus",
                "give text = \"...\", hex = \"0d 0a\", pin = \"PC13\" and level = 1, or i2c = "
                "\"I2C1\" and address");
        require_transfer();
        require(has("text") + has("hex") <= 1, "has text and hex", "give one of the two");
        require(has("pin") == has("level"), "needs pin and level together",
                "give pin = \"PC13\" and level = 1");
        require(!has("pin") || !has("uart"), "has a pin and a serial port",
                "give each a table of its own");
        require(!has("count") || has("every"), "has count without every",
                "give the time between: every = \"100ms\"");
        if (has("every") && !has("count")) input_.count = 0;
        return input_;
    }

  private:
    [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }
    /// A transfer on I2C has its bus and address; nothing else has them.
    void require_transfer() const {
        require(!has("i2c") || (!has("pin") && !has("uart")), "has a bus and a pin or serial port",
                "give each a table of its own");
        require(has("i2c") == has("address"), "needs i2c and address together",
                "give i2c = \"I2C1\" and address = 0x3C");
        require(has("i2c") || (!has("address_bits") && !has("read")),
                "has keys of a transfer without its bus", "add i2c = \"I2C1\" and address = 0x3C");
        if (address_ != nullptr)
            require_i2c_address(nodes_, *address_, input_.address, input_.ten_bits);
    }
    void require(bool holds, const char* cause, const char* remedy) const {
        if (!holds) nodes_.fail(table_, fmt::format("[[input]] {}", cause), remedy);
    }

    void read_key(std::string_view key, const toml::node& node) {
        if (key == "at") {
            input_.at = time(node);
        } else if (key == "every") {
            input_.every = time(node);
            if (input_.every == 0) nodes_.fail(node, "every = 0", "give the time between");
        } else if (key == "count") {
            input_.count = nodes_.number(node, key, kMostTimes);
            if (input_.count == 0) nodes_.fail(node, "count = 0", "leave the table out");
        } else if (key == "uart") {
            input_.uart = nodes_.text(node);
        } else if (key == "text") {
            const std::string text = nodes_.text(node);
            input_.bytes.assign(text.begin(), text.end());
            require_bytes(node);
        } else if (key == "hex") {
            read_hex(node);
            require_bytes(node);
        } else if (key == "pin") {
            const PinName name = read_pin_name(nodes_, node);
            input_.port = name.port;
            input_.pin = name.number;
        } else if (key == "level") {
            input_.level = nodes_.number(node, key, 1) != 0;
        } else {
            read_transfer_key(key, node);
        }
    }
    void read_transfer_key(std::string_view key, const toml::node& node) {
        if (key == "i2c") {
            input_.i2c = read_i2c_bus(nodes_, node);
        } else if (key == "address") {
            input_.address = static_cast<std::uint16_t>(nodes_.number(node, key, 0x3FF));
            address_ = &node;
        } else if (key == "address_bits") {
            input_.ten_bits = read_address_bits(nodes_, node) == 10;
        } else if (key == "read") {
            input_.reads = nodes_.number(node, key, kMostBytes);
        } else {
            nodes_.unknown_key(node, key, "[[input]]",
                               {"at", "uart", "text", "hex", "pin", "level", "i2c", "address",
                                "address_bits", "read", "every", "count"});
        }
    }
    [[nodiscard]] models::Picoseconds time(const toml::node& node) const {
        const auto value = parse_duration(nodes_.text(node));
        if (!value)
            nodes_.fail(node, "no time", "give a number with a unit, such as 10ms, 1us or 0s");
        return *value;
    }
    void read_hex(const toml::node& node) {
        const std::string text = nodes_.text(node);
        std::string_view rest = text;
        while (!rest.empty()) {
            if (rest.front() == ' ') {
                rest.remove_prefix(1);
                continue;
            }
            const auto byte = parse_digits<std::uint8_t>(rest.substr(0, 2), 16);
            if (!byte || rest.size() < 2) {
                nodes_.fail(node, fmt::format("hex = '{}'", traces::terminal_text(text)),
                            "give bytes of two hexadecimal digits, such as \"0d 0a\"");
            }
            input_.bytes.push_back(*byte);
            rest.remove_prefix(2);
        }
    }
    void require_bytes(const toml::node& node) const {
        if (input_.bytes.empty() || input_.bytes.size() > kMostBytes)
            nodes_.fail(node, "no characters, or too many",
                        fmt::format("give 1 to {} bytes", kMostBytes));
    }

    static constexpr std::size_t kMostBytes = 65536;
    static constexpr std::uint64_t kMostTimes = 1'000'000'000;
    const ScenarioNodes& nodes_;
    const toml::table& table_;
    BoardInput input_;
    const toml::node* address_ = nullptr;
};

}  // namespace

BoardInput read_input(const ScenarioNodes& nodes, const toml::table& table) {
    return InputReader(nodes, table).read();
}

}  // namespace n6vp::sim
