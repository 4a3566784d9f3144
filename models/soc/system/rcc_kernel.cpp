// SPDX-License-Identifier: Apache-2.0
// Kernel clocks of the peripherals. Sources: CMSIS device header (selection fields), LL driver
// (which code is which clock), HAL (clock of the timers).
#include <algorithm>
#include <iterator>
#include <string_view>

#include "models/soc/system/rcc.h"
#include "models/soc/system/rcc_tables.h"

namespace n6vp::models {
namespace rcc_kernel {
namespace {

enum class KernelSource : std::uint8_t {
    None,
    Hclk,
    Pclk1,
    Pclk2,
    Pclk4,
    Pclk5,
    Per,  ///< per_ck, by PERSEL
    Ic4,
    Ic5,
    Ic7,
    Ic8,
    Ic9,
    Ic10,
    Ic14,
    Ic15,
    Ic16,
    Ic19,
    Lse,
    Lsi,
    Msi,
    Hsi,
    Hse,
    Timers,
};

using Sources = std::array<KernelSource, 8>;  ///< by code

constexpr Sources i2c_sources(KernelSource bus) {
    using enum KernelSource;
    return {bus, Per, Ic10, Ic15, Msi, Hsi, None, None};
}
constexpr Sources serial_sources(KernelSource bus) {
    using enum KernelSource;
    return {bus, Per, Ic9, Ic14, Lse, Msi, Hsi, None};
}
/// Without the clock of the pin I2S_CKIN, which nothing drives.
constexpr Sources spi_sources(KernelSource bus) {
    using enum KernelSource;
    return {bus, Per, Ic8, Ic9, Msi, Hsi, None, None};
}
/// Of the units with limited features.
constexpr Sources limited_spi_sources(KernelSource bus) {
    using enum KernelSource;
    return {bus, Per, Ic9, Ic14, Msi, Hsi, Hse, None};
}
/// Of two bits.
constexpr Sources card_sources() {
    using enum KernelSource;
    return {Hclk, Per, Ic4, Ic5, Hclk, Per, Ic4, Ic5};
}
constexpr Sources kAdcSources{KernelSource::Hclk, KernelSource::Per,   KernelSource::Ic7,
                              KernelSource::Ic8,  KernelSource::Msi,   KernelSource::Hsi,
                              KernelSource::None, KernelSource::Timers};
constexpr Sources low_power_timer_sources(KernelSource bus) {
    using enum KernelSource;
    return {bus, Per, Ic15, Lse, Lsi, Timers, None, None};
}

/// None: the pin I2S_CKIN.
constexpr Sources sound_sources(KernelSource bus, KernelSource last) {
    using enum KernelSource;
    return {bus, Per, Ic7, Ic8, Msi, Hsi, None, last};
}

struct KernelRow {
    std::string_view unit;
    std::uint32_t offset;  ///< of the register that selects, with 3 bits
    unsigned position;
    Sources sources;
};
using enum KernelSource;
constexpr KernelRow kKernels[] = {
    {"ADF1", rcc::kCcipr1, 0, sound_sources(Hclk, Timers)},
    {"ADC1", rcc::kCcipr1, 4, kAdcSources},  // before ADCPRE
    {"ADC2", rcc::kCcipr1, 4, kAdcSources},
    {"FDCAN1", rcc::kCcipr3, 0, {Pclk1, Per, Ic19, Hse, Pclk1, Per, Ic19, Hse}},  // 2 bits, of all
    {"I2C1", rcc::kCcipr4, 0, i2c_sources(Pclk1)},
    {"I2C2", rcc::kCcipr4, 4, i2c_sources(Pclk1)},
    {"I2C3", rcc::kCcipr4, 8, i2c_sources(Pclk1)},
    {"I2C4", rcc::kCcipr4, 12, i2c_sources(Pclk4)},
    {"LPTIM1", rcc::kCcipr12, 8, low_power_timer_sources(Pclk1)},
    {"LPTIM2", rcc::kCcipr12, 12, low_power_timer_sources(Pclk4)},
    {"LPTIM3", rcc::kCcipr12, 16, low_power_timer_sources(Pclk4)},
    {"LPTIM4", rcc::kCcipr12, 20, low_power_timer_sources(Pclk4)},
    {"LPTIM5", rcc::kCcipr12, 24, low_power_timer_sources(Pclk4)},
    {"LTDC", rcc::kCcipr4, 24, {Pclk5, Per, Ic16, Hsi, Pclk5, Per, Ic16, Hsi}},  // 2 bits
    {"SPI1", rcc::kCcipr9, 4, spi_sources(Pclk2)},
    {"SPI2", rcc::kCcipr9, 8, spi_sources(Pclk1)},
    {"SPI3", rcc::kCcipr9, 12, spi_sources(Pclk1)},
    {"SPI4", rcc::kCcipr9, 16, limited_spi_sources(Pclk2)},
    {"SPI5", rcc::kCcipr9, 20, limited_spi_sources(Pclk2)},
    {"SPI6", rcc::kCcipr9, 24, spi_sources(Pclk4)},
    {"SDMMC1", rcc::kCcipr8, 0, card_sources()},
    {"SDMMC2", rcc::kCcipr8, 4, card_sources()},
    {"MDF1", rcc::kCcipr5, 16, sound_sources(Hclk, Timers)},
    {"RTC", rcc::kCcipr7, 8, {None, Lse, Lsi, Hse, None, Lse, Lsi, Hse}},  // 2 bits, before RTCPRE
    {"SAI1", rcc::kCcipr7, 20, sound_sources(Pclk2, None)},                // last: SPDIFRX1
    {"SAI2", rcc::kCcipr7, 24, sound_sources(Pclk2, None)},
    {"USART1", rcc::kCcipr13, 0, serial_sources(Pclk2)},
    {"USART2", rcc::kCcipr13, 4, serial_sources(Pclk1)},
    {"USART3", rcc::kCcipr13, 8, serial_sources(Pclk1)},
    {"UART4", rcc::kCcipr13, 12, serial_sources(Pclk1)},
    {"UART5", rcc::kCcipr13, 16, serial_sources(Pclk1)},
    {"USART6", rcc::kCcipr13, 20, serial_sources(Pclk2)},
    {"UART7", rcc::kCcipr13, 24, serial_sources(Pclk1)},
    {"UART8", rcc::kCcipr13, 28, serial_sources(Pclk1)},
    {"UART9", rcc::kCcipr14, 0, serial_sources(Pclk2)},
    {"USART10", rcc::kCcipr14, 4, serial_sources(Pclk2)},
    {"LPUART1", rcc::kCcipr14, 8, serial_sources(Pclk4)},
};

[[nodiscard]] KernelSource source_of(std::string_view unit,
                                     const std::function<std::uint32_t(std::uint32_t)>& value) {
    if (unit.starts_with("TIM")) return Timers;
    const auto* const row =
        std::find_if(std::begin(kKernels), std::end(kKernels),
                     [unit](const KernelRow& each) { return each.unit == unit; });
    if (row == std::end(kKernels)) return None;
    return row->sources[value(row->offset) >> row->position & 7];
}

}  // namespace
}  // namespace rcc_kernel

/// PERSEL: HSI, MSI, HSE, IC19, IC5, IC10, IC15, IC20.
double Rcc::per_hz() const {
    const std::uint32_t select = get(rcc::kCcipr7) & 7;
    constexpr std::array<unsigned, 5> kDividers{19, 5, 10, 15, 20};
    return select < 3 ? oscillator_hz(select) : divider_hz(kDividers[select - 3]);
}

bool Rcc::clocks_peripherals(std::uint32_t offset) {
    using memmap::ClockBus;
    if (offset < rcc::kFirstReset || offset == rcc::kDivEnr) return true;
    for (const ClockBus bus : {ClockBus::Apb1, ClockBus::Apb2, ClockBus::Apb4}) {
        const auto enable = static_cast<std::uint32_t>(bus);
        if (offset == enable || offset == enable - rcc::kToReset) return true;
    }
    return false;
}

double Rcc::kernel_hz(std::string_view unit) const {
    return source_hz(unit) / kernel_divider(unit);
}

/// ADCPRE, and RTCPRE, which divides HSE only.
unsigned Rcc::kernel_divider(std::string_view unit) const {
    const std::uint32_t selections = get(rcc::kCcipr7);
    if (unit.starts_with("ADC")) return (get(rcc::kCcipr1) >> 8 & 0xFF) + 1;
    if (unit == "RTC" && (selections >> 8 & 3) == 3) return (selections >> 12 & 0x3F) + 1;
    return 1;
}

double Rcc::source_hz(std::string_view unit) const {
    using enum rcc_kernel::KernelSource;
    const std::uint32_t prescalers = get(rcc::kCfgr2);
    const auto apb = [&](unsigned position) {
        return clocks_.hz(memmap::ClockDomain::Ahb) / (1u << (prescalers >> position & 7));
    };
    switch (rcc_kernel::source_of(unit, [this](std::uint32_t offset) { return get(offset); })) {
        case Hclk:
            return clocks_.hz(memmap::ClockDomain::Ahb);
        case Pclk1:
            return apb(0);
        case Pclk2:
            return apb(4);
        case Pclk4:
            return apb(12);
        case Pclk5:
            return apb(16);
        case Per:
            return per_hz();
        case Ic4:
            return divider_hz(4);
        case Ic5:
            return divider_hz(5);
        case Ic7:
            return divider_hz(7);
        case Ic8:
            return divider_hz(8);
        case Ic9:
            return divider_hz(9);
        case Ic10:
            return divider_hz(10);
        case Ic14:
            return divider_hz(14);
        case Ic15:
            return divider_hz(15);
        case Ic16:
            return divider_hz(16);
        case Ic19:
            return divider_hz(19);
        case Lse:
            return (get(rcc::kCr) & 2) != 0 ? parameters_.lse.value * 1e3 : 0;
        case Lsi:
            return (get(rcc::kCr) & 1) != 0 ? parameters_.lsi.value * 1e3 : 0;
        case Msi:
            return oscillator_hz(1);
        case Hsi:
            return oscillator_hz(0);
        case Hse:
            return oscillator_hz(2);
        case Timers:
            return clocks_.hz(memmap::ClockDomain::Noc) / (1u << (prescalers >> 24 & 3));
        case None:
            break;
    }
    return 0;
}

}  // namespace n6vp::models
