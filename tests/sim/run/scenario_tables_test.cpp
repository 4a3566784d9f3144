// SPDX-License-Identifier: Apache-2.0
// What tables of a scenario become: every key at its first and last value, and one beyond.
#include <doctest/doctest.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/host/errors.h"
#include "sim/run/scenario_board.h"
#include "sim/run/scenario_input.h"
#include "tests/support/refusal.h"

using namespace n6vp;
using namespace n6vp::sim;

namespace {

using Values = BoardSetup::Values;
using Levels = std::vector<std::pair<models::Picoseconds, bool>>;

const ScenarioNodes kNodes{"folder/s.toml"};

/// Adds every table of a document to the board, as a scenario does.
BoardSetup board_of(const std::string& text) {
    const toml::table document = toml::parse(text);
    BoardSetup board;
    if (const toml::node* const list = document.get("i2c"))
        for (const toml::table* one : kNodes.tables(*list, "i2c"))
            read_i2c_device(kNodes, *one, board);
    if (const toml::node* const list = document.get("spi"))
        for (const toml::table* one : kNodes.tables(*list, "spi"))
            read_spi_device(kNodes, *one, board);
    if (const toml::node* const list = document.get("pin"))
        for (const toml::table* one : kNodes.tables(*list, "pin")) read_pin(kNodes, *one, board);
    if (const toml::node* const list = document.get("input"))
        for (const toml::table* one : kNodes.tables(*list, "input"))
            board.inputs.push_back(read_input(kNodes, *one));
    return board;
}

BoardSetup::I2cDevice i2c(const std::string& keys) {
    return board_of("[[i2c]]\n" + keys).i2c.at(0);
}
BoardSetup::SpiDevice spi(const std::string& keys) {
    return board_of("[[spi]]\n" + keys).spi.at(0);
}
BoardSetup::Pin pin(const std::string& keys) {
    return board_of("[[pin]]\n" + keys).pins.at(0);
}
BoardInput input(const std::string& keys) {
    return board_of("[[input]]\n" + keys).inputs.at(0);
}
std::string refused(const std::string& text) {
    return test::refusal([&] { static_cast<void>(board_of(text)); });
}

}  // namespace

TEST_CASE("[[i2c]]: every key, and what stands for those that are left out") {
    const BoardSetup::I2cDevice least = i2c("bus = 'I2C3'\naddress = 0x3C\n");
    CHECK(least.bus == "I2C3");
    CHECK(least.layout.address == 0x3C);
    CHECK(least.layout.register_bytes == 1);
    CHECK(least.layout.value_bytes == 1);
    CHECK(least.values.empty());
    CHECK_FALSE(least.sensor.has_value());
    CHECK(least.origin == "folder/s.toml:1");
    const BoardSetup::I2cDevice whole = i2c(
        "values = { 0xFFFF = 0xFFFFFFFF, 16 = [1, 2, 3] }\nvalue_bytes = 4\nregister_bytes = 2\n"
        "address = 0x77\nbus = 'I2C4'\n");
    CHECK(whole.bus == "I2C4");
    CHECK(whole.layout.address == 0x77);
    CHECK(whole.layout.register_bytes == 2);
    CHECK(whole.layout.value_bytes == 4);
    Values sorted = whole.values;
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted == Values{{16, 1}, {17, 2}, {18, 3}, {0xFFFF, 0xFFFFFFFF}});
    CHECK(i2c("bus = 'I2C1'\naddress = 8\n").layout.address == 8);
    for (const unsigned bytes : {1u, 2u}) {
        const std::string keys = "bus = 'I2C1'\naddress = 8\nregister_bytes = ";
        CHECK(i2c(keys + std::to_string(bytes) + "\n").layout.register_bytes == bytes);
    }
    for (const unsigned bytes : {1u, 2u, 4u}) {
        const std::string keys = "bus = 'I2C2'\naddress = 8\nvalue_bytes = ";
        CHECK(i2c(keys + std::to_string(bytes) + "\n").layout.value_bytes == bytes);
    }
}

TEST_CASE("[[i2c]]: parts of the board by name have their bus, address, widths and numbers") {
    // WM8904: register 0 holds 0x8904; CS42L51: register 1, chip 0x1B, revision 0 in five and three
    // bits; GT911: product id "911" as text from 0x8140 on.
    const BoardSetup::I2cDevice wm8904 = i2c("device = 'wm8904'\n");
    CHECK(wm8904.bus == "I2C2");
    CHECK(wm8904.layout.address == 0x1A);
    CHECK(wm8904.layout.register_bytes == 1);
    CHECK(wm8904.layout.value_bytes == 2);
    CHECK(wm8904.values == Values{{0, 0x8904}});
    const BoardSetup::I2cDevice cs42l51 = i2c("device = 'cs42l51'\n");
    CHECK(cs42l51.layout.address == 0x4A);
    CHECK(cs42l51.layout.register_bytes == 1);
    CHECK(cs42l51.layout.value_bytes == 1);
    CHECK(cs42l51.values == Values{{1, 0x1B << 3}});
    const BoardSetup::I2cDevice gt911 = i2c("device = 'gt911'\n");
    CHECK(gt911.layout.address == 0x5D);
    CHECK(gt911.layout.register_bytes == 2);
    CHECK(gt911.layout.value_bytes == 1);
    CHECK(gt911.values == Values{{0x8140, '9'}, {0x8141, '1'}, {0x8142, '1'}});
    // The keys beside it come after it, wherever they stand.
    const BoardSetup::I2cDevice moved =
        i2c("values = { 5 = 0xFFFF }\naddress = 0x1B\nbus = 'I2C4'\ndevice = 'wm8904'\n");
    CHECK(moved.bus == "I2C4");
    CHECK(moved.layout.address == 0x1B);
    CHECK(moved.values == Values{{0, 0x8904}, {5, 0xFFFF}});
    const BoardSetup::I2cDevice sensor = i2c("device = 'imx335'\nbus = 'I2C2'\n");
    CHECK(sensor.sensor.has_value());
    CHECK(sensor.bus == "I2C2");
    CHECK(i2c("device = 'imx335'\n").bus == "I2C1");
    CHECK(i2c("device = 'imx335'\n").layout.address == 0x1A);
}

TEST_CASE("[[i2c]]: one beyond each limit, with place and remedy") {
    const std::string head = "[[i2c]]\nbus = 'I2C1'\naddress = 8\n";
    const std::string narrow = "registers are 0 to 0xff, by register_bytes",
                      wide = "registers are 0 to 0xffff, by register_bytes",
                      address =
                          "give 7 bits, from 0x08 to 0x77: half of the 8-bit form; or 10 "
                          "bits with address_bits = 10",
                      bus = "give I2C1, I2C2, I2C3 or I2C4", three = "give 1, 2 or 4";
    const std::pair<std::string, std::string> rows[] = {
        {"[[i2c]]\naddress = 8\n", "1: [[i2c]] without bus | name it: bus = \"I2C1\""},
        {"[[i2c]]\nbus = 'I2C1'\n", "1: [[i2c]] without address | give its 7-bit address"},
        {"[[i2c]]\nbus = 'SPI1'\n", "2: no bus 'SPI1' | " + bus},
        {"[[i2c]]\nbus = 'i2c1'\n", "2: no bus 'i2c1' | " + bus},
        {"[[i2c]]\nbus = 'I2C1'\naddress = 7\n",
         "3: address 0x07 is not one of a device | " + address},
        {"[[i2c]]\nbus = 'I2C1'\naddress = 0x78\n",
         "3: address 0x78 is not one of a device | " + address},
        {"[[i2c]]\naddress = 0x400\naddress_bits = 10\n",
         "2: address is not a valid number | give a whole number from 0 to 1023"},
        {head + "address_bits = 8\n", "4: address_bits = 8 | give 7 or 10"},
        {head + "register_bytes = 0\n", "4: register_bytes = 0 | give 1 or 2"},
        {head + "register_bytes = 3\n", "4: register_bytes = 3 | give 1 or 2"},
        {head + "register_bytes = 5\n",
         "4: register_bytes is not a valid number | give a whole number from 0 to 4"},
        {head + "value_bytes = 0\n", "4: value_bytes = 0 | " + three},
        {head + "value_bytes = 3\n", "4: value_bytes = 3 | " + three},
        {head + "values = { 0x100 = 1 }\n", "4: no register '0x100' | " + narrow},
        {head + "values = { FF = 1 }\n", "4: no register 'FF' | " + narrow},
        {head + "values = { 0xFF = [1, 2] }\n",
         "4: a list goes on behind the last register | " + narrow},
        {head + "values = { 0xFF = 256 }\n",
         "4: value is not a valid number | give a whole number from 0 to 255"},
        {head + "value_bytes = 2\nvalues = { 0xFF = 0x10000 }\n",
         "5: value is not a valid number | give a whole number from 0 to 65535"},
        {head + "value_bytes = 4\nvalues = { 0xFF = 0x100000000 }\n",
         "5: value is not a valid number | give a whole number from 0 to 4294967295"},
        {head + "register_bytes = 2\nvalues = { 0x10000 = 1 }\n",
         "5: no register '0x10000' | " + wide},
        {head + "register_bytes = 2\nvalues = { 0xFFFF = [1, 2] }\n",
         "5: a list goes on behind the last register | " + wide},
        {head + "values = 7\n",
         "4: values is not a table of registers | write values = { 0x0F = 0x6C, 0x10 = [1, 2] }: "
         "register = value, or a list from there on"},
        {"[[i2c]]\ndevice = 'lm75'\n",
         "2: unknown device 'lm75' | known: echo, imx335, vd66gy, vd55g1, vd65g4, ov5640, wm8904, "
         "cs42l51, gt911; describe another with address, register_bytes, value_bytes and values"},
        {"[[i2c]]\ndevice = 'imx335'\nregister_bytes = 2\n",
         "1: an image sensor has its own register_bytes | leave it out"},
        {"[[i2c]]\nzzz = 1\n",
         "2: unknown key 'zzz' in [[i2c]] | possible: device, bus, address, address_bits, "
         "register_bytes, value_bytes, values, answer"},
        {"[[i2c]]\ndevice = 'echo'\naddress = 8\n",
         "1: [[i2c]] without bus | name it: bus = \"I2C1\""},
        {head + "device = 'echo'\nvalues = { 0 = 1 }\n", "1: an echo has no values | leave it out"},
        {head + "device = 'echo'\nvalue_bytes = 2\n",
         "1: an echo has no value_bytes | leave it out"},
        {head + "device = 'echo'\nanswer = ''\n", "5: answer is empty | leave it out"},
        {head + "answer = 'x'\n",
         "1: [[i2c]] has an answer and is no echo | add device = \"echo\""},
        {head + "\n" + head,
         "5: I2C1 has a device at 0x08 already (folder/s.toml:1) | give another address, or "
         "another bus"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.first);
        CHECK(refused(row.first) == "folder/s.toml:" + row.second);
    }
    for (const char* const taken : {"values = { 0xFF = 255 }\n", "values = { 0xFE = [0, 255] }\n",
                                    "value_bytes = 2\nvalues = { 0 = 65535 }\n",
                                    "value_bytes = 4\nvalues = { 0 = 4294967295 }\n",
                                    "register_bytes = 2\nvalues = { 0xFFFE = [1, 2] }\n"}) {
        CHECK(refused(head + taken) == "taken");
    }
    CHECK(refused(head + "[[i2c]]\nbus = 'I2C1'\naddress = 9\n") == "taken");
    CHECK(refused(head + "[[i2c]]\nbus = 'I2C2'\naddress = 8\n") == "taken");
}

TEST_CASE("[[spi]]: every key, and what stands for those that are left out") {
    const BoardSetup::SpiDevice least = spi("bus = 'SPI1'\n");
    CHECK(least.bus == "SPI1");
    CHECK_FALSE(least.loopback);
    CHECK(least.layout.register_bytes == 1);
    CHECK(least.layout.value_bytes == 1);
    CHECK(least.layout.reads_with_one);
    CHECK(least.select_port.empty());
    CHECK(least.values.empty());
    CHECK(least.origin == "folder/s.toml:1");
    const BoardSetup::SpiDevice whole =
        spi("values = { 0x7FFF = 65535, 2 = [3, 4] }\nread_bit = 0\nvalue_bytes = 2\n"
            "register_bytes = 2\nselect = 'PQ7'\ndevice = 'registers'\nbus = 'SPI6'\n");
    CHECK(whole.bus == "SPI6");
    CHECK_FALSE(whole.loopback);
    CHECK(whole.layout.register_bytes == 2);
    CHECK(whole.layout.value_bytes == 2);
    CHECK_FALSE(whole.layout.reads_with_one);
    CHECK(whole.select_port == "GPIOQ");
    CHECK(whole.select_pin == 7);
    Values sorted = whole.values;
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted == Values{{2, 3}, {3, 4}, {0x7FFF, 65535}});
    CHECK(spi("bus = 'SPI2'\nread_bit = 1\n").layout.reads_with_one);
    CHECK(spi("bus = 'SPI2'\nvalue_bytes = 4\n").layout.value_bytes == 4);
    CHECK(spi("bus = 'SPI2'\nregister_bytes = 1\n").layout.register_bytes == 1);
    CHECK(spi("device = 'loopback'\nbus = 'SPI5'\nselect = 'PE4'\n").loopback);
}

TEST_CASE("[[spi]]: one beyond each limit, with place and remedy") {
    const std::string head = "[[spi]]\nbus = 'SPI5'\n";
    const std::string narrow = "registers are 0 to 0x7f, by register_bytes",
                      wide = "registers are 0 to 0x7fff, by register_bytes";
    const std::pair<std::string, std::string> rows[] = {
        {"[[spi]]\nread_bit = 1\n", "1: [[spi]] without bus | name it: bus = \"SPI5\""},
        {"[[spi]]\nbus = 'I2C1'\n", "2: no bus 'I2C1' | give SPI1 to SPI6"},
        {"[[spi]]\nbus = 'SPI7'\n", "2: no bus 'SPI7' | give SPI1 to SPI6"},
        {head + "device = 'i2c'\n", "3: unknown device 'i2c' | give \"registers\" or \"loopback\""},
        {head + "register_bytes = 0\n", "3: register_bytes = 0 | give 1 or 2"},
        {head + "register_bytes = 3\n", "3: register_bytes = 3 | give 1 or 2"},
        {head + "register_bytes = 4\n", "3: register_bytes = 4 | give 1 or 2"},
        {head + "value_bytes = 0\n", "3: value_bytes = 0 | give 1, 2 or 4"},
        {head + "value_bytes = 3\n", "3: value_bytes = 3 | give 1, 2 or 4"},
        {head + "read_bit = 2\n",
         "3: read_bit is not a valid number | give a whole number from 0 to 1"},
        {head + "values = { 0x80 = 1 }\n", "3: no register '0x80' | " + narrow},
        {head + "values = { 0x7F = [1, 1] }\n",
         "3: a list goes on behind the last register | " + narrow},
        {head + "register_bytes = 2\nvalues = { 0x8000 = 1 }\n",
         "4: no register '0x8000' | " + wide},
        {head + "values = { 1 = 256 }\n",
         "3: value is not a valid number | give a whole number from 0 to 255"},
        {head + "device = 'loopback'\nregister_bytes = 1\n",
         "1: a loopback has no register_bytes | leave it out"},
        {head + "device = 'loopback'\nvalue_bytes = 1\n",
         "1: a loopback has no value_bytes | leave it out"},
        {head + "device = 'loopback'\nvalues = { 1 = 1 }\n",
         "1: a loopback has no values | leave it out"},
        {head + "chip_enable_pin = 1\n",
         "3: unknown key 'chip_enable_pin' in [[spi]] | possible: device, bus, select, "
         "register_bytes, value_bytes, read_bit, values"},
        {head + "select = 'PE4'\n" + head + "select = 'PE4'\n",
         "4: SPI5 has a device with that select already (folder/s.toml:1) | give each a pin of its "
         "own: select = \"PE4\""},
    };
    for (const auto& row : rows) {
        CAPTURE(row.first);
        CHECK(refused(row.first) == "folder/s.toml:" + row.second);
    }
    CHECK(refused(head + "values = { 0x7F = 255 }\n") == "taken");
    CHECK(refused(head + "register_bytes = 2\nvalues = { 0x7FFF = 255 }\n") == "taken");
    for (const char* const other :
         {"select = 'PE5'\n", "select = 'PD4'\n", "", "bus = 'SPI4'\nselect = 'PE4'\n"}) {
        const std::string bus =
            std::string_view(other).find("bus") == std::string_view::npos ? "bus = 'SPI5'\n" : "";
        std::string tables = head;
        tables += "select = 'PE4'\n[[spi]]\n";
        tables += bus;
        tables += other;
        CHECK(refused(tables) == "taken");
    }
}

TEST_CASE("[[pin]]: names, levels, wires and what they are without") {
    const BoardSetup::Pin least = pin("name = 'PA0'\n");
    CHECK(least.port == "GPIOA");
    CHECK(least.number == 0);
    CHECK(least.levels.empty());
    CHECK_FALSE(least.watch);
    CHECK(least.wired_port.empty());
    CHECK(least.origin == "folder/s.toml:1");
    const BoardSetup::Pin whole =
        pin("name = 'PO15'\nwatch = true\nwire = 'PN3'\n"
            "levels = [['0s', 1], ['1ps', 0], ['2ms', 1]]\n");
    CHECK(whole.port == "GPIOO");
    CHECK(whole.number == 15);
    CHECK(whole.watch);
    CHECK(whole.wired_port == "GPION");
    CHECK(whole.wired_number == 3);
    CHECK(whole.levels == Levels{{0, true}, {1, false}, {2'000'000'000, true}});
    CHECK_FALSE(pin("name = 'PA0'\nwatch = false\n").watch);
    CHECK(pin("name = 'PA0'\nlevel = 1\n").levels == Levels{{0, true}});
    CHECK(pin("name = 'PA0'\nlevel = 0\n").levels == Levels{{0, false}});
    for (const char letter : std::string("ABCDEFGHNOPQ")) {
        const std::string name{'P', letter, '1', '5'};
        CHECK(pin("name = '" + name + "'\n").port == std::string("GPIO") + letter);
    }
    for (const char letter : std::string("IJKLMRSZ0a")) {
        const std::string name{'P', letter, '1'};
        CHECK(refused("[[pin]]\nname = '" + name + "'\n") ==
              "folder/s.toml:2: no pin '" + name +
                  "' | give port and number, such as \"PC13\": ports A to H and N to Q, 0 to 15");
    }
    for (const char* const name : {"P", "PC", "C13", "XC13", "PC16", "PC-1", "PC1x", "pc13", ""}) {
        CAPTURE(name);
        CHECK(refused("[[pin]]\nname = '" + std::string(name) + "'\n") ==
              "folder/s.toml:2: no pin '" + std::string(name) +
                  "' | give port and number, such as \"PC13\": ports A to H and N to Q, 0 to 15");
    }
}

TEST_CASE("[[pin]]: what contradicts itself, with place and remedy") {
    const std::string head = "[[pin]]\nname = 'PC1'\n",
                      form = "write levels = [[\"0s\", 1], [\"10ms\", 0]]";
    const std::pair<std::string, std::string> rows[] = {
        {"[[pin]]\nlevel = 1\n", "1: [[pin]] without name | name it: name = \"PC13\""},
        {head + "levels = 1\n", "3: levels is not a list | " + form},
        {head + "levels = [1]\n", "3: no time with a level | " + form},
        {head + "levels = [['1ms']]\n", "3: no time with a level | " + form},
        {head + "levels = [['1ms', 1, 1]]\n", "3: no time with a level | " + form},
        {head + "levels = [['1', 1]]\n",
         "3: no time | give a number with a unit, such as 10ms, 1us or 0s"},
        {head + "levels = [['1ms', 2]]\n",
         "3: level is not a valid number | give a whole number from 0 to 1"},
        {head + "levels = [['1ms', 1],\n['1ms', 0]]\n",
         "4: times do not ascend | give the levels in the order of time"},
        {head + "watch = 1\n", "3: watch is no truth value | give true or false"},
        {head + "wire = 'PC1'\n",
         "1: the pin is wired to itself | name the other end: wire = \"PA6\""},
        {head + "level = 1\nlevels = [['1ms', 1]]\n",
         "1: [[pin]] has level and levels | give one of the two"},
        {head + head,
         "3: the pin has a table already (folder/s.toml:1) | give one table for each pin"},
        {head + "levels_of_it = 1\n",
         "3: unknown key 'levels_of_it' in [[pin]] | possible: name, level, levels, watch, wire"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.first);
        CHECK(refused(row.first) == "folder/s.toml:" + row.second);
    }
    CHECK(refused(head + "wire = 'PC2'\n") == "taken");
    CHECK(refused(head + "wire = 'PD1'\n") == "taken");
    CHECK(refused(head + "[[pin]]\nname = 'PC2'\n[[pin]]\nname = 'PD1'\n") == "taken");
}

TEST_CASE("[[input]]: once, a number of times, or without end") {
    const BoardInput once = input("at = '10ms'\ntext = 'go'\n");
    CHECK(once.at == 10'000'000'000);
    CHECK(once.every == 0);
    CHECK(once.count == 1);
    CHECK(once.uart.empty());
    CHECK(once.bytes == std::vector<std::uint8_t>{'g', 'o'});
    CHECK(once.port.empty());
    CHECK(once.origin == "folder/s.toml:1");
    const BoardInput often = input("at = 0\nhex = '0dFF 0a'\nevery = '1ps'\ncount = 1000000000\n");
    CHECK(often.at == 0);
    CHECK(often.every == 1);
    CHECK(often.count == 1'000'000'000);
    CHECK(often.bytes == std::vector<std::uint8_t>{0x0D, 0xFF, 0x0A});
    CHECK(input("at = '1us'\ntext = 'x'\nevery = '2us'\ncount = 1\n").count == 1);
    CHECK(input("at = '1us'\ntext = 'x'\nevery = '2us'\n").count == 0);
    CHECK(input("at = '1us'\ntext = 'x'\nuart = 'usart2'\n").uart == "usart2");
    CHECK(input("at = '1us'\nhex = '  00 '\n").bytes == std::vector<std::uint8_t>{0});
    const BoardInput high = input("at = '1us'\npin = 'PC13'\nlevel = 1\nevery = '1ms'\n");
    CHECK(high.port == "GPIOC");
    CHECK(high.pin == 13);
    CHECK(high.level);
    CHECK(high.bytes.empty());
    CHECK_FALSE(input("at = '1us'\npin = 'PC13'\nlevel = 0\n").level);
    const BoardInput transfer = input(
        "at = '1us'\ni2c = 'I2C2'\naddress = 0x2F3\naddress_bits = 10\nhex = '05'\nread = 3\n");
    CHECK(transfer.i2c == "I2C2");
    CHECK(transfer.address == 0x2F3);
    CHECK(transfer.ten_bits);
    CHECK(transfer.bytes == std::vector<std::uint8_t>{5});
    CHECK(transfer.reads == 3);
    const BoardInput probe = input("at = '1us'\ni2c = 'I2C1'\naddress = 0x77\n");
    CHECK(probe.bytes.empty());
    CHECK(probe.reads == 0);
    CHECK_FALSE(probe.ten_bits);
    const std::string most(65536, 'x');
    CHECK(input("at = '1us'\ntext = '" + most + "'\n").bytes.size() == 65536);
}

TEST_CASE("[[input]]: one beyond each limit, with place and remedy") {
    const std::string unit = "no time | give a number with a unit, such as 10ms, 1us or 0s",
                      both = "give pin = \"PC13\" and level = 1",
                      own = "give each a table of its own",
                      target = "give i2c = \"I2C1\" and address = 0x3C",
                      digits = "give bytes of two hexadecimal digits, such as \"0d 0a\"",
                      many = "no characters, or too many | give 1 to 65536 bytes";
    const std::pair<std::string, std::string> rows[] = {
        {"text = 'x'\n", "1: [[input]] without at | give its time: at = \"10ms\""},
        {"at = '1'\ntext = 'x'\n", "2: " + unit},
        {"at = '1ms'\nevery = '1'\ntext = 'x'\n", "3: " + unit},
        {"at = '1ms'\nevery = '0s'\ntext = 'x'\n", "3: every = 0 | give the time between"},
        {"at = '1ms'\nevery = '1s'\ncount = 0\ntext = 'x'\n", "4: count = 0 | leave the table out"},
        {"at = '1ms'\nevery = '1s'\ncount = 1000000001\ntext = 'x'\n",
         "4: count is not a valid number | give a whole number from 0 to 1000000000"},
        {"at = '1ms'\ncount = 1\ntext = 'x'\n",
         "1: [[input]] has count without every | give the time between: every = \"100ms\""},
        {"at = '1ms'\n",
         "1: [[input]] needs characters, a pin or a bus | give text = \"...\", hex = \"0d 0a\", "
         "pin "
         "= \"PC13\" and level = 1, or i2c = \"I2C1\" and address"},
        {"at = '1ms'\ni2c = 'I2C1'\n", "1: [[input]] needs i2c and address together | " + target},
        {"at = '1ms'\ntext = 'x'\naddress = 0x10\n",
         "1: [[input]] needs i2c and address together | " + target},
        {"at = '1ms'\ntext = 'x'\nread = 1\n",
         "1: [[input]] has keys of a transfer without its bus | add i2c = \"I2C1\" and address = "
         "0x3C"},
        {"at = '1ms'\ni2c = 'I2C1'\naddress = 0x10\nuart = 'usart1'\n",
         "1: [[input]] has a bus and a pin or serial port | " + own},
        {"at = '1ms'\ni2c = 'I2C9'\naddress = 0x10\n",
         "3: no bus 'I2C9' | give I2C1, I2C2, I2C3 or I2C4"},
        {"at = '1ms'\ni2c = 'I2C1'\naddress = 0x78\n",
         "4: address 0x78 is not one of a device | give 7 bits, from 0x08 to 0x77: half of the "
         "8-bit "
         "form; or 10 bits with address_bits = 10"},
        {"at = '1ms'\ni2c = 'I2C1'\naddress = 0x10\naddress_bits = 8\n",
         "5: address_bits = 8 | give 7 or 10"},
        {"at = '1ms'\ni2c = 'I2C1'\naddress = 0x10\nread = 65537\n",
         "5: read is not a valid number | give a whole number from 0 to 65536"},
        {"at = '1ms'\nhex = '00'\npin = 'PC1'\nlevel = 1\n",
         "1: [[input]] has characters and a pin | " + own},
        {"at = '1ms'\nhex = '00'\ntext = 'x'\n",
         "1: [[input]] has text and hex | give one of the two"},
        {"at = '1ms'\npin = 'PC1'\n", "1: [[input]] needs pin and level together | " + both},
        {"at = '1ms'\ntext = 'x'\nlevel = 1\n",
         "1: [[input]] needs pin and level together | " + both},
        {"at = '1ms'\npin = 'PC1'\nlevel = 1\nuart = 'usart1'\n",
         "1: [[input]] has a pin and a serial port | " + own},
        {"at = '1ms'\npin = 'PC1'\nlevel = 2\n",
         "4: level is not a valid number | give a whole number from 0 to 1"},
        {"at = '1ms'\nhex = '0 0'\n", "3: hex = '0 0' | " + digits},
        {"at = '1ms'\nhex = '000'\n", "3: hex = '000' | " + digits},
        {"at = '1ms'\nhex = '0x00'\n", "3: hex = '0x00' | " + digits},
        {"at = '1ms'\nhex = ' '\n", "3: " + many},
        {"at = '1ms'\ntext = ''\n", "3: " + many},
        {"at = '1ms'\ntext = '" + std::string(65537, 'x') + "'\n", "3: " + many},
        {"at = '1ms'\nrepetitions = 1\n",
         "3: unknown key 'repetitions' in [[input]] | possible: at, uart, text, hex, pin, level, "
         "i2c, address, address_bits, read, every, count"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.first.substr(0, 80));
        CHECK(refused("[[input]]\n" + row.first) == "folder/s.toml:" + row.second);
    }
}

TEST_CASE("scenario files: values as the command line has them, and places beside the file") {
    const toml::table values = toml::parse(
        "a = 'x y'\nb = -7\nc = 1.5\nd = true\ne = false\nf = 0x10\ng = 3.0\nh = [1]\ni = 255\n");
    const auto node = [&](const char* key) -> const toml::node& { return *values.get(key); };
    CHECK(kNodes.text(node("a")) == "x y");
    CHECK(kNodes.text(node("b")) == "-7");
    CHECK(kNodes.text(node("c")) == "1.5");
    CHECK(kNodes.text(node("d")) == "true");
    CHECK(kNodes.text(node("e")) == "false");
    CHECK(kNodes.text(node("f")) == "16");
    CHECK(test::refusal([&] { static_cast<void>(kNodes.text(node("h"))); }) ==
          "folder/s.toml:8: expected a text, a number, true or false | see `n6vp run --help`");
    CHECK(kNodes.number(node("i"), "i", 255) == 255);
    CHECK(test::refusal([&] { static_cast<void>(kNodes.number(node("i"), "i", 254)); }) ==
          "folder/s.toml:9: i is not a valid number | give a whole number from 0 to 254");
    CHECK(test::refusal([&] { static_cast<void>(kNodes.number(node("b"), "b", 9)); }) ==
          "folder/s.toml:2: b is not a valid number | give a whole number from 0 to 9");
    CHECK(test::refusal([&] { static_cast<void>(kNodes.number(node("g"), "g", 9)); }) ==
          "folder/s.toml:7: g is not a valid number | give a whole number from 0 to 9");
    CHECK(test::refusal([&] { static_cast<void>(kNodes.table(node("a"), "run")); }) ==
          "folder/s.toml:1: run is not a table | write [run]");
    CHECK(test::refusal([&] { static_cast<void>(kNodes.tables(node("a"), "pin")); }) ==
          "folder/s.toml:1: pin is not a list of tables | write [[pin]]");
    CHECK(test::refusal([&] { static_cast<void>(kNodes.tables(node("h"), "pin")); }) ==
          "folder/s.toml:8: pin is not a table | write [pin]");
    const toml::table names = toml::parse("a = 'a.bin'\nb = '/a.bin'\nc = ''");
    CHECK(kNodes.path(*names.get("a")) == "folder/a.bin");
    CHECK(kNodes.path(*names.get("b")) == "/a.bin");
    CHECK(kNodes.path(*names.get("c")).empty());
    CHECK(ScenarioNodes("s.toml").path(*names.get("a")) == "a.bin");
}
