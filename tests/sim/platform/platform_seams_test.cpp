// SPDX-License-Identifier: Apache-2.0
// Banks that lie side by side: accesses, code and master bursts at their borders.
#include <numeric>

#include "tests/models/probe.h"
#include "tests/sim/platform/platform_bench.h"

using namespace n6vp;
using namespace n6vp::test;

namespace {

/// Borders: FLEXMEM and AXISRAM1, AXISRAM3 and AXISRAM4.
constexpr std::uint32_t kSeams[] = {0x34064000, 0x34270000};

Thumb unaligned(std::uint32_t seam, bool caches) {
    Thumb program;
    if (caches) program.caches();
    return program.set(1, seam - 2).set(0, 0x44332211).store(0, 1).set(0, 0).load(0, 1).end();
}

}  // namespace

TEST_CASE("seams: an unaligned word is half in either bank") {
    for (const bool caches : {false, true}) {
        CAPTURE(caches);
        static Chip chip;
        for (const std::uint32_t seam : kSeams) {
            CAPTURE(seam);
            chip.platform.reset();
            chip.load(unaligned(seam, caches));
            chip.platform.reset();
            CHECK(chip.run() == 0x44332211);
            CHECK((chip.word(seam - 4) >> 16) == 0x2211);
            CHECK((chip.word(seam) & 0xFFFF) == 0x4433);
        }
        CHECK(chip.faults.empty());
    }
}

TEST_CASE("seams: code runs over them") {
    Chip chip;
    Thumb chain;
    constexpr unsigned kSteps = 64;
    for (unsigned i = 0; i < kSteps; ++i) chain.add(0, 1);
    chain.ret();
    Thumb program;
    program.caches().set(0, 0);
    for (const std::uint32_t seam : kSeams) {
        // Half of the steps before the seam; then a 32-bit instruction across it.
        REQUIRE(chip.platform.load(GuestAddr{seam - kSteps}, chain.bytes()));
        program.call(seam - kSteps);
    }
    CHECK(chip.run(program.end()) == 2 * kSteps);
    CHECK(chip.faults.empty());
}

TEST_CASE("seams: a 32-bit instruction half in either bank") {
    for (const std::uint32_t seam : kSeams) {
        static Chip chip;
        chip.platform.reset();
        // ADD.W r0, r0, #7 at seam - 2
        REQUIRE(
            chip.platform.load(GuestAddr{seam - 2}, Thumb().raw({0xF100, 0x0007}).ret().bytes()));
        chip.load(Thumb().caches().set(0, 1).call(seam - 2).end());
        chip.platform.reset();
        CHECK(chip.run() == 8);
    }
}

TEST_CASE("seams: bursts of the NPU end at them and go on behind them") {
    Chip chip;
    Probe npu("npu");
    chip.platform.bind_master(sim::Initiator::Npu0, npu.port);
    chip.platform.elaborate();
    for (const std::uint32_t seam : kSeams) {
        CAPTURE(seam);
        npu.data.resize(64);
        std::iota(npu.data.begin(), npu.data.end(), std::uint8_t{1});
        const std::vector<std::uint8_t> sent = npu.data;
        CHECK(npu.write(seam - 64, 64, 0).ok());
        npu.data = sent;
        CHECK(npu.write(seam, 64, 0).ok());
        std::vector<std::uint8_t> seen(128), expected = sent;
        expected.insert(expected.end(), sent.begin(), sent.end());
        REQUIRE(chip.platform.fetch(GuestAddr{seam - 64}, seen));
        CHECK(seen == expected);
        CHECK(chip.faults.empty());
        // AXI has no burst over a border of 4 KiB: one that crosses is a fault of the master.
        CHECK_FALSE(npu.write(seam - 32, 64, 0).ok());
        REQUIRE(chip.faults.size() == 1);
        CHECK(chip.faults.back().kind == models::AccessFault::Kind::CrossesWindow);
        CHECK(chip.faults.back().initiator == sim::number(sim::Initiator::Npu0));
        chip.faults.clear();
    }
}
