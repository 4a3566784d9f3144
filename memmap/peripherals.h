// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "memmap/guest_addr.h"
#include "memmap/regions.h"

/// Register-block bases of the peripherals that firmware and runtime touch. Source: CMSIS device
/// header.
namespace n6vp::memmap {

struct Peripheral {
    const char* name;
    GuestAddr secure;  ///< the non-secure alias is kSecureOffset below, unless `secure_only`
    bool secure_only = false;

    [[nodiscard]] constexpr GuestAddr non_secure() const {
        return GuestAddr{to_word(secure) - (secure_only ? 0 : kSecureOffset)};
    }
};

/// By ascending address.
inline constexpr Peripheral kPeripherals[] = {
    {"TIM2", GuestAddr{0x50000000}},      {"TIM5", GuestAddr{0x50000C00}},
    {"I2C2", GuestAddr{0x50005800}},      {"GPDMA1", GuestAddr{0x50021000}},
    {"USART1", GuestAddr{0x52001000}},    {"RAMCFG", GuestAddr{0x52023000}},
    {"DBGMCU", GuestAddr{0x54001000}},    {"RNG", GuestAddr{0x54020000}},
    {"HASH", GuestAddr{0x54020400}},      {"RIFSC", GuestAddr{0x54024000}},
    {"IAC", GuestAddr{0x54025000}, true}, {"RISAF1", GuestAddr{0x54026000}},
    {"RISAF2", GuestAddr{0x54027000}},    {"RISAF3", GuestAddr{0x54028000}},
    {"RISAF4", GuestAddr{0x54029000}},    {"RISAF5", GuestAddr{0x5402A000}},
    {"RISAF6", GuestAddr{0x5402B000}},    {"RISAF7", GuestAddr{0x5402C000}},
    {"RISAF8", GuestAddr{0x5402D000}},    {"RISAF9", GuestAddr{0x5402E000}},
    {"RISAF11", GuestAddr{0x54030000}},   {"RISAF12", GuestAddr{0x54031000}},
    {"RISAF13", GuestAddr{0x54032000}},   {"RISAF14", GuestAddr{0x54033000}},
    {"RISAF15", GuestAddr{0x54034000}},   {"RISAF21", GuestAddr{0x54035000}},
    {"RISAF22", GuestAddr{0x54036000}},   {"RISAF23", GuestAddr{0x54037000}},
    {"LPUART1", GuestAddr{0x56000C00}},   {"RTC", GuestAddr{0x56004000}},
    {"TAMP", GuestAddr{0x56004400}},      {"IWDG", GuestAddr{0x56004800}},
    {"SYSCFG", GuestAddr{0x56008000}},    {"BSEC", GuestAddr{0x56009000}},
    {"GPIOA", GuestAddr{0x56020000}},     {"GPIOB", GuestAddr{0x56020400}},
    {"GPIOC", GuestAddr{0x56020800}},     {"GPIOD", GuestAddr{0x56020C00}},
    {"GPIOE", GuestAddr{0x56021000}},     {"GPIOF", GuestAddr{0x56021400}},
    {"GPIOG", GuestAddr{0x56021800}},     {"GPIOH", GuestAddr{0x56021C00}},
    {"GPION", GuestAddr{0x56023400}},     {"GPIOO", GuestAddr{0x56023800}},
    {"GPIOP", GuestAddr{0x56023C00}},     {"GPIOQ", GuestAddr{0x56024000}},
    {"PWR", GuestAddr{0x56024800}},       {"CRC", GuestAddr{0x56024C00}},
    {"EXTI", GuestAddr{0x56025000}},      {"RCC", GuestAddr{0x56028000}},
    {"VENC", GuestAddr{0x58005000}},      {"HPDMA1", GuestAddr{0x58020000}},
    {"FMC", GuestAddr{0x58024000}},       {"XSPI1", GuestAddr{0x58025000}},
    {"XSPI2", GuestAddr{0x5802A000}},     {"XSPIM", GuestAddr{0x5802B400}},
    {"MCE1", GuestAddr{0x5802B800}},      {"MCE2", GuestAddr{0x5802BC00}},
    {"MCE3", GuestAddr{0x5802C000}},      {"XSPI3", GuestAddr{0x5802D000}},
    {"MCE4", GuestAddr{0x5802E000}},      {"CACHEAXI", GuestAddr{0x580DFC00}},
    {"NPU", GuestAddr{0x580E0000}},
};
inline constexpr std::uint32_t kPeripheralCount = sizeof kPeripherals / sizeof kPeripherals[0];

/// One bank of the RAM configuration block, at RAMCFG + `offset`; its control register is the first
/// word.
struct RamConfigBank {
    const char* name;
    std::uint32_t offset;
};
inline constexpr RamConfigBank kRamConfigBanks[] = {
    {"AXISRAM1", 0x000}, {"AXISRAM2", 0x080}, {"AXISRAM3", 0x100}, {"AXISRAM4", 0x180},
    {"AXISRAM5", 0x200}, {"AXISRAM6", 0x280}, {"AHBSRAM1", 0x300}, {"AHBSRAM2", 0x380},
    {"VENCRAM", 0x400},  {"BKPSRAM", 0x480},  {"FLEXMEM", 0x500},
};

/// A peripheral and how far into the space behind its base an address lies.
struct PeripheralHit {
    const Peripheral* peripheral = nullptr;
    bool secure = false;
    std::uint32_t offset = 0;
    [[nodiscard]] constexpr explicit operator bool() const { return peripheral != nullptr; }
};

[[nodiscard]] constexpr bool in_peripheral_space(GuestAddr address) {
    return to_word(address) >= 0x40000000u && to_word(address) < 0x60000000u;
}

/// Returns the known peripheral with the highest base at or below `address` in the same alias.
/// Block lengths are not in the table, so a large offset means an address that may belong to a
/// peripheral this table does not know.
[[nodiscard]] constexpr PeripheralHit find_peripheral(GuestAddr address) {
    PeripheralHit hit;
    if (!in_peripheral_space(address)) return hit;
    const bool secure = to_word(address) >= 0x50000000u;
    for (const Peripheral& candidate : kPeripherals) {
        if (!secure && candidate.secure_only) continue;
        const GuestAddr base = secure ? candidate.secure : candidate.non_secure();
        if (to_word(base) > to_word(address)) break;
        hit = {&candidate, secure, to_word(address) - to_word(base)};
    }
    return hit;
}

namespace detail {
[[nodiscard]] constexpr bool peripherals_ascend() {
    for (std::uint32_t i = 0; i < kPeripheralCount; ++i) {
        if (to_word(kPeripherals[i].secure) >> 28 != 5) return false;
        if (i != 0 && to_word(kPeripherals[i].secure) <= to_word(kPeripherals[i - 1].secure)) {
            return false;
        }
    }
    return true;
}
}  // namespace detail
static_assert(detail::peripherals_ascend());

}  // namespace n6vp::memmap
