// SPDX-License-Identifier: Apache-2.0
// DMA requests of timers: when they are raised, what takes them back, bursts by DCR and DMAR.
#include <doctest/doctest.h>

#include <cstdint>
#include <tuple>
#include <vector>

#include "models/soc/timers/timer.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kWord = 0xFFFFFFFF;
constexpr std::uint32_t kCr1 = 0x00, kCr2 = 0x04, kDier = 0x0C, kSr = 0x10, kEgr = 0x14,
                        kArr = 0x2C, kRcr = 0x30, kCcr1 = 0x34, kCcr2 = 0x38, kCcr3 = 0x3C,
                        kDcr = 0x3DC, kDmar = 0x3E0;
constexpr std::uint32_t kUde = 1u << 8, kCc1de = 1u << 9, kCc2de = 1u << 10;
constexpr Picoseconds kUs = 1'000'000;

/// A timer of 10 MHz with a period of 10 us, and who answers its requests if told to.
struct Bench {
    using Seen = std::vector<std::tuple<unsigned, bool, Picoseconds>>;
    Timer timer{"tim", "TIM1", {16, 4, true}};
    Seen seen;
    bool takes = true;

    Bench() {
        timer.on_request = [this](unsigned source, bool level, Picoseconds at) {
            seen.emplace_back(source, level, at);
        };
        timer.set_kernel_hz(10e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        set(kArr, 99);
    }
    static Picoseconds now() { return sc_core::sc_time_stamp().value(); }
    void set(std::uint32_t offset, std::uint32_t value) {
        CHECK(timer.write(offset, value, kWord, now()).modelled);
    }
    std::uint32_t get(std::uint32_t offset) { return timer.read(offset, now()).value; }
    static void run_until(Picoseconds at) { sc_core::sc_start(delay_until(at)); }
};

}  // namespace

TEST_CASE("timing: timer asks for a transfer at each update, once, until it is taken") {
    Bench bench;
    bench.set(kDier, kUde);
    bench.set(kCr1, 1);
    Bench::run_until(10 * kUs - 1);
    CHECK(bench.seen.empty());
    Bench::run_until(25 * kUs);
    CHECK(bench.seen == Bench::Seen{{0, true, 10 * kUs}});  // nobody took the first one
    bench.timer.request_taken(0, 26 * kUs);
    CHECK(bench.seen.back() == std::tuple(0u, false, 26 * kUs));
    Bench::run_until(31 * kUs);
    CHECK(bench.seen.back() == std::tuple(0u, true, 30 * kUs));
    bench.set(kDier, 0);
    CHECK(bench.seen.back() == std::tuple(0u, false, 31 * kUs));
    Bench::run_until(60 * kUs);
    CHECK(bench.seen.size() == 4);
}

TEST_CASE("timing: timer asks at updates by RCR, and by UG unless URS") {
    Bench bench;
    bench.set(kRcr, 3);
    bench.set(kEgr, 1);
    bench.set(kDier, kUde);
    bench.set(kCr1, 1);
    Bench::run_until(50 * kUs);
    CHECK(bench.seen == Bench::Seen{{0, true, 40 * kUs}});
    bench.timer.request_taken(0, 50 * kUs);
    bench.set(kEgr, 1);
    CHECK(bench.seen.back() == std::tuple(0u, true, 50 * kUs));
    bench.timer.request_taken(0, 51 * kUs);
    bench.set(kCr1, 1 | 4);
    bench.set(kEgr, 1);
    CHECK_FALSE(std::get<1>(bench.seen.back()));
}

TEST_CASE("timing: channels ask where they compare, or with the update by CCDS") {
    Bench bench;
    bench.set(kCcr1, 30);
    bench.set(kCcr2, 70);
    bench.set(kDier, kCc1de | kCc2de);
    bench.set(kCr1, 1);
    Bench::run_until(9 * kUs);
    CHECK(bench.seen == Bench::Seen{{1, true, 3 * kUs}, {2, true, 7 * kUs}});
    bench.timer.request_taken(1, 9 * kUs);
    bench.timer.request_taken(2, 9 * kUs);
    bench.seen.clear();
    bench.set(kCr2, 1u << 3);
    Bench::run_until(19 * kUs);
    CHECK(bench.seen == Bench::Seen{{1, true, 10 * kUs}, {2, true, 10 * kUs}});
}

TEST_CASE("timer: a burst goes through DMAR to registers from DBA on") {
    Bench bench;
    constexpr std::uint32_t kFromCcr1 = kCcr1 / 4, kThree = 2u << 8, kByUpdate = 1u << 16;
    bench.set(kDcr, kByUpdate | kThree | kFromCcr1);
    CHECK(bench.get(kDcr) == (kByUpdate | kThree | kFromCcr1));
    bench.set(kDier, kUde);
    bench.set(kCr1, 1);
    Bench::run_until(11 * kUs);
    REQUIRE(bench.seen.back() == std::tuple(0u, true, 10 * kUs));
    const std::size_t raised = bench.seen.size();
    for (const std::uint32_t value : {11u, 22u}) {
        bench.timer.request_taken(0, Bench::now());
        bench.set(kDmar, value);
    }
    CHECK(bench.seen.size() == raised);  // the line stays high for the third
    bench.timer.request_taken(0, Bench::now());
    bench.set(kDmar, 33);
    CHECK_FALSE(std::get<1>(bench.seen.back()));
    CHECK(bench.get(kCcr1) == 11);
    CHECK(bench.get(kCcr2) == 22);
    CHECK(bench.get(kCcr3) == 33);
    bench.set(kDmar, 44);  // and from the first one again
    CHECK(bench.get(kCcr1) == 44);
    CHECK(bench.get(kDmar) == 22);
    // A read moves on: a debugger must not make one.
    CHECK_FALSE(bench.timer.reads_freely(kDmar));
    CHECK(bench.timer.reads_freely(kDcr));
}

TEST_CASE("timer: without a DMA controller the enables and bursts are not modelled") {
    Timer timer("tim", "TIM1", {16, 4, true});
    CHECK_FALSE(timer.write(kDier, kUde, kWord, 0).modelled);
    CHECK_FALSE(timer.write(kDcr, 1, kWord, 0).modelled);
    CHECK_FALSE(timer.read(kDmar, 0).modelled);
    timer.on_request = [](unsigned, bool, Picoseconds) {};
    CHECK(timer.write(kDier, kUde, kWord, 0).modelled);
    CHECK_FALSE(timer.write(kDier, 1u << 13, kWord, 0).modelled);  // COMDE
    CHECK((timer.read(kSr, 0).value & 1) == 0);
}

TEST_CASE("timer: a burst that becomes shorter within begins again from DBA") {
    Bench bench;
    constexpr std::uint32_t kFromCcr1 = kCcr1 / 4;
    bench.set(kDcr, 2u << 8 | kFromCcr1);
    bench.set(kDmar, 11);
    bench.set(kDmar, 22);
    bench.set(kDcr, kFromCcr1);
    bench.set(kDmar, 33);
    bench.set(kDmar, 44);
    CHECK(bench.get(kCcr3) == 33);
    CHECK(bench.get(kCcr1) == 44);
}
