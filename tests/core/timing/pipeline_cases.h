// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

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
