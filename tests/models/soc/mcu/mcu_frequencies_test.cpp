// SPDX-License-Identifier: Apache-2.0
// Clock trees of the older chips: every range, divider and multiplier, by the formulas of their
// reference manuals and the fields of the device headers, typed a second time.
#include <doctest/doctest.h>

#include <cstdint>
#include <map>

#include "memmap/chips/chips.h"
#include "models/soc/mcu/frequencies.h"

using namespace n6vp::models;
using n6vp::memmap::Chip;
using n6vp::memmap::find_chip;

namespace {

constexpr double kHse = 24e6, kCsi = 4e6;

/// Registers that are not named are zero.
struct Tree {
    explicit Tree(const char* name) : chip(*find_chip(name)) { oscillators.hse.value = kHse / 1e6; }
    mcu::RccRegisters registers() const {
        return [this](std::uint32_t offset) {
            const auto found = words.find(offset);
            return found == words.end() ? 0 : found->second;
        };
    }
    double source(std::uint32_t code) const {
        return mcu::source_hz(chip, registers(), oscillators, code);
    }
    mcu::Frequencies all(std::uint32_t code) const {
        return mcu::frequencies(chip, registers(), oscillators, code);
    }
    const Chip& chip;
    mcu::OscillatorParameters oscillators;
    std::map<std::uint32_t, std::uint32_t> words;
};

class Random {
  public:
    std::uint32_t below(std::uint32_t end) {
        seed_ = seed_ * 1664525 + 1013904223;
        return (seed_ >> 8) % end;
    }

  private:
    std::uint32_t seed_ = 3;
};

constexpr double kAhb[] = {1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 8, 16, 64, 128, 256, 512};
constexpr double kApb[] = {1, 1, 1, 1, 2, 4, 8, 16};

}  // namespace

TEST_CASE("mcu clocks: sources of the system clock by their codes, the ninth is none") {
    struct Row {
        const char* chip;
        double hz[4];  ///< PLLs are off
    };
    for (const Row& row :
         {Row{"stm32l4r5", {100e3, 16e6, kHse, 0}}, Row{"stm32u575", {48e6, 16e6, kHse, 0}},
          Row{"stm32f746", {16e6, kHse, 0, 0}}, Row{"stm32h743", {64e6, kCsi, kHse, 0}}}) {
        CAPTURE(row.chip);
        const Tree tree(row.chip);
        for (std::uint32_t code = 0; code < 4; ++code) CHECK(tree.source(code) == row.hz[code]);
        for (const std::uint32_t code : {4u, 7u}) CHECK(tree.source(code) == 0);
    }
}

TEST_CASE("mcu clocks: ranges of MSI, of the running chip and of Standby") {
    constexpr double kL4[] = {100e3, 200e3, 400e3, 800e3, 1e6, 2e6, 4e6, 8e6,
                              16e6,  24e6,  32e6,  48e6,  0,   0,   0,   0};
    constexpr double kU5[] = {48e6,    24e6,    16e6,    12e6,  4e6,   2e6,   4e6 / 3,   1e6,
                              3.072e6, 1.536e6, 1.024e6, 768e3, 400e3, 200e3, 400e3 / 3, 100e3};
    Tree l4("stm32l4r5"), u5("stm32u575");
    for (std::uint32_t range = 0; range < 16; ++range) {
        for (std::uint32_t other = 0; other < 16; ++other) {
            CAPTURE(range);
            CAPTURE(other);
            // MSIRANGE with MSIRGSEL in CR, MSISRANGE in CSR.
            l4.words = {{0x00, range << 4 | 0x107}, {0x94, other << 8 | 0x0F0}};
            CHECK(l4.source(0) == kL4[other]);
            l4.words[0x00] |= 1u << 3;
            CHECK(l4.source(0) == kL4[range]);
            // MSISRANGE with MSIRGSEL in ICSCR1, MSISSRANGE in CSR.
            u5.words = {{0x08, range << 28 | 0x00700000}, {0xF4, other << 12 | 0x0F00}};
            CHECK(u5.source(0) == doctest::Approx(kU5[other]).epsilon(1e-12));
            u5.words[0x08] |= 1u << 23;
            CHECK(u5.source(0) == doctest::Approx(kU5[range]).epsilon(1e-12));
        }
    }
}

TEST_CASE("mcu clocks: HSI of the H7 by 1 to 8") {
    Tree h7("stm32h7a3");
    for (std::uint32_t code = 0; code < 4; ++code) {
        h7.words = {{0x00, code << 3 | 0x25}};
        CHECK(h7.source(0) == 64e6 / (1u << code));
    }
}

TEST_CASE("mcu clocks: PLL of the L4 by random settings") {
    Random random;
    Tree tree("stm32l4r5");
    for (unsigned round = 0; round < 300; ++round) {
        const std::uint32_t source = random.below(4), m = random.below(16), n = random.below(128),
                            r = random.below(4), other = random.below(2);
        CAPTURE(round);
        // PLLPEN and PLLQEN do not matter, PLLREN does.
        tree.words = {{0x94, 6u << 8},
                      {0x0C, source | m << 4 | n << 8 | 1u << 24 | r << 25 | other << 16 |
                                 (1 - other) << 20}};
        const double hz[] = {0, 4e6, 16e6, kHse};
        CHECK(tree.source(3) == doctest::Approx(hz[source] / (m + 1) * n / (2 * (r + 1))));
        tree.words[0x0C] &= ~(1u << 24);
        CHECK(tree.source(3) == 0);
    }
}

TEST_CASE("mcu clocks: PLL of the F7 by random settings") {
    Random random;
    Tree tree("stm32f746");
    for (unsigned round = 0; round < 300; ++round) {
        const std::uint32_t m = random.below(64), n = random.below(512), p = random.below(4),
                            hse = random.below(2), q = random.below(16);
        CAPTURE(round);
        CAPTURE(m);
        tree.words = {{0x04, m | n << 6 | p << 16 | hse << 22 | q << 24}};
        const double source = hse != 0 ? kHse : 16e6;
        const double expected = m < 2 ? 0 : source / m * n / (2 * (p + 1));
        CHECK(tree.source(2) == doctest::Approx(expected));
    }
    tree.words = {{0x04, 2 | 100u << 6}};
    CHECK(tree.source(2) == 400e6);
}

TEST_CASE("mcu clocks: PLL of the U5 by random settings, with and without a fraction") {
    Random random;
    Tree tree("stm32u575");
    for (unsigned round = 0; round < 300; ++round) {
        const std::uint32_t source = random.below(4), m = random.below(16), n = random.below(512),
                            r = random.below(128), fraction = random.below(8192),
                            fractional = random.below(2), p = random.below(128);
        CAPTURE(round);
        tree.words = {{0xF4, 4u << 12},
                      {0x28, source | fractional << 4 | m << 8 | 1u << 18},
                      {0x34, n | p << 9 | r << 24},
                      {0x38, fraction << 3}};
        const double hz[] = {0, 4e6, 16e6, kHse};
        const double multiplier = n + 1 + (fractional != 0 ? fraction / 8192.0 : 0);
        CHECK(tree.source(3) ==
              doctest::Approx(hz[source] / (m + 1) * multiplier / (r + 1)).epsilon(1e-9));
        tree.words[0x28] &= ~(1u << 18);
        CHECK(tree.source(3) == 0);
    }
}

TEST_CASE("mcu clocks: PLL of the H7 by random settings, with and without a fraction") {
    Random random;
    Tree tree("stm32h743");
    for (unsigned round = 0; round < 300; ++round) {
        const std::uint32_t source = random.below(4), m = random.below(64), n = random.below(512),
                            p = random.below(128), fraction = random.below(8192),
                            fractional = random.below(2), r = random.below(128);
        CAPTURE(round);
        tree.words = {{0x00, 1u << 3},  // HSI / 2
                      {0x28, source | m << 4 | 0x3Fu << 12},
                      {0x2C, fractional | 1u << 16},
                      {0x30, n | p << 9 | r << 24},
                      {0x34, fraction << 3}};
        const double hz[] = {32e6, kCsi, kHse, 0};
        const double multiplier = n + 1 + (fractional != 0 ? fraction / 8192.0 : 0);
        const double expected = m == 0 ? 0 : hz[source] / m * multiplier / (p + 1);
        CHECK(tree.source(3) == doctest::Approx(expected).epsilon(1e-9));
        tree.words[0x2C] &= ~(1u << 16);
        CHECK(tree.source(3) == 0);
    }
}

TEST_CASE("mcu clocks: prescalers of every bus, and its timers at once or twice its clock") {
    for (std::uint32_t ahb = 0; ahb < 16; ++ahb) {
        for (std::uint32_t first = 0; first < 8; ++first) {
            CAPTURE(ahb);
            CAPTURE(first);
            const std::uint32_t second = (first + 3) % 8, third = (first + 5) % 8,
                                fourth = (first + 6) % 8;
            const auto timer = [](double apb, double factor) {
                return apb < factor ? 1 : factor / apb;
            };
            const auto check = [&](const mcu::Frequencies& all, double hz, double factor) {
                const double hclk = hz / kAhb[ahb];
                CHECK(all.hclk == doctest::Approx(hclk));
                CHECK(all.pclk[0] == doctest::Approx(hclk / kApb[first]));
                CHECK(all.pclk[1] == doctest::Approx(hclk / kApb[second]));
                CHECK(all.timer[0] == doctest::Approx(hclk * timer(kApb[first], factor)));
                CHECK(all.timer[1] == doctest::Approx(hclk * timer(kApb[second], factor)));
            };
            Tree l4("stm32l4r5");
            l4.words = {{0x08, ahb << 4 | first << 8 | second << 11}};
            check(l4.all(1), 16e6, 2);
            CHECK(l4.all(1).core == l4.all(1).hclk);
            CHECK(l4.all(1).system == 16e6);
            CHECK(l4.all(1).pclk[2] == 0);

            Tree f7("stm32f746");
            f7.words = {{0x08, ahb << 4 | first << 10 | second << 13}};
            check(f7.all(0), 16e6, 2);
            f7.words[0x8C] = 1u << 24;  // TIMPRE
            check(f7.all(0), 16e6, 4);

            Tree u5("stm32u575");
            u5.words = {{0x20, ahb | first << 4 | second << 8}, {0x24, third << 4}};
            check(u5.all(1), 16e6, 2);
            CHECK(u5.all(1).pclk[2] == doctest::Approx(16e6 / kAhb[ahb] / kApb[third]));
            CHECK(u5.all(1).pclk[3] == 0);

            Tree h7("stm32h743");
            for (const std::uint32_t core : {0u, 8u, 11u, 12u, 15u}) {
                CAPTURE(core);
                h7.words = {{0x18, core << 8 | third << 4 | ahb},
                            {0x1C, first << 4 | second << 8},
                            {0x20, fourth << 4}};
                check(h7.all(0), 64e6 / kAhb[core], 2);
                CHECK(h7.all(0).core == doctest::Approx(64e6 / kAhb[core]));
                CHECK(h7.all(0).pclk[2] == doctest::Approx(h7.all(0).hclk / kApb[third]));
                CHECK(h7.all(0).pclk[3] == doctest::Approx(h7.all(0).hclk / kApb[fourth]));
                h7.words[0x10] = 1u << 15;  // TIMPRE
                check(h7.all(0), 64e6 / kAhb[core], 4);
            }
        }
    }
}
