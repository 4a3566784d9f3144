// SPDX-License-Identifier: Apache-2.0
// Timers as time bases, and the exact conversion between times and clocks.
#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "models/soc/base/clock_periods.h"
#include "models/soc/timers/timer.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;
using n6vp::test::kMicrosecond;
using n6vp::test::kWord;

namespace {

constexpr std::uint32_t kCr1 = 0x00, kSmcr = 0x08, kDier = 0x0C, kSr = 0x10, kEgr = 0x14,
                        kCcer = 0x20, kCnt = 0x24, kPsc = 0x28, kArr = 0x2C, kCcr1 = 0x34;

struct TimerBench {
    explicit TimerBench(unsigned bits = 32, double hz = 10e6)
        : timer("tim", "TIM5", TimerLayout{bits}) {
        timer.on_interrupt = [this](bool level) {
            levels.emplace_back(level, sc_core::sc_time_stamp().value());
        };
        timer.set_kernel_hz(hz);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void set(std::uint32_t offset, std::uint32_t value, Picoseconds at = 0) {
        static_cast<void>(timer.write(offset, value, kWord, at));
    }
    std::uint32_t get(std::uint32_t offset, Picoseconds at) { return timer.read(offset, at).value; }
    static void run_until(Picoseconds at) { sc_core::sc_start(delay_until(at)); }

    Timer timer;
    std::vector<std::pair<bool, Picoseconds>> levels;
};

}  // namespace

TEST_CASE("mcu clock periods: exact against long division, both ways") {
    using n6vp::models::periods_in;
    using n6vp::models::periods_to_ps;
    for (const std::uint64_t hz :
         {1ull, 32'768ull, 32'000ull, 15'000'000ull, 280'000'000ull, 999'999'937ull}) {
        for (const std::uint64_t ps : {0ull, 1ull, 66'667ull, 1'000'000ull, 999'999'999'999ull,
                                       1'000'000'000'000ull, 86'400'123'456'789'012ull}) {
            // Long division of ps x hz by 10^12, decimal digit by digit of the quotient's
            // remainder.
            const long double exact =
                static_cast<long double>(ps) * static_cast<long double>(hz) / 1e12L;
            const std::uint64_t count = periods_in(ps, hz);
            CHECK(static_cast<long double>(count) <= exact + 0.001L);
            CHECK(static_cast<long double>(count) + 1 > exact - 0.001L);
            // The time of the count is the first picosecond at which it holds.
            if (count == 0) continue;
            const std::uint64_t first = periods_to_ps(count, hz);
            CHECK(first <= ps);
            CHECK(periods_in(first, hz) == count);
            CHECK(periods_in(first - 1, hz) == count - 1);
        }
    }
}

TEST_CASE("mcu timer: reset state by width") {
    TimerBench wide;
    CHECK(wide.get(kArr, 0) == 0xFFFFFFFF);
    CHECK(wide.get(kCr1, 0) == 0);
    CHECK(wide.get(kCnt, 100 * kMicrosecond) == 0);
}

TEST_CASE("mcu timer: 16 bits") {
    TimerBench narrow(16);
    CHECK(narrow.get(kArr, 0) == 0xFFFF);
    narrow.set(kCnt, 0x12345);
    CHECK(narrow.get(kCnt, 0) == 0x2345);
}

TEST_CASE("shape: the stamp timer of the MLPerf firmware counts microseconds on every board") {
    struct Row {
        double hz;
        std::uint32_t psc, arr;
    };
    for (const Row row :
         {Row{15e6, 14, 0xFFFFFFFF}, Row{20e6, 19, 0xFFFFFFFE}, Row{35e6, 34, 0xFFFFFFFE}}) {
        Timer timer(sc_core::sc_gen_unique_name("stamp"), "TIM5", TimerLayout{32});
        timer.set_kernel_hz(row.hz);
        const auto set = [&](std::uint32_t offset, std::uint32_t value) {
            CHECK(timer.write(offset, value, kWord, 0).modelled);
        };
        set(kCr1, 0);
        set(kArr, row.arr);
        set(kPsc, row.psc);
        set(kEgr, 1);
        set(kSmcr, 0);
        set(kCr1, 1);
        CHECK(timer.read(kCnt, kMicrosecond - 1).value == 0);
        CHECK(timer.read(kCnt, kMicrosecond).value == 1);
        CHECK(timer.read(kCnt, 12'345'678 * kMicrosecond).value == 12'345'678);
        CHECK(timer.read(kCnt, 4'294'967'294ull * kMicrosecond).value == 0xFFFFFFFE);
        // 2^32 us, or one less with ARR = 0xFFFFFFFE.
        const Picoseconds period = (std::uint64_t{row.arr} + 1) * kMicrosecond;
        CHECK(timer.read(kCnt, period - 1).value == row.arr);
        CHECK(timer.read(kCnt, period).value == 0);
        CHECK((timer.read(kSr, period).value & 1) == 1);
    }
}

TEST_CASE("mcu timer: a count does not drift over an hour of a clock that no picosecond fits") {
    TimerBench bench(32, 35e6);
    bench.set(kCr1, 1);
    // 35 MHz x 100 s, read at odd times on the way.
    for (Picoseconds at = 1'234'567; at < 100'000'000 * kMicrosecond; at += 999'999'999'937) {
        static_cast<void>(bench.get(kCnt, at));
    }
    CHECK(bench.get(kCnt, 100'000'000 * kMicrosecond) == 3'500'000'000u);
}

TEST_CASE("timing: the update interrupt comes at the end of the period and stays until cleared") {
    TimerBench bench(16);
    bench.set(kPsc, 9);
    bench.set(kArr, 99);
    bench.set(kEgr, 1);
    CHECK(bench.get(kSr, 0) == 1);  // UG sets the flag
    bench.set(kSr, 0);
    bench.set(kDier, 1);
    bench.set(kCr1, 1);
    bench.run_until(100 * kMicrosecond - 1);
    CHECK(bench.levels.empty());
    bench.run_until(350 * kMicrosecond);
    REQUIRE(bench.levels.size() == 1);
    CHECK(bench.levels[0] == std::pair(true, 100 * kMicrosecond));
    CHECK(bench.get(kCnt, 350 * kMicrosecond) == 50);
    CHECK(bench.get(kSr, 350 * kMicrosecond) == 1);
    bench.set(kSr, 0xFFFFFFFE, 350 * kMicrosecond);
    CHECK(bench.get(kSr, 350 * kMicrosecond) == 0);
    REQUIRE(bench.levels.size() == 2);
    CHECK(!bench.levels[1].first);
    bench.run_until(450 * kMicrosecond);
    REQUIRE(bench.levels.size() == 3);
    CHECK(bench.levels[2] == std::pair(true, 400 * kMicrosecond));
    bench.set(kDier, 0, 450 * kMicrosecond);
    CHECK(!bench.levels.back().first);
}

TEST_CASE("mcu timer: preload and the copy of UIF") {
    TimerBench bench(16);
    bench.set(kArr, 9);
    bench.set(kCr1, 1 | 1u << 7);  // CEN, ARPE
    bench.set(kArr, 4);            // from the next period on
    bench.set(kPsc, 1);            // always preloaded
    CHECK(bench.get(kCnt, 999'999) == 9);
    CHECK(bench.get(kCnt, 1'000'000) == 0);
    CHECK(bench.get(kCnt, 1'199'999) == 0);
    CHECK(bench.get(kCnt, 1'200'000) == 1);
    CHECK(bench.get(kCnt, 2'000'000) == 0);  // 5 ticks of 0.2 us
    bench.set(kCr1, 1 | 1u << 11, 2'000'000);
    CHECK(bench.get(kCnt, 2'200'000) == 0x80000001);
    bench.set(kSr, 0, 2'200'000);
    CHECK(bench.get(kCnt, 2'200'000) == 1);
}

TEST_CASE("mcu timer: UDIS and URS keep the flag down") {
    TimerBench quiet(16);
    quiet.set(kArr, 9);
    quiet.set(kCr1, 3);  // UDIS
    CHECK(quiet.get(kCnt, 10 * kMicrosecond) == 0);
    CHECK(quiet.get(kSr, 10 * kMicrosecond) == 0);
    quiet.set(kCr1, 1 | 1u << 2, 10 * kMicrosecond);
    quiet.set(kEgr, 1, 10 * kMicrosecond);  // URS: UG does not set the flag
    CHECK(quiet.get(kSr, 10 * kMicrosecond) == 0);
}

TEST_CASE("mcu timer: one pulse stops at its end") {
    TimerBench once(16);
    once.set(kArr, 9);
    once.set(kCr1, 1 | 1u << 3);
    CHECK(once.get(kCr1, 999'999) == 9);
    CHECK(once.get(kCr1, 1'000'000) == 8);
    CHECK(once.get(kCnt, 5 * kMicrosecond) == 0);
}

TEST_CASE("mcu timer: stops without clock and at ARR = 0") {
    TimerBench bench(16);
    bench.set(kCr1, 1);
    bench.run_until(10 * kMicrosecond);
    bench.timer.set_kernel_hz(0);
    CHECK(bench.get(kCnt, 50 * kMicrosecond) == 100);
    bench.run_until(50 * kMicrosecond);
    bench.timer.set_kernel_hz(20e6);
    CHECK(bench.get(kCnt, 51 * kMicrosecond) == 120);
    bench.set(kArr, 0, 51 * kMicrosecond);
    CHECK(bench.get(kCnt, 80 * kMicrosecond) == 120);
}

TEST_CASE("mcu timer: a count beyond ARR runs to the end of the register") {
    TimerBench beyond(16);
    beyond.set(kCr1, 1);
    beyond.set(kCnt, 100);
    beyond.set(kArr, 50);
    // 65436 ticks of 0.1 us to the end, without an update, then a period of 51.
    CHECK(beyond.get(kCnt, 65'435 * kMicrosecond / 10) == 0xFFFF);
    CHECK(beyond.get(kSr, 65'436 * kMicrosecond / 10) == 0);
    CHECK(beyond.get(kCnt, 65'436 * kMicrosecond / 10) == 0);
    CHECK(beyond.get(kSr, (65'436 + 50) * kMicrosecond / 10) == 0);
    CHECK(beyond.get(kSr, (65'436 + 51) * kMicrosecond / 10) == 1);
}

TEST_CASE("timing: a change of the clock holds from its own time, ahead of the kernel") {
    TimerBench bench(32, 10e6);
    bench.set(kCr1, 1);
    bench.timer.set_kernel_hz(1e6, 10 * kMicrosecond);
    CHECK(bench.get(kCnt, 9 * kMicrosecond) == 100);  // what has been settled does not go back
    CHECK(bench.get(kCnt, 10 * kMicrosecond) == 100);
    CHECK(bench.get(kCnt, 110 * kMicrosecond) == 200);
    bench.timer.set_kernel_hz(0, 110 * kMicrosecond);
    CHECK(bench.get(kCnt, 500 * kMicrosecond) == 200);
}

TEST_CASE("mcu timer: what is not modelled says so") {
    TimerBench bench;
    CHECK(bench.timer.write(kCcr1, 5, kWord, 0).modelled);
    CHECK(bench.timer.read(kCcr1, 0).value == 5);
    CHECK_FALSE(bench.timer.write(kCcer, 1, kWord, 0).modelled);
    CHECK_FALSE(bench.timer.write(kCr1, 1u << 4, kWord, 0).modelled);   // down
    CHECK_FALSE(bench.timer.write(kDier, 1u << 8, kWord, 0).modelled);  // DMA
    CHECK_FALSE(bench.timer.read(0x70, 0).modelled);
    bench.timer.reset();
    CHECK(bench.get(kCcr1, 0) == 0);
    CHECK(bench.get(kCr1, 0) == 0);
}
