// SPDX-License-Identifier: Apache-2.0
// Loops of one block: what they pay for their fetches each time round.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "models/core/core.h"
#include "models/core/ir/system.h"
#include "tests/core/diff/flat_bus.h"

using namespace n6vp::models::core;
using n6vp::test::FlatBus;

namespace {

constexpr std::uint32_t kCode = 0x10000000, kData = 0x30000000, kBytes = 0x20000;
constexpr std::uint32_t kLoop = kCode + 0x1000;
constexpr std::uint32_t kCcr = 0xE000ED14, kCachesOff = 0, kCachesOn = 3u << 16;
/// Of a fetch past the cache from memory that answers at once: request and answer.
constexpr std::uint64_t kFetch = 2 + 2;

struct Bench {
    Bench() : core(config(), bus) {
        const std::array<std::uint32_t, 2> vectors{kData + kBytes - 64, kCode + 0x101};
        std::memcpy(bus.find(kCode, sizeof vectors), vectors.data(), sizeof vectors);
        // subs r0, #1; bne; bx lr
        const std::array<std::uint16_t, 3> loop{0x3801, 0xD1FD, 0x4770};
        std::memcpy(bus.find(kLoop, sizeof loop), loop.data(), sizeof loop);
        core.reset();
    }
    static CoreConfig config() {
        CoreConfig config;
        config.system.vector_table = kCode;
        config.timing = Timing::Approx;
        return config;
    }
    void set_caches(std::uint32_t ccr) {
        REQUIRE(core.system().write_ppb(core.state(), kCcr, 4, core.cycles(), ccr));
    }
    /// Cycles of a thousand rounds, without the way in and out.
    std::uint64_t thousand_rounds() {
        cycles_of(1);  // brings the line
        const std::uint64_t once = cycles_of(1'000);
        return cycles_of(2'000) - once;
    }
    std::uint64_t cycles_of(std::uint32_t rounds) {
        const std::array<std::uint32_t, 1> arguments{rounds};
        const std::uint64_t before = core.cycles();
        REQUIRE(core.call(kLoop, arguments, 1'000'000) == Stop::Returned);
        return core.cycles() - before;
    }

    struct Memory : FlatBus {
        Memory() {
            add(kCode, kBytes);
            add(kData, kBytes);
        }
    } bus;
    Core core;
};

}  // namespace

TEST_CASE("a loop of one block without instruction cache fetches its code each time round") {
    Bench bench;
    bench.set_caches(kCachesOn);
    const std::uint64_t cached = bench.thousand_rounds();
    // Its link past the fetch must go with the cache.
    bench.set_caches(kCachesOff);
    CHECK(bench.thousand_rounds() == cached + 1'000 * kFetch);
    bench.set_caches(kCachesOn);
    CHECK(bench.thousand_rounds() == cached);
}
