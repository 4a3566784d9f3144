// SPDX-License-Identifier: Apache-2.0
// WWDG by the formula of the reference manuals: a count takes 4096 x 2^WDGTB periods of the clock.
#include <doctest/doctest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "models/duration.h"
#include "models/soc/timers/wwdg.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kDogCr = 0x00, kDogCfr = 0x04, kDogSr = 0x08;
constexpr std::uint32_t kDogActive = 0x80, kDogEarly = 1u << 9;

struct DogBench {
    Wwdg dog{sc_core::sc_gen_unique_name("dog"), "WWDG"};
    std::vector<std::pair<bool, Picoseconds>> levels;
    std::vector<Picoseconds> resets;

    DogBench() {
        dog.on_interrupt = [this](bool level) { levels.emplace_back(level, now()); };
        dog.on_reset = [this] { resets.push_back(now()); };
        dog.set_clock_hz(100e6);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    static Picoseconds now() { return sc_core::sc_time_stamp().value(); }
    static void pass(Picoseconds time) { sc_core::sc_start(to_sc_time(time)); }
    void set(std::uint32_t offset, std::uint32_t value) {
        CHECK(dog.write(offset, value, 0xFFFFFFFF, now()).modelled);
    }
    std::uint32_t get(std::uint32_t offset) { return dog.read(offset, now()).value; }
};

constexpr Picoseconds kDogCount = 40'960'000;  ///< 4096 at 100 MHz

}  // namespace

TEST_CASE("timing: WWDG: count, early interrupt and reset for each start and each WDGTB") {
    DogBench bench;
    for (std::uint32_t code = 0; code < 8; ++code) {
        for (const std::uint32_t start : {0x40u, 0x41u, 0x47u, 0x7Fu}) {
            CAPTURE(code);
            CAPTURE(start);
            bench.dog.reset();
            bench.levels.clear();
            bench.resets.clear();
            const Picoseconds count = kDogCount << code, begin = DogBench::now();
            bench.set(kDogCfr, 0x7F | kDogEarly | code << 11);
            CHECK(bench.get(kDogCfr) == (0x7F | kDogEarly | code << 11));
            bench.set(kDogCr, kDogActive | start);
            CHECK(bench.get(kDogCr) == (kDogActive | start));
            if (start > 0x40) {
                DogBench::pass(count - 1);
                CHECK(bench.get(kDogCr) == (kDogActive | start));
                DogBench::pass(1);
                CHECK(bench.get(kDogCr) == (kDogActive | (start - 1)));
            }
            DogBench::pass(0x50 * count);
            const Picoseconds early = begin + (start - 0x40) * count;
            CHECK(bench.levels == decltype(bench.levels){{true, early}});
            CHECK(bench.resets == std::vector<Picoseconds>{early + count});
            CHECK(bench.get(kDogSr) == 1);
            bench.set(kDogSr, 1);  // only a zero clears
            CHECK(bench.get(kDogSr) == 1);
            bench.set(kDogSr, 0);
            CHECK(bench.get(kDogSr) == 0);
            CHECK_FALSE(bench.levels.back().first);
        }
    }
}

TEST_CASE("WWDG: a count without bit 6 is a reset, above the window too, and it starts once") {
    DogBench bench;
    bench.set(kDogCr, 0x3F);  // not active: a value like others
    DogBench::pass(1000 * kDogCount);
    CHECK(bench.resets.empty());
    CHECK(bench.levels.empty());
    CHECK(bench.get(kDogCr) == 0x3F);
    for (const std::uint32_t value : {0x00u, 0x3Fu}) {
        bench.dog.reset();
        bench.resets.clear();
        const Picoseconds begin = DogBench::now();
        bench.set(kDogCr, kDogActive | value);
        DogBench::pass(10 * kDogCount);
        CHECK(bench.resets == std::vector<Picoseconds>{begin});
    }
    // The window: at 0x60 the count may be written again, before it not.
    for (const std::uint32_t passed : {0u, 1u, 0xFu, 0x10u, 0x1Fu}) {
        CAPTURE(passed);
        bench.dog.reset();
        bench.resets.clear();
        bench.set(kDogCfr, 0x60);
        bench.set(kDogCr, kDogActive | 0x70);
        DogBench::pass(passed * kDogCount);
        const Picoseconds written = DogBench::now();
        bench.set(kDogCr, 0x70);  // the active bit stays without being written
        DogBench::pass(5 * kDogCount);
        if (passed < 0x10) {
            CHECK(bench.resets == std::vector<Picoseconds>{written});
        } else {
            CHECK(bench.resets.empty());
            CHECK(bench.get(kDogCr) == (kDogActive | 0x6B));
        }
    }
}

TEST_CASE("timing: WWDG: another clock or prescaler goes on from the count under way") {
    DogBench bench;
    bench.set(kDogCfr, 0x7F | kDogEarly);
    bench.set(kDogCr, kDogActive | 0x50);
    DogBench::pass(6 * kDogCount);
    bench.dog.set_clock_hz(50e6);
    CHECK(bench.get(kDogCr) == (kDogActive | 0x4A));
    DogBench::pass(4 * kDogCount);
    CHECK(bench.get(kDogCr) == (kDogActive | 0x48));
    bench.set(kDogCfr, 0x7F | 2u << 11);  // four times as slow
    const Picoseconds from = DogBench::now();
    DogBench::pass(200 * kDogCount);
    CHECK(bench.levels == decltype(bench.levels){{true, from + 64 * kDogCount}});
    CHECK(bench.resets == std::vector<Picoseconds>{from + 72 * kDogCount});
    // Window and enable alone do not begin anew.
    bench.dog.reset();
    bench.dog.set_clock_hz(100e6);
    bench.resets.clear();
    const Picoseconds begin = DogBench::now();
    bench.set(kDogCr, kDogActive | 0x44);
    DogBench::pass(2 * kDogCount + kDogCount / 2);
    bench.set(kDogCfr, 0x50 | kDogEarly);
    DogBench::pass(20 * kDogCount);
    CHECK(bench.resets == std::vector<Picoseconds>{begin + 5 * kDogCount});
    CHECK_FALSE(bench.dog.read(0x0C, 0).modelled);
    CHECK_FALSE(bench.dog.write(0x0C, 0, 0xFFFFFFFF, 0).modelled);
}
