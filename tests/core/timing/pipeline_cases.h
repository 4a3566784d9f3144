// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/parameter.h"
#include "tests/core/engine/bench_core.h"

namespace n6vp::tests {

/// Straight-line code with the cycles that a published table gives, counted by hand.
struct PipelineCase {
    std::string row;   ///< of the table
    std::string text;  ///< in assembler
    std::vector<std::uint16_t> code;
    std::uint64_t cycles;
};

/// Zero-wait memory without caches.
inline models::core::CoreConfig timed_config(const models::core::CoreProfile& profile) {
    models::core::CoreConfig config;
    config.timing = models::core::Timing::Approx;
    config.system.core = profile;
    config.tcm = {{0, 0xFFFFFFFF}};
    return config;
}

/// Returns the cycles from `start` to the end of `code`, which is there. r0 and r1 are addresses
/// in data memory, whose words are addresses there, too; r2 is 300, r8 is 16, all other registers
/// are zero.
inline std::uint64_t straight_cycles(const models::core::CoreConfig& config,
                                     const std::vector<std::uint16_t>& code,
                                     std::uint32_t start = BenchBus::kCode) {
    BenchCore bench(config);
    std::uint32_t at = start;
    for (const std::uint16_t halfword : code) {
        bench.bus.program(at, {halfword});
        at += 2;
    }
    for (std::uint32_t word = 0; word < 0x800; word += 4)
        bench.bus.set_word(BenchBus::kData + word, BenchBus::kData);
    bench.core.set_reg(0, BenchBus::kData);
    bench.core.set_reg(1, BenchBus::kData + 0x400);
    bench.core.set_reg(2, 300);
    bench.core.set_reg(8, 16);
    bench.core.add_breakpoint(at);
    bench.core.set_pc(start);
    const std::uint64_t before = bench.core.cycles();
    REQUIRE(bench.core.run(1'000'000) == models::core::Stop::Breakpoint);
    return bench.core.cycles() - before;
}

inline void check_cases(const models::core::CoreConfig& config,
                        const std::vector<PipelineCase>& cases) {
    for (const PipelineCase& one : cases) {
        CAPTURE(one.row);
        CAPTURE(one.text);
        CHECK(straight_cycles(config, one.code) == one.cycles);
    }
}

/// Each parameter of a pipeline at its least value, with instructions of every class: time may
/// change by a few cycles, and does not run away.
template <typename Parameters>
void check_least_values(const models::core::CoreConfig& config,
                        Parameters models::core::CoreConfig::*member) {
    // tbb [pc, r3]; ldr r3, [r0]; ldr r4, [r0, #4]; ldrex r5, [r0]; nop; ldr; strex r6, r3, [r0];
    // str; ldr; ldrb r5, [r0, r8]; ldm r0, {r4, r5}; b (next); udiv r6, r0, r1; mrs r6, apsr; dmb;
    // cmp; it eq; moveq; mla; ldr r4, [r0, #1]; vdiv s0, s1, s2; vadd s3, s4, s5; vsqrt s0, s1;
    // vfma s0, s1, s2; vmul s3, s0, s5; vldr s0, [r0]; vmov r3, s0; vmov s0, r3
    const std::vector<std::uint16_t> code = {
        0xE8DF, 0xF003, 0x0101, 0x6803, 0x6844, 0xE850, 0x5F00, 0xBF00, 0x6803, 0xE840,
        0x3600, 0x6003, 0x6844, 0xF810, 0x5008, 0xE890, 0x0030, 0xE7FF, 0xFBB0, 0xF6F1,
        0xF3EF, 0x8600, 0xF3BF, 0x8F5F, 0x45C9, 0xBF08, 0x2402, 0xFB04, 0x3305, 0xF8D0,
        0x4001, 0xEE80, 0x0A81, 0xEE72, 0x1A22, 0xEEB1, 0x0AE0, 0xEEA0, 0x0A81, 0xEE60,
        0x1A22, 0xED90, 0x0A00, 0xEE10, 0x3A10, 0xEE00, 0x3A10};
    constexpr std::uint64_t kFew = 40;
    const std::uint64_t usual = straight_cycles(config, code);
    models::core::CoreConfig changed = config;
    Parameters& parameters = changed.*member;
    parameters.visit(parameters, [&](models::Parameter& parameter) {
        CAPTURE(parameter.name);
        const double before = parameter.value;
        parameter.value = parameter.unit.range.least;
        CHECK(straight_cycles(changed, code) < usual + kFew);
        parameter.value = before;
    });
}

/// Returns the cycles of one round of `loop`, which counts r2 down and ends with a branch back.
inline double round_cycles(const models::core::CoreConfig& config,
                           const std::vector<std::uint16_t>& loop,
                           std::uint32_t start = BenchBus::kCode) {
    const auto rounds = [&](std::uint16_t count) {
        std::vector<std::uint16_t> code = {static_cast<std::uint16_t>(0x2200 | count)};  // movs r2
        code.insert(code.end(), loop.begin(), loop.end());
        return static_cast<double>(straight_cycles(config, code, start - 2));
    };
    return (rounds(250) - rounds(50)) / 200;
}

}  // namespace n6vp::tests
