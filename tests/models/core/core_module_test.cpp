// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <systemc>

#include "models/core/ir/system.h"
#include "tests/models/core/core_world.h"

using namespace n6vp::models;
using namespace n6vp::tests;
using core::Stop;
using core::Timing;
using sc_core::sc_time;

namespace {

/// Enables interrupt 0 (r4 = ISER0 address), then: str r0,[r5,#4] arms the device; counts in r6
/// until the handler stops the core with BKPT 0xAB.
void put_interrupt_program(World& world) {
    world.program(kRam + 0x100, {0x4C04,  // ldr r4, =0xE000E100
                                 0x4D05,  // ldr r5, =0x40000000
                                 0x2001,  // movs r0, #1
                                 0x6020,  // str r0, [r4]
                                 0x6068,  // str r0, [r5, #4]
                                 0x3601,  // 1: adds r6, #1
                                 0xE7FD,  // b 1b
                                 0xBF00, 0xBF00, 0xBF00});
    world.set_word(kRam + 0x114, 0xE000E100);
    world.set_word(kRam + 0x118, 0x40000000);
    world.program(kRam + 0x200, {0xBEAB});
    put_vectors(world);
}

}  // namespace

TEST_CASE("an announced interrupt is taken at its time, whatever the quantum") {
    CoreModuleConfig config = config_with(Timing::Approx);
    config.quantum = sc_time(100, sc_core::SC_US);
    World world("world", config);
    put_interrupt_program(world);
    world.core.release_reset();
    sc_core::sc_start(sc_time(200, sc_core::SC_US));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    CHECK(world.raised > sc_core::SC_ZERO_TIME);
    const auto cycle = static_cast<double>(world.core.core().cycles());
    const double raised = world.raised.to_seconds() * 800e6;
    // Exception entry takes 12 cycles or a few more for the frame; a block here is two
    // instructions.
    CHECK(cycle >= raised);
    CHECK(cycle <= raised + 40);
    // 500 ns at 800 MHz, two instructions of one cycle each or less per round.
    CHECK(world.core.core().reg(6) >= 200);
    CHECK(world.core.core().reg(6) <= 400);
}

TEST_CASE("a device is accessed at the core's time") {
    World world("world", config_with(Timing::Approx));
    put_vectors(world);
    // ldr r5,=dev; ldr r0,[r5]; dls lr,r2 loop of 800 cycles ...; ldr r1,[r5]; bkpt
    world.program(kRam + 0x100, {0x4D05,          // ldr r5, [pc, #20]
                                 0x6828,          // ldr r0, [r5]
                                 0xF44F, 0x7248,  // mov.w r2, #800
                                 0x3A01,          // 1: subs r2, #1
                                 0xD1FD,          // bne 1b
                                 0x6829,          // ldr r1, [r5]
                                 0xBEAB});
    world.set_word(kRam + 0x118, kDevice);
    world.core.release_reset();
    sc_core::sc_start(sc_time(100, sc_core::SC_US));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    REQUIRE(world.device_times.size() == 2);
    const double between = (world.device_times[1] - world.device_times[0]).to_seconds() * 1e9;
    // The device takes 100 ns; 800 rounds of a subtraction and a branch at 1.25 ns a cycle, which
    // pair: 1000 ns, or twice that if they did not.
    CHECK(between >= 1100);
    CHECK(between <= 2110);
}

TEST_CASE("time passes for a sleeping core and an interrupt wakes it") {
    World world("world", config_with(Timing::Approx));
    put_interrupt_program(world);
    // In place of the counting loop: 1: wfi; b 1b
    world.program(kRam + 0x10A, {0xBF30, 0xE7FD});
    world.core.release_reset();
    sc_core::sc_start(sc_time(200, sc_core::SC_US));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    const auto cycle = static_cast<double>(world.core.core().cycles());
    const double raised = world.raised.to_seconds() * 800e6;
    CHECK(cycle >= raised);
    CHECK(cycle <= raised + 60);
}

TEST_CASE("an access error is a bus fault") {
    World world("world", config_with(Timing::Functional));
    put_vectors(world);
    world.set_word(kRam + 3 * 4, kRam + 0x201);     // HardFault
    world.program(kRam + 0x100, {0x4D01, 0x6828});  // ldr r5, =nowhere; ldr r0, [r5]
    world.set_word(kRam + 0x108, 0xA0000000);
    world.program(kRam + 0x200, {0xBEAB});
    world.core.release_reset();
    sc_core::sc_start(sc_time(100, sc_core::SC_US));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    std::uint32_t cfsr = 0, bfar = 0;
    auto& module_core = world.core.core();
    REQUIRE(module_core.system().read_ppb(module_core.state(), 0xE000ED28, 4, 0, cfsr));
    REQUIRE(module_core.system().read_ppb(module_core.state(), 0xE000ED38, 4, 0, bfar));
    CHECK((cfsr & core::cfsr::kPrecisErr) != 0);
    CHECK(bfar == 0xA0000000);
}

namespace {

void release_late(bool by_process) {
    World world("world", config_with(Timing::Approx));
    put_vectors(world);
    world.program(kRam + 0x100, {0xF04F, 0x4580, 0x6829, 0xBEAB});  // ldr r1, [device]; bkpt
    sc_core::sc_start(ns(2000));
    CHECK(world.core.core().instructions() == 0);
    CHECK(world.device_times.empty());
    if (by_process) {
        sc_core::sc_spawn([&world] { world.core.release_reset(); });
    } else {
        world.core.release_reset();
    }
    sc_core::sc_start(ns(1000));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    REQUIRE(world.device_times.size() == 1);
    CHECK(world.device_times[0] >= ns(2000));
    CHECK(world.device_times[0] <= ns(2000 + 20));
    // Cycles count from the release.
    CHECK(world.core.core().cycles() <= 16 + 80);
}

}  // namespace

TEST_CASE("a release from reset after time 0 starts the core") {
    release_late(false);
}

TEST_CASE("a release from reset by a process starts the core") {
    release_late(true);
}

TEST_CASE("a reset of a running core: time goes on, interrupt lines keep their levels") {
    World world("world", config_with(Timing::Approx));
    put_vectors(world);
    // r1 = device; if it counted microseconds already, enable interrupt 0; 1: adds r6,#1; b 1b
    world.program(kRam + 0x100, {0x4C04, 0xF04F, 0x4580, 0x2001, 0x6829, 0xB101, 0x6020, 0x3601,
                                 0xE7FD, 0x0000, 0xE100, 0xE000});
    world.program(kRam + 0x200, {0xBEAB});
    sc_time stop;
    note_stop(world, stop);
    world.script = [&world] {
        sc_core::wait(ns(4000));
        world.core.set_interrupt(0, true);
        sc_core::wait(ns(1000));
        world.core.reset(core::Reset::Warm);
    };
    world.core.release_reset();
    sc_core::sc_start(ns(10000));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    CHECK(world.core.core().pc() == kRam + 0x200);
    REQUIRE(world.device_times.size() == 2);
    CHECK(world.device_times[1] >= ns(5000));
    CHECK(world.device_times[1] <= ns(5000 + 30));
    CHECK(stop > world.device_times[1]);
    // From the reset to the handler: the device's 80 cycles and few others.
    CHECK(world.core.core().cycles() >= 80);
    CHECK(world.core.core().cycles() <= 80 + 50);
    CHECK(world.core.core().reg(6) <= 2);
}

TEST_CASE("a reset starts a locked-up core again, resume does not") {
    World world("world", config_with(Timing::Functional));
    put_vectors(world);
    world.program(kRam + 0x100, {0x4D01, 0x6828});  // ldr r5, =nowhere; ldr r0, [r5]
    world.set_word(kRam + 0x108, 0xA0000000);
    world.program(kRam + 0x200, {0xBEAB});
    world.core.release_reset();
    sc_core::sc_start(ns(1000));
    CHECK(world.core.stopped() == Stop::Lockup);  // HardFault has no handler yet
    world.core.resume();
    sc_core::sc_start(ns(1000));
    CHECK(world.core.stopped() == Stop::Lockup);
    world.set_word(kRam + 3 * 4, kRam + 0x201);
    world.core.reset(core::Reset::PowerOn);
    sc_core::sc_start(ns(1000));
    CHECK(world.core.stopped() == Stop::Semihosting);
    CHECK(world.core.core().pc() == kRam + 0x200);
    // Two loads, the fault's entry of 12 cycles; the 2 us before do not count.
    CHECK(world.core.core().cycles() <= 20);
}

TEST_CASE("a core stops at its reset, steps, and sleeps through a step") {
    World world("world", config_with(Timing::Approx));
    put_interrupt_program(world);
    unsigned stops = 0;
    world.core.on_stop = [&stops] {
        ++stops;
        sc_core::sc_pause();
    };
    world.core.stop_at_reset();
    world.core.release_reset();
    const auto go = [] { sc_core::sc_start(sc_time(2, sc_core::SC_US)); };
    go();
    CHECK(world.core.stopped() == Stop::Requested);
    CHECK_FALSE(world.core.stops_at_reset());
    CHECK(world.core.core().pc() == kRam + 0x100);
    CHECK(world.core.core().instructions() == 0);
    for (unsigned i = 1; i <= 5; ++i) {
        world.core.step();
        go();
        CHECK(world.core.stopped() == Stop::Requested);
        CHECK(world.core.between_instructions());
        CHECK(world.core.core().pc() == kRam + 0x100 + 2 * i);
        CHECK(world.core.core().instructions() == i);
    }
    CHECK(stops == 6);
    // The device has been armed: its interrupt is taken by a step, at its time.
    world.core.resume();
    sc_core::sc_start(sc_time(5, sc_core::SC_US));
    CHECK(world.core.stopped() == Stop::Semihosting);
    world.core.stop_at_reset();
    world.core.reset(core::Reset::Warm);
    go();
    CHECK(world.core.stopped() == Stop::Requested);
    CHECK(world.core.core().pc() == kRam + 0x100);
}

TEST_CASE("a step of a sleeping core waits for what wakes it") {
    World world("world", config_with(Timing::Approx));
    put_vectors(world);
    // cpsid i; wfi; nop; nop
    world.program(kRam + 0x100, {0xB672, 0xBF30, 0xBF00, 0xBF00});
    world.core.on_stop = [] { sc_core::sc_pause(); };
    world.core.stop_at_reset();
    world.core.release_reset();
    const auto go = [] { sc_core::sc_start(sc_time(2, sc_core::SC_US)); };
    go();
    for (unsigned i = 1; i <= 2; ++i) {
        world.core.step();
        go();
        REQUIRE(world.core.stopped() == Stop::Requested);
        CHECK(world.core.core().pc() == kRam + 0x100 + 2 * i);
    }
    world.core.step();
    go();
    CHECK(world.core.stopped() == Stop::Budget);
    CHECK(world.core.asleep());
    // stop, not step: who waits for a core that sleeps may give up.
    world.core.stop();
    go();
    CHECK(world.core.stopped() == Stop::Requested);
}

TEST_CASE("resume goes on after a breakpoint, time having passed") {
    World world("world", config_with(Timing::Functional));
    put_vectors(world);
    world.program(kRam + 0x100, {0xF04F, 0x4580, 0x2001, 0x6829, 0xBEAB});
    world.core.core().add_breakpoint(kRam + 0x104);
    world.core.release_reset();
    sc_core::sc_start(ns(3000));
    CHECK(world.core.stopped() == Stop::Breakpoint);
    CHECK(world.device_times.empty());
    world.core.resume();
    sc_core::sc_start(ns(1000));
    CHECK(world.core.stopped() == Stop::Semihosting);
    REQUIRE(world.device_times.size() == 1);
    CHECK(world.device_times[0] >= ns(3000));
    CHECK(world.device_times[0] <= ns(3010));
}

namespace {

void request_reset(bool answers) {
    World world("world", config_with(Timing::Functional));
    put_vectors(world);
    // If the device counted no microsecond yet: 1000 rounds, then AIRCR = SYSRESETREQ and wait.
    world.program(kRam + 0x100,
                  {0x4C07, 0xF04F, 0x4580, 0x4807, 0x6829, 0xB941, 0xF44F, 0x727A, 0x3A01, 0xD1FD,
                   0x6020, 0xF3BF, 0x8F4F, 0x3601, 0xE7FD, 0xBEAB, 0xED0C, 0xE000, 0x0004, 0x05FA});
    unsigned requests = 0;
    sc_time requested;
    world.core.on_reset_request = [&] {
        ++requests;
        requested = sc_core::sc_time_stamp();
        if (answers) world.core.reset(core::Reset::Warm);
    };
    world.core.release_reset();
    sc_core::sc_start(ns(20000));
    CHECK(requests == 1);
    // Six instructions, 2000 of the loop, the store: 1.25 ns each.
    CHECK(requested >= ns(2006 * 1.25));
    CHECK(requested <= ns(2012 * 1.25));
    CHECK(world.core.stopped() == (answers ? Stop::Semihosting : Stop::Budget));
    CHECK(world.device_times.size() == (answers ? 2 : 1));
}

}  // namespace

TEST_CASE("SYSRESETREQ reaches who answers it, at its time") {
    request_reset(true);
}

TEST_CASE("SYSRESETREQ without an answer does nothing") {
    request_reset(false);
}

namespace {

/// Reads DWT_CYCCNT around an access to the device (r8), 1000 rounds (r9), a write to its word 12
/// (r10), 1000 rounds (r11), and an access to the device.
void put_counted_program(World& world) {
    put_vectors(world);
    world.program(kRam + 0x100,
                  {0x4C0E, 0xF04F, 0x4580, 0x4A0E, 0xF04F, 0x7080, 0x6010, 0x2001, 0x6020,
                   0x6829, 0xF8D4, 0x8004, 0xF44F, 0x737A, 0x3B01, 0xD1FD, 0xF8D4, 0x9004,
                   0x60E8, 0xF8D4, 0xA004, 0xF44F, 0x737A, 0x3B01, 0xD1FD, 0xF8D4, 0xB004,
                   0x6829, 0xBEAB, 0x0000, 0x1000, 0xE000, 0xEDFC, 0xE000});
    world.on_write = [&world](std::uint32_t, const sc_time&) { world.core.set_clock_hz(400e6); };
}

}  // namespace

TEST_CASE("a change of the clock: every cycle has its computed time") {
    World world("world", config_with(Timing::Functional));
    put_counted_program(world);
    world.core.release_reset();
    sc_core::sc_start(ns(20000));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    CHECK(world.core.clock_hz() == 400e6);
    REQUIRE(world.device_times.size() == 3);
    // One cycle per instruction, accesses take none: load, load, move, 2000, load and back.
    CHECK(world.device_times[1] - world.device_times[0] == ns(2004 * 1.25));
    CHECK(world.device_times[2] - world.device_times[1] == ns(2004 * 2.5));
}

TEST_CASE("a change of the clock holds from the end of the access that made it") {
    World world("world", config_with(Timing::Approx));
    put_counted_program(world);
    world.core.release_reset();
    sc_core::sc_start(ns(20000));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    REQUIRE(world.device_times.size() == 3);
    const auto count = [&world](unsigned reg) { return world.core.core().reg(reg); };
    // The device's 100 ns are 80 cycles of the old clock.
    CHECK(count(10) - count(9) >= 80);
    CHECK(count(10) - count(9) <= 84);
    const double fast = (world.device_times[1] - world.device_times[0]).to_seconds() * 1e9;
    const double slow = (world.device_times[2] - world.device_times[1]).to_seconds() * 1e9;
    CHECK(fast >= 100 + (count(9) - count(8)) * 1.25);
    CHECK(fast <= 100 + (count(9) - count(8) + 4) * 1.25);
    CHECK(slow >= 100 + (count(11) - count(10)) * 2.5);
    CHECK(slow <= 100 + (count(11) - count(10) + 4) * 2.5);
    CHECK(count(11) - count(10) >= 1000);
}

TEST_CASE("a change of the clock moves the timer that a sleeping core waits for") {
    World world("world", config_with(Timing::Functional));
    put_vectors(world);
    world.set_word(kRam + 15 * 4, kRam + 0x201);  // SysTick
    // SysTick with reload 7999 starts at cycle 8; wfi
    world.program(kRam + 0x100, {0x4C06, 0xF04F, 0x4580, 0xF641, 0x703F, 0x6060, 0x2100, 0x60A1,
                                 0x2007, 0x6829, 0x6020, 0xBF30, 0xE7FE, 0x0000, 0xE010, 0xE000});
    world.program(kRam + 0x200, {0xBEAB});
    sc_time stop;
    note_stop(world, stop);
    world.script = [&world] {
        sc_core::wait(ns(5000));
        world.core.set_clock_hz(400e6);
    };
    world.core.release_reset();
    sc_core::sc_start(ns(50000));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    // 4000 cycles in the first 5 us; the other 4008 and 12 of the entry take twice the time.
    CHECK(stop == ns(5000 + 4020 * 2.5));
}

namespace {

void ask_for_direct_memory(bool takes_back_while_answering) {
    World world("world", [] {
        CoreModuleConfig config = config_with(Timing::Functional);
        config.core.system.secure = false;
        config.core.system.attribution = [](std::uint32_t) {
            core::Attribution attribution;
            attribution.exempt = true;  // takes the security of the access
            return attribution;
        };
        return config;
    }());
    put_vectors(world);
    // Words of two pages, then word 12 of the device, then the same words again.
    world.program(kRam + 0x100, {0xF04F, 0x4580, 0x4E03, 0x4F04, 0x6830, 0x6839, 0x60E8, 0x6832,
                                 0x683B, 0xBEAB, 0x4000, 0x1000, 0x8000, 0x1000});
    world.set_word(kRam + 0x4000, 0x11112222);
    world.set_word(kRam + 0x8000, 0x33334444);
    world.on_write = [&world](std::uint32_t, const sc_time&) {
        world.tcm->invalidate_direct_mem_ptr(kRam + 0x4000, kRam + 0x4FFF);
    };
    const auto asked = [&world](std::uint32_t address) {
        return std::count_if(
            world.queries.begin(), world.queries.end(),
            [address](const World::Query& query) { return query.page == address >> 12; });
    };
    world.takes_back_while_answering = takes_back_while_answering;
    world.core.release_reset();
    sc_core::sc_start(ns(20000));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    CHECK(world.core.core().reg(0) == 0x11112222);
    CHECK(world.core.core().reg(1) == 0x33334444);
    CHECK(world.core.core().reg(2) == 0x11112222);
    CHECK(world.core.core().reg(3) == 0x33334444);
    if (!takes_back_while_answering) {
        CHECK(asked(kRam + 0x4000) == 2);
        CHECK(asked(kRam + 0x8000) == 1);
    }
    for (const World::Query& query : world.queries) {
        CHECK_FALSE(query.secure);
        CHECK(query.privileged);
    }
}

}  // namespace

TEST_CASE("questions for direct memory carry their attributes and are asked once per answer") {
    ask_for_direct_memory(false);
}

TEST_CASE("a target that takes direct memory back while it answers") {
    ask_for_direct_memory(true);
}

TEST_CASE("an interrupt that nobody announced is taken at the time the core is ahead to") {
    CoreModuleConfig config = config_with(Timing::Approx);
    config.quantum = sc_time(10, sc_core::SC_US);
    config.idle_quanta = 1;
    World world("world", config);
    put_vectors(world);
    // Enables interrupt 0; 1: adds r6,#1; b 1b
    world.program(kRam + 0x100, {0x4C02, 0x2001, 0x6020, 0x3601, 0xE7FD, 0x0000, 0xE100, 0xE000});
    world.program(kRam + 0x200, {0xBEAB});
    sc_time stop;
    note_stop(world, stop);
    world.core.release_reset();
    World::surprise_at(ns(100), [&world] { world.core.set_interrupt(0, true); });
    sc_core::sc_start(ns(50000));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    // At the end of the quantum, with the 12 cycles of the entry and its stores.
    CHECK(stop >= ns(10000));
    CHECK(stop <= ns(10000 + 30 * 1.25));
    // Two instructions of a round that pair, or do not.
    CHECK(world.core.core().reg(6) >= 3900);
    CHECK(world.core.core().reg(6) <= 8000);
}

namespace {

void wake_unannounced(std::uint16_t wait) {
    CoreModuleConfig config = config_with(Timing::Approx);
    config.quantum = sc_time(10, sc_core::SC_US);
    World world("world", config);
    put_vectors(world);
    // Enables interrupt 0; 1: wfe or wfi; b 1b
    world.program(kRam + 0x100, {0x4C02, 0x2001, 0x6020, wait, 0xE7FD, 0x0000, 0xE100, 0xE000});
    world.program(kRam + 0x200, {0xBEAB});
    sc_time stop;
    note_stop(world, stop);
    world.core.release_reset();
    World::surprise_at(ns(3000), [&world] { world.core.set_interrupt(0, true); });
    sc_core::sc_start(ns(50000));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    CHECK(stop >= ns(3000 + 12 * 1.25));
    CHECK(stop <= ns(3000 + 30 * 1.25));
    const auto cycles = static_cast<double>(world.core.core().cycles());
    CHECK(cycles >= 3000 * 0.8);
    CHECK(cycles <= 3000 * 0.8 + 30);
}

}  // namespace

TEST_CASE("a core in WFE is not ahead: what nobody announced wakes it on time") {
    wake_unannounced(0xBF20);
}

TEST_CASE("a core in WFI is not ahead: what nobody announced wakes it on time") {
    wake_unannounced(0xBF30);
}

TEST_CASE("an event from a process behind the core's time is not lost") {
    CoreModuleConfig config = config_with(Timing::Functional);
    config.quantum = sc_time(10, sc_core::SC_US);
    World world("world", config);
    put_vectors(world);
    // 1000 rounds; wfe; bkpt: the event comes while the core, ahead, is in WFE or beyond the
    // rounds.
    world.program(kRam + 0x100, {0xF44F, 0x737A, 0x3B01, 0xD1FD, 0xBF20, 0xBEAB});
    sc_time stop;
    note_stop(world, stop);
    world.core.release_reset();
    World::surprise_at(ns(100), [&world] { world.core.receive_event(); });
    sc_core::sc_start(ns(50000));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    // The core slept at cycle 2002 already when the event of cycle 80 came: it wakes at once.
    CHECK(stop >= ns(2002 * 1.25));
    CHECK(stop <= ns(2005 * 1.25));
}

namespace {

/// 120 rounds: the device raises interrupt 0 as many cycles later as the round's number says; a
/// loop tests the flag that the handler sets, and sleeps in WFE. One cycle at a time the interrupt
/// comes before, at and after every instruction of the loop: none may be slept through.
void run_wait_loop(Timing timing) {
    World world("world", config_with(timing));
    put_vectors(world);
    world.program(kRam + 0x100,
                  {0x4C08, 0xF04F, 0x4580, 0x2001, 0x6020, 0x2700, 0x2600, 0x60EF, 0xB91E, 0xBF00,
                   0xBF00, 0xBF20, 0xE7FA, 0x3701, 0x2F78, 0xD1F5, 0xBEAB, 0x0000, 0xE100, 0xE000});
    // Handler: lowers the line, sets the flag r6, counts in r4.
    world.program(kRam + 0x200, {0x60A8, 0x2601, 0x3401, 0xF3BF, 0x8F4F, 0x4770});
    world.on_write = [&world](std::uint32_t value, const sc_time& delay) {
        world.raise_after(delay + ns(value * 1.25));
    };
    world.core.release_reset();
    sc_core::sc_start(ns(200000));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    CHECK(world.core.core().reg(7) == 120);
    CHECK(world.core.core().reg(4) == 0xE000E100 + 120);
}

}  // namespace

TEST_CASE("an interrupt at any cycle around a flag test and WFE wakes the loop, approximate time") {
    run_wait_loop(Timing::Approx);
}

TEST_CASE("an interrupt at any cycle around a flag test and WFE wakes the loop, functional") {
    run_wait_loop(Timing::Functional);
}

TEST_CASE("SEVONPEND: an interrupt that PRIMASK holds back wakes WFE on time") {
    World world("world", config_with(Timing::Approx));
    put_vectors(world);
    // Enables interrupt 0, SCR.SEVONPEND, cpsid i; arms the device; wfe; ldr r1, [device]; bkpt
    world.program(kRam + 0x100,
                  {0x4C06, 0xF04F, 0x4580, 0x4A06, 0x2001, 0x6020, 0x2110, 0x6011, 0xB672, 0x6068,
                   0xBF20, 0x6829, 0xBEAB, 0x0000, 0xE100, 0xE000, 0xED10, 0xE000});
    world.program(kRam + 0x200, {0xBEAB});
    world.core.release_reset();
    sc_core::sc_start(ns(50000));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    CHECK(world.core.core().pc() == kRam + 0x118);  // the handler did not run
    REQUIRE(world.device_times.size() == 2);
    CHECK(world.device_times[1] >= world.raised);
    CHECK(world.device_times[1] <= world.raised + ns(5 * 1.25));
}

namespace {

/// How often a handler runs that takes interrupt 0 back with a posted write, `barrier` and the
/// return behind it.
std::uint32_t entries_with_posted_clear(std::uint32_t barrier, Timing timing) {
    World world("world", config_with(timing));
    put_interrupt_program(world);
    // The device does it 300 ns after it took it, without a hint to the core's schedule.
    sc_core::sc_event cleared;
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&cleared);
    sc_core::sc_spawn([&world] { world.core.set_interrupt(0, false); }, "clear", &options);
    world.on_write = [&world, &cleared](std::uint32_t, const sc_time& delay) {
        const sc_time effect = delay + ns(300);
        cleared.notify(effect);
        world.posts_until = sc_core::sc_time_stamp() + effect;
    };
    world.program(kRam + 0x200,
                  {0x3701,  // adds r7, #1
                   0x60E8,  // str r0, [r5, #12]
                   static_cast<std::uint16_t>(barrier >> 16), static_cast<std::uint16_t>(barrier),
                   0x4770});  // barrier; bx lr
    world.core.release_reset();
    sc_core::sc_start(sc_time(20, sc_core::SC_US));
    CHECK(world.raised > sc_core::SC_ZERO_TIME);
    return world.core.core().reg(7);
}

constexpr std::uint32_t kDsb = 0xF3BF8F4F, kDmb = 0xF3BF8F5F, kIsb = 0xF3BF8F6F;

}  // namespace

TEST_CASE("DSB waits for a posted write that takes an interrupt back") {
    CHECK(entries_with_posted_clear(kDsb, Timing::Approx) == 1);
}
TEST_CASE("precise: DSB waits for a posted write that takes an interrupt back") {
    CHECK(entries_with_posted_clear(kDsb, Timing::Precise) == 1);
}
TEST_CASE("DMB does not wait for a posted write: the handler is entered again") {
    CHECK(entries_with_posted_clear(kDmb, Timing::Approx) > 1);
}
TEST_CASE("ISB does not wait for a posted write: the handler is entered again") {
    CHECK(entries_with_posted_clear(kIsb, Timing::Approx) > 1);
}

TEST_CASE("DSB takes the time until a posted write has taken effect") {
    World world("world", config_with(Timing::Approx));
    put_vectors(world);
    world.on_write = [&world](std::uint32_t, const sc_time& delay) {
        world.posts_until = sc_core::sc_time_stamp() + delay + ns(1000);
    };
    // str r0, [device+12]; dsb; ldr r1, [device]; bkpt
    world.program(kRam + 0x100, {0xF04F, 0x4580, 0x60E8, 0xF3BF, 0x8F4F, 0x6829, 0xBEAB});
    world.core.release_reset();
    sc_core::sc_start(sc_time(20, sc_core::SC_US));
    REQUIRE(world.core.stopped() == Stop::Semihosting);
    REQUIRE(world.device_times.size() == 2);
    CHECK(world.device_times[1] >= world.device_times[0] + ns(1000));
    CHECK(world.device_times[1] <= world.device_times[0] + ns(1020));
}
