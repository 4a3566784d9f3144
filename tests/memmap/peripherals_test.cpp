// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "memmap/interrupts.h"
#include "memmap/peripherals.h"

namespace {

using namespace n6vp;

struct Base {
    const char* name;
    std::uint32_t secure;
};

// Typed from the public base table.
const Base kBases[] = {
    {"NPU", 0x580E0000},     {"CACHEAXI", 0x580DFC00}, {"RCC", 0x56028000},
    {"PWR", 0x56024800},     {"RAMCFG", 0x52023000},   {"SYSCFG", 0x56008000},
    {"RIFSC", 0x54024000},   {"IAC", 0x54025000},      {"BSEC", 0x56009000},
    {"XSPI1", 0x58025000},   {"XSPI2", 0x5802A000},    {"XSPI3", 0x5802D000},
    {"XSPIM", 0x5802B400},   {"MCE1", 0x5802B800},     {"MCE2", 0x5802BC00},
    {"MCE3", 0x5802C000},    {"MCE4", 0x5802E000},     {"FMC", 0x58024000},
    {"HPDMA1", 0x58020000},  {"GPDMA1", 0x50021000},   {"USART1", 0x52001000},
    {"LPUART1", 0x56000C00}, {"TIM2", 0x50000000},     {"TIM5", 0x50000C00},
    {"I2C2", 0x50005800},    {"GPIOA", 0x56020000},    {"GPIOE", 0x56021000},
    {"GPIOG", 0x56021800},   {"EXTI", 0x56025000},     {"CRC", 0x56024C00},
    {"DBGMCU", 0x54001000},  {"RTC", 0x56004000},      {"TAMP", 0x56004400},
    {"IWDG", 0x56004800},    {"VENC", 0x58005000},     {"GPIOB", 0x56020400},
    {"GPIOC", 0x56020800},   {"GPIOD", 0x56020C00},    {"GPIOF", 0x56021400},
    {"GPIOH", 0x56021C00},   {"GPION", 0x56023400},    {"GPIOO", 0x56023800},
    {"GPIOP", 0x56023C00},   {"GPIOQ", 0x56024000},    {"RNG", 0x54020000},
    {"HASH", 0x54020400},
};

std::uint32_t base_of(const std::string& name) {
    for (const memmap::Peripheral& row : memmap::kPeripherals) {
        if (name == row.name) return to_word(row.secure);
    }
    return 0;
}

std::uint16_t line_of(const std::string& name) {
    for (const memmap::Interrupt& row : memmap::kInterrupts) {
        if (name == row.name) return row.first;
    }
    return 0xFFFF;
}

}  // namespace

TEST_CASE("peripherals stand at their documented bases and resolve from both aliases") {
    for (const Base& row : kBases) {
        CAPTURE(row.name);
        CHECK(base_of(row.name) == row.secure);
        const memmap::PeripheralHit hit = memmap::find_peripheral(GuestAddr{row.secure + 8});
        REQUIRE(hit);
        CHECK(std::string(hit.peripheral->name) == row.name);
        CHECK(hit.secure);
        CHECK(hit.offset == 8);
        if (std::strcmp(row.name, "IAC") == 0) continue;
        const memmap::PeripheralHit low =
            memmap::find_peripheral(GuestAddr{row.secure - 0x10000000});
        REQUIRE(low);
        CHECK(std::string(low.peripheral->name) == row.name);
        CHECK_FALSE(low.secure);
    }
    CHECK(memmap::kPeripheralCount == sizeof kBases / sizeof kBases[0] + 17);  // and the 17 RISAFs
}

TEST_CASE("RISAF blocks follow their three base formulas") {
    for (std::uint32_t n = 1; n <= 9; ++n) {
        CHECK(base_of("RISAF" + std::to_string(n)) == 0x54026000 + 0x1000 * (n - 1));
    }
    for (std::uint32_t n = 11; n <= 15; ++n) {
        CHECK(base_of("RISAF" + std::to_string(n)) == 0x54030000 + 0x1000 * (n - 11));
    }
    for (std::uint32_t n = 21; n <= 23; ++n) {
        CHECK(base_of("RISAF" + std::to_string(n)) == 0x54035000 + 0x1000 * (n - 21));
    }
    CHECK(base_of("RISAF10") == 0);
}

TEST_CASE("addresses outside the peripheral space are no peripheral") {
    CHECK_FALSE(memmap::find_peripheral(GuestAddr{0x34000000}));
    CHECK_FALSE(memmap::find_peripheral(GuestAddr{0x60000000}));
    CHECK(memmap::find_peripheral(GuestAddr{0x5FFFFFFF}));
    // The illegal-access controller has no non-secure alias: RIFSC is the last known block below.
    const memmap::PeripheralHit hit = memmap::find_peripheral(GuestAddr{0x44025000});
    REQUIRE(hit);
    CHECK(std::string(hit.peripheral->name) == "RIFSC");
}

TEST_CASE("interrupt lines are the documented ones") {
    CHECK(line_of("NPU0") == 53);
    CHECK(line_of("NPU3") == 56);
    CHECK(line_of("CACHEAXI") == 57);
    CHECK(line_of("IAC") == 13);
    CHECK(line_of("RIFSC_TAMPER") == 12);
    CHECK(line_of("CACHE_ECC") == 5);
    CHECK(line_of("TCM_ECC") == 6);
    CHECK(line_of("BKP_ECC") == 7);
    CHECK(line_of("PAHB_ERR") == 52);
    CHECK(line_of("USART1") == 159);
    CHECK(line_of("LPUART1") == 169);
    CHECK(line_of("XSPI1") == 170);
    CHECK(line_of("XSPI3") == 172);
    CHECK(line_of("FMC") == 173);
    CHECK(line_of("MCE4") == 45);
    CHECK(line_of("RNG") == 40);
    CHECK(line_of("TIM2") == 116);
    CHECK(line_of("TIM5") == 119);
    CHECK(memmap::interrupt_line("USART1") == 159);
    CHECK(memmap::interrupt_line("NPU0") == 53);
    CHECK(memmap::interrupt_line("FMC") == 173);
    CHECK(memmap::interrupt_on_line(68) == memmap::interrupt_on_line(83));
    CHECK(std::string(memmap::interrupt_on_line(84)->name) == "GPDMA1");
    CHECK(memmap::interrupt_on_line(100) == nullptr);
    CHECK(memmap::interrupt_on_line(memmap::kNpuDefaultLine) == memmap::interrupt_on_line(53));
}

TEST_CASE("RAM configuration banks are 0x80 apart, in the documented order") {
    const char* const order[] = {"AXISRAM1", "AXISRAM2", "AXISRAM3", "AXISRAM4",
                                 "AXISRAM5", "AXISRAM6", "AHBSRAM1", "AHBSRAM2",
                                 "VENCRAM",  "BKPSRAM",  "FLEXMEM"};
    std::uint32_t index = 0;
    for (const memmap::RamConfigBank& bank : memmap::kRamConfigBanks) {
        REQUIRE(index < sizeof order / sizeof order[0]);
        CHECK(std::string(bank.name) == order[index]);
        CHECK(bank.offset == 0x80 * index);
        ++index;
    }
    CHECK(index == sizeof order / sizeof order[0]);
}
