// SPDX-License-Identifier: Apache-2.0
// NPU cache against memory: what `real` lines hold, what `ideal` detects, and that a program which
// does the maintenance that is missing raises nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tests/models/cache/cacheaxi_bench.h"

namespace {

using n6vp::models::CacheAxi;
using n6vp::models::NpuCacheEvent;
using n6vp::models::NpuCacheParameters;
using n6vp::models::Picoseconds;
using n6vp::models::core::Coherence;
using n6vp::test::CacheBench;
using n6vp::test::kCore;
using n6vp::test::kMemoryBase;
using n6vp::test::kNpu0;
using n6vp::test::kNpu1;
using Kind = NpuCacheEvent::Kind;
using Monitor = CacheAxi::Monitor;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kClean = 1, kCleanInvalidate = 3;
constexpr std::uint32_t kWeights = kMemoryBase + 0x1000;
constexpr Picoseconds kLater = 100'000'000;  // no operation runs any more

/// A cache that is on, with NPU streams that allocate.
struct Bench : CacheBench {
    explicit Bench(Coherence coherence, const NpuCacheParameters& parameters = {})
        : CacheBench(coherence, parameters) {
        enable();
        npu.allocate = npu1.allocate = true;
        std::fill(memory.bytes.begin(), memory.bytes.end(), std::uint8_t{0});
    }
    Bytes read(std::uint32_t address, std::uint32_t bytes) {
        npu.read(address, bytes);
        return npu.data;
    }
    Bytes held(std::uint32_t address, std::uint32_t bytes) {
        return {&memory.at(address), &memory.at(address) + bytes};
    }
    void check_event(Kind kind, std::uint32_t address, std::uint32_t bytes, std::uint8_t writer,
                     std::uint8_t actor) {
        REQUIRE(events.size() == 1);
        CHECK(events[0].kind == kind);
        CHECK(events[0].address == address);
        CHECK(events[0].bytes == bytes);
        CHECK(events[0].writer == writer);
        CHECK(events[0].actor == actor);
        CHECK(cache.coherence().events == 1);
    }
};

}  // namespace

TEST_CASE("real: an allocating write stays in its line until it is cleaned") {
    Bench bench(Coherence::Real);
    bench.npu.write(kWeights + 4, {1, 2, 3});
    CHECK(bench.held(kWeights, 8) == Bytes(8, 0));
    CHECK(bench.read(kWeights, 8) == Bytes{0, 0, 0, 0, 1, 2, 3, 0});
    CHECK(bench.count(Monitor::WriteAllocateMiss) == 1);
    CHECK(bench.count(Monitor::WriteThrough) == 0);
    bench.range(kClean, kWeights + 4, 3);
    CHECK(bench.held(kWeights, 8) == Bytes{0, 0, 0, 0, 1, 2, 3, 0});
    bench.npu.write(kWeights, {9});
    CHECK(bench.count(Monitor::WriteHit) == 1);
    CHECK(bench.held(kWeights, 1) == Bytes{0});
    // Clean and invalidate: memory has it, the next read brings it again.
    bench.range(kCleanInvalidate, kWeights, 1, kLater);
    CHECK(bench.held(kWeights, 1) == Bytes{9});
    bench.npu.read(kWeights, 1);
    CHECK(bench.count(Monitor::ReadMiss) == 1);
}

TEST_CASE("real: an evicted line goes to memory, a clean one does not") {
    Bench bench(Coherence::Real);
    bench.npu.write(kWeights, {7});
    bench.read(kWeights + 0x8000, 1);
    for (std::uint32_t i = 2; i < 8; ++i) bench.read(kWeights + i * 0x8000, 1);
    CHECK(bench.held(kWeights, 1) == Bytes{0});
    bench.read(kWeights + 8 * 0x8000, 1);
    CHECK(bench.held(kWeights, 1) == Bytes{7});
    CHECK(bench.count(Monitor::Eviction) == 1);
    CHECK(bench.memory.seen.back().write);
    CHECK(bench.memory.seen.back().bytes == 64);
    bench.read(kWeights + 9 * 0x8000, 1);
    CHECK(bench.count(Monitor::Eviction) == 1);
    CHECK_FALSE(bench.memory.seen.back().write);
}

TEST_CASE("real: a whole invalidate loses what was not cleaned") {
    Bench bench(Coherence::Real);
    bench.npu.write(kWeights, {7});
    bench.set(0x00, 3, kLater);
    CHECK(bench.read(kWeights, 1) == Bytes{0});
}

TEST_CASE("real: clearing EN loses what was not cleaned") {
    Bench bench(Coherence::Real);
    bench.npu.write(kWeights, {7});
    bench.set(0x00, 0, kLater);
    bench.set(0x00, 1, 2 * kLater);
    CHECK(bench.read(kWeights, 1) == Bytes{0});
}

TEST_CASE("range commands take whole lines at both ends and leave the neighbours") {
    Bench bench(Coherence::Real);
    for (std::uint32_t line = 0; line < 6; ++line) bench.npu.write(kWeights + line * 64, {5});
    // The last byte of line 1 to the first byte of line 4.
    bench.range(kCleanInvalidate, kWeights + 2 * 64 - 1, 2 * 64 + 2);
    Bytes reached;
    for (std::uint32_t line = 0; line < 6; ++line)
        reached.push_back(bench.memory.at(kWeights + line * 64));
    CHECK(reached == Bytes{0, 5, 5, 5, 5, 0});
    for (std::uint32_t line = 0; line < 6; ++line) bench.npu.read(kWeights + line * 64, 1);
    CHECK(bench.count(Monitor::ReadMiss) == 4);
    CHECK(bench.count(Monitor::ReadHit) == 2);
    // Clean leaves the lines in, and an empty range (last before first) touches nothing.
    bench.range(kClean, kWeights, 64, kLater);
    bench.range(kCleanInvalidate, kWeights + 64, 0, 2 * kLater);
    bench.npu.read(kWeights, 1);
    CHECK(bench.count(Monitor::ReadHit) == 3);
    CHECK(bench.memory.at(kWeights) == 5);
    CHECK(bench.memory.at(kWeights + 5 * 64) == 0);
}

TEST_CASE("writes without allocate go through and keep a line they hit up to date") {
    Bench bench(Coherence::Real);
    bench.read(kWeights, 8);
    bench.npu.allocate = false;
    bench.npu.write(kWeights + 2, {4, 5});
    CHECK(bench.held(kWeights, 8) == Bytes{0, 0, 4, 5, 0, 0, 0, 0});
    CHECK(bench.read(kWeights, 8) == Bytes{0, 0, 4, 5, 0, 0, 0, 0});
    CHECK(bench.count(Monitor::WriteHit) == 1);
    CHECK(bench.count(Monitor::WriteThrough) == 1);
    bench.npu.write(kWeights + 64, {6});
    CHECK(bench.count(Monitor::WriteMiss) == 1);
    CHECK(bench.count(Monitor::WriteAllocateMiss) == 0);
    bench.npu.read(kWeights + 64, 1);
    CHECK(bench.count(Monitor::ReadMiss) == 2);
}

TEST_CASE("write_back = 0 sends every write through") {
    NpuCacheParameters parameters;
    parameters.write_back.value = 0;
    Bench bench(Coherence::Real, parameters);
    bench.npu.write(kWeights, {1});
    CHECK(bench.held(kWeights, 1) == Bytes{1});
    CHECK(bench.count(Monitor::WriteThrough) == 1);
    CHECK(bench.count(Monitor::WriteAllocateMiss) == 0);
}

TEST_CASE("both ports see one cache") {
    Bench bench(Coherence::Real);
    bench.npu1.write(kWeights, {1, 2});
    CHECK(bench.read(kWeights, 2) == Bytes{1, 2});
    CHECK(bench.count(Monitor::ReadHit) == 1);
}

TEST_CASE("ideal: memory has every write at once, traffic and counters stay those of the cache") {
    Bench bench(Coherence::Ideal);
    bench.npu.write(kWeights + 4, {1, 2, 3});
    CHECK(bench.held(kWeights, 8) == Bytes{0, 0, 0, 0, 1, 2, 3, 0});
    CHECK(bench.memory.seen.size() == 1);  // the line came, nothing went
    CHECK(bench.count(Monitor::WriteAllocateMiss) == 1);
    bench.range(kClean, kWeights, 64);
    REQUIRE(bench.memory.seen.size() == 2);
    CHECK(bench.memory.seen[1].write);
    CHECK(bench.memory.seen[1].bytes == 64);
    CHECK(bench.read(kWeights, 8) == Bytes{0, 0, 0, 0, 1, 2, 3, 0});
    CHECK(bench.events.empty());
}

TEST_CASE("stale: the NPU reads weights that the core rewrote behind its cache") {
    Bench bench(Coherence::Ideal);
    bench.read(kWeights, 64);
    bench.other_writes(kWeights + 8, {1, 0, 3});
    bench.npu1.read(kWeights, 16);
    // The second byte was 0 before: not different. The data are the newest all the same.
    bench.check_event(Kind::NpuReadStale, kWeights + 8, 2, kCore, kNpu1);
    CHECK(bench.npu1.data[8] == 1);
    bench.npu.read(kWeights, 16);
    CHECK(bench.events.size() == 1);  // told once
    bench.other_writes(kWeights + 8, {4});
    bench.npu.read(kWeights, 16);
    CHECK(bench.events.size() == 2);
}

TEST_CASE("stale twin: after a range command, or a whole invalidate, nothing is stale") {
    Bench bench(Coherence::Ideal);
    bench.read(kWeights, 64);
    bench.other_writes(kWeights + 8, {1, 2, 3});
    bench.range(kCleanInvalidate, kWeights + 8, 3);
    CHECK(bench.read(kWeights + 8, 3) == Bytes{1, 2, 3});
    bench.other_writes(kWeights + 8, {4, 5, 6});
    bench.set(0x00, 3, kLater);
    CHECK(bench.read(kWeights + 8, 3) == Bytes{4, 5, 6});
    CHECK(bench.events.empty());
}

TEST_CASE("stale in real: the NPU computes with what its line holds") {
    Bench bench(Coherence::Real);
    bench.read(kWeights, 64);
    bench.other_writes(kWeights + 8, {1, 2, 3});
    CHECK(bench.read(kWeights + 8, 3) == Bytes{0, 0, 0});
    bench.range(kCleanInvalidate, kWeights + 8, 3);
    CHECK(bench.read(kWeights + 8, 3) == Bytes{1, 2, 3});
    CHECK(bench.events.empty());
}

TEST_CASE("benign: the same bytes, or other bytes of the line") {
    Bench bench(Coherence::Ideal);
    bench.read(kWeights, 64);
    bench.other_writes(kWeights + 8, {0, 0});
    bench.read(kWeights, 64);
    CHECK(bench.cache.coherence().benign == 1);
    bench.other_writes(kWeights + 32, {1});
    bench.read(kWeights, 32);
    CHECK(bench.cache.coherence().benign == 2);
    CHECK(bench.events.empty());
    bench.read(kWeights + 32, 1);
    CHECK(bench.events.size() == 1);
}

TEST_CASE("stale: the core reads what the NPU's cache has not written back") {
    Bench bench(Coherence::Ideal);
    bench.npu1.write(kWeights + 60, {1, 2, 3, 4});
    bench.other_reads(kWeights, 64);
    bench.check_event(Kind::OtherReadStale, kWeights + 60, 4, kNpu1, kCore);
    bench.other_reads(kWeights, 64);
    CHECK(bench.events.size() == 1);
}

TEST_CASE("stale twin: cleaned, or written through, the core reads the newest") {
    Bench bench(Coherence::Ideal);
    bench.npu1.write(kWeights + 60, {1, 2, 3, 4});
    bench.range(kClean, kWeights + 60, 4);
    bench.other_reads(kWeights, 64);
    bench.npu.allocate = false;
    bench.npu.write(kWeights + 60, {5, 6, 7, 8});
    bench.other_reads(kWeights, 64);
    CHECK(bench.events.empty());
}

TEST_CASE("lost: an invalidate drops what the NPU wrote") {
    Bench bench(Coherence::Ideal);
    bench.npu.write(kWeights, {1, 2});
    bench.set(0x00, 3, kLater);
    bench.check_event(Kind::NpuWriteLost, kWeights, 2, kNpu0, NpuCacheEvent::kNobody);
}

TEST_CASE("lost twin: cleaned before the invalidate, nothing is lost") {
    Bench bench(Coherence::Ideal);
    bench.npu.write(kWeights, {1, 2});
    bench.range(kClean, kWeights, 2);
    bench.set(0x00, 3, kLater);
    CHECK(bench.events.empty());
}

TEST_CASE("lost: a dirty line goes back over a neighbour's bytes") {
    Bench bench(Coherence::Ideal);
    bench.npu.write(kWeights, {1, 2});
    bench.other_writes(kWeights + 16, {9, 9, 9});  // another buffer in the same line
    bench.range(kClean, kWeights, 2);
    bench.check_event(Kind::OtherWriteLost, kWeights + 16, 3, kCore, NpuCacheEvent::kNobody);
    CHECK(bench.held(kWeights + 16, 3) == Bytes{9, 9, 9});
    bench.read(kWeights, 64);
    CHECK(bench.events.size() == 1);
}

TEST_CASE("lost: an eviction names the stream on whose behalf it came") {
    Bench bench(Coherence::Ideal);
    bench.npu.write(kWeights, {1});
    bench.other_writes(kWeights, {2});
    for (std::uint32_t i = 1; i <= 8; ++i) bench.npu1.read(kWeights + i * 0x8000, 1);
    bench.check_event(Kind::OtherWriteLost, kWeights, 1, kCore, kNpu1);
}

TEST_CASE("lost twin: buffers on lines of their own, or cleaned and invalidated before") {
    Bench bench(Coherence::Ideal);
    bench.npu.write(kWeights, {1, 2});
    bench.other_writes(kWeights + 64, {9, 9, 9});
    bench.range(kCleanInvalidate, kWeights, 2);
    bench.other_writes(kWeights + 16, {9, 9, 9});
    bench.npu.write(kWeights, {3});
    bench.range(kClean, kWeights, 2, kLater);
    CHECK(bench.events.empty());
}

TEST_CASE("lost in real: the line's old bytes overwrite the neighbour's") {
    Bench bench(Coherence::Real);
    bench.npu.write(kWeights, {1, 2});
    bench.other_writes(kWeights + 16, {9, 9, 9});
    bench.range(kClean, kWeights, 2);
    CHECK(bench.held(kWeights, 2) == Bytes{1, 2});
    CHECK(bench.held(kWeights + 16, 3) == Bytes{0, 0, 0});
}

TEST_CASE("stale: the NPU's own transfers around its cache count as others'") {
    Bench bench(Coherence::Ideal);
    bench.read(kWeights, 64);
    bench.npu1.cacheable = false;
    bench.npu1.write(kWeights, {1});
    bench.npu.read(kWeights, 1);
    bench.check_event(Kind::NpuReadStale, kWeights, 1, kNpu1, kNpu0);
}

TEST_CASE("stale: bytes that never came by the bus have no writer") {
    Bench bench(Coherence::Ideal);
    bench.read(kWeights, 64);
    bench.memory.at(kWeights + 1) = 5;
    bench.read(kWeights, 8);
    bench.check_event(Kind::NpuReadStale, kWeights + 1, 1, NpuCacheEvent::kNobody, kNpu0);
}

TEST_CASE("bytes written again by either side are no longer stale") {
    Bench bench(Coherence::Ideal);
    // Memory lacks the NPU's bytes until another master writes it: then it has the newest.
    bench.npu.write(kWeights, {1, 2});
    bench.other_writes(kWeights, {3, 4});
    bench.other_reads(kWeights, 2);
    // The line lacks the core's bytes until the NPU writes it.
    bench.npu.write(kWeights, {5, 6});
    bench.read(kWeights, 2);
    bench.range(kClean, kWeights, 2);
    // Written through, memory has what it lacked before.
    bench.npu.write(kWeights, {7, 8});
    bench.npu.allocate = false;
    bench.npu.write(kWeights, {9, 9});
    bench.other_reads(kWeights, 2);
    CHECK(bench.events.empty());
}

TEST_CASE("benign: the NPU has put back the value that memory still has") {
    Bench bench(Coherence::Ideal);
    bench.npu.write(kWeights, {1});
    bench.npu.write(kWeights, {0});
    bench.other_reads(kWeights, 1);
    CHECK(bench.events.empty());
    CHECK(bench.cache.coherence().benign == 1);
}

TEST_CASE("writes of others reach across lines, and to other targets not at all") {
    Bench bench(Coherence::Ideal);
    bench.read(kWeights, 256);
    bench.cache.before_write(kCore, n6vp::test::kTarget + 1, 0x1000, 256);
    bench.other_writes(kWeights + 60, Bytes(70, 1));
    bench.read(kWeights, 256);
    REQUIRE(bench.events.size() == 3);
    CHECK(bench.events[0].bytes == 4);
    CHECK(bench.events[1].bytes == 64);
    CHECK(bench.events[2].bytes == 2);
    CHECK(bench.events[2].address == kWeights + 128);
}

namespace {

/// Streams of the NPU and writes of the core, at random but repeatable, with all the maintenance
/// that they need; checks every byte read against a plain array.
void run_with_maintenance(Bench& bench) {
    std::vector<std::uint8_t> expected(0x20000, 0);
    std::uint32_t state = 12345;
    const auto random = [&](std::uint32_t below) {
        state = state * 1664525u + 1013904223u;
        return (state >> 8) % below;
    };
    Picoseconds now = kLater;
    unsigned wrong = 0;
    for (int step = 0; step < 3000; ++step, now += kLater) {
        const std::uint32_t offset = random(0x20000 - 256), bytes = 1 + random(200);
        Bytes data(bytes);
        for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>(random(256));
        bench.npu.allocate = random(2) == 0;
        switch (random(4)) {
            case 0:  // the core writes a buffer: out of the cache with it first
                bench.range(kCleanInvalidate, kMemoryBase + offset, bytes, now);
                bench.other_writes(kMemoryBase + offset, data);
                std::copy(data.begin(), data.end(), expected.begin() + offset);
                break;
            case 1:  // the core reads a result
                bench.range(kClean, kMemoryBase + offset, bytes, now);
                bench.other_reads(kMemoryBase + offset, bytes);
                data = bench.held(kMemoryBase + offset, bytes);
                wrong += !std::equal(data.begin(), data.end(), expected.begin() + offset);
                break;
            case 2:
                bench.npu.write(kMemoryBase + offset, data, now);
                std::copy(data.begin(), data.end(), expected.begin() + offset);
                break;
            default:
                bench.npu.read(kMemoryBase + offset, bytes, now);
                wrong += !std::equal(bench.npu.data.begin(), bench.npu.data.end(),
                                     expected.begin() + offset);
                break;
        }
    }
    CHECK(wrong == 0);
    CHECK(bench.events.empty());
    CHECK(bench.count(Monitor::ReadHit) > 100);
    CHECK(bench.count(Monitor::WriteHit) > 100);
}

/// Few lines, so that evictions happen.
NpuCacheParameters small() {
    NpuCacheParameters parameters;
    parameters.entries.value = 512;
    parameters.ways.value = 4;
    return parameters;
}

}  // namespace

TEST_CASE("a program with all its maintenance sees its own bytes in a real cache") {
    Bench bench(Coherence::Real, small());
    run_with_maintenance(bench);
    CHECK(bench.count(Monitor::Eviction) > 10);
}

TEST_CASE("a program with all its maintenance raises nothing in an ideal cache") {
    Bench bench(Coherence::Ideal, small());
    run_with_maintenance(bench);
    CHECK(bench.count(Monitor::Eviction) > 10);
}

TEST_CASE("ideal and real differ in no time and no counter") {
    // One elaboration may hold both.
    const auto run = [](Bench& bench) {
        Picoseconds now = kLater;
        for (std::uint32_t i = 0; i < 4000; ++i) {
            const std::uint32_t at = kMemoryBase + i * 7919 % 0x40000;
            bench.npu.allocate = i % 3 != 0;
            now = i % 4 == 1 ? bench.npu.write(at, Bytes(1 + i % 64, 1), now)
                             : bench.npu.read(at, 1 + i % 64, now);
        }
        return now;
    };
    struct Pair : sc_core::sc_module {
        explicit Pair(const char* name, Coherence coherence)
            : sc_module(sc_core::sc_module_name(name)), bench(coherence, small()) {}
        Bench bench;
    };
    Pair ideal("ideal", Coherence::Ideal), real("real", Coherence::Real);
    CHECK(run(ideal.bench) == run(real.bench));
    CHECK(ideal.bench.cache.statistics().counts == real.bench.cache.statistics().counts);
    CHECK(ideal.bench.memory.seen.size() == real.bench.memory.seen.size());
}

TEST_CASE("power-on reset forgets lines, counters and times") {
    Bench bench(Coherence::Ideal);
    bench.npu.write(kWeights, {1});
    bench.other_writes(kWeights, {2});
    bench.cache.reset(sc_core::sc_time_stamp().value());
    CHECK(bench.events.empty());
    CHECK(bench.get(0x00) == 0);
    CHECK(bench.get(0x04, 0) == 1);
    CHECK(bench.count(Monitor::WriteMiss) == 0);
    bench.enable();
    bench.npu.read(kWeights, 1);
    CHECK(bench.count(Monitor::ReadMiss) == 1);
    CHECK(bench.events.empty());
}
