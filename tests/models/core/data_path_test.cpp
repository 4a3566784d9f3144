// SPDX-License-Identifier: Apache-2.0
// The core's data path over one RAM with known latencies: 800 MHz core (1.25 ns), 400 MHz bus.
#include <doctest/doctest.h>

#include <functional>
#include <numeric>
#include <vector>

#include "models/core/data_path.h"
#include "models/fabric/bus.h"
#include "models/memory/sram.h"
#include "models/memory/xspi_memory.h"

using namespace n6vp;
using namespace n6vp::models;

namespace {

constexpr Picoseconds kCycle = 1250;            // core
constexpr Picoseconds kBeat = 2500;             // bus and RAM
constexpr std::uint32_t kRam = 0x30000000;      // write-back by default
constexpr std::uint32_t kThrough = 0x90000000;  // write-through by default
constexpr std::uint32_t kFlash = 0x70000000;

struct Bench {
    explicit Bench(const DataPathParameters& parameters = {})
        : path("path", 800e6, parameters, {}) {
        path.m_axi.bind(bus.from[0]);
        bus.to[0].bind(ram.port);
        bus.to[1].bind(through.port);
        bus.to[2].bind(flash.port);
        bus.map(0, {GuestAddr{kRam}, 0x100000});
        bus.map(1, {GuestAddr{kThrough}, 0x100000});
        bus.map(2, {GuestAddr{kFlash}, 0x100000});
        for (const unsigned memory : {0u, 1u, 2u}) {
            bus.set_route(0, memory, {4 * kBeat, 3 * kBeat, kBeat, 8});
        }
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    Bus bus{"bus", 1, 3};
    Sram ram{"ram", 0x100000, 400e6, {}};
    Sram through{"through", 0x100000, 400e6, {}};
    XspiMemory flash{"flash", 0x100000, 200e6, {}};
    DataPath path;

    Picoseconds measure(const std::function<bool()>& work, bool expected = true) {
        const Picoseconds start = path.time();
        CHECK(work() == expected);
        return path.time() - start;
    }
};

// Line fill: request 4, bank 1, response 3 bus cycles to the first beat, 3 beats more.
constexpr Picoseconds kFirstBeat = 8 * kBeat;
constexpr Picoseconds kFill = 11 * kBeat;

}  // namespace

TEST_CASE("shape: a missing load waits for its beat only, a hit for nothing") {
    Bench bench;
    std::uint32_t word = 0;
    auto* bytes = reinterpret_cast<std::uint8_t*>(&word);
    const auto load = [&](std::uint32_t at) {
        return [&, at] { return bench.path.read(at, bytes, 4); };
    };
    // 2 cycles to the bus, 2 back, 10 for the access itself.
    CHECK(bench.measure(load(kRam)) == kFirstBeat + (2 + 2 + 10) * kCycle);
    CHECK(word == 0xA5A5A5A5);
    CHECK(bench.measure(load(kRam + 4)) == 10 * kCycle);
    bench.path.drain();
    CHECK(bench.measure(load(kRam + 28)) == 10 * kCycle);
    // The critical beat comes first wherever in the line it is.
    CHECK(bench.measure(load(kRam + 64 + 24)) == kFirstBeat + (2 + 2 + 10) * kCycle);
    CHECK(bench.path.counters().fills == 2);
}

TEST_CASE("shape: RAM to RAM copies take two line fills and two turnarounds per line") {
    Bench bench;
    constexpr std::uint32_t kLines = 8192;
    const Picoseconds time =
        bench.measure([&] { return bench.path.copy(kRam + 0x80000, kRam, kLines * 32); });
    const double expected = static_cast<double>(kLines) * (2.0 * (kFill + 4 * kCycle));
    CHECK(static_cast<double>(time) == doctest::Approx(expected).epsilon(0.002));
    CHECK(bench.path.counters().fills == 2 * kLines);
    CHECK(bench.path.counters().loads == kLines * 8);
}

TEST_CASE("shape: write streaming saves the fill of the destination") {
    DataPathParameters parameters;
    parameters.write_streaming.value = 1;
    Bench bench(parameters);
    const Picoseconds time =
        bench.measure([&] { return bench.path.copy(kRam + 0x80000, kRam, 0x40000); });
    // The line written before goes first in the one bank (4 beats); then the first beat of the line
    // and eight words of 2 + 1 cycles.
    const double line = static_cast<double>(4 * kBeat + kFirstBeat + (2 + 2 + 24) * kCycle);
    CHECK(static_cast<double>(time) == doctest::Approx(0x2000 * line).epsilon(0.002));
    CHECK(bench.path.counters().fills == 0x2000);
    CHECK(bench.path.counters().write_bursts == 0x2000);
    CHECK(bench.path.counters().write_backs == 0);
}

TEST_CASE("shape: clearing fills one line after the other") {
    Bench bench;
    const Picoseconds time = bench.measure([&] { return bench.path.clear(kRam, 0x40000); });
    const double expected = 0x2000 * static_cast<double>(kFill + 4 * kCycle);
    CHECK(static_cast<double>(time) == doctest::Approx(expected).epsilon(0.01));
}

TEST_CASE("dirty lines leave when they are replaced or cleaned, clean ones never") {
    Bench bench;
    CHECK(bench.path.clear(kRam, 32 * 1024));  // fills the cache exactly
    CHECK(bench.path.counters().write_backs == 0);
    CHECK(bench.path.clear(kRam + 32 * 1024, 32));
    CHECK(bench.path.counters().write_backs == 1);
    bench.path.maintain_data(kRam, 64 * 1024, true, true);
    CHECK(bench.path.counters().write_backs == 1024 + 1);
    bench.path.maintain_data(kRam, 64 * 1024, true, true);
    CHECK(bench.path.counters().write_backs == 1024 + 1);
    CHECK(bench.ram.statistics().writes == 1025);
}

TEST_CASE("shape: maintenance costs 9 cycles per line when nothing is cached") {
    Bench bench;
    const Picoseconds start = bench.path.time();
    bench.path.maintain_data(kRam + 31, 2, true, true);  // two lines
    CHECK(bench.path.time() - start == 18 * kCycle);
    bench.path.maintain_data(kRam, 0, true, true);
    CHECK(bench.path.time() - start == 18 * kCycle);
    bench.path.maintain_instructions(kRam, 655'360);
    CHECK(bench.path.time() - start == (2 + 20'480) * 9ull * kCycle);
}

TEST_CASE("an invalidated line is fetched again") {
    Bench bench;
    std::uint8_t byte = 0;
    CHECK(bench.path.read(kRam, &byte, 1));
    bench.path.maintain_data(kRam, 32, false, true);
    CHECK(bench.path.read(kRam, &byte, 1));
    CHECK(bench.path.counters().fills == 2);
    bench.path.maintain_data(kRam, 32, true, false);
    CHECK(bench.path.read(kRam, &byte, 1));
    CHECK(bench.path.counters().fills == 2);
}

TEST_CASE("write-through memory gets merged beats and no fills for stores") {
    Bench bench;
    CHECK(bench.path.clear(kThrough, 4096));
    bench.path.drain();
    CHECK(bench.path.counters().fills == 0);
    CHECK(bench.through.statistics().writes == 4096 / 8);
    CHECK(bench.through.statistics().bytes_written == 4096);
    bench.path.maintain_data(kThrough, 4096, true, true);
    CHECK(bench.path.counters().write_backs == 0);
}

TEST_CASE("copies of every alignment move the right bytes and nothing else") {
    Bench bench;
    std::vector<std::uint8_t> source(512);
    std::iota(source.begin(), source.end(), std::uint8_t{3});
    CHECK(bench.path.write(kRam, source.data(), 512));
    for (const std::uint32_t from : {0u, 1u, 4u, 30u, 33u}) {
        for (const std::uint32_t to : {0u, 2u, 31u, 36u}) {
            for (const std::uint32_t bytes : {0u, 1u, 5u, 64u, 131u}) {
                std::vector<std::uint8_t> got(200, 0);
                CHECK(bench.path.clear(kRam + 0x1000, 200));
                CHECK(bench.path.copy(kRam + 0x1000 + to, kRam + from, bytes));
                CHECK(bench.path.read(kRam + 0x1000, got.data(), 200));
                std::vector<std::uint8_t> expected(200, 0);
                std::copy_n(source.begin() + from, bytes, expected.begin() + to);
                CHECK(got == expected);
            }
        }
    }
}

TEST_CASE("an overlapping copy goes upwards byte by byte, as the loop does") {
    Bench bench;
    std::vector<std::uint8_t> source(64, 0), got(64);
    source[0] = 7;
    CHECK(bench.path.write(kRam, source.data(), 64));
    CHECK(bench.path.copy(kRam + 1, kRam, 63));
    CHECK(bench.path.read(kRam, got.data(), 64));
    CHECK(got == std::vector<std::uint8_t>(64, 7));
}

TEST_CASE("a store to flash is a bus error and leaves it as it was") {
    Bench bench;
    const std::uint8_t zero[4] = {};
    std::uint8_t got[4] = {};
    CHECK_FALSE(bench.path.write(kFlash, zero, 4));
    CHECK_FALSE(bench.path.copy(kFlash, kRam, 4));
    CHECK_FALSE(bench.path.clear(kFlash, 4));
    CHECK(bench.path.read(kFlash, got, 4));
    CHECK(got[0] == 0xFF);
}

TEST_CASE("accesses to nothing are bus errors, a copy stops where memory ends") {
    Bench bench;
    std::uint8_t byte = 0;
    for (const std::uint32_t at : {0x0u, 0x20000000u, 0x40000000u, 0x60000000u, 0xE0000000u}) {
        CHECK_FALSE(bench.path.read(at, &byte, 1));
        CHECK_FALSE(bench.path.write(at, &byte, 1));
    }
    CHECK_FALSE(bench.path.copy(kRam + 0x100000 - 64, kRam, 128));
    CHECK(bench.path.read(kRam + 0x100000 - 1, &byte, 1));
    CHECK_FALSE(bench.path.read(kRam + 0x100000 - 1, &byte, 2));
}

TEST_CASE("the same work twice takes the same time") {
    Bench bench;
    const auto work = [&] {
        return bench.path.copy(kRam + 0x80000, kFlash, 0x10000) &&
               bench.path.copy(kThrough, kRam + 0x80000, 0x10000) && bench.path.clear(kRam, 0x3000);
    };
    const auto reset = [&] {
        bench.path.drain();
        bench.ram.reset();
        bench.through.reset();
        bench.flash.reset();
        bench.path.reset();
        // Times are absolute: start both runs on the same offset from a device clock.
        bench.path.spend(10'000'000'000 - bench.path.time() % 10'000'000'000);
    };
    reset();
    const Picoseconds first = bench.measure(work);
    const std::uint64_t transactions = bench.path.counters().transactions();
    reset();
    CHECK(bench.measure(work) == first);
    CHECK(bench.path.counters().transactions() == transactions);
}

TEST_CASE("tags: least recently used goes first") {
    CacheTags tags(4 * 32, 4, 32);  // one set
    for (std::uint32_t i = 0; i < 4; ++i) tags.allocate(i * 32);
    CHECK(tags.look_up(0) != nullptr);
    CHECK(tags.victim(4 * 32).address == 32);
    tags.allocate(4 * 32 + 5);
    CHECK(tags.find(32) == nullptr);
    CHECK(tags.find(4 * 32 + 31) != nullptr);
    CHECK(tags.find(31) != nullptr);
}
