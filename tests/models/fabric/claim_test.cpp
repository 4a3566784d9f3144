// SPDX-License-Identifier: Apache-2.0
// Bytes that somebody works on: direct memory and collisions.
#include <doctest/doctest.h>

#include <functional>
#include <utility>
#include <vector>

#include "tests/models/fabric/fabric_bench.h"

using namespace n6vp;
using namespace n6vp::models;
using n6vp::test::FabricBench;
using n6vp::test::Gate;

namespace {

constexpr std::uint32_t kLow = FabricBench::kLow, kAlias = FabricBench::kAlias;

/// An initiator that runs ahead: notes how far, and lets happen what the test says.
class Ahead : public RunsAhead {
  public:
    std::vector<Picoseconds> delays;
    std::function<void()> others;

    void synchronise(sc_core::sc_time& delay) override {
        delays.push_back(delay.value());
        if (others) others();
        delay = to_sc_time(1'000);
    }
};

}  // namespace

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
    CHECK(bench.collisions[0].at == 0);
    CHECK(bench.collisions[1].write);
    CHECK_FALSE(bench.collisions[1].being_written);
    bench.bus.release(output);
    bench.first.read(kLow + 0x100, 4, 0);
    CHECK(bench.collisions.size() == 2);
    bench.first.write(kLow + 0x200, 4, 12'345);  // from ahead of kernel time
    REQUIRE(bench.collisions.size() == 3);
    CHECK(bench.collisions[2].at == 12'345);
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

TEST_CASE("claims may overlap, numbers are used again, an empty one is nothing") {
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

TEST_CASE("who runs ahead lets others go first in pages in use, and there only") {
    FabricBench bench;
    Ahead ahead;
    bench.first.runs_ahead = &ahead;
    const Picoseconds alone = bench.first.read(kLow + 0x2000, 4, 1'000).last;
    const Bus::Claim claim = bench.bus.claim(1, 0, 0x1100, 0x40, false, "input");
    bench.first.read(kLow, 4, 5'000);
    bench.first.read(kLow + 0x2000, 4, 5'000);
    CHECK(ahead.delays.empty());
    // What is left of the delay counts; the page is enough, at both aliases, for reads and writes.
    CHECK(bench.first.read(kLow + 0x1000, 4, 500'000).last < alone + 100'000);
    bench.first.write(kAlias + 0x1FF8, 8, 600'000);
    bench.first.read(kLow + 0xFFC, 8, 700'000);
    CHECK(ahead.delays == std::vector<Picoseconds>{500'000, 600'000, 700'000});
    bench.bus.release(claim);
    bench.first.read(kLow + 0x1000, 4, 0);
    CHECK(ahead.delays.size() == 3);
}

TEST_CASE("what others did first holds for the access: claims, filters, the port's window") {
    FabricBench bench;
    Gate gate;
    gate.otherwise = AccessFilter::Verdict::Error;
    bench.bus.add_filter(0, gate);
    Ahead ahead;
    bench.first.runs_ahead = &ahead;
    const Bus::Claim claim = bench.bus.claim(1, 0, 0x100, 0x40, true, "output");
    ahead.others = [&bench] {
        // Another transaction of the same port goes to another target meanwhile.
        RunsAhead* const kept = std::exchange(bench.first.runs_ahead, nullptr);
        std::vector<std::uint8_t> data = std::exchange(bench.first.data, {1, 2, 3, 4});
        bench.first.write(FabricBench::kHigh, 4, 0);
        bench.first.data = std::move(data);
        bench.first.runs_ahead = kept;
    };
    bench.first.data = {9, 9, 9, 9};
    REQUIRE(bench.first.write(kLow + 0x100, 4, 0).ok());
    CHECK(bench.collisions.size() == 1);
    bench.first.debug(tlm::TLM_READ_COMMAND, kLow + 0x100, 4);
    CHECK(bench.first.data == std::vector<std::uint8_t>{9, 9, 9, 9});
    bench.first.debug(tlm::TLM_READ_COMMAND, FabricBench::kHigh, 4);
    CHECK(bench.first.data == std::vector<std::uint8_t>{1, 2, 3, 4});
    ahead.others = [&bench, &gate] {
        gate.open_from = 0x8000;
        bench.bus.filter_changed(0);
    };
    CHECK_FALSE(bench.first.read(kLow + 0x100, 4, 0).ok());
    ahead.others = [&bench, &gate, claim] {
        gate.open_from = 0;
        bench.bus.release(claim);
    };
    CHECK(bench.first.read(kLow + 0x100, 4, 0).ok());
    CHECK(bench.first.direct_allowed);
    CHECK(bench.collisions.size() == 1);
}

TEST_CASE("a claim of no bytes at the start of a memory does not take all of it") {
    FabricBench bench;
    bench.touch(kLow);
    const Bus::Claim nothing = bench.bus.claim(1, 0, 0, 0, true, "nothing");
    bench.first.read(kLow, 4, 0);
    bench.first.read(kLow + 0x8000, 4, 0);
    CHECK(bench.collisions.empty());
    CHECK(FabricBench::direct(bench.first, tlm::TLM_READ_COMMAND, kLow).granted);
    bench.bus.release(nothing);
}

TEST_CASE("buffers in use that nobody wants to hear of are read as others") {
    FabricBench bench;
    bench.bus.on_buffer_in_use = nullptr;
    bench.bus.claim(1, 0, 0x100, 0x40, true, "output");
    bench.first.data = {1, 2, 3, 4};
    CHECK(bench.first.write(kLow + 0x100, 4, 0).ok());
    CHECK(bench.first.read(kLow + 0x100, 4, 0).ok());
    CHECK(bench.first.data == std::vector<std::uint8_t>{1, 2, 3, 4});
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
