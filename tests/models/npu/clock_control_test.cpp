// SPDX-License-Identifier: Apache-2.0
#include "models/npu/control/clock_control.h"

#include <doctest/doctest.h>

#include <string>

#include "memmap/npu/units.h"

namespace {

using namespace n6vp::models::npu;
using n6vp::memmap::npu::unit_at;

constexpr std::uint32_t kClockControl = 0x00, kAgates0 = 0x08, kAgates1 = 0x0C, kBgates = 0x10;

/// Bit in BGATES of the unit in a page, -1 for none: the list of clock numbers.
int gate_of_page(std::uint32_t page) {
    if (page >= 5 && page <= 31) return static_cast<int>(page) - 5;
    return -1;
}

/// Bit in AGATES0 and AGATES1.
int agate_of_page(std::uint32_t page) {
    return page >= 1 && page <= 4 ? static_cast<int>(page) - 1 : -1;
}

TEST_CASE("clock control: all gates but its own are closed at first") {
    const RegisterFile registers(n6vp::memmap::npu::kClkctrl);
    const ClockControl clocks(registers);
    CHECK(clocks.open(unit_at(0)));
    for (std::uint32_t page = 1; page < 32; ++page) CHECK_FALSE(clocks.open(unit_at(page)));
    CHECK_FALSE(clocks.enabled());
    CHECK_FALSE(clocks.limit().has_value());
}

TEST_CASE("clock control: each gate opens one unit and is read back") {
    for (int bit = 0; bit < 32; ++bit) {
        RegisterFile registers(n6vp::memmap::npu::kClkctrl);
        const ClockControl clocks(registers);
        registers.write(kBgates, 1u << bit);
        CHECK(registers.read(kBgates) == (bit < 27 ? 1u << bit : 0));
        for (std::uint32_t page = 1; page < 32; ++page) {
            CAPTURE(page);
            CHECK(clocks.open(unit_at(page)) == (gate_of_page(page) == bit));
        }
    }
    for (int bit = 0; bit < 32; ++bit) {
        RegisterFile registers(n6vp::memmap::npu::kClkctrl);
        const ClockControl clocks(registers);
        registers.write(kAgates0, 1u << bit);
        CHECK(registers.read(kAgates0) == (bit < 4 ? 1u << bit : 0));
        for (std::uint32_t page = 1; page < 32; ++page) CHECK_FALSE(clocks.open(unit_at(page)));
        registers.write(kAgates1, 1u << bit);
        for (std::uint32_t page = 1; page < 32; ++page) {
            CAPTURE(page);
            CHECK(clocks.open(unit_at(page)) == (agate_of_page(page) == bit));
        }
        registers.write(kAgates0, 0);
        for (std::uint32_t page = 1; page < 32; ++page) CHECK_FALSE(clocks.open(unit_at(page)));
    }
}

TEST_CASE("clock control: to freeze is a limit") {
    RegisterFile registers(n6vp::memmap::npu::kClkctrl);
    const ClockControl clocks(registers);
    registers.write(kClockControl, 1);
    CHECK(clocks.enabled());
    CHECK_FALSE(clocks.limit().has_value());
    registers.write(kClockControl, 1u << 2);
    CHECK_FALSE(clocks.enabled());
    REQUIRE(clocks.limit().has_value());
    CHECK(clocks.limit()->feature == std::string("CTRL.FREEZEREQ"));
    CHECK((registers.read(kClockControl) >> 3 & 1) == 0);  // never granted
}

}  // namespace
