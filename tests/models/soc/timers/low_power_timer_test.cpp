// SPDX-License-Identifier: Apache-2.0
// LPTIM as a time base and as its driver sets it up.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/soc/timers/low_power_timer.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kWord = 0xFFFFFFFF;
constexpr std::uint32_t kIsr = 0x00, kIcr = 0x04, kDier = 0x08, kCfgr = 0x0C, kCr = 0x10,
                        kCcr1 = 0x14, kArr = 0x18, kCnt = 0x1C, kRcr = 0x28, kCcr2 = 0x34;
constexpr std::uint32_t kEnable = 1, kSingle = 2, kContinuous = 4;
constexpr std::uint32_t kCc1 = 1, kArrm = 2, kArrOk = 16, kUpdate = 1u << 7, kDierOk = 1u << 24;
constexpr Picoseconds kUs = 1'000'000;

/// A timer of 1 MHz.
struct Bench {
    Bench() : timer("lptim1", "LPTIM1") {
        timer.on_interrupt = [this](bool level) {
            levels.emplace_back(level, sc_core::sc_time_stamp().value());
        };
        timer.set_kernel_hz(1e6, 0);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void set(std::uint32_t offset, std::uint32_t value, Picoseconds at = 0) {
        CHECK(timer.write(offset, value, kWord, at).modelled);
    }
    std::uint32_t get(std::uint32_t offset, Picoseconds at) { return timer.read(offset, at).value; }

    LowPowerTimer timer;
    std::vector<std::pair<bool, Picoseconds>> levels;
};

}  // namespace

TEST_CASE("timing: lptim takes registers over after three kernel cycles") {
    Bench bench;
    CHECK(bench.get(kArr, 0) == 1);
    bench.set(kCr, kEnable);
    bench.set(kArr, 99);
    CHECK(bench.get(kIsr, 3 * kUs - 1) == 0);
    CHECK(bench.get(kIsr, 3 * kUs) == kArrOk);
    bench.set(kIcr, kArrOk, 3 * kUs);
    CHECK(bench.get(kIsr, 3 * kUs) == 0);
    bench.set(kDier, kArrm, 10 * kUs);
    CHECK(bench.get(kIsr, 13 * kUs) == kDierOk);
}

TEST_CASE("timing: lptim counts to ARR with its prescaler, and interrupts there") {
    Bench bench;
    bench.set(kCfgr, 1u << 9);  // half the clock
    bench.set(kCr, kEnable);
    bench.set(kArr, 9);
    bench.set(kCcr1, 4);
    bench.set(kDier, kArrm);
    CHECK(bench.get(kCnt, 100 * kUs) == 0);
    bench.set(kCr, kEnable | kContinuous, 100 * kUs);
    CHECK(bench.get(kCnt, 107 * kUs) == 3);
    CHECK((bench.get(kIsr, 107 * kUs) & kCc1) == 0);
    CHECK((bench.get(kIsr, 108 * kUs) & kCc1) == kCc1);
    sc_core::sc_start(to_sc_time(150 * kUs));
    REQUIRE(bench.levels.size() == 1);
    CHECK(bench.levels[0] == std::pair(true, 118 * kUs));
    CHECK(bench.get(kCnt, 150 * kUs) == 5);
    bench.set(kIcr, kArrm, 150 * kUs);
    CHECK_FALSE(bench.levels.back().first);
    // A long silence does not lose the phase: periods of 20 us.
    CHECK(bench.get(kCnt, 100'106 * kUs) == 3);
}

TEST_CASE("lptim: one shot stops at its end, RCR + 1 periods make an update") {
    Bench bench;
    bench.set(kArr, 9);
    bench.set(kCr, kEnable);
    bench.set(kCr, kEnable | kSingle);
    CHECK(bench.get(kCnt, 9 * kUs) == 9);
    CHECK(bench.get(kCnt, 10 * kUs) == 0);
    CHECK(bench.get(kCnt, 25 * kUs) == 0);
    bench.set(kCr, 0, 30 * kUs);
    bench.set(kRcr, 2, 30 * kUs);
    bench.set(kIcr, kWord, 30 * kUs);
    bench.set(kCr, kEnable, 30 * kUs);
    bench.set(kCr, kEnable | kContinuous, 30 * kUs);
    CHECK((bench.get(kIsr, 59 * kUs) & kUpdate) == 0);
    CHECK((bench.get(kIsr, 60 * kUs) & kUpdate) == kUpdate);
    bench.set(kIcr, kUpdate, 60 * kUs);
    CHECK((bench.get(kIsr, 89 * kUs) & kUpdate) == 0);
    CHECK((bench.get(kIsr, 1'000 * kUs) & kUpdate) == kUpdate);
    CHECK(bench.get(kCnt, 1'003 * kUs) == 3);
}

TEST_CASE("timing: lptim has a flag for each register that it has taken over") {
    struct Row {
        std::uint32_t offset, flag;
    };
    // CMP1OK, ARROK, REPOK, CMP2OK, DIEROK.
    const Row rows[] = {
        {kCcr1, 1u << 3}, {kArr, 1u << 4}, {kRcr, 1u << 8}, {kCcr2, 1u << 19}, {kDier, 1u << 24}};
    Bench bench;
    Picoseconds now = 0;
    bench.set(kCr, kEnable, now);
    for (const Row& row : rows) {
        CAPTURE(row.offset);
        bench.set(row.offset, 1, now);
        CHECK(bench.get(kIsr, now + 3 * kUs - 1) == 0);
        CHECK(bench.get(kIsr, now + 3 * kUs) == row.flag);
        now += 3 * kUs;
        bench.set(kIcr, ~row.flag, now);
        CHECK(bench.get(kIsr, now) == row.flag);
        bench.set(kIcr, row.flag, now);
        CHECK(bench.get(kIsr, now + 10 * kUs) == 0);
        CHECK(bench.get(kIcr, now) == 0);
        now += 10 * kUs;
    }
}

TEST_CASE("timing: lptim interrupts at each enabled flag's time, and at no other's") {
    struct Row {
        std::uint32_t enable;
        Picoseconds after;  ///< of the start; 0: never
    };
    const Row rows[] = {{kCc1, 5 * kUs},         {1u << 9, 12 * kUs},        {kArrm, 19 * kUs},
                        {kUpdate, 40 * kUs},     {1u << 3, 3 * kUs},         {1u << 4, 3 * kUs},
                        {1u << 8, 3 * kUs},      {1u << 19, 3 * kUs},        {0, 0},
                        {kCc1 | kArrm, 5 * kUs}, {kArrm | kUpdate, 19 * kUs}};
    Bench bench;
    for (const Row& row : rows) {
        CAPTURE(row.enable);
        const Picoseconds begin = sc_core::sc_time_stamp().value();
        bench.timer.reset();
        bench.levels.clear();
        bench.set(kCr, kEnable, begin);
        bench.set(kDier, row.enable, begin);
        bench.set(kArr, 19, begin);
        bench.set(kCcr1, 5, begin);
        bench.set(kCcr2, 12, begin);
        bench.set(kRcr, 1, begin);
        bench.set(kCr, kEnable | kContinuous, begin);
        sc_core::sc_start(to_sc_time(100 * kUs));
        REQUIRE(bench.levels.size() == (row.after == 0 ? 0u : 1u));
        if (bench.levels.empty()) continue;
        CHECK(bench.levels[0] == std::pair(true, begin + row.after));
        // What is behind the end of the period is looked for there again.
        const Picoseconds again = sc_core::sc_time_stamp().value();
        bench.set(kIcr, kWord, again);
        CHECK_FALSE(bench.levels.back().first);
    }
}

TEST_CASE("lptim: values are met at their counts, zero at the wrap, those beyond ARR never") {
    Bench bench;
    bench.set(kCr, kEnable);
    bench.set(kArr, 9);
    bench.set(kCcr1, 0);
    bench.set(kCcr2, 10);
    bench.set(kCr, kEnable | kContinuous);
    constexpr std::uint32_t kMet = kCc1 | 1u << 9 | kArrm | kUpdate;
    for (unsigned us = 0; us <= 20; ++us) {
        CAPTURE(us);
        CHECK(bench.get(kCnt, us * kUs) == us % 10);
        const std::uint32_t expected = us < 9 ? 0 : us == 9 ? kArrm : kArrm | kUpdate | kCc1;
        CHECK((bench.get(kIsr, us * kUs) & kMet) == expected);
    }
}

TEST_CASE("lptim: a start while it runs changes how it ends, and a second one shot is another") {
    Bench bench;
    bench.set(kArr, 9);
    bench.set(kCr, kEnable | kContinuous);  // not enabled before
    CHECK(bench.get(kCnt, 5 * kUs) == 0);
    bench.set(kCr, kEnable | kSingle, 5 * kUs);
    CHECK(bench.get(kCr, 5 * kUs) == kEnable);
    bench.set(kCr, kEnable | kSingle, 10 * kUs);
    CHECK(bench.get(kCnt, 12 * kUs) == 7);
    CHECK(bench.get(kCnt, 30 * kUs) == 0);
    bench.set(kCr, kEnable | kSingle, 30 * kUs);
    CHECK(bench.get(kCnt, 33 * kUs) == 3);
    bench.set(kCr, kEnable | kContinuous, 33 * kUs);
    CHECK(bench.get(kCnt, 44 * kUs) == 4);
    bench.set(kCr, kEnable | kSingle, 44 * kUs);
    CHECK(bench.get(kCnt, 49 * kUs) == 9);
    CHECK(bench.get(kCnt, 54 * kUs) == 0);
    // COUNTRST: from zero again, in the same run.
    bench.set(kCr, kEnable | kContinuous, 60 * kUs);
    CHECK(bench.get(kCnt, 64 * kUs) == 4);
    bench.set(kCr, kEnable | 8, 64 * kUs + kUs / 2);
    CHECK(bench.get(kCr, 65 * kUs) == kEnable);
    CHECK(bench.get(kCnt, 67 * kUs) == 2);
    CHECK(bench.get(kCnt, 68 * kUs) == 3);
    bench.set(kCr, 0, 68 * kUs);
    CHECK(bench.get(kCnt, 80 * kUs) == 0);
    bench.set(kCr, kEnable, 80 * kUs);
    CHECK(bench.get(kCnt, 90 * kUs) == 0);
}

TEST_CASE("lptim: updates keep their distance over a long silence") {
    Bench bench;
    bench.set(kArr, 9);
    bench.set(kRcr, 2);
    bench.set(kCr, kEnable);
    bench.set(kCr, kEnable | kContinuous);
    // One each 30 us.
    for (const std::uint64_t updates : {1u, 100u, 100'000u, 100'001u}) {
        CAPTURE(updates);
        const Picoseconds at = updates * 30 * kUs;
        CHECK((bench.get(kIsr, at) & kUpdate) == kUpdate);
        bench.set(kIcr, kUpdate, at);
        CHECK((bench.get(kIsr, at + 29 * kUs) & kUpdate) == 0);
        CHECK(bench.get(kCnt, at + 29 * kUs) == 9);
    }
}

TEST_CASE("lptim: each prescaler divides by its power of two, for an interrupt, too") {
    Bench bench;
    for (unsigned code = 0; code < 8; ++code) {
        CAPTURE(code);
        const Picoseconds begin = sc_core::sc_time_stamp().value();
        bench.timer.reset();
        bench.levels.clear();
        bench.set(kCfgr, code << 9, begin);
        bench.set(kCr, kEnable, begin);
        bench.set(kArr, 2, begin);
        bench.set(kDier, kArrm, begin);
        bench.set(kCr, kEnable | kContinuous, begin);
        CHECK(bench.get(kCnt, begin + (kUs << code) - 1) == 0);
        CHECK(bench.get(kCnt, begin + (kUs << code)) == 1);
        sc_core::sc_start(to_sc_time(300 * kUs));
        REQUIRE(bench.levels.size() == 1);
        CHECK(bench.levels[0].second == begin + (2 * kUs << code));
    }
}

TEST_CASE("lptim: names of registers, and which bits are not modelled") {
    constexpr const char* kNames[] = {"ISR", "ICR", "DIER",  "CFGR", "CR",    "CCR1", "ARR",
                                      "CNT", "",    "CFGR2", "RCR",  "CCMR1", "",     "CCR2"};
    Bench bench;
    for (std::uint32_t i = 0; i < 14; ++i) {
        CAPTURE(i);
        const RegisterBlock::Answer answer = bench.timer.read(4 * i, 0);
        CHECK(answer.name == std::string(kNames[i]));
        CHECK(answer.modelled == !std::string(kNames[i]).empty());
        const RegisterBlock::Answer written = bench.timer.write(4 * i, 0, kWord, 0);
        CHECK(written.name == std::string(kNames[i]));
        CHECK(written.modelled == answer.modelled);
    }
    CHECK_FALSE(bench.timer.read(0x38, 0).modelled);
    CHECK_FALSE(bench.timer.write(0x38, 0, kWord, 0).modelled);
    for (unsigned position = 0; position < 32; ++position) {
        CAPTURE(position);
        const auto modelled = [&](std::uint32_t offset) {
            const bool known = bench.timer.write(offset, 1u << position, kWord, 0).modelled;
            (void)bench.timer.write(offset, 0, kWord, 0);
            return known;
        };
        // CKSEL, TRIGEN, TIMOUT, COUNTMODE, ENC; flags of DIER; RSTARE.
        CHECK(modelled(kCfgr) == ((0x018E0001u >> position & 1) == 0));
        CHECK(modelled(kDier) == ((0x0008039Bu >> position & 1) != 0));
        CHECK(modelled(kCr) == (position != 4));
        CHECK_FALSE(modelled(0x2C));
        CHECK_FALSE(modelled(0x24));
        CHECK(modelled(kArr));
    }
}

TEST_CASE("lptim: stops without clock, and what is not modelled says so") {
    Bench bench;
    bench.set(kArr, 999);
    bench.set(kCr, kEnable);
    bench.set(kCr, kEnable | kContinuous);
    bench.timer.set_kernel_hz(0, 10 * kUs);
    CHECK(bench.get(kCnt, 50 * kUs) == 10);
    bench.timer.set_kernel_hz(2e6, 50 * kUs);
    CHECK(bench.get(kCnt, 60 * kUs) == 30);
    CHECK_FALSE(bench.timer.write(kCfgr, 1, kWord, 60 * kUs).modelled);  // external clock
    CHECK_FALSE(bench.timer.read(0x20, 60 * kUs).modelled);
    bench.timer.reset();
    CHECK(bench.get(kArr, 60 * kUs) == 1);
}

TEST_CASE(
    "lptim: with an external clock, edges to count or an encoder it stands still, and says so") {
    for (const std::uint32_t setting : {1u, 1u << 23, 1u << 24}) {
        CAPTURE(setting);
        LowPowerTimer timer(sc_core::sc_gen_unique_name("lptim"), "LPTIM1");
        const auto set = [&](std::uint32_t offset, std::uint32_t value, Picoseconds at) {
            return timer.write(offset, value, kWord, at).modelled;
        };
        timer.set_kernel_hz(1e6, 0);
        CHECK_FALSE(set(kCfgr, setting, 0));
        CHECK(set(kCr, kEnable, 0));
        CHECK(set(kArr, 9, 0));
        CHECK(set(kCr, kEnable | kContinuous, 0));
        CHECK(timer.read(kCnt, 100 * kUs).value == 0);
        CHECK((timer.read(kIsr, 100 * kUs).value & (kCc1 | kArrm | kUpdate)) == 0);
        CHECK(set(kCfgr, 0, 100 * kUs));
        CHECK(timer.read(kCnt, 103 * kUs).value == 3);
    }
}
