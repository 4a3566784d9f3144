// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "models/core/system/system_memory.h"
#include "models/core/timing/cache_tags.h"
#include "models/core/timing/caches.h"
#include "tests/core/engine/bench_core.h"

using namespace n6vp::models::core;
using n6vp::tests::BareSystem;
using n6vp::tests::BenchBus;

namespace {

constexpr std::uint32_t kData = BenchBus::kData;
constexpr std::uint32_t kLine = DataCache::kLineBytes;

/// The data cache between a core state and a bus: lines take 20 cycles to the first beat, 50 to the
/// last.
struct CacheBench {
    explicit CacheBench(Coherence coherence = Coherence::Ideal) : caches({}, bus, {}, coherence) {
        cpu.system = &system;
        cpu.budget = 1'000'000;
        cpu.cycle_base = 1'000'000;
        bus.cycles = 50;
        bus.first_cycles = 20;
        caches.enable(cpu, true, true, false);
        caches.data.set_hook([this](const CoherenceEvent& event) { events.push_back(event); });
    }
    [[nodiscard]] std::uint64_t now() const {
        return cpu.cycle_base - static_cast<std::uint64_t>(cpu.budget);
    }
    /// Cycles that a load (or store) of a word waits.
    std::uint64_t load(std::uint32_t address) {
        const std::uint64_t before = now();
        caches.data.touch_read(cpu, address, 4, nullptr);
        return now() - before;
    }
    std::uint64_t store(std::uint32_t address, std::uint32_t value) {
        const std::uint64_t before = now();
        caches.data.touch_write(cpu, address, 4, nullptr);
        bus.set_word(address, value);
        return now() - before;
    }
    void pass(std::uint64_t cycles) { cpu.budget -= static_cast<std::int64_t>(cycles); }
    /// Another master changes a word in memory.
    void other_writes(std::uint32_t address, std::uint32_t value) {
        caches.data.other_writes(address, address + 3, "dma");
        bus.set_word(address, value);
    }

    BenchBus bus;
    BareSystem system;
    CpuState cpu;
    CoreCaches caches;
    std::vector<CoherenceEvent> events;
};

using Kind = CoherenceEvent::Kind;
using Action = CacheMaintenance::Action;

}  // namespace

TEST_CASE("a missing load waits for its beat, not for the line") {
    CacheBench bench;
    // 2 to the bus, 20 to the first beat, 2 back
    CHECK(bench.load(kData + 8) == 24);
    CHECK(bench.load(kData + 8) == 0);
    // The next beat comes 10 cycles after the first, the one before the first last: at 2 + 50 + 2.
    CHECK(bench.load(kData + 16) == 10);
    CHECK(bench.load(kData) == 20);
    CHECK(bench.load(kData + 28) == 0);
    CHECK(bench.caches.data.counters().fills == 1);
}

TEST_CASE("a second miss waits for the fill buffer and its turnaround") {
    CacheBench bench;
    CHECK(bench.load(kData) == 24);
    // The first line ends at 52, 4 of turnaround, then 20 and 2 back: from cycle 24.
    CHECK(bench.load(kData + kLine) == 52 + 4 + 20 + 2 - 24);
}

TEST_CASE("a missing store does not wait, the next one to another line does") {
    CacheBench bench;
    CHECK(bench.store(kData, 1) == 0);
    CHECK(bench.store(kData + 4, 1) == 0);
    CHECK(bench.store(kData + kLine, 1) == 52);
}

TEST_CASE("events of the performance monitor are those of the caches, and no others") {
    CacheBench bench;
    const auto total = [&](unsigned event) {
        std::uint64_t value = 1'000'000;
        return bench.caches.events(bench.cpu, event, value) ? value : UINT64_MAX;
    };
    constexpr unsigned kL1iRefill = 0x01, kL1dRefill = 0x03, kL1dWriteBack = 0x15;
    for (const unsigned event : {kL1iRefill, kL1dRefill, kL1dWriteBack}) CHECK(total(event) == 0);
    for (std::uint32_t i = 0; i < 3; ++i) bench.load(kData + i * kLine);
    CHECK(total(kL1dRefill) == 3);
    bench.caches.instructions.touch(bench.cpu, BenchBus::kCode, 2);
    CHECK(total(kL1iRefill) == 2);
    // A dirty line whose set gets four more.
    bench.store(kData + 0x100, 7);
    for (std::uint32_t i = 1; i <= 4; ++i) {
        bench.pass(1000);
        bench.load(kData + 0x100 + i * 8192);
    }
    CHECK(total(kL1dWriteBack) == 1);
    CHECK(total(kL1dRefill) == 3 + 1 + 4);
    CHECK(total(kL1iRefill) == 2);
    for (const unsigned event : {0x00u, 0x02u, 0x04u, 0x14u, 0x16u, 0xFFFFu})
        CHECK(total(event) == UINT64_MAX);
}

TEST_CASE("DSB waits for the end of every store past the cache, and for nothing if there is none") {
    CacheBench bench;
    bench.caches.enable(bench.cpu, true, false, false);
    const MicroOp op{};
    const auto barrier = [&] {
        const std::uint64_t before = bench.now();
        bench.caches.data.barrier(bench.cpu, op);
        return bench.now() - before;
    };
    CHECK(barrier() == 0);
    CHECK(bench.store(kData, 1) == 0);
    CHECK(barrier() == 50);  // what the bus takes
    CHECK(barrier() == 0);
    // Two stores on the way at once: until the later one.
    CHECK(bench.store(kData, 1) == 0);
    bench.pass(30);
    CHECK(bench.store(kData + 4, 1) == 0);
    CHECK(barrier() == 50);
    CHECK(bench.store(kData, 1) == 0);
    bench.pass(60);
    CHECK(barrier() == 0);
}

TEST_CASE("a dirty victim is written back, a clean one is not") {
    CacheBench bench;
    // Five lines of one set of four ways: 32 KiB / 4 ways apart.
    for (std::uint32_t i = 0; i < 5; ++i) {
        bench.load(kData + i * 8192);
        bench.pass(1000);
    }
    CHECK(bench.caches.data.counters().write_backs == 0);
    bench.store(kData + 8192, 7);  // the oldest now
    for (std::uint32_t i = 5; i < 9; ++i) {
        bench.load(kData + i * 8192);
        bench.pass(1000);
    }
    CHECK(bench.caches.data.counters().write_backs == 1);
}

TEST_CASE("a fill waits for a buffer that takes its dirty victim") {
    CacheBench bench;
    bench.bus.write_delay = 200;
    for (std::uint32_t i = 0; i < 4; ++i) {
        bench.store(kData + i * 8192, 7);
        bench.pass(1000);
    }
    const std::uint64_t begin = bench.now();
    CHECK(bench.load(kData + 4 * 8192) == 24);
    bench.load(kData + 5 * 8192);
    // Both buffers write now, the first until 2 + 250 after the begin.
    const std::uint64_t before = bench.now();
    CHECK(bench.load(kData + 6 * 8192) == 252 + 20 + 2 - (before - begin));
}

TEST_CASE("replacement takes a free way first, then the line that nobody used for longest") {
    // One set of four ways.
    n6vp::models::CacheTags tags(128, 4, 32);
    for (std::uint32_t i = 0; i < 4; ++i) tags.allocate(32 * i);
    REQUIRE(tags.look_up(0) != nullptr);
    CHECK(tags.victim(512).address == 32);
    // The line used last is given up: its way is free although others are older.
    tags.find(0)->valid = false;
    CHECK_FALSE(tags.victim(512).valid);
    tags.allocate(512);
    for (const std::uint32_t kept : {32u, 64u, 96u}) CHECK(tags.find(kept) != nullptr);
}

TEST_CASE("a disabled cache and device memory wait for each access") {
    CacheBench bench;
    bench.caches.enable(bench.cpu, true, false, false);
    CHECK(bench.load(kData) == 50);
    CHECK(bench.load(kData) == 50);
}

TEST_CASE("reading what another master changed behind a cached line is reported, once it differs") {
    CacheBench bench;
    bench.bus.set_word(kData + 4, 5);
    bench.load(kData);
    bench.pass(1000);
    bench.other_writes(kData + 4, 5);  // the very same bytes
    bench.load(kData + 4);
    CHECK(bench.events.empty());
    CHECK(bench.caches.data.coherence().benign == 1);
    bench.other_writes(kData + 4, 6);
    bench.load(kData + 8);  // another part of the line
    CHECK(bench.events.empty());
    bench.load(kData + 4);
    REQUIRE(bench.events.size() == 1);
    CHECK(bench.events[0].kind == Kind::CoreReadStale);
    CHECK(bench.events[0].address == kData + 4);
    CHECK(bench.events[0].bytes == 1);
    CHECK(std::string(bench.events[0].other) == "dma");
    bench.caches.maintain_data_line(bench.cpu, Action::Invalidate, kData + 4);
    bench.load(kData + 4);
    CHECK(bench.events.size() == 1);
}

TEST_CASE(
    "reading a stale line beside the bytes that changed is benign, up to the byte next to them") {
    CacheBench bench;
    bench.load(kData);
    bench.pass(1000);
    bench.other_writes(kData + 8, 0x01020304);
    const auto read = [&](std::uint32_t address, unsigned bytes) {
        bench.caches.data.touch_read(bench.cpu, address, bytes, nullptr);
    };
    std::uint64_t benign = 0;
    CHECK(bench.caches.data.coherence().benign == benign);
    for (const std::uint32_t offset : {4u, 12u, 28u, 0u}) {
        CAPTURE(offset);
        read(kData + offset, 4);
        CHECK(bench.caches.data.coherence().benign == ++benign);
    }
    for (const std::uint32_t offset : {7u, 12u}) {
        CAPTURE(offset);
        read(kData + offset, 1);
        CHECK(bench.caches.data.coherence().benign == ++benign);
    }
    CHECK(bench.events.empty());
    CHECK(bench.caches.data.coherence().events == 0);
    read(kData + 11, 1);
    REQUIRE(bench.events.size() == 1);
    CHECK(bench.events[0].address == kData + 11);
    read(kData + 8, 1);
    REQUIRE(bench.events.size() == 2);
    CHECK(bench.events[1].address == kData + 8);
    CHECK(bench.caches.data.coherence().events == 2);
    CHECK(bench.caches.data.coherence().benign == benign);
    // What the core stores itself is the same on both sides.
    bench.store(kData + 8, 5);
    bench.load(kData + 8);
    bench.load(kData);
    CHECK(bench.caches.data.coherence().events == 2);
    CHECK(bench.caches.data.coherence().benign == benign);
}

TEST_CASE("a line that goes back, or is lost, with bytes as memory has them is benign") {
    CacheBench bench;
    bench.store(kData, 2);
    bench.other_writes(kData + 16, 0);  // as it was
    bench.caches.maintain_data_line(bench.cpu, Action::CleanAndInvalidate, kData);
    CHECK(bench.events.empty());
    CHECK(bench.caches.data.coherence().benign == 1);
    bench.store(kData + 64, 0);  // as it was
    bench.caches.maintain_data_line(bench.cpu, Action::Invalidate, kData + 64);
    CHECK(bench.events.empty());
    CHECK(bench.caches.data.coherence().benign == 2);
    CHECK(bench.caches.data.coherence().events == 0);
}

TEST_CASE("a single byte that another master changed behind a cached line is reported") {
    CacheBench bench;
    bench.bus.set_word(kData + 4, 0x11223344);
    bench.load(kData);
    bench.pass(1000);
    bench.caches.data.other_writes(kData + 5, kData + 5, "dma");
    bench.bus.set_word(kData + 4, 0x1122AA44);
    bench.load(kData + 4);
    REQUIRE(bench.events.size() == 1);
    CHECK(bench.events[0].kind == Kind::CoreReadStale);
    CHECK(bench.events[0].address == kData + 5);
    CHECK(bench.events[0].bytes == 1);
}

TEST_CASE("another master that reads before the line was cleaned is reported") {
    CacheBench bench;
    bench.bus.set_word(kData, 1);
    bench.store(kData, 2);
    bench.caches.data.other_reads(kData + 4, kData + 7, "npu");
    CHECK(bench.events.empty());
    bench.caches.data.other_reads(kData, kData + 31, "npu");
    REQUIRE(bench.events.size() == 1);
    CHECK(bench.events[0].kind == Kind::OtherReadStale);
    CHECK(bench.events[0].address == kData);
    bench.caches.maintain_data_line(bench.cpu, Action::Clean, kData);
    bench.caches.data.barrier(bench.cpu, MicroOp{});
    bench.caches.data.other_reads(kData, kData + 31, "npu");
    CHECK(bench.events.size() == 1);
}

TEST_CASE("a line that goes back over another master's bytes is reported") {
    CacheBench bench;
    bench.store(kData, 2);
    bench.other_writes(kData + 16, 99);
    bench.caches.maintain_data_line(bench.cpu, Action::CleanAndInvalidate, kData);
    REQUIRE(bench.events.size() == 1);
    CHECK(bench.events[0].kind == Kind::OtherWriteLost);
    CHECK(bench.events[0].address == kData + 16);
}

TEST_CASE("invalidating a line with the core's own stores is reported") {
    CacheBench bench;
    bench.store(kData + 8, 2);
    bench.caches.maintain_data_line(bench.cpu, Action::Invalidate, kData + 8);
    REQUIRE(bench.events.size() == 1);
    CHECK(bench.events[0].kind == Kind::CoreWriteLost);
    CHECK(bench.events[0].address == kData + 8);
}

TEST_CASE("real caches serve stale lines until they are invalidated") {
    CacheBench bench(Coherence::Real);
    Permission permission;
    permission.cacheable = permission.write_back = true;
    const auto read = [&](std::uint32_t address) {
        std::uint32_t value = 0;
        std::uint8_t bytes[4];
        REQUIRE(bench.caches.data.read(bench.cpu, {address, 4, false, nullptr}, permission, bytes));
        std::memcpy(&value, bytes, 4);
        return value;
    };
    bench.bus.set_word(kData, 1);
    CHECK(read(kData) == 1);
    bench.bus.set_word(kData, 2);
    CHECK(read(kData) == 1);
    bench.caches.maintain_data_line(bench.cpu, Action::Invalidate, kData);
    CHECK(read(kData) == 2);
    const std::uint8_t three[4] = {3, 0, 0, 0};
    CHECK(bench.caches.data.write(bench.cpu, {kData, 4, true, nullptr}, permission, three));
    CHECK(bench.bus.word(kData) == 2);
    bench.caches.maintain_data_line(bench.cpu, Action::Clean, kData);
    bench.caches.data.barrier(bench.cpu, MicroOp{});
    CHECK(bench.bus.word(kData) == 3);
}

TEST_CASE("a hook may put another in its place, or none") {
    CacheBench bench;
    auto kept = std::make_shared<unsigned>(0);
    unsigned second = 0;
    bench.caches.data.set_hook([&bench, &second, kept](const CoherenceEvent&) {
        bench.caches.data.set_hook([&bench, &second](const CoherenceEvent&) {
            bench.caches.data.set_hook({});
            ++second;
        });
        ++*kept;  // what the hook owns is still there
    });
    for (unsigned i = 0; i < 3; ++i) {
        bench.store(kData + i * kLine, 1);
        bench.caches.maintain_data_line(bench.cpu, Action::Invalidate, kData + i * kLine);
    }
    CHECK(*kept == 1);
    CHECK(second == 1);
    CHECK(kept.use_count() == 1);
}
