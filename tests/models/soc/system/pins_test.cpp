// SPDX-License-Identifier: Apache-2.0
// GPIO ports and EXTI of the STM32N6; those of older chips are in mcu/.
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/soc/system/exti.h"
#include "models/soc/system/gpio.h"

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

TEST_CASE("gpio: pulls of the debug port are levels from the start, and no news") {
    Gpio a("GPIOA"), b("GPIOB"), c("GPIOC");
    unsigned told = 0;
    for (Gpio* const port : {&a, &b, &c})
        port->on_levels = [&told](std::uint16_t, Picoseconds) { ++told; };
    const std::uint32_t expected[] = {0xA000, 0x10, 0};  // JTMS and JTDI, NJTRST
    unsigned i = 0;
    for (Gpio* const port : {&a, &b, &c}) {
        CHECK(port->levels() == expected[i]);
        CHECK(get(*port, 0x10) == expected[i++]);
        set(*port, 0x08, 0);  // OSPEEDR
        CHECK(told == 0);
        port->reset();
        set(*port, 0x08, 0);
        CHECK(told == 0);
        port->reset_at(5);
        CHECK(told == 0);
    }
    set(a, 0x0C, 0x24000000);  // PA15 without its pull-up
    CHECK(told == 1);
    CHECK(a.levels() == 0x2000);
    a.reset_at(7);
    CHECK(told == 2);
    CHECK(a.levels() == 0xA000);
}

namespace {

/// One pin as the reference manual draws it.
struct Pin {
    unsigned mode = 3, pull = 0, function = 0;
    bool output = false, from_board = false, board = false, from_function = false, driven = false;
    bool locked = false;

    bool drives() const { return mode == 1 || (mode == 2 && from_function); }
    bool output_level() const { return mode == 1 ? output : drives() && driven; }
    bool level() const {
        if (drives()) return output_level();
        if (mode == 3) return false;
        return from_board ? board : pull == 1;
    }
    bool floats() const { return mode != 3 && !drives() && !from_board && pull == 0; }
};

}  // namespace

TEST_CASE("gpio: random accesses, levels of the board and of functions, against sixteen pins") {
    Gpio port("GPIOC");
    Pin pins[16];
    std::uint16_t told_levels = 0, told_outputs = 0, told_pins = 0;
    port.on_levels = [&](std::uint16_t levels, Picoseconds) {
        CHECK(levels != told_levels);
        told_levels = levels;
    };
    port.on_output = [&](std::uint16_t outputs, Picoseconds) {
        CHECK(outputs != told_outputs);
        told_outputs = outputs;
    };
    port.on_output_pins = [&](std::uint16_t, Picoseconds) { told_pins = port.output_pins(); };
    unsigned functions = 0;
    port.on_functions = [&](Picoseconds) { ++functions; };
    std::uint32_t seed = 5;
    const auto below = [&seed](std::uint32_t end) {
        seed = seed * 1664525 + 1013904223;
        return (seed >> 8) % end;
    };
    const auto word_of = [&pins](auto&& bit) {
        std::uint32_t word = 0;
        for (unsigned i = 0; i < 16; ++i) word |= (bit(pins[i]) ? 1u : 0u) << i;
        return word;
    };
    const auto word = [&below] { return below(0x10000) << 16 | below(0x10000); };
    for (unsigned step = 0; step < 6000; ++step) {
        CAPTURE(step);
        const unsigned number = below(16);
        Pin& pin = pins[number];
        const unsigned functions_before = functions;
        bool may_change_functions = false;
        switch (below(9)) {
            case 0: {
                const std::uint32_t value = word();
                // Bytes of a register are written by themselves.
                const std::uint32_t mask = below(2) == 0 ? kWord : 0xFFu << (8 * below(4));
                static_cast<void>(port.write(0x00, value, mask, step));
                for (unsigned i = 0; i < 16; ++i) {
                    if ((mask >> (2 * i) & 3) != 0 && !pins[i].locked)
                        pins[i].mode = value >> (2 * i) & 3;
                }
                may_change_functions = true;
                break;
            }
            case 1: {
                const std::uint32_t value = word();
                set(port, 0x0C, value);
                for (unsigned i = 0; i < 16; ++i) {
                    if (!pins[i].locked) pins[i].pull = value >> (2 * i) & 3;
                }
                break;
            }
            case 2: {
                const std::uint32_t value = word();
                set(port, 0x14, value);
                for (unsigned i = 0; i < 16; ++i) pins[i].output = (value >> i & 1) != 0;
                break;
            }
            case 3: {
                const std::uint32_t value = word();
                set(port, 0x18, value);
                for (unsigned i = 0; i < 16; ++i) {
                    if ((value >> (i + 16) & 1) != 0) pins[i].output = false;
                    if ((value >> i & 1) != 0) pins[i].output = true;
                }
                break;
            }
            case 4: {
                const std::uint32_t value = word();
                set(port, 0x28, value);
                for (unsigned i = 0; i < 16; ++i) {
                    if ((value >> i & 1) != 0) pins[i].output = false;
                }
                break;
            }
            case 5: {
                const unsigned half = below(2);
                const std::uint32_t value = word();
                set(port, 0x20 + 4 * half, value);
                for (unsigned i = 0; i < 8; ++i) {
                    Pin& each = pins[8 * half + i];
                    if (!each.locked) each.function = value >> (4 * i) & 15;
                }
                may_change_functions = true;
                break;
            }
            case 6:
                pin.from_board = true;
                pin.board = below(2) != 0;
                port.drive(number, pin.board, step);
                break;
            case 7:
                pin.from_board = pin.board = false;
                port.release(number, step);
                break;
            default:
                pin.from_function = below(3) != 0;
                pin.driven = pin.from_function && below(2) != 0;
                if (pin.from_function) {
                    port.drive_function(number, pin.driven, step);
                } else {
                    port.drive_function(number, std::nullopt, step);
                }
                break;
        }
        if (step == 3000) {
            // Pins 2, 9 and 15 are locked from here on.
            constexpr std::uint32_t kPins = 1u << 2 | 1u << 9 | 1u << 15, kKey = 1u << 16;
            for (const std::uint32_t value : {kKey | kPins, kPins, kKey | kPins})
                set(port, 0x1C, value);
            CHECK(get(port, 0x1C) == (kKey | kPins));
            for (const unsigned i : {2u, 9u, 15u}) pins[i].locked = true;
        }
        CHECK(functions == functions_before + (may_change_functions ? 1 : 0));
        const std::uint32_t levels = word_of([](const Pin& each) { return each.level(); });
        const std::uint32_t outputs = word_of([](const Pin& each) { return each.output_level(); });
        const std::uint32_t drives = word_of([](const Pin& each) { return each.drives(); });
        REQUIRE(port.levels() == levels);
        REQUIRE(told_levels == levels);
        REQUIRE(told_outputs == outputs);
        REQUIRE(port.output_pins() == drives);
        REQUIRE(told_pins == drives);
        REQUIRE(get(port, 0x10) == levels);
        const bool floats = word_of([](const Pin& each) { return each.floats(); }) != 0;
        REQUIRE(port.read(0x10, step).modelled == !floats);
        REQUIRE(get(port, 0x14) == word_of([](const Pin& each) { return each.output; }));
        const unsigned looked = below(16);
        const Pin& other = pins[looked];
        REQUIRE(port.function(looked).value_or(16) == (other.mode == 2 ? other.function : 16));
        REQUIRE((get(port, 0x00) >> (2 * looked) & 3) == other.mode);
        REQUIRE((get(port, 0x0C) >> (2 * looked) & 3) == other.pull);
    }
}

TEST_CASE("gpio: only key, pins, key and a read lock, with the same pins all the way") {
    constexpr std::uint32_t kLckr = 0x1C, kKey = 1u << 16, kPins = 0x21;
    const auto lock = [](Gpio& port, const std::vector<std::uint32_t>& values) {
        for (const std::uint32_t value : values) set(port, kLckr, value);
        const bool told = (get(port, kLckr) & kKey) != 0;
        set(port, 0x00, 0);
        const bool locked = get(port, 0x00) != 0;
        CHECK(told == locked);
        return locked;
    };
    struct Row {
        std::vector<std::uint32_t> values;
        bool locks;
    };
    for (const Row& row : std::vector<Row>{
             {{kKey | kPins, kPins, kKey | kPins}, true},
             {{kKey | kPins, kPins}, false},
             {{kPins, kKey | kPins, kPins}, false},
             {{kKey | kPins, kPins, kPins}, false},
             {{kKey | kPins, kKey | kPins, kPins, kKey | kPins}, true},
             {{kKey | kPins, kPins | 2, kKey | kPins}, false},
             {{kKey | kPins, kPins, kKey | kPins | 2}, false},
             {{kKey | 1, kPins, kKey | kPins}, false},
         }) {
        Gpio port("GPIOC");
        CAPTURE(row.values.size());
        CHECK(lock(port, row.values) == row.locks);
        if (!row.locks) continue;
        // Pins 0 and 5 keep everything, the others nothing.
        CHECK(get(port, 0x00) == (3u | 3u << 10));
        set(port, 0x04, kWord);
        CHECK(get(port, 0x04) == (0xFFFF & ~kPins));
        set(port, 0x08, kWord);
        CHECK(get(port, 0x08) == (kWord & ~(3u | 3u << 10)));
        set(port, 0x20, kWord);
        CHECK(get(port, 0x20) == (kWord & ~(0xFu | 0xFu << 20)));
        set(port, 0x24, kWord);
        CHECK(get(port, 0x24) == kWord);
        set(port, 0x14, kWord);
        CHECK(get(port, 0x14) == 0xFFFF);
        CHECK_FALSE(port.reads_freely(kLckr));
        CHECK(port.reads_freely(0x10));
        port.reset();
        set(port, 0x04, kWord);
        CHECK(get(port, 0x04) == 0xFFFF);
    }
}
