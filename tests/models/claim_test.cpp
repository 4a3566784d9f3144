// SPDX-License-Identifier: Apache-2.0
// Bytes that somebody works on: direct memory and collisions.
#include <doctest/doctest.h>

#include "tests/models/fabric_bench.h"

using namespace n6vp;
using namespace n6vp::models;
using n6vp::test::FabricBench;

namespace {
constexpr std::uint32_t kLow = FabricBench::kLow, kAlias = FabricBench::kAlias;
}

TEST_CASE("a buffer being written must not be touched, one being read not be written") {
    FabricBench bench;
    const Bus::Claim output = bench.bus.claim(1, 0, 0x100, 0x40, true, "epoch 3, output");
    const Bus::Claim input = bench.bus.claim(1, 0, 0x200, 0x40, false, "epoch 3, input");
    bench.first.read(kLow + 0xFC, 4, 0);
    bench.first.read(kLow + 0x140, 4, 0);
    bench.first.read(kLow + 0x200, 4, 0);
    CHECK(bench.collisions.empty());
    bench.first.read(kAlias + 0xFD, 4, 0);  // the last byte of it
    bench.first.write(kLow + 0x23F, 1, 0);
    bench.second.write(kLow + 0x100, 8, 0);  // its own
    REQUIRE(bench.collisions.size() == 2);
    CHECK(bench.collisions[0].address == kAlias + 0xFD);
    CHECK(bench.collisions[0].user == 1);
    CHECK(bench.collisions[0].initiator == 0);
    CHECK(bench.collisions[0].being_written);
    CHECK_FALSE(bench.collisions[0].write);
    CHECK(std::string(bench.collisions[0].claim) == "epoch 3, output");
    CHECK(bench.collisions[1].write);
    CHECK_FALSE(bench.collisions[1].being_written);
    bench.bus.release(output);
    bench.first.read(kLow + 0x100, 4, 0);
    CHECK(bench.collisions.size() == 2);
    bench.first.write(kLow + 0x200, 4, 0);
    CHECK(bench.collisions.size() == 3);
    bench.bus.release(input);
    bench.first.write(kLow + 0x200, 4, 0);
    CHECK(bench.collisions.size() == 3);
}

TEST_CASE("pages in use leave direct memory at both aliases and come back") {
    FabricBench bench;
    for (std::uint32_t page = 0; page < 6; ++page) bench.touch(kLow + page * 0x1000);
    CHECK(FabricBench::direct(bench.first, tlm::TLM_READ_COMMAND, kLow).end == kLow + 0x5FFF);
    const unsigned before = bench.first.invalidations;
    const Bus::Claim claim = bench.bus.claim(1, 0, 0x2FF0, 0x20, true, "output");
    CHECK(bench.first.invalidations == before + 2);
    for (const std::uint32_t base : {kLow, kAlias}) {
        for (const std::uint32_t page : {0x2000u, 0x3000u}) {
            CHECK_FALSE(
                FabricBench::direct(bench.first, tlm::TLM_READ_COMMAND, base + page).granted);
        }
        const auto below = FabricBench::direct(bench.first, tlm::TLM_READ_COMMAND, base + 0x10);
        CHECK(below.start == base);
        CHECK(below.end == base + 0x1FFF);
        const auto above = FabricBench::direct(bench.second, tlm::TLM_READ_COMMAND, base + 0x5000);
        CHECK(above.start == base + 0x4000);
        CHECK(above.end == base + 0x5FFF);
    }
    bench.first.read(kLow + 0x2000, 4, 0);
    CHECK_FALSE(bench.first.direct_allowed);
    bench.bus.release(claim);
    CHECK(bench.first.invalidations == before + 4);
    CHECK(FabricBench::direct(bench.first, tlm::TLM_READ_COMMAND, kLow + 0x2000).granted);
    bench.first.read(kLow + 0x2000, 4, 0);
    CHECK(bench.first.direct_allowed);
}

TEST_CASE("claims may overlap; numbers are used again; an empty one is nothing") {
    FabricBench bench;
    const Bus::Claim one = bench.bus.claim(1, 0, 0, 0x1000, false, "one");
    const Bus::Claim two = bench.bus.claim(1, 0, 0x800, 0x1000, false, "two");
    CHECK(one != two);
    bench.first.write(kLow + 0x900, 4, 0);
    CHECK(bench.collisions.size() == 2);
    bench.bus.release(one);
    bench.bus.release(one);
    CHECK_FALSE(FabricBench::direct(bench.first, tlm::TLM_WRITE_COMMAND, kLow).granted);
    CHECK(bench.bus.claim(1, 0, 0x4000, 4, true, "three") == one);
    CHECK(bench.bus.claim(1, 0, 0x5000, 0, true, "none") != two);
    bench.first.write(kLow + 0x5000, 4, 0);
    CHECK(bench.collisions.size() == 2);
    bench.bus.reset();
    bench.first.write(kLow + 0x4000, 4, 0);
    bench.first.write(kLow + 0x900, 4, 0);
    CHECK(bench.collisions.size() == 2);
    CHECK(FabricBench::direct(bench.first, tlm::TLM_WRITE_COMMAND, kLow).granted);
}

TEST_CASE("a claim of no bytes does not share its number with the next one") {
    FabricBench bench;
    const Bus::Claim nothing = bench.bus.claim(1, 0, 0x100, 0, true, "nothing");
    const Bus::Claim output = bench.bus.claim(1, 0, 0x100, 0x40, true, "output");
    CHECK(nothing != output);
    bench.bus.release(nothing);
    bench.first.read(kLow + 0x100, 4, 0);
    CHECK(bench.collisions.size() == 1);
    bench.bus.release(output);
    bench.first.read(kLow + 0x100, 4, 0);
    CHECK(bench.collisions.size() == 1);
}
