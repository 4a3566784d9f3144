// SPDX-License-Identifier: Apache-2.0
// Registers of the chip on the core's private bus: DBGMCU, and nothing around it.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "memmap/chips/chips.h"
#include "models/chip/mcu/core_of_chip.h"
#include "models/chip/mcu/microcontroller.h"

using namespace n6vp;
using models::mcu_chip::Microcontroller;

namespace {

struct Row {
    const char* chip;
    std::uint32_t base, bytes, device;  ///< DEV_ID, by the device header
};

void check(const Row& row) {
    const memmap::Chip& chip = *memmap::find_chip(row.chip);
    Microcontroller unit("chip", chip, models::mcu_chip::parameters_of_chip(chip));
    std::vector<std::pair<std::uint32_t, bool>> unknown;
    unit.unmodelled_core_register.listen(
        0, [&](std::uint32_t address, bool write) { unknown.emplace_back(address, write); });
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    models::core::Core& core = unit.core().core();
    const auto read = [&](std::uint32_t address) {
        std::uint32_t word = 0x55AA55AA;
        REQUIRE(core.system().read_ppb(core.state(), address, 4, core.cycles(), word));
        return word;
    };
    const auto write = [&](std::uint32_t address, std::uint32_t value) {
        REQUIRE(core.system().write_ppb(core.state(), address, 4, core.cycles(), value));
    };
    CHECK((read(row.base) & 0xFFF) == row.device);
    write(row.base + 4, 7);  // DBG_SLEEP, DBG_STOP, DBG_STANDBY
    CHECK((read(row.base + 4) & 6) == 6);
    CHECK(unknown.empty());
    for (const std::uint32_t other : {row.base - 4, row.base + row.bytes, 0xE00FF000u}) {
        CAPTURE(other);
        unknown.clear();
        CHECK(read(other) == 0);
        write(other, 1);
        CHECK(unknown ==
              std::vector<std::pair<std::uint32_t, bool>>{{other, false}, {other, true}});
    }
}

}  // namespace

TEST_CASE("mcu private bus: DBGMCU of the STM32L4R5") {
    check({"stm32l4r5", 0xE0042000, 20, 0x470});
}

TEST_CASE("mcu private bus: DBGMCU of the STM32U575") {
    check({"stm32u575", 0xE0044000, 44, 0x482});
}

TEST_CASE("mcu private bus: DBGMCU of the STM32F746") {
    check({"stm32f746", 0xE0042000, 16, 0x449});
}
