// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "tests/core/engine/bench_core.h"

using namespace n6vp::models::core;
using n6vp::tests::BenchBus;
using n6vp::tests::BenchCore;

namespace {

constexpr std::uint32_t kCode = BenchBus::kCode, kData = BenchBus::kData,
                        kDevice = BenchBus::kDevice;

/// r0 = 1 + 2 + ... + r0: movs r1,#0; adds r1,r1,r0; subs r0,#1; bne; mov r0,r1; bx lr
void put_sum(BenchBus& bus, std::uint32_t offset) {
    bus.program(kCode + offset, {0x2100, 0x1809, 0x3801, 0xD1FC, 0x4608, 0x4770});
}

}  // namespace

TEST_CASE("a called function returns with its result") {
    BenchCore bench;
    put_sum(bench.bus, 0);
    CHECK(bench.call(0, {100}) == Stop::Returned);
    CHECK(bench.core.reg(0) == 5050);
    // movs, 100 rounds of three, mov, bx
    CHECK(bench.core.instructions() == 303);
}

TEST_CASE("a run ends within a block of its budget and goes on where it was") {
    BenchCore bench;
    bench.bus.program(kCode, {0x3001, 0xE7FD});  // adds r0,#1; b .-2
    bench.core.set_pc(kCode);
    for (unsigned round = 1; round <= 50; ++round) {
        CHECK(bench.core.run(1000) == Stop::Budget);
        CHECK(bench.core.cycles() >= round * 1000);
        CHECK(bench.core.cycles() < round * 1000 + 2 * round + 2);
        CHECK(bench.core.instructions() == bench.core.cycles());
        CHECK(bench.core.reg(0) == bench.core.instructions() / 2);
    }
}

TEST_CASE("a breakpoint stops before its instruction, once per arrival") {
    BenchCore bench;
    bench.bus.program(kCode, {0x3001, 0xE7FD});
    bench.core.set_pc(kCode);
    CHECK(bench.core.run(100) == Stop::Budget);  // the block is decoded and linked to itself
    bench.core.add_breakpoint(kCode);
    CHECK(bench.core.run(100) == Stop::Breakpoint);
    CHECK(bench.core.pc() == kCode);
    const std::uint32_t before = bench.core.reg(0);
    CHECK(bench.core.run(100) == Stop::Breakpoint);
    CHECK(bench.core.reg(0) == before + 1);
    bench.core.remove_breakpoint(kCode);
    CHECK(bench.core.run(100) == Stop::Budget);
    CHECK(bench.core.reg(0) > before + 2);
}

TEST_CASE("a breakpoint inside an IT block keeps its condition") {
    BenchCore bench;
    // movs r0,#1 (Z clear); itt eq; addeq r0,#1; addeq r0,#1; adds r0,#4
    bench.bus.program(kCode, {0x2001, 0xBF04, 0x3001, 0x3001, 0x3004, 0xE7FE});
    bench.core.add_breakpoint(kCode + 6);
    bench.core.add_breakpoint(kCode + 10);
    bench.core.set_pc(kCode);
    CHECK(bench.core.run(100) == Stop::Breakpoint);
    CHECK(bench.core.pc() == kCode + 6);
    CHECK(bench.core.run(100) == Stop::Breakpoint);
    CHECK(bench.core.pc() == kCode + 10);
    CHECK(bench.core.reg(0) == 5);
}

TEST_CASE("a step executes one instruction, IT blocks and linked code included") {
    BenchCore bench;
    // movs r0,#1 (Z clear); it eq; addeq r0,#1; adds r0,#4
    bench.bus.program(kCode, {0x2001, 0xBF08, 0x3001, 0x3004});
    bench.core.set_pc(kCode);
    const std::uint32_t expected_pc[] = {kCode + 2, kCode + 4, kCode + 6, kCode + 8};
    const std::uint32_t expected_r0[] = {1, 1, 1, 5};
    for (unsigned i = 0; i < 4; ++i) {
        CHECK(bench.core.step() == Stop::Budget);
        CHECK(bench.core.pc() == expected_pc[i]);
        CHECK(bench.core.reg(0) == expected_r0[i]);
        CHECK(bench.core.instructions() == i + 1);
    }
}

TEST_CASE("watchpoints see exactly their bytes, after the access") {
    BenchCore bench;
    // ldr r2,[r0]; str r2,[r1]; bx lr
    bench.bus.program(kCode, {0x6802, 0x600A, 0x4770});
    bench.bus.set_word(kData + 0x100, 0xCAFE1234);
    // Warm the fast path first.
    CHECK(bench.call(0, {kData + 0x100, kData + 0x200}) == Stop::Returned);
    bench.core.add_watchpoint({kData + 0x203, 1, false, true});
    CHECK(bench.call(0, {kData + 0x100, kData + 0x204}) == Stop::Returned);
    CHECK(bench.call(0, {kData + 0x200, kData + 0x100}) == Stop::Returned);  // reads do not count
    CHECK(bench.call(0, {kData + 0x100, kData + 0x200}) == Stop::Watchpoint);
    CHECK(bench.core.watch_hit().pc == kCode + 2);
    CHECK(bench.core.watch_hit().address == kData + 0x200);
    CHECK(bench.core.watch_hit().write);
    CHECK(bench.bus.word(kData + 0x200) == 0xCAFE1234);
    bench.core.clear_watchpoints();
    CHECK(bench.call(0, {kData + 0x100, kData + 0x200}) == Stop::Returned);
    // Those that were cleared do not come back with a new one.
    bench.core.add_watchpoint({kData + 0x300, 4, false, true});
    CHECK(bench.call(0, {kData + 0x100, kData + 0x200}) == Stop::Returned);
    CHECK(bench.call(0, {kData + 0x100, kData + 0x300}) == Stop::Watchpoint);
}

TEST_CASE("a watchpoint of a debugger stops before the access, as often as it is made") {
    BenchCore bench;
    // ldr r2,[r0]; str r2,[r1]; bx lr
    bench.bus.program(kCode, {0x6802, 0x600A, 0x4770});
    bench.bus.set_word(kData + 0x100, 0xCAFE1234);
    CHECK(bench.call(0, {kData + 0x100, kData + 0x300}) == Stop::Returned);
    bench.core.add_watchpoint({kData + 0x200, 4, false, true, true});
    CHECK(bench.call(0, {kData + 0x100, kData + 0x200}) == Stop::Watchpoint);
    CHECK(bench.core.pc() == kCode + 2);
    CHECK(bench.core.watch_hit().pc == kCode + 2);
    CHECK(bench.bus.word(kData + 0x200) == 0);
    CHECK(bench.core.step() == Stop::Watchpoint);
    CHECK(bench.core.pc() == kCode + 2);
    CHECK(bench.bus.word(kData + 0x200) == 0);
    bench.core.clear_watchpoints();
    CHECK(bench.core.step() == Stop::Budget);
    CHECK(bench.bus.word(kData + 0x200) == 0xCAFE1234);
    CHECK(bench.core.run(100) == Stop::Returned);
}

TEST_CASE("a watchpoint before a store of several registers leaves its base") {
    BenchCore bench;
    // stmia r1!,{r0,r2}; bx lr
    bench.bus.program(kCode, {0xC105, 0x4770});
    bench.core.add_watchpoint({kData + 0x204, 4, false, true, true});
    CHECK(bench.call(0, {7, kData + 0x200, 9}) == Stop::Watchpoint);
    CHECK(bench.core.pc() == kCode);
    CHECK(bench.core.reg(1) == kData + 0x200);
    CHECK(bench.bus.word(kData + 0x204) == 0);
    bench.core.clear_watchpoints();
    CHECK(bench.core.run(100) == Stop::Returned);
    CHECK(bench.core.reg(1) == kData + 0x208);
    CHECK(bench.bus.word(kData + 0x200) == 7);
    CHECK(bench.bus.word(kData + 0x204) == 9);
}

TEST_CASE("BKPT stops a core that a debugger watches, and is passed by hand") {
    BenchCore bench;
    // movs r0,#1; bkpt #1; movs r0,#2; bx lr
    bench.bus.program(kCode, {0x2001, 0xBE01, 0x2002, 0x4770});
    bench.core.set_halting_debug(true);
    CHECK(bench.call(0, {}) == Stop::Breakpoint);
    CHECK(bench.core.pc() == kCode + 2);
    CHECK(bench.core.run(100) == Stop::Breakpoint);
    bench.core.skip_breakpoint();
    CHECK(bench.core.run(100) == Stop::Returned);
    CHECK(bench.core.reg(0) == 2);
}

TEST_CASE("code that stores into itself runs what it stored") {
    BenchCore bench;
    // push {r4,lr}; mov r4,r0; strh r1,[r0]; dsb; isb; orr r0,r0,#1; blx r0; pop {r4,pc}
    bench.bus.program(kCode, {0xB510, 0x4604, 0x8001, 0xF3BF, 0x8F4F, 0xF3BF, 0x8F6F, 0xF040,
                              0x0001, 0x4780, 0xBD10});
    bench.bus.program(kCode + 0x40, {0x2001, 0x4770});  // movs r0,#1; bx lr
    CHECK(bench.call(0x40, {}) == Stop::Returned);
    CHECK(bench.core.reg(0) == 1);
    for (const std::uint32_t value : {7u, 9u, 200u}) {
        CHECK(bench.call(0, {kCode + 0x40, 0x2000 | value}) == Stop::Returned);
        CHECK(bench.core.reg(0) == value);
    }
}

TEST_CASE("code that another master writes is decoded again") {
    BenchCore bench;
    bench.bus.program(kCode, {0x2001, 0x4770});
    CHECK(bench.call(0, {}) == Stop::Returned);
    bench.core.other_writes(kCode, kCode + 3, "dma");
    bench.bus.program(kCode, {0x2005, 0x4770});
    CHECK(bench.call(0, {}) == Stop::Returned);
    CHECK(bench.core.reg(0) == 5);
}

TEST_CASE("a fault leaves the state of the instruction before") {
    BenchCore bench;
    // adds r3,#1; ldr r2,[r0],#4 (no memory at r0); adds r3,#1
    bench.bus.program(kCode, {0x3301, 0xF850, 0x2B04, 0x3301});
    bench.core.set_reg(0, 0xA0000000);
    bench.core.set_reg(2, 77);
    bench.core.set_reg(3, 10);
    bench.core.set_pc(kCode);
    CHECK(bench.core.run(100) == Stop::Lockup);  // the stand-in takes no exceptions
    const CpuState& cpu = bench.core.state();
    CHECK(cpu.fault.exception == Exception::BusFault);
    CHECK(cpu.fault.status == cfsr::kPrecisErr);
    CHECK(cpu.fault.address == 0xA0000000);
    CHECK(bench.core.pc() == kCode + 2);
    CHECK(bench.core.reg(0) == 0xA0000000);
    CHECK(bench.core.reg(2) == 77);
    CHECK(bench.core.reg(3) == 11);
    CHECK(bench.core.instructions() == 1);
}

TEST_CASE("a device sees every access in order and at its cycle") {
    BenchCore bench;
    // nop; nop; ldr r2,[r0]; nop; str r2,[r1]; bx lr
    bench.bus.program(kCode, {0xBF00, 0xBF00, 0x6802, 0xBF00, 0x600A, 0x4770});
    bench.bus.on_device = [](const BenchBus::DeviceAccess& access) {
        return access.address == kDevice ? 0x55u : 0u;
    };
    CHECK(bench.call(0, {kDevice, kDevice + 8}) == Stop::Returned);
    REQUIRE(bench.bus.accesses.size() == 2);
    CHECK_FALSE(bench.bus.accesses[0].write);
    CHECK(bench.bus.accesses[0].at == 2);
    CHECK(bench.bus.accesses[1].write);
    CHECK(bench.bus.accesses[1].at == 4);
    CHECK(bench.core.reg(2) == 0x55);
}

TEST_CASE("a stop asked for from inside an access ends the run at the next block") {
    BenchCore bench;
    // 1: ldr r2,[r0]; adds r3,#1; b 1b
    bench.bus.program(kCode, {0x6802, 0x3301, 0xE7FC});
    bench.bus.on_device = [&](const BenchBus::DeviceAccess&) {
        if (bench.bus.accesses.size() == 3) bench.core.request_stop();
        return 0u;
    };
    bench.core.set_reg(0, kDevice);
    bench.core.set_pc(kCode);
    CHECK(bench.core.run(100000) == Stop::Requested);
    CHECK(bench.bus.accesses.size() == 3);
    CHECK(bench.core.reg(3) == 3);
    CHECK(bench.core.cycles() == 9);
}

TEST_CASE("the trace hook sees every instruction and can be taken away") {
    BenchCore bench;
    put_sum(bench.bus, 0);
    std::vector<std::uint32_t> seen;
    bench.core.set_trace(
        [&](const CpuState&, std::uint32_t pc, std::uint32_t) { seen.push_back(pc - kCode); });
    CHECK(bench.call(0, {2}) == Stop::Returned);
    CHECK(seen == std::vector<std::uint32_t>{0, 2, 4, 6, 2, 4, 6, 8, 10});
    bench.core.set_trace({});
    CHECK(bench.call(0, {2}) == Stop::Returned);
    CHECK(seen.size() == 9);
}

TEST_CASE("WFE sleeps until an event comes, and an event that came before is not lost") {
    BenchCore bench;
    bench.bus.program(kCode, {0xBF20, 0x3301, 0xE7FC});  // 1: wfe; adds r3,#1; b 1b
    bench.core.set_pc(kCode);
    CHECK(bench.core.run(50) == Stop::Sleep);
    CHECK(bench.core.cycles() == 50);  // time passed asleep
    CHECK(bench.core.reg(3) == 0);
    bench.core.receive_event();
    CHECK(bench.core.run(50) == Stop::Sleep);
    CHECK(bench.core.reg(3) == 1);
}
