// SPDX-License-Identifier: Apache-2.0
// Trigger outputs of timers, and conversions of an ADC that they start.
#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "models/soc/analog/adc.h"
#include "models/soc/timers/timer.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kWord = 0xFFFFFFFF;
constexpr Picoseconds kUs = 1'000'000;
// Timer.
constexpr std::uint32_t kCr1 = 0x00, kCr2 = 0x04, kDier = 0x0C, kEgr = 0x14, kCnt = 0x24,
                        kPsc = 0x28, kArr = 0x2C, kRcr = 0x30, kCcmr1 = 0x18, kCcmr2 = 0x1C,
                        kCcer = 0x20, kCcr1 = 0x34;
constexpr std::uint32_t kCen = 1, kUdis = 2, kUrs = 4, kOnePulse = 8;
constexpr std::uint32_t kEnable = 1u << 4, kUpdate = 2u << 4, kAtCompare = 3u << 4;  // MMS
constexpr std::uint32_t kPwm1 = 6u << 4, kToggles = 3u << 4;                         // OC1M
constexpr unsigned kSecond = 20;                                                     // MMS2
// ADC.
constexpr std::uint32_t kIsr = 0x00, kCr = 0x08, kCfgr1 = 0x0C, kSqr1 = 0x30, kDr = 0x40;
constexpr std::uint32_t kEoc = 4, kEos = 8, kAden = 1, kStart = 4, kStop = 16;
constexpr std::uint32_t kRising = 1u << 10, kFalling = 2u << 10, kOverwrites = 1u << 12,
                        kContinuous = 1u << 13, kWaits = 1u << 14, kDiscontinuous = 1u << 16;
constexpr std::uint32_t kTim2Trgo = 7;
constexpr std::uint32_t kByTim2 = kTim2Trgo << 5;  // EXTSEL

/// A timer of 10 MHz whose TRGO somebody listens to.
struct TimerBench {
    using Seen = std::vector<std::pair<bool, Picoseconds>>;
    Timer timer{"tim", "TIM1", {16, 4, true}};
    Seen seen;

    /// Without a start another module can follow, which starts the kernel.
    explicit TimerBench(bool starts = true) {
        timer.on_trigger = [this](bool level, Picoseconds at) { seen.emplace_back(level, at); };
        timer.set_kernel_hz(10e6);
        if (starts) sc_core::sc_start(sc_core::SC_ZERO_TIME);
        timer.listen_to_trigger(true, 0);
        set(kArr, 99);
    }
    static Picoseconds now() { return sc_core::sc_time_stamp().value(); }
    void set(std::uint32_t offset, std::uint32_t value) {
        CHECK(timer.write(offset, value, kWord, now()).modelled);
    }
    static void run_until(Picoseconds at) { sc_core::sc_start(delay_until(at)); }
};

/// 10 MHz: a conversion of 12 bits takes 1.5 + 12.5 clocks, 1.4 us.
struct AdcBench {
    Adc adc{"adc1", "ADC1", 1210};

    AdcBench() {
        adc.triggers = 1u << kTim2Trgo;
        adc.on_request = [](bool, Picoseconds) {};
        adc.set_kernel_hz(10e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        set(kCr, 0, 0);
        set(kCr, kAden, 0);
        adc.set_millivolts(1, 450);
        adc.set_millivolts(2, 900);
        set(kSqr1, 1u << 6, 0);
    }
    void set(std::uint32_t offset, std::uint32_t value, Picoseconds at) {
        CHECK(adc.write(offset, value, kWord, at).modelled);
    }
    std::uint32_t get(std::uint32_t offset, Picoseconds at) { return adc.read(offset, at).value; }
    void start(std::uint32_t settings) {
        set(kCfgr1, settings, 10 * kUs);
        set(kCr, kAden | kStart, 10 * kUs);
    }
    void pulse(Picoseconds at) {
        adc.trigger(kTim2Trgo, true, at);
        adc.trigger(kTim2Trgo, false, at);
    }
    std::uint64_t conversions(Picoseconds at) {
        static_cast<void>(get(kIsr, at));
        return adc.statistics().conversions;
    }
    bool runs(Picoseconds at) { return (get(kCr, at) & kStart) != 0; }
};

}  // namespace

TEST_CASE("timing: timer raises TRGO at each update, by RCR and with a new prescaler") {
    TimerBench bench;
    bench.set(kCr2, kUpdate);
    bench.set(kPsc, 1);
    bench.set(kRcr, 1);
    bench.set(kCr1, kCen);
    // The first period without prescaler and repetition, the others as preloaded.
    TimerBench::run_until(100 * kUs);
    CHECK(bench.seen == TimerBench::Seen{{true, 10 * kUs},
                                         {false, 10 * kUs},
                                         {true, 50 * kUs},
                                         {false, 50 * kUs},
                                         {true, 90 * kUs},
                                         {false, 90 * kUs}});
}

TEST_CASE("timing: timer tells of each update in between if it is looked at late") {
    TimerBench bench;
    bench.set(kCr2, kUpdate);
    bench.set(kCr1, kCen);
    static_cast<void>(bench.timer.read(kCnt, 35 * kUs));  // ahead of the kernel
    REQUIRE(bench.seen.size() == 6);
    CHECK(bench.seen[0].second == 10 * kUs);
    CHECK(bench.seen[2].second == 20 * kUs);
    CHECK(bench.seen[4].second == 30 * kUs);
}

TEST_CASE("timer: UG raises TRGO by MMS 0, and as an update even with URS, but not with UDIS") {
    TimerBench bench;
    const TimerBench::Seen once{{true, 0}, {false, 0}};
    bench.set(kEgr, 1);
    CHECK(std::exchange(bench.seen, {}) == once);
    bench.set(kCr1, kUdis);
    bench.set(kEgr, 1);
    CHECK(std::exchange(bench.seen, {}) == once);
    bench.set(kCr2, kUpdate);
    bench.set(kEgr, 1);
    CHECK(bench.seen.empty());
    bench.set(kCr1, kUrs);
    bench.set(kEgr, 1);
    CHECK(std::exchange(bench.seen, {}) == once);
    bench.set(kCr2, kEnable);
    bench.set(kEgr, 1);
    CHECK(bench.seen.empty());
}

TEST_CASE("timing: by MMS 1 TRGO is CEN, which one pulse ends") {
    TimerBench bench;
    bench.set(kCr2, kEnable);
    bench.set(kCr1, kCen | kOnePulse);
    TimerBench::run_until(30 * kUs);
    CHECK(bench.seen == TimerBench::Seen{{true, 0}, {false, 10 * kUs}});
    bench.set(kCr1, kCen | kUdis | kOnePulse);
    TimerBench::run_until(35 * kUs);
    bench.set(kCr1, 0);
    CHECK(bench.seen.back() == std::pair(false, 35 * kUs));
}

TEST_CASE("timer: triggers that nobody listens to are no events, and no news later") {
    TimerBench bench;
    bench.timer.listen_to_trigger(false, 0);
    bench.set(kCr2, kUpdate);
    bench.set(kCr1, kCen);
    CHECK_FALSE(sc_core::sc_pending_activity());
    TimerBench::run_until(25 * kUs);
    bench.timer.listen_to_trigger(true, 25 * kUs);
    CHECK(bench.seen.empty());
    TimerBench::run_until(31 * kUs);
    REQUIRE(bench.seen.size() == 2);
    CHECK(bench.seen[0] == std::pair(true, 30 * kUs));
    // An interrupt that pends takes no trigger away.
    bench.set(kDier, 1);
    TimerBench::run_until(55 * kUs);
    CHECK(bench.seen.size() == 6);
}

TEST_CASE("timing: by MMS 3 TRGO is a pulse where channel 1 compares, whatever its flag is") {
    TimerBench bench;
    bench.set(kCcr1, 30);
    bench.set(kCr2, kAtCompare);
    bench.set(kPsc, 1);
    bench.set(kCr1, kCen);
    // 3 us, and behind the first period of 10 us two clocks a tick. Nobody clears CC1IF.
    TimerBench::run_until(40 * kUs);
    CHECK(bench.seen == TimerBench::Seen{{true, 3 * kUs},
                                         {false, 3 * kUs},
                                         {true, 16 * kUs},
                                         {false, 16 * kUs},
                                         {true, 36 * kUs},
                                         {false, 36 * kUs}});
    // So does software, but not for other channels.
    bench.seen.clear();
    bench.set(kEgr, 4);
    CHECK(bench.seen.empty());
    bench.set(kEgr, 2);
    CHECK(bench.seen == TimerBench::Seen{{true, 40 * kUs}, {false, 40 * kUs}});
}

TEST_CASE("timer: by MMS 3 TRGO is a pulse at each capture of channel 1, by its prescaler") {
    TimerBench bench;
    bench.timer.on_outputs = [](const Timer::Outputs&, Picoseconds) {};
    bench.set(kCr2, kAtCompare);
    bench.set(kCcmr1, 1 | 1u << 2);  // each second edge of TI1
    bench.set(kCcer, 1);
    bench.set(kCr1, kCen);
    for (const Picoseconds at : {2 * kUs, 4 * kUs, 6 * kUs, 8 * kUs}) {
        bench.timer.input(0, true, at);
        bench.timer.input(0, false, at + kUs);
        bench.timer.input(1, true, at);
        bench.timer.input(1, false, at + kUs);
    }
    CHECK(bench.seen ==
          TimerBench::Seen{{true, 4 * kUs}, {false, 4 * kUs}, {true, 8 * kUs}, {false, 8 * kUs}});
}

TEST_CASE("timing: by MMS 4 to 7 TRGO is the reference of a channel, whose output may be off") {
    TimerBench bench;
    bench.set(kCcmr1, kPwm1 | kPwm1 << 8);
    bench.set(kCcmr2, kPwm1 | kPwm1 << 8);
    for (unsigned channel = 0; channel < 4; ++channel)
        bench.set(kCcr1 + 4 * channel, 20 * (channel + 1));
    bench.set(kCr1, kCen);
    for (unsigned channel = 0; channel < 4; ++channel) {
        CAPTURE(channel);
        const Picoseconds from = Picoseconds{channel} * 20 * kUs;
        const Picoseconds high = (Picoseconds{channel} + 1) * 2 * kUs;
        TimerBench::run_until(from);
        bench.set(kCr2, (4 + channel) << 4);
        TimerBench::run_until(from + 19 * kUs);
        CHECK(bench.seen == TimerBench::Seen{{true, from},
                                             {false, from + high},
                                             {true, from + 10 * kUs},
                                             {false, from + 10 * kUs + high}});
        bench.set(kCr2, 0);
        bench.seen.clear();
    }
}

TEST_CASE("timing: OC1REF that toggles, or becomes active once, as TRGO") {
    TimerBench bench;
    bench.set(kCcr1, 30);
    bench.set(kCcmr1, kToggles);
    bench.set(kCr2, 4u << 4);
    bench.set(kCr1, kCen);
    TimerBench::run_until(25 * kUs);
    CHECK(bench.seen == TimerBench::Seen{{true, 3 * kUs}, {false, 13 * kUs}, {true, 23 * kUs}});
    bench.set(kCcmr1, 4u << 4);  // forced inactive
    CHECK(bench.seen.back() == std::pair(false, 25 * kUs));
    bench.set(kCcmr1, 1u << 4);
    TimerBench::run_until(60 * kUs);
    CHECK(bench.seen.size() == 5);
    CHECK(bench.seen.back() == std::pair(true, 33 * kUs));
}

TEST_CASE("timing: OC1REF and compare events of a counter that goes both ways as TRGO and TRGO2") {
    TimerBench bench;
    TimerBench::Seen second;
    bench.timer.on_second_trigger = [&second](bool level, Picoseconds at) {
        second.emplace_back(level, at);
    };
    bench.timer.listen_to_second_trigger(true, 0);
    bench.set(kArr, 80);
    bench.set(kCcr1, 40);
    bench.set(kCcmr1, kPwm1);
    bench.set(kCr2, 4u << 4 | 3u << kSecond);
    bench.set(kCr1, kCen | 1u << 5);  // the flag on the way down
    TimerBench::run_until(30 * kUs);
    // At 40 on both ways; a period has 160 ticks.
    CHECK(bench.seen ==
          TimerBench::Seen{
              {true, 0}, {false, 4 * kUs}, {true, 12 * kUs}, {false, 20 * kUs}, {true, 28 * kUs}});
    CHECK(second == TimerBench::Seen{
                        {true, 12 * kUs}, {false, 12 * kUs}, {true, 28 * kUs}, {false, 28 * kUs}});
}

TEST_CASE("timing: a late read of the timer reports every edge of OC1REF before it") {
    TimerBench bench;
    bench.set(kCcr1, 25);
    bench.set(kCcmr1, kPwm1);
    bench.set(kCr2, 4u << 4);
    bench.set(kCr1, kCen);
    CHECK(bench.timer.read(kCnt, 23 * kUs).value == 30);  // ahead of the kernel
    CHECK(bench.seen == TimerBench::Seen{{true, 0},
                                         {false, 2'500'000},
                                         {true, 10 * kUs},
                                         {false, 12'500'000},
                                         {true, 20 * kUs},
                                         {false, 22'500'000}});
}

TEST_CASE("timer: references and compare events are events of the kernel only for a listener") {
    TimerBench bench;
    bench.timer.listen_to_trigger(false, 0);
    bench.set(kCcr1, 25);
    bench.set(kCcmr1, kPwm1);
    bench.set(kCr1, kCen);
    for (const std::uint32_t mode : {kAtCompare, 4u << 4}) {
        CAPTURE(mode);
        bench.set(kCr2, mode);
        CHECK_FALSE(sc_core::sc_pending_activity());
        bench.timer.listen_to_trigger(true, TimerBench::now());
        CHECK(sc_core::sc_pending_activity());
        bench.timer.listen_to_trigger(false, TimerBench::now());
        CHECK_FALSE(sc_core::sc_pending_activity());
    }
    // What was before is no news: neither the match at 2.5 us nor the level since 30 us.
    bench.set(kCr2, kAtCompare);
    TimerBench::run_until(31 * kUs);
    bench.timer.listen_to_trigger(true, 31 * kUs);
    CHECK(bench.seen.empty());
    bench.set(kCr2, 4u << 4);
    CHECK(bench.seen == TimerBench::Seen{{true, 31 * kUs}});
}

TEST_CASE("timing: TRGO2 has a mode of its own, MMS2") {
    TimerBench bench;
    TimerBench::Seen second;
    bench.timer.on_second_trigger = [&second](bool level, Picoseconds at) {
        second.emplace_back(level, at);
    };
    bench.timer.listen_to_second_trigger(true, 0);
    bench.set(kCcmr2, kPwm1 << 8);
    bench.set(kCcr1 + 12, 60);
    bench.set(kCr2, kUpdate | 7u << kSecond);  // OC4REF
    CHECK(second == TimerBench::Seen{{true, 0}});
    bench.set(kCr1, kCen);
    TimerBench::run_until(12 * kUs);
    CHECK(second == TimerBench::Seen{{true, 0}, {false, 6 * kUs}, {true, 10 * kUs}});
    CHECK(bench.seen == TimerBench::Seen{{true, 10 * kUs}, {false, 10 * kUs}});
    // One of both may be a pulse for UG.
    bench.set(kCr2, kEnable);
    second.clear();
    bench.seen.clear();
    bench.set(kEgr, 1);
    CHECK(second == TimerBench::Seen{{true, 12 * kUs}, {false, 12 * kUs}});
    CHECK(bench.seen.empty());
    CHECK_FALSE(bench.timer.write(kCr2, 8u << kSecond, kWord, 12 * kUs).modelled);  // OC5REF
}

TEST_CASE("timer: other sources of TRGO, and any without a listener's line, are not modelled") {
    Timer alone("tim2", "TIM2", {32, 4, false}), basic("tim6", "TIM6", {16, 0, false}),
        pair("tim9", "TIM9", {16, 2, false});
    TimerBench bench;
    const auto modelled = [](Timer& timer, std::uint32_t control) {
        return timer.write(kCr2, control, kWord, 0).modelled;
    };
    for (unsigned mode = 0; mode < 8; ++mode) {
        CAPTURE(mode);
        const std::uint32_t word = mode << 4;
        for (Timer* const timer : {&basic, &pair}) timer->on_trigger = [](bool, Picoseconds) {};
        CHECK(modelled(bench.timer, word));
        CHECK_FALSE(modelled(bench.timer, word | 1u << 25));  // the encoder's clock, and reserved
        CHECK(modelled(alone, word) == (mode == 0));
        CHECK(modelled(basic, word) == (mode <= 2));
        CHECK(modelled(pair, word) == (mode <= 5));
        CHECK(modelled(bench.timer, mode << kSecond) == (mode == 0));  // without that line
    }
    // The reference of an output mode that is not modelled, whichever is written last.
    CHECK(modelled(bench.timer, 0));
    bench.set(kCcmr1, 1u << 16);  // OC1M = 8
    CHECK_FALSE(modelled(bench.timer, 4u << 4));
    CHECK(modelled(bench.timer, 5u << 4));
    CHECK_FALSE(bench.timer.write(kCcmr1, 1u << 24, kWord, 0).modelled);
}

TEST_CASE("timing: adc converts one sequence for each trigger, until ADSTP") {
    AdcBench bench;
    bench.set(kSqr1, 1 | 1u << 6 | 2u << 12, 0);
    bench.start(kByTim2 | kRising | kOverwrites);
    CHECK(bench.conversions(50 * kUs) == 0);
    CHECK(bench.runs(50 * kUs));
    bench.pulse(50 * kUs);
    CHECK((bench.get(kIsr, 51'399'999) & kEoc) == 0);
    CHECK((bench.get(kIsr, 51'400'000) & kEoc) != 0);
    CHECK(bench.get(kDr, 51'400'000) == 1024);
    CHECK((bench.get(kIsr, 52'800'000) & kEos) != 0);
    CHECK(bench.get(kDr, 52'800'000) == 2048);
    CHECK(bench.runs(60 * kUs));
    CHECK(bench.conversions(60 * kUs) == 2);
    bench.pulse(60 * kUs);
    CHECK(bench.conversions(70 * kUs) == 4);
    bench.set(kCr, kAden | kStop, 70 * kUs);
    CHECK_FALSE(bench.runs(70 * kUs));
    bench.pulse(71 * kUs);
    CHECK(bench.conversions(80 * kUs) == 4);
}

TEST_CASE("adc: a trigger counts by its edge, if it is the selected one, and not meanwhile") {
    AdcBench bench;
    Picoseconds now = 10 * kUs;
    const auto converts = [&](std::uint32_t edges, unsigned source, bool level) {
        const std::uint64_t before = bench.conversions(now);
        bench.set(kCr, kAden | kStop, now);
        bench.set(kCfgr1, kByTim2 | edges | kOverwrites, now);
        bench.set(kCr, kAden | kStart, now);
        bench.adc.trigger(source, level, now);
        now += 10 * kUs;
        return bench.conversions(now) == before + 1;
    };
    CHECK(converts(kRising, kTim2Trgo, true));
    CHECK_FALSE(converts(kRising, kTim2Trgo, false));
    CHECK(converts(kFalling, kTim2Trgo, false));
    CHECK_FALSE(converts(kFalling, kTim2Trgo, true));
    CHECK(converts(kRising | kFalling, kTim2Trgo, true));
    CHECK(converts(kRising | kFalling, kTim2Trgo, false));
    CHECK_FALSE(converts(kRising, 11, true));
    // Both edges of a pulse, and one more within the conversion.
    CHECK(converts(kRising | kFalling, kTim2Trgo, true));
    bench.pulse(now);
    bench.pulse(now + 1'399'999);
    const std::uint64_t before = bench.conversions(now);
    CHECK(bench.conversions(now + 5 * kUs) == before + 1);
}

TEST_CASE("adc: CONT runs on from its first trigger, DISCEN takes some ranks for each") {
    AdcBench bench;
    bench.start(kByTim2 | kRising | kOverwrites | kContinuous);
    CHECK(bench.conversions(20 * kUs) == 0);
    bench.pulse(20 * kUs);
    bench.pulse(25 * kUs);
    CHECK(bench.conversions(34 * kUs) == 10);
    bench.set(kCr, kAden | kStop, 34 * kUs);
    bench.set(kSqr1, 1 | 1u << 6 | 2u << 12, 34 * kUs);
    bench.set(kCfgr1, kByTim2 | kRising | kDiscontinuous, 34 * kUs);
    bench.set(kIsr, kEoc | kEos, 34 * kUs);
    bench.set(kCr, kAden | kStart, 34 * kUs);
    bench.pulse(40 * kUs);
    CHECK(bench.get(kDr, 45 * kUs) == 1024);
    CHECK((bench.get(kIsr, 45 * kUs) & kEos) == 0);
    bench.pulse(50 * kUs);
    CHECK(bench.get(kDr, 55 * kUs) == 2048);
    CHECK((bench.get(kIsr, 55 * kUs) & kEos) != 0);
    CHECK(bench.runs(55 * kUs));
}

TEST_CASE("adc: with AUTDLY a trigger before the read is lost") {
    AdcBench bench;
    bench.start(kByTim2 | kRising | kWaits);
    bench.pulse(20 * kUs);
    bench.pulse(30 * kUs);
    CHECK(bench.conversions(40 * kUs) == 1);
    static_cast<void>(bench.get(kDr, 40 * kUs));
    CHECK(bench.conversions(45 * kUs) == 1);
    bench.pulse(50 * kUs);
    CHECK(bench.conversions(55 * kUs) == 2);
}

TEST_CASE("adc: a trigger that is not connected is not modelled") {
    AdcBench bench;
    const auto modelled = [&](std::uint32_t value) {
        return bench.adc.write(kCfgr1, value, kWord, 0).modelled;
    };
    CHECK(modelled(0x14E3));  // of a public example: TIM2_TRGO, rising, with DMA
    CHECK_FALSE(modelled(kRising));
    CHECK_FALSE(modelled(kRising | 31u << 5));
    CHECK(modelled(31u << 5));  // by software
}

TEST_CASE("timing: a timer paces an ADC, which wakes it only while it waits") {
    TimerBench timer(false);
    AdcBench adc;
    timer.timer.listen_to_trigger(false, 0);
    timer.timer.on_trigger = [&](bool level, Picoseconds at) {
        adc.adc.trigger(kTim2Trgo, level, at);
    };
    adc.adc.on_trigger_source = [&](Picoseconds at) {
        timer.timer.listen_to_trigger(adc.adc.trigger_source() == kTim2Trgo, at);
    };
    std::vector<std::pair<bool, Picoseconds>> requests;
    adc.adc.on_request = [&](bool level, Picoseconds at) { requests.emplace_back(level, at); };
    TimerBench::run_until(6 * kUs);
    timer.set(kCr2, kUpdate);
    timer.set(kCr1, kCen);
    CHECK_FALSE(sc_core::sc_pending_activity());
    adc.set(kCfgr1, 0x14E3, 6 * kUs);
    CHECK_FALSE(sc_core::sc_pending_activity());
    adc.set(kCr, kAden | kStart, 6 * kUs);
    CHECK(adc.adc.trigger_source() == kTim2Trgo);
    TimerBench::run_until(20 * kUs);
    // The update 10 us after CEN, and 14 clocks.
    CHECK(requests == std::vector<std::pair<bool, Picoseconds>>{{true, 17'400'000}});
    TimerBench::run_until(100 * kUs);
    CHECK(adc.adc.statistics().conversions == 9);
    adc.set(kCr, kAden | kStop, 100 * kUs);
    CHECK(adc.adc.trigger_source() == Adc::kNoTrigger);
    CHECK_FALSE(sc_core::sc_pending_activity());
}
