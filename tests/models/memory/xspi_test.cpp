// SPDX-License-Identifier: Apache-2.0
// Serial memories against the phases of their protocol. Clock 200 MHz: 5 ns.
#include <doctest/doctest.h>

#include <random>

#include "models/memory/xspi_memory.h"
#include "tests/models/probe.h"

using namespace n6vp;
using namespace n6vp::models;
using n6vp::test::Probe;

namespace {

constexpr Picoseconds kClock = 5000;
constexpr std::uint32_t kMib = 1024 * 1024;
constexpr std::uint32_t kLong = 4 * kMib;

struct XspiBench {
    explicit XspiBench(const XspiParameters& parameters)
        : memory("memory", 32 * kMib, 200e6, parameters) {
        probe.port.bind(memory.port);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    Probe probe{"probe"};
    XspiMemory memory;
};

/// Reads `total` bytes in bursts that arrive as fast as the memory takes them.
Picoseconds stream(XspiBench& bench, std::uint32_t total, std::uint32_t burst) {
    Picoseconds last = 0;
    for (std::uint32_t at = 0; at < total; at += burst) last = bench.probe.read(at, burst, 0).last;
    return last;
}

double mb_per_s(std::uint64_t bytes, Picoseconds time) {
    return static_cast<double>(bytes) * 1e6 / static_cast<double>(time);
}

}  // namespace

TEST_CASE("shape: first access to NOR = command + address + dummy + data") {
    XspiBench bench{XspiParameters{}};
    const Probe::Answer answer = bench.probe.read(0x1000, 32, 0);
    CHECK(answer.first == (1 + 2 + 20 + 4) * kClock);  // 8 bytes: 4 clocks of 2 bytes
    CHECK(answer.last == (1 + 2 + 20 + 16) * kClock);
}

TEST_CASE("shape: a continued NOR read costs data clocks only, at any burst length") {
    XspiBench bench{XspiParameters{}};
    for (const std::uint32_t burst : {8u, 32u, 64u}) {
        bench.memory.reset();
        const Picoseconds last = stream(bench, 64 * 1024, burst);
        CHECK(last == (1 + 2 + 20) * kClock + 64 * 1024 / 2 * kClock);
        CHECK(bench.memory.transactions().started == 1);
    }
}

TEST_CASE("shape: NOR streaming meets the measured 396.8 MB/s of the NPU within 1.5 %") {
    // Fully connected layer of a public MobileNetV2 build: 1,280,000 bytes of weights in 64-byte
    // lines took 3,225,608 NPU cycles of 1 ns.
    XspiBench bench{XspiParameters{}};
    const double rate = mb_per_s(1'280'000, stream(bench, 1'280'000, 64));
    CHECK(rate > 396.8 * 0.985);
    CHECK(rate < 396.8 * 1.015);
}

TEST_CASE("timing: the prefetch hides exactly its length") {
    XspiParameters parameters;
    parameters.prefetch_bytes.value = 32;  // 16 clocks
    XspiBench bench{parameters};
    const Picoseconds end = bench.probe.read(0, 32, 0).last;
    // On the clock at which the prefetch is full: the data are there and the stream goes on.
    CHECK(bench.probe.read(32, 32, end + 16 * kClock).last == end + 16 * kClock);
    CHECK(bench.probe.read(64, 32, end + 16 * kClock).last == end + 32 * kClock);
    bench.memory.reset();
    const Picoseconds again = bench.probe.read(0, 32, 0).last;
    // One clock later the device has stood still for one clock, and the next line comes later.
    CHECK(bench.probe.read(32, 32, again + 17 * kClock).last == again + 17 * kClock);
    CHECK(bench.probe.read(64, 32, again + 17 * kClock).last == again + 33 * kClock);
}

TEST_CASE("timing: another address raises NCS and starts over") {
    XspiBench bench{XspiParameters{}};
    const Picoseconds end = bench.probe.read(0, 32, 0).last;
    CHECK(bench.probe.read(4096, 32, end).last == end + (2 + 1 + 2 + 20 + 16) * kClock);
    CHECK(bench.probe.read(4096, 32, 0).last >
          end + 50 * kClock);  // back again: not a continuation
    CHECK(bench.memory.transactions().started == 3);
    CHECK(bench.memory.transactions().continued == 0);
}

TEST_CASE("a memory-mapped NOR refuses writes and keeps its cells, a programmer reaches them") {
    XspiBench bench{XspiParameters{}};
    bench.probe.data.assign(8, 0);
    CHECK(bench.probe.write(0, 8, 0).status == tlm::TLM_COMMAND_ERROR_RESPONSE);
    CHECK(bench.probe.read(0, 8, 0).ok());
    CHECK(bench.probe.data == std::vector<std::uint8_t>(8, 0xFF));
    bench.probe.data.assign(8, 0x12);
    CHECK(bench.probe.debug(tlm::TLM_WRITE_COMMAND, 0, 8) == 8);
    CHECK(bench.probe.read(0, 8, 0).ok());
    CHECK(bench.probe.data == std::vector<std::uint8_t>(8, 0x12));
}

TEST_CASE("shape: first PSRAM read and write") {
    XspiBench bench{psram_parameters()};
    CHECK(bench.probe.read(0, 64, 0).last == (1 + 2 + 14 + 16) * kClock);  // 4 bytes per clock
    bench.memory.reset();
    CHECK(bench.probe.write(0, 64, 0).last == (1 + 2 + 7 + 16) * kClock);
    CHECK(bench.probe.write(64, 64, 0).last == (1 + 2 + 7 + 32) * kClock);
}

TEST_CASE("timing: a PSRAM read after a write is a new transaction") {
    XspiBench bench{psram_parameters()};
    const Picoseconds end = bench.probe.write(0, 32, 0).last;
    CHECK(bench.probe.read(32, 32, end).last == end + (1 + 1 + 2 + 14 + 8) * kClock);
}

TEST_CASE("shape: the refresh release leaves 84 % of the PSRAM's peak") {
    // NCS stays low for 129 clocks, 17 of them without data; release and restart take 1 + 4.
    XspiParameters parameters = psram_parameters();
    parameters.boundary_bytes.value = 0;
    XspiBench bench{parameters};
    const double rate = mb_per_s(kLong, stream(bench, kLong, 64));
    const double expected = 800.0 * (129 - 17) / (129 + 1 + 4);
    CHECK(rate == doctest::Approx(expected).epsilon(0.002));
    CHECK(rate == doctest::Approx(670).epsilon(0.01));  // the published estimate
}

TEST_CASE("timing: NCS rises on refresh clock 129, not one earlier") {
    XspiBench bench{psram_parameters()};
    // 112 data clocks of 4 bytes fit behind 17 header clocks.
    CHECK(bench.probe.read(0, 448, 0).last == 129 * kClock);
    CHECK(bench.memory.transactions().forced == 0);
    bench.memory.reset();
    CHECK(bench.probe.read(0, 452, 0).last == (129 + 1 + 4 + 17 + 1) * kClock);
    CHECK(bench.memory.transactions().forced == 1);
}

TEST_CASE("timing: a long PSRAM burst releases NCS every 129 clocks") {
    // 17 clocks of header and 112 of data, then 1 high and 4 to restart.
    XspiBench bench{psram_parameters()};
    CHECK(bench.probe.read(0, 896, 0).last == (129 + 5 + 129) * kClock);
    CHECK(bench.memory.transactions().forced == 1);
    bench.memory.reset();
    CHECK(bench.probe.read(0, 900, 0).last == (2 * (129 + 5) + 17 + 1) * kClock);
    CHECK(bench.memory.transactions().forced == 2);
    bench.memory.reset();
    // Boundary and refresh at the same place are one release.
    CHECK(bench.probe.read(16384 - 448, 896, 0).last == (129 + 5 + 129) * kClock);
    CHECK(bench.memory.transactions().forced == 1);
    bench.memory.reset();
    // The header of a write is 7 clocks shorter: as many more carry data.
    CHECK(bench.probe.write(0, 952, 0).last == (10 + 119 + 5 + 129) * kClock);
    CHECK(bench.memory.transactions().forced == 1);
}

TEST_CASE("timing: a PSRAM transaction that idles past the refresh is over") {
    XspiBench bench{psram_parameters()};
    bench.probe.read(0, 32, 0);
    CHECK(bench.probe.read(32, 32, 128 * kClock).last < 130 * kClock);
    bench.memory.reset();
    bench.probe.read(0, 32, 0);
    CHECK(bench.probe.read(32, 32, 129 * kClock).last == (129 + 1 + 17 + 8) * kClock);
    bench.memory.reset();
    bench.probe.read(0, 32, 0);
    CHECK(bench.probe.read(32, 32, 1000 * kClock).last == (1000 + 17 + 8) * kClock);
}

TEST_CASE("timing: a 16 KB boundary ends a PSRAM transaction") {
    XspiParameters parameters = psram_parameters();
    parameters.release_clocks.value = 0;
    XspiBench bench{parameters};
    CHECK(bench.probe.read(16384 - 32, 32, 0).last == (17 + 8) * kClock);
    CHECK(bench.memory.transactions().forced == 0);
    CHECK(bench.probe.read(16384, 32, 0).last == (17 + 8 + 1 + 4 + 17 + 8) * kClock);
    CHECK(bench.memory.transactions().forced == 1);
    bench.memory.reset();
    CHECK(bench.probe.read(16384 - 16, 32, 0).last == (17 + 4 + 1 + 4 + 17 + 4) * kClock);
}

TEST_CASE("shape: random 32-byte PSRAM reads") {
    XspiBench bench{psram_parameters()};
    std::mt19937 random(1);
    Picoseconds last = 0;
    constexpr std::uint32_t kReads = 1000;
    for (std::uint32_t i = 0; i < kReads; ++i) {
        // Even lines only: no address continues the one before.
        last = bench.probe.read(random() % (4 * kMib / 64) * 64, 32, 0).last;
    }
    CHECK(last == (kReads * (17 + 8) + (kReads - 1)) * kClock);
}
