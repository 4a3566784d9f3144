// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/chip/registers.h"
#include "loader/firmware/chip/set_up.h"
#include "loader/firmware/core.h"

/// Clocks with overdrive: core 800 MHz, buses 400, NPU 1000, its RAM 900, AHB 100, XSPI 200.
/// Not done: the external regulator's 0.89 V, which a board needs first; flash latency, which this
/// chip has none of.
namespace n6vp::firmware::chip {

namespace {

/// The internal oscillator runs at 64 MHz out of reset and feeds all PLLs.
struct Pll {
    std::uint32_t number;
    std::uint32_t input_divider;
    std::uint32_t multiplier;
};
constexpr Pll kPlls[] = {
    {1, 4, 50},    // 800 MHz
    {2, 8, 125},   // 1000 MHz
    {3, 16, 225},  // 900 MHz
};
constexpr std::uint32_t kPllOn = 8;  ///< position of PLL1ON in CR and of PLL1RDY in SR
constexpr std::uint32_t kDivide = 1u << 30, kPostDividers = 9u << 24, kPostMask = 0x3Fu << 24;

/// Dividers of the bus clocks: the PLL that feeds one, and by what it divides.
struct Divider {
    std::uint32_t number, pll, by;
};
constexpr Divider kDividers[] = {
    {1, 1, 1},   // core
    {2, 1, 2},   // buses
    {3, 1, 4},   // XSPI2
    {4, 1, 4},   // XSPI1
    {6, 2, 1},   // NPU
    {11, 3, 1},  // NPU RAM
};

constexpr std::uint32_t kSwitchMask = 0x03030000, kSwitchToDividers = 0x03030000,
                        kSwitchStatus = 4;  ///< status bits are this far above the switches
constexpr std::uint32_t kHpreMask = 7u << 20, kHpreBy4 = 2u << 20;
constexpr std::uint32_t kXspiMask = 0x33, kXspi1FromIc4 = 3, kXspi2FromIc3 = 2u << 4;
constexpr std::uint32_t kVos = 1, kVosReady = 2;

void change(std::uint32_t address, std::uint32_t mask, std::uint32_t bits) {
    write_register(address, (read_register(address) & ~mask) | bits);
}

void wait_for(std::uint32_t address, std::uint32_t bits) {
    while ((read_register(address) & bits) != bits) {
    }
}

void start(const Pll& pll) {
    const std::uint32_t offset = (pll.number - 1) * kPllStride;
    const std::uint32_t on = 1u << (kPllOn + pll.number - 1);
    write_register(kRcc + kRccCr + kRccClear, on);
    write_register(kRcc + kRccPll1Cfgr1 + offset, pll.input_divider << 20 | pll.multiplier << 8);
    write_register(kRcc + kRccPll1Cfgr2 + offset, 0);  // no fraction, which PLL1 has out of reset
    change(kRcc + kRccPll1Cfgr3 + offset, kPostMask, kPostDividers | kDivide);
    write_register(kRcc + kRccCr + kRccSet, on);
    wait_for(kRcc + kRccSr, on);
}

}  // namespace

void set_up_clocks() {
    change(kPwr + kPwrVoscr, kVos, kVos);
    wait_for(kPwr + kPwrVoscr, kVosReady);
    // Nothing runs from a PLL while it changes.
    change(kRcc + kRccCfgr1, kSwitchMask, 0);
    for (const Pll& pll : kPlls) start(pll);
    for (const Divider& divider : kDividers) {
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
