// SPDX-License-Identifier: Apache-2.0
// Calendar, alarms, wake-up timer; window watchdog. Dates are those of a printed calendar.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "models/duration.h"
#include "models/soc/timers/rtc.h"
#include "models/soc/timers/wwdg.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;
using n6vp::test::kMicrosecond;
using n6vp::test::kWord;

namespace {

constexpr std::uint32_t kSunday = 0x231231 | 7u << 13;  ///< 31 December 2023
constexpr Picoseconds kSecond = 1'000'000 * kMicrosecond;
constexpr Picoseconds kHour = 3600 * kSecond, kDay = 24 * kHour;

struct RtcBench {
    Rtc rtc{"rtc", "RTC"};
    bool lines[2] = {};

    RtcBench() {
        rtc.on_interrupt = [this](bool secure, bool level) { lines[secure ? 1 : 0] = level; };
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    static Picoseconds now() { return sc_core::sc_time_stamp().value(); }
    static void pass(Picoseconds time) { sc_core::sc_start(to_sc_time(time)); }
    void set(std::uint32_t offset, std::uint32_t value) {
        (void)rtc.write(offset, value, kWord, now());
    }
    std::uint32_t get(std::uint32_t offset) { return rtc.read(offset, now()).value; }
    void unlock() {
        set(0x24, 0xCA);
        set(0x24, 0x53);
    }
    void set_calendar(std::uint32_t tr, std::uint32_t dr) {
        unlock();
        set(0x0C, 1u << 7);
        pass(61 * kMicrosecond);
        CHECK((get(0x0C) & 1u << 6) != 0);
        set(0x00, tr);
        set(0x04, dr);
        set(0x0C, 0);
    }
};

}  // namespace

TEST_CASE("RTC: reset values, protection by WPR, initialisation mode") {
    RtcBench bench;
    CHECK(bench.get(0x04) == 0x2101);
    CHECK(bench.get(0x10) == 0x7F00FF);
    CHECK(bench.get(0x14) == 0xFFFF);
    bench.set(0x28, 0x100);
    CHECK(bench.get(0x28) == 0);
    bench.set(0x24, 0xCA);
    bench.set(0x24, 0x52);
    bench.set(0x28, 0x100);
    CHECK(bench.get(0x28) == 0);
    bench.unlock();
    bench.set(0x28, 0x100);
    CHECK(bench.get(0x28) == 0x100);
    bench.set(0x00, 0x101010);  // not in initialisation mode
    CHECK(bench.get(0x00) == 0);
    bench.set(0x24, 0);
    bench.set(0x28, 0);
    CHECK(bench.get(0x28) == 0x100);
}

TEST_CASE("RTC: an alarm and the wake-up timer are set without the keys of WPR") {
    RtcBench bench;
    bench.set_calendar(0x022025, 0x2101);
    bench.set(0x24, 0xFF);
    bench.set(0x40, 0x44022030);  // 4th day of the week
    CHECK(bench.get(0x40) == 0x44022030);
    bench.set(0x40, 1u << 31 | 0x022030);
    bench.set(0x44, 0x0000007F);
    CHECK(bench.get(0x44) == 0x7F);
    bench.set(0x48, 1u << 31 | 0x022031);
    bench.set(0x4C, 0x00000033);
    CHECK(bench.get(0x48) == (1u << 31 | 0x022031));
    CHECK(bench.get(0x4C) == 0x33);
    bench.set(0x14, 2047);
    CHECK(bench.get(0x14) == 2047);
    bench.set(0x18, 0x40001100);  // ALRAE, ALRAIE, an output that is no push-pull one
    CHECK(bench.get(0x18) == 0x40001100);
    bench.pass(5 * kSecond - 2 * kMicrosecond);
    CHECK_FALSE(bench.lines[0]);
    bench.pass(4 * kMicrosecond);
    CHECK(bench.lines[0]);
    bench.set(0x5C, 1);
    CHECK_FALSE(bench.lines[0]);
    bench.set(0x18, 1u << 10 | 1u << 14);
    bench.pass(kSecond + kMicrosecond);
    CHECK(bench.get(0x50) == 4);
    CHECK(bench.lines[0]);
}

TEST_CASE("RTC: without its keys, WPR keeps what sets the time, and the bits beside it are free") {
    RtcBench bench;
    bench.set_calendar(0x101010, 0x2101);
    bench.set(0x24, 0xFF);
    bench.set(0x0C, 1u << 7 | 0x1F00);  // INIT, BIN, BCDU
    bench.pass(61 * kMicrosecond);
    CHECK((bench.get(0x0C) & 0x1FC0) == 0);
    bench.set(0x00, 0);
    bench.set(0x04, 0x240101);
    bench.set(0x10, 0x7F007F);
    CHECK(bench.get(0x00) == 0x101010);
    CHECK(bench.get(0x04) == 0x2101);
    CHECK(bench.get(0x10) == 0x7F00FF);
    bench.set(0x2C, 1);
    bench.set(0x28, 1);
    CHECK((bench.get(0x0C) & (1u << 16 | 1u << 3)) == 0);  // nothing to recalibrate, no shift
    // FMT, ADD1H, SUB1H and REFCKON stay, whatever else a write changes.
    bench.set(0x18, 0xFFFFFFFF & ~(1u << 10 | 3u << 8));
    CHECK((bench.get(0x18) & (1u << 6 | 3u << 16 | 1u << 4)) == 0);
    CHECK((bench.get(0x18) & 1u << 5) != 0);  // BYPSHAD
    bench.unlock();
    bench.set(0x18, 1u << 6);
    bench.set(0x24, 0xFF);
    bench.set(0x18, 0);
    CHECK(bench.get(0x18) == 1u << 6);
}

TEST_CASE("RTC: ALRxBINR and ALRMxSSR share the sub-seconds of their alarm") {
    RtcBench bench;
    bench.set(0x70, 0x12345678);
    CHECK(bench.get(0x70) == 0x12345678);
    CHECK(bench.get(0x44) == 0x5678);
    CHECK(bench.get(0x4C) == 0);
    bench.set(0x4C, 0x0000007F);
    CHECK(bench.get(0x74) == 0x7F);
    CHECK(bench.get(0x70) == 0x12345678);
}

TEST_CASE("RTC: the calendar over the end of a year and over 29 February") {
    RtcBench bench;
    bench.set_calendar(0x235958, kSunday);  // 31 December 2023, 23:59:58
    bench.pass(2 * kSecond - kMicrosecond);
    CHECK(bench.get(0x00) == 0x235959);
    bench.pass(2 * kMicrosecond);
    CHECK(bench.get(0x00) == 0);
    CHECK(bench.get(0x04) == (0x240101 | 1u << 13));    // Monday 1 January 2024
    bench.set_calendar(0x235959, 0x240228 | 3u << 13);  // Wednesday 28 February 2024
    bench.pass(kSecond);
    CHECK(bench.get(0x04) == (0x240229 | 4u << 13));  // Thursday
    bench.pass(86'400 * kSecond);
    CHECK((bench.get(0x04) & 0xFF1FFF) == 0x240301);
    CHECK((bench.get(0x0C) & 1u << 4) != 0);  // INITS
}

TEST_CASE("RTC: INITS is set by any year but 0, also without initialisation") {
    RtcBench bench;
    CHECK((bench.get(0x0C) & 1u << 4) == 0);
    for (const std::uint32_t year : {0x01u, 0x02u, 0x10u, 0x80u, 0x99u}) {
        CAPTURE(year);
        bench.set_calendar(0, year << 16 | 0x2101);
        CHECK((bench.get(0x0C) & 1u << 4) != 0);
        bench.set_calendar(0, 0x2101);
        CHECK((bench.get(0x0C) & 1u << 4) == 0);
    }
    // A year that begins by itself.
    bench.set_calendar(0x235959, 0x001231 | 7u << 13);
    CHECK((bench.get(0x0C) & 1u << 4) == 0);
    bench.pass(kSecond);
    CHECK(bench.get(0x04) == (0x010101 | 1u << 13));
    CHECK((bench.get(0x0C) & 1u << 4) != 0);
}

TEST_CASE("RTC: 12 hours, sub-seconds, prescalers") {
    RtcBench bench;
    bench.set_calendar(0x110000, 0x2101);
    bench.set(0x18, 1u << 6);
    CHECK(bench.get(0x00) == 0x110000);
    bench.pass(3'600 * kSecond);
    CHECK(bench.get(0x00) == (1u << 22 | 0x120000));
    bench.pass(3'600 * kSecond);
    CHECK(bench.get(0x00) == (1u << 22 | 0x010000));
    bench.set(0x18, 0);
    CHECK(bench.get(0x00) == 0x130000);
    // 32768 / 128 counts a second, downwards from 255.
    bench.set_calendar(0, 0x2101);
    CHECK(bench.get(0x08) == 255);
    bench.pass(kSecond / 2);
    CHECK(bench.get(0x08) == 127);
    bench.set(0x0C, 1u << 7);
    bench.pass(61 * kMicrosecond);
    bench.set(0x10, 0x7F007F);  // twice as fast
    bench.set(0x00, 0);
    bench.set(0x0C, 0);
    bench.pass(5 * kSecond);
    CHECK(bench.get(0x00) == 0x10);
}

TEST_CASE("RTC alarm: at its second, by its masks, on its line") {
    RtcBench bench;
    bench.set_calendar(0x101500, 0x2101);
    // A at 10:15:03 of any day, B at each minute.
    bench.set(0x40, 1u << 31 | 0x101503);
    bench.set(0x48, 1u << 31 | 1u << 23 | 1u << 15);
    bench.set(0x18, 1u << 8 | 1u << 9 | 1u << 12);
    bench.pass(3 * kSecond - kMicrosecond);
    CHECK(bench.get(0x50) == 0);
    CHECK_FALSE(bench.lines[0]);
    bench.pass(2 * kMicrosecond);
    CHECK(bench.get(0x50) == 1);
    CHECK(bench.get(0x54) == 1);
    CHECK(bench.lines[0]);
    bench.set(0x5C, 1);
    CHECK(bench.get(0x50) == 0);
    CHECK_FALSE(bench.lines[0]);
    bench.pass(57 * kSecond);
    CHECK(bench.get(0x50) == 2);
    CHECK(bench.get(0x54) == 0);  // ALRBIE is off
    bench.set(0x5C, 2);
    bench.pass((24 * 3600 - 60) * kSecond + 3 * kSecond);
    CHECK((bench.get(0x50) & 1) == 1);
    // A secure alarm is on the other line.
    bench.set(0x20, 1);
    bench.set(0x5C, 0);
    CHECK(bench.lines[1]);
    CHECK_FALSE(bench.lines[0]);
    CHECK(bench.get(0x58) == 1);
}

TEST_CASE("RTC alarm: on a day of the week, and on one that no month has") {
    RtcBench bench;
    bench.set_calendar(0, kSunday);
    bench.set(0x40, 1u << 30 | 3u << 24 | 0x060000);  // Wednesday, 6:00
    bench.set(0x48, 0x32u << 24);
    bench.set(0x18, 3u << 8);
    bench.pass(3 * kDay + 6 * kHour - kSecond);
    CHECK(bench.get(0x50) == 0);
    bench.pass(kSecond + kMicrosecond);
    CHECK(bench.get(0x50) == 1);
}

// In constant expressions, which compilers give up after about a million steps.
static_assert(Calendar{}.to_match(0x8080807F, false) == 0);  // second 85
static_assert(Calendar{}.to_match(0x80806080, false) == 0);  // minute 60
static_assert(Calendar{}.to_match(0x80248080, false) == 0);  // hour 24
static_assert(Calendar{}.to_match(0x32000000, false) == 0);  // 32nd
// From 31 March to 31 May 2000: the longest that a day of the month is away.
static_assert(Calendar{.days = 90}.to_match(0x31000000, false) == std::uint64_t{61} * 86'400);

TEST_CASE("RTC alarm: later than the simulation's time ends, it is not flagged days from now") {
    RtcBench bench;
    bench.unlock();
    bench.set(0x0C, 1u << 7);
    bench.pass(61 * kMicrosecond);
    bench.set(0x10, 0x007F07FF);  // a second of the calendar takes 8 s
    bench.set(0x0C, 0);
    bench.set_calendar(0, 0x2101);
    bench.set(0x40, 0x28000000);  // after 27 days of the calendar, 216 days: 2^64 ps are 213.5
    bench.set(0x18, 1u << 8);
    bench.pass(3 * kDay);
    CHECK(bench.get(0x50) == 0);
    CHECK((bench.get(0x04) & 0x3F) == 0x01);
}

TEST_CASE("RTC wake-up timer: by its clock, again and again") {
    RtcBench bench;
    bench.unlock();
    bench.set(0x14, 2047);
    bench.set(0x18, 1u << 10 | 1u << 14);  // 32768 / 16: one second
    bench.pass(kSecond - kMicrosecond);
    CHECK(bench.get(0x50) == 0);
    bench.pass(2 * kMicrosecond);
    CHECK(bench.get(0x50) == 4);
    CHECK(bench.lines[0]);
    bench.set(0x5C, 4);
    bench.pass(kSecond);
    CHECK(bench.get(0x50) == 4);
    bench.set(0x18, 0);
    bench.set(0x5C, 4);
    bench.pass(5 * kSecond);
    CHECK(bench.get(0x50) == 0);
}

TEST_CASE("RTC: a calendar alone needs no event, and any value is a date") {
    RtcBench bench;
    CHECK_FALSE(sc_core::sc_pending_activity());
    bench.set_calendar(0xFFFFFFFF, 0xFFFFFFFF);
    CHECK_FALSE(sc_core::sc_pending_activity());
    CHECK(bench.get(0x00) == 0x235959);
    CHECK((bench.get(0x04) & 0xFF1FFF) == 0x991231);
    bench.set(0x40, 0xFFFFFFFF);
    bench.set(0x18, 1u << 8);
    bench.pass(kSecond + kMicrosecond);
    CHECK(bench.get(0x50) == 1);
}

TEST_CASE("RTC: another clock goes on in the second under way, and alarms and timer follow it") {
    RtcBench bench;
    const auto clock = [&bench](double hz) { bench.rtc.set_clock_hz(hz, RtcBench::now()); };
    bench.set_calendar(0, 0x2101);
    bench.set(0x14, 2047);                                      // 32768 clocks
    bench.set(0x40, 1u << 31 | 0x000002);                       // 2 s after the start
    bench.set(0x18, 1u << 8 | 1u << 10 | 1u << 12 | 1u << 14);  // both with their interrupt
    bench.pass(kSecond / 2);
    CHECK(bench.get(0x08) == 127);
    clock(16'384);
    CHECK(bench.get(0x08) == 127);
    bench.pass(kSecond - 2 * kMicrosecond);  // the other half takes a second
    CHECK(bench.get(0x00) == 0);
    CHECK(bench.get(0x50) == 0);
    bench.pass(4 * kMicrosecond);
    CHECK(bench.get(0x00) == 1);
    CHECK(bench.lines[0]);
    CHECK(bench.get(0x50) == 4);
    bench.set(0x5C, 4);
    CHECK_FALSE(bench.lines[0]);
    bench.pass(2 * kSecond - 4 * kMicrosecond);
    CHECK(bench.get(0x50) == 0);
    bench.pass(4 * kMicrosecond);
    CHECK(bench.get(0x50) == 5);
    bench.rtc.power_on(RtcBench::now());  // as the parameters have it
    bench.pass(kSecond + kMicrosecond);
    CHECK(bench.get(0x00) == 1);
}

TEST_CASE("RTC: a clock that changes in initialisation mode does not move the calendar") {
    RtcBench bench;
    bench.unlock();
    bench.set(0x0C, 1u << 7);
    bench.pass(61 * kMicrosecond);
    bench.set(0x00, 0x101010);
    bench.rtc.set_clock_hz(32'000, RtcBench::now());
    bench.set(0x10, 0x7F00F9);  // 128 x 250 = 32000
    bench.pass(3 * kSecond);
    bench.set(0x0C, 0);
    bench.pass(2 * kSecond - kMicrosecond);
    CHECK(bench.get(0x00) == 0x101011);
    bench.pass(2 * kMicrosecond);
    CHECK(bench.get(0x00) == 0x101012);
}

TEST_CASE("RTC: an edge of RTC_TS latches the time, a second one is lost and says so") {
    RtcBench bench;
    const auto pin = [&bench](bool level) { bench.rtc.set_stamp_pin(level, RtcBench::now()); };
    bench.set_calendar(0x101500, kSunday);
    bench.set(0x24, 0xFF);
    bench.pass(kSecond / 2);
    pin(true);  // TSE is off
    pin(false);
    CHECK(bench.get(0x50) == 0);
    bench.set(0x18, 1u << 3 | 1u << 11 | 1u << 15);  // TSEDGE: falling; TSE, TSIE
    pin(true);
    CHECK(bench.get(0x50) == 0);
    bench.pass(2 * kSecond);
    pin(false);
    CHECK(bench.get(0x50) == 1u << 3);
    CHECK(bench.get(0x54) == 1u << 3);
    CHECK(bench.lines[0]);
    bench.pass(3 * kSecond);
    CHECK(bench.get(0x30) == 0x101502);
    CHECK(bench.get(0x34) == (0x1231 | 7u << 13));  // without the year
    CHECK(bench.get(0x38) == 127);
    pin(true);
    pin(false);
    CHECK(bench.get(0x50) == 3u << 3);  // TSOVF
    CHECK(bench.get(0x54) == 3u << 3);
    CHECK(bench.get(0x30) == 0x101502);
    bench.set(0x5C, 1u << 3);
    CHECK(bench.get(0x50) == 1u << 4);
    CHECK(bench.lines[0]);
    CHECK(bench.get(0x30) == 0);
    CHECK(bench.get(0x34) == 0);
    CHECK(bench.get(0x38) == 0);
    bench.set(0x5C, 1u << 4);
    CHECK_FALSE(bench.lines[0]);
    bench.set(0x18, 1u << 11);  // rising, without interrupt
    pin(true);
    CHECK(bench.get(0x30) == 0x101505);
    CHECK(bench.get(0x54) == 0);
    CHECK_FALSE(bench.lines[0]);
    pin(false);
    CHECK(bench.get(0x50) == 1u << 3);
    // With TSSEC both flags are the other line's.
    bench.set(0x18, 1u << 11 | 1u << 15);
    bench.set(0x20, 1u << 3);
    pin(true);
    CHECK(bench.get(0x58) == 3u << 3);
    CHECK(bench.get(0x54) == 0);
    CHECK(bench.lines[1]);
    CHECK_FALSE(bench.lines[0]);
}

TEST_CASE("WWDG: early interrupt at 0x40, reset behind it, refresh in the window only") {
    Wwdg dog("dog", "WWDG");
    dog.set_clock_hz(100e6);  // a count is 40.96 us
    constexpr Picoseconds kCount = 40'960'000;
    unsigned resets = 0;
    bool line = false;
    dog.on_reset = [&] { ++resets; };
    dog.on_interrupt = [&](bool level) { line = level; };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto set = [&](std::uint32_t offset, std::uint32_t value) {
        (void)dog.write(offset, value, kWord, sc_core::sc_time_stamp().value());
    };
    const auto get = [&](std::uint32_t offset) {
        return dog.read(offset, sc_core::sc_time_stamp().value()).value;
    };
    CHECK(get(0x00) == 0x7F);
    CHECK(get(0x04) == 0x7F);
    set(0x04, 0x50 | 1u << 9);
    set(0x00, 0x80 | 0x60);
    RtcBench::pass(0x10 * kCount);
    CHECK(get(0x00) == (0x80 | 0x50));
    set(0x00, 0x60);  // at the window: allowed
    RtcBench::pass(0x20 * kCount - kMicrosecond);
    CHECK_FALSE(line);
    RtcBench::pass(2 * kMicrosecond);
    CHECK(line);
    CHECK(get(0x08) == 1);
    set(0x08, 0);
    CHECK_FALSE(line);
    CHECK(resets == 0);
    RtcBench::pass(kCount);
    CHECK(resets == 1);
    dog.reset();
    CHECK(get(0x00) == 0x7F);
    set(0x04, 0x50);
    set(0x00, 0x80 | 0x60);
    set(0x00, 0x60);  // above the window
    RtcBench::pass(kMicrosecond);
    CHECK(resets == 2);
}

TEST_CASE("WWDG: a refresh before EWIF is cleared does not lose the next early interrupt") {
    Wwdg dog("dog", "WWDG");
    dog.set_clock_hz(100e6);
    constexpr Picoseconds kCount = 40'960'000;
    unsigned resets = 0;
    bool line = false;
    dog.on_reset = [&] { ++resets; };
    dog.on_interrupt = [&](bool level) { line = level; };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto set = [&](std::uint32_t offset, std::uint32_t value) {
        (void)dog.write(offset, value, kWord, sc_core::sc_time_stamp().value());
    };
    set(0x04, 0x7F | 1u << 9);
    set(0x00, 0x80 | 0x42);
    RtcBench::pass(2 * kCount + kMicrosecond);
    REQUIRE(line);
    set(0x00, 0x44);
    set(0x08, 0);
    CHECK_FALSE(line);
    RtcBench::pass(4 * kCount - kMicrosecond);
    CHECK_FALSE(line);
    RtcBench::pass(2 * kMicrosecond);
    CHECK(line);
    CHECK(resets == 0);
    RtcBench::pass(kCount);
    CHECK(resets == 1);
}

TEST_CASE("WWDG: the early interrupt stays enabled until a reset, whatever is written") {
    Wwdg dog("dog", "WWDG");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto set = [&](std::uint32_t value) { (void)dog.write(0x04, value, kWord, 0); };
    const auto get = [&] { return dog.read(0x04, 0).value; };
    set(0x41);
    CHECK(get() == 0x41);
    set(0x7F | 1u << 9);
    CHECK(get() == (0x7F | 1u << 9));
    set(0x50);
    CHECK(get() == (0x50 | 1u << 9));
    set(0xFFFFFFFF);
    CHECK(get() == (0x7F | 1u << 9 | 7u << 11));
    set(0);
    CHECK(get() == 1u << 9);
    dog.reset();
    CHECK(get() == 0x7F);
}
