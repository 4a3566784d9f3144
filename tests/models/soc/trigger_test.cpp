// SPDX-License-Identifier: Apache-2.0
// Trigger outputs of timers, and conversions of an ADC that they start.
#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "models/soc/adc.h"
#include "models/soc/timer.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kWord = 0xFFFFFFFF;
constexpr Picoseconds kUs = 1'000'000;
// Timer.
constexpr std::uint32_t kCr1 = 0x00, kCr2 = 0x04, kDier = 0x0C, kEgr = 0x14, kCnt = 0x24,
                        kPsc = 0x28, kArr = 0x2C, kRcr = 0x30;
constexpr std::uint32_t kCen = 1, kUdis = 2, kUrs = 4, kOnePulse = 8;
constexpr std::uint32_t kEnable = 1u << 4, kUpdate = 2u << 4;  // MMS
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

TEST_CASE("timer: other sources of TRGO, and any without a listener's line, are not modelled") {
    Timer alone("tim2", "TIM2", {32, 4, false});
    TimerBench bench;
    for (const std::uint32_t mode : {3u << 4, 4u << 4, 7u << 4, 1u << 25})
        CHECK_FALSE(bench.timer.write(kCr2, mode, kWord, 0).modelled);
    CHECK_FALSE(alone.write(kCr2, kUpdate, kWord, 0).modelled);
    CHECK_FALSE(alone.write(kCr2, kEnable, kWord, 0).modelled);
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
