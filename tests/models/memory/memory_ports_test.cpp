// SPDX-License-Identifier: Apache-2.0
// Ports of memories as several masters see them, strided NPU accesses, never-written memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "models/fabric/bus.h"
#include "models/memory/sram.h"
#include "models/memory/tcm.h"
#include "models/memory/xspi_memory.h"
#include "tests/models/probe.h"

using namespace n6vp;
using namespace n6vp::models;
using n6vp::test::Probe;

namespace {

constexpr std::uint32_t kMemoryBytes = 0x40000;

template <class Memory, class Parameters>
struct Bench {
    Bench(double hz, const Parameters& parameters)
        : memory("memory", kMemoryBytes, hz, parameters) {
        probe.port.bind(memory.port);
        memory.on_unwritten_read = [this](std::uint32_t offset, Picoseconds) {
            unwritten.push_back(offset);
        };
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    [[nodiscard]] tlm::tlm_dmi direct(tlm::tlm_command command, std::uint32_t offset,
                                      bool& granted) {
        tlm::tlm_generic_payload query;
        tlm::tlm_dmi dmi;
        query.set_command(command);
        query.set_address(offset);
        granted = probe.port->get_direct_mem_ptr(query, dmi);
        return dmi;
    }
    Memory memory;
    Probe probe{"probe"};
    std::vector<std::uint32_t> unwritten;
};
using SramBench = Bench<Sram, SramParameters>;
using XspiBench = Bench<XspiMemory, XspiParameters>;
using TcmBench = Bench<Tcm, TcmParameters>;

constexpr double kNpuNs = 1.0;  ///< one NPU cycle at 1000 MHz

/// Returns NPU cycles per beat of `count` strided accesses that wait for nothing but the bank.
double cycles_per_beat(SramBench& bench, bool write, unsigned count = 10'000) {
    bench.probe.single_beats = true;
    Picoseconds last = 0;
    for (unsigned i = 0; i < count; ++i) {
        last = write ? bench.probe.write(i * 16 % kMemoryBytes, 1, 0).last
                     : bench.probe.read(i * 16 % kMemoryBytes, 1, 0).last;
    }
    return static_cast<double>(last) * 1e-3 / kNpuNs / count;
}

/// Returns the rate of a master that keeps `outstanding` 64-byte reads under way, in MB/s.
template <class Board>
double linear_rate(Board& board, std::uint32_t base, unsigned outstanding) {
    std::vector<Picoseconds> done(outstanding, 0);
    constexpr std::uint32_t kTotal = 0x30000;
    Picoseconds last = 0;
    for (std::uint32_t i = 0; i < kTotal / 64; ++i) {
        last = board.probe.read(base + i * 64, 64, done[i % outstanding]).last;
        done[i % outstanding] = last;
    }
    return kTotal * 1e6 / static_cast<double>(last);
}

/// A serial memory behind the way of the NPU: 20 ns there, 20 ns back.
struct NpuWay {
    explicit NpuWay(const XspiParameters& parameters)
        : memory("memory", kMemoryBytes, 200e6, parameters) {
        probe.port.bind(bus.from[0]);
        other.port.bind(bus.from[1]);
        bus.to[0].bind(memory.port);
        bus.map(0, {GuestAddr{0x70000000}, kMemoryBytes});
        bus.set_route(0, 0, {20'000, 20'000, 2500, 8});
        bus.set_route(1, 0, {20'000, 20'000, 2500, 8});
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    Bus bus{"bus", 2, 1};
    XspiMemory memory;
    Probe probe{"probe"}, other{"other"};
};

}  // namespace

TEST_CASE("measured: strided NPU writes cost 1.15 to 1.22 NPU cycles per beat in AXISRAM3 to 6") {
    SramBench bench(900e6, nic_sram_parameters());
    const double cycles = cycles_per_beat(bench, true);
    CHECK(cycles >= 1.15);
    CHECK(cycles <= 1.22);
}

TEST_CASE("measured: strided NPU reads cost 1.41 NPU cycles per beat in AXISRAM3 to 6") {
    SramBench bench(900e6, nic_sram_parameters());
    CHECK(cycles_per_beat(bench, false) == doctest::Approx(1.41).epsilon(0.005));
}

TEST_CASE("strided accesses of a bank on the NOC go by its clock: 2.5 NPU cycles") {
    SramBench bench(400e6, SramParameters{});
    CHECK(cycles_per_beat(bench, false) == doctest::Approx(2.5).epsilon(1e-6));
}

TEST_CASE("measured: 14,171 strided accesses, 8,320 of them writes, take 10,180 NPU cycles or so") {
    // The writes alone take about 9,700; a single port would need over 18,000.
    SramBench bench(900e6, nic_sram_parameters());
    bench.probe.single_beats = true;
    Picoseconds last = 0;
    for (unsigned i = 0; i < 8320; ++i)
        last = std::max(last, bench.probe.write(i % kMemoryBytes, 1, 0).last);
    for (unsigned i = 0; i < 5851; ++i)
        last = std::max(last, bench.probe.read(i % kMemoryBytes, 1, 0).last);
    CHECK(static_cast<double>(last) * 1e-3 == doctest::Approx(10'180).epsilon(0.06));
}

TEST_CASE("linear bursts of a bank at 900 MHz reach 7.2 GB/s within a thousandth") {
    SramBench bench(900e6, nic_sram_parameters());
    Picoseconds last = 0;
    for (unsigned i = 0; i < 10'000; ++i)
        last = bench.probe.read(i * 64 % kMemoryBytes, 64, 0).last;
    CHECK(640'000 * 1e3 / static_cast<double>(last) == doctest::Approx(7.2).epsilon(0.001));
}

TEST_CASE("a change of clock holds for bursts from then on") {
    SramBench bench(400e6, SramParameters{});
    CHECK(bench.probe.read(0, 32, 0).last == 10'000);
    bench.memory.set_clock_hz(100e6);
    CHECK(bench.probe.read(0, 32, 10'000).last == 10'000 + 40'000);
}

TEST_CASE("a change of a serial memory's clock holds for bursts from then on") {
    XspiBench bench(200e6, XspiParameters{});
    CHECK(bench.probe.read(0, 8, 0).last == (23 + 4) * 5000);
    bench.memory.set_clock_hz(50e6);
    CHECK(bench.probe.read(0x1000, 8, 10'000'000).last == 10'000'000 + (2 + 23 + 4) * 20'000);
}

TEST_CASE("a TCM lets nobody wait and moves 8 bytes with the instruction") {
    TcmBench bench(800e6, TcmParameters{});
    CHECK(bench.probe.read(0, 8, 5000).last == 5000);
    CHECK(bench.probe.write(0, 8, 5000).last == 5000);
    CHECK(bench.probe.read(0, 32, 5000).last == 5000 + 3 * 1250);
    CHECK(bench.memory.statistics().waited == 0);
}

TEST_CASE("a read of a page that nothing was stored in is reported once") {
    SramBench bench(400e6, SramParameters{});
    bench.probe.data.assign(8, 1);
    bench.probe.write(0x1FF8, 8, 0);
    bench.probe.read(0x1000, 8, 0);  // something was stored in this page
    CHECK(bench.unwritten.empty());
    bench.probe.read(0x1FF8, 16, 0);  // the second half lies in the next page
    CHECK(bench.unwritten == std::vector<std::uint32_t>{0x2000});
    bench.probe.read(0x2000, 64, 0);
    CHECK(bench.unwritten.size() == 1);
    bench.probe.data.assign(4, 0);
    bench.probe.debug(tlm::TLM_WRITE_COMMAND, 0x3000, 4);
    bench.probe.debug(tlm::TLM_READ_COMMAND, 0x5000, 4);
    bench.probe.read(0x3100, 4, 0);
    CHECK(bench.unwritten.size() == 1);
    bench.probe.read(0x5000, 4, 0);
    CHECK(bench.unwritten.size() == 2);
    bench.memory.reset();
    bench.probe.read(0x1000, 8, 0);
    CHECK(bench.unwritten.size() == 3);
}

TEST_CASE("the line that a store fetches is no read of never-written memory") {
    SramBench bench(400e6, SramParameters{});
    bench.probe.for_store = true;
    bench.probe.read(0x1000, 32, 0);
    CHECK(bench.unwritten.empty());
    CHECK_FALSE(bench.probe.direct_allowed);
    bench.probe.for_store = false;
    bench.probe.read(0x1000, 32, 0);
    CHECK(bench.unwritten == std::vector<std::uint32_t>{0x1000});
    CHECK(bench.probe.direct_allowed);
}

TEST_CASE("direct memory hides no first read and grows with what was stored") {
    SramBench bench(400e6, SramParameters{});
    bool granted = false;
    tlm::tlm_dmi dmi = bench.direct(tlm::TLM_READ_COMMAND, 0x2004, granted);
    REQUIRE(granted);
    CHECK(bench.unwritten == std::vector<std::uint32_t>{0x2004});
    CHECK(dmi.get_dmi_ptr()[4] == 0xA5);
    bench.probe.read(0x2004, 4, 0);
    CHECK(bench.unwritten.size() == 1);
    CHECK(dmi.get_start_address() == 0x2000);
    CHECK(dmi.get_end_address() == 0x2FFF);
    dmi = bench.direct(tlm::TLM_WRITE_COMMAND, 0x3010, granted);
    REQUIRE(granted);
    CHECK(dmi.get_start_address() == 0x2000);
    CHECK(dmi.get_end_address() == 0x3FFF);
    bench.probe.read(0x3000, 4, 0);
    CHECK(bench.unwritten.size() == 1);
}

TEST_CASE("who asks for direct memory to store there reads nothing") {
    SramBench ram(400e6, SramParameters{});
    tlm::tlm_generic_payload query;
    tlm::tlm_dmi dmi;
    Transfer with;
    with.for_store = true;
    query.set_command(tlm::TLM_READ_COMMAND);
    query.set_address(0x2004);
    query.set_extension(&with);
    CHECK(ram.probe.port->get_direct_mem_ptr(query, dmi));
    query.clear_extension(&with);
    ram.probe.read(0x2004, 4, 0);
    CHECK(ram.unwritten.empty());
}

TEST_CASE("a store to flash that nobody programmed makes it no written memory") {
    XspiBench flash(200e6, XspiParameters{});
    tlm::tlm_generic_payload query;
    tlm::tlm_dmi dmi;
    Transfer with;
    with.for_store = true;
    query.set_command(tlm::TLM_READ_COMMAND);
    query.set_address(0x8000);
    query.set_extension(&with);
    CHECK_FALSE(flash.probe.port->get_direct_mem_ptr(query, dmi));
    query.clear_extension(&with);
    flash.probe.read(0x8000, 4, 0);
    CHECK(flash.unwritten == std::vector<std::uint32_t>{0x8000});
}

TEST_CASE("programmed flash is direct memory for reads, not for writes") {
    XspiBench flash(200e6, XspiParameters{});
    flash.probe.data.assign(4, 0x55);
    flash.probe.debug(tlm::TLM_WRITE_COMMAND, 0x8000, 4);
    bool granted = true;
    static_cast<void>(flash.direct(tlm::TLM_WRITE_COMMAND, 0x8000, granted));
    CHECK_FALSE(granted);
    const tlm::tlm_dmi page = flash.direct(tlm::TLM_READ_COMMAND, 0x8000, granted);
    CHECK(granted);
    CHECK(page.is_read_allowed());
    CHECK_FALSE(page.is_write_allowed());
}

TEST_CASE("erased flash is never-written memory until it is programmed") {
    XspiBench bench(200e6, XspiParameters{});
    bench.probe.data.assign(4, 0x55);
    bench.probe.debug(tlm::TLM_WRITE_COMMAND, 0x8000, 4);
    bench.probe.read(0x8800, 4, 0);
    CHECK(bench.unwritten.empty());
    bench.probe.read(0x9000, 4, 0);
    CHECK(bench.unwritten == std::vector<std::uint32_t>{0x9000});
}

TEST_CASE("measured: the NPU streams 397 MB/s from NOR, whether it waits for each line or not") {
    NpuWay way{XspiParameters{}};
    for (const unsigned outstanding : {1u, 2u, 4u}) {
        CAPTURE(outstanding);
        way.memory.reset();
        CHECK(linear_rate(way, 0x70000000, outstanding) == doctest::Approx(397).epsilon(0.02));
    }
}

TEST_CASE("the NPU streams 670 MB/s from PSRAM within a tenth") {
    NpuWay way{psram_parameters()};
    CHECK(linear_rate(way, 0x70000000, 4) == doctest::Approx(670).epsilon(0.1));
}

TEST_CASE("a late caller is served by a serial memory in turn, and the stream pays for it") {
    NpuWay way{XspiParameters{}};
    constexpr Picoseconds kClock = 5000, kWay = 20'000;
    // One master runs ahead: lines at 0 and at 2 us.
    way.probe.read(0x70000000, 64, 0);
    way.probe.read(0x70010000, 64, 2'000'000);
    const std::uint64_t started = way.memory.transactions().started;
    // The other's time is 1 us: nobody is there. Command, address, dummy, 16 data clocks.
    const auto answer = way.other.read(0x70020000, 32, 1'000'000);
    CHECK(answer.last == 1'000'000 + 2 * kWay + (1 + 2 + 20 + 16) * kClock);
    CHECK(way.bus.flow(1, 0).waited == 0);
    CHECK(way.memory.transactions().started == started + 1);
    // The stream that it interrupted does not go on for data clocks only.
    way.probe.read(0x70010040, 64, 2'000'000);
    CHECK(way.memory.transactions().continued == 0);
    // Comes 50 ns before two bursts of 55 clocks, 2 clocks apart. It is served in 55 clocks; then
    // the stream needs 2 + 2 + 23 to go on.
    constexpr Picoseconds kBurst = (23 + 32) * kClock;
    const auto late = way.other.read(0x70030000, 64, 1'950'000);
    CHECK(late.last == 1'950'000 + 2 * kWay + kBurst);
    CHECK(way.bus.flow(1, 0).waited == 0);
    const auto payment = way.probe.read(0x70010080, 64, 2'000'000);
    const Picoseconds told = 2'000'000 + kWay + 2 * (kBurst + 2 * kClock);
    const Picoseconds owed = kBurst + (2 + 2 + 23) * kClock - 50'000;
    CHECK(payment.last == told + owed + 2 * kClock + kBurst + kWay);
    // Then it is a stream again: 32 data clocks a line.
    CHECK(way.probe.read(0x700100C0, 64, 2'000'000).last == payment.last + 32 * kClock);
    CHECK(way.memory.transactions().continued == 1);
}
