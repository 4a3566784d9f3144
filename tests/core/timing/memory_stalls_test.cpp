// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "tests/core/timing/pipeline_cases.h"

// A core without caches waits as long as the bus says.

using namespace n6vp::models::core;
using n6vp::tests::BenchBus;
using n6vp::tests::BenchCore;

namespace {

CoreConfig stalled(std::vector<TcmRange> zero_wait) {
    CoreConfig config = n6vp::tests::timed_config(cortex_m4());
    config.memory_stalls = true;
    config.tcm = std::move(zero_wait);
    return config;
}

constexpr TcmRange kCodeRange{BenchBus::kCode, BenchBus::kCode + BenchBus::kBytes - 1};
constexpr TcmRange kDataRange{BenchBus::kData, BenchBus::kData + BenchBus::kBytes - 1};

/// Cycles of `code` when every access to the bus takes `wait` cycles.
std::uint64_t cycles_with(const CoreConfig& config, const std::vector<std::uint16_t>& code,
                          std::uint64_t wait) {
    BenchCore bench(config);
    bench.bus.cycles = wait;
    std::uint32_t at = BenchBus::kCode;
    for (const std::uint16_t halfword : code) {
        bench.bus.program(at, {halfword});
        at += 2;
    }
    bench.bus.program(at, {0xE7FE});  // b to itself: the block ends here
    bench.core.set_reg(0, BenchBus::kData);
    bench.core.add_breakpoint(at);
    bench.core.set_pc(BenchBus::kCode);
    REQUIRE(bench.core.run(100'000) == Stop::Breakpoint);
    return bench.core.cycles();
}

}  // namespace

TEST_CASE("a core without caches waits for each line of code that the bus delays") {
    const std::vector<std::uint16_t> one_line(15, 0xBF00);   // with the branch 32 bytes
    const std::vector<std::uint16_t> two_lines(31, 0xBF00);  // 64 bytes
    CHECK(cycles_with(stalled({kDataRange}), one_line, 0) == 15);
    CHECK(cycles_with(stalled({kDataRange}), one_line, 5) == 15 + 5);
    CHECK(cycles_with(stalled({kDataRange}), two_lines, 5) == 31 + 10);
    CHECK(cycles_with(stalled({kCodeRange, kDataRange}), two_lines, 5) == 31);
}

TEST_CASE("a core without caches waits for loads outside zero-wait memory, not for stores") {
    const std::vector<std::uint16_t> loads = {0x6803, 0xBF00, 0x6844};  // ldr; nop; ldr
    CHECK(cycles_with(stalled({kCodeRange}), loads, 0) == 2 + 1 + 2);
    CHECK(cycles_with(stalled({kCodeRange}), loads, 4) == 5 + 2 * 4);
    CHECK(cycles_with(stalled({kCodeRange, kDataRange}), loads, 4) == 5);
    CHECK(cycles_with(stalled({kCodeRange}), {0x6003, 0x6043}, 4) == 2);  // str; str
}

TEST_CASE("what the bus answers at once is not asked for again") {
    CoreConfig config = stalled({kDataRange});
    BenchCore bench(config);
    bench.bus.program(BenchBus::kCode, {0x22C8, 0x3A01, 0xD1FD});  // movs r2, #200; subs; bne
    bench.core.add_breakpoint(BenchBus::kCode + 6);
    bench.core.set_pc(BenchBus::kCode);
    REQUIRE(bench.core.run(100'000) == Stop::Breakpoint);
    CHECK(bench.bus.reads < 10);
}

TEST_CASE("after a reset a core without caches asks again for what cost nothing before it") {
    for (const Reset kind : {Reset::PowerOn, Reset::Warm}) {
        BenchCore bench(stalled({}));
        bench.bus.program(BenchBus::kCode, {0x6803, 0xE7FE});  // ldr r3, [r0]; b to itself
        bench.core.add_breakpoint(BenchBus::kCode + 2);
        const auto run = [&] {
            bench.core.set_reg(0, BenchBus::kData);
            bench.core.set_pc(BenchBus::kCode);
            const std::uint64_t before = bench.core.cycles();
            REQUIRE(bench.core.run(100'000) == Stop::Breakpoint);
            return bench.core.cycles() - before;
        };
        CHECK(run() == 2);
        bench.core.reset(kind);
        bench.bus.cycles = 4;
        CHECK(run() == 2 + 2 * 4);
    }
}
