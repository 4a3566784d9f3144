// SPDX-License-Identifier: Apache-2.0
// NPU cache: published counters and times. Expected times are written out from the rules: NIC
// cycles at 900 MHz; look-up 12 ns, 2.5 ns per 8-byte beat, 16 ns to the NPU.
#include <doctest/doctest.h>

#include "models/memory/xspi_memory.h"
#include "tests/models/cache/cacheaxi_bench.h"

namespace {

using n6vp::GuestAddr;
using n6vp::models::CacheAxi;
using n6vp::models::NpuCacheParameters;
using n6vp::models::Picoseconds;
using n6vp::models::core::Coherence;
using n6vp::test::Behind;
using n6vp::test::CacheBench;
using n6vp::test::kMemoryBase;
using n6vp::test::kNpu0;
using n6vp::test::Stream;
using Monitor = CacheAxi::Monitor;

constexpr Picoseconds kLookup = 12'000, kBeat = 2'500, kLatency = 16'000;
constexpr Picoseconds kStart = 2'000'000;  // the cache is ready

/// Reads as a stream engine does: bursts of 8, 4, 2 or 1 beats, each aligned to its own length.
/// Returns their number.
std::uint32_t stream(Stream& npu, std::uint32_t address, std::uint32_t bytes, Picoseconds& now) {
    std::uint32_t beat = address / 8, bursts = 0;
    const std::uint32_t end = (address + bytes + 7) / 8;
    while (beat < end) {
        std::uint32_t length = 8;
        while (beat % length != 0 || length > end - beat) length /= 2;
        now = npu.read(beat * 8, length * 8, now);
        beat += length;
        ++bursts;
    }
    return bursts;
}

bool within(double value, double published, double percent) {
    return value >= published * (1 - percent / 100) && value <= published * (1 + percent / 100);
}

}  // namespace

TEST_CASE("published counters: kws reads 117,600 B of weights with 1,920 misses and nothing else") {
    CacheBench bench;
    bench.enable(0x33330000);
    Picoseconds now = kStart;
    // In one run: 1,838 lines. In frames of 2,800 B, as its epoch 8 has them, 42 make the total.
    CHECK(stream(bench.npu, kMemoryBase, 117'600, now) == 1838);
    CHECK(bench.get(0x14) == 1838);
    bench.set(0x00, 0xFFFF0001);
    for (std::uint32_t frame = 0; frame < 42; ++frame) {
        stream(bench.npu, kMemoryBase + frame * 2800, 2800, now);
    }
    CHECK(bench.get(0x14) == 1890);
    CHECK(within(bench.get(0x14), 1920, 3));
    for (const std::uint32_t other : {0x10u, 0x18u, 0x1Cu, 0x20u, 0x24u, 0x28u, 0x2Cu}) {
        CHECK(bench.get(other) == 0);
    }
}

TEST_CASE("published counters: img hits 68,236 times, misses 67,786, 5,852 of them allocate") {
    CacheBench bench;
    bench.enable(0x33330000);
    bench.npu1.allocate = true;
    Picoseconds now = kStart;
    // 5,852 lines of coefficients in eleven epochs of 532 lines, 74,088 accesses, a line read again
    // and again; between them kernels are read once: 61,676 lines.
    constexpr std::uint32_t kLines = 532, kEpochs = 11, kAccesses = 74'088, kKernels = 61'676;
    std::uint32_t accesses = 0, kernels = 0;
    for (std::uint32_t epoch = 0; epoch < kEpochs; ++epoch) {
        const std::uint32_t until =
            kAccesses / kEpochs * (epoch + 1) + (epoch + 1 == kEpochs ? kAccesses % kEpochs : 0);
        for (std::uint32_t i = 0; accesses < until; ++i, ++accesses) {
            const std::uint32_t line = epoch * kLines + i % kLines;
            now = bench.npu1.read(kMemoryBase + line * 64, 64, now);
            if (kernels * std::uint64_t{kAccesses} < std::uint64_t{accesses} * kKernels) {
                now = bench.npu.read(kMemoryBase + (2 << 20) + kernels % 0x8000 * 64, 64, now);
                ++kernels;
            }
        }
    }
    for (; kernels < kKernels; ++kernels) now = bench.npu.read(kMemoryBase + (2 << 20), 64, now);
    CHECK(bench.get(0x10) == 68'236);
    CHECK(bench.get(0x18) == 5'852);
    CHECK(bench.get(0x14) == 61'676 + 5'852);
    CHECK(within(bench.get(0x14), 67'786, 0.4));
    CHECK(bench.get(0x1C) == 0);
}

TEST_CASE("timing: a hit takes look-up, beats and the way back") {
    CacheBench bench;
    bench.enable();
    bench.npu.allocate = true;
    bench.npu.read(kMemoryBase, 64, kStart);
    for (const std::uint32_t beats : {1u, 2u, 4u, 8u}) {
        const Picoseconds start = beats * kStart * 2;
        CHECK(bench.npu.read(kMemoryBase, beats * 8, start) ==
              start + kLookup + beats * kBeat + kLatency);
        CHECK(bench.npu.answer.first_beat == start + kLookup + kBeat + kLatency);
        CHECK(bench.npu.answer.last_beat == start + kLookup + beats * kBeat + kLatency);
        CHECK(bench.npu.answer.waited == 0);
    }
    // Beats are those of the bus: eight bytes across a border are two.
    CHECK(bench.npu.read(kMemoryBase + 4, 8, 50 * kStart) ==
          50 * kStart + kLookup + 2 * kBeat + kLatency);
}

TEST_CASE("timing: two streams share the port, and the second one knows who held it") {
    CacheBench bench;
    bench.enable();
    bench.npu.allocate = true;
    bench.npu.read(kMemoryBase, 64, kStart);
    constexpr Picoseconds kAt = 2 * kStart, kHit = kLookup + 8 * kBeat;
    bench.npu.read(kMemoryBase, 64, kAt);
    CHECK(bench.npu1.read(kMemoryBase, 64, kAt + 1'000) == kAt + 2 * kHit + kLatency);
    CHECK(bench.npu1.answer.waited == kHit - 1'000);
    CHECK(bench.npu1.answer.holder == kNpu0);
    CHECK(bench.cache.statistics().waited == kHit - 1'000);
}

TEST_CASE("timing: a miss is a burst of 64 bytes on the bus and holds the port until it is in") {
    CacheBench bench;
    bench.enable();
    bench.npu.allocate = true;
    const Picoseconds in = kStart + kLookup + Behind::kLatency + 8 * Behind::kBeat;
    CHECK(bench.npu.read(kMemoryBase + 16, 16, kStart) ==
          in - 4 * Behind::kBeat + kLatency);  // beats 2 and 3 of 0 to 7
    CHECK(bench.memory.seen.at(0).at == kStart + kLookup);
    CHECK(bench.memory.seen.at(0).address == kMemoryBase);
    CHECK(bench.memory.seen.at(0).bytes == 64);
    CHECK(bench.npu.answer.first_beat == in - 5 * Behind::kBeat + kLatency);
    CHECK(bench.npu1.read(kMemoryBase, 8, kStart) == in + kLookup + kBeat + kLatency);
    CHECK(bench.npu1.answer.waited == in - kStart);
}

TEST_CASE("timing: hits of others pass a miss that has held the port for long enough") {
    n6vp::models::NpuCacheParameters parameters;
    parameters.miss_cycles.value = 45;  // of 900 MHz: 50 ns
    CacheBench bench(Coherence::Ideal, parameters);
    bench.enable();
    bench.npu.allocate = bench.npu1.allocate = true;
    bench.npu.read(kMemoryBase + 0x1000, 64, kStart);
    constexpr Picoseconds kAt = 2 * kStart, kHold = 50'000;
    const Picoseconds in = kAt + kLookup + Behind::kLatency + 8 * Behind::kBeat;
    CHECK(bench.npu.read(kMemoryBase, 64, kAt) == in + kLatency);
    // Its line is there, the other's is not.
    CHECK(bench.npu1.read(kMemoryBase + 0x1000, 8, kAt) ==
          kAt + kHold + kLookup + kBeat + kLatency);
    CHECK(bench.npu1.answer.waited == kHold);
    CHECK(bench.npu1.answer.holder == kNpu0);
    // A hit on the line that is on its way waits for it, beside the port.
    const Picoseconds free = kAt + kHold + kLookup + kBeat;
    CHECK(bench.npu1.read(kMemoryBase + 8, 8, kAt) == in + kLatency);
    CHECK(bench.npu1.read(kMemoryBase + 0x1000, 8, kAt) == free + 2 * (kLookup + kBeat) + kLatency);
    CHECK(bench.count(Monitor::ReadMiss) == 2);
    CHECK(bench.count(Monitor::ReadHit) == 3);
}

TEST_CASE("timing: hits of others pass a miss that takes no line, too") {
    n6vp::models::NpuCacheParameters parameters;
    parameters.miss_cycles.value = 45;  // of 900 MHz: 50 ns
    CacheBench bench(Coherence::Ideal, parameters);
    bench.enable();
    bench.npu.allocate = true;
    bench.npu.read(kMemoryBase + 0x1000, 64, kStart);
    constexpr Picoseconds kAt = 2 * kStart, kHold = 50'000;
    bench.npu.allocate = false;
    CHECK(bench.npu.read(kMemoryBase, 64, kAt) ==
          kAt + kLookup + Behind::kLatency + 8 * Behind::kBeat + kLatency);
    CHECK(bench.npu1.read(kMemoryBase + 0x1000, 8, kAt) ==
          kAt + kHold + kLookup + kBeat + kLatency);
    CHECK(bench.npu1.answer.waited == kHold);
}

TEST_CASE("timing: of two waits as long as each other the first names the holder") {
    CacheBench bench;
    bench.enable();
    bench.npu.allocate = true;
    bench.npu.read(kMemoryBase, 64, kStart);
    constexpr Picoseconds kAt = 2 * kStart, kWait = kLookup + 8 * kBeat - 1'000;
    bench.npu.read(kMemoryBase, 64, kAt);
    // The port is held for this long, then the memory for as long by another master.
    bench.memory.waited = kWait;
    bench.memory.holder = n6vp::test::kCore;
    bench.npu1.read(kMemoryBase + 0x1000, 64, kAt + 1'000);
    CHECK(bench.npu1.answer.waited == 2 * kWait);
    CHECK(bench.npu1.answer.holder == kNpu0);
    // A longer one takes the place.
    bench.memory.waited = kWait + 1;
    bench.npu.read(kMemoryBase, 64, 2 * kAt);
    bench.npu1.read(kMemoryBase + 0x2000, 64, 2 * kAt + 1'000);
    CHECK(bench.npu1.answer.holder == n6vp::test::kCore);
}

TEST_CASE("timing: a transfer over several lines is one access per line") {
    CacheBench bench;
    bench.enable();
    const Picoseconds one = kLookup + Behind::kLatency + 8 * Behind::kBeat;
    CHECK(bench.npu.read(kMemoryBase, 256, kStart) == kStart + 4 * one + kLatency);
    CHECK(bench.count(Monitor::ReadMiss) == 4);
    CHECK(bench.npu.answer.first_beat == kStart + kLookup + Behind::kLatency + kBeat + kLatency);
    for (std::uint32_t i = 0; i < 256; ++i) {
        CHECK(bench.npu.data[i] == bench.memory.at(kMemoryBase + i));
    }
}

TEST_CASE("timing: writes through are posted while the buffer has room, then memory limits them") {
    CacheBench bench;
    bench.enable();
    const Picoseconds taken = kLookup + kBeat, memory = Behind::kLatency + Behind::kBeat;
    // Two entries. The third write waits for the first to reach memory.
    CHECK(bench.npu.write(kMemoryBase, {1}, kStart) == kStart + taken);
    CHECK(bench.npu.write(kMemoryBase + 64, {2}, kStart) == kStart + 2 * taken);
    CHECK(bench.npu.write(kMemoryBase + 128, {3}, kStart) == kStart + taken + memory);
    CHECK(bench.npu.write(kMemoryBase + 192, {4}, kStart) == kStart + 2 * taken + memory);
    CHECK(bench.memory.seen.at(2).at == kStart + taken + memory);
    CHECK(bench.count(Monitor::WriteMiss) == 4);
    CHECK(bench.count(Monitor::WriteThrough) == 4);
    CHECK(bench.memory.at(kMemoryBase + 128) == 3);
}

// It began when the port was free, with bytes that had not come.
TEST_CASE("timing: a line that is on its way is written back when it is in") {
    n6vp::models::NpuCacheParameters parameters;
    parameters.miss_cycles.value = 45;  // 50 ns
    parameters.ways.value = 1;
    CacheBench bench(Coherence::Real, parameters);
    bench.enable();
    bench.npu.allocate = bench.npu1.allocate = true;
    const std::uint32_t set_bytes = 64 * static_cast<std::uint32_t>(parameters.entries.value);
    constexpr Picoseconds kFetch = Behind::kLatency + 8 * Behind::kBeat;
    bench.npu.write(kMemoryBase, {1}, kStart);
    const Picoseconds in = kStart + kLookup + kBeat + kFetch;
    // Takes its place: the port is free again while both lines are on their way.
    const Picoseconds next = kStart + 50'000 + kLookup + kFetch + kLatency;
    CHECK(bench.npu1.read(kMemoryBase + set_bytes, 64, kStart) == next);
    REQUIRE(bench.memory.seen.size() == 3);
    CHECK(bench.memory.seen[2].write);
    CHECK(bench.memory.seen[2].address == kMemoryBase);
    CHECK(bench.memory.seen[2].at == in);
    CHECK(bench.memory.at(kMemoryBase) == 1);
    // A command of software finds such a line, too.
    constexpr Picoseconds kLater = 2 * kStart;
    bench.npu.write(kMemoryBase, {2}, kLater);
    bench.range(1, kMemoryBase, 64, kLater);
    REQUIRE(bench.memory.seen.size() == 5);
    CHECK(bench.memory.seen[4].at == kLater + kLookup + kBeat + kFetch);
}

TEST_CASE("timing: write-backs lengthen a range command") {
    CacheBench bench(Coherence::Real);
    bench.enable();
    bench.npu.allocate = true;
    for (std::uint32_t i = 0; i < 200; ++i) bench.npu.write(kMemoryBase + i * 64, {1}, kStart);
    // Two at a time through the buffer, 120 ns each: more than the walk of 4,096 cycles, 4.55 us.
    constexpr Picoseconds kAt = 500'000'000;
    CHECK(bench.range(1, kMemoryBase, 200 * 64, kAt) ==
          kAt + 100 * (Behind::kLatency + 8 * Behind::kBeat));
    // All clean now.
    CHECK(bench.range(1, kMemoryBase, 200 * 64, 2 * kAt) == 2 * kAt + 4'551'111);
}

TEST_CASE("timing: the cache follows its clock") {
    CacheBench bench;
    bench.enable();
    bench.npu.allocate = true;
    bench.npu.read(kMemoryBase, 64, kStart);
    bench.cache.set_clock_hz(450e6);
    CHECK(bench.npu.read(kMemoryBase, 64, 2 * kStart) ==
          2 * kStart + 2 * (kLookup + 8 * kBeat + kLatency));
    CHECK(bench.range(1, kMemoryBase, 64, 10'000'000) == 10'000'000 + 9'102'222);
    CHECK(bench.get(0x04, 30'000'000) == 0x10);
}

namespace {

/// 20 ns to the flash and 20 ns back, as the way from the NPU to an XSPI.
class Way : public sc_core::sc_module {
  public:
    tlm_utils::simple_target_socket<Way> from;
    tlm_utils::simple_initiator_socket<Way> to;
    explicit Way(const sc_core::sc_module_name& name) : sc_module(name) {
        from.register_b_transport(this, &Way::b_transport);
        from.register_transport_dbg(this, &Way::transport_dbg);
    }

  private:
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        trans.set_address(trans.get_address() - 0x70000000);
        delay += sc_core::sc_time(20, sc_core::SC_NS);
        to->b_transport(trans, delay);
        delay += sc_core::sc_time(20, sc_core::SC_NS);
        auto* transfer = trans.get_extension<n6vp::models::Transfer>();
        transfer->first_beat += 20'000;
        transfer->last_beat += 20'000;
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& trans) {
        trans.set_address(trans.get_address() - 0x70000000);
        return to->transport_dbg(trans);
    }
};

}  // namespace

TEST_CASE("timing: lines from the flash come every 160 ns in a stream, 115 ns later in a new one") {
    CacheAxi cache("cache", 900e6, NpuCacheParameters(), Coherence::Ideal, {kNpu0});
    Stream npu("npu");
    Way way("way");
    n6vp::models::XspiMemory flash("flash", 1 << 20, 200e6, n6vp::models::XspiParameters());
    npu.port.bind(cache.from[0]);
    cache.to[0].bind(way.from);
    way.to.bind(flash.port);
    cache.add_memory(0, {GuestAddr{0x70000000}, 1 << 20}, 0, false);
    (void)cache.registers().write(0, 1, ~0u, kStart);
    // 23 clocks of command, address and dummy at 200 MHz, 2 bytes per clock, 40 ns there and back.
    constexpr Picoseconds kFirst = kLookup + 40'000 + 115'000 + 160'000 + kLatency;
    Picoseconds now = npu.read(0x70000000, 64, kStart);
    CHECK(now == kStart + kFirst);
    // One outstanding access: the flash reads ahead while the answer travels.
    for (std::uint32_t line = 1; line < 100; ++line) {
        const Picoseconds next = npu.read(0x70000000 + line * 64, 64, now);
        CHECK(next - now == 160'000);
        now = next;
    }
    // Elsewhere: NCS high for two clocks, then a new command.
    now += 1'000'000;
    CHECK(npu.read(0x70080000, 64, now) >= now + kFirst);
    CHECK(npu.read(0x70080040, 64, now + 10'000'000) < now + 10'000'000 + kFirst - 115'000 + 1);
    // 397 MB/s were measured; 64 B in 160 ns are 400.
    CHECK(within(64e6 / 160'000, 397e0, 2));
}
