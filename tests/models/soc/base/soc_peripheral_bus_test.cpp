// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <stdexcept>

#include "models/soc/base/peripheral_bus.h"
#include "tests/models/probe.h"
#include "tests/models/soc/soc_bench.h"

using namespace n6vp;
using namespace n6vp::models;
using namespace n6vp::test;

namespace {

/// A block of 64 B with both aliases and one with the secure alias only; reads take 70 ns, writes
/// 50 ns through two entries.
struct BusBench {
    BusBench() {
        probe.port.bind(bus.port);
        bus.add(words, GuestAddr{0x50000000}, 64);
        bus.add(secret, GuestAddr{0x54025000}, 64, true);
        bus.on_fault = [this](const AccessFault& fault) { faults.push_back(fault); };
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    Probe::Answer write(std::uint32_t at, std::vector<std::uint8_t> bytes, Picoseconds start) {
        const auto count = static_cast<std::uint32_t>(bytes.size());
        probe.data = std::move(bytes);
        return probe.write(at, count, start);
    }
    RecordingLog log;
    Words words{"WORDS"}, secret{"SECRET"};
    PeripheralBus bus{"bus", {}, log};
    Probe probe{"probe"};
    std::vector<AccessFault> faults;
};

}  // namespace

TEST_CASE("peripheral bus: both aliases reach the block, one alias only where it has one") {
    BusBench bench;
    REQUIRE(bench.write(0x50000008, {0x78, 0x56, 0x34, 0x12}, 0).ok());
    CHECK(bench.words.word[2] == 0x12345678);
    REQUIRE(bench.probe.read(0x40000008, 4, 0).ok());
    CHECK(bench.probe.data == std::vector<std::uint8_t>{0x78, 0x56, 0x34, 0x12});
    REQUIRE(bench.write(0x54025000, {1, 0, 0, 0}, 0).ok());
    CHECK(bench.secret.word[0] == 1);
    REQUIRE(bench.probe.read(0x44025000, 4, 0).ok());
    CHECK(bench.probe.data == std::vector<std::uint8_t>{0, 0, 0, 0});
    CHECK_FALSE(bench.log.seen.back().modelled);
}

TEST_CASE("peripheral bus: a debugger reads what reading does not change, and leaves no trace") {
    BusBench bench;
    bench.words.word[1] = 0xAABBCCDD;
    CHECK_FALSE(bench.bus.peek(GuestAddr{0x50000004}));
    bench.words.free = true;
    const auto answer = bench.bus.peek(GuestAddr{0x50000004});
    REQUIRE(answer);
    CHECK(answer->value == 0xAABBCCDD);
    CHECK(bench.bus.peek(GuestAddr{0x40000004})->value == 0xAABBCCDD);
    CHECK_FALSE(bench.bus.peek(GuestAddr{0x58000000}));
    CHECK(bench.log.seen.empty());
    CHECK(bench.faults.empty());
}

TEST_CASE("peripheral bus: bytes and halfwords are parts of a word") {
    BusBench bench;
    bench.words.word[1] = 0xAABBCCDD;
    REQUIRE(bench.write(0x50000006, {0x11, 0x22}, 0).ok());
    CHECK(bench.words.word[1] == 0x2211CCDD);
    REQUIRE(bench.write(0x50000005, {0x33}, 0).ok());
    CHECK(bench.words.word[1] == 0x221133DD);
    REQUIRE(bench.probe.read(0x50000007, 1, 0).ok());
    CHECK(bench.probe.data[0] == 0x22);
    CHECK(bench.log.seen.back().offset == 4);
    CHECK(bench.log.seen.back().address == 0x50000007);
}

TEST_CASE("peripheral bus: a double word is two registers, in order") {
    BusBench bench;
    REQUIRE(bench.write(0x50000010, {1, 0, 0, 0, 2, 0, 0, 0}, 0).ok());
    CHECK(bench.words.word[4] == 1);
    CHECK(bench.words.word[5] == 2);
    REQUIRE(bench.log.seen.size() == 2);
    CHECK(bench.log.seen[0].offset == 0x10);
    CHECK(bench.log.seen[1].offset == 0x14);
}

TEST_CASE("timing: two writes are posted, the third waits for an entry, a read for all") {
    BusBench bench;
    CHECK(bench.write(0x50000000, {0, 0, 0, 0}, 1'000'000).last == 1'000'000);
    CHECK(bench.words.last_at == 1'050'000);
    CHECK(bench.write(0x50000000, {0, 0, 0, 0}, 1'000'000).last == 1'000'000);
    CHECK(bench.words.last_at == 1'100'000);
    // The first entry is free again after 50 ns.
    CHECK(bench.write(0x50000000, {0, 0, 0, 0}, 1'000'000).last == 1'050'000);
    CHECK(bench.words.last_at == 1'150'000);
    CHECK(bench.probe.read(0x50000000, 4, 1'060'000).last == 1'150'000 + 70'000);
    CHECK(bench.probe.read(0x50000000, 4, 2'000'000).last == 2'070'000);
}

TEST_CASE("timing: a write says when it takes effect, without time that is when it arrives") {
    BusBench bench;
    bench.probe.untimed = true;
    for (int i = 0; i < 4; ++i) {
        const Probe::Answer answer = bench.write(0x50000000, {0, 0, 0, 0}, 1'000'000);
        CHECK(answer.last == 1'000'000);
        CHECK(answer.effect == 1'000'000);
        CHECK(bench.words.last_at == 1'000'000);
    }
    CHECK(bench.probe.read(0x50000000, 4, 1'000'000).last == 1'000'000);
    bench.probe.untimed = false;
    CHECK(bench.write(0x50000000, {0, 0, 0, 0}, 1'000'000).effect == 1'050'000);
    CHECK(bench.words.last_at == 1'050'000);
}

TEST_CASE("timing: after a reset the write buffer is empty") {
    BusBench bench;
    for (int i = 0; i < 4; ++i) (void)bench.write(0x50000000, {0, 0, 0, 0}, 0);
    bench.bus.reset();
    CHECK(bench.probe.read(0x50000000, 4, 0).last == 70'000);
}

TEST_CASE("peripheral bus: a hole answers zero, is logged, and is a bus error in strict runs") {
    BusBench bench;
    bench.probe.data = {9, 9, 9, 9};
    REQUIRE(bench.probe.read(0x50000040, 4, 0).ok());
    CHECK(bench.probe.data == std::vector<std::uint8_t>{0, 0, 0, 0});
    REQUIRE(bench.log.seen.size() == 1);
    CHECK(bench.log.seen[0].address == 0x50000040);
    CHECK(std::string(bench.log.seen[0].block).empty());
    bench.log.strict = true;
    CHECK_FALSE(bench.probe.read(0x50000040, 4, 0).ok());
    CHECK_FALSE(bench.write(0x50000040, {1, 1, 1, 1}, 0).ok());
    CHECK(bench.probe.read(0x50000000, 4, 0).ok());
}

TEST_CASE("peripheral bus: filters answer in the block's place and say why") {
    BusBench bench;
    FixedGuard filter;
    bench.bus.add_filter(bench.words, filter);
    bench.words.word[3] = 5;
    CHECK(bench.probe.read(0x5000000C, 4, 0).ok());
    filter.verdict = AccessFilter::Verdict::Zero;
    REQUIRE(bench.probe.read(0x4000000C, 4, 0).ok());
    CHECK(bench.probe.data == std::vector<std::uint8_t>{0, 0, 0, 0});
    REQUIRE(bench.write(0x5000000C, {7, 0, 0, 0}, 0).ok());
    CHECK(bench.words.word[3] == 5);
    REQUIRE(bench.faults.size() == 2);
    CHECK(bench.faults[0].address == 0x4000000C);
    CHECK(bench.faults[0].answered_zero);
    CHECK(bench.faults[1].write);
    CHECK(std::string(bench.faults[1].reason) == "SWITCH = 0");
    CHECK(filter.asked.back().offset == 0xC);
    filter.verdict = AccessFilter::Verdict::Error;
    CHECK_FALSE(bench.probe.read(0x5000000C, 4, 0).ok());
    CHECK_FALSE(bench.faults.back().answered_zero);
}

TEST_CASE("peripheral bus: overlapping blocks are a mistake of the assembly") {
    BusBench bench;
    Words other{"OTHER"};
    CHECK_THROWS_AS(bench.bus.add(other, GuestAddr{0x5000003C}, 64), std::logic_error);
    bench.bus.add(other, GuestAddr{0x50000040}, 64);
}

TEST_CASE("peripheral bus: accesses take clocks of the bus, whatever its frequency") {
    BusBench bench;
    bench.bus.set_clock_hz(50e6);
    const auto answer = bench.probe.read(0x50000000, 4, 1'000'000);
    CHECK(answer.last == 1'000'000 + 140'000);  // 7 clocks of 20 ns
}
