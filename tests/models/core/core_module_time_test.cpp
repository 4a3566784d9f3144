// SPDX-License-Identifier: Apache-2.0
// Who sees what when: the core and its neighbours in one kernel. The kernel elaborates once, so
// that cases of several runs have a process for each.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <systemc>
#include <vector>

#include "tests/models/core/core_world.h"

using namespace n6vp::models;
using namespace n6vp::tests;
using core::Stop;
using core::Timing;
using sc_core::sc_time;

namespace {

constexpr std::uint64_t kCyclePs = 1250;  // 800 MHz

using Figures = std::vector<std::uint64_t>;

/// Returns what `work` returned in a process of its own; nothing if that failed. At most 8 KiB: a
/// pipe holds them.
Figures in_a_process(const std::function<Figures()>& work) {
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    const pid_t child = fork();
    if (child == 0) {
        const Figures figures = work();
        const std::size_t bytes = figures.size() * sizeof(figures[0]);
        const bool written = write(ends[1], figures.data(), bytes) == static_cast<ssize_t>(bytes);
        _exit(written ? 0 : 1);
    }
    close(ends[1]);
    int status = 0;
    const bool good = waitpid(child, &status, 0) == child && status == 0;
    Figures figures(1024);
    const ssize_t bytes = read(ends[0], figures.data(), figures.size() * sizeof(figures[0]));
    close(ends[0]);
    figures.resize(good && bytes > 0 ? static_cast<std::size_t>(bytes) / sizeof(figures[0]) : 0);
    return figures;
}

/// Code and stack in TCM, kWatched behind the bus.
CoreModuleConfig with_ram_on_bus(Timing timing) {
    CoreModuleConfig config = config_with(timing);
    config.core.tcm = {{kRam, kRam + 0x7FFF}};
    return config;
}

/// CCR |= `ccr`; then one block: sixteen NOP, ldr r1, [`address`], ldr r3, [kDevice]; BKPT 0xAB.
void put_load(World& world, std::uint32_t address, std::uint32_t ccr) {
    put_vectors(world);
    world.set_word(kRam, kRam + 0x4000);
    world.program(kRam + 0x100, {0x4820, 0x4A21, 0x6801, 0x4311, 0x6001, 0xF3BF, 0x8F4F, 0xF3BF,
                                 0x8F6F, 0x4D1B, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00,
                                 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00,
                                 0xBF00, 0xBF00, 0x6829, 0xF04F, 0x4480, 0x6823, 0xBEAB});
    world.set_word(kRam + 0x180, address);
    world.set_word(kRam + 0x184, 0xE000ED14);
    world.set_word(kRam + 0x188, ccr);
}

constexpr std::uint32_t kDataCache = 1u << 16;  // CCR.DC

enum class Neighbour : std::uint8_t { None, Thread, Method, Deltas };

/// At `time` the neighbour sets what the core loads from `address` to 1.
void let_set(World& world, Neighbour kind, std::uint32_t address, std::uint64_t time) {
    const auto set = [&world, address] {
        if (address == kFlag) {
            world.flag = 1;
        } else {
            world.set_word(address, 1);
        }
    };
    if (kind == Neighbour::None) return;
    if (kind == Neighbour::Method) {
        static sc_core::sc_event due;
        sc_core::sc_spawn_options options;
        options.spawn_method();
        options.dont_initialize();
        options.set_sensitivity(&due);
        sc_core::sc_spawn(set, "neighbour", &options);
        due.notify(sc_time::from_value(time));
        return;
    }
    sc_core::sc_spawn([set, kind, time] {
        sc_core::wait(sc_time::from_value(time));
        for (int i = 0; kind == Neighbour::Deltas && i < 5; ++i)
            sc_core::wait(sc_core::SC_ZERO_TIME);
        set();
    });
}

/// Returns what the core loaded, when, and how many lines were filled.
Figures load_beside(Timing timing, std::uint32_t address, std::uint32_t ccr, Neighbour kind,
                    std::uint64_t time) {
    CoreModuleConfig config = with_ram_on_bus(timing);
    config.quantum = sc_time(10, sc_core::SC_US);
    World world("world", config);
    put_load(world, address, ccr);
    let_set(world, kind, address, time);
    world.core.release_reset();
    sc_core::sc_start(ns(100000));
    const auto& times = address == kFlag ? world.device_times : world.watched_times;
    if (world.core.stopped() != Stop::Semihosting || times.empty()) return {};
    return {world.core.core().reg(1), times.front().value(),
            world.core.core().caches()->data.counters().fills};
}

void check_order(Timing timing, std::uint32_t address, std::uint32_t ccr) {
    const auto load = [&](Neighbour kind, std::uint64_t time) {
        return in_a_process([&] { return load_beside(timing, address, ccr, kind, time); });
    };
    const Figures alone = load(Neighbour::None, 0);
    REQUIRE(alone.size() == 3);
    CHECK(alone[0] == 0);
    CHECK(alone[2] == (ccr != 0 ? 1 : 0));
    const std::uint64_t access = alone[1];
    REQUIRE(access > 16 * kCyclePs / 2);  // the NOPs, two at a time
    for (const Neighbour kind : {Neighbour::Thread, Neighbour::Method, Neighbour::Deltas}) {
        CAPTURE(static_cast<int>(kind));
        CHECK(load(kind, access - kCyclePs) == Figures{1, access, alone[2]});
        CHECK(load(kind, access) == Figures{1, access, alone[2]});
        CHECK(load(kind, access + kCyclePs) == Figures{0, access, alone[2]});
    }
}

}  // namespace

TEST_CASE("a device read sees what a neighbour did up to its cycle, approximate time") {
    check_order(Timing::Approx, kFlag, 0);
}

TEST_CASE("a device read sees what a neighbour did up to its cycle, precise time") {
    check_order(Timing::Precise, kFlag, 0);
}

TEST_CASE("a precise read of RAM sees what a neighbour did up to its cycle") {
    check_order(Timing::Precise, kWatched, 0);
}

TEST_CASE("a precise line fill sees what a neighbour did up to its cycle") {
    check_order(Timing::Precise, kWatched, kDataCache);
}

namespace {

void wait_for_first_beat(Timing timing) {
    World world("world", with_ram_on_bus(timing));
    put_load(world, kWatched, kDataCache);
    world.first_beat = ns(50);
    world.last_beat = ns(400);
    world.core.release_reset();
    sc_core::sc_start(ns(10000));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    REQUIRE(world.watched_times.size() == 1);
    REQUIRE(world.device_times.size() == 1);
    const sc_time between = world.device_times[0] - world.watched_times[0];
    CHECK(between >= ns(50));
    CHECK(between <= ns(50 + 20 * 1.25));
}

}  // namespace

TEST_CASE("a load goes on with the first beat of its line, approximate time") {
    wait_for_first_beat(Timing::Approx);
}

TEST_CASE("a load goes on with the first beat of its line, precise time") {
    wait_for_first_beat(Timing::Precise);
}

namespace {

/// Twenty rounds: the device's interrupt comes 500 ns after it was armed, meanwhile a word of RAM
/// behind the bus counts; then the device is read. Returns the times of all device accesses and the
/// count.
Figures run_rounds(Timing timing, std::uint32_t quantum_ns, bool ticks) {
    CoreModuleConfig config = with_ram_on_bus(timing);
    config.quantum = ns(quantum_ns);
    World world("world", config);
    put_vectors(world);
    world.set_word(kRam, kRam + 0x4000);
    world.program(kRam + 0x100,
                  {0x4C1F, 0x4F20, 0xF04F, 0x4580, 0x2001, 0x6020, 0x2400, 0x2600, 0x6068, 0x683A,
                   0x3201, 0x603A, 0x2E00, 0xD0FA, 0x6829, 0x3401, 0x2C14, 0xD1F4, 0xBEAB});
    world.set_word(kRam + 0x180, 0xE000E100);
    world.set_word(kRam + 0x184, kWatched);
    world.program(kRam + 0x200, {0x60A8, 0x2601, 0xF3BF, 0x8F4F, 0x4770});
    if (ticks) {
        world.script = [] {
            while (true) sc_core::wait(ns(333));
        };
    }
    world.core.release_reset();
    sc_core::sc_start(ns(200000));
    if (world.core.stopped() != Stop::Semihosting) return {};
    Figures figures{world.core.core().reg(2), world.core.core().cycles()};
    for (const sc_time& time : world.device_times) figures.push_back(time.value());
    return figures;
}

void compare_quanta(bool ticks) {
    const auto run = [ticks](std::uint32_t quantum_ns) {
        return in_a_process([=] { return run_rounds(Timing::Approx, quantum_ns, ticks); });
    };
    const Figures some = run(1000);
    REQUIRE(some.size() == 2 + 3 * 20);  // armed, lowered, read
    for (std::size_t i = 2; i < some.size(); i += 3) CHECK(some[i + 1] - some[i] >= 500'000);
    CHECK(run(100) == some);
    CHECK(run(10'000) == some);
}

}  // namespace

TEST_CASE("device times do not depend on the quantum, the core alone") {
    compare_quanta(false);
}

TEST_CASE("device times do not depend on the quantum, beside a neighbour") {
    compare_quanta(true);
}

namespace {

/// Enables interrupt 0; 1: adds r6,#1; b 1b. The handler stops.
void put_endless_count(World& world) {
    put_vectors(world);
    world.program(kRam + 0x100, {0x4C02, 0x2001, 0x6020, 0x3601, 0xE7FD, 0x0000, 0xE100, 0xE000});
    world.program(kRam + 0x200, {0xBEAB});
}

void announce_among_deltas(bool before) {
    CoreModuleConfig config = config_with(Timing::Approx);
    config.quantum = sc_time(10, sc_core::SC_US);
    World world("world", config);
    put_endless_count(world);
    sc_time stop;
    note_stop(world, stop);
    world.script = [&world, before] {
        if (before) world.raise_after(ns(500));
        for (int i = 0; i < 5; ++i) sc_core::wait(sc_core::SC_ZERO_TIME);
        if (!before) world.raise_after(ns(500));
    };
    world.core.release_reset();
    sc_core::sc_start(ns(200000));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    CHECK(stop >= ns(500 + 12 * 1.25));
    CHECK(stop <= ns(500 + 40 * 1.25));
}

}  // namespace

TEST_CASE("deltas do not hide a queued interrupt: taken 10 us late") {
    announce_among_deltas(true);
}

TEST_CASE("an interrupt announced at the end of a chain of deltas is taken at its time") {
    announce_among_deltas(false);
}

TEST_CASE("what comes deltas later at the core's time comes before its next block") {
    World world("world", config_with(Timing::Functional));
    put_vectors(world);
    world.program(kRam + 0x100, {0xF04F, 0x4580, 0xBF00, 0xBF00, 0x6829, 0xBEAB});
    world.script = [&world] {
        for (int i = 0; i < 5; ++i) sc_core::wait(sc_core::SC_ZERO_TIME);
        world.core.set_clock_hz(400e6);
    };
    world.core.release_reset();
    sc_core::sc_start(ns(1000));
    REQUIRE(world.device_times.size() == 1);
    CHECK(world.device_times[0] == ns(3 * 2.5));  // three instructions before it
}

TEST_CASE("what a Normal-memory transaction announces is taken at its time") {
    CoreModuleConfig config = with_ram_on_bus(Timing::Approx);
    config.quantum = sc_time(10, sc_core::SC_US);
    World world("world", config);
    put_endless_count(world);
    world.set_word(kRam, kRam + 0x4000);
    // Enables interrupt 0; ldr r1, [kWatched]; 1: adds r6,#1; b 1b
    world.program(kRam + 0x100, {0x4C1F, 0x4F20, 0x2001, 0x6020, 0x6839, 0x3601, 0xE7FD});
    world.set_word(kRam + 0x180, 0xE000E100);
    world.set_word(kRam + 0x184, kWatched);
    sc_time stop;
    note_stop(world, stop);
    world.on_watched = [&world](const sc_time& delay) { world.raise_after(delay + ns(500)); };
    world.core.release_reset();
    sc_core::sc_start(ns(200000));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    REQUIRE(world.watched_times.size() == 1);
    CHECK(stop >= world.watched_times[0] + ns(500 + 12 * 1.25));
    CHECK(stop <= world.watched_times[0] + ns(500 + 40 * 1.25));
}

TEST_CASE("two cores that wait for each other go on") {
    World one("one", config_with(Timing::Precise));
    World two("two", config_with(Timing::Precise));
    for (World* world : {&one, &two}) {
        put_vectors(*world);
        world->program(kRam + 0x100, {0xF04F, 0x4580, 0x6829, 0x6829, 0xBEAB});
        world->core.release_reset();
    }
    sc_core::sc_start(ns(10000));
    CHECK(one.core.stopped() == Stop::Semihosting);
    CHECK(two.core.stopped() == Stop::Semihosting);
    CHECK(one.device_times == two.device_times);
}

namespace {

/// Returns how far the core alone is after 1050 ns.
std::uint64_t run_alone(Timing timing, double idle_quanta) {
    CoreModuleConfig config = config_with(timing);
    config.idle_quanta = idle_quanta;
    World world("world", config);
    put_endless_count(world);
    world.core.release_reset();
    sc_core::sc_start(ns(1050));
    return world.core.core().cycles();
}

}  // namespace

TEST_CASE("a core alone is at most its idle quanta ahead") {
    const std::uint64_t cycles = run_alone(Timing::Approx, 3);
    CHECK(cycles >= 2400);  // 3 us at 800 MHz
    CHECK(cycles <= 2400 + 4);
}

TEST_CASE("a precise core alone is at most 100 ns ahead, whatever the idle quanta") {
    const std::uint64_t cycles = run_alone(Timing::Precise, 8);
    CHECK(cycles >= 840);
    CHECK(cycles <= 880 + 4);
}

namespace {

/// At the device's answer, 1 MHz is the clock: what was granted at 800 MHz would last 800 times as
/// long. `by_neighbour`: another process changes it while the device keeps the core waiting.
void slow_down_inside_a_slice(bool by_neighbour) {
    CoreModuleConfig config = config_with(Timing::Approx);
    config.quantum = sc_time(10, sc_core::SC_US);
    config.idle_quanta = 1;
    World world("world", config);
    put_vectors(world);
    // Sixteen NOP; str r0, [device, #12]; 1: adds r6,#1; b 1b
    world.program(kRam + 0x100, {0xF04F, 0x4580, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00,
                                 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0xBF00,
                                 0xBF00, 0xBF00, 0xBF00, 0xBF00, 0x60E8, 0x3601, 0xE7FD});
    const auto change = [&world] { world.core.set_clock_hz(1e6); };
    if (by_neighbour) {
        world.on_write = [](std::uint32_t, const sc_time&) { sc_core::wait(ns(100)); };
    } else {
        world.on_write = [change](std::uint32_t, const sc_time&) { change(); };
    }
    world.core.release_reset();
    if (by_neighbour) World::surprise_at(ns(60), change);
    sc_core::sc_start(ns(5000));
    REQUIRE(world.device_times.size() == 1);
    CHECK(world.core.clock_hz() == 1e6);
    // Ten cycles per quantum, two instructions of a round; until 5 us only one quantum begins.
    CHECK(world.core.core().reg(6) >= 4);
    CHECK(world.core.core().reg(6) <= 12);
}

}  // namespace

TEST_CASE("a slower clock shortens the slice that the access changed it in") {
    slow_down_inside_a_slice(false);
}

TEST_CASE("a slower clock by a neighbour shortens the slice that it came in") {
    slow_down_inside_a_slice(true);
}

TEST_CASE("a clock changed from outside holds from the core's own time on") {
    CoreModuleConfig config = config_with(Timing::Functional);
    config.quantum = sc_time(2, sc_core::SC_US);
    config.idle_quanta = 1;
    World world("world", config);
    put_vectors(world);
    // mov r5, device; mov r2, #4000; 1: subs r2, #1; bne 1b; ldr r1, [r5]; bkpt
    world.program(kRam + 0x100, {0xF04F, 0x4580, 0xF44F, 0x627A, 0x3A01, 0xD1FD, 0x6829, 0xBEAB});
    world.core.release_reset();
    sc_core::sc_start(ns(100));
    const std::uint64_t ahead = world.core.core().cycles();
    CHECK(ahead >= 1600);  // 2 us
    world.core.set_clock_hz(400e6);
    sc_core::sc_start(ns(50000));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    REQUIRE(world.device_times.size() == 1);
    const auto slow = static_cast<double>(2 + 8000 - ahead);
    CHECK(world.device_times[0] == ns(static_cast<double>(ahead) * 1.25 + slow * 2.5));
}

TEST_CASE("a clock that stands still is refused") {
    World world("world", config_with(Timing::Functional));
    sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
    for (const double hz : {0.0, -1.0}) CHECK_THROWS(world.core.set_clock_hz(hz));
    CHECK(world.core.clock_hz() == 800e6);
}

namespace {

/// 1: ldr r0, [kWatched]; BKPT 0xAB; b 1b. `after(n)` comes after the n-th load.
Figures load_again(World& world, unsigned loads, const std::function<void(unsigned)>& after) {
    put_vectors(world);
    world.program(kRam + 0x100, {0x4E1F, 0x6830, 0xBEAB, 0xE7FC});
    world.set_word(kRam + 0x180, kWatched);
    Figures loaded;
    world.core.on_semihosting = [&](core::Core& core) {
        loaded.push_back(core.reg(0));
        after(static_cast<unsigned>(loaded.size()));
        return loaded.size() < loads;
    };
    world.core.release_reset();
    sc_core::sc_start(ns(10000));
    return loaded;
}

}  // namespace

TEST_CASE("direct memory that moves is asked for again, though it was asked for last") {
    World world("world", config_with(Timing::Functional));
    std::vector<std::uint8_t> other(kRamBytes);
    world.set_word(kWatched, 1);
    const auto loaded = load_again(world, 3, [&](unsigned n) {
        // Only the core forgets: the module knows the answer, and remembers it as the last.
        if (n == 1) world.core.core().invalidate(kWatched, kWatched + 3);
        if (n != 2) return;
        other = world.ram;
        other[kWatched - kRam] = 2;
        world.memory = other.data();
        world.tcm->invalidate_direct_mem_ptr(kWatched, kWatched + 3);
    });
    CHECK(loaded == Figures{1, 1, 2});
    CHECK(world.watched_times.empty());
}

TEST_CASE("a refusal of direct memory holds until the target hints at it") {
    World world("world", config_with(Timing::Functional));
    world.refuses_watched = true;
    load_again(world, 6, [&world](unsigned n) {
        if (n == 2) world.refuses_watched = false;
        if (n == 3) world.hints_at_direct = true;
    });
    // Load 4 brings the hint, 5 and 6 need no bus.
    CHECK(world.watched_times.size() == 4);
}

TEST_CASE("a hint at direct memory that was granted asks no question again") {
    World world("world", with_ram_on_bus(Timing::Approx));
    world.hints_at_direct = true;
    put_vectors(world);
    world.set_word(kRam, kRam + 0x4000);
    // Three stores to kWatched, each a transaction
    world.program(kRam + 0x100, {0x4E1F, 0x6030, 0x6030, 0x6030, 0xBEAB});
    world.set_word(kRam + 0x180, kWatched);
    world.core.release_reset();
    sc_core::sc_start(ns(10000));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    CHECK(std::ranges::count(world.queries, kWatched >> 12, &World::Query::page) == 1);
}

TEST_CASE("a refusal of direct memory holds until the target invalidates it") {
    World world("world", config_with(Timing::Functional));
    world.refuses_watched = true;
    load_again(world, 5, [&world](unsigned n) {
        if (n == 2) world.refuses_watched = false;
        if (n == 3) world.tcm->invalidate_direct_mem_ptr(kWatched, kWatched + 3);
    });
    CHECK(world.watched_times.size() == 3);
}
