// SPDX-License-Identifier: Apache-2.0
// A microcontroller: lines of its serial ports, what a reset takes back, memories from outside.
// Numbers of lines: IRQn_Type of the device headers; sizes: data sheets.
#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "memmap/chips/chips.h"
#include "models/chip/mcu/core_of_chip.h"
#include "models/chip/mcu/microcontroller.h"

using namespace n6vp;
using models::mcu_chip::Microcontroller;

namespace {

struct LinesOfChip {
    const char* chip;
    std::map<std::string, unsigned> uarts;
    std::uint32_t flash_size_at, flash_kib, ram;
};

/// Takes them back, too.
std::vector<unsigned> pending_lines(Microcontroller& unit) {
    models::core::Core& core = unit.core().core();
    std::vector<unsigned> lines;
    for (std::uint32_t i = 0; i < 8; ++i) {
        std::uint32_t word = 0;
        REQUIRE(core.system().read_ppb(core.state(), 0xE000E200 + 4 * i, 4, core.cycles(), word));
        for (unsigned bit = 0; bit < 32; ++bit) {
            if ((word >> bit & 1) != 0) lines.push_back(32 * i + bit);
        }
        REQUIRE(core.system().write_ppb(core.state(), 0xE000E280 + 4 * i, 4, core.cycles(),
                                        0xFFFFFFFF));
    }
    return lines;
}

void check_lines(const LinesOfChip& row) {
    const memmap::Chip& chip = *memmap::find_chip(row.chip);
    Microcontroller unit("chip", chip, models::mcu_chip::parameters_of_chip(chip));
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    CHECK(pending_lines(unit).empty());
    for (const auto& each : row.uarts) {
        const auto& [name, line] = each;
        CAPTURE(each.first);
        models::Uart* const uart = unit.uart(name);
        REQUIRE(uart != nullptr);
        uart->on_interrupt(true);
        CHECK(pending_lines(unit) == std::vector<unsigned>{line});
        uart->on_interrupt(false);
        (void)pending_lines(unit);
        CHECK(pending_lines(unit).empty());
        (void)uart->write(0x0C, 0x345, 0xFFFFFFFF, 0);  // BRR
    }
    CHECK(unit.uart("USART99") == nullptr);
    unit.reset(models::core::Reset::Warm);
    for (const auto& each : row.uarts) {
        const auto& [name, line] = each;
        CAPTURE(each.first);
        CHECK(unit.uart(name)->read(0x0C, 0).value == 0);
    }
    std::vector<std::uint8_t> bytes(2);
    REQUIRE(unit.fetch(GuestAddr{row.flash_size_at}, bytes));
    CHECK(bytes[0] + 256u * bytes[1] == row.flash_kib);
    const std::vector<std::uint8_t> stored{1, 2, 3, 4, 5};
    REQUIRE(unit.store(GuestAddr{row.ram + 3}, stored));
    bytes.resize(5);
    REQUIRE(unit.fetch(GuestAddr{row.ram + 3}, bytes));
    CHECK(bytes == stored);
    CHECK_FALSE(unit.fetch(GuestAddr{0xD0000000}, bytes));
}

const std::map<std::string, unsigned> kFirstPorts = {
    {"USART1", 37}, {"USART2", 38}, {"USART3", 39}, {"UART4", 52}, {"UART5", 53}};

std::map<std::string, unsigned> with(std::map<std::string, unsigned> more) {
    more.insert(kFirstPorts.begin(), kFirstPorts.end());
    return more;
}

}  // namespace

TEST_CASE("mcu lines: STM32F746") {
    check_lines({"stm32f746", with({{"USART6", 71}, {"UART7", 82}, {"UART8", 83}}), 0x1FF0F442,
                 1024, 0x20010000});
}

TEST_CASE("mcu lines: STM32H743") {
    check_lines({"stm32h743",
                 with({{"USART6", 71}, {"UART7", 82}, {"UART8", 83}, {"LPUART1", 142}}), 0x1FF1E880,
                 2048, 0x24000000});
}

TEST_CASE("mcu lines: STM32L4R5") {
    check_lines({"stm32l4r5", with({{"LPUART1", 70}}), 0x1FFF75E0, 2048, 0x20000000});
}

TEST_CASE("mcu lines: STM32U575") {
    check_lines({"stm32u575",
                 {{"USART1", 61},
                  {"USART2", 62},
                  {"USART3", 63},
                  {"UART4", 64},
                  {"UART5", 65},
                  {"LPUART1", 66}},
                 0x0BFA07A0,
                 2048,
                 0x20000000});
}
