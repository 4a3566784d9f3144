// SPDX-License-Identifier: Apache-2.0
// Standby mode: what ends it, what it keeps, where the core starts after it.
#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "models/chip/stm32n6.h"
#include "tests/models/probe.h"
#include "tests/support/thumb.h"

using namespace n6vp;
using n6vp::test::Probe;
using n6vp::test::Thumb;

namespace {

constexpr std::uint32_t kFlexmem = 0x34000000, kAfter = kFlexmem + 0x1000, kStack = 0x34060000;
constexpr std::uint32_t kFound = 0x34010000, kStarts = 0x34010010;     ///< in FLEXMEM
constexpr std::uint32_t kAxisram1 = 0x34070000, kBackup = 0x3C000000;  ///< AXISRAM1, BKPSRAM
constexpr std::uint32_t kRcc = 0x56028000, kPwr = 0x56024800, kRtc = 0x56004000;
constexpr std::uint32_t kIwdg = 0x56004800, kVectors = 0x56008010;  ///< INITSVTORCR
constexpr std::uint32_t kCr4 = kPwr + 0x0C, kBdcr2 = kPwr + 0x28, kCpucr = kPwr + 0x30,
                        kWkupcr = kPwr + 0x50, kWkupsr = kPwr + 0x54, kWkupepr = kPwr + 0x58;
constexpr std::uint32_t kMark = 0x12345678;
constexpr unsigned kEndless = 0xE7FE, kWfi = 0xBF30;

sc_core::sc_time us(double count) {
    return {count, sc_core::SC_US};
}

struct Board : sc_core::sc_module {
    models::Stm32n6 chip;
    Probe master;

    explicit Board(const sc_core::sc_module_name& name)
        : sc_module(name), chip("chip"), master("master") {
        master.port.bind(chip.host);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void put(std::uint32_t address, std::uint32_t value) {
        std::vector<std::uint8_t> bytes(4);
        std::memcpy(bytes.data(), &value, 4);
        REQUIRE(chip.store(GuestAddr{address}, bytes));
    }
    std::uint32_t word(std::uint32_t address) {
        std::vector<std::uint8_t> bytes(4);
        REQUIRE(chip.fetch(GuestAddr{address}, bytes));
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data(), 4);
        return value;
    }
    /// `before` counts its starts and runs until it sleeps; what comes after it leaves CPUCR,
    /// WKUPSR and VTOR at kFound.
    void run(const Thumb& before) {
        Thumb count;
        count.set(1, kStarts).load(0, 1).add(0, 1).store(0, 1);
        // Clocks of RTC, TAMP, IWDG, SYSCFG.
        count.write(kRcc + 0xA74, 0xFFFFFFFF).write(kRcc + 0xA78, 0xFFFFFFFF);
        count.write(kVectors, kAfter);
        for (const std::uint16_t half : before.code()) count.raw({half});
        count.write(kCpucr, 1).write(0xE000ED10, 4).barrier().raw({kWfi, kEndless});
        Thumb after;
        unsigned offset = 0;
        for (const std::uint32_t from : {kCpucr, kWkupsr, 0xE000ED08u}) {
            after.set(1, from).load(0, 1).set(1, kFound + offset).store(0, 1);
            offset += 4;
        }
        after.barrier().raw({kEndless});
        REQUIRE(chip.store(GuestAddr{kFlexmem}, count.image(kFlexmem, kStack)));
        REQUIRE(chip.store(GuestAddr{kAfter}, after.image(kAfter, kStack)));
        for (unsigned i = 0; i < 8; ++i) put(kFound + 4 * i, 0);
        chip.core().release_reset();
    }
    void drive(unsigned pin, bool level) {
        chip.soc().io.gpio("GPIOC")->drive(pin, level, sc_core::sc_time_stamp().value());
    }
    /// Changes a pin at a time from a process, as a board does.
    void drive_at(double when, unsigned pin, bool level) {
        sc_core::sc_spawn([this, when, pin, level] {
            sc_core::wait(us(when));
            drive(pin, level);
        });
    }
};

/// WKUP3 (PC13), rising, with a pull-down; FLEXMEM is kept.
Thumb with_pin() {
    return Thumb().write(kCr4, 1u << 4).write(kWkupepr, 1u << 2 | 2u << 20).write(kWkupcr, 0xF);
}

}  // namespace

TEST_CASE("Standby: a wake-up pin ends it by a reset with SBF and its flag, by INITSVTORCR") {
    Board board("board");
    board.put(kAxisram1, kMark);
    board.put(kStarts + 16, kMark);
    board.put(kBackup, kMark);
    board.run(with_pin());
    board.drive_at(90, 12, true);  // another pin
    board.drive_at(200, 13, true);
    sc_core::sc_start(us(199));
    CHECK(board.chip.in_standby());
    CHECK(board.chip.core().asleep());
    CHECK(board.word(kFound) == 0);
    sc_core::sc_start(us(50));
    CHECK_FALSE(board.chip.in_standby());
    CHECK(board.word(kFound) == 1u << 9);  // SBF; PDDS is as after a reset
    CHECK(board.word(kFound + 4) == 1u << 2);
    CHECK(board.word(kFound + 8) == kAfter);
    CHECK(board.word(kStarts) == 1);
    CHECK(board.word(kStarts + 16) == kMark);
    CHECK(board.word(kAxisram1) != kMark);
    CHECK(board.word(kBackup) != kMark);
}

TEST_CASE("Standby: BKPRBSEN keeps the backup RAM, without TCMFLXRBSEN the program is lost") {
    Board board("board");
    board.put(kBackup, kMark);
    board.put(kStarts + 16, kMark);
    board.run(Thumb().write(kBdcr2, 1).write(kWkupepr, 1u << 2).write(kWkupcr, 0xF));
    sc_core::sc_start(us(100));
    CHECK(board.chip.in_standby());
    CHECK(board.word(kBackup) == kMark);
    CHECK(board.word(kStarts + 16) != kMark);
}

TEST_CASE("Standby: a falling edge where WKUPP asks for it, and no edge of a pin that is off") {
    Board board("board");
    board.drive(13, true);
    board.run(Thumb().write(kCr4, 1u << 4).write(kWkupepr, 1u << 2 | 1u << 10).write(kWkupcr, 0xF));
    sc_core::sc_start(us(100));
    CHECK(board.chip.in_standby());
    board.drive_at(10, 13, false);
    sc_core::sc_start(us(50));
    CHECK(board.word(kFound + 4) == 1u << 2);
    CHECK(board.word(kStarts) == 1);
}

TEST_CASE("Standby: a flag that is set already ends it at once") {
    Board board("board");
    board.drive(13, true);
    board.run(Thumb().write(kCr4, 1u << 4).write(kWkupepr, 1u << 2));  // no WKUPCR
    sc_core::sc_start(us(100));
    CHECK(board.word(kFound) == 1u << 9);
    CHECK(board.word(kFound + 4) == 1u << 2);
}

TEST_CASE("Standby: the wake-up timer of the RTC ends it, and its flag outlives the reset") {
    Board board("board");
    Thumb program;
    program.write(kCr4, 1u << 4);
    // 33 of RTCCLK / 16 are 16.11 ms at 32768 Hz.
    program.write(kRtc + 0x14, 32).write(kRtc + 0x18, 1u << 10 | 1u << 14);
    board.run(program);
    sc_core::sc_start(us(16'000));
    CHECK(board.chip.in_standby());
    CHECK(board.chip.soc().rtc.will_interrupt());
    sc_core::sc_start(us(200));
    CHECK(board.word(kFound) == 1u << 9);
    CHECK(board.word(kFound + 4) == 0);
    CHECK((board.chip.soc().rtc.read(0x50, sc_core::sc_time_stamp().value()).value & 4) != 0);
}

TEST_CASE("Standby: the watchdog goes on, and its reset starts the program as every reset does") {
    Board board("board");
    Thumb program;
    program.write(kCr4, 1u << 4);
    program.write(kIwdg, 0x5555).write(kIwdg + 8, 7).write(kIwdg, 0xCCCC);  // 8 counts of 125 us
    board.run(program);
    sc_core::sc_start(us(900));
    CHECK(board.chip.in_standby());
    sc_core::sc_start(us(300));
    CHECK(board.word(kStarts) == 2);
    CHECK(board.word(kFound) == 0);
    const auto now = sc_core::sc_time_stamp().value();
    CHECK((board.chip.soc().rcc.read(0x34, now).value & 1u << 26) != 0);
    CHECK((board.chip.soc().pwr.read(0x30, now).value & 1u << 9) != 0);
}

TEST_CASE("Standby: interrupts, SysTick and peripherals are off, nothing but a reset ends it") {
    Board board("board");
    constexpr std::uint32_t kSysTick = 0xE000E010, kTim2 = 0x50000000;
    Thumb program;
    program.write(kCr4, 1u << 4)
        .write(kSysTick + 4, 79999)
        .write(kSysTick + 8, 0)
        .write(kSysTick, 7);
    program.write(kRcc + 0xA64, 1).write(kTim2 + 0x2C, 19999).write(kTim2 + 0x0C, 1);  // TIM2, UIE
    program.write(0xE000E100 + 4 * 3, 0xFFFFFFFF).write(kTim2, 1);
    program.raw({0xB672});  // CPSID i
    board.run(program);
    sc_core::sc_start(us(5000));
    CHECK(board.chip.in_standby());
    CHECK(board.word(kStarts) == 1);
    board.chip.reset(models::core::Reset::Warm);
    sc_core::sc_start(us(100));
    CHECK(board.word(kStarts) == 2);
}

TEST_CASE("Standby: a wake-up is told as a request for a reset, where somebody listens") {
    Board board("board");
    unsigned requests = 0;
    board.chip.on_reset_request = [&] {
        ++requests;
        CHECK(board.chip.wakes_from_standby());
    };
    board.run(with_pin());
    board.drive_at(100, 13, true);
    sc_core::sc_start(us(300));
    CHECK(requests == 1);
    CHECK(board.chip.in_standby());
    board.chip.reset(models::core::Reset::Warm);
    sc_core::sc_start(us(100));
    CHECK_FALSE(board.chip.in_standby());
    CHECK(board.word(kFound) == 1u << 9);
}
