// SPDX-License-Identifier: Apache-2.0
// Calls from outside, steps, and resets: what whoever drives a core relies on.
#include <doctest/doctest.h>

#include <cstdint>

#include "tests/core/engine/bench_core.h"
#include "tests/core/system/bare_core.h"

using namespace n6vp::models::core;
using namespace n6vp::tests;

namespace {

constexpr std::uint32_t kCode = BenchBus::kCode, kData = BenchBus::kData;
constexpr std::uint32_t kDemcr = 0xE000EDFC, kDwtControl = 0xE0001000, kDwtCycles = 0xE0001004,
                        kIser = 0xE000E100;

/// r0 + 1 at 0, r0 + 2 at 0x40: adds r0,#n; bx lr
void put_functions(BenchBus& bus) {
    bus.program(kCode, {0x3001, 0x4770});
    bus.program(kCode + 0x40, {0x3002, 0x4770});
}

}  // namespace

TEST_CASE("a breakpoint inside a called function is not its return") {
    BenchCore bench;
    put_functions(bench.bus);
    bench.core.add_breakpoint(kCode + 2);
    CHECK(bench.call(0, {10}) == Stop::Breakpoint);
    CHECK(bench.core.pc() == kCode + 2);
    CHECK(bench.core.reg(0) == 11);
    CHECK(bench.core.run(100) == Stop::Returned);
    CHECK(bench.core.reg(0) == 11);
    bench.core.remove_breakpoint(kCode + 2);
    CHECK(bench.call(0, {20}) == Stop::Returned);
}

TEST_CASE("a call from within a call that a breakpoint interrupts: both return") {
    BenchCore bench;
    put_functions(bench.bus);
    bench.core.add_breakpoint(kCode);
    CHECK(bench.call(0, {10}) == Stop::Breakpoint);
    const std::uint32_t pc = bench.core.pc(), link = bench.core.reg(14);
    CHECK(bench.call(0x40, {5}) == Stop::Returned);
    CHECK(bench.core.reg(0) == 7);
    bench.core.remove_breakpoint(kCode);
    bench.core.set_reg(0, 10);
    bench.core.set_reg(14, link);
    bench.core.set_pc(pc);
    CHECK(bench.core.run(100) == Stop::Returned);
    CHECK(bench.core.reg(0) == 11);
}

TEST_CASE("a call whose cycles are used up returns in a later run") {
    BenchCore bench;
    put_functions(bench.bus);
    // movs r1,#0; 1: adds r1,#1; cmp r1,#100; bne 1b; bx lr
    bench.bus.program(kCode, {0x2100, 0x3101, 0x2964, 0xD1FC, 0x4770});
    CHECK(bench.core.call(kCode, {}, 50) == Stop::Budget);
    CHECK(bench.core.run(10000) == Stop::Returned);
    CHECK(bench.core.reg(1) == 100);
}

TEST_CASE("the return address of a call is no place for programs after it") {
    BenchCore bench;
    put_functions(bench.bus);
    CHECK(bench.call(0, {10}) == Stop::Returned);
    const std::uint32_t back = bench.core.pc();
    bench.core.set_pc(back);
    CHECK(bench.core.run(100) == Stop::Lockup);  // nothing there to fetch
}

TEST_CASE("a user's breakpoint at the return address of calls outlives them and a reset") {
    BenchCore bench;
    put_functions(bench.bus);
    CHECK(bench.call(0, {10}) == Stop::Returned);
    const std::uint32_t back = bench.core.pc();
    bench.core.add_breakpoint(back);
    const auto stops = [&] {
        bench.core.set_pc(back);
        return bench.core.run(100) == Stop::Breakpoint;
    };
    CHECK(stops());
    CHECK(bench.call(0, {20}) == Stop::Returned);
    CHECK(bench.core.reg(0) == 21);
    CHECK(stops());
    bench.core.reset();
    CHECK(stops());
    bench.core.remove_breakpoint(back);
    bench.core.set_pc(back);
    CHECK(bench.core.run(100) == Stop::Lockup);
}

TEST_CASE("a step tells of the return of a call and of a watched access") {
    BenchCore bench;
    // str r1,[r0]; bx lr
    bench.bus.program(kCode, {0x6001, 0x4770});
    bench.core.add_watchpoint({kData + 0x10, 4, false, true});
    bench.core.add_breakpoint(kCode);
    CHECK(bench.call(0, {kData + 0x10, 7}) == Stop::Breakpoint);
    CHECK(bench.core.step() == Stop::Watchpoint);
    CHECK(bench.core.watch_hit().pc == kCode);
    CHECK(bench.core.watch_hit().address == kData + 0x10);
    CHECK(bench.core.watch_hit().write);
    CHECK(bench.bus.word(kData + 0x10) == 7);
    CHECK(bench.core.pc() == kCode + 2);
    CHECK(bench.core.step() == Stop::Returned);
    CHECK(bench.core.reg(0) == kData + 0x10);
    // It was reported: a run does not report it again.
    bench.core.remove_breakpoint(kCode);
    bench.core.clear_watchpoints();
    CHECK(bench.call(0, {kData + 0x10, 8}) == Stop::Returned);
}

TEST_CASE("a run that ends when the core sleeps lets no time pass") {
    BenchCore bench;
    bench.bus.program(kCode, {0x3301, 0xBF20, 0x3301, 0xE7FE});  // adds r3,#1; wfe; adds r3,#1; b .
    bench.core.set_pc(kCode);
    CHECK(bench.core.run_awake(1000) == Stop::Sleep);
    const std::uint64_t asleep_at = bench.core.cycles();
    CHECK(asleep_at == 2);
    CHECK(bench.core.run_awake(1000) == Stop::Sleep);
    CHECK(bench.core.cycles() == asleep_at);
    bench.core.pass_time(500);
    bench.core.receive_event();
    CHECK(bench.core.run_awake(100) == Stop::Budget);
    CHECK(bench.core.reg(3) == 2);
    CHECK(bench.core.cycles() >= 602);
    CHECK(bench.core.cycles() <= 604);
}

TEST_CASE("BLXNS that cannot stack its return keeps lr") {
    BareCore bench;
    bench.code(BareCore::kCode, {kNop, 0x4784, kNop});  // blxns r0
    bench->set_reg(0, BareCore::kHandler);              // bit 0 clear: to Non-secure state
    bench->set_reg(14, 0x12345679);
    bench->step();
    bench.cpu().sp_limit = BareCore::kStack;  // two words below it are one step too far
    bench.cpu().faultmask = {1, 1};           // nothing can be taken: the state stays for us to see
    CHECK(bench->step() == Stop::Lockup);
    CHECK(bench->reg(14) == 0x12345679);
    CHECK(bench->pc() == BareCore::kCode + 2);
    CHECK(bench->reg(13) == BareCore::kStack);
}

TEST_CASE("a step into a handler whose first instruction has a breakpoint does not run past it") {
    BareCore bench;
    bench.code(BareCore::kCode, {increment(4), 0xE7FD});
    bench.code(BareCore::kHandler, {increment(5), increment(6), kStop});
    bench->add_breakpoint(BareCore::kHandler);
    bench.set_reg(kIser, 1u << 5);
    bench->set_interrupt(5, true);
    CHECK(bench->step() == Stop::Breakpoint);
    CHECK(bench->pc() == BareCore::kHandler);
    CHECK(bench->reg(5) == 0);
    CHECK(bench->step() == Stop::Budget);
    CHECK(bench->pc() == BareCore::kHandler + 2);
    CHECK(bench->reg(5) == 1);
    CHECK(bench->run(100) == kMark);
    CHECK(bench->reg(6) == 1);
}

TEST_CASE("a run goes on from the breakpoint that a step into a handler came to") {
    BareCore bench;
    bench.code(BareCore::kCode, {increment(4), 0xE7FD});
    bench.code(BareCore::kHandler, {increment(5), kStop});
    bench->add_breakpoint(BareCore::kHandler);
    bench.set_reg(kIser, 1u << 5);
    bench->set_interrupt(5, true);
    CHECK(bench->step() == Stop::Breakpoint);
    CHECK(bench->run(100) == kMark);
    CHECK(bench->reg(5) == 1);
}

TEST_CASE("a reset: interrupt lines keep their levels, time starts again") {
    BareCore bench;
    bench.code(BareCore::kCode, {increment(4), 0xE7FD});
    bench.code(BareCore::kHandler, {kStop});
    CHECK(bench->run(1000) == Stop::Budget);
    bench->set_interrupt(5, true);
    bench->reset();
    CHECK(bench->cycles() == 0);
    CHECK(bench->instructions() == 0);
    CHECK(bench->reg(4) == 0);
    CHECK(bench->run(100) == Stop::Budget);
    bench.set_reg(kIser, 1u << 5);
    CHECK(bench->run(100) == kMark);
    CHECK(bench->pc() == BareCore::kHandler);
}

TEST_CASE("a warm reset keeps the cycle counter running, a power-on reset does not") {
    for (const Reset kind : {Reset::Warm, Reset::PowerOn}) {
        BareCore bench;
        bench.code(BareCore::kCode, {increment(4), 0xE7FD});
        bench.set_reg(kDemcr, 1u << 24);
        bench.set_reg(kDwtControl, bench.reg(kDwtControl) | 1);
        CHECK(bench->run(1000) == Stop::Budget);
        const std::uint32_t before = bench.reg(kDwtCycles);
        CHECK(before >= 1000);
        bench->reset(kind);
        CHECK(bench->run(1000) == Stop::Budget);
        const bool warm = kind == Reset::Warm;
        CHECK((bench.reg(kDemcr) >> 24) == (warm ? 1u : 0u));
        CHECK((bench.reg(kDwtControl) & 1) == (warm ? 1u : 0u));
        if (warm) {
            CHECK(bench.reg(kDwtCycles) >= before + 1000);
            CHECK(bench.reg(kDwtCycles) <= before + 1010);
        } else {
            CHECK(bench.reg(kDwtCycles) == 0);
        }
    }
}
