// SPDX-License-Identifier: Apache-2.0
// Outputs and inputs of timers, and timers as slaves of their own inputs.
#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/soc/timers/timer.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kWord = 0xFFFFFFFF;
constexpr std::uint32_t kCr1 = 0x00, kCr2 = 0x04, kSmcr = 0x08, kDier = 0x0C, kSr = 0x10,
                        kEgr = 0x14, kCcmr1 = 0x18, kCcmr2 = 0x1C, kCcer = 0x20, kCnt = 0x24,
                        kPsc = 0x28, kArr = 0x2C, kCcr1 = 0x34, kCcr2 = 0x38, kBdtr = 0x44;
constexpr std::uint32_t kMoe = 1u << 15, kOssr = 1u << 11, kOssi = 1u << 10;
constexpr Picoseconds kUs = 1'000'000;
constexpr TimerLayout kGeneral{32, 4, false}, kAdvanced{16, 4, true}, kTim15{16, 2, true};

/// OC1M of that mode.
constexpr std::uint32_t mode_1(std::uint32_t mode) {
    return (mode & 7) << 4 | (mode >> 3) << 16;
}

/// A timer of 10 MHz with pins. Those of one test case are all made before the simulation starts.
struct Bench {
    explicit Bench(const TimerLayout& layout, bool start = true)
        : timer(sc_core::sc_gen_unique_name("tim"), "TIM2", layout) {
        timer.on_outputs = [this](const Timer::Outputs& outputs, Picoseconds at) {
            told.emplace_back(outputs.driven, outputs.high, at);
        };
        timer.on_interrupt = [this](bool level) { line = level; };
        timer.set_kernel_hz(10e6);
        if (start) begin();
    }
    static void begin() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }
    void set(std::uint32_t offset, std::uint32_t value, Picoseconds at = 0) {
        CHECK(timer.write(offset, value, kWord, at).modelled);
    }
    bool refused(std::uint32_t offset, std::uint32_t value) {
        const bool known = timer.write(offset, value, kWord, 0).modelled;
        static_cast<void>(timer.write(offset, 0, kWord, 0));
        return !known;
    }
    std::uint32_t get(std::uint32_t offset, Picoseconds at) { return timer.read(offset, at).value; }
    /// A whole pulse at the input of a channel.
    void pulse(unsigned channel, Picoseconds rise, Picoseconds fall) {
        timer.input(channel, true, rise);
        timer.input(channel, false, fall);
    }
    static void run_until(Picoseconds at) { sc_core::sc_start(delay_until(at)); }

    struct Told {
        Told(std::uint8_t driven_pins, std::uint8_t high_pins, Picoseconds time)
            : driven(driven_pins), high(high_pins), at(time) {}
        std::uint8_t driven, high;
        Picoseconds at;
        bool operator==(const Told&) const = default;
    };
    Timer timer;
    std::vector<Told> told;
    bool line = false;
};

}  // namespace

TEST_CASE("timing: PWM is high below the compare value, in every period") {
    Bench bench(kGeneral);
    bench.timer.listen_to_outputs(1, 0);
    bench.set(kArr, 99);
    bench.set(kCcr1, 25);
    bench.set(kCcmr1, mode_1(6));
    bench.set(kCcer, 1);
    bench.set(kCr1, 1);
    bench.run_until(13 * kUs);
    const std::vector<Bench::Told> expected{
        {1, 1, 0}, {1, 0, 2'500'000}, {1, 1, 10 * kUs}, {1, 0, 12'500'000}};
    CHECK(bench.told == expected);
    // Off: the pin is let go.
    bench.set(kCcer, 0, 13 * kUs);
    CHECK(bench.told.back() == Bench::Told(0, 0, 13 * kUs));
}

TEST_CASE("timing: PWM mode 2 and polarity each turn the levels over") {
    struct Row {
        explicit Row(unsigned number)
            : second(number % 2 != 0), inverted(number / 2 != 0), bench(kGeneral, false) {}
        bool second, inverted;
        Bench bench;
    };
    Row rows[]{Row(0), Row(1), Row(2), Row(3)};
    Bench::begin();
    for (Row& row : rows) {
        CAPTURE(row.second);
        CAPTURE(row.inverted);
        Bench& bench = row.bench;
        bench.set(kArr, 9);
        bench.set(kCcr2, 3);
        bench.set(kCcmr1, (row.second ? 7u : 6u) << 12);
        bench.set(kCcer, row.inverted ? 0x30 : 0x10);
        bench.set(kCr1, 1);
        for (Picoseconds tick = 0; tick < 25; ++tick) {
            const bool active = (tick % 10 < 3) != row.second;
            const Timer::Outputs outputs = bench.timer.outputs(tick * 100'000);
            CHECK(outputs.driven == 4);
            CHECK((outputs.high == 4) == (active != row.inverted));
        }
        const std::optional<Timer::Wave> wave = bench.timer.wave(2);
        REQUIRE(wave);
        CHECK(wave->hz == doctest::Approx(1e6));
        CHECK(wave->high_share == doctest::Approx(row.second != row.inverted ? 0.7 : 0.3));
        bench.timer.listen_to_outputs(4, 3 * kUs);
    }
    Bench::run_until(5'050'000);
    for (const Row& row : rows) CHECK(row.bench.told.size() == 1 + 4);
}

TEST_CASE("timer: a compare value of nothing or beyond the period is no wave but a level") {
    Bench bench(kGeneral);
    bench.set(kArr, 99);
    bench.set(kCcmr1, mode_1(6));
    bench.set(kCcer, 1);
    bench.set(kCr1, 1);
    const auto level = [&bench](std::uint32_t compare) {
        bench.set(kCcr1, compare);
        const std::optional<Timer::Wave> wave = bench.timer.wave(0);
        REQUIRE(wave);
        CHECK(wave->hz == 0);
        return wave->high_share;
    };
    CHECK(level(0) == 0);
    CHECK(level(100) == 1);
    CHECK(level(5'000) == 1);
    bench.set(kCcr1, 99);
    CHECK(bench.timer.wave(0)->high_share == doctest::Approx(0.99));
    CHECK_FALSE(bench.timer.wave(2));
    // Without a clock the level stays.
    bench.set(kCr1, 0);
    CHECK(bench.timer.wave(0)->hz == 0);
    bench.set(kPsc, 9);
    bench.set(kEgr, 1);
    bench.set(kCr1, 1);
    CHECK(bench.timer.wave(0)->hz == doctest::Approx(10e3));
}

TEST_CASE("timing: toggling, also over periods that nobody looked at") {
    Bench bench(kGeneral);
    bench.set(kArr, 9);
    bench.set(kCcr1, 4);
    bench.set(kCcmr1, mode_1(3));
    bench.set(kCcer, 1);
    bench.set(kCr1, 1);
    CHECK_FALSE(sc_core::sc_pending_activity());
    // Matches at 0.4, 1.4, 2.4 us and so on.
    CHECK(bench.timer.outputs(399'999).high == 0);
    CHECK(bench.timer.outputs(400'000).high == 1);
    CHECK(bench.timer.outputs(7'400'000).high == 0);
    CHECK(bench.timer.outputs(1'000'400'000).high == 1);
    CHECK(bench.timer.outputs(1'001'400'000).high == 0);
    CHECK(bench.timer.wave(0)->hz == doctest::Approx(500e3));
    CHECK(bench.timer.wave(0)->high_share == doctest::Approx(0.5));
    bench.timer.listen_to_outputs(1, 1'001'500'000);
    bench.run_until(1'003'500'000);
    const std::vector<Bench::Told> expected{
        {1, 0, 1'001'500'000}, {1, 1, 1'002'400'000}, {1, 0, 1'003'400'000}};
    CHECK(bench.told == expected);
}

TEST_CASE("timer: active and inactive on match, forced levels, a frozen output keeps its level") {
    Bench bench(kGeneral);
    bench.set(kArr, 99);
    bench.set(kCcr1, 50);
    bench.set(kCcmr1, mode_1(1));
    bench.set(kCcer, 1);
    bench.set(kCr1, 1);
    CHECK(bench.timer.outputs(4'900'000).high == 0);
    CHECK(bench.timer.outputs(5 * kUs).high == 1);
    CHECK(bench.timer.outputs(11 * kUs).high == 1);
    bench.set(kCcmr1, mode_1(2), 11 * kUs);
    CHECK(bench.timer.outputs(14'900'000).high == 1);
    CHECK(bench.timer.outputs(15 * kUs).high == 0);
    bench.set(kCcmr1, mode_1(5), 16 * kUs);
    CHECK(bench.timer.outputs(16 * kUs).high == 1);
    bench.set(kCcmr1, mode_1(0), 17 * kUs);
    CHECK(bench.timer.outputs(40 * kUs).high == 1);
    bench.set(kCcmr1, mode_1(4), 40 * kUs);
    CHECK(bench.timer.outputs(40 * kUs).high == 0);
    bench.set(kCcmr1, mode_1(0), 41 * kUs);
    CHECK(bench.timer.outputs(80 * kUs).high == 0);
}

TEST_CASE("timer: MOE, idle levels and complementary outputs of an advanced timer") {
    Bench bench(kAdvanced);
    bench.set(kArr, 9);
    bench.set(kCcr1, 5);
    bench.set(kCcmr1, mode_1(6));
    bench.set(kCcer, 5);  // CH1 and CH1N
    CHECK(bench.timer.outputs(0).driven == 0);
    CHECK_FALSE(bench.timer.wave(0));
    bench.set(kCr2, 1u << 9);  // OIS1N
    bench.set(kBdtr, kOssi);
    CHECK(bench.timer.outputs(0) == Timer::Outputs{3, 2});
    bench.set(kCr2, 1u << 8);  // OIS1
    CHECK(bench.timer.outputs(0) == Timer::Outputs{3, 1});
    CHECK(bench.timer.wave(0)->hz == 0);
    bench.set(kBdtr, kMoe);
    bench.set(kCr1, 1);
    CHECK(bench.timer.outputs(0) == Timer::Outputs{3, 1});
    CHECK(bench.timer.outputs(500'000) == Timer::Outputs{3, 2});
    CHECK(bench.timer.wave(1)->high_share == doctest::Approx(0.5));
    bench.set(kCcr1, 2, 500'000);
    CHECK(bench.timer.wave(0)->high_share == doctest::Approx(0.2));
    CHECK(bench.timer.wave(1)->high_share == doctest::Approx(0.8));
    bench.set(kCcer, 0xD, 500'000);  // CC1NP
    CHECK(bench.timer.wave(1)->high_share == doctest::Approx(0.2));
    // CH1N alone has the reference itself.
    bench.set(kCcer, 4, 1 * kUs);
    CHECK(bench.timer.outputs(1 * kUs) == Timer::Outputs{2, 2});
    // OSSR holds the other one of the pair at its inactive level.
    bench.set(kBdtr, kMoe | kOssr, 1 * kUs);
    CHECK(bench.timer.outputs(1 * kUs) == Timer::Outputs{3, 2});
    CHECK(bench.timer.wave(0)->hz == 0);
    bench.set(kCcer, 6, 1 * kUs);  // CC1P
    CHECK(bench.timer.outputs(1 * kUs) == Timer::Outputs{3, 3});
    bench.set(kCcer, 1, 1 * kUs);
    CHECK(bench.timer.outputs(1 * kUs) == Timer::Outputs{3, 1});
    bench.set(kCcer, 9, 1 * kUs);
    CHECK(bench.timer.outputs(1 * kUs) == Timer::Outputs{3, 3});
}

TEST_CASE("timer: only a listener makes an output an event of the kernel") {
    Bench bench(kGeneral);
    bench.set(kArr, 99);
    bench.set(kCcr1, 25);
    bench.set(kCcmr1, mode_1(6));
    bench.set(kCcer, 1);
    bench.set(kCr1, 1);
    CHECK_FALSE(sc_core::sc_pending_activity());
    bench.timer.listen_to_outputs(4, 0);  // that of channel 2, which is off
    CHECK_FALSE(sc_core::sc_pending_activity());
    bench.timer.listen_to_outputs(1, 0);
    CHECK(sc_core::sc_pending_activity());
    bench.timer.listen_to_outputs(0, 0);
    CHECK_FALSE(sc_core::sc_pending_activity());
    CHECK(bench.told.back() == Bench::Told(0, 0, 0));
}

TEST_CASE("timer: a capture keeps the count, reading it clears the flag, a second one is told") {
    Bench bench(kGeneral);
    bench.set(kArr, kWord);
    bench.set(kCcmr1, 1);
    bench.set(kCcer, 1);
    bench.set(kDier, 2);
    bench.set(kCr1, 1);
    bench.timer.input(0, true, 3 * kUs);
    CHECK(bench.line);
    CHECK(bench.get(kSr, 3 * kUs) == 2);
    CHECK_FALSE(bench.timer.reads_freely(kCcr1));
    CHECK(bench.timer.reads_freely(kCcr2));
    CHECK(bench.get(kCcr1, 4 * kUs) == 30);
    CHECK(bench.get(kSr, 4 * kUs) == 0);
    CHECK_FALSE(bench.line);
    bench.timer.input(0, false, 5 * kUs);  // not its edge
    bench.timer.input(1, true, 5 * kUs);   // not its input
    CHECK(bench.get(kSr, 5 * kUs) == 0);
    bench.timer.input(0, true, 6 * kUs);
    bench.pulse(0, 7 * kUs, 7'500'000);  // it is high already: only the fall is news
    CHECK(bench.get(kSr, 8 * kUs) == 2);
    bench.timer.input(0, true, 9 * kUs);
    CHECK(bench.get(kSr, 9 * kUs) == (2 | 1u << 9));
    static_cast<void>(bench.timer.write(kCcr1, 5, kWord, 9 * kUs));  // is not written
    CHECK(bench.get(kCcr1, 9 * kUs) == 90);
    CHECK(bench.get(kSr, 9 * kUs) == 1u << 9);
    bench.set(kSr, 0, 9 * kUs);
    CHECK(bench.get(kSr, 9 * kUs) == 0);
}

TEST_CASE("timer: software that looked at a later time moves no capture and no reset") {
    Bench bench(kGeneral);
    bench.set(kArr, 99);
    bench.set(kPsc, 1);
    bench.set(kEgr, 1);
    bench.set(kCcmr1, 1);
    bench.set(kCcer, 1);
    bench.set(kCr1, 1);
    CHECK(bench.get(kCnt, 5 * kUs) == 25);
    bench.timer.input(0, true, 4'700'000);
    CHECK(bench.get(kCcr1, 5 * kUs) == 23);
    CHECK(bench.get(kCnt, 5 * kUs) == 25);
    // Over the end of a period of 20 us.
    bench.timer.input(0, false, 19 * kUs);
    CHECK(bench.get(kCnt, 20'600'000) == 3);
    bench.timer.input(0, true, 19'900'000);
    CHECK(bench.get(kCcr1, 20'600'000) == 99);
    CHECK(bench.get(kCnt, 20'600'000) == 3);
    bench.set(kSmcr, 5u << 4 | 4, 20'600'000);
    bench.timer.input(0, false, 21 * kUs);
    CHECK(bench.get(kCnt, 23 * kUs) == 15);
    bench.timer.input(0, true, 22 * kUs);
    CHECK(bench.get(kCcr1, 23 * kUs) == 10);
    CHECK(bench.get(kCnt, 23 * kUs) == 5);
}

TEST_CASE("timer: edges, prescaler and the other input of a pair") {
    struct Row {
        std::uint32_t ccmr1, ccer;
        unsigned first;                       ///< compare register of the captures
        std::vector<std::uint32_t> captured;  ///< counts
    };
    // Channel 1 is high from 1 to 2 us, 3 to 4 us and so on, up to 16 us.
    const std::vector<Row> rows{
        {1, 1, 0, {10, 30, 50, 70, 90, 110, 130, 150}},
        {1, 3, 0, {20, 40, 60, 80, 100, 120, 140, 160}},
        {1, 0xB, 0, {10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160}},
        {1 | 1u << 2, 1, 0, {30, 70, 110, 150}},
        {1 | 2u << 2, 1, 0, {70, 150}},
        {1 | 3u << 2, 1, 0, {150}},
        {2u << 8, 0x10, 1, {10, 30, 50, 70, 90, 110, 130, 150}},  // channel 2 captures TI1
        {2u << 8, 0x30, 1, {20, 40, 60, 80, 100, 120, 140, 160}},
        {1, 0, 0, {}},
        {1u << 8, 0x10, 1, {}},
    };
    Bench bench(kGeneral);
    Picoseconds now = 0;
    for (const Row& row : rows) {
        CAPTURE(row.ccmr1);
        CAPTURE(row.ccer);
        bench.timer.reset();
        bench.set(kArr, kWord, now);
        bench.set(kCcmr1, row.ccmr1, now);
        bench.set(kCcer, row.ccer, now);
        bench.set(kCr1, 1, now);
        std::vector<std::uint32_t> captured;
        for (Picoseconds us = 1; us <= 16; ++us) {
            bench.timer.input(0, us % 2 != 0, now + us * kUs);
            if ((bench.get(kSr, now + us * kUs) >> (row.first + 1) & 1) != 0)
                captured.push_back(bench.get(kCcr1 + 4 * row.first, now + us * kUs));
        }
        CHECK(captured == row.captured);
        now += 17 * kUs;
    }
    // A channel that is off counts its events from the start again.
    bench.timer.reset();
    bench.set(kCcmr1, 1 | 1u << 2, now);
    bench.set(kCcer, 1, now);
    bench.pulse(0, now + 1 * kUs, now + 2 * kUs);
    bench.set(kCcer, 0, now + 2 * kUs);
    bench.set(kCcer, 1, now + 2 * kUs);
    bench.pulse(0, now + 3 * kUs, now + 4 * kUs);
    CHECK(bench.get(kSr, now + 4 * kUs) == 0);
    bench.pulse(0, now + 5 * kUs, now + 6 * kUs);
    CHECK(bench.get(kSr, now + 6 * kUs) == 2);
}

TEST_CASE("timer: TI1S joins three inputs by exclusive or") {
    Bench bench(kGeneral);
    bench.set(kCr2, 1u << 7);
    bench.set(kCcmr1, 1);
    bench.set(kCcer, 0xB);  // both edges
    for (const unsigned channel : {0u, 1u, 2u}) {
        CAPTURE(channel);
        for (const bool level : {true, false, true}) {
            bench.timer.input(channel, level, 0);
            CHECK(bench.get(kSr, 0) == 2);
            bench.set(kSr, 0);
        }
    }
    bench.timer.input(3, true, 0);
    CHECK(bench.get(kSr, 0) == 0);
}

TEST_CASE("timer: PWM input measures period and width") {
    Bench bench(kGeneral);
    bench.set(kArr, kWord);
    bench.set(kCcmr1, 1 | 2u << 8);  // both of TI1
    bench.set(kCcer, 1 | 0x30);      // rising, falling
    bench.set(kSmcr, 5u << 4 | 4);   // TI1FP1 resets
    bench.set(kCr1, 1u << 2 | 1);    // URS
    bench.pulse(0, 4 * kUs, 6'500'000);
    bench.pulse(0, 14 * kUs, 16'500'000);
    CHECK(bench.get(kCcr1, 17 * kUs) == 100);
    CHECK(bench.get(kCcr2, 17 * kUs) == 25);
    CHECK(bench.get(kCnt, 17 * kUs) == 30);
    CHECK((bench.get(kSr, 17 * kUs) & 0x41) == 0x40);  // TIF, no update
}

TEST_CASE("timer: a gate holds the counter, a trigger starts it, with their flag and interrupt") {
    Bench gated(kGeneral, false), started(kGeneral, false), both(kGeneral);
    gated.set(kArr, 999);
    gated.set(kSmcr, 5u << 4 | 5);
    gated.set(kDier, 1u << 6);
    gated.set(kCr1, 1);
    CHECK(gated.get(kCnt, 10 * kUs) == 0);
    gated.timer.input(0, true, 10 * kUs);
    CHECK(gated.line);
    CHECK(gated.get(kCnt, 13 * kUs) == 30);
    gated.set(kSr, 0, 13 * kUs);
    CHECK_FALSE(gated.line);
    gated.timer.input(0, false, 14 * kUs);
    CHECK(gated.line);
    CHECK(gated.get(kCnt, 20 * kUs) == 40);
    gated.set(kCcer, 2, 20 * kUs);  // inverted: the gate is open
    CHECK(gated.get(kCnt, 21 * kUs) == 50);

    started.set(kArr, 999);
    started.set(kSmcr, 6u << 4 | 6);  // by TI2FP2
    started.timer.input(0, true, 1 * kUs);
    CHECK(started.get(kCr1, 1 * kUs) == 0);
    started.timer.input(1, true, 2 * kUs);
    CHECK(started.get(kCr1, 2 * kUs) == 1);
    CHECK(started.get(kSr, 2 * kUs) == 1u << 6);
    CHECK(started.get(kCnt, 4 * kUs) == 20);
    // Reset and trigger: a second edge starts from zero, TI1F_ED takes both.
    both.set(kArr, 999);
    both.set(kSmcr, 4u << 4 | 1u << 16);
    both.timer.input(0, true, 1 * kUs);
    CHECK(both.get(kCnt, 3 * kUs) == 20);
    both.timer.input(0, false, 3 * kUs);
    CHECK(both.get(kCnt, 3 * kUs) == 0);
    CHECK(both.get(kCnt, 4 * kUs) == 10);
}

TEST_CASE("timer: an external clock counts edges, through the prescaler") {
    Bench bench(kGeneral);
    bench.set(kArr, 3);
    bench.set(kPsc, 1);
    bench.set(kEgr, 1);
    bench.set(kSr, 0);
    bench.set(kSmcr, 5u << 4 | 7);
    bench.set(kDier, 1);
    bench.set(kCr1, 1);
    CHECK_FALSE(sc_core::sc_pending_activity());
    CHECK(bench.get(kCnt, 1'000 * kUs) == 0);
    Picoseconds now = 1'000 * kUs;
    for (unsigned edge = 1; edge <= 7; ++edge) {
        now += 2 * kUs;
        bench.pulse(0, now, now + kUs);
        CHECK(bench.get(kCnt, now + kUs) == edge / 2);
        CHECK_FALSE(bench.line);
    }
    now += 2 * kUs;
    bench.timer.input(0, true, now);
    CHECK(bench.get(kCnt, now) == 0);
    CHECK(bench.line);
    // CEN off: edges are not counted.
    bench.set(kCr1, 0, now);
    bench.pulse(0, now + 2 * kUs, now + 3 * kUs);
    bench.pulse(0, now + 4 * kUs, now + 5 * kUs);
    CHECK(bench.get(kCnt, now + 5 * kUs) == 0);
}

TEST_CASE("timer: an encoder counts up and down, by one input or by both") {
    // Forward: TI1 rises, TI2 rises, TI1 falls, TI2 falls.
    const auto turn = [](Bench& bench, bool forward, Picoseconds& now) {
        for (const unsigned step : {0u, 1u, 2u, 3u}) {
            now += kUs;
            const bool first = (step % 2 == 0) == forward;
            bench.timer.input(first ? 0 : 1, step < 2, now);
        }
    };
    struct Row {
        std::uint32_t mode;
        std::uint32_t counts;  ///< of a turn
    };
    Bench bench(kGeneral);
    Picoseconds now = 0;
    for (const Row& row : {Row{1, 2}, Row{2, 2}, Row{3, 4}}) {
        CAPTURE(row.mode);
        bench.timer.reset();
        bench.set(kArr, 99, now);
        bench.set(kSmcr, row.mode, now);
        bench.set(kCr1, 1, now);
        for (unsigned i = 1; i <= 3; ++i) {
            turn(bench, true, now);
            CHECK(bench.get(kCnt, now) == i * row.counts);
        }
        CHECK((bench.get(kCr1, now) & 0x10) == 0);
        CHECK(bench.get(kSr, now) == 0);
        for (unsigned i = 0; i < 4; ++i) turn(bench, false, now);
        CHECK(bench.get(kCnt, now) == 100 - row.counts);
        CHECK((bench.get(kCr1, now) & 0x10) == 0x10);
        CHECK((bench.get(kSr, now) & 1) == 1);
        // Software does not choose the direction.
        bench.set(kCr1, 1, now);
        CHECK(bench.get(kCr1, now) == 0x11);
        bench.set(kCr1, 0x11, now);
    }
}

TEST_CASE("timer: polarity turns an encoder round") {
    Bench bench(kGeneral);
    bench.set(kArr, 99);
    bench.set(kSmcr, 3);
    bench.set(kCcmr1, 1 | 1u << 8);
    bench.set(kCcer, 2);
    bench.set(kCr1, 1);
    // TI1FP1 begins high.
    bench.timer.input(1, true, kUs);
    CHECK(bench.get(kCnt, kUs) == 1);
    bench.timer.input(0, true, 2 * kUs);
    CHECK(bench.get(kCnt, 2 * kUs) == 2);
    bench.timer.input(0, false, 3 * kUs);
    CHECK(bench.get(kCnt, 3 * kUs) == 1);
}

TEST_CASE("timer: which outputs, inputs and slave modes are modelled") {
    Bench bench(kGeneral, false), advanced(kAdvanced, false), tim15(kTim15, false),
        basic(TimerLayout{16, 1, false});
    for (unsigned position = 0; position < 32; ++position) {
        CAPTURE(position);
        // No complementary outputs, no fifth channel.
        CHECK(bench.refused(kCcer, 1u << position) == ((0x3333u >> position & 1) == 0));
    }
    CHECK_FALSE(advanced.refused(kCcer, 0xFFFF));
    CHECK(advanced.refused(kCcer, 0x10000));
    CHECK_FALSE(tim15.refused(kCcer, 0x3F));
    CHECK(tim15.refused(kCcer, 0x40));   // CC2NE
    CHECK(tim15.refused(kCcer, 0x100));  // CC3E
    // Modes from 8 on, and an internal trigger as input that no timer drives.
    for (unsigned mode = 0; mode < 16; ++mode) {
        CAPTURE(mode);
        bench.set(kCcmr1, 0);
        static_cast<void>(bench.timer.write(kCcmr1, mode_1(mode), kWord, 0));
        CHECK(bench.refused(kCcer, 1) == (mode >= 8));
        CHECK_FALSE(bench.refused(kCcer, 0x10));
    }
    bench.set(kCcmr2, 3);
    CHECK(bench.refused(kCcer, 0x100));
    CHECK_FALSE(bench.refused(kCcer, 0xA00));  // its polarity alone
    bench.set(kCcmr2, 2);
    CHECK_FALSE(bench.refused(kCcer, 0x100));
    CHECK_FALSE(bench.refused(kCcer, 0xB00));
    CHECK(bench.refused(kCcer, 0x400));
    for (unsigned mode = 0; mode < 16; ++mode) {
        for (unsigned source = 0; source < 8; ++source) {
            CAPTURE(mode);
            CAPTURE(source);
            const std::uint32_t word = (mode & 7) | (mode >> 3) << 16 | source << 4;
            const bool own = source >= 4, by_etr = source == 7;
            const bool known = mode <= 3 || (mode <= 8 && own);
            CHECK(bench.refused(kSmcr, word) == !known);
            // ECE: ETRF is not clock and trigger at once.
            const bool with_clock =
                mode == 0 || mode == 7 || (mode >= 4 && mode <= 8 && own && !by_etr);
            CHECK(bench.refused(kSmcr, word | 1u << 14) == !with_clock);
            CHECK(bench.refused(kSmcr, word | 1u << 20) == (mode > 3));  // other triggers
            // TIM15 has no external trigger.
            CHECK(tim15.refused(kSmcr, word | 1u << 14));
            CHECK(tim15.refused(kSmcr, word) == (!known || (by_etr && mode > 3)));
        }
    }
    CHECK(basic.refused(kSmcr, 3));
    CHECK(basic.refused(kSmcr, 5u << 4 | 4));
    CHECK_FALSE(bench.refused(kDier, 1u << 6));
    CHECK_FALSE(bench.refused(kEgr, 1u << 6));
    bench.set(kEgr, 1u << 6);
    CHECK((bench.get(kSr, 0) & 1u << 6) != 0);
    CHECK_FALSE(bench.refused(kCr2, 0xFF80));
}
