// SPDX-License-Identifier: Apache-2.0
// Triggers, external clocks and outputs of low-power timers.
#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "models/soc/timers/low_power_timer.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kWord = 0xFFFFFFFF;
constexpr std::uint32_t kIsr = 0x00, kIcr = 0x04, kDier = 0x08, kCfgr = 0x0C, kCr = 0x10,
                        kCcr1 = 0x14, kArr = 0x18, kCnt = 0x1C, kRcr = 0x28, kCcmr1 = 0x2C,
                        kCcr2 = 0x34;
constexpr std::uint32_t kEnable = 1, kSingle = 2, kContinuous = 4;
constexpr std::uint32_t kCc1 = 1, kArrm = 2, kExtTrig = 4, kUpdate = 1u << 7;
constexpr std::uint32_t kClockOutside = 1, kRising = 1u << 17, kFalling = 2u << 17,
                        kBothEdges = 3u << 17, kTimeOut = 1u << 19, kSetOnce = 1u << 20,
                        kWavePolarity = 1u << 21, kCountEdges = 1u << 23;
constexpr auto kIn1 = LowPowerTimer::Input::In1, kEtr = LowPowerTimer::Input::Etr;
constexpr Picoseconds kUs = 1'000'000;

struct Told {
    unsigned driven, high;
    Picoseconds at;
    bool operator==(const Told&) const = default;
};

/// A timer of 1 MHz with pins. Those of one test case are all made before the simulation starts.
struct Bench {
    explicit Bench(const char* name = "LPTIM1", bool start = true)
        : timer(sc_core::sc_gen_unique_name("lptim"), name) {
        timer.on_outputs = [this](const LowPowerTimer::Outputs& outputs, Picoseconds at) {
            told.push_back({outputs.driven, outputs.high, at});
        };
        timer.on_interrupt = [this](bool level) {
            levels.emplace_back(level, sc_core::sc_time_stamp().value());
        };
        timer.set_kernel_hz(1e6, 0);
        if (start) sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void set(std::uint32_t offset, std::uint32_t value, Picoseconds at = 0) {
        CHECK(timer.write(offset, value, kWord, at).modelled);
    }
    bool refused(std::uint32_t offset, std::uint32_t value) {
        const bool known = timer.write(offset, value, kWord, 0).modelled;
        static_cast<void>(timer.write(offset, 0, kWord, 0));
        return !known;
    }
    std::uint32_t get(std::uint32_t offset, Picoseconds at) { return timer.read(offset, at).value; }
    void start(std::uint32_t how, Picoseconds at = 0) {
        set(kCr, kEnable, at);
        set(kCr, kEnable | how, at);
    }
    /// A high pulse of 0.1 us.
    void pulse(LowPowerTimer::Input input, Picoseconds at) {
        timer.input(input, true, at);
        timer.input(input, false, at + kUs / 10);
    }
    static void run_until(Picoseconds at) { sc_core::sc_start(delay_until(at)); }
    bool high(unsigned output, Picoseconds at) {
        return (timer.outputs(at).high >> output & 1) != 0;
    }

    LowPowerTimer timer;
    std::vector<Told> told;
    std::vector<std::pair<bool, Picoseconds>> levels;
};

}  // namespace

TEST_CASE(
    "lptim signals: a trigger starts the counter two clocks later, further ones are ignored") {
    Bench bench;
    bench.set(kCfgr, kRising);
    bench.set(kArr, 99);
    bench.pulse(kEtr, 1 * kUs);
    bench.start(kContinuous, 2 * kUs);
    CHECK(bench.get(kCnt, 50 * kUs) == 0);
    CHECK((bench.get(kIsr, 50 * kUs) & kExtTrig) == 0);
    bench.timer.input(kEtr, true, 100 * kUs);
    CHECK((bench.get(kIsr, 100 * kUs) & kExtTrig) != 0);
    CHECK(bench.get(kCnt, 103 * kUs - 1) == 0);
    CHECK(bench.get(kCnt, 103 * kUs) == 1);
    bench.set(kIcr, kExtTrig, 103 * kUs);
    bench.timer.input(kEtr, false, 110 * kUs);
    bench.timer.input(kEtr, true, 120 * kUs);
    CHECK((bench.get(kIsr, 120 * kUs) & kExtTrig) == 0);
    CHECK(bench.get(kCnt, 130 * kUs) == 28);
    // Disabled, it waits for no trigger any more.
    bench.set(kCr, 0, 140 * kUs);
    bench.timer.input(kEtr, false, 150 * kUs);
    bench.timer.input(kEtr, true, 151 * kUs);
    bench.set(kCr, kEnable, 160 * kUs);
    CHECK(bench.get(kCnt, 200 * kUs) == 0);
    CHECK_FALSE(sc_core::sc_pending_activity());
}

TEST_CASE("lptim signals: TRIGEN chooses the edges, the prescaler makes the latency longer") {
    struct Row {
        std::uint32_t setting;
        bool rise, fall;
    };
    for (const Row& row :
         {Row{kRising, true, false}, Row{kFalling, false, true}, Row{kBothEdges, true, true}}) {
        CAPTURE(row.setting);
        for (const bool level : {true, false}) {
            LowPowerTimer timer(sc_core::sc_gen_unique_name("lptim"), "LPTIM1");
            timer.on_outputs = [](const LowPowerTimer::Outputs&, Picoseconds) {};
            timer.set_kernel_hz(1e6, 0);
            timer.input(kEtr, !level, 0);
            // A quarter of the clock.
            CHECK(timer.write(kCfgr, row.setting | 2u << 9, kWord, 0).modelled);
            CHECK(timer.write(kArr, 99, kWord, 0).modelled);
            CHECK(timer.write(kCr, kEnable, kWord, 0).modelled);
            CHECK(timer.write(kCr, kEnable | kContinuous, kWord, 0).modelled);
            timer.input(kEtr, level, 10 * kUs);
            // Two counter clocks, then one of the count.
            const bool starts = level ? row.rise : row.fall;
            CHECK(timer.read(kCnt, 22 * kUs - 1).value == 0);
            CHECK(timer.read(kCnt, 22 * kUs).value == (starts ? 1u : 0u));
        }
    }
}

TEST_CASE("lptim signals: a one shot waits for a trigger again, set-once takes the first only") {
    Bench bench("LPTIM1", false), once("LPTIM1", false);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (Bench* const each : {&bench, &once}) {
        each->set(kCfgr, kRising | (each == &once ? kSetOnce : 0));
        each->set(kArr, 9);
        each->start(kSingle);
        each->pulse(kEtr, 10 * kUs);
        CHECK(each->get(kCnt, 15 * kUs) == 3);
        each->pulse(kEtr, 18 * kUs);
        CHECK(each->get(kCnt, 22 * kUs) == 0);
        CHECK(each->get(kCnt, 40 * kUs) == 0);
        each->set(kIcr, kExtTrig, 40 * kUs);
        each->pulse(kEtr, 50 * kUs);
        const bool again = each == &bench;
        CHECK(each->get(kCnt, 55 * kUs) == (again ? 3u : 0u));
        CHECK(((each->get(kIsr, 55 * kUs) & kExtTrig) != 0) == again);
    }
}

TEST_CASE(
    "lptim signals: with TIMOUT each edge restarts the counter, and without edges it matches") {
    Bench bench;
    bench.set(kCfgr, kTimeOut | kRising);
    bench.set(kArr, 0xFFFF);
    bench.set(kCr, kEnable);
    bench.set(kDier, kCc1);
    bench.set(kCcr1, 50);
    bench.set(kCr, kEnable | kContinuous);
    bench.run_until(10 * kUs);
    bench.pulse(kEtr, 10 * kUs);
    CHECK(bench.get(kCnt, 32 * kUs) == 20);
    bench.run_until(40 * kUs);
    bench.set(kIcr, kExtTrig, 40 * kUs);
    bench.pulse(kEtr, 40 * kUs);
    // It counts until the restart.
    CHECK(bench.get(kCnt, 41 * kUs) == 29);
    CHECK(bench.get(kCnt, 43 * kUs) == 1);
    CHECK((bench.get(kIsr, 43 * kUs) & kExtTrig) != 0);
    bench.run_until(200 * kUs);
    // 40 us, two clocks, 50 clocks.
    REQUIRE(bench.levels.size() == 1);
    CHECK(bench.levels[0] == std::pair(true, 92 * kUs));
}

TEST_CASE("lptim signals: TIMOUT also restarts the repetitions") {
    Bench bench;
    bench.set(kCfgr, kTimeOut | kRising);
    bench.set(kArr, 9);
    bench.set(kRcr, 2);
    bench.start(kContinuous);
    bench.pulse(kEtr, 0);
    // From 2 us on; the update comes after three periods. The second trigger leaves three again.
    bench.pulse(kEtr, 25 * kUs);
    CHECK((bench.get(kIsr, 56 * kUs) & kUpdate) == 0);
    CHECK((bench.get(kIsr, 57 * kUs) & kUpdate) != 0);
}

TEST_CASE("lptim signals: a filter lets levels of its length pass, as late") {
    Bench bench;
    bench.set(kCfgr, kRising | 1u << 6);  // two clocks
    bench.set(kArr, 99);
    bench.start(kContinuous);
    bench.set(kDier, kExtTrig);
    bench.timer.input(kEtr, true, 10 * kUs);
    bench.timer.input(kEtr, false, 12 * kUs - 1);
    CHECK((bench.get(kIsr, 20 * kUs) & kExtTrig) == 0);
    bench.run_until(30 * kUs);
    bench.timer.input(kEtr, true, 30 * kUs);
    bench.run_until(40 * kUs);
    REQUIRE(bench.levels.size() == 1);
    CHECK(bench.levels[0] == std::pair(true, 32 * kUs));
    CHECK(bench.get(kCnt, 40 * kUs) == 6);
    // Of a low pulse that is too short its edges do not count either.
    bench.set(kIcr, kExtTrig, 40 * kUs);
    bench.set(kCr, 0, 40 * kUs);
    bench.start(kContinuous, 40 * kUs);
    bench.timer.input(kEtr, false, 41 * kUs);
    bench.timer.input(kEtr, true, 42 * kUs);
    CHECK((bench.get(kIsr, 60 * kUs) & kExtTrig) == 0);
}

TEST_CASE("lptim signals: edges of IN1 are counted by polarity while the timer is on") {
    struct Row {
        std::uint32_t polarity;
        unsigned rise, fall;
    };
    for (const Row& row : {Row{0, 1, 0}, Row{1u << 1, 0, 1}, Row{2u << 1, 1, 1}}) {
        CAPTURE(row.polarity);
        LowPowerTimer timer(sc_core::sc_gen_unique_name("lptim"), "LPTIM1");
        timer.on_outputs = [](const LowPowerTimer::Outputs&, Picoseconds) {};
        timer.set_kernel_hz(1e6, 0);
        const auto count = [&timer](bool level, Picoseconds at) {
            timer.input(kIn1, level, at);
            return timer.read(kCnt, at).value;
        };
        CHECK(timer.write(kCfgr, kCountEdges | row.polarity, kWord, 0).modelled);
        CHECK(timer.write(kArr, 99, kWord, 0).modelled);
        CHECK(timer.write(kCr, kEnable, kWord, 0).modelled);
        CHECK(count(true, 10 * kUs) == 0);
        CHECK(count(false, 20 * kUs) == 0);
        CHECK(timer.write(kCr, kEnable | kContinuous, kWord, 25 * kUs).modelled);
        CHECK(count(true, 30 * kUs) == row.rise);
        CHECK(count(false, 40 * kUs) == row.rise + row.fall);
        CHECK(count(true, 50 * kUs) == 2 * row.rise + row.fall);
        // Time alone does not count.
        CHECK(timer.read(kCnt, 1'000 * kUs).value == 2 * row.rise + row.fall);
        // Without the internal clock nothing is sampled.
        timer.set_kernel_hz(0, 1'000 * kUs);
        CHECK(count(false, 1'010 * kUs) == 2 * row.rise + row.fall);
    }
}

TEST_CASE("lptim signals: ARR + 1 counted edges lie between interrupts, and take no events") {
    Bench bench;
    bench.set(kCfgr, kCountEdges);
    bench.set(kArr, 1000);
    bench.set(kDier, kArrm);
    bench.start(kContinuous);
    Picoseconds now = 10 * kUs;
    const auto edges = [&bench, &now](unsigned number) {
        for (unsigned i = 0; i < number; ++i, now += kUs) bench.pulse(kIn1, now);
    };
    edges(999);
    CHECK(bench.levels.empty());
    edges(1);
    REQUIRE(bench.levels.size() == 1);
    CHECK(bench.get(kCnt, now) == 1000);
    bench.set(kIcr, kArrm, now);
    edges(1000);
    CHECK(bench.levels.size() == 2);
    edges(1);
    CHECK(bench.levels.size() == 3);
    CHECK_FALSE(sc_core::sc_pending_activity());
}

TEST_CASE("lptim signals: an external clock loses five edges, is prescaled, carries writes over") {
    Bench bench;
    bench.timer.set_kernel_hz(0, 0);
    bench.set(kCfgr, kClockOutside | 1u << 9);
    Picoseconds now = 10 * kUs;
    const auto edges = [&bench, &now](unsigned number) {
        for (unsigned i = 0; i < number; ++i, now += kUs) bench.pulse(kIn1, now);
    };
    bench.set(kCr, kEnable, now);
    bench.set(kArr, 99, now);
    bench.set(kCr, kEnable | kContinuous, now);
    edges(2);
    CHECK((bench.get(kIsr, now) & 16) == 0);
    edges(1);
    CHECK((bench.get(kIsr, now) & 16) != 0);
    edges(2);
    CHECK(bench.get(kCnt, now) == 0);
    edges(1);
    CHECK(bench.get(kCnt, now) == 0);
    edges(1);
    CHECK(bench.get(kCnt, now) == 1);
    edges(20);
    CHECK(bench.get(kCnt, now) == 11);
    CHECK(bench.get(kCnt, now + 1'000 * kUs) == 11);
}

TEST_CASE("lptim signals: with an external clock a trigger waits for two clocks of it") {
    Bench bench;
    bench.set(kCfgr, kClockOutside | kRising);
    bench.set(kCr, kEnable);
    bench.set(kArr, 99);
    bench.set(kCr, kEnable | kContinuous);
    Picoseconds now = 10 * kUs;
    const auto edges = [&bench, &now](unsigned number) {
        for (unsigned i = 0; i < number; ++i, now += kUs) bench.pulse(kIn1, now);
    };
    edges(10);
    bench.timer.input(kEtr, true, now);
    edges(2);
    CHECK(bench.get(kCnt, now) == 0);
    edges(3);
    CHECK(bench.get(kCnt, now) == 3);
}

TEST_CASE("lptim signals: CKFLT keeps glitches from being counted") {
    Bench bench;
    bench.set(kCfgr, kCountEdges | 2u << 3);  // four clocks
    bench.set(kArr, 99);
    bench.start(kContinuous);
    bench.timer.input(kIn1, true, 10 * kUs);
    bench.timer.input(kIn1, false, 13 * kUs);
    CHECK(bench.get(kCnt, 20 * kUs) == 0);
    bench.timer.input(kIn1, true, 20 * kUs);
    CHECK(bench.get(kCnt, 24 * kUs - 1) == 0);
    CHECK(bench.get(kCnt, 24 * kUs) == 1);
    CHECK_FALSE(sc_core::sc_pending_activity());
}

TEST_CASE("lptim signals: PWM is high behind the compare value: 1 - (CCR + 1) / (ARR + 1)") {
    Bench bench;
    bench.set(kCcmr1, 2 | 2u << 16 | 4u << 16);  // channel 2 is inverted
    bench.set(kArr, 99);
    bench.set(kCcr1, 49);
    bench.set(kCcr2, 74);
    CHECK(bench.timer.outputs(0) == LowPowerTimer::Outputs{3, 2});
    bench.start(kContinuous);
    CHECK_FALSE(sc_core::sc_pending_activity());
    for (unsigned us = 0; us < 250; ++us) {
        CAPTURE(us);
        CHECK(bench.high(0, us * kUs) == (us % 100 >= 50));
        CHECK(bench.high(1, us * kUs) == (us % 100 < 75));
    }
    const auto first = bench.timer.wave(0), second = bench.timer.wave(1);
    REQUIRE(first);
    REQUIRE(second);
    CHECK(first->hz == doctest::Approx(10e3));
    CHECK(first->high_share == doctest::Approx(0.5));
    CHECK(second->high_share == doctest::Approx(0.75));
    CHECK(bench.told.empty());
    // A channel that is off drives nothing.
    bench.set(kCcmr1, 2, 250 * kUs);
    CHECK(bench.timer.outputs(250 * kUs).driven == 1);
    CHECK_FALSE(bench.timer.wave(1));
}

TEST_CASE("lptim signals: who listens is told of each edge at its time") {
    Bench bench;
    bench.set(kCcmr1, 2);
    bench.set(kArr, 9);
    bench.set(kCcr1, 6);
    bench.timer.listen_to_outputs(1, 0);
    bench.start(kContinuous);
    bench.run_until(25 * kUs);
    CHECK(bench.told ==
          std::vector<Told>{
              {1, 0, 0}, {1, 1, 7 * kUs}, {1, 0, 10 * kUs}, {1, 1, 17 * kUs}, {1, 0, 20 * kUs}});
    // A value that is never passed takes no event.
    bench.set(kCcr1, 9, 25 * kUs);
    CHECK_FALSE(sc_core::sc_pending_activity());
    bench.set(kCcr1, 6, 25 * kUs);
    bench.timer.listen_to_outputs(0, 25 * kUs);
    CHECK_FALSE(sc_core::sc_pending_activity());
    CHECK(bench.told.back() == Told{0, 0, 25 * kUs});
}

TEST_CASE("lptim signals: one pulse, and a level that set-once mode keeps") {
    Bench pulse("LPTIM1", false), once("LPTIM1", false);
    for (Bench* const each : {&pulse, &once}) {
        each->set(kCfgr, each == &once ? kSetOnce : 0);
        each->set(kCcmr1, 2);
        each->set(kArr, 9);
        each->set(kCcr1, 3);
        each->timer.listen_to_outputs(1, 0);
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (Bench* const each : {&pulse, &once}) each->start(kSingle);
    Bench::run_until(100 * kUs);
    CHECK(pulse.told == std::vector<Told>{{1, 0, 0}, {1, 1, 4 * kUs}, {1, 0, 10 * kUs}});
    CHECK(once.told == std::vector<Told>{{1, 0, 0}, {1, 1, 4 * kUs}});
    CHECK_FALSE(sc_core::sc_pending_activity());
    REQUIRE(once.timer.wave(0));
    CHECK(once.timer.wave(0)->hz == 0);
    CHECK(once.timer.wave(0)->high_share == 1);
    once.set(kCr, 0, 100 * kUs);
    CHECK(once.told.back() == Told{1, 0, 100 * kUs});
}

TEST_CASE("lptim signals: the only output of LPTIM4 and LPTIM5 has its polarity in CFGR") {
    Bench bench("LPTIM5");
    bench.set(kArr, 9);
    bench.set(kCcr1, 4);
    CHECK(bench.timer.outputs(0) == LowPowerTimer::Outputs{1, 0});
    bench.set(kCfgr, kWavePolarity);
    CHECK(bench.timer.outputs(0) == LowPowerTimer::Outputs{1, 1});
    bench.start(kContinuous);
    CHECK(bench.high(0, 4 * kUs));
    CHECK_FALSE(bench.high(0, 5 * kUs));
    CHECK(bench.high(0, 10 * kUs));
}

TEST_CASE("lptim signals: what is not modelled with pins says so, and does not start") {
    Bench bench;
    for (unsigned source = 1; source < 8; ++source)
        CHECK(bench.refused(kCfgr, kRising | source << 13));
    CHECK(bench.refused(kCfgr, 1u << 24));  // encoder
    CHECK(bench.refused(kCcmr1, 1));        // capture
    CHECK(bench.refused(kCcmr1, 1u << 16));
    CHECK(bench.refused(kDier, 1u << 16));
    CHECK_FALSE(bench.refused(kDier, kExtTrig));
    CHECK_FALSE(bench.refused(kCfgr, kClockOutside));
    static_cast<void>(bench.timer.write(kCfgr, kRising | 1u << 13, kWord, 0));
    bench.set(kArr, 9);
    bench.start(kContinuous);
    bench.pulse(kEtr, 10 * kUs);
    CHECK(bench.get(kCnt, 100 * kUs) == 0);
    CHECK((bench.get(kIsr, 100 * kUs) & kExtTrig) == 0);
}

TEST_CASE("lptim signals: a reset ends what was awaited, levels at the pins stay") {
    Bench bench;
    bench.set(kCfgr, kRising | 3u << 6);
    bench.set(kArr, 9);
    bench.start(kContinuous);
    bench.timer.input(kEtr, true, 0);
    bench.timer.reset();
    CHECK(bench.get(kIsr, 50 * kUs) == 0);
    bench.set(kCfgr, kRising, 50 * kUs);
    bench.set(kArr, 9, 50 * kUs);
    bench.start(kContinuous, 50 * kUs);
    // High already: not an edge.
    bench.timer.input(kEtr, true, 60 * kUs);
    CHECK(bench.get(kCnt, 70 * kUs) == 0);
    bench.timer.input(kEtr, false, 70 * kUs);
    bench.timer.input(kEtr, true, 80 * kUs);
    CHECK(bench.get(kCnt, 85 * kUs) == 3);
}
