// SPDX-License-Identifier: Apache-2.0
// Register accesses that bring the older chips to their clock. Registers, bits and limits of the
// flash are those of the reference manuals.
#include "sim/microcontroller/mcu_clocks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "memmap/chips/chips.h"
#include "sim/host/errors.h"

using namespace n6vp;
using firmware::mcu::Step;

namespace {

constexpr std::uint32_t kAll = 0xFFFFFFFF, kMega = 1'000'000;

constexpr std::uint32_t bit(unsigned number) {
    return 1u << number;
}
constexpr Step set(std::uint32_t address, std::uint32_t mask, std::uint32_t value) {
    return {address, mask, value, 0};
}
constexpr Step set(std::uint32_t address, std::uint32_t bits) {
    return set(address, bits, bits);
}
constexpr Step wait(std::uint32_t address, std::uint32_t mask, std::uint32_t value) {
    return {address, mask, value, 1};
}
constexpr Step wait(std::uint32_t address, std::uint32_t bits) {
    return wait(address, bits, bits);
}

sim::McuClocks plan(const char* chip, std::uint32_t mhz) {
    return sim::plan_clocks(*memmap::find_chip(chip), mhz * kMega);
}

void check_steps(const sim::McuClocks& found, const std::vector<Step>& wanted) {
    REQUIRE(found.steps.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        CAPTURE(i);
        CHECK(found.steps[i].address == wanted[i].address);
        CHECK(found.steps[i].mask == wanted[i].mask);
        CHECK(found.steps[i].value == wanted[i].value);
        CHECK(found.steps[i].waits == wanted[i].waits);
    }
}

// PLLCFGR: HSI16 (2), M = 2 (1 << 4), N from bit 8, REN (bit 24), R from bit 25: 0 is 2, 1 is 4.
std::vector<Step> steps_of_l4(bool boost, std::uint32_t pll, std::uint32_t waits) {
    constexpr std::uint32_t kRcc = 0x40021000, kFlash = 0x40022000;
    std::vector<Step> steps = {
        set(kRcc + 0x58, bit(28)),  // APB1ENR1.PWREN
        set(kRcc, bit(8)),          // CR.HSION
        wait(kRcc, bit(10)),
    };
    if (boost) steps.push_back(set(0x40007080, bit(8), 0));  // PWR_CR5.R1MODE
    const Step rest[] = {
        set(kRcc + 0x0C, kAll, pll),
        set(kRcc, bit(24)),
        wait(kRcc, bit(25)),
        set(kFlash, kAll, bit(8) | bit(9) | bit(10) | waits),  // PRFTEN, ICEN, DCEN
        wait(kFlash, 7, waits),
        set(kRcc + 0x08, 3),         // CFGR.SW: PLL
        wait(kRcc + 0x08, 3u << 2),  // SWS
        set(kRcc + 0x48, bit(12)),   // AHB1ENR.CRCEN
    };
    steps.insert(steps.end(), std::begin(rest), std::end(rest));
    return steps;
}

// PLL1DIVR: N - 1, P and Q 2 (1), R - 1 from bit 24.
std::vector<Step> steps_of_u5(std::uint32_t n, std::uint32_t r, std::uint32_t waits) {
    constexpr std::uint32_t kRcc = 0x46020C00, kVosr = 0x4602080C, kFlash = 0x40022000;
    return {
        set(kRcc + 0x94, bit(2)),                      // AHB3ENR.PWREN
        set(kVosr, bit(16) | bit(17) | bit(18)),       // VOS range 1, BOOSTEN
        wait(kVosr, bit(14) | bit(15)),                // BOOSTRDY, VOSRDY
        set(kRcc, bit(8)),                             // CR.HSION
        wait(kRcc, bit(10)),                           //
        set(kRcc + 0x28, kAll, 2 | 3 << 2 | bit(18)),  // HSI16, 8 to 16 MHz, PLL1REN
        set(kRcc + 0x34, kAll, (n - 1) | 1u << 9 | 1u << 16 | (r - 1) << 24),
        set(kRcc, bit(24)),
        wait(kRcc, bit(25)),
        set(kFlash, kAll, bit(8) | waits),  // PRFTEN
        wait(kFlash, 15, waits),
        set(0x40030400, bit(0)),     // ICACHE_CR.EN
        set(kRcc + 0x1C, 3),         // CFGR1.SW: PLL1
        wait(kRcc + 0x1C, 3u << 2),  // SWS
        set(kRcc + 0x88, bit(12)),   // AHB1ENR.CRCEN
    };
}

// PLLCFGR: M = 8, N from bit 6, P from bit 16 (0 is 2, 1 is 4), Q = 9 from bit 24; source HSI.
std::vector<Step> steps_of_f7(std::uint32_t n, std::uint32_t p, bool over_drive,
                              std::uint32_t waits) {
    constexpr std::uint32_t kRcc = 0x40023800, kPwr = 0x40007000, kFlash = 0x40023C00;
    std::vector<Step> steps = {
        set(kRcc + 0x40, bit(28)),     // APB1ENR.PWREN
        set(kPwr, bit(14) | bit(15)),  // CR1.VOS: scale 1
        set(kRcc + 0x04, kAll, 8 | n << 6 | (p / 2 - 1) << 16 | 9u << 24),
        set(kRcc, bit(24)),
        wait(kRcc, bit(25)),
    };
    if (over_drive) {
        const Step more[] = {set(kPwr, bit(16)), wait(kPwr + 4, bit(16)), set(kPwr, bit(17)),
                             wait(kPwr + 4, bit(17))};
        steps.insert(steps.end(), std::begin(more), std::end(more));
    }
    const Step rest[] = {
        set(kFlash, kAll, bit(8) | bit(9) | waits),  // PRFTEN, ARTEN
        wait(kFlash, 15, waits),
        // SW: PLL (2); PPRE1 divides by 4 (5), PPRE2 by 2 (4).
        set(kRcc + 0x08, 3 | 7u << 10 | 7u << 13, 2 | 5u << 10 | 4u << 13),
        wait(kRcc + 0x08, 3u << 2, 2u << 2), set(kRcc + 0x30, bit(12)),  // AHB1ENR.CRCEN
    };
    steps.insert(steps.end(), std::begin(rest), std::end(rest));
    return steps;
}

struct H7 {
    bool h743;
    std::uint32_t n, p, waits, delay;
    bool halves;
};
// PLL1DIVR: N - 1, P - 1 from bit 9, Q and R 2.
std::vector<Step> steps_of_h7(const H7& row) {
    constexpr std::uint32_t kRcc = 0x58024400, kPwr = 0x58024800, kFlash = 0x52002000;
    std::vector<Step> steps = {
        set(kPwr + 0x0C, row.h743 ? bit(2) : bit(1), 0),  // CR3.SCUEN, LDOEN
        wait(kPwr + 0x04, bit(13)),                       // CSR1.ACTVOSRDY
        set(kPwr + 0x18, bit(14) | bit(15)),              // VOS
        wait(kPwr + 0x18, bit(13)),                       // VOSRDY
    };
    if (row.h743) {
        steps.push_back(set(kRcc + 0xF4, bit(1)));        // APB4ENR.SYSCFGEN
        steps.push_back(set(0x58000400 + 0x2C, bit(0)));  // SYSCFG_PWRCR.ODEN
        steps.push_back(wait(kPwr + 0x18, bit(13)));
    }
    const Step pll[] = {
        set(kRcc + 0x28, kAll, 4u << 4),  // HSI, DIVM1 = 4
        set(kRcc + 0x2C, 15, 3u << 2),    // PLL1RGE: 8 to 16 MHz, PLL1VCOSEL: wide
        set(kRcc + 0x30, kAll, (row.n - 1) | (row.p - 1) << 9 | 1u << 16 | 1u << 24),
        set(kRcc, bit(24)),
        wait(kRcc, bit(25)),
        set(kFlash, kAll, row.waits | row.delay << 4),
        wait(kFlash, 15, row.waits),
    };
    steps.insert(steps.end(), std::begin(pll), std::end(pll));
    if (row.halves) steps.push_back(set(kRcc + 0x18, 15, 8));  // HPRE: by 2
    steps.push_back(set(kRcc + 0x10, 7, 3));                   // SW: PLL1
    steps.push_back(wait(kRcc + 0x10, 7u << 3, 3u << 3));      // SWS
    // AHB2ENR: SRAM1EN to SRAM3EN, or AHBSRAM1EN and AHBSRAM2EN; then the CRC unit's bit.
    steps.push_back(row.h743 ? set(kRcc + 0xDC, bit(29) | bit(30) | bit(31))
                             : set(kRcc + 0x13C, bit(29) | bit(30)));
    steps.push_back(row.h743 ? set(kRcc + 0xE0, bit(19)) : set(kRcc + 0x138, bit(9)));
    return steps;
}

/// Upper bounds in MHz by number of wait states, at the highest voltage.
struct Flash {
    const char* chip;
    std::vector<std::uint32_t> limits;
};
const Flash kFlashes[] = {
    {"stm32l475", {16, 32, 48, 64, 80}},     {"stm32l4r5", {20, 40, 60, 80, 100, 120}},
    {"stm32u575", {32, 64, 96, 128, 160}},   {"stm32f746", {30, 60, 90, 120, 150, 180, 210, 216}},
    {"stm32h743", {70, 140, 210, 225, 240}}, {"stm32h7a3", {42, 84, 126, 168, 210, 252, 280}},
};

std::uint32_t value_at(const sim::McuClocks& clocks, std::uint32_t address) {
    for (const Step& step : clocks.steps) {
        if (step.address == address && step.mask == kAll) return step.value;
    }
    return 0;
}

/// Input of the VCO in MHz, its factor, and the divider behind it, as the registers hold them.
struct PllWords {
    std::uint32_t input, n, divider;
};
PllWords pll_words(const memmap::Chip& chip, const sim::McuClocks& clocks) {
    using memmap::ChipFamily;
    if (chip.family == ChipFamily::L4) {
        const std::uint32_t word = value_at(clocks, 0x4002100C);
        return {16 / ((word >> 4 & 15) + 1), word >> 8 & 0x7F, 2 * ((word >> 25 & 3) + 1)};
    }
    if (chip.family == ChipFamily::U5) {
        const std::uint32_t word = value_at(clocks, 0x46020C34);
        return {16, (word & 0x1FF) + 1, (word >> 24 & 0x7F) + 1};
    }
    if (chip.family == ChipFamily::F7) {
        const std::uint32_t word = value_at(clocks, 0x40023804);
        return {16 / (word & 0x3F), word >> 6 & 0x1FF, 2 * ((word >> 16 & 3) + 1)};
    }
    const std::uint32_t word = value_at(clocks, 0x58024430);
    return {64 / (value_at(clocks, 0x58024428) >> 4 & 0x3F), (word & 0x1FF) + 1,
            (word >> 9 & 0x7F) + 1};
}

}  // namespace

TEST_CASE("start-up clocks: the accesses of the STM32L4") {
    check_steps(plan("stm32l4r5", 120), steps_of_l4(true, 2 | 1 << 4 | 30 << 8 | bit(24), 5));
    check_steps(plan("stm32l4r5", 84), steps_of_l4(true, 2 | 1 << 4 | 21 << 8 | bit(24), 4));
    check_steps(plan("stm32l4r5", 16),
                steps_of_l4(true, 2 | 1 << 4 | 8 << 8 | bit(24) | bit(25), 0));
    check_steps(plan("stm32l475", 80), steps_of_l4(false, 2 | 1 << 4 | 20 << 8 | bit(24), 4));
}

TEST_CASE("start-up clocks: the accesses of the STM32U5") {
    check_steps(plan("stm32u575", 160), steps_of_u5(10, 1, 4));
    check_steps(plan("stm32u585", 128), steps_of_u5(8, 1, 3));
    check_steps(plan("stm32u575", 64), steps_of_u5(8, 2, 1));
    check_steps(plan("stm32u575", 48), steps_of_u5(12, 4, 1));
}

TEST_CASE("start-up clocks: the accesses of the STM32F7, with over-drive above 180 MHz") {
    check_steps(plan("stm32f746", 216), steps_of_f7(216, 2, true, 7));
    check_steps(plan("stm32f746", 181), steps_of_f7(181, 2, true, 6));
    check_steps(plan("stm32f746", 180), steps_of_f7(180, 2, false, 5));
    check_steps(plan("stm32f746", 48), steps_of_f7(96, 4, false, 1));
}

TEST_CASE("start-up clocks: the accesses of the STM32H7, whose bus runs at 240 MHz at most") {
    check_steps(plan("stm32h743", 480), steps_of_h7({true, 60, 2, 4, 2, true}));
    check_steps(plan("stm32h743", 400), steps_of_h7({true, 50, 2, 2, 1, true}));
    check_steps(plan("stm32h743", 248), steps_of_h7({true, 31, 2, 1, 1, true}));
    check_steps(plan("stm32h743", 240), steps_of_h7({true, 30, 2, 4, 2, false}));
    check_steps(plan("stm32h743", 56), steps_of_h7({true, 14, 4, 0, 0, false}));
    check_steps(plan("stm32h7a3", 280), steps_of_h7({false, 35, 2, 6, 3, false}));
    check_steps(plan("stm32h7a3", 96), steps_of_h7({false, 12, 2, 2, 1, false}));
}

TEST_CASE("start-up clocks: the clock of reset needs no PLL, only accelerator and CRC unit") {
    check_steps(plan("stm32l4r5", 4),
                {set(0x40022000, bit(8) | bit(9) | bit(10)), set(0x40021048, bit(12))});
    check_steps(plan("stm32u575", 4), {set(0x40030400, bit(0)), set(0x46020C88, bit(12))});
    check_steps(plan("stm32f746", 16),
                {set(0x40023C00, bit(8) | bit(9)), set(0x40023830, bit(12))});
    check_steps(plan("stm32h743", 64), {set(0x580244E0, bit(19))});
    check_steps(plan("stm32h7a3", 64), {set(0x58024538, bit(9))});
    for (const Flash& each : kFlashes) {
        const memmap::Chip& chip = *memmap::find_chip(each.chip);
        CHECK(sim::plan_clocks(chip, chip.reset_hz).wait_states == 0);
        CHECK(sim::plan_clocks(chip, chip.reset_hz).hz == chip.reset_hz);
        CHECK(sim::plan_clocks(chip, 0).hz ==
              each.limits.back() * kMega * (chip.max_hz == 480 * kMega ? 2 : 1));
    }
}

TEST_CASE("start-up clocks: each frequency in MHz is refused or made, with its wait states") {
    for (const Flash& each : kFlashes) {
        const memmap::Chip& chip = *memmap::find_chip(each.chip);
        CAPTURE(each.chip);
        unsigned made = 0;
        for (std::uint32_t mhz = 1; mhz <= chip.max_hz / kMega + 8; ++mhz) {
            if (mhz * kMega == chip.reset_hz) continue;
            CAPTURE(mhz);
            sim::McuClocks clocks;
            try {
                clocks = sim::plan_clocks(chip, mhz * kMega);
            } catch (const sim::UserError&) {
                continue;
            }
            ++made;
            CHECK(mhz * kMega <= chip.max_hz);
            CHECK(clocks.steps.size() <= firmware::mcu::kMaxSteps);
            const PllWords pll = pll_words(chip, clocks);
            CHECK(pll.input * pll.n == mhz * pll.divider);
            const std::uint32_t bus = chip.max_hz == 480 * kMega && mhz > 240 ? mhz / 2 : mhz;
            CHECK(clocks.wait_states ==
                  std::count_if(each.limits.begin(), each.limits.end(),
                                [bus](std::uint32_t limit) { return limit < bus; }));
        }
        // Of the VCO's input, 8 or 16 MHz, by a divider of 2 or 4; 2 MHz of the F7.
        CHECK(made > chip.max_hz / kMega / 9);
    }
}

TEST_CASE("start-up clocks: what no PLL makes is refused with a frequency that one makes") {
    struct Row {
        const char* chip;
        std::uint32_t hz;
    };
    const Row rows[] = {
        {"stm32l4r5", 121'000'000}, {"stm32l4r5", 128'000'000}, {"stm32l4r5", 7'000'000},
        {"stm32l4r5", 80'500'000},  {"stm32l4r5", 15'000'000},  {"stm32l4r5", 12'000'000},
        {"stm32l475", 88'000'000},  {"stm32u575", 176'000'000}, {"stm32u575", 28'000'000},
        {"stm32u575", 99'000'000},  {"stm32f746", 217'000'000}, {"stm32f746", 24'000'000},
        {"stm32h743", 488'000'000}, {"stm32h743", 44'000'000},  {"stm32h7a3", 288'000'000},
        {"stm32h7a3", 281'000'000}, {"stm32h7a3", 1},
    };
    for (const Row& row : rows) {
        CAPTURE(row.chip);
        CAPTURE(row.hz);
        const memmap::Chip& chip = *memmap::find_chip(row.chip);
        std::string remedy;
        try {
            static_cast<void>(sim::plan_clocks(chip, row.hz));
        } catch (const sim::UserError& error) {
            CHECK(std::string(error.what()).find(std::to_string(row.hz)) != std::string::npos);
            remedy = error.remedy();
        }
        CAPTURE(remedy);
        REQUIRE_FALSE(remedy.empty());
        CHECK(remedy.find(std::to_string(chip.reset_hz) + " (out of reset)") != std::string::npos);
        CHECK(remedy.find(std::to_string(chip.max_hz) + " (the maximum)") != std::string::npos);
        const auto proposed = static_cast<std::uint32_t>(
            std::strtoul(remedy.c_str() + remedy.rfind(' '), nullptr, 10));
        CHECK(sim::plan_clocks(chip, proposed).hz == proposed);
        CHECK(proposed > chip.max_hz / 3);
    }
}
