// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/core/engine/bench_core.h"

// Cycles per round of small loops. Where the comment names [L], the figure is what LLVM's machine
// code analyser prints for the Cortex-M55; the others follow from the latencies of the tables by
// counting on paper.

using namespace n6vp::models::core;
using n6vp::tests::BenchBus;
using n6vp::tests::BenchCore;

namespace {

constexpr std::uint32_t kCode = BenchBus::kCode, kData = BenchBus::kData;

struct Loop {
    const char* name;
    std::vector<std::uint16_t> body;  ///< between DLS and LE
    double cycles;                    ///< per round
};

CoreConfig timed() {
    CoreConfig config;
    config.timing = Timing::Approx;
    config.tcm = {{kCode, kCode + BenchBus::kBytes - 1}, {kData, kData + BenchBus::kBytes - 1}};
    return config;
}

/// Cycles of `rounds` rounds of `body` in a low-overhead loop.
std::uint64_t run_loop(const CoreConfig& config, const std::vector<std::uint16_t>& body,
                       std::uint32_t rounds) {
    BenchCore bench(config);
    std::vector<std::uint16_t> code = {0xF042, 0xE001};  // dls lr, r2
    code.insert(code.end(), body.begin(), body.end());
    const auto back = static_cast<unsigned>(body.size() * 2 + 4);  // from after LE to the body
    code.push_back(0xF00F);
    code.push_back(static_cast<std::uint16_t>(0xC001 | (back / 4) << 1 | (back / 2 & 1) << 11));
    std::uint32_t at = kCode;
    for (const std::uint16_t halfword : code) {
        bench.bus.program(at, {halfword});
        at += 2;
    }
    bench.core.set_reg(0, kData);
    bench.core.set_reg(1, kData + 0x400);
    bench.core.set_reg(2, rounds);
    bench.core.add_breakpoint(at);
    bench.core.set_pc(kCode);
    REQUIRE(bench.core.run(1'000'000) == Stop::Breakpoint);
    return bench.core.cycles();
}

double cycles_per_round(const CoreConfig& config, const std::vector<std::uint16_t>& body) {
    const auto few = static_cast<double>(run_loop(config, body, 100));
    const auto many = static_cast<double>(run_loop(config, body, 300));
    return (many - few) / 200;
}

}  // namespace

TEST_CASE("loops take the cycles that the published tables give") {
    const std::vector<Loop> loops = {
        {"[L] vldrb, vldrb, vmlava", {0xED90, 0x1E00, 0xED91, 0x3E00, 0xEEF0, 0x4F22}, 4},
        {"[L] vldrw, vldrw, vfma, vstrw",
         {0xED90, 0x1F00, 0xED91, 0x3F00, 0xEE31, 0x2E43, 0xED81, 0x3F00},
         6},
        {"[L] vldrw, vadd, vmul, vstrw",
         {0xED90, 0x1F00, 0xEF20, 0x2844, 0xEF22, 0x2956, 0xED81, 0x3F00},
         5},
        {"[L] vldrw, vldrw, vadd, vstrw",
         {0xED90, 0x1F00, 0xED91, 0x3F00, 0xEF20, 0x2842, 0xED81, 0x3F00},
         6},
        {"ldrb, adds of the loaded: one wait", {0x7803, 0x18DB}, 3},
        {"ldrb + mov, add.w, adds of the loaded: the wait is used",
         {0x7803, 0x462C, 0xF106, 0x0601, 0x18DB},
         3},
        {"ldrb, movw of the same register: no wait for what nobody reads",
         {0x7803, 0xF240, 0x0301},
         2},
        {"two dependent mul", {0xFB03, 0xF304, 0xFB03, 0xF304}, 4},
        {"adds + lsrs, adds + lsrs: two pairs", {0x3301, 0x086C, 0x3601, 0x08AF}, 2},
        {"two add.w, the first shifted", {0xEB04, 0x0385, 0xEB03, 0x0603}, 3},
        {"vdiv.f32, vadd.f32 of the quotient", {0xEE80, 0x0A81, 0xEE70, 0x1A00}, 17},
        {"four nop: pairs", {0xBF00, 0xBF00, 0xBF00, 0xBF00}, 2},
    };
    for (const Loop& loop : loops) {
        CAPTURE(loop.name);
        CHECK(cycles_per_round(timed(), loop.body) == doctest::Approx(loop.cycles));
    }
}

TEST_CASE("parameters move what they name") {
    CoreConfig config = timed();
    const std::vector<std::uint16_t> load_use = {0x6803, 0x18DB};  // ldr; adds of the loaded
    CHECK(cycles_per_round(config, load_use) == doctest::Approx(2));
    config.issue.load_word_latency.value = 2;
    CHECK(cycles_per_round(config, load_use) == doctest::Approx(3));
    const std::vector<std::uint16_t> pairs = {0x3301, 0x086C};
    CHECK(cycles_per_round(config, pairs) == doctest::Approx(1));
    config.issue.dual_issue.value = 0;
    CHECK(cycles_per_round(config, pairs) == doctest::Approx(2));
}

TEST_CASE("division takes longer for longer quotients") {
    // udiv r3, r4, r5 with r5 = 1: two cycles and one for every four bits of r4
    const std::vector<std::uint16_t> body = {0x2501, 0xFBB4, 0xF3F5};
    const auto with_dividend = [&](std::uint16_t move) {
        std::vector<std::uint16_t> whole = {move};
        whole.insert(whole.end(), body.begin(), body.end());
        return cycles_per_round(timed(), whole);
    };
    const double none = with_dividend(0x2400);                  // movs r4, #0
    CHECK(with_dividend(0x240F) == doctest::Approx(none + 1));  // 15: four bits
    CHECK(with_dividend(0x24FF) == doctest::Approx(none + 2));  // 255: eight bits
    CHECK(none == doctest::Approx(1 + 2));                      // the moves pair
}

TEST_CASE("a loop of nothing but its end takes time") {
    for (const Timing timing : {Timing::Approx, Timing::Precise}) {
        CoreConfig config = timed();
        config.timing = timing;
        BenchCore bench(config);
        bench.bus.program(kCode, {0xF02F, 0xC003});  // le to itself, without a count
        bench.core.set_pc(kCode);
        CHECK(bench.core.run(1000) == Stop::Budget);
        CHECK(bench.core.cycles() >= 1000);
    }
}

TEST_CASE("functional timing counts instructions") {
    // dls, then 300 rounds of two instructions and le
    CHECK(run_loop({}, {0x7803, 0x18DB}, 300) == 1 + 300 * 3);
}
