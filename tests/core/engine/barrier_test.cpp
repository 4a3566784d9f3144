// SPDX-License-Identifier: Apache-2.0
// Programs that clean a line with and without a barrier, on caches with data of their own.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "models/core/core.h"
#include "models/core/ir/system.h"
#include "tests/core/diff/flat_bus.h"

using namespace n6vp::models::core;
using n6vp::test::FlatBus;

namespace {

constexpr std::uint32_t kCode = 0x10000000, kData = 0x30000000, kBytes = 0x10000;
constexpr std::uint32_t kEntry = kCode + 0x100, kBuffer = kData + 0x400;
constexpr std::uint32_t kCcr = 0xE000ED14, kCachesOn = 3u << 16, kClean = 0xE000EF68;  // DCCMVAC

struct Bench {
    /// str r1, [r0]; str r0, [r2], which cleans; then `program`.
    explicit Bench(const std::vector<std::uint16_t>& program) : core(config(), bus) {
        bus.add(kCode, kBytes);
        bus.add(kData, kBytes);
        const std::array<std::uint32_t, 2> vectors{kData + kBytes - 64, kEntry | 1};
        std::memcpy(bus.find(kCode, sizeof vectors), vectors.data(), sizeof vectors);
        const std::array<std::uint16_t, 2> clean{0x6001, 0x6010};
        std::memcpy(bus.find(kEntry, 4), clean.data(), 4);
        std::memcpy(bus.find(kEntry + 4, 2 * program.size()), program.data(), 2 * program.size());
        core.reset();
        CHECK(core.system().write_ppb(core.state(), kCcr, 4, core.cycles(), kCachesOn));
        core.set_reg(0, kBuffer);
        core.set_reg(1, 7);
        core.set_reg(2, kClean);
    }
    static CoreConfig config() {
        CoreConfig config;
        config.system.vector_table = kCode;
        config.timing = Timing::Approx;
        config.coherence = Coherence::Real;
        return config;
    }
    /// What memory, and so every other master, has of the buffer.
    std::uint32_t memory() {
        std::uint32_t value = 0;
        std::memcpy(&value, bus.find(kBuffer, 4), 4);
        return value;
    }

    FlatBus bus;
    Core core;
};

constexpr std::uint16_t kSemihosting = 0xBEAB;

}  // namespace

TEST_CASE("a clean waits for DSB") {
    Bench bench({kSemihosting, 0xF3BF, 0x8F4F, kSemihosting});  // bkpt; dsb sy; bkpt
    CHECK(bench.core.run(10'000) == Stop::Semihosting);
    CHECK(bench.memory() == 0);
    bench.core.skip_breakpoint();
    CHECK(bench.core.run(10'000) == Stop::Semihosting);
    CHECK(bench.memory() == 7);
}

TEST_CASE("no other barrier completes a clean") {
    // dmb sy; isb sy; ssbb; pssbb; bkpt
    Bench bench({0xF3BF, 0x8F5F, 0xF3BF, 0x8F6F, 0xF3BF, 0x8F40, 0xF3BF, 0x8F44, kSemihosting});
    CHECK(bench.core.run(10'000) == Stop::Semihosting);
    CHECK(bench.memory() == 0);
}

TEST_CASE("a DSB that its condition skips is none") {
    // cmp r1, #7; it ne; dsbne; bkpt
    Bench bench({0x2907, 0xBF18, 0xF3BF, 0x8F4F, kSemihosting});
    CHECK(bench.core.run(10'000) == Stop::Semihosting);
    CHECK(bench.memory() == 0);
}

TEST_CASE("a clean without a barrier is complete 500 cycles later, stepped or run") {
    for (const bool stepped : {false, true}) {
        Bench bench({0x3301, 0xE7FD});  // 1: adds r3, #1; b 1b
        while (bench.core.reg(3) == 0) bench.core.step();
        const std::uint64_t start = bench.core.cycles();
        while (bench.core.cycles() < start + 450) {
            if (stepped) {
                bench.core.step();
            } else {
                bench.core.run(10);
            }
            REQUIRE(bench.memory() == 0);
        }
        if (stepped) {
            while (bench.core.cycles() < start + 520) bench.core.step();
        } else {
            bench.core.run(start + 520 - bench.core.cycles());
        }
        CHECK(bench.memory() == 7);
    }
}

TEST_CASE("a core that sleeps has nothing on its way") {
    Bench bench({0xBF30, kSemihosting});  // wfi; bkpt
    CHECK(bench.core.run_awake(10'000) == Stop::Sleep);
    CHECK(bench.memory() == 7);
}
