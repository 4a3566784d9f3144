// SPDX-License-Identifier: Apache-2.0
// LPTIM as a time base and as its driver sets it up.
#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "models/soc/low_power_timer.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kWord = 0xFFFFFFFF;
constexpr std::uint32_t kIsr = 0x00, kIcr = 0x04, kDier = 0x08, kCfgr = 0x0C, kCr = 0x10,
                        kCcr1 = 0x14, kArr = 0x18, kCnt = 0x1C, kRcr = 0x28;
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
