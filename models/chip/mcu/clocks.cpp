// SPDX-License-Identifier: Apache-2.0
#include "models/chip/mcu/clocks.h"

#include <array>

namespace n6vp::models::mcu_chip {

namespace {

using memmap::ChipFamily;

constexpr double kMhz = 1e6;

/// Divider of AHB: 1, then 2 to 16 and 64 to 512.
double ahb_divider(std::uint32_t code) {
    constexpr std::array<double, 8> kDividers{2, 4, 8, 16, 64, 128, 256, 512};
    return code < 8 ? 1 : kDividers[code - 8];
}
double apb_divider(std::uint32_t code) {
    return code < 4 ? 1 : static_cast<double>(2u << (code - 4));
}

void set_apb(Frequencies& to, unsigned number, std::uint32_t code) {
    const double divider = apb_divider(code);
    to.apb[number] = to.bus / divider;
    to.timer[number] = divider > 1 ? 2 * to.apb[number] : to.apb[number];
}

// Positions: device headers. Codes of the multi-speed oscillators: reference manuals.

Frequencies of_l4(const RccReader& rcc, const OscillatorParameters& oscillators) {
    constexpr std::array<double, 16> kMsi{0.1, 0.2, 0.4, 0.8, 1,  2,  4,  8,
                                          16,  24,  32,  48,  48, 48, 48, 48};
    constexpr double kHsi = 16;
    const std::uint32_t cr = rcc(0x00), cfgr = rcc(0x08), pll = rcc(0x0C);
    const bool range_of_cr = field(cr, 3, 1) != 0;
    const double msi = kMsi[range_of_cr ? field(cr, 4, 4) : field(rcc(0x94), 8, 4)];
    const std::array<double, 4> sources{0, msi, kHsi, oscillators.hse.value};
    const double pll_r = sources[field(pll, 0, 2)] / (field(pll, 4, 4) + 1) * field(pll, 8, 7) /
                         (2 * (field(pll, 25, 2) + 1));
    const std::array<double, 4> system{msi, kHsi, oscillators.hse.value, pll_r};
    Frequencies result;
    result.hsi = kHsi * kMhz;
    result.system = system[field(cfgr, 2, 2)] * kMhz;
    result.core = result.bus = result.system / ahb_divider(field(cfgr, 4, 4));
    set_apb(result, 1, field(cfgr, 8, 3));
    set_apb(result, 2, field(cfgr, 11, 3));
    return result;
}

Frequencies of_u5(const RccReader& rcc, const OscillatorParameters& oscillators) {
    constexpr std::array<double, 16> kMsi{48,    24,    16,    12,    4,   2,   1.33,  1,
                                          3.072, 1.536, 1.024, 0.768, 0.4, 0.2, 0.133, 0.1};
    constexpr double kHsi = 16;
    const std::uint32_t icscr1 = rcc(0x08), pll = rcc(0x28), dividers = rcc(0x34);
    const bool range_of_icscr1 = field(icscr1, 23, 1) != 0;
    const double msi = kMsi[range_of_icscr1 ? field(icscr1, 28, 4) : field(rcc(0xF4), 12, 4)];
    const std::array<double, 4> sources{0, msi, kHsi, oscillators.hse.value};
    constexpr double kFractions = 8192;
    const double fraction = field(pll, 4, 1) != 0 ? field(rcc(0x38), 3, 13) / kFractions : 0;
    const double pll_r = sources[field(pll, 0, 2)] / (field(pll, 8, 4) + 1) *
                         (field(dividers, 0, 9) + 1 + fraction) / (field(dividers, 24, 7) + 1);
    const std::array<double, 4> system{msi, kHsi, oscillators.hse.value, pll_r};
    const std::uint32_t cfgr2 = rcc(0x20);
    Frequencies result;
    result.hsi = kHsi * kMhz;
    result.system = system[field(rcc(0x1C), 2, 2)] * kMhz;
    result.core = result.bus = result.system / ahb_divider(field(cfgr2, 0, 4));
    set_apb(result, 1, field(cfgr2, 4, 3));
    set_apb(result, 2, field(cfgr2, 8, 3));
    set_apb(result, 3, field(rcc(0x24), 4, 3));
    return result;
}

Frequencies of_f7(const RccReader& rcc, const OscillatorParameters& oscillators) {
    constexpr double kHsi = 16;
    const std::uint32_t cfgr = rcc(0x08), pll = rcc(0x04);
    const double source = field(pll, 22, 1) != 0 ? oscillators.hse.value : kHsi;
    const std::uint32_t m = field(pll, 0, 6);
    const double pll_p = m == 0 ? 0 : source / m * field(pll, 6, 9) / (2 * (field(pll, 16, 2) + 1));
    const std::array<double, 4> system{kHsi, oscillators.hse.value, pll_p, 0};
    Frequencies result;
    result.hsi = kHsi * kMhz;
    result.system = system[field(cfgr, 2, 2)] * kMhz;
    result.core = result.bus = result.system / ahb_divider(field(cfgr, 4, 4));
    set_apb(result, 1, field(cfgr, 10, 3));
    set_apb(result, 2, field(cfgr, 13, 3));
    return result;
}

Frequencies of_h7(const RccReader& rcc, const OscillatorParameters& oscillators) {
    constexpr double kHsi = 64;
    const std::uint32_t select = rcc(0x28), dividers = rcc(0x30), domain1 = rcc(0x18);
    const double hsi = kHsi / static_cast<double>(1u << field(rcc(0x00), 3, 2));
    const std::array<double, 4> sources{hsi, oscillators.csi.value, oscillators.hse.value, 0};
    const std::uint32_t m = field(select, 4, 6);
    constexpr double kFractions = 8192;
    const double fraction = field(rcc(0x2C), 0, 1) != 0 ? field(rcc(0x34), 3, 13) / kFractions : 0;
    const double pll_p = m == 0 ? 0
                                : sources[field(select, 0, 2)] / m *
                                      (field(dividers, 0, 9) + 1 + fraction) /
                                      (field(dividers, 9, 7) + 1);
    const std::array<double, 8> system{hsi, oscillators.csi.value, oscillators.hse.value, pll_p};
    Frequencies result;
    result.hsi = hsi * kMhz;
    result.system = system[field(rcc(0x10), 3, 3)] * kMhz;
    result.core = result.system / ahb_divider(field(domain1, 8, 4));
    result.bus = result.core / ahb_divider(field(domain1, 0, 4));
    const std::uint32_t domain2 = rcc(0x1C);
    set_apb(result, 1, field(domain2, 4, 3));
    set_apb(result, 2, field(domain2, 8, 3));
    set_apb(result, 3, field(domain1, 4, 3));
    set_apb(result, 4, field(rcc(0x20), 4, 3));
    return result;
}

}  // namespace

Frequencies frequencies(ChipFamily family, const RccReader& rcc,
                        const OscillatorParameters& oscillators) {
    switch (family) {
        case ChipFamily::L4:
            return of_l4(rcc, oscillators);
        case ChipFamily::U5:
            return of_u5(rcc, oscillators);
        case ChipFamily::F7:
            return of_f7(rcc, oscillators);
        default:
            return of_h7(rcc, oscillators);
    }
}

unsigned apb_of(ChipFamily family, std::uint32_t base) {
    const std::uint32_t block = base >> 16;
    if (block == 0x4000) return 1;
    if (block == 0x4001) return 2;
    if (family == ChipFamily::U5 && base >= 0x46000000 && base < 0x46020000) return 3;
    if (family == ChipFamily::H7 && block == 0x5000) return 3;
    // Only its low part is an APB; the rest, from EXTI's neighbours up, has no kernel clocks.
    if (family == ChipFamily::H7 && base >= 0x58000000 && base < 0x58020000) return 4;
    return 0;
}

double serial_kernel_hz(ChipFamily family, const memmap::ChipPeripheral& port, const RccReader& rcc,
                        const Frequencies& clocks) {
    const unsigned apb = apb_of(family, port.base);
    const double own = apb == 0 ? clocks.bus : clocks.apb[apb];
    const std::string_view name = port.name;
    std::uint32_t code = 0;
    if (family == ChipFamily::L4 && name == "USART1") code = field(rcc(0x88), 0, 2);
    if (family == ChipFamily::L4 && name == "LPUART1") code = field(rcc(0x88), 10, 2);
    if (family == ChipFamily::U5 && name == "USART1") code = field(rcc(0xE0), 0, 2);
    if (code == 1) return clocks.system;
    return code == 2 ? clocks.hsi : own;
}

}  // namespace n6vp::models::mcu_chip
