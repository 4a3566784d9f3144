// SPDX-License-Identifier: Apache-2.0
// Cycle and event counters, SysTick and trace ports by the architecture's rules.
#include <doctest/doctest.h>

#include <string>

#include "models/core/system/counters.h"
#include "models/core/system/sys_tick.h"
#include "tests/core/system/bare_core.h"

using namespace n6vp::models::core;
using namespace n6vp::tests;

namespace {

constexpr std::uint32_t kDemcr = 0xE000EDFC, kDwtControl = 0xE0001000, kCycles = 0xE0001004;
constexpr std::uint32_t kPmu = 0xE0003000;
constexpr std::uint32_t kTraceEnable = 1u << 24;
constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// Event 4 happens as often as the test says.
class CountedEvents final : public EventSource {
  public:
    bool events(const CpuState& /*cpu*/, unsigned event, std::uint64_t& total) override {
        total = happened;
        return event == 4;
    }
    std::uint64_t happened = 0;
};

}  // namespace

TEST_CASE("CYCCNT counts only with TRCENA and CYCCNTENA") {
    BareCore bench;
    bench.code(BareCore::kCode, {increment(4), 0xE7FD});
    bench->run(100);
    CHECK(bench.reg(kCycles) == 0);
    bench.set_reg(kDwtControl, 1);
    bench->run(100);
    CHECK(bench.reg(kCycles) == 0);
    bench.set_reg(kDemcr, kTraceEnable);
    const std::uint64_t from = bench->cycles();
    bench->run(1000);
    CHECK(bench.reg(kCycles) == bench->cycles() - from);
    bench.set_reg(kCycles, 0xFFFFFFF0);
    const std::uint64_t again = bench->cycles();
    bench->run(100);
    CHECK(bench.reg(kCycles) == static_cast<std::uint32_t>(0xFFFFFFF0 + bench->cycles() - again));
    bench.set_reg(kDwtControl, 0);
    const std::uint32_t stopped = bench.reg(kCycles);
    bench->run(100);
    CHECK(bench.reg(kCycles) == stopped);
}

TEST_CASE("a program reads CYCCNT at the cycle of its load") {
    BareCore bench;
    bench.set_reg(kDemcr, kTraceEnable);
    bench.set_reg(kDwtControl, 1);
    // ldr r1, [r0]; 10 nops; ldr r2, [r0]; bkpt
    bench.code(BareCore::kCode,
               {0x6801, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, kNop, 0x6802, kStop});
    bench->set_reg(0, kCycles);
    CHECK(bench->run(1000) == kMark);
    CHECK(bench->reg(2) - bench->reg(1) == 11);
}

TEST_CASE("PMU counts cycles, instructions and exceptions") {
    BareCore bench;
    bench.code(BareCore::kCode, {kSvc, increment(4), 0xE7FC});
    bench.code(BareCore::kHandler, {kBxLr});
    bench.set_reg(kDemcr, kTraceEnable);
    bench.set_reg(kPmu + 0x400, 0x08);
    bench.set_reg(kPmu + 0x404, 0x11);
    bench.set_reg(kPmu + 0x408, 0x09);
    bench.set_reg(kPmu + 0x40C, 0x0A);
    bench.set_reg(kPmu + 0xC00, 0x8000000F);
    CHECK(bench.reg(kPmu + 0xE00) == 0x00A05F08);
    bench->run(500);
    CHECK(bench.reg(kPmu) == 0);
    bench.set_reg(kPmu + 0xE04, 1);
    const std::uint64_t cycles = bench->cycles(), instructions = bench->instructions();
    bench->run(5000);
    CHECK(bench.reg(kPmu) == bench->instructions() - instructions);
    CHECK(bench.reg(kPmu + 4) == bench->cycles() - cycles);
    CHECK(bench.reg(kPmu + 0x7C) == bench->cycles() - cycles);
    // Entry and return take 22 cycles together, handler and loop 4 instructions.
    const std::uint32_t rounds = bench.reg(kPmu + 8);
    CHECK(rounds >= 5000 / 26 - 1);
    CHECK(rounds <= 5000 / 26 + 1);
    CHECK(bench.reg(kPmu + 0xC) + 1 >= rounds);
    bench.set_reg(kPmu + 0xE04, 7);
    CHECK(bench.reg(kPmu) == 0);
    CHECK(bench.reg(kPmu + 0x7C) == 0);
}

TEST_CASE("event counters wrap at 16 bits, chain and flag") {
    CountedEvents source;
    Counters counters(cortex_m55());
    CpuState cpu;
    counters.reset();
    counters.attach(&source);
    counters.set_trace_enabled(cpu, true, 0);
    counters.write_pmu(cpu, 0x400, 4, 0);
    counters.write_pmu(cpu, 0x404, 0x1E, 0);
    counters.write_pmu(cpu, 0x408, 4, 0);
    counters.write_pmu(cpu, 0xC00, 3, 0);
    counters.write_pmu(cpu, 0xE04, 1, 0);
    source.happened = 0x2FFFF;
    CHECK(counters.read_pmu(cpu, 0x0, 10) == 0xFFFF);
    CHECK(counters.read_pmu(cpu, 0x4, 10) == 2);
    CHECK(counters.read_pmu(cpu, 0x8, 10) == 0);
    CHECK(counters.read_pmu(cpu, 0xC80, 10) == 1);
    counters.write_pmu(cpu, 0xC80, 1, 10);
    source.happened += 1;
    CHECK(counters.read_pmu(cpu, 0x0, 20) == 0);
    CHECK(counters.read_pmu(cpu, 0x4, 20) == 3);
    CHECK(counters.read_pmu(cpu, 0xCC0, 20) == 1);
    // Freeze on overflow.
    counters.write_pmu(cpu, 0xE04, 1 | 1u << 9, 20);
    source.happened += 100;
    CHECK(counters.read_pmu(cpu, 0x0, 30) == 0);
    // Software increment.
    counters.write_pmu(cpu, 0xC80, 1, 30);
    counters.write_pmu(cpu, 0x40C, 0, 30);
    counters.write_pmu(cpu, 0xC00, 8, 30);
    counters.write_pmu(cpu, 0xCA0, 0xFF, 30);
    counters.write_pmu(cpu, 0xCA0, 0xF7, 30);
    CHECK(counters.read_pmu(cpu, 0xC, 30) == 1);
}

TEST_CASE("PMU: registers that set and clear the same bits read alike") {
    // Arm ARM: bit 31 is the cycle counter's, and there are 8 event counters.
    struct Pair {
        std::uint32_t set, clear;
    };
    Counters counters(cortex_m55());
    CpuState cpu;
    counters.reset();
    for (const Pair& one : {Pair{0xC00, 0xC20}, Pair{0xC40, 0xC60}, Pair{0xCC0, 0xC80}}) {
        CAPTURE(one.set);
        const auto both = [&] {
            const std::uint32_t value = counters.read_pmu(cpu, one.set, 0);
            CHECK(counters.read_pmu(cpu, one.clear, 0) == value);
            return value;
        };
        CHECK(both() == 0);
        counters.write_pmu(cpu, one.set, 0xFFFFFFFF, 0);
        CHECK(both() == 0x800000FF);
        counters.write_pmu(cpu, one.clear, 0x80000005, 0);
        CHECK(both() == 0xFA);
        counters.write_pmu(cpu, one.set, 1, 0);
        CHECK(both() == 0xFB);
        counters.write_pmu(cpu, one.clear, 0xFFFFFFFF, 0);
        CHECK(both() == 0);
    }
}

TEST_CASE("PMU: a counter stands while its enable is cleared, the others go on") {
    CountedEvents source;
    Counters counters(cortex_m55());
    CpuState cpu;
    counters.reset();
    counters.attach(&source);
    counters.set_trace_enabled(cpu, true, 0);
    for (const std::uint32_t index : {0u, 7u}) counters.write_pmu(cpu, 0x400 + 4 * index, 4, 0);
    counters.write_pmu(cpu, 0xC00, 1u << 31 | 1u << 7 | 1, 0);
    counters.write_pmu(cpu, 0xE04, 1, 0);
    source.happened = 5;
    CHECK(counters.read_pmu(cpu, 0x00, 10) == 5);
    counters.write_pmu(cpu, 0xC20, 1u << 31 | 1, 10);
    source.happened = 12;
    CHECK(counters.read_pmu(cpu, 0x00, 30) == 5);
    CHECK(counters.read_pmu(cpu, 0x1C, 30) == 12);
    CHECK(counters.read_pmu(cpu, 0x7C, 30) == 10);
    counters.write_pmu(cpu, 0xC00, 1u << 31 | 1, 30);
    source.happened = 13;
    CHECK(counters.read_pmu(cpu, 0x00, 34) == 6);
    CHECK(counters.read_pmu(cpu, 0x1C, 34) == 13);
    CHECK(counters.read_pmu(cpu, 0x7C, 34) == 14);
}

TEST_CASE("PMU: behind the eight counters and their types there is nothing to read or write") {
    CountedEvents source;
    source.happened = 0x12345;
    Counters counters(cortex_m55());
    CpuState cpu;
    counters.reset();
    counters.attach(&source);
    counters.set_trace_enabled(cpu, true, 0);
    for (std::uint32_t i = 0; i < 8; ++i) {
        counters.write_pmu(cpu, 4 * i, 0x100 + i, 0);
        counters.write_pmu(cpu, 0x400 + 4 * i, 4, 0);
    }
    counters.write_pmu(cpu, 0xC00, 0x800000FF, 0);
    counters.write_pmu(cpu, 0xE04, 1, 0);
    counters.write_pmu(cpu, 0x47C, 0xA5, 0);
    for (std::uint32_t offset = 0x20; offset < 0x480; offset += 4) {
        if (offset == 0x7C || (offset >= 0x400 && offset < 0x420) || offset == 0x47C) continue;
        CAPTURE(offset);
        CHECK(counters.read_pmu(cpu, offset, 0) == 0);
        counters.write_pmu(cpu, offset, 0x4321, 0);
        CHECK(counters.read_pmu(cpu, offset, 0) == 0);
    }
    CHECK(counters.read_pmu(cpu, 0x47C, 0) == 0xA5);
    source.happened += 3;
    for (std::uint32_t i = 0; i < 8; ++i) {
        CAPTURE(i);
        CHECK(counters.read_pmu(cpu, 4 * i, 0) == 0x103 + i);
        CHECK(counters.read_pmu(cpu, 0x400 + 4 * i, 0) == 4);
    }
}

TEST_CASE("DWT: the words of comparators are kept, those around them are not") {
    Counters counters(cortex_m55());
    CpuState cpu;
    counters.reset();
    counters.write_pmu(cpu, 0xE04, 1, 0);
    for (std::uint32_t offset = 0x1C; offset <= 0xA0; offset += 4)
        counters.write_dwt(cpu, offset, ~offset, 0);
    for (std::uint32_t offset = 0x20; offset < 0xA0; offset += 4) {
        CAPTURE(offset);
        CHECK(counters.read_dwt(cpu, offset, 0) == ~offset);
    }
    CHECK(counters.read_dwt(cpu, 0x1C, 0) == 0);
    CHECK(counters.read_dwt(cpu, 0xA0, 0) == 0);
    CHECK(counters.read_pmu(cpu, 0xE04, 0) == 1);
}

TEST_CASE("SysTick: period, COUNTFLAG, external clock") {
    SysTick timer(8);
    CHECK(timer.next(0) == kNever);
    timer.write(4, 99, 0);
    timer.write(8, 1, 0);
    timer.write(0, 7, 0);
    CHECK(timer.next(0) == 100);
    CHECK_FALSE(timer.advance(99));
    CHECK(timer.read(8) == 1);
    CHECK(timer.next(99) == 1);
    CHECK(timer.advance(100));
    CHECK(timer.read(8) == 0);
    CHECK(timer.read(0) == (7u | 1u << 16));
    CHECK(timer.read(0) == 7u);
    CHECK_FALSE(timer.advance(101));
    CHECK(timer.read(8) == 99);
    CHECK(timer.next(101) == 99);
    CHECK(timer.advance(1000));
    CHECK(timer.read(8) == 0);
    // Reloading zero stops it after the current round.
    timer.write(4, 0, 1000);
    CHECK_FALSE(timer.advance(5000));
    CHECK(timer.next(5000) == kNever);
    // External clock, no interrupt.
    timer.write(4, 9, 5000);
    timer.write(0, 1, 5000);
    CHECK(timer.next(5000) == kNever);
    CHECK_FALSE(timer.advance(5000 + 8 * 4));
    // Four ticks: one reloads, three count.
    CHECK(timer.read(8) == 6);
}

TEST_CASE("SysTick asked for nothing until a whole period is over has reached zero") {
    SysTick timer(8);
    timer.write(4, 99, 0);
    timer.write(8, 1, 0);
    timer.write(0, 7, 0);
    // One cycle reloads, 99 count.
    CHECK(timer.advance(100));
    CHECK(timer.read(0) == (7u | 1u << 16));
}

TEST_CASE("a write to SYST_CVR clears COUNTFLAG") {
    SysTick timer(8);
    timer.write(4, 99, 0);
    timer.write(0, 7, 0);
    CHECK(timer.advance(250));
    timer.write(8, 5, 250);
    CHECK(timer.read(8) == 0);
    CHECK(timer.read(0) == 7u);
}

TEST_CASE("trace ports reach the sink only when everything is on") {
    std::string text;
    CoreConfig config;
    config.system.trace_port = [&text](unsigned port, std::uint32_t value, unsigned bytes) {
        text += static_cast<char>('0' + port);
        text += static_cast<char>(value);
        text += static_cast<char>('0' + bytes);
    };
    BareCore bench(config);
    // strb r1, [r0]; strh r1, [r0]; str r1, [r0]; bkpt
    bench.code(BareCore::kCode, {0x7001, 0x8001, 0x6001, kStop});
    bench->set_reg(0, 0xE0000004);
    bench->set_reg(1, 'x');
    CHECK(bench->run(100) == kMark);
    CHECK(text.empty());
    CHECK(bench.reg(0xE0000004) == 0);
    bench.set_reg(kDemcr, kTraceEnable);
    bench.set_reg(0xE0000E80, 1);
    bench.set_reg(0xE0000E00, 2);
    CHECK(bench.reg(0xE0000004) == 1);
    CHECK(bench.reg(0xE0000008) == 0);
    bench->set_pc(BareCore::kCode);
    CHECK(bench->run(100) == kMark);
    CHECK(text == "1x11x21x4");
}
