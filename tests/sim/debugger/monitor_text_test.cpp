// SPDX-License-Identifier: Apache-2.0
// What commands of `monitor` print of registers and pins. Fields of GPIO are those of every STM32.
#include "sim/debugger/monitor_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

using namespace n6vp;
using namespace n6vp::sim;
using namespace n6vp::sim::debugger;

namespace {

using Words = std::map<std::uint32_t, std::uint32_t>;

/// Registers that can be read, each with its address as name or without one.
Peek peek_at(const Words& words, const char* name = "CR") {
    return [words, name](std::uint32_t address) -> std::optional<models::RegisterBlock::Answer> {
        const auto found = words.find(address);
        if (found == words.end()) return std::nullopt;
        models::RegisterBlock::Answer answer{};
        answer.value = found->second;
        answer.name = name;
        return answer;
    };
}

/// A port at 0x1000 whose clock is on.
std::string port(std::uint32_t moder, std::uint32_t idr = 0, std::uint32_t odr = 0,
                 std::uint32_t low = 0, std::uint32_t high = 0) {
    return gpio_line(
        "C", 0x1000,
        peek_at({{0x1000, moder}, {0x1010, idr}, {0x1014, odr}, {0x1020, low}, {0x1024, high}}));
}

const std::string kNothing = "no register here can be read without effect, or its clock is off\n";

}  // namespace

TEST_CASE("monitor: a line for each register that has a name and a value") {
    const Words words = {{0x100, 1}, {0x104, 0xABCDEF01}, {0x10C, 0}, {0x110, 7}};
    CHECK(register_lines(0x100, 0x10, peek_at(words), nullptr) ==
          "0x00000100  0x00000001  CR\n0x00000104  0xabcdef01  CR\n0x0000010c  0x00000000  CR\n");
    CHECK(register_lines(0x104, 4, peek_at(words), nullptr) == "0x00000104  0xabcdef01  CR\n");
    CHECK(register_lines(0x104, 5, peek_at(words), nullptr) == "0x00000104  0xabcdef01  CR\n");
    CHECK(register_lines(0x108, 5, peek_at(words), nullptr) == "0x0000010c  0x00000000  CR\n");
    CHECK(register_lines(0x108, 4, peek_at(words), nullptr) == kNothing);
    CHECK(register_lines(0x100, 0, peek_at(words), nullptr) == kNothing);
    // One without a name is no line.
    CHECK(register_lines(0x100, 0x10, peek_at(words, ""), nullptr) == kNothing);
}

TEST_CASE("monitor: names of the user's come first, also of what cannot be read") {
    RegisterNames names;
    names.add(0x100, 4, {"UNIT", "FIRST"});
    names.add(0x108, 4,
              {"UNIT",
               "SE\x1b"
               "COND"});
    CHECK(register_lines(0x100, 0x10, peek_at({{0x100, 1}, {0x104, 2}}), &names) ==
          "0x00000100  0x00000001  FIRST\n0x00000104  0x00000002  CR\n"
          "0x00000108  (not read)  SE\\x1bCOND\n");
}

TEST_CASE("monitor: two hundred registers are listed, and it is said that there are more") {
    Words words;
    for (std::uint32_t i = 0; i < 300; ++i) words[4 * i] = i;
    const auto lines = [&](std::uint32_t bytes) {
        const std::string text = register_lines(0, bytes, peek_at(words), nullptr);
        return std::count(text.begin(), text.end(), '\n') - (text.ends_with("and more\n") ? 1 : 0);
    };
    const auto more = [&](std::uint32_t bytes) {
        return register_lines(0, bytes, peek_at(words), nullptr).ends_with("and more\n");
    };
    CHECK(lines(4 * 199) == 199);
    CHECK_FALSE(more(4 * 199));
    CHECK(lines(4 * 201) == 200);
    CHECK(more(4 * 201));
    const std::string text = register_lines(0, 4 * 201, peek_at(words), nullptr);
    CHECK(text.find("0x0000031c  0x000000c7  CR\n") != std::string::npos);
    CHECK(text.find("0x00000320") == std::string::npos);
}

TEST_CASE("monitor: pins with mode, level and function") {
    // Two bits of MODER each: 0 input, 1 output, 2 alternate, 3 analog.
    CHECK(port(0xFFFFFFFF) == "GPIOC: all pins in analog mode\n");
    CHECK(port(0xFFFFFFFC) == "GPIOC:  PC0 in 0\n");
    CHECK(port(0xFFFFFFFC, 1, 0) == "GPIOC:  PC0 in 1\n");
    CHECK(port(0xFFFFFFFC, 0, 1) == "GPIOC:  PC0 in 0\n");
    // An output has the level of ODR, whatever the pin reads.
    CHECK(port(0xFFFFFFFD, 0, 1) == "GPIOC:  PC0 out 1\n");
    CHECK(port(0xFFFFFFFD, 1, 0) == "GPIOC:  PC0 out 0\n");
    CHECK(port(0xFFFFFFFE, 1, 0, 0x0000000A) == "GPIOC:  PC0 AF10 1\n");
    CHECK(port(0xFFFFBFFF, 0x80, 0, 0x70000000, 0) == "GPIOC:  PC7 AF7 1\n");
    CHECK(port(0xFFFEFFFF, 0x100, 0, 0, 0x00000003) == "GPIOC:  PC8 AF3 1\n");
    CHECK(port(0xBFFFFFFF, 0, 0x8000, 0xF0000000, 0x50000000) == "GPIOC:  PC15 AF5 0\n");
    CHECK(port(0x7FFFFFFF, 0, 0x8000) == "GPIOC:  PC15 out 1\n");
    CHECK(port(0x3FFFFFFF, 0x8000, 0) == "GPIOC:  PC15 in 1\n");
    CHECK(port(0xFFFFFFC4, 0x4, 0x2) == "GPIOC:  PC0 in 0  PC1 out 1  PC2 in 1\n");
    CHECK(gpio_line("H", 0x2000, peek_at({{0x1000, 0}})) == "GPIOH: not read, its clock is off\n");
    for (const std::uint32_t missing : {0x1000u, 0x1010u, 0x1014u, 0x1020u, 0x1024u}) {
        Words words = {{0x1000, 0}, {0x1010, 0}, {0x1014, 0}, {0x1020, 0}, {0x1024, 0}};
        words.erase(missing);
        CHECK(gpio_line("C", 0x1000, peek_at(words)) == "GPIOC: not read, its clock is off\n");
    }
}

TEST_CASE("monitor: the nearest peripheral is named, if there is one") {
    const std::vector<std::string> names = {"RCC", "USART2", "GPIOC"};
    CHECK(no_peripheral("usart", names) ==
          "there is no peripheral 'usart': did you mean USART2?\n");
    CHECK(no_peripheral("rccx", names) == "there is no peripheral 'rccx': did you mean RCC?\n");
    CHECK(no_peripheral("ethernet", names) == "there is no peripheral 'ethernet'\n");
    CHECK(no_peripheral("\x1b[2J", names) == "there is no peripheral '\\x1b[2J'\n");
    CHECK(upper_case("aZ_9z") == "AZ_9Z");
}
