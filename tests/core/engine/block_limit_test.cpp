// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "models/core/engine/engine.h"
#include "tests/core/engine/bench_core.h"

using namespace n6vp::models::core;
using n6vp::tests::BareSystem;
using n6vp::tests::BenchBus;

namespace {

constexpr std::uint32_t kCode = BenchBus::kCode;
/// Blocks of one round through the program below.
constexpr std::uint32_t kBlocks = 4096;

struct Bench {
    Bench()
        : engine(bus, std::make_unique<BareSystem>(), std::make_unique<UnitIssueModel>(),
                 cortex_m55()) {
        engine.reset();
        // Pairs of adds r0,#1 and b .+2, then back: b.w to the start.
        for (std::uint32_t at = 0; at < kBlocks - 1; ++at)
            bus.program(kCode + 4 * at, {0x3001, 0xE7FF});
        constexpr std::uint32_t kBack = 4 * (kBlocks - 1);
        // b.w T4: displacement -(kBack + 4), J1 = J2 = S = 1
        constexpr std::uint32_t kDistance = 0u - (kBack + 4);
        bus.program(kCode + kBack, {static_cast<std::uint16_t>(0xF400 | (kDistance >> 12 & 0x3FF)),
                                    static_cast<std::uint16_t>(0xB800 | (kDistance >> 1 & 0x7FF))});
        engine.cpu.pc = kCode;
        engine.cpu.thumb = true;
    }
    BenchBus bus;
    Engine engine;
};

}  // namespace

TEST_CASE("decoded code takes no more of the host than its limit, and runs on when it is dropped") {
    Bench bench;
    BlockCache& blocks = bench.engine.blocks;
    // Two micro-ops of 32 bytes at least in every block: the program takes more than four times
    // this.
    blocks.max_host_bytes = std::size_t{kBlocks} * 16;
    std::size_t most = 0;
    constexpr std::uint32_t kRounds = 3, kInstructions = 2 * (kBlocks - 1) + 1;
    while (bench.engine.cpu.instructions < std::uint64_t{kRounds} * kInstructions) {
        CHECK(bench.engine.run(100) == Stop::Budget);
        most = std::max(most, blocks.host_bytes());
    }
    CHECK(most <= blocks.max_host_bytes);
    CHECK(most > blocks.max_host_bytes / 2);
    CHECK(blocks.drops() >= kRounds * 4);
    // Every block runs as a whole: half of the instructions but those that go back are additions.
    const std::uint64_t done = bench.engine.cpu.instructions;
    CHECK(bench.engine.cpu.r[0] == done / kInstructions * (kBlocks - 1) + done % kInstructions / 2);
}

#if defined(__GLIBC__)
TEST_CASE("the limit of decoded code is what the host really gives") {
    Bench bench;
    BlockCache& blocks = bench.engine.blocks;
    blocks.max_host_bytes = std::size_t{512} << 10;
    // A round first: the decoder makes its tables when it meets 16 and 32 bits.
    CHECK(bench.engine.run(std::uint64_t{3} * kBlocks) == Stop::Budget);
    blocks.drop_all();
    blocks.bury();
    const std::size_t before = mallinfo2().uordblks;
    if (before == 0) return;  // a sanitizer's allocator does not tell
    std::size_t most = 0;
    const std::uint64_t drops = blocks.drops();
    for (unsigned part = 0; part < 1000; ++part) {
        CHECK(bench.engine.run(300) == Stop::Budget);
        blocks.bury();  // what was dropped last is freed when the next block is looked for
        most = std::max(most, mallinfo2().uordblks - before);
    }
    CHECK(blocks.drops() > drops + 4);
    CHECK(most > blocks.max_host_bytes / 2);
    CHECK(most < blocks.max_host_bytes * 5 / 4);
}
#endif

TEST_CASE("code below the limit is decoded once") {
    Bench bench;
    const std::uint64_t drops = bench.engine.blocks.drops();
    CHECK(bench.engine.run(std::uint64_t{10} * kBlocks) == Stop::Budget);
    const std::size_t once = bench.engine.blocks.host_bytes();
    CHECK(once >= std::size_t{kBlocks} * 3 * sizeof(MicroOp));
    CHECK(bench.engine.run(std::uint64_t{100} * kBlocks) == Stop::Budget);
    CHECK(bench.engine.blocks.host_bytes() == once);
    CHECK(bench.engine.blocks.drops() == drops);
}

TEST_CASE("what dropped code took is free again") {
    Bench bench;
    CHECK(bench.engine.run(std::uint64_t{100} * kBlocks) == Stop::Budget);
    BlockCache& blocks = bench.engine.blocks;
    const std::size_t all = blocks.host_bytes();
    CHECK(blocks.drop(kCode, kCode + kBlocks / 2 * 4 - 1));
    CHECK(blocks.host_bytes() < all / 2 + all / 16);
    CHECK(blocks.host_bytes() > all / 2 - all / 16);
    blocks.drop_all();
    CHECK(blocks.host_bytes() == 0);
}
