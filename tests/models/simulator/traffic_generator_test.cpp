// SPDX-License-Identifier: Apache-2.0
// Generated traffic: what a pattern puts on the bus and when, what it leaves of memory, and what
// becomes of a demand that memory cannot meet. A RAM of 64 KB gives 8 bytes each 2.5 ns, 3.2 GB/s.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/fabric/bus.h"
#include "models/memory/sram.h"
#include "models/simulator/traffic_generator.h"
#include "tests/models/probe.h"

using namespace n6vp;
using namespace n6vp::test;
using models::Picoseconds;
using models::TrafficGenerator;
using models::TrafficPattern;

namespace {

constexpr Picoseconds kMicrosecond = 1'000'000, kMillisecond = 1'000'000'000;
constexpr std::uint32_t kBase = 0x10000000;

struct Recorder : models::BusRecorder {
    void begins(const models::BusTransaction& one) override { seen.push_back(one); }
    std::vector<models::BusTransaction> seen;
};

struct Observer : models::BusObserver {
    void before_write(std::uint8_t, unsigned, std::uint32_t, std::uint32_t) override { ++told; }
    void before_read(std::uint8_t, unsigned, std::uint32_t, std::uint32_t) override { ++told; }
    unsigned told = 0;
};

struct Bench {
    explicit Bench(const TrafficPattern& pattern) : generator("generator", pattern) {
        generator.port.bind(bus.from[1]);
        generator.attributes = [] { return models::MasterAttributes{1, true, true}; };
        probe.port.bind(bus.from[0]);
        bus.to[0].bind(ram.port);
        bus.map(0, {GuestAddr{kBase}, 0x10000});
        bus.set_route(0, 0, {1000, 1000, 2500, 8});
        bus.set_route(1, 0, {1000, 1000, 2500, 8});
        bus.record(recorder);
        bus.observe(observer, {1});
        ram.on_unwritten_read = [this](std::uint32_t, Picoseconds) { ++unwritten; };
    }
    static void pass(Picoseconds time) { sc_core::sc_start(models::to_sc_time(time)); }
    [[nodiscard]] const TrafficGenerator::Statistics& counted() const {
        return generator.statistics();
    }

    models::Bus bus{"bus", 2, 1};
    models::Sram ram{"ram", 0x10000, 400e6, {}};
    Probe probe{"probe"};
    TrafficGenerator generator;
    Recorder recorder;
    Observer observer;
    unsigned unwritten = 0;
};

/// Pictures of 20 x 10 pixels of 2 bytes, a thousand per second: a line of 40 bytes each 100 us.
TrafficPattern small_picture(bool write) {
    TrafficPattern pattern;
    pattern.address = kBase;
    pattern.line_bytes = 40;
    pattern.bytes = 400;
    pattern.bytes_per_second = 400'000;
    pattern.write = write;
    return pattern;
}

TrafficPattern rate(double bytes_per_second, bool write) {
    TrafficPattern pattern;
    pattern.address = kBase;
    pattern.bytes = 0x10000;
    pattern.bytes_per_second = bytes_per_second;
    pattern.write = write;
    return pattern;
}

}  // namespace

TEST_CASE("traffic: a line of a camera is one burst, when its last byte has come") {
    Bench bench(small_picture(true));
    Bench::pass(2 * kMillisecond + 50 * kMicrosecond);
    // Two pictures of ten lines.
    REQUIRE(bench.recorder.seen.size() == 20);
    for (std::size_t line = 0; line < 20; ++line) {
        CAPTURE(line);
        const models::BusTransaction& burst = bench.recorder.seen[line];
        CHECK(burst.write);
        CHECK(burst.bytes == 40);
        CHECK(burst.at == (line + 1) * 100 * kMicrosecond);
        CHECK(burst.address == kBase + line % 10 * 40);
    }
    CHECK(bench.counted().demanded_bytes == 800);
    CHECK(bench.counted().bytes == 800);
    CHECK(bench.counted().bursts == 20);
    CHECK(bench.counted().missed_bursts == 0);
}

TEST_CASE("traffic: a display begins to fetch at once, and two pictures take turns in memory") {
    TrafficPattern pattern = small_picture(false);
    pattern.bytes = 800;
    pattern.start = 5 * kMicrosecond;
    Bench bench(pattern);
    Bench::pass(2 * kMillisecond);
    REQUIRE(bench.recorder.seen.size() == 20);
    CHECK(!bench.recorder.seen[0].write);
    CHECK(bench.recorder.seen[0].at == 5 * kMicrosecond);
    CHECK(bench.recorder.seen[19].at == 1905 * kMicrosecond);
    CHECK(bench.recorder.seen[19].address == kBase + 760);
}

TEST_CASE("traffic: bursts end at lines, at 4 KiB and at the end of the buffer") {
    TrafficPattern pattern = rate(64e6, true);
    pattern.address = kBase + 4096 - 40;
    pattern.bytes = 120;
    Bench bench(pattern);
    Bench::pass(3 * kMicrosecond);
    const std::uint32_t lengths[] = {40, 64, 16, 40};
    REQUIRE(bench.recorder.seen.size() >= 4);
    for (std::size_t i = 0; i < 4; ++i) CHECK(bench.recorder.seen[i].bytes == lengths[i]);
    CHECK(bench.recorder.seen[1].address == kBase + 4096);
    CHECK(bench.recorder.seen[3].address == kBase + 4096 - 40);
}

TEST_CASE("traffic: memory keeps its contents, and nobody is told of them") {
    Bench bench(small_picture(true));
    bench.probe.data.assign(8, 0x5A);
    REQUIRE(bench.probe.debug(tlm::TLM_WRITE_COMMAND, kBase, 8) == 8);
    Bench::pass(2 * kMillisecond);
    REQUIRE(bench.probe.debug(tlm::TLM_READ_COMMAND, kBase, 8) == 8);
    CHECK(bench.probe.data == std::vector<std::uint8_t>(8, 0x5A));
    CHECK(bench.counted().bytes > 0);
    CHECK(bench.observer.told == 0);
}

TEST_CASE("traffic: a display reads pages without contents, and nobody is told") {
    Bench bench(small_picture(false));
    Bench::pass(kMillisecond);
    CHECK(bench.counted().bytes > 0);
    CHECK(bench.observer.told == 0);
    CHECK(bench.unwritten == 0);
}

TEST_CASE("traffic: with a byte to fill, the camera's buffer has it, and caches are told") {
    TrafficPattern pattern = small_picture(true);
    pattern.fill = 0xC3;
    Bench bench(pattern);
    Bench::pass(kMillisecond + 50 * kMicrosecond);
    REQUIRE(bench.probe.debug(tlm::TLM_READ_COMMAND, kBase, 408) == 408);
    CHECK(std::count(bench.probe.data.begin(), bench.probe.data.begin() + 400, 0xC3) == 400);
    CHECK(bench.probe.data[400] != 0xC3);
    CHECK(bench.observer.told == 10);
}

TEST_CASE("traffic: 100 MB/s are 100 bytes each microsecond, and others wait for them") {
    Bench bench(rate(100e6, true));
    Bench::pass(kMillisecond);
    // A burst is 64 bytes, each 640 ns.
    const std::uint64_t bytes = bench.counted().bytes;
    CHECK(bytes <= 100'000);
    CHECK(bytes > 100'000 - 2 * 64);
    CHECK(bench.counted().missed_bursts == 0);
    // A master that takes the RAM for half of the time, 16 us in one burst.
    for (unsigned i = 0; i < 8; ++i) {
        const Picoseconds now = sc_core::sc_time_stamp().value();
        (void)bench.probe.read(kBase + 0x8000, 4096, now);
        Bench::pass(5 * kMicrosecond);
    }
    const models::Flow& flow = bench.bus.flow(1, 0);
    CHECK(flow.waited > 0);
    CHECK(flow.waited_for[0] == flow.waited);
    CHECK(flow.waited == bench.counted().waited);
}

TEST_CASE("traffic: what a RAM cannot take is lost: an overrun of the camera") {
    Bench bench(rate(6.4e9, true));
    Bench::pass(100 * kMicrosecond);
    // Demand: 640,000 bytes. The RAM takes 320,000 at most; 1024 more are on their way.
    const TrafficGenerator::Statistics& counted = bench.counted();
    CHECK(counted.demanded_bytes > 640'000 - 2048);
    CHECK(counted.demanded_bytes <= 640'000);
    CHECK(counted.bytes <= 320'000 + 1024);
    CHECK(counted.bytes > 300'000);
    CHECK(counted.missed_bytes == counted.demanded_bytes - counted.bytes);
}

TEST_CASE("traffic: what a RAM does not give in time is missing: an underrun of the display") {
    Bench bench(rate(6.4e9, false));
    Bench::pass(100 * kMicrosecond);
    const TrafficGenerator::Statistics& counted = bench.counted();
    CHECK(counted.demanded_bytes > 640'000 - 2048);
    CHECK(counted.bytes <= 320'000 + 1024);
    CHECK(counted.bytes > 250'000);
    CHECK(counted.missed_bytes >= counted.demanded_bytes - counted.bytes);
    // Most of what is fetched is in time.
    CHECK(counted.missed_bytes < 420'000);
}

TEST_CASE("traffic: it ends at its stop, and begins again when it is restarted") {
    TrafficPattern pattern = small_picture(true);
    pattern.stop = 450 * kMicrosecond;
    Bench bench(pattern);
    Bench::pass(2 * kMillisecond);
    CHECK(bench.counted().bursts == 4);
    bench.generator.restart(sc_core::sc_time_stamp().value());
    CHECK(bench.counted().bursts == 0);
    Bench::pass(2 * kMillisecond);
    CHECK(bench.counted().bursts == 4);
    CHECK(bench.recorder.seen[4].at == 2 * kMillisecond + 100 * kMicrosecond);
}

TEST_CASE("traffic: a burst without memory is refused, and counts as missed") {
    TrafficPattern pattern = small_picture(true);
    pattern.address = kBase + 0x10000;
    Bench bench(pattern);
    Bench::pass(kMillisecond + 50 * kMicrosecond);
    CHECK(bench.counted().refused == 10);
    CHECK(bench.counted().bytes == 0);
    CHECK(bench.counted().missed_bytes == 400);
}
