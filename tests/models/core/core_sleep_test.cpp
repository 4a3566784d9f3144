// SPDX-License-Identifier: Apache-2.0
// Deep sleep of the core where its chip stops the clock, and where it does not.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <systemc>

#include "models/core/ir/system.h"
#include "tests/models/core/core_world.h"
#include "tests/support/thumb.h"

using namespace n6vp::models;
using namespace n6vp::tests;
using core::Stop;
using core::Timing;
using n6vp::test::Thumb;
using sc_core::sc_time;

namespace {

constexpr std::uint32_t kScr = 0xE000ED10, kSleepDeep = 4, kSysTick = 0xE000E010,
                        kIser = 0xE000E100;
constexpr std::uint32_t kHandler = kRam + 0x200, kTickHandler = kRam + 0x300;

sc_time us(double count) {
    return {count, sc_core::SC_US};
}

/// Sleeps with interrupt 0 enabled and a SysTick of 1000 cycles: 1.25 us. Each handler ends in a
/// breakpoint.
struct Sleeper {
    explicit Sleeper(std::uint32_t control, unsigned wait = 0xBF30 /* WFI */)
        : world("world", config_with(Timing::Approx)) {
        put_vectors(world);
        world.set_word(kRam + 15 * 4, kTickHandler | 1);
        Thumb program;
        program.write(kIser, 1).write(kScr, control);
        program.write(kSysTick + 4, 999).write(kSysTick + 8, 0).write(kSysTick, 7);
        program.barrier().raw({wait, 0xE7FE});
        const std::vector<std::uint8_t> bytes = program.bytes();
        REQUIRE(bytes.size() < kHandler - kRam - 0x100);
        std::copy(bytes.begin(), bytes.end(), world.ram.begin() + 0x100);
        world.program(kHandler, {0xBEAB});
        world.program(kTickHandler, {0xBEAB});
        world.core.on_deep_wake = [this] {
            ++wakes;
            woken = sc_core::sc_time_stamp();
        };
    }
    void stop_clock(bool stops) {
        world.core.on_deep_sleep = [this, stops] {
            ++sleeps;
            return stops;
        };
    }
    [[nodiscard]] std::uint32_t tick() {
        core::Core& core = world.core.core();
        std::uint32_t value = 0;
        REQUIRE(core.system().read_ppb(core.state(), kSysTick + 8, 4, core.cycles(), value));
        return value;
    }
    void run(double time_us) { sc_core::sc_start(us(time_us)); }

    World world;
    unsigned sleeps = 0, wakes = 0;
    sc_time woken;
};

void wakes_by_tick(Sleeper& sleeper) {
    sleeper.world.core.release_reset();
    sleeper.run(20);
    REQUIRE(sleeper.world.core.stopped() == Stop::Semihosting);
    CHECK(sleeper.world.core.core().pc() == kTickHandler);
    CHECK(sleeper.wakes == 0);
}

void sleeps_until_interrupt(unsigned wait) {
    Sleeper sleeper(kSleepDeep, wait);
    sleeper.stop_clock(true);
    sleeper.world.core.release_reset();
    sleeper.run(0.5);
    REQUIRE(sleeper.world.core.asleep());
    const std::uint32_t left = sleeper.tick();
    CHECK(left > 0);
    // One that is not enabled wakes nothing.
    World::surprise_at(us(10), [&] { sleeper.world.core.set_interrupt(1, true); });
    sleeper.run(1);
    CHECK(sleeper.world.core.asleep());
    CHECK(sleeper.wakes == 0);
    World::surprise_at(us(20), [&] { sleeper.world.core.set_interrupt(0, true); });
    sleeper.run(1);
    REQUIRE(sleeper.world.core.stopped() == Stop::Semihosting);
    CHECK(sleeper.world.core.core().pc() == kHandler);
    CHECK(sleeper.sleeps == 1);
    CHECK(sleeper.wakes == 1);
    CHECK(sleeper.woken == us(20));
    // Of the cycles of the handler's entry and breakpoint only.
    CHECK(sleeper.tick() <= left);
    CHECK(sleeper.tick() + 100 > left);
}

}  // namespace

TEST_CASE("deep sleep: WFI wakes by an interrupt, not by SysTick, which stands") {
    sleeps_until_interrupt(0xBF30);
}

TEST_CASE("deep sleep: WFE wakes by an interrupt, not by SysTick, which stands") {
    sleeps_until_interrupt(0xBF20);
}

TEST_CASE("deep sleep: WFE wakes by an event") {
    Sleeper sleeper(kSleepDeep, 0xBF20);
    sleeper.stop_clock(true);
    sleeper.world.core.release_reset();
    World::surprise_at(us(20), [&] { sleeper.world.core.receive_event(); });
    sleeper.run(0.5);
    CHECK(sleeper.wakes == 1);
    CHECK(sleeper.woken == us(20));
    CHECK(sleeper.world.core.stopped() == Stop::Budget);
    CHECK_FALSE(sleeper.world.core.asleep());
}

TEST_CASE("deep sleep that nobody listens to is like every sleep: SysTick wakes") {
    Sleeper sleeper(kSleepDeep);
    wakes_by_tick(sleeper);
}

TEST_CASE("deep sleep whose clock the chip does not stop: SysTick wakes") {
    Sleeper sleeper(kSleepDeep);
    sleeper.stop_clock(false);
    wakes_by_tick(sleeper);
    CHECK(sleeper.sleeps == 1);
}

TEST_CASE("a sleep without SLEEPDEEP does not ask the chip") {
    Sleeper sleeper(0);
    sleeper.stop_clock(true);
    wakes_by_tick(sleeper);
    CHECK(sleeper.sleeps == 0);
}

TEST_CASE("deep sleep: a clock that is set at the wake-up holds for the first handler") {
    Sleeper sleeper(kSleepDeep);
    sleeper.stop_clock(true);
    sleeper.world.core.on_deep_wake = [&] { sleeper.world.core.set_clock_hz(10e6); };
    sc_time stopped;
    note_stop(sleeper.world, stopped);
    sleeper.world.core.release_reset();
    World::surprise_at(us(20), [&] { sleeper.world.core.set_interrupt(0, true); });
    sleeper.run(20);
    REQUIRE(sleeper.world.core.stopped() == Stop::Semihosting);
    // The entry takes 12 cycles or a few more: 100 ns each.
    CHECK(stopped >= us(21.2));
    CHECK(stopped <= us(26));
}

TEST_CASE("deep sleep: a debugger stops and resumes a core whose clock stands") {
    Sleeper sleeper(kSleepDeep);
    sleeper.stop_clock(true);
    sleeper.world.core.release_reset();
    sleeper.run(0.5);
    const std::uint32_t left = sleeper.tick();
    sleeper.world.core.stop();
    sleeper.run(10);
    CHECK(sleeper.world.core.stopped() == Stop::Requested);
    CHECK(sleeper.tick() == left);
    sleeper.world.core.resume();
    sleeper.run(10);
    CHECK(sleeper.world.core.asleep());
    CHECK(sleeper.tick() == left);
    CHECK(sleeper.wakes == 0);
    sc_core::sc_spawn([&] { sleeper.world.core.set_interrupt(0, true); });
    sleeper.run(1);
    CHECK(sleeper.wakes == 1);
    CHECK(sleeper.sleeps == 1);
    CHECK(sleeper.world.core.core().pc() == kHandler);
}

TEST_CASE("deep sleep: a reset ends it, and the next sleep is one of its own") {
    Sleeper sleeper(kSleepDeep);
    sleeper.stop_clock(true);
    sleeper.world.core.release_reset();
    World::surprise_at(us(10), [&] { sleeper.world.core.reset(core::Reset::Warm); });
    sleeper.run(5);
    CHECK(sleeper.wakes == 0);
    CHECK(sleeper.sleeps == 2);
    CHECK(sleeper.world.core.asleep());
}

TEST_CASE("deep sleep without power: only a reset ends it, and its cycles do not count") {
    Sleeper sleeper(kSleepDeep);
    CoreModule& core = sleeper.world.core;
    core.on_deep_sleep = [&] {
        if (sleeper.sleeps++ == 0) core.power_off();
        return true;
    };
    core.release_reset();
    sleeper.run(0.5);
    const std::uint64_t cycles = core.core().cycles();
    sc_core::sc_spawn([&] { core.set_interrupt(0, true); });
    sleeper.run(10);
    CHECK(core.asleep());
    core.stop();
    sleeper.run(1);
    CHECK(core.stopped() == Stop::Requested);
    core.resume();
    sleeper.run(1);
    CHECK(core.asleep());
    CHECK(core.core().cycles() == cycles);
    CHECK(sleeper.wakes == 0);
    core.reset(core::Reset::Warm);
    sleeper.run(10);
    CHECK(core.stopped() == Stop::Semihosting);  // the interrupt is still there
    CHECK(core.core().pc() == kHandler);
}
