// SPDX-License-Identifier: Apache-2.0
// Timers that count down, or both ways. Expected values are by hand from the definitions of the
// counter modes and of PWM in the reference manuals, and from their figure of the mode that goes
// both ways, whose ARR is 8.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/soc/timers/timer.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kWord = 0xFFFFFFFF;
constexpr std::uint32_t kCr1 = 0x00, kSmcr = 0x08, kDier = 0x0C, kSr = 0x10, kEgr = 0x14,
                        kCcmr1 = 0x18, kCcmr2 = 0x1C, kCcer = 0x20, kCnt = 0x24, kArr = 0x2C,
                        kRcr = 0x30, kCcr1 = 0x34;
constexpr std::uint32_t kCen = 1, kUrs = 4, kOnePulse = 8, kDown = 1u << 4, kArpe = 1u << 7;
constexpr unsigned kCms = 5;
constexpr std::uint32_t kPwm1 = 6u << 4, kPwm2 = 7u << 4, kToggles = 3u << 4;
constexpr Picoseconds kUs = 1'000'000, kTick = kUs / 10;
constexpr TimerLayout kGeneral{16, 4, false}, kAdvanced{16, 4, true};

/// A timer of 10 MHz with pins. Those of one test case are all made before the simulation starts.
struct Bench {
    using Seen = std::vector<std::pair<bool, Picoseconds>>;
    explicit Bench(const TimerLayout& layout = kGeneral, bool start = true)
        : timer(sc_core::sc_gen_unique_name("tim"), "TIM2", layout) {
        timer.on_outputs = [this](const Timer::Outputs& outputs, Picoseconds at) {
            told.emplace_back((outputs.high & 1) != 0, at);
        };
        timer.on_interrupt = [this](bool level) {
            line.emplace_back(level, sc_core::sc_time_stamp().value());
        };
        timer.set_kernel_hz(10e6);
        if (start) begin();
    }
    static void begin() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }
    void set(std::uint32_t offset, std::uint32_t value, Picoseconds at = 0) {
        CHECK(timer.write(offset, value, kWord, at).modelled);
    }
    std::uint32_t get(std::uint32_t offset, Picoseconds at) { return timer.read(offset, at).value; }
    std::uint32_t count(Picoseconds at) { return get(kCnt, at); }
    bool high(unsigned channel, Picoseconds at) {
        return (timer.outputs(at).high >> (2 * channel) & 1) != 0;
    }
    /// Returns the flags that have risen, which are down behind it.
    std::uint32_t flags(Picoseconds at) {
        const std::uint32_t risen = get(kSr, at);
        set(kSr, 0, at);
        return risen;
    }
    /// From the start of the counter, without flags.
    void start(std::uint32_t control) {
        set(kCr1, control | kUrs);
        set(kEgr, 1);
        set(kCr1, control | kUrs | kCen);
    }
    static void run_until(Picoseconds at) { sc_core::sc_start(delay_until(at)); }

    Timer timer;
    Seen told, line;
};

}  // namespace

TEST_CASE("timer: counts down from ARR to 0, with its update where it begins again") {
    Bench bench;
    bench.set(kArr, 9);
    bench.start(kDown);
    CHECK_FALSE(sc_core::sc_pending_activity());
    for (unsigned tick = 0; tick < 35; ++tick) {
        CAPTURE(tick);
        CHECK(bench.count(tick * kTick) == 9 - tick % 10);
        CHECK((bench.flags(tick * kTick) & 1) == (tick != 0 && tick % 10 == 0 ? 1 : 0));
        CHECK((bench.get(kCr1, tick * kTick) & kDown) != 0);
    }
    // Long unattended: 12'345 ticks later.
    CHECK(bench.count((35 + 12'345) * kTick) == 9 - (35 + 12'345) % 10);
    CHECK((bench.flags((35 + 12'345) * kTick) & 1) == 1);
}

TEST_CASE(
    "timer: the driver's order of settings, direction last, has an update at the first tick") {
    Bench bench;
    bench.set(kArr, 9);
    bench.set(kCr1, kUrs);
    bench.set(kEgr, 1);  // up: 0
    bench.set(kCr1, kDown);
    bench.set(kCr1, kDown | kCen);
    CHECK(bench.count(kTick - 1) == 0);
    CHECK(bench.count(kTick) == 9);
    CHECK((bench.flags(kTick) & 1) == 1);
    CHECK(bench.count(3 * kTick) == 7);
}

TEST_CASE("timing: update and compare interrupts of a counter that goes down") {
    Bench update(kGeneral, false), compare;
    update.set(kArr, 99);
    update.set(kDier, 1);
    update.start(kDown);
    compare.set(kArr, 99);
    compare.set(kCcr1, 30);
    compare.set(kDier, 2);
    compare.start(kDown);
    Bench::run_until(9'999'999);
    CHECK(update.line.empty());
    // 99 - 30 ticks.
    CHECK(compare.line == Bench::Seen{{true, 6'900'000}});
    Bench::run_until(12 * kUs);
    CHECK(update.line == Bench::Seen{{true, 10 * kUs}});
    compare.set(kSr, 0, 12 * kUs);
    Bench::run_until(17 * kUs);
    CHECK(compare.line.back() == std::pair(true, 169 * kTick));
}

TEST_CASE("timer: compare values at both ends of a way down, and beyond ARR from CNT") {
    Bench bench;
    bench.set(kArr, 99);
    bench.set(kCcr1, 99);
    bench.set(kCcr1 + 4, 0);
    bench.set(kCcr1 + 8, 150);
    bench.set(kCcr1 + 12, 98);
    bench.start(kDown);
    CHECK(bench.flags(0) == 0);
    CHECK(bench.flags(kTick) == 1u << 4);
    CHECK(bench.flags(98 * kTick) == 0);
    CHECK(bench.flags(99 * kTick) == 1u << 2);
    CHECK(bench.flags(100 * kTick) == (1u | 1u << 1 | 1u << 3));  // beyond ARR: where it ends
    bench.set(kCnt, 200, 100 * kTick);
    CHECK(bench.count(149 * kTick) == 151);
    CHECK(bench.flags(149 * kTick) == 0);
    CHECK(bench.flags(150 * kTick) == 1u << 3);
    CHECK(bench.count(300 * kTick) == 0);
    CHECK((bench.flags(300 * kTick) & 1) == 0);
    CHECK(bench.count(301 * kTick) == 99);
    CHECK((bench.flags(301 * kTick) & 1) == 1);
}

TEST_CASE("timing: PWM of a counter that goes down is active from the compare value on") {
    Bench first(kGeneral, false), second;
    for (Bench* const bench : {&first, &second}) {
        bench->set(kArr, 9);
        bench->set(kCcr1, 3);
        bench->set(kCcmr1, bench == &first ? kPwm1 : kPwm2);
        bench->set(kCcer, 1);
        bench->start(kDown);
        for (unsigned tick = 0; tick < 25; ++tick) {
            CAPTURE(tick);
            // PWM mode 1 is inactive while CNT > CCR1.
            const bool active = 9 - tick % 10 <= 3;
            CHECK(bench->high(0, tick * kTick) == (active == (bench == &first)));
        }
        CHECK(bench->timer.wave(0)->hz == doctest::Approx(1e6));
    }
    CHECK(first.timer.wave(0)->high_share == doctest::Approx(0.4));
    CHECK(second.timer.wave(0)->high_share == doctest::Approx(0.6));
    CHECK_FALSE(sc_core::sc_pending_activity());
    first.timer.listen_to_outputs(1, 3 * kUs);
    Bench::run_until(4'900'000);
    CHECK(first.told ==
          Bench::Seen{{false, 3 * kUs}, {true, 3'600'000}, {false, 4 * kUs}, {true, 4'600'000}});
    // No share of nothing: at 0 it is active.
    first.set(kCcr1, 0, 4'900'000);
    CHECK(first.timer.wave(0)->high_share == doctest::Approx(0.1));
    first.set(kCcr1, 9, 4'900'000);
    CHECK(first.timer.wave(0)->hz == 0);
}

TEST_CASE("timer: a counter that goes both ways, its direction and its updates") {
    constexpr std::array<std::uint32_t, 18> kFigure{0, 1, 2, 3, 4, 5, 6, 7, 8,
                                                    7, 6, 5, 4, 3, 2, 1, 0, 1};
    Bench one(kGeneral, false), two(kGeneral, false), three;
    for (Bench* const bench : {&one, &two, &three}) {
        const std::uint32_t mode = bench == &one ? 1 : bench == &two ? 2 : 3;
        CAPTURE(mode);
        bench->set(kArr, 8);
        bench->start(mode << kCms);
        CHECK_FALSE(sc_core::sc_pending_activity());
        for (unsigned tick = 0; tick < kFigure.size(); ++tick) {
            CAPTURE(tick);
            CHECK(bench->count(tick * kTick) == kFigure[tick]);
            const bool down = tick >= 8 && tick < 16;
            CHECK(((bench->get(kCr1, tick * kTick) & kDown) != 0) == down);
            // Overflow at ARR, underflow at 0.
            CHECK((bench->flags(tick * kTick) & 1) == (tick == 8 || tick == 16 ? 1 : 0));
        }
        // Long unattended: 1'000 periods, and 11 ticks.
        CHECK(bench->count((16'000 + 11) * kTick) == 5);
        CHECK((bench->get(kCr1, (16'000 + 11) * kTick) & kDown) != 0);
        CHECK((bench->flags((16'000 + 11) * kTick) & 1) == 1);
    }
}

TEST_CASE("timer: references and flags of the figure of the counter that goes both ways") {
    struct Row {
        std::uint32_t compare;
        std::vector<unsigned> up, down,
            always;                 ///< ticks of the flag by CMS = 2 and 3, 1 and 3, any
        unsigned low_from, low_to;  ///< ticks; PWM mode 1
    };
    const std::vector<Row> rows{{4, {4}, {12}, {}, 4, 12},
                                {7, {7}, {9}, {}, 7, 9},
                                {8, {}, {}, {8}, 16, 16},
                                {0, {}, {}, {16}, 0, 16}};
    Bench one(kGeneral, false), two(kGeneral, false), three;
    for (Bench* const bench : {&one, &two, &three}) {
        const std::uint32_t mode = bench == &one ? 1 : bench == &two ? 2 : 3;
        CAPTURE(mode);
        bench->set(kArr, 8);
        bench->set(kCcmr1, kPwm1 | kPwm1 << 8);
        bench->set(kCcmr2, kPwm1 | kPwm1 << 8);
        bench->set(kCcer, 0x1111);
        for (unsigned i = 0; i < rows.size(); ++i) bench->set(kCcr1 + 4 * i, rows[i].compare);
        bench->start(mode << kCms);
        for (unsigned tick = 0; tick <= 16; ++tick) {
            CAPTURE(tick);
            const std::uint32_t risen = bench->flags(tick * kTick);
            for (unsigned i = 0; i < rows.size(); ++i) {
                CAPTURE(i);
                const auto among = [tick](const std::vector<unsigned>& ticks) {
                    return !ticks.empty() && ticks.front() == tick;
                };
                const Row& row = rows[i];
                const bool flag = among(row.always) || ((mode & 2) != 0 && among(row.up)) ||
                                  ((mode & 1) != 0 && among(row.down));
                CHECK((risen >> (i + 1) & 1) == (flag ? 1 : 0));
                const unsigned place = tick % 16;
                const bool low = place >= row.low_from && place < row.low_to;
                CHECK(bench->high(i, tick * kTick) == !low);
            }
        }
        // A value beyond ARR: always active, with its flag at each overflow.
        bench->set(kCcr1, 9, 16 * kTick);
        for (unsigned tick = 17; tick <= 48; ++tick) {
            CAPTURE(tick);
            CHECK((bench->flags(tick * kTick) >> 1 & 1) == (tick == 24 || tick == 40 ? 1 : 0));
            CHECK(bench->high(0, tick * kTick));
        }
    }
}

TEST_CASE("timing: outputs and interrupts of a counter that goes both ways come at their ticks") {
    Bench pwm(kGeneral, false), toggles(kGeneral, false), down;
    for (Bench* const bench : {&pwm, &toggles, &down}) {
        bench->set(kArr, 8);
        bench->set(kCcr1, 2);
        bench->set(kCcer, 1);
    }
    pwm.set(kCcmr1, kPwm1);
    toggles.set(kCcmr1, kToggles);
    down.set(kDier, 2);
    pwm.timer.listen_to_outputs(1, 0);
    toggles.timer.listen_to_outputs(1, 0);
    pwm.start(1u << kCms);
    toggles.start(1u << kCms);
    down.start(1u << kCms);
    Bench::run_until(3'500'000);
    // Ticks 2, 14 and 16 more.
    const Bench::Seen edges{{true, 0},          {false, 200'000}, {true, 1'400'000},
                            {false, 1'800'000}, {true, 3 * kUs},  {false, 3'400'000}};
    CHECK(pwm.told == edges);
    CHECK(toggles.told == Bench::Seen{{false, 0},
                                      {true, 200'000},
                                      {false, 1'400'000},
                                      {true, 1'800'000},
                                      {false, 3 * kUs},
                                      {true, 3'400'000}});
    // Its flag by CMS = 1 on the way down only.
    CHECK(down.line == Bench::Seen{{true, 1'400'000}});
    CHECK(pwm.timer.wave(0)->hz == doctest::Approx(625e3));
    CHECK(pwm.timer.wave(0)->high_share == doctest::Approx(0.25));
    CHECK(toggles.timer.wave(0)->hz == doctest::Approx(625e3));
    CHECK(toggles.timer.wave(0)->high_share == doctest::Approx(0.75));
    // The toggled level over 1'000 periods that nobody looked at.
    toggles.timer.listen_to_outputs(0, 3'500'000);
    CHECK(toggles.high(0, 3'500'000 + 1'600 * kUs));
    CHECK_FALSE(toggles.high(0, 4'700'000 + 1'600 * kUs));
}

TEST_CASE("timer: RCR counts overflows and underflows of a counter that goes both ways") {
    struct Row {
        std::uint32_t repetition;
        std::vector<unsigned> ticks;  ///< of updates in three periods
    };
    std::vector<Row> rows{
        {0, {8, 16, 24, 32, 40, 48}}, {1, {16, 32, 48}}, {2, {24, 48}}, {4, {40}}};
    Bench bench(kAdvanced);
    Picoseconds now = 0;
    for (const Row& row : rows) {
        CAPTURE(row.repetition);
        bench.timer.reset();
        bench.set(kArr, 8, now);
        bench.set(kRcr, row.repetition, now);
        bench.set(kCr1, 1u << kCms | kUrs, now);
        bench.set(kEgr, 1, now);
        bench.set(kCr1, 1u << kCms | kUrs | kCen, now);
        std::vector<unsigned> ticks;
        for (unsigned tick = 1; tick <= 48; ++tick) {
            if ((bench.flags(now + tick * kTick) & 1) != 0) ticks.push_back(tick);
        }
        CHECK(ticks == row.ticks);
        now += 5 * kUs;
    }
    // 1'000 periods at once: 2'000 ways are 400 updates of five ways.
    bench.set(kSr, 0, now + 100 * kUs);
    static_cast<void>(bench.count(now + 1'600 * kUs));
    CHECK((bench.flags(now + 1'600 * kUs) & 1) == 1);
}

TEST_CASE("timer: a preloaded ARR holds from the end of the way on, which is its value then") {
    Bench both(kGeneral, false), down;
    both.set(kArr, 8);
    both.start(1u << kCms | kArpe);
    both.set(kArr, 4, 3 * kTick);
    constexpr std::array<std::uint32_t, 10> kAfter{4, 3, 2, 1, 0, 1, 2, 3, 4, 3};
    CHECK(both.count(7 * kTick) == 7);
    for (unsigned tick = 0; tick < kAfter.size(); ++tick)
        CHECK(both.count((8 + tick) * kTick) == kAfter[tick]);
    down.set(kArr, 8);
    down.start(kDown | kArpe);
    down.set(kArr, 4, 3 * kTick);
    CHECK(down.count(8 * kTick) == 0);
    CHECK(down.count(9 * kTick) == 4);
    CHECK(down.count(14 * kTick) == 4);
}

TEST_CASE("timer: UG and one pulse by direction") {
    Bench down(kGeneral, false), both;
    down.set(kArr, 9);
    down.start(kDown | kOnePulse);
    CHECK(down.count(2 * kTick) == 7);
    down.set(kEgr, 1, 2 * kTick);
    CHECK(down.count(2 * kTick) == 9);
    CHECK(down.get(kCr1, 12 * kTick - 1) == (kDown | kOnePulse | kUrs | kCen));
    CHECK(down.get(kCr1, 12 * kTick) == (kDown | kOnePulse | kUrs));
    CHECK(down.count(20 * kTick) == 9);
    both.set(kArr, 8);
    both.start(1u << kCms);
    CHECK(both.count(11 * kTick) == 5);
    both.set(kEgr, 1, 11 * kTick);
    CHECK(both.count(11 * kTick) == 0);
    CHECK((both.get(kCr1, 11 * kTick) & kDown) == 0);
    CHECK(both.count(14 * kTick) == 3);
}

TEST_CASE("timer: software does not write the direction of a counter that goes both ways") {
    Bench bench;
    bench.set(kArr, 8);
    bench.start(2u << kCms);
    bench.set(kCr1, 2u << kCms | kDown | kCen, 3 * kTick);
    CHECK(bench.get(kCr1, 3 * kTick) == (2u << kCms | kCen));
    CHECK(bench.count(5 * kTick) == 5);
    // By CNT = ARR or 0 it does, without an update.
    static_cast<void>(bench.flags(5 * kTick));
    bench.set(kCnt, 8, 5 * kTick);
    CHECK((bench.get(kCr1, 5 * kTick) & kDown) != 0);
    CHECK(bench.count(6 * kTick) == 7);
    bench.set(kCnt, 0, 6 * kTick);
    CHECK((bench.get(kCr1, 6 * kTick) & kDown) == 0);
    CHECK(bench.count(8 * kTick) == 2);
    CHECK((bench.flags(8 * kTick) & 1) == 0);
    // The direction of before is the one that it starts with.
    bench.set(kCr1, kDown, 8 * kTick);
    bench.set(kCr1, kDown | 1u << kCms, 8 * kTick);
    bench.set(kCr1, 1u << kCms | kCen, 8 * kTick);
    CHECK(bench.count(9 * kTick) == 1);
    CHECK(bench.count(12 * kTick) == 2);
}

TEST_CASE("timer: an external clock counts down, or both ways") {
    Bench bench;
    Picoseconds now = 0;
    const auto edge = [&] {
        bench.timer.input(0, true, now += kUs);
        bench.timer.input(0, false, now += kUs);
        return bench.count(now);
    };
    bench.set(kArr, 3);
    bench.set(kSmcr, 5u << 4 | 7);  // TI1FP1
    bench.start(kDown);
    for (const std::uint32_t expected : {2u, 1u, 0u, 3u, 2u}) CHECK(edge() == expected);
    bench.timer.reset();
    bench.set(kArr, 3, now);
    bench.set(kSmcr, 5u << 4 | 7, now);
    bench.set(kCr1, 3u << kCms | kCen, now);
    for (const std::uint32_t expected : {1u, 2u, 3u, 2u, 1u, 0u, 1u}) CHECK(edge() == expected);
}

TEST_CASE("timer: software that looked at a later time moves no capture in these modes") {
    Bench down(kGeneral, false), both;
    for (Bench* const bench : {&down, &both}) {
        bench->set(kArr, bench == &down ? 99 : 50);
        bench->set(kCcmr1, 1);
        bench->set(kCcer, 1);
        bench->start(bench == &down ? kDown : 1u << kCms);
        CHECK(bench->count(6 * kUs) == (bench == &down ? 39 : 40));
        bench->timer.input(0, true, 4'700'000);
        CHECK(bench->get(kCcr1, 6 * kUs) == (bench == &down ? 52 : 47));
        CHECK(bench->count(6 * kUs) == (bench == &down ? 39 : 40));
        CHECK((bench->get(kCr1, 6 * kUs) & kDown) != 0);
        bench->timer.input(0, false, 9 * kUs);
        CHECK(bench->count(10'300'000) == (bench == &down ? 96 : 3));
        bench->timer.input(0, true, 9'800'000);
        CHECK(bench->get(kCcr1, 10'300'000) == (bench == &down ? 1 : 2));
        CHECK(bench->count(10'300'000) == (bench == &down ? 96 : 3));
    }
}

TEST_CASE("timer: without four channels these modes do not exist") {
    Bench pair({16, 2, false}, false), basic({16, 0, false});
    for (Bench* const bench : {&pair, &basic}) {
        bench->set(kArr, 9);
        for (const std::uint32_t control : {kDown, 1u << kCms, 2u << kCms, 3u << kCms})
            CHECK_FALSE(bench->timer.write(kCr1, control | kCen, kWord, 0).modelled);
        CHECK(bench->count(3 * kTick) == 3);
        CHECK(bench->count(12 * kTick) == 2);
    }
}
