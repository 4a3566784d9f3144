// SPDX-License-Identifier: Apache-2.0
// What lies behind registers of the whole NPU: coefficients, codebooks, keys, event counters,
// gates.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "models/npu/units/decun.h"
#include "tests/models/npu/machine_copy.h"

using namespace n6vp::models::npu;
using namespace n6vp::test;
using n6vp::models::Picoseconds;
using Kind = NpuEvent::Kind;

namespace {

/// Two frames of fifty indices below seven, three words each, through a codebook of `vectors`.
void expand(MachineBench& bench, std::uint32_t vectors) {
    bench.begin();
    engine(bench, kIn, kInput, kFrom, 50, 2);
    engine(bench, kOut, kOutput, kTo, (49 * 3 + 2) * 2);
    bench.write(0x13000, 0x24);  // DUALIN, page 2
    for (std::uint32_t i = 0; i < 7; ++i) bench.write(0x13800 + 8 * i, 0x00030201 + 0x00101010 * i);
    bench.write(0x13008, 0x00002200 | (vectors - 1));  // of three words, the last of two
    bench.write(0x1300C, 1);                           // of one byte
    bench.write(0x04000, 1);
    bench.write(0x0400C, 14 << 1 | 1);
    bench.write(0x04008 + 4 * 22, 0x01);
    for (std::uint32_t i = 0; i < 100; ++i)
        bench.bus.memory.at_address(kFrom, i) = static_cast<std::uint8_t>(i * 3 % 7);
    bench.set_bits(kOut, 1);
    bench.set_bits(0x13000, 1);
    bench.set_bits(kIn, 1);
    REQUIRE(bench.run_until_idle(6));
}

std::size_t told(const MachineBench& bench, const Limit& limit) {
    return static_cast<std::size_t>(std::ranges::count(bench.events, limit, &NpuEvent::limit));
}

}  // namespace

TEST_CASE("coefficients lie behind a window that moves") {
    MachineBench bench;
    bench.begin();
    bench.write(0x1702C, 1);
    bench.write(0x17400, 0x22221111);  // entry 0
    bench.write(0x17404, 0x00003333);
    bench.write(0x17400 + 8 * 383, 0x0BAD0001);  // entry 383
    bench.write(0x1702C, 0);
    CHECK(bench.read(0x17C00) == 0);  // entry 384
    CHECK(bench.read(0x17400) == 0);
    bench.write(0x17C00, 0x55554444);
    bench.write(0x17C04, 0x00006666);
    bench.write(0x1702C, 1);
    CHECK(bench.read(0x17400) == 0x22221111);
    CHECK(bench.read(0x17404) == 0x00003333);
    CHECK(bench.read(0x17400 + 8 * 383) == 0x0BAD0001);
    CHECK(bench.read(0x17C00) == 0);   // entry 256 now
    bench.write(0x17000, 0x40000000);  // CONFCLR takes TRANSLATEADDR back
    CHECK(bench.read(0x17C00) == 0x55554444);
    CHECK(bench.read(0x17C04) == 0x00006666);
    CHECK(bench.events.empty());
    bench.write(0x17500, 7);
    CHECK(bench.count(Kind::Assumption) == 1);
    CHECK(bench.read(0x17500) == 0);
}

TEST_CASE("the four pages of a codebook lie behind one window") {
    MachineBench bench;
    bench.begin();
    for (std::uint32_t page = 0; page < 4; ++page) {
        bench.write(0x13000, page << 4);
        bench.write(0x13800 + 8 * 5, 100 + page);
        bench.write(0x13804 + 8 * 5, 200 + page);
    }
    for (std::uint32_t page = 0; page < 4; ++page) {
        bench.write(0x13000, page << 4);
        CHECK(bench.read(0x13800 + 8 * 5) == 100 + page);
        CHECK(bench.read(0x13804 + 8 * 5) == 200 + page);
    }
}

TEST_CASE("a reset of the NPU takes coefficients and codebooks away") {
    MachineBench bench;
    bench.begin();
    bench.write(0x1702C, 1);
    bench.write(0x17400, 0x22221111);
    bench.write(0x13800 + 8 * 5, 100);
    bench.npu.reset();
    bench.begin();
    bench.write(0x1702C, 1);
    CHECK(bench.read(0x17400) == 0);
    CHECK(bench.read(0x13800 + 8 * 5) == 0);
    // Another page and back: what stands behind the window comes to it.
    bench.write(0x13000, 1 << 4);
    bench.write(0x13000, 0);
    CHECK(bench.read(0x13800 + 8 * 5) == 0);
}

TEST_CASE("indices become the words of their code vectors") {
    MachineBench bench;
    expand(bench, 7);
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < 100; ++i) {
        for (std::uint32_t word = 0; word < (i % 50 == 49 ? 2u : 3u); ++word)
            REQUIRE(bench.bus.memory.at_address(kTo, at++) == 1 + word + 0x10 * (i * 3 % 7));
    }
    CHECK(told(bench, kIndexBeyondCodebook) == 0);
}

TEST_CASE("an index behind the last code vector is told once, and what it gives is zero") {
    MachineBench bench;
    expand(bench, 6);
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < 49; ++i) {
        for (std::uint32_t word = 0; word < 3; ++word) {
            const std::uint32_t index = i * 3 % 7;
            const std::uint32_t wanted = index < 6 ? 1 + word + 0x10 * index : 0;
            REQUIRE(bench.bus.memory.at_address(kTo, at++) == wanted);
        }
    }
    CHECK(told(bench, kIndexBeyondCodebook) == 1);
}

TEST_CASE("a key is valid when its four words were written") {
    MachineBench bench;
    bench.begin();
    for (const std::uint32_t offset : {0x24u, 0x28u, 0x2Cu, 0x14u, 0x18u}) {
        bench.write(0x02000 + offset, 0x12345678);
        CHECK(bench.read(0x02000) == 1);
    }
    bench.write(0x02030, 0);
    CHECK(bench.read(0x02000) == 0x00020001);
    CHECK(bench.read(0x02030) == 0);
    CHECK(bench.read(0x03000) == 1);
    bench.npu.reset();
    CHECK(bench.read(0x02000) == 0);
}

TEST_CASE("CONFCLR of a bus interface takes its keys back, the other's stay") {
    MachineBench bench;
    bench.begin();
    for (std::uint32_t word = 0; word < 4; ++word) {
        bench.write(0x02014 + 4 * word, 1);  // KEY0 of the first
        bench.write(0x03014 + 4 * word, 1);
    }
    for (std::uint32_t word = 0; word < 3; ++word) bench.write(0x02024 + 4 * word, 1);  // KEY1
    CHECK(bench.read(0x02000) == 0x00010001);
    bench.write(0x02000, 0x40000000);
    CHECK(bench.read(0x02000) == 0);
    CHECK(bench.read(0x03000) == 0x00010001);
    bench.write(0x02030, 1);  // the fourth of KEY1, whose other three are gone
    CHECK(bench.read(0x02000) == 0);
}

TEST_CASE("writes without a clock and accesses between registers are told") {
    MachineBench bench;
    bench.write(0x05008, 4);
    bench.write(0x0500C, 4);
    CHECK(bench.count(Kind::GatedWrite) == 1);
    CHECK(contains(bench.text_of(Kind::GatedWrite), "STRENG0: was written at offset 0x00005008"));
    CHECK(bench.read(0x05FF0) == 0);
    CHECK(contains(bench.text_of(Kind::NoRegister), "STRENG0: no register at offset 0x00005ff0"));
    bench.write(0x20000, 1);
    CHECK(bench.count(Kind::NoRegister) == 2);
}

TEST_CASE("event counters count bursts, cycles and links that do not stall or have a word") {
    MachineBench bench;
    bench.begin();
    configure_copy(bench, 5000);
    constexpr std::uint32_t kCounters = 0x1F084;
    std::uint64_t seen[2][8] = {};
    bench.bus.on_burst = [&seen](const EngineBurst& burst, bool write) {
        int length = 0;
        while (1u << length < burst.beats) ++length;
        ++seen[burst.engine / 5][(write ? 4 : 0) + length];
    };
    const auto event = [](std::uint32_t signal, std::uint32_t type) {
        return 1u | signal << 1 | type << 14;
    };
    const std::uint32_t events[] = {event(276, 2), event(278, 2), event(280, 1), event(282, 2),
                                    event(290, 2), event(1, 1),   event(2, 0),   event(84, 0),
                                    event(3, 0),   event(277, 2), event(400, 2), event(56, 1),
                                    event(57, 1),  event(166, 1)};
    for (std::uint32_t i = 0; i < 14; ++i) bench.write(0x1F040 + 4 * i, events[i]);
    CHECK(bench.events.empty());  // nothing counts while the unit is off
    bench.write(0x1F000, 1);
    CHECK(contains(bench.text_of(Kind::Refused), "DEBUG_TRACE: EVENT.SEL is not computed"));
    const Picoseconds began = bench.now;
    bench.set_bits(kOut, 1);
    const Picoseconds output_began = bench.now;
    bench.set_bits(kIn, 1);
    const Picoseconds input_began = bench.now;
    // A program of two words: its header is a fetch of its own.
    bench.bus.store(0x34000000, blob_bytes({0x3D, 0x0C}));
    bench.write(0x1E008, 0x34000000);
    bench.write(0x1E000, 1);
    CHECK(bench.run_until_idle(6));
    bench.now += 1000 * kCycle;
    const auto counter = [&bench](std::uint32_t i) { return bench.read(kCounters + 4 * i); };
    for (std::uint32_t i = 0; i < 4; ++i) {
        CAPTURE(i);
        CHECK(counter(i) == seen[0][i]);
    }
    CHECK(counter(4) == seen[0][7]);
    CHECK(seen[0][3] > 70);
    CHECK(seen[0][7] > 70);
    CHECK(counter(9) == 2);
    CHECK(counter(10) == 0);
    // Enabled but idle counts, and nothing stalls here but a little of what is read ahead.
    const auto cycles_since = [&bench](Picoseconds since) { return cycles(bench.now - since); };
    const std::uint32_t all = counter(5);
    CHECK(all == doctest::Approx(cycles_since(began)).epsilon(0.0002));
    const std::uint32_t output = counter(7);
    CHECK(output == doctest::Approx(cycles_since(output_began)).epsilon(0.0002));
    const std::uint32_t input = counter(6);
    CHECK(input <= cycles_since(input_began));
    CHECK(input >= cycles_since(input_began) - 100);
    CHECK(counter(8) == 0);
    // A word is one cycle of the link's valid signal: an element each.
    CHECK(counter(11) == 5000);
    CHECK(counter(12) == 0);
    CHECK(counter(13) == 5000);
    // A counter goes on from what is written to it, and stays when it is switched off.
    bench.write(kCounters + 4 * 5, 7);
    bench.now += 100 * kCycle;
    CHECK(counter(5) == 7 + 120);  // an access takes 20
    bench.write(0x1F040 + 4 * 5, 0);
    const std::uint32_t kept = counter(5);
    bench.now += 100 * kCycle;
    CHECK(counter(5) == kept);
    bench.write(0x1F000, 3);  // CLR
    CHECK(counter(0) == 0);
    CHECK(counter(5) == 0);
}

namespace {

constexpr std::uint32_t kEvents = 0x1F040, kCounts = 0x1F084;

/// EVENT: enabled, of a signal that counts while it is low (0), high (1) or rises (2).
constexpr std::uint32_t event_of(std::uint32_t signal, std::uint32_t type) {
    return 1u | signal << 1 | type << 14;
}

/// Counter 0 for a signal, and a program that polls a bit of it for 1 and then sets a label.
void poll_counter(MachineBench& bench, std::uint32_t event, std::uint32_t bit) {
    bench.begin();
    bench.write(kEvents, event);
    EcAssembler code;
    code.write(31, 0, 1).poll(31, 0x84, bit, 1).label(9);
    bench.bus.store(0x34000000, blob_bytes(code.words()));
    bench.write(0x1E008, 0x34000000);
    bench.write(0x1E000, 1);
}

}  // namespace

TEST_CASE("a poll of a counter sees it go on") {
    MachineBench bench;
    Picoseconds seen = 0;
    bench.npu.on_label = [&seen](std::uint32_t, Picoseconds at) { seen = at; };
    poll_counter(bench, event_of(1, 1), 9);  // cycles: 512 of them
    const Picoseconds began = bench.now;
    REQUIRE(bench.run_until([&seen] { return seen != 0; }));
    // Header and the write before it take three fetches of 16 cycles, the label one more.
    CHECK(cycles(seen - began) >= 512);
    CHECK(cycles(seen - began) <= 512 + 5 * 16);
    CHECK(bench.count(Kind::Deadlock) == 0);
}

TEST_CASE("a poll of a counter that stands still is a deadlock") {
    MachineBench bench;
    poll_counter(bench, event_of(276, 2), 0);  // single beats read by master 0: there are none
    const Picoseconds began = bench.now;
    CHECK(bench.run_until([&bench, began] { return bench.npu.due() > began + 300000 * kCycle; }));
    REQUIRE(bench.count(Kind::Deadlock) == 1);
    CHECK(bench.events.back().at >= began + 100000 * kCycle);
    CHECK(bench.events.back().at <= began + 100100 * kCycle);
    CHECK(contains(bench.text_of(Kind::Deadlock), "polls 0x0001f084 of the window"));
    // It is over when there is one.
    configure_copy(bench, 3);
    bench.set_bits(kOut, 1);
    bench.set_bits(kIn, 1);
    CHECK(bench.run_until([&bench] { return !bench.npu.program_running(); }));
    CHECK(bench.count(Kind::Deadlock) == 1);
}

TEST_CASE("counters of cycles keep what they counted with another clock") {
    MachineBench bench;
    bench.begin();
    configure_copy(bench, 100);
    bench.write(kEvents, event_of(1, 1));
    bench.write(kEvents + 4, event_of(84, 0));  // the link of STRENG1 does not stall
    bench.write(0x1F000, 1);
    bench.set_bits(kOut, 1);
    const std::uint32_t all = bench.read(kCounts);
    const std::uint32_t output = bench.read(kCounts + 4);
    bench.now += 100 * kCycle;
    bench.npu.run_until(bench.now);
    bench.npu.set_cycle(4 * kCycle);
    bench.now += 400 * kCycle;
    // The reads themselves take 20 cycles of the first clock, five of the second.
    CHECK(bench.read(kCounts) == all + 20 + 100 + 100 + 5);
    CHECK(bench.read(kCounts + 4) == output + 100 + 100 + 5 + 5);
    bench.npu.set_cycle(kCycle);
    CHECK(bench.read(kCounts) == all + 20 + 100 + 100 + 5 + 5 + 20);
}
