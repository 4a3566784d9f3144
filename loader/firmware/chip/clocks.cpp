// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/base/state.h"
#include "loader/firmware/chip/registers.h"
#include "loader/firmware/chip/set_up.h"
#include "loader/firmware/core.h"

/// Clocks of one of the published set-ups; XSPI 200 MHz, buses 400, AHB 100 in all of them.
/// Not done: the external regulator's 0.89 V, which a board needs first for the overdrive.
namespace n6vp::firmware::chip {

namespace {

/// The internal oscillator runs at 64 MHz out of reset and feeds all PLLs.
struct Pll {
    std::uint32_t number;
    std::uint32_t input_divider;
    std::uint32_t multiplier;
};

/// Dividers of the bus clocks: the PLL that feeds one, and by what it divides.
struct Divider {
    std::uint32_t number, pll, by;
};

constexpr std::uint32_t kMaxPlls = 3, kMaxDividers = 6;
/// Dividers 1 the core, 2 buses, 3 and 4 XSPI2 and XSPI1, 6 the NPU, 11 its RAM.
struct SetUp {
    Pll plls[kMaxPlls];
    Divider dividers[kMaxDividers];
};
/// By `Job::clocks`.
constexpr SetUp kSetUps[kClockSetUps] = {
    // Overdrive. PLLs: 800, 1000, 900 MHz.
    {{{1, 4, 50}, {2, 8, 125}, {3, 16, 225}},
     {{1, 1, 1}, {2, 1, 2}, {3, 1, 4}, {4, 1, 4}, {6, 2, 1}, {11, 3, 1}}},
    // Nominal: core 600, NPU and its RAM 800 MHz. PLLs: 800, 600, 800 MHz.
    {{{1, 4, 50}, {2, 16, 150}, {3, 4, 50}},
     {{1, 2, 1}, {2, 1, 2}, {3, 1, 4}, {4, 1, 4}, {6, 1, 1}, {11, 3, 1}}},
    // All at 400 MHz. PLLs: 800 MHz.
    {{{1, 4, 50}, {2, 4, 50}, {3, 4, 50}},
     {{1, 1, 2}, {2, 1, 2}, {3, 1, 4}, {4, 1, 4}, {6, 2, 2}, {11, 3, 2}}},
};

constexpr std::uint32_t kPllOn = 8;  ///< position of PLL1ON in CR and of PLL1RDY in SR
constexpr std::uint32_t kDivide = 1u << 30, kPostDividers = 9u << 24, kPostMask = 0x3Fu << 24;

constexpr std::uint32_t kSwitchMask = 0x03030000, kSwitchToDividers = 0x03030000,
                        kSwitchStatus = 4;  ///< status bits are this far above the switches
constexpr std::uint32_t kHpreMask = 7u << 20, kHpreBy4 = 2u << 20;
constexpr std::uint32_t kXspiMask = 0x33, kXspi1FromIc4 = 3, kXspi2FromIc3 = 2u << 4;
constexpr std::uint32_t kOverdrive = 0;           ///< of `kSetUps`
constexpr std::uint32_t kVos = 1, kVosReady = 2;  ///< VOS = 1: the range of the overdrive

void change(std::uint32_t address, std::uint32_t mask, std::uint32_t bits) {
    write_register(address, (read_register(address) & ~mask) | bits);
}

void wait_for(std::uint32_t address, std::uint32_t bits) {
    while ((read_register(address) & bits) != bits) {
    }
}

void wait_until_clear(std::uint32_t address, std::uint32_t bits) {
    while ((read_register(address) & bits) != 0) {
    }
}

void start(const Pll& pll) {
    const std::uint32_t offset = (pll.number - 1) * kPllStride;
    const std::uint32_t on = 1u << (kPllOn + pll.number - 1);
    write_register(kRcc + kRccCr + kRccClear, on);
    wait_until_clear(kRcc + kRccSr, on);
    write_register(kRcc + kRccPll1Cfgr1 + offset, pll.input_divider << 20 | pll.multiplier << 8);
    write_register(kRcc + kRccPll1Cfgr2 + offset, 0);  // no fraction, which PLL1 has out of reset
    change(kRcc + kRccPll1Cfgr3 + offset, kPostMask, kPostDividers | kDivide);
    write_register(kRcc + kRccCr + kRccSet, on);
    wait_for(kRcc + kRccSr, on);
}

}  // namespace

void set_up_clocks() {
    const std::uint32_t number = job().clocks < kClockSetUps ? job().clocks : kOverdrive;
    change(kPwr + kPwrVoscr, kVos, number == kOverdrive ? kVos : 0);
    wait_for(kPwr + kPwrVoscr, kVosReady);
    // Nothing runs from a PLL while it changes.
    change(kRcc + kRccCfgr1, kSwitchMask, 0);
    wait_until_clear(kRcc + kRccCfgr1, kSwitchMask << kSwitchStatus);
    const SetUp& chosen = kSetUps[number];
    for (const Pll& pll : chosen.plls) start(pll);
    for (const Divider& divider : chosen.dividers) {
        write_register(kRcc + kRccIc1Cfgr + (divider.number - 1) * kIcStride,
                       (divider.pll - 1) << 28 | (divider.by - 1) << 16);
        write_register(kRcc + kRccDivEnr + kRccSet, 1u << (divider.number - 1));
    }
    change(kRcc + kRccCfgr2, kHpreMask, kHpreBy4);
    change(kRcc + kRccCfgr1, kSwitchMask, kSwitchToDividers);
    wait_for(kRcc + kRccCfgr1, kSwitchToDividers << kSwitchStatus);
    change(kRcc + kRccCcipr6, kXspiMask, kXspi1FromIc4 | kXspi2FromIc3);
}

}  // namespace n6vp::firmware::chip
