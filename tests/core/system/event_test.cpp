// SPDX-License-Identifier: Apache-2.0
// Sleep and wake-up by the architecture's rules: QEMU's WFE returns at once.
#include <doctest/doctest.h>

#include "tests/core/system/bare_core.h"

using namespace n6vp::tests;
using n6vp::models::core::Stop;

namespace {

constexpr std::uint32_t kIser = 0xE000E100, kIspr = 0xE000E200, kScr = 0xE000ED10,
                        kSysTick = 0xE000E010;
constexpr std::uint32_t kSevOnPend = 16, kSleepOnExit = 2, kSleepDeep = 4;
constexpr unsigned kIrq = 5;

/// Program that counts its way in r4 and r5; the handler counts in r6 and lowers nothing, so the
/// test lowers the line after the first run.
void load_wait(BareCore& bench, unsigned wait) {
    bench.code(BareCore::kCode, {increment(4), wait, increment(5), kStop});
    bench.code(BareCore::kHandler, {increment(6), kBxLr});
    for (unsigned i = 4; i < 7; ++i) bench->set_reg(i, 0);
}

void enable_irq(BareCore& bench) {
    bench.set_reg(kIser, 1u << kIrq);
}

void pulse(BareCore& bench) {
    bench->set_interrupt(kIrq, true);
    bench->set_interrupt(kIrq, false);
}

}  // namespace

TEST_CASE("WFE falls through once per event and then sleeps") {
    BareCore bench;
    bench.code(BareCore::kCode, {kSev, kSev, kWfe, increment(4), kWfe, increment(5), kStop});
    CHECK(bench->run(100) == Stop::Sleep);
    CHECK(bench->reg(4) == 1);
    CHECK(bench->reg(5) == 0);
    CHECK(bench->pc() == BareCore::kCode + 10);
    bench->receive_event();
    CHECK(bench->run(100) == kMark);
    CHECK(bench->reg(5) == 1);
}

TEST_CASE("an event that comes before WFE is not lost") {
    BareCore bench;
    load_wait(bench, kWfe);
    bench->step();
    bench->receive_event();
    CHECK(bench->run(100) == kMark);
    CHECK(bench->reg(5) == 1);
}

TEST_CASE("an interrupt just before WFE: its return is the event") {
    BareCore bench;
    load_wait(bench, kWfe);
    enable_irq(bench);
    bench->step();
    CHECK(bench->pc() == BareCore::kCode + 2);
    pulse(bench);
    CHECK(bench->run(1000) == kMark);
    CHECK(bench->reg(6) == 1);
    CHECK(bench->reg(5) == 1);
}

TEST_CASE("an interrupt during WFE is taken and the program goes on") {
    BareCore bench;
    load_wait(bench, kWfe);
    enable_irq(bench);
    CHECK(bench->run(100) == Stop::Sleep);
    CHECK(bench->reg(6) == 0);
    pulse(bench);
    CHECK(bench->run(1000) == kMark);
    CHECK(bench->reg(6) == 1);
    CHECK(bench->reg(5) == 1);
    // Entry and return set the event register again; it was not used up by waking.
    CHECK(bench.cpu().event);
}

TEST_CASE("an interrupt between the test of a flag and WFE wakes the loop") {
    for (unsigned steps = 0; steps < 4; ++steps) {
        CAPTURE(steps);
        BareCore bench;
        // loop: cbnz r6, out; nop; wfe; b loop; out: bkpt
        bench.code(BareCore::kCode, {0xB916, kNop, kWfe, 0xE7FB, kStop});
        bench.code(BareCore::kHandler, {increment(6), kBxLr});
        bench->set_reg(6, 0);
        enable_irq(bench);
        for (unsigned i = 0; i < steps; ++i) bench->step();
        pulse(bench);
        CHECK(bench->run(1000) == kMark);
        CHECK(bench->reg(6) == 1);
    }
}

TEST_CASE("SEVONPEND wakes WFE with PRIMASK set and the interrupt disabled") {
    BareCore bench;
    load_wait(bench, kWfe);
    bench.set_reg(kScr, kSevOnPend);
    bench.cpu().primask = {1, 1};
    CHECK(bench->run(100) == Stop::Sleep);
    pulse(bench);
    CHECK(bench->run(100) == kMark);
    CHECK(bench->reg(5) == 1);
    CHECK(bench->reg(6) == 0);
}

TEST_CASE("SEVONPEND: what was pending before is no event") {
    BareCore bench;
    load_wait(bench, kWfe);
    bench.cpu().primask = {1, 1};
    pulse(bench);
    bench.set_reg(kScr, kSevOnPend);
    CHECK(bench->run(100) == Stop::Sleep);
    pulse(bench);
    CHECK(bench->run(100) == Stop::Sleep);
    bench->set_interrupt(kIrq + 1, true);
    CHECK(bench->run(100) == kMark);
}

TEST_CASE("PRIMASK keeps WFE asleep, not WFI") {
    for (const unsigned wait : {kWfe, kWfi}) {
        BareCore bench;
        load_wait(bench, wait);
        enable_irq(bench);
        bench.cpu().primask = {1, 1};
        CHECK(bench->run(100) == Stop::Sleep);
        pulse(bench);
        CHECK(bench->run(100) == (wait == kWfi ? kMark : Stop::Sleep));
        CHECK(bench->reg(6) == 0);
    }
}

TEST_CASE("WFI ignores events, BASEPRI keeps it asleep") {
    BareCore bench;
    load_wait(bench, kWfi);
    enable_irq(bench);
    bench.set_reg(0xE000E404, 0x80u << 8);
    bench.cpu().basepri = {0x40, 0x40};
    bench->receive_event();
    CHECK(bench->run(100) == Stop::Sleep);
    pulse(bench);
    CHECK(bench->run(100) == Stop::Sleep);
    bench.set_reg(0xE000E404, 0x20u << 8);
    CHECK(bench->run(1000) == kMark);
    CHECK(bench->reg(6) == 1);
}

TEST_CASE("a disabled interrupt wakes neither") {
    for (const unsigned wait : {kWfe, kWfi}) {
        BareCore bench;
        load_wait(bench, wait);
        CHECK(bench->run(100) == Stop::Sleep);
        pulse(bench);
        CHECK(bench->run(100) == Stop::Sleep);
    }
}

TEST_CASE("an interrupt raised behind the core's time is taken at its next instruction") {
    BareCore bench;
    bench.code(BareCore::kCode, {increment(4), 0xE7FD});
    bench.code(BareCore::kHandler, {kStop});
    enable_irq(bench);
    CHECK(bench->run(1000) == Stop::Budget);
    const std::uint64_t instructions = bench->instructions();
    pulse(bench);
    CHECK(bench->run(1000) == kMark);
    CHECK(bench->instructions() == instructions);
    CHECK(bench->pc() == BareCore::kHandler);
}

TEST_CASE("SysTick wakes WFI at its cycle") {
    BareCore bench;
    load_wait(bench, kWfi);
    bench.set_reg(kSysTick + 4, 999);
    bench.set_reg(kSysTick + 8, 0);
    bench.set_reg(kSysTick, 7);
    // From zero the counter takes one cycle to reload and 999 to count.
    bench.code(BareCore::kHandler, {kStop});
    CHECK(bench->run(5000) == kMark);
    CHECK(bench->pc() == BareCore::kHandler);
    CHECK(bench->cycles() == 1000 + 12);
}

TEST_CASE("each step of a sleeping core lets one cycle pass, until its timer wakes it") {
    BareCore bench;
    load_wait(bench, kWfi);
    bench.set_reg(kSysTick + 4, 99);
    bench.set_reg(kSysTick + 8, 0);
    bench.set_reg(kSysTick, 7);
    static_cast<void>(bench->step());
    static_cast<void>(bench->step());  // WFI
    const std::uint64_t asleep = bench->cycles();
    unsigned steps = 0;
    while (steps < 200 && bench->step() == Stop::Sleep) ++steps;
    // From zero the counter takes one cycle to reload and 99 to count.
    CHECK(asleep + steps + 1 == 100);
    CHECK(bench->pc() == BareCore::kHandler + 2);
    CHECK(bench->reg(6) == 1);
}

TEST_CASE("SLEEPONEXIT sleeps again after the handler") {
    BareCore bench;
    load_wait(bench, kWfi);
    enable_irq(bench);
    bench.set_reg(kScr, kSleepOnExit);
    CHECK(bench->run(100) == Stop::Sleep);
    pulse(bench);
    CHECK(bench->run(1000) == Stop::Sleep);
    CHECK(bench->reg(6) == 1);
    CHECK(bench->reg(5) == 0);
    bench.set_reg(kScr, 0);
    pulse(bench);
    CHECK(bench->run(1000) == kMark);
    CHECK(bench->reg(6) == 2);
}

TEST_CASE("a line that stays high interrupts again, one that fell does not") {
    BareCore bench;
    bench.code(BareCore::kCode, {increment(4), 0xE7FD});
    bench.code(BareCore::kHandler, {increment(6), 0x2E03, 0xD100, kStop, kBxLr});  // stop at 3
    bench->set_reg(6, 0);
    enable_irq(bench);
    bench->set_interrupt(kIrq, true);
    CHECK(bench->run(1000) == kMark);
    CHECK(bench->reg(6) == 3);
    bench->set_interrupt(kIrq, false);
    bench->set_pc(BareCore::kHandler + 8);
    CHECK(bench->run(1000) == Stop::Budget);
    CHECK(bench->reg(6) == 3);
}

TEST_CASE("SLEEPONEXIT does not sleep on the way back to another handler") {
    BareCore bench;
    load_wait(bench, kWfi);
    bench.set_reg(kIser, 3u << kIrq);
    bench.set_reg(0xE000E404, 0x0080u << 8);  // the second one preempts the first
    bench.code(BareCore::kHandler, {kNop, kStop, kBxLr});
    CHECK(bench->run(100) == Stop::Sleep);
    bench.set_reg(kScr, kSleepOnExit);
    pulse(bench);
    CHECK(bench->run(1000) == kMark);
    bench->set_interrupt(kIrq + 1, true);
    bench->set_interrupt(kIrq + 1, false);
    bench->skip_breakpoint();
    CHECK(bench->run(1000) == kMark);
    CHECK(bench.cpu().ipsr == 16 + kIrq + 1);
    bench->skip_breakpoint();
    bench->step();
    CHECK(bench.cpu().ipsr == 16 + kIrq);
    CHECK(bench->run(1000) == Stop::Sleep);
    CHECK(bench.cpu().ipsr == 0);
}

TEST_CASE("a line that pulses during its own handler interrupts once more") {
    BareCore bench;
    load_wait(bench, kNop);
    bench.code(BareCore::kHandler, {increment(6), kStop, kBxLr});
    enable_irq(bench);
    pulse(bench);
    CHECK(bench->run(1000) == kMark);
    CHECK(bench->pc() == BareCore::kHandler + 2);
    CHECK(bench.reg(kIspr) == 0);
    pulse(bench);
    CHECK(bench.reg(kIspr) == 1u << kIrq);
    bench->skip_breakpoint();
    CHECK(bench->run(1000) == kMark);
    CHECK(bench->pc() == BareCore::kHandler + 2);
    CHECK(bench->reg(6) == 2);
    bench->skip_breakpoint();
    CHECK(bench->run(1000) == kMark);
    CHECK(bench.cpu().ipsr == 0);
    CHECK(bench->reg(6) == 2);
}

TEST_CASE("a core without a chip that stops its clock: SLEEPDEEP sleeps like every sleep") {
    BareCore bench;
    load_wait(bench, kWfi);
    bench.set_reg(kScr, kSleepDeep);
    CHECK(bench->system().sleeps_deeply());
    bench.set_reg(kSysTick + 4, 999);
    bench.set_reg(kSysTick + 8, 0);
    bench.set_reg(kSysTick, 7);
    bench.code(BareCore::kHandler, {kStop});
    CHECK(bench->run(5000) == kMark);
    CHECK(bench->cycles() == 1000 + 12);
}

TEST_CASE("while the clock stands SysTick and the cycle counter do, and an interrupt still wakes") {
    constexpr std::uint32_t kDemcr = 0xE000EDFC, kDwt = 0xE0001000;
    BareCore bench;
    load_wait(bench, kWfi);
    enable_irq(bench);
    bench.set_reg(kDemcr, 1u << 24);
    bench.set_reg(kDwt, 1);
    bench.set_reg(kSysTick + 4, 999);
    bench.set_reg(kSysTick + 8, 0);
    bench.set_reg(kSysTick, 7);
    CHECK(bench->run_awake(100) == Stop::Sleep);
    auto& system = bench->system();
    const std::uint32_t left = bench.reg(kSysTick + 8), counted = bench.reg(kDwt + 4);
    system.stop_clock(bench.cpu(), bench->cycles());
    CHECK(system.clock_stopped());
    CHECK(system.next_event(bench.cpu(), bench->cycles()) == UINT64_MAX);
    bench->pass_time(5000);
    CHECK_FALSE(bench->try_wake());
    CHECK(bench.reg(kSysTick + 8) == left);
    bench->set_interrupt(kIrq, true);
    CHECK(bench->try_wake());
    bench->set_interrupt(kIrq, false);
    system.start_clock(bench.cpu(), bench->cycles());
    CHECK(bench.reg(kSysTick + 8) == left);
    CHECK(bench.reg(kDwt + 4) == counted);
    CHECK(system.next_event(bench.cpu(), bench->cycles()) == left);
    CHECK(bench->run(1000) == kMark);
    CHECK(bench->reg(6) == 1);
    CHECK(bench->reg(5) == 1);
}

TEST_CASE("a reset while the clock stands starts it") {
    BareCore bench;
    load_wait(bench, kWfi);
    bench->system().stop_clock(bench.cpu(), bench->cycles());
    bench->reset();
    CHECK_FALSE(bench->system().clock_stopped());
    bench.set_reg(kSysTick + 4, 999);
    bench.set_reg(kSysTick + 8, 0);
    bench.set_reg(kSysTick, 7);
    CHECK(bench->system().next_event(bench.cpu(), bench->cycles()) == 1000);
}

TEST_CASE("SLEEPDEEP is one bit for both states, and the Secure one's alone with SLEEPDEEPS") {
    constexpr std::uint32_t kScrNs = 0xE002ED10, kSleepDeepS = 8;
    BareCore bench;
    bench.set_reg(kScr, kSleepDeep | kSevOnPend);
    CHECK(bench.reg(kScrNs) == kSleepDeep);
    bench.set_reg(kScrNs, kSleepOnExit);
    CHECK(bench.reg(kScr) == kSevOnPend);
    CHECK_FALSE(bench->system().sleeps_deeply());
    bench.set_reg(kScrNs, kSleepDeep | kSleepDeepS);
    CHECK(bench.reg(kScr) == (kSleepDeep | kSevOnPend));
    CHECK(bench->system().sleeps_deeply());
    bench.set_reg(kScr, kSleepDeep | kSleepDeepS);
    CHECK(bench.reg(kScrNs) == 0);
    bench.set_reg(kScrNs, 0);
    CHECK(bench->system().sleeps_deeply());
    bench.set_reg(kScr, kSleepDeepS);
    bench.set_reg(kScrNs, kSleepDeep);
    CHECK_FALSE(bench->system().sleeps_deeply());
}
