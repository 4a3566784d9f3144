// SPDX-License-Identifier: Apache-2.0
#include "models/soc/mcu/frequencies.h"

#include <algorithm>

namespace n6vp::models::mcu {
namespace {

// Offsets and fields: CMSIS device headers, RCC_TypeDef.
using memmap::ChipFamily;

constexpr double kMega = 1e6;

[[nodiscard]] std::uint32_t field(std::uint32_t value, unsigned lsb, unsigned width) {
    return value >> lsb & ((1u << width) - 1);
}

/// By MSIRANGE; further codes are reserved.
constexpr std::array<double, 12> kL4MsiHz{100e3, 200e3, 400e3, 800e3, 1e6,  2e6,
                                          4e6,   8e6,   16e6,  24e6,  32e6, 48e6};
/// By MSISRANGE: four RC oscillators of 48, 4, 3.072 and 0.4 MHz, by 1 to 4 each.
constexpr std::array<double, 16> kU5MsiHz{48e6,    24e6,  16e6,      12e6,    4e6,     2e6,
                                          4e6 / 3, 1e6,   3.072e6,   1.536e6, 1.024e6, 0.768e6,
                                          400e3,   200e3, 400e3 / 3, 100e3};

[[nodiscard]] double l4_msi_hz(const RccRegisters& reg) {
    const std::uint32_t control = reg(0x00);
    const bool selected = field(control, 3, 1) != 0;  // MSIRGSEL
    const std::uint32_t range = selected ? field(control, 4, 4) : field(reg(0x94), 8, 4);
    return range < kL4MsiHz.size() ? kL4MsiHz[range] : 0;
}

[[nodiscard]] double u5_msi_hz(const RccRegisters& reg) {
    const std::uint32_t control = reg(0x08);
    const bool selected = field(control, 23, 1) != 0;  // MSIRGSEL
    return kU5MsiHz[selected ? field(control, 28, 4) : field(reg(0xF4), 12, 4)];
}

[[nodiscard]] double h7_hsi_hz(const RccRegisters& reg) {
    return kHsi64 / (1u << field(reg(0x00), 3, 2));
}

[[nodiscard]] double l4_pll_hz(const RccRegisters& reg, const OscillatorParameters& oscillators) {
    const std::uint32_t set = reg(0x0C);
    const std::array<double, 4> sources{0, l4_msi_hz(reg), kHsi16, oscillators.hse.value * kMega};
    if (field(set, 24, 1) == 0) return 0;  // PLLREN
    // The field of M is 3 bits wide on the L475, where the fourth reads zero.
    return sources[field(set, 0, 2)] / (field(set, 4, 4) + 1) * field(set, 8, 7) /
           (2 * (field(set, 25, 2) + 1));
}

[[nodiscard]] double f7_pll_hz(const RccRegisters& reg, const OscillatorParameters& oscillators) {
    const std::uint32_t set = reg(0x04);
    const std::uint32_t divider = field(set, 0, 6);
    if (divider < 2) return 0;
    const double source = field(set, 22, 1) != 0 ? oscillators.hse.value * kMega : kHsi16;
    return source / divider * field(set, 6, 9) / (2 * (field(set, 16, 2) + 1));
}

/// Multiplier of a PLL with 13 bits of fraction.
[[nodiscard]] double multiplier(std::uint32_t whole, std::uint32_t fraction, bool fractional) {
    constexpr double kOne = 8192;
    return whole + 1 + (fractional ? field(fraction, 3, 13) / kOne : 0);
}

[[nodiscard]] double u5_pll_hz(const RccRegisters& reg, const OscillatorParameters& oscillators) {
    const std::uint32_t set = reg(0x28), dividers = reg(0x34);
    const std::array<double, 4> sources{0, u5_msi_hz(reg), kHsi16, oscillators.hse.value * kMega};
    if (field(set, 18, 1) == 0) return 0;  // PLL1REN
    return sources[field(set, 0, 2)] / (field(set, 8, 4) + 1) *
           multiplier(field(dividers, 0, 9), reg(0x38), field(set, 4, 1) != 0) /
           (field(dividers, 24, 7) + 1);
}

[[nodiscard]] double h7_pll_hz(const RccRegisters& reg, const OscillatorParameters& oscillators) {
    const std::uint32_t select = reg(0x28), set = reg(0x2C), dividers = reg(0x30);
    const std::array<double, 4> sources{h7_hsi_hz(reg), oscillators.csi.value * kMega,
                                        oscillators.hse.value * kMega, 0};
    const std::uint32_t divider = field(select, 4, 6);
    if (divider == 0 || field(set, 16, 1) == 0) return 0;  // DIVM1, DIVP1EN
    return sources[field(select, 0, 2)] / divider *
           multiplier(field(dividers, 0, 9), reg(0x34), field(set, 0, 1) != 0) /
           (field(dividers, 9, 7) + 1);
}

/// By HPRE and the core's prescaler of the H7: 1 below 8, then 2, 4, 8, 16, 64 to 512.
[[nodiscard]] double ahb_divider(std::uint32_t code) {
    if (code < 8) return 1;
    const unsigned power = code - 7;
    return 1u << (power > 4 ? power + 1 : power);
}

/// By PPREx: 1 below 4, then 2, 4, 8, 16.
[[nodiscard]] double apb_divider(std::uint32_t code) {
    return code < 4 ? 1 : 1u << (code - 3);
}

/// Timers run at the clock of the AHB while the APB divides by 1 or 2 (4 with TIMPRE), else at
/// twice (4 times) the clock of the APB.
[[nodiscard]] double timer_hz(double hclk, double pclk, bool timpre) {
    return std::min(hclk, pclk * (timpre ? 4 : 2));
}

struct Prescalers {
    std::uint32_t core = 0, hpre = 0;
    std::array<std::uint32_t, 4> ppre{};
    unsigned buses = 2;
    bool timpre = false;
};

[[nodiscard]] Prescalers prescalers_of(const memmap::Chip& chip, const RccRegisters& reg) {
    switch (chip.family) {
        case ChipFamily::L4: {
            const std::uint32_t set = reg(0x08);
            return {0, field(set, 4, 4), {field(set, 8, 3), field(set, 11, 3)}, 2, false};
        }
        case ChipFamily::F7: {
            const std::uint32_t set = reg(0x08);
            return {0,
                    field(set, 4, 4),
                    {field(set, 10, 3), field(set, 13, 3)},
                    2,
                    field(reg(0x8C), 24, 1) != 0};
        }
        case ChipFamily::U5: {
            const std::uint32_t set = reg(0x20);
            return {0,
                    field(set, 0, 4),
                    {field(set, 4, 3), field(set, 8, 3), field(reg(0x24), 4, 3)},
                    3,
                    false};
        }
        case ChipFamily::H7: {
            const std::uint32_t first = reg(0x18), second = reg(0x1C);
            return {field(first, 8, 4),
                    field(first, 0, 4),
                    {field(second, 4, 3), field(second, 8, 3), field(first, 4, 3),
                     field(reg(0x20), 4, 3)},
                    4,
                    field(reg(0x10), 15, 1) != 0};
        }
    }
    return {};
}

}  // namespace

double source_hz(const memmap::Chip& chip, const RccRegisters& registers,
                 const OscillatorParameters& oscillators, std::uint32_t code) {
    const double hse = oscillators.hse.value * kMega;
    switch (chip.family) {
        case ChipFamily::L4:
            switch (code) {
                case 0:
                    return l4_msi_hz(registers);
                case 1:
                    return kHsi16;
                case 2:
                    return hse;
                case 3:
                    return l4_pll_hz(registers, oscillators);
                default:
                    return 0;
            }
        case ChipFamily::U5:
            switch (code) {
                case 0:
                    return u5_msi_hz(registers);
                case 1:
                    return kHsi16;
                case 2:
                    return hse;
                case 3:
                    return u5_pll_hz(registers, oscillators);
                default:
                    return 0;
            }
        case ChipFamily::F7:
            switch (code) {
                case 0:
                    return kHsi16;
                case 1:
                    return hse;
                case 2:
                    return f7_pll_hz(registers, oscillators);
                default:
                    return 0;
            }
        case ChipFamily::H7:
            switch (code) {
                case 0:
                    return h7_hsi_hz(registers);
                case 1:
                    return oscillators.csi.value * kMega;
                case 2:
                    return hse;
                case 3:
                    return h7_pll_hz(registers, oscillators);
                default:
                    return 0;
            }
    }
    return 0;
}

Frequencies frequencies(const memmap::Chip& chip, const RccRegisters& registers,
                        const OscillatorParameters& oscillators, std::uint32_t code) {
    const Prescalers set = prescalers_of(chip, registers);
    Frequencies result;
    result.system = source_hz(chip, registers, oscillators, code);
    // HPRE stands behind the core's prescaler on the H7; elsewhere the core runs at HCLK.
    const double behind = result.system / ahb_divider(set.core);
    result.hclk = behind / ahb_divider(set.hpre);
    result.core = chip.family == ChipFamily::H7 ? behind : result.hclk;
    for (unsigned bus = 0; bus < set.buses; ++bus) {
        result.pclk[bus] = result.hclk / apb_divider(set.ppre[bus]);
    }
    for (unsigned bus = 0; bus < result.timer.size(); ++bus) {
        result.timer[bus] = timer_hz(result.hclk, result.pclk[bus], set.timpre);
    }
    return result;
}

}  // namespace n6vp::models::mcu
