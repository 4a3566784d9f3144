// SPDX-License-Identifier: Apache-2.0
// EXTI of the STM32N6: random edges, masks and clears against one bit after the other.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/soc/system/exti.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kWord = 0xFFFFFFFF;

/// One line as the reference manual draws it.
struct Line {
    bool input = false, rising = false, falling = false, mask = false;
    bool pends_rising = false, pends_falling = false;
    bool interrupts() const { return mask && (pends_rising || pends_falling); }
};

}  // namespace

TEST_CASE("exti: random edges, selections, masks and clears of 96 lines") {
    Exti exti("EXTI");
    std::array<Line, 96> lines{};
    std::array<bool, 96> told{};
    exti.on_interrupt = [&told](unsigned line, bool level) {
        REQUIRE(line < 96);
        CHECK(told[line] != level);
        told[line] = level;
    };
    std::uint32_t seed = 11;
    const auto below = [&seed](std::uint32_t end) {
        seed = seed * 1664525 + 1013904223;
        return (seed >> 8) % end;
    };
    const auto word = [&below] { return below(0x10000) << 16 | below(0x10000); };
    const auto word_of = [&lines](unsigned bank, auto&& bit) {
        std::uint32_t bits = 0;
        for (unsigned i = 0; i < 32; ++i) bits |= (bit(lines[32 * bank + i]) ? 1u : 0u) << i;
        return bits;
    };
    for (unsigned step = 0; step < 6000; ++step) {
        CAPTURE(step);
        const unsigned bank = below(3);
        const std::uint32_t edges = 0x20 * bank, masks = 0x10 * bank;
        const std::uint32_t value = word();
        const std::uint32_t mask = below(2) == 0 ? kWord : 0xFFu << (8 * below(4));
        const auto write = [&](std::uint32_t offset, std::uint32_t bits) {
            CHECK(exti.write(offset, value, bits, 0).modelled);
        };
        const auto each = [&](auto&& change) {
            for (unsigned i = 0; i < 32; ++i) {
                if ((mask >> i & 1) != 0) change(lines[32 * bank + i], (value >> i & 1) != 0);
            }
        };
        switch (below(8)) {
            case 0:
                write(0x00 + edges, mask);
                each([](Line& line, bool bit) { line.rising = bit; });
                break;
            case 1:
                write(0x04 + edges, mask);
                each([](Line& line, bool bit) { line.falling = bit; });
                break;
            case 2:
                write(0x0C + edges, mask);
                each([](Line& line, bool bit) { line.pends_rising = line.pends_rising && !bit; });
                break;
            case 3:
                write(0x10 + edges, mask);
                each([](Line& line, bool bit) { line.pends_falling = line.pends_falling && !bit; });
                break;
            case 4:
                write(0x80 + masks, mask);
                each([](Line& line, bool bit) { line.mask = bit; });
                break;
            default: {
                const unsigned number = 32 * bank + below(32);
                Line& line = lines[number];
                const bool level = below(2) != 0;
                if (level && !line.input && line.rising) line.pends_rising = true;
                if (!level && line.input && line.falling) line.pends_falling = true;
                line.input = level;
                exti.set_line(number, level);
                break;
            }
        }
        const auto get = [&exti](std::uint32_t offset) { return exti.read(offset, 0).value; };
        REQUIRE(get(0x00 + edges) == word_of(bank, [](const Line& line) { return line.rising; }));
        REQUIRE(get(0x04 + edges) == word_of(bank, [](const Line& line) { return line.falling; }));
        REQUIRE(get(0x0C + edges) ==
                word_of(bank, [](const Line& line) { return line.pends_rising; }));
        REQUIRE(get(0x10 + edges) ==
                word_of(bank, [](const Line& line) { return line.pends_falling; }));
        REQUIRE(get(0x80 + masks) == word_of(bank, [](const Line& line) { return line.mask; }));
        for (unsigned i = 0; i < lines.size(); ++i) REQUIRE(told[i] == lines[i].interrupts());
    }
    exti.set_line(96, true);  // there is none
    exti.reset();
    for (const bool level : told) CHECK_FALSE(level);
}

TEST_CASE("exti: software raises a line by its bit, in each bank") {
    Exti exti("EXTI");
    std::vector<std::pair<unsigned, bool>> seen;
    exti.on_interrupt = [&seen](unsigned line, bool level) { seen.emplace_back(line, level); };
    for (unsigned bank = 0; bank < 3; ++bank) {
        CAPTURE(bank);
        const std::uint32_t edges = 0x20 * bank;
        static_cast<void>(exti.write(0x80 + 0x10 * bank, 1u << 5, kWord, 0));
        // Neither edge of the line is selected.
        for (unsigned i = 0; i < 2; ++i) {
            seen.clear();
            static_cast<void>(exti.write(0x08 + edges, 1u << 5 | 1u << 6, kWord, 0));
            CHECK(seen == decltype(seen){{32 * bank + 5, true}});
            CHECK(exti.read(0x0C + edges, 0).value == (1u << 5 | 1u << 6));
            CHECK(exti.read(0x10 + edges, 0).value == 0);
            static_cast<void>(exti.write(0x0C + edges, 1u << 5, kWord, 0));
            CHECK(seen.back() == std::pair(32 * bank + 5, false));
            CHECK(exti.read(0x0C + edges, 0).value == 1u << 6);
            static_cast<void>(exti.write(0x0C + edges, 1u << 6, kWord, 0));
        }
        for (const auto& [offset, name] :
             {std::pair{0x00u, "RTSR"}, std::pair{0x04u, "FTSR"}, std::pair{0x08u, "SWIER"},
              std::pair{0x0Cu, "RPR"}, std::pair{0x10u, "FPR"}}) {
            CHECK(exti.read(offset + edges, 0).name == std::string(name));
            CHECK(exti.write(offset + edges, 0, kWord, 0).name == std::string(name));
        }
        CHECK(exti.read(0x80 + 0x10 * bank, 0).name == std::string("IMR"));
        for (const std::uint32_t offset : {0x18u + edges, 0x84u + 0x10 * bank}) {
            CHECK_FALSE(exti.read(offset, 0).modelled);
            CHECK_FALSE(exti.write(offset, 1, kWord, 0).modelled);
        }
    }
}
