// SPDX-License-Identifier: Apache-2.0
// GPIO ports and EXTI of the STM32N6; those of older chips are in mcu/.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/soc/exti.h"
#include "models/soc/gpio.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kWord = 0xFFFFFFFF;

template <class Block>
void set(Block& block, std::uint32_t offset, std::uint32_t value) {
    static_cast<void>(block.write(offset, value, kWord, 0));
}
template <class Block>
std::uint32_t get(Block& block, std::uint32_t offset) {
    return block.read(offset, 0).value;
}

}  // namespace

TEST_CASE("gpio: reset values of the STM32N6, pins of the debug port") {
    Gpio a("GPIOA"), b("GPIOB"), q("GPIOQ");
    CHECK(get(a, 0x00) == 0xABFFFFFF);
    CHECK(get(a, 0x08) == 0x0C000000);
    CHECK(get(a, 0x0C) == 0x64000000);
    CHECK(get(b, 0x00) == 0xFFFFFAFF);
    CHECK(get(b, 0x0C) == 0x100);
    CHECK(get(q, 0x00) == 0xFFFFFFFF);
    for (Gpio* port : {&a, &b, &q}) {
        CHECK(get(*port, 0x30) == 0xFFFF);
        CHECK(get(*port, 0x34) == 0xFFFF);
    }
    CHECK(q.read(0x48, 0).name == std::string("PIOCFGRL"));
    CHECK_FALSE(q.read(0x50, 0).modelled);
}

TEST_CASE("gpio: who listens hears of changed levels, of inputs and outputs alike") {
    Gpio port("GPIOC");
    std::vector<std::pair<std::uint16_t, Picoseconds>> seen;
    port.on_levels = [&](std::uint16_t levels, Picoseconds at) { seen.emplace_back(levels, at); };
    port.drive(13, true, 5);  // still analog
    CHECK(seen.empty());
    set(port, 0x00, ~(3u << 26));  // input
    CHECK(seen.back().first == 1u << 13);
    port.drive(13, false, 7);
    CHECK(seen.back() == std::pair<std::uint16_t, Picoseconds>(0, 7));
    port.drive(13, false, 8);
    CHECK(seen.size() == 2);
    set(port, 0x0C, 1u << 26);  // a pull-up does not win over the board
    CHECK(get(port, 0x10) == 0);
    set(port, 0x00, ~(3u << 26) & ~(2u << 4));  // pin 2 is an output
    CHECK(port.output_pins() == 4);
    set(port, 0x18, 4);
    CHECK(seen.back().first == 4);
    CHECK(port.levels() == 4);
}

TEST_CASE("gpio: a reset lets go of a pin, and who watches it hears so") {
    Gpio port("GPIOC");
    std::vector<std::pair<std::uint16_t, Picoseconds>> outputs, levels;
    port.on_output = [&](std::uint16_t high, Picoseconds at) { outputs.emplace_back(high, at); };
    port.on_levels = [&](std::uint16_t high, Picoseconds at) { levels.emplace_back(high, at); };
    set(port, 0x00, ~(2u << 4));  // pin 2 is an output
    set(port, 0x18, 4);
    CHECK(outputs.back() == std::pair<std::uint16_t, Picoseconds>(4, 0));
    port.reset_at(9);
    CHECK(outputs.back() == std::pair<std::uint16_t, Picoseconds>(0, 9));
    CHECK(levels.back() == std::pair<std::uint16_t, Picoseconds>(0, 9));
    CHECK(port.output_pins() == 0);
    port.reset_at(10);
    CHECK(outputs.size() == 2);
}

TEST_CASE("gpio: the level of an input that nothing drives or pulls is not modelled") {
    Gpio port("GPIOC");
    CHECK(port.read(0x10, 0).modelled);  // all are analog
    set(port, 0x00, ~(3u << 26));
    CHECK_FALSE(port.read(0x10, 0).modelled);
    set(port, 0x0C, 1u << 26);
    CHECK(port.read(0x10, 0).modelled);
    CHECK(get(port, 0x10) == 1u << 13);
    set(port, 0x0C, 0);
    port.drive(13, true, 0);
    CHECK(port.read(0x10, 0).modelled);
}

TEST_CASE("exti: edges of the STM32N6 pend apart, a one clears, the mask decides") {
    using Seen = std::vector<std::pair<unsigned, bool>>;
    Exti exti("EXTI");
    Seen seen;
    exti.on_interrupt = [&](unsigned line, bool level) { seen.emplace_back(line, level); };
    set(exti, 0x00, 1u << 13);  // RTSR1
    set(exti, 0x04, 1u << 13);  // FTSR1
    exti.set_line(13, true);
    CHECK(get(exti, 0x0C) == 1u << 13);
    CHECK(get(exti, 0x10) == 0);
    CHECK(seen.empty());
    set(exti, 0x80, 1u << 13);  // IMR1
    CHECK(seen == Seen{{13, true}});
    exti.set_line(13, false);
    CHECK(get(exti, 0x10) == 1u << 13);
    set(exti, 0x0C, 1u << 13);
    CHECK(seen.size() == 1);  // the falling edge still pends
    set(exti, 0x10, 1u << 13);
    CHECK(seen == Seen{{13, true}, {13, false}});
    set(exti, 0x08, 1u << 13);  // SWIER1: a rising edge
    CHECK(get(exti, 0x0C) == 1u << 13);
    CHECK(seen.back() == std::pair(13u, true));
    exti.reset();
    CHECK(seen.back() == std::pair(13u, false));
    // Lines 64 to 77 are in the third bank.
    set(exti, 0x40, 1u << 4);
    set(exti, 0xA0, 1u << 4);
    exti.set_line(68, true);
    CHECK(get(exti, 0x4C) == 1u << 4);
    CHECK(seen.back() == std::pair(68u, true));
}

TEST_CASE("exti: EXTICR selects the port of a line, eight bits each") {
    Exti exti("EXTI");
    CHECK_FALSE(exti.write(0x60, 0, kWord, 0).modelled);
    unsigned selections = 0;
    exti.on_selection = [&] { ++selections; };
    CHECK(exti.write(0x6C, 2u << 8, kWord, 0).modelled);  // line 13: port C
    CHECK(exti.selected_port(13) == 2);
    CHECK(exti.selected_port(12) == 0);
    CHECK(selections == 1);
    // Ports A to H are 0 to 7, N to Q are 8 to 11.
    for (const std::uint32_t port : {0u, 1u, 2u, 3u, 7u, 8u, 11u}) {
        (void)exti.write(0x60, port << 24 | 0xFF << 16, kWord, 0);  // lines 3 and 2
        CHECK(exti.selected_port(3) == port);
    }
    CHECK(exti.read(0x6C, 0).name == std::string("EXTICR"));
}
