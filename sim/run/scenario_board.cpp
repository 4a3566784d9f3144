// SPDX-License-Identifier: Apache-2.0
#include "sim/run/scenario_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "memmap/peripherals.h"
#include "sim/host/numbers.h"
#include "sim/run/camera_setup.h"
#include "sim/run/run_config.h"
#include "traces/escape.h"

namespace n6vp::sim {

namespace {

/// A part of the discovery kit, as far as drivers identify it by registers. Image sensors are not
/// among them: they have models of their own.
/// Sources: public drivers of the parts and the board support package.
struct KnownDevice {
    std::string_view name, bus;
    models::I2cRegisterDevice::Layout layout;
    std::array<std::pair<std::uint32_t, std::uint32_t>, 3> values;
    std::size_t count;
};
constexpr KnownDevice kKnownDevices[] = {
    {"wm8904", "I2C2", {0x1A, 1, 2}, {{{0x00, 0x8904}}}, 1},
    {"cs42l51", "I2C2", {0x4A, 1, 1}, {{{0x01, 0xD8}}}, 1},
    {"gt911", "I2C2", {0x5D, 2, 1}, {{{0x8140, 0x39}, {0x8141, 0x31}, {0x8142, 0x31}}}, 3},
};
/// I2C bus: 7-bit addresses that are free for devices.
constexpr std::uint64_t kFirstAddress = 0x08, kLastAddress = 0x77;

[[nodiscard]] const KnownDevice& known_device(const ScenarioNodes& nodes, const toml::node& node) {
    const std::string name = nodes.text(node);
    const auto* const found =
        std::find_if(std::begin(kKnownDevices), std::end(kKnownDevices),
                     [&name](const KnownDevice& each) { return each.name == name; });
    if (found != std::end(kKnownDevices)) return *found;
    std::string names = "echo, imx335, vd66gy, vd55g1, vd65g4, ov5640";
    for (const KnownDevice& each : kKnownDevices) names += ", " + std::string(each.name);
    nodes.fail(node, fmt::format("unknown device '{}'", traces::terminal_text(name)),
               "known: " + names +
                   "; describe another with address, register_bytes, value_bytes "
                   "and values");
}

[[nodiscard]] unsigned width(const ScenarioNodes& nodes, const toml::node& node,
                             std::string_view key, std::initializer_list<unsigned> possible) {
    const auto value = static_cast<unsigned>(nodes.number(node, key, 4));
    if (std::find(possible.begin(), possible.end(), value) != possible.end()) return value;
    nodes.fail(node, fmt::format("{} = {}", key, value),
               possible.size() == 2 ? "give 1 or 2" : "give 1, 2 or 4");
}

/// Returns the name of a bus of that type.
[[nodiscard]] std::string read_bus(const ScenarioNodes& nodes, const toml::node& node,
                                   std::string_view type, const char* remedy) {
    std::string bus = nodes.text(node);
    const memmap::Peripheral* const row = memmap::peripheral_named(bus.c_str());
    if (row == nullptr || row->type != type)
        nodes.fail(node, fmt::format("no bus '{}'", traces::terminal_text(bus)), remedy);
    return bus;
}

/// Registers of a device: the number of the last one, bytes of each.
struct Registers {
    std::uint32_t last = 0xFF;
    unsigned value_bytes = 1;
};

/// Reads a table of registers and what they hold: one value, or a list from that register on.
void read_values(const ScenarioNodes& nodes, const toml::node& table, const Registers& registers,
                 BoardSetup::Values& values) {
    const std::uint64_t most = 0xFFFFFFFFu >> (32 - 8 * registers.value_bytes);
    const std::string range =
        fmt::format("registers are 0 to 0x{:x}, by register_bytes", registers.last);
    if (!table.is_table()) {
        nodes.fail(
            table, "values is not a table of registers",
            "write values = { 0x0F = 0x6C, 0x10 = [1, 2] }: register = value, or a list from "
            "there on");
    }
    for (const auto& [key, node] : *table.as_table()) {
        const auto number = parse_integer<std::uint32_t>(key.str());
        if (!number || *number > registers.last) {
            nodes.fail(node, fmt::format("no register '{}'", traces::terminal_text(key.str())),
                       range);
        }
        auto add = [&, next = *number](const toml::node& each) mutable {
            if (next > registers.last)
                nodes.fail(each, "a list goes on behind the last register", range);
            values.emplace_back(next++,
                                static_cast<std::uint32_t>(nodes.number(each, "value", most)));
        };
        if (const toml::array* const list = node.as_array(); list != nullptr) {
            for (const toml::node& each : *list) add(each);
        } else {
            add(node);
        }
    }
}

class I2cReader {
  public:
    I2cReader(const ScenarioNodes& nodes, const toml::table& table)
        : nodes_(nodes), table_(table) {}

    [[nodiscard]] BoardSetup::I2cDevice read() {
        device_.origin = nodes_.origin(table_);
        if (const toml::node* const node = table_.get("device"); node != nullptr) {
            read_device(*node);
        }
        const toml::node* values = nullptr;
        for (const auto& [key, node] : table_) {
            if (key.str() == "values") {
                values = &node;
            } else {
                read_key(key.str(), node);
            }
        }
        for (const char* const key : {"address", "address_bits", "register_bytes", "value_bytes"}) {
            if (device_.sensor && table_.contains(key))
                nodes_.fail(table_, fmt::format("an image sensor has its own {}", key),
                            "leave it out");
        }
        for (const char* const key : {"register_bytes", "value_bytes", "values"}) {
            if (device_.echo && table_.contains(key))
                nodes_.fail(table_, fmt::format("an echo has no {}", key), "leave it out");
        }
        require(device_.echo || !table_.contains("answer"), "has an answer and is no echo",
                "add device = \"echo\"");
        require(!device_.bus.empty(), "without bus", "name it: bus = \"I2C1\"");
        require(device_.layout.address != 0 || address_ != nullptr, "without address",
                "give its 7-bit address");
        if (address_ != nullptr)
            require_i2c_address(nodes_, *address_, device_.layout.address, device_.layout.ten_bits);
        // The widths are known now, in whatever order the keys stand.
        if (values != nullptr) {
            const std::uint32_t last = device_.layout.register_bytes == 1 ? 0xFF : 0xFFFF;
            read_values(nodes_, *values, {last, device_.layout.value_bytes}, device_.values);
        }
        return device_;
    }

  private:
    void read_device(const toml::node& node) {
        device_.echo = nodes_.text(node) == "echo";
        if (device_.echo) return;
        device_.sensor = sensor_named(nodes_.text(node));
        if (device_.sensor) {
            device_.bus = "I2C1";
            device_.layout = models::ImageSensor::layout(*device_.sensor);
            return;
        }
        const KnownDevice& known = known_device(nodes_, node);
        device_.bus = known.bus;
        device_.layout = known.layout;
        device_.values.assign(known.values.begin(),
                              known.values.begin() + static_cast<std::ptrdiff_t>(known.count));
    }

    void require(bool holds, const char* cause, const char* remedy) const {
        if (!holds) nodes_.fail(table_, fmt::format("[[i2c]] {}", cause), remedy);
    }

    void read_key(std::string_view key, const toml::node& node) {
        if (key == "device") return;
        if (key == "bus") {
            device_.bus = read_i2c_bus(nodes_, node);
        } else if (key == "address") {
            read_address(node);
        } else if (key == "address_bits") {
            device_.layout.ten_bits = read_address_bits(nodes_, node) == 10;
        } else if (key == "register_bytes") {
            device_.layout.register_bytes = width(nodes_, node, key, {1, 2});
        } else if (key == "value_bytes") {
            device_.layout.value_bytes = width(nodes_, node, key, {1, 2, 4});
        } else if (key == "answer") {
            const std::string text = nodes_.text(node);
            if (text.empty()) nodes_.fail(node, "answer is empty", "leave it out");
            device_.answer.assign(text.begin(), text.end());
        } else {
            nodes_.unknown_key(node, key, "[[i2c]]",
                               {"device", "bus", "address", "address_bits", "register_bytes",
                                "value_bytes", "values", "answer"});
        }
    }

    void read_address(const toml::node& node) {
        const std::uint64_t address = nodes_.number(node, "address", 0x3FF);
        device_.layout.address = static_cast<std::uint16_t>(address);
        address_ = &node;
    }

    const ScenarioNodes& nodes_;
    const toml::table& table_;
    BoardSetup::I2cDevice device_;
    const toml::node* address_ = nullptr;
};

class SpiReader {
  public:
    SpiReader(const ScenarioNodes& nodes, const toml::table& table)
        : nodes_(nodes), table_(table) {}

    [[nodiscard]] BoardSetup::SpiDevice read() {
        device_.origin = nodes_.origin(table_);
        const toml::node* values = nullptr;
        for (const auto& [key, node] : table_) {
            if (key.str() == "values") {
                values = &node;
            } else {
                read_key(key.str(), node);
            }
        }
        if (device_.bus.empty())
            nodes_.fail(table_, "[[spi]] without bus", "name it: bus = \"SPI5\"");
        // The widths are known now, in whatever order the keys stand.
        const std::uint32_t last = device_.layout.register_bytes == 1 ? 0x7F : 0x7FFF;
        if (values != nullptr)
            read_values(nodes_, *values, {last, device_.layout.value_bytes}, device_.values);
        for (const char* const key : {"register_bytes", "value_bytes", "read_bit", "values"}) {
            if (device_.loopback && table_.contains(key))
                nodes_.fail(table_, fmt::format("a loopback has no {}", key), "leave it out");
        }
        return device_;
    }

  private:
    void read_key(std::string_view key, const toml::node& node) {
        if (key == "bus") {
            device_.bus = read_bus(nodes_, node, "SPI", "give SPI1 to SPI6");
        } else if (key == "device") {
            read_kind(node);
        } else if (key == "select") {
            const PinName named = read_pin_name(nodes_, node);
            device_.select_port = named.port;
            device_.select_pin = named.number;
        } else if (key == "register_bytes") {
            device_.layout.register_bytes = width(nodes_, node, key, {1, 2});
        } else if (key == "value_bytes") {
            device_.layout.value_bytes = width(nodes_, node, key, {1, 2, 4});
        } else if (key == "read_bit") {
            device_.layout.reads_with_one = nodes_.number(node, key, 1) != 0;
        } else {
            nodes_.unknown_key(
                node, key, "[[spi]]",
                {"device", "bus", "select", "register_bytes", "value_bytes", "read_bit", "values"});
        }
    }

    void read_kind(const toml::node& node) {
        const std::string kind = nodes_.text(node);
        device_.loopback = kind == "loopback";
        if (device_.loopback || kind == "registers") return;
        nodes_.fail(node, fmt::format("unknown device '{}'", traces::terminal_text(kind)),
                    "give \"registers\" or \"loopback\"");
    }

    const ScenarioNodes& nodes_;
    const toml::table& table_;
    BoardSetup::SpiDevice device_;
};

void read_levels(const ScenarioNodes& nodes, const toml::node& node, BoardSetup::Pin& pin) {
    constexpr const char* kRemedy = "write levels = [[\"0s\", 1], [\"10ms\", 0]]";
    const toml::array* const list = node.as_array();
    if (list == nullptr) nodes.fail(node, "levels is not a list", kRemedy);
    for (const toml::node& each : *list) {
        const toml::array* const pair = each.as_array();
        if (pair == nullptr || pair->size() != 2) nodes.fail(each, "no time with a level", kRemedy);
        const auto time = parse_duration(nodes.text(*pair->get(0)));
        if (!time)
            nodes.fail(each, "no time", "give a number with a unit, such as 10ms, 1us or 0s");
        if (!pin.levels.empty() && *time <= pin.levels.back().first)
            nodes.fail(each, "times do not ascend", "give the levels in the order of time");
        pin.levels.emplace_back(*time, nodes.number(*pair->get(1), "level", 1) != 0);
    }
}

}  // namespace

PinName read_pin_name(const ScenarioNodes& nodes, const toml::node& node) {
    constexpr unsigned kPins = 16;
    const std::string name = nodes.text(node);
    const std::string port = "GPIO" + name.substr(std::min<std::size_t>(1, name.size()), 1);
    const auto number = parse_digits<unsigned>(
        std::string_view(name).substr(std::min<std::size_t>(2, name.size())));
    const bool known = name.starts_with('P') && name.size() > 2 &&
                       memmap::peripheral_named(port.c_str()) != nullptr;
    if (!known || !number || *number >= kPins) {
        nodes.fail(node, fmt::format("no pin '{}'", traces::terminal_text(name)),
                   "give port and number, such as \"PC13\": ports A to H and N to Q, 0 to 15");
    }
    return {port, *number};
}

std::string read_i2c_bus(const ScenarioNodes& nodes, const toml::node& node) {
    return read_bus(nodes, node, "I2C", "give I2C1, I2C2, I2C3 or I2C4");
}

unsigned read_address_bits(const ScenarioNodes& nodes, const toml::node& node) {
    const std::uint64_t bits = nodes.number(node, "address_bits", 10);
    if (bits != 7 && bits != 10)
        nodes.fail(node, fmt::format("address_bits = {}", bits), "give 7 or 10");
    return static_cast<unsigned>(bits);
}

void require_i2c_address(const ScenarioNodes& nodes, const toml::node& node, std::uint16_t address,
                         bool ten_bits) {
    if (ten_bits || (address >= kFirstAddress && address <= kLastAddress)) return;
    nodes.fail(node, fmt::format("address 0x{:02x} is not one of a device", address),
               "give 7 bits, from 0x08 to 0x77: half of the 8-bit form; or 10 bits with "
               "address_bits = 10");
}

void read_i2c_device(const ScenarioNodes& nodes, const toml::table& table, BoardSetup& board) {
    BoardSetup::I2cDevice device = I2cReader(nodes, table).read();
    for (const BoardSetup::I2cDevice& other : board.i2c) {
        if (other.bus != device.bus || other.layout.address != device.layout.address ||
            other.layout.ten_bits != device.layout.ten_bits)
            continue;
        nodes.fail(table,
                   fmt::format("{} has a device at 0x{:02x} already ({})", device.bus,
                               device.layout.address, other.origin),
                   "give another address, or another bus");
    }
    board.i2c.push_back(std::move(device));
}

void read_spi_device(const ScenarioNodes& nodes, const toml::table& table, BoardSetup& board) {
    BoardSetup::SpiDevice device = SpiReader(nodes, table).read();
    for (const BoardSetup::SpiDevice& other : board.spi) {
        const bool same = other.bus == device.bus && other.select_port == device.select_port &&
                          other.select_pin == device.select_pin;
        if (!same) continue;
        nodes.fail(
            table,
            fmt::format("{} has a device with that select already ({})", device.bus, other.origin),
            "give each a pin of its own: select = \"PE4\"");
    }
    board.spi.push_back(std::move(device));
}

void read_pin(const ScenarioNodes& nodes, const toml::table& table, BoardSetup& board) {
    BoardSetup::Pin pin;
    pin.origin = nodes.origin(table);
    for (const auto& [key, node] : table) {
        if (key.str() == "name") {
            const PinName named = read_pin_name(nodes, node);
            pin.port = named.port;
            pin.number = named.number;
        } else if (key.str() == "level") {
            pin.levels = {{0, nodes.number(node, "level", 1) != 0}};
        } else if (key.str() == "levels") {
            read_levels(nodes, node, pin);
        } else if (key.str() == "watch") {
            if (!node.is_boolean())
                nodes.fail(node, "watch is no truth value", "give true or false");
            pin.watch = node.as_boolean()->get();
        } else if (key.str() == "wire") {
            const PinName named = read_pin_name(nodes, node);
            pin.wired_port = named.port;
            pin.wired_number = named.number;
        } else {
            nodes.unknown_key(node, key.str(), "[[pin]]",
                              {"name", "level", "levels", "watch", "wire"});
        }
    }
    if (pin.port.empty()) nodes.fail(table, "[[pin]] without name", "name it: name = \"PC13\"");
    if (pin.wired_port == pin.port && pin.wired_number == pin.number)
        nodes.fail(table, "the pin is wired to itself", "name the other end: wire = \"PA6\"");
    if (table.contains("level") && table.contains("levels"))
        nodes.fail(table, "[[pin]] has level and levels", "give one of the two");
    for (const BoardSetup::Pin& other : board.pins) {
        if (other.port == pin.port && other.number == pin.number)
            nodes.fail(table, "the pin has a table already (" + other.origin + ")",
                       "give one table for each pin");
    }
    board.pins.push_back(std::move(pin));
}

}  // namespace n6vp::sim
