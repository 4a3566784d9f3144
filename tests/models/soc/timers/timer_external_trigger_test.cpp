// SPDX-License-Identifier: Apache-2.0
// Timers clocked and triggered by their pin ETR. Counts and times are by hand, of 10 ticks a
// microsecond.
#include <doctest/doctest.h>

#include <cstdint>

#include "models/soc/timers/timer.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kWord = 0xFFFFFFFF;
constexpr std::uint32_t kCr1 = 0x00, kSmcr = 0x08, kDier = 0x0C, kSr = 0x10, kEgr = 0x14,
                        kCnt = 0x24, kPsc = 0x28, kArr = 0x2C, kAf1 = 0x60;
/// SMCR.
constexpr std::uint32_t kEce = 1u << 14, kEtp = 1u << 15, kEtf = 1u << 8, kEtps = 1u << 12;
constexpr std::uint32_t kByTi1 = 5u << 4, kByTi2 = 6u << 4, kByEtrf = 7u << 4;
constexpr std::uint32_t kReset = 4, kGated = 5, kStart = 6, kClock = 7, kResetAndStart = 1u << 16;
constexpr std::uint32_t kTif = 1u << 6;
constexpr Picoseconds kUs = 1'000'000;

/// A timer of 10 MHz with pins.
struct Bench {
    explicit Bench(const TimerLayout& layout = {32, 4, false})
        : timer(sc_core::sc_gen_unique_name("tim"), "TIM2", layout) {
        timer.on_outputs = [](const Timer::Outputs& /*outputs*/, Picoseconds /*at*/) {};
        timer.on_interrupt = [this](bool level) { line = level; };
        timer.set_kernel_hz(10e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void set(std::uint32_t offset, std::uint32_t value, Picoseconds at = 0) {
        CHECK(timer.write(offset, value, kWord, at).modelled);
    }
    std::uint32_t get(std::uint32_t offset, Picoseconds at) { return timer.read(offset, at).value; }
    std::uint32_t count(Picoseconds at) { return get(kCnt, at); }
    void pulse(Picoseconds rise, Picoseconds fall) {
        timer.external_trigger(true, rise);
        timer.external_trigger(false, fall);
    }
    static void run_until(Picoseconds at) { sc_core::sc_start(delay_until(at)); }

    Timer timer;
    bool line = false;
};

}  // namespace

TEST_CASE("timer: external clock mode 2 counts edges of ETR by polarity and prescaler") {
    struct Row {
        std::uint32_t settings;
        unsigned edges;     ///< of 16 pulses, from 1 to 2 us, 3 to 4 us and so on
        Picoseconds first;  ///< us
    };
    Bench bench;
    Picoseconds now = 0;
    for (const Row& row : {Row{0, 16, 1}, Row{kEtp, 16, 2}, Row{kEtps, 8, 3}, Row{2 * kEtps, 4, 7},
                           Row{3 * kEtps, 2, 15}, Row{kEtp | kEtps, 8, 4}}) {
        CAPTURE(row.settings);
        bench.timer.reset();
        bench.set(kArr, kWord, now);
        bench.set(kSmcr, kEce | row.settings, now);
        bench.set(kCr1, 1, now);
        CHECK_FALSE(sc_core::sc_pending_activity());
        for (Picoseconds us = 1; us <= 32; ++us) {
            bench.timer.external_trigger(us % 2 != 0, now + us * kUs);
            CHECK((bench.count(now + us * kUs) != 0) == (us >= row.first));
        }
        CHECK(bench.count(now + 33 * kUs) == row.edges);
        CHECK(bench.get(kSr, now + 33 * kUs) == 0);
        // Neither does a stopped timer count.
        bench.set(kCr1, 0, now + 33 * kUs);
        for (Picoseconds us = 34; us < 50; ++us)
            bench.timer.external_trigger(us % 2 == 0, now + us * kUs);
        CHECK(bench.count(now + 50 * kUs) == row.edges);
        now += 51 * kUs;
    }
}

TEST_CASE("timer: external clock mode 2 through the prescaler PSC, with its update") {
    Bench bench;
    bench.set(kArr, 3);
    bench.set(kPsc, 1);
    bench.set(kEgr, 1);
    bench.set(kSr, 0);
    bench.set(kSmcr, kEce);
    bench.set(kDier, 1);
    bench.set(kCr1, 1);
    Picoseconds now = 0;
    for (unsigned edge = 1; edge <= 7; ++edge) {
        now += 2 * kUs;
        bench.pulse(now, now + kUs);
        CHECK(bench.count(now + kUs) == edge / 2);
        CHECK_FALSE(bench.line);
    }
    now += 2 * kUs;
    bench.pulse(now, now + kUs);
    CHECK(bench.count(now + kUs) == 0);
    CHECK(bench.line);
}

TEST_CASE("timer: TI1 or TI2 starts, opens and sets back a timer that ETR clocks") {
    Bench bench;
    Picoseconds now = 0;
    const auto edges = [&](unsigned number) {
        for (unsigned i = 0; i < number; ++i) {
            bench.pulse(now + kUs, now + 2 * kUs);
            now += 2 * kUs;
        }
        return bench.count(now);
    };
    bench.set(kArr, 99);
    bench.set(kSmcr, kEce | kByTi1 | kStart);
    CHECK(edges(3) == 0);
    bench.timer.input(0, true, now);
    CHECK(bench.get(kSr, now) == kTif);
    CHECK(edges(3) == 3);
    bench.set(kSmcr, kEce | kByTi2 | kGated, now);
    CHECK(edges(3) == 3);
    bench.timer.input(1, true, now);
    CHECK(edges(2) == 5);
    bench.timer.input(1, false, now);
    CHECK(edges(2) == 5);
    bench.set(kSmcr, kEce | kByTi1 | kReset, now);
    bench.timer.input(0, false, now);
    CHECK(edges(1) == 6);
    bench.timer.input(0, true, now);
    CHECK(edges(1) == 1);
    // In external clock mode 1, too, ETRF is the clock.
    bench.set(kSmcr, kEce | kByTi1 | kClock, now);
    bench.timer.input(0, false, now);
    bench.timer.input(0, true, now);
    CHECK(edges(2) == 3);
}

TEST_CASE("timer: ETRF as trigger sets back, opens, starts and clocks, with its flag") {
    Bench bench;
    bench.set(kArr, 999);
    bench.set(kSmcr, kByEtrf | kReset);
    bench.set(kCr1, 1);
    bench.timer.external_trigger(true, 5 * kUs);
    CHECK(bench.get(kSr, 5 * kUs) == (kTif | 1));
    CHECK(bench.count(6 * kUs) == 10);
    bench.timer.external_trigger(false, 6 * kUs);
    CHECK(bench.count(7 * kUs) == 20);

    bench.timer.reset();
    bench.set(kArr, 999, 10 * kUs);
    bench.set(kSmcr, kByEtrf | kGated, 10 * kUs);
    bench.set(kCr1, 1, 10 * kUs);
    CHECK(bench.count(12 * kUs) == 0);
    bench.timer.external_trigger(true, 12 * kUs);
    CHECK(bench.count(15 * kUs) == 30);
    bench.timer.external_trigger(false, 16 * kUs);
    CHECK(bench.count(19 * kUs) == 40);
    bench.set(kSmcr, kByEtrf | kGated | kEtp, 19 * kUs);  // low opens
    CHECK(bench.count(20 * kUs) == 50);

    bench.timer.reset();
    bench.set(kArr, 999, 20 * kUs);
    bench.set(kSmcr, kByEtrf | kStart | kEtp, 20 * kUs);
    bench.timer.external_trigger(true, 21 * kUs);
    CHECK(bench.get(kCr1, 21 * kUs) == 0);
    bench.timer.external_trigger(false, 22 * kUs);
    CHECK(bench.get(kCr1, 22 * kUs) == 1);
    CHECK(bench.count(24 * kUs) == 20);
    bench.set(kSmcr, kByEtrf | kResetAndStart, 24 * kUs);
    bench.timer.external_trigger(true, 25 * kUs);
    CHECK(bench.count(26 * kUs) == 10);

    bench.timer.reset();
    bench.set(kArr, 999, 30 * kUs);
    bench.set(kSmcr, kByEtrf | kClock | kEtps, 30 * kUs);
    bench.set(kCr1, 1, 30 * kUs);
    bench.timer.external_trigger(false, 30 * kUs);
    for (Picoseconds us = 31; us < 41; us += 2) bench.pulse(us * kUs, (us + 1) * kUs);
    CHECK(bench.count(41 * kUs) == 2);
    CHECK(bench.get(kSr, 41 * kUs) == kTif);
}

TEST_CASE("timing: the filter of ETR takes a level after ETF's samples, and loses shorter ones") {
    Bench bench;
    bench.set(kArr, 999);
    bench.set(kSmcr, kEce | 3 * kEtf);  // 8 samples of the timer's clock: 0.8 us
    bench.set(kCr1, 1);
    const auto change = [&bench](bool level, Picoseconds at) {
        Bench::run_until(at);
        bench.timer.external_trigger(level, at);
    };
    const auto count_at = [&bench](Picoseconds at) {
        Bench::run_until(at);
        return bench.count(at);
    };
    change(true, 1 * kUs);
    change(false, 1'700'000);
    CHECK(count_at(2'900'000) == 0);
    change(true, 3 * kUs);
    CHECK(count_at(3'799'000) == 0);
    CHECK(count_at(3'801'000) == 1);
    change(false, 5 * kUs);
    // CKD = 1: DTS of 5 MHz; 8 samples of its half: 3.2 us.
    bench.set(kCr1, 1 | 1u << 8, 10 * kUs);
    bench.set(kSmcr, kEce | 5 * kEtf, 10 * kUs);
    change(true, 20 * kUs);
    CHECK(count_at(23'199'000) == 1);
    CHECK(count_at(23'201'000) == 2);
    change(false, 24 * kUs);
    // Bounces begin it again.
    change(true, 30 * kUs);
    change(false, 31 * kUs);
    change(true, 32 * kUs);
    CHECK(count_at(35'199'000) == 2);
    CHECK(count_at(35'201'000) == 3);
    CHECK(count_at(60 * kUs) == 3);
}

TEST_CASE("timer: an external trigger from elsewhere than the pin is not modelled") {
    Bench bench;
    bench.set(kArr, 999);
    for (unsigned source = 1; source < 16; ++source)
        CHECK_FALSE(bench.timer.write(kAf1, source << 14, kWord, 0).modelled);
    CHECK_FALSE(bench.timer.write(kSmcr, kEce, kWord, 0).modelled);
    CHECK_FALSE(bench.timer.write(kSmcr, kByEtrf | kReset, kWord, 0).modelled);
    CHECK_FALSE(bench.timer.write(kSmcr, kEce, kWord, 0).modelled);
    bench.set(kCr1, 1);
    bench.pulse(kUs, 2 * kUs);
    CHECK(bench.count(2 * kUs) == 0);
    bench.set(kAf1, 1, 2 * kUs);
    bench.pulse(3 * kUs, 4 * kUs);
    CHECK(bench.count(4 * kUs) == 1);
}
