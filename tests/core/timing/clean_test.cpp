// SPDX-License-Identifier: Apache-2.0
// Cleans by maintenance and the barrier that completes them.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "models/core/system/system_memory.h"
#include "models/core/timing/caches.h"
#include "tests/core/engine/bench_core.h"

using namespace n6vp::models::core;
using n6vp::tests::BareSystem;
using n6vp::tests::BenchBus;

namespace {

using Kind = CoherenceEvent::Kind;
using Action = CacheMaintenance::Action;

constexpr std::uint32_t kData = BenchBus::kData;
constexpr std::uint32_t kLine = DataCache::kLineBytes;

/// What the core does, and what another master sees of it. The bus takes 50 cycles for a line.
struct Bench {
    explicit Bench(Coherence coherence) : caches({}, bus, {}, coherence), real(is_real(coherence)) {
        cpu.system = &system;
        cpu.budget = 1'000'000;
        cpu.cycle_base = 1'000'000;
        cpu.pc = 0x10000124;
        bus.cycles = 50;
        caches.enable(cpu, true, true, false);
        caches.data.set_hook([this](const CoherenceEvent& event) { events.push_back(event); });
        permission.cacheable = permission.write_back = true;
    }
    static bool is_real(Coherence coherence) { return coherence == Coherence::Real; }
    [[nodiscard]] std::uint64_t now() const {
        return cpu.cycle_base - static_cast<std::uint64_t>(cpu.budget);
    }
    void store(std::uint32_t address, std::uint32_t value) {
        std::array<std::uint8_t, 4> bytes{};
        std::memcpy(bytes.data(), &value, 4);
        const CacheAccess access{address, 4, true, nullptr};
        if (real && caches.data.write(cpu, access, permission, bytes.data())) return;
        caches.data.touch_write(cpu, address, 4, nullptr);
        bus.set_word(address, value);
    }
    std::uint32_t load(std::uint32_t address) {
        std::array<std::uint8_t, 4> bytes{};
        const CacheAccess access{address, 4, false, nullptr};
        if (real && caches.data.read(cpu, access, permission, bytes.data())) {
            std::uint32_t value = 0;
            std::memcpy(&value, bytes.data(), 4);
            return value;
        }
        caches.data.touch_read(cpu, address, 4, nullptr);
        return bus.word(address);
    }
    void maintain(Action action, std::uint32_t address) {
        caches.maintain_data_line(cpu, action, address);
    }
    void clean(std::uint32_t address) { maintain(Action::Clean, address); }
    void barrier() { caches.data.barrier(cpu, MicroOp{}); }
    std::uint32_t other_reads(std::uint32_t address) {
        caches.data.other_reads(address, address + 3, "npu");
        return bus.word(address);
    }
    void other_writes(std::uint32_t address, std::uint32_t value) {
        caches.data.other_writes(address, address + 3, "npu");
        bus.set_word(address, value);
    }

    BenchBus bus;
    BareSystem system;
    CpuState cpu;
    CoreCaches caches;
    Permission permission;
    std::vector<CoherenceEvent> events;
    bool real;
};

}  // namespace

TEST_CASE("ideal: a read between a clean and its barrier is reported, after it is not") {
    Bench bench(Coherence::Ideal);
    bench.bus.set_word(kData + 4, 0x01010101);
    bench.store(kData + 4, 0x01020201);
    bench.clean(kData);
    CHECK(bench.other_reads(kData + 8) == 0);  // another part of the line
    CHECK(bench.events.empty());
    CHECK(bench.other_reads(kData + 4) == 0x01020201);
    REQUIRE(bench.events.size() == 1);
    CHECK(bench.events[0].kind == Kind::UnfinishedClean);
    CHECK(bench.events[0].address == kData + 5);
    CHECK(bench.events[0].bytes == 2);
    CHECK(bench.events[0].pc == 0x10000124);
    CHECK(std::string(bench.events[0].other) == "npu");
    bench.barrier();
    bench.other_reads(kData + 4);
    CHECK(bench.events.size() == 1);
}

TEST_CASE("ideal: bytes stored anew after a clean without a barrier are reported once") {
    Bench bench(Coherence::Ideal);
    bench.store(kData, 1);
    bench.clean(kData);
    bench.store(kData, 2);
    bench.other_reads(kData);
    REQUIRE(bench.events.size() == 1);
    CHECK(bench.events[0].kind == Kind::OtherReadStale);
    // Two cleans and no barrier: memory may have neither.
    bench.clean(kData);
    bench.other_reads(kData);
    REQUIRE(bench.events.size() == 2);
    CHECK(bench.events[1].kind == Kind::UnfinishedClean);
    bench.barrier();
    bench.other_reads(kData);
    CHECK(bench.events.size() == 2);
}

TEST_CASE("ideal: a write that an unfinished clean may undo is reported at the barrier") {
    Bench bench(Coherence::Ideal);
    bench.store(kData, 1);
    bench.maintain(Action::CleanAndInvalidate, kData);
    bench.other_writes(kData + 16, 9);
    CHECK(bench.other_reads(kData + 16) == 9);  // its own bytes
    CHECK(bench.events.empty());
    bench.barrier();
    REQUIRE(bench.events.size() == 1);
    CHECK(bench.events[0].kind == Kind::OtherWriteLost);
    CHECK(bench.events[0].address == kData + 16);
    CHECK(bench.bus.word(kData + 16) == 9);
    bench.barrier();
    CHECK(bench.events.size() == 1);
}

TEST_CASE("ideal: code fetched between the clean and its barrier is reported") {
    for (const bool correct : {false, true}) {
        Bench bench(Coherence::Ideal);
        std::vector<CoherenceEvent> events;
        bench.caches.instructions.set_hook([&](const CoherenceEvent& e) { events.push_back(e); });
        bench.store(kData + 64, 0x47702001);
        bench.clean(kData + 64);
        if (correct) bench.barrier();
        bench.caches.instructions.touch(bench.cpu, kData + 62, 2);
        REQUIRE(events.size() == (correct ? 0 : 1));
        if (correct) continue;
        CHECK(events[0].kind == Kind::UnwrittenCode);
        CHECK(events[0].address == kData + 64);
        CHECK(events[0].pc == kData + 62);  // of the block, not of its second line
    }
}

namespace {

/// Bytes that were cleaned and wait for a barrier.
struct Waiting : Bench {
    explicit Waiting(Action action) : Bench(Coherence::Real) {
        bus.set_word(kData, 1);
        store(kData, 2);
        maintain(action, kData);
        CHECK(other_reads(kData) == 1);
    }
};

}  // namespace

TEST_CASE("real: memory has the old bytes until the barrier, the core the new ones") {
    for (const Action action : {Action::Clean, Action::CleanAndInvalidate}) {
        Waiting bench(action);
        CHECK(bench.load(kData) == 2);
        // A hit asks nobody; a line fetched anew must find what was cleaned.
        CHECK(bench.other_reads(kData) == (action == Action::Clean ? 1 : 2));
        bench.barrier();
        CHECK(bench.other_reads(kData) == 2);
        CHECK(bench.events.empty());
    }
}

TEST_CASE("real: the core's accesses past the cache come after its cleans") {
    Waiting reader(Action::Clean);
    reader.caches.enable(reader.cpu, true, false, false);
    CHECK(reader.load(kData) == 2);
    CHECK(reader.other_reads(kData) == 2);
    Waiting writer(Action::CleanAndInvalidate);
    writer.caches.enable(writer.cpu, true, false, false);
    writer.store(kData, 3);
    writer.barrier();
    CHECK(writer.other_reads(kData) == 3);
}

TEST_CASE("real: a clean without a barrier is in memory after its delay") {
    Waiting bench(Action::Clean);
    const std::uint64_t due = bench.caches.data.clean_due();
    CHECK(due == bench.now() + 500);
    bench.caches.data.complete_due(due - 1);
    CHECK(bench.other_reads(kData) == 1);
    bench.caches.data.complete_due(due);
    CHECK(bench.other_reads(kData) == 2);
    CHECK(bench.caches.data.clean_due() == DataCache::kNever);
}

TEST_CASE("real: a line fetched again after its clean has what was cleaned") {
    Bench bench(Coherence::Real);
    bench.store(kData, 7);
    bench.clean(kData);
    // Four other lines of the set, 32 KiB / 4 ways apart: the cleaned line goes without a word.
    for (std::uint32_t i = 1; i <= 4; ++i) bench.load(kData + i * 8192);
    CHECK(bench.bus.word(kData) == 0);
    CHECK(bench.load(kData) == 7);
    CHECK(bench.bus.word(kData) == 7);
}

TEST_CASE("real: two write-backs of one line keep their order") {
    for (const bool evicted : {false, true}) {
        Bench bench(Coherence::Real);
        bench.store(kData, 1);
        bench.clean(kData);
        bench.store(kData, 2);
        if (evicted) {
            for (std::uint32_t i = 1; i <= 4; ++i) bench.load(kData + i * 8192);
        } else {
            bench.clean(kData);
        }
        CHECK(bench.bus.word(kData) == (evicted ? 2 : 1));
        bench.barrier();
        CHECK(bench.bus.word(kData) == 2);
    }
}

TEST_CASE("real: lines wait in the write-back buffers, no further") {
    Bench bench(Coherence::Real);
    for (std::uint32_t i = 0; i < 3; ++i) bench.store(kData + i * kLine, 1);
    for (std::uint32_t i = 0; i < 3; ++i) bench.clean(kData + i * kLine);
    // There are two: the first line had to go for the third.
    CHECK(bench.bus.word(kData) == 1);
    CHECK(bench.bus.word(kData + kLine) == 0);
    CHECK(bench.bus.word(kData + 2 * kLine) == 0);
    // An eviction needs one, too.
    bench.store(kData + 0x1000, 5);
    for (std::uint32_t i = 1; i <= 4; ++i) bench.load(kData + 0x1000 + i * 8192);
    CHECK(bench.bus.word(kData + 0x1000) == 5);
    CHECK(bench.bus.word(kData + kLine) == 1);
    CHECK(bench.bus.word(kData + 2 * kLine) == 0);
}

TEST_CASE("waiting for a barrier costs no time") {
    for (const Coherence coherence : {Coherence::Ideal, Coherence::Real}) {
        Bench bench(coherence);
        for (std::uint32_t i = 0; i < 3; ++i) bench.store(kData + i * kLine, 1);
        bench.cpu.budget -= 1000;  // the lines are there
        const std::uint64_t start = bench.now();
        bench.clean(kData);
        bench.clean(kData + kLine);
        CHECK(bench.now() - start == 18);  // 9 per operation
        // The first line is on the bus from 9 + 2 on, for 50 cycles; the third needs its buffer.
        bench.clean(kData + 2 * kLine);
        CHECK(bench.now() - start == 61);
        bench.barrier();
        CHECK(bench.now() - start == 61);
        CHECK(bench.caches.data.counters().write_backs == 3);
    }
}

TEST_CASE("real: a debugger sees and changes what waits for a barrier") {
    Bench bench(Coherence::Real);
    bench.store(kData + 4, 2);
    bench.maintain(Action::CleanAndInvalidate, kData);
    std::array<std::uint8_t, 8> seen{};
    bench.caches.data.look(kData + 2, seen);
    CHECK(seen == std::array<std::uint8_t, 8>{0, 0, 2, 0, 0, 0, 0, 0});
    const std::array<std::uint8_t, 1> nine{9};
    bench.caches.data.replace(kData + 5, nine);
    bench.barrier();
    CHECK(bench.bus.word(kData + 4) == 0x0902);
}

TEST_CASE("real: a reset forgets cleans that are on their way") {
    Bench bench(Coherence::Real);
    bench.store(kData, 2);
    bench.clean(kData);
    bench.caches.reset();
    bench.barrier();
    CHECK(bench.bus.word(kData) == 0);
    CHECK(bench.caches.data.clean_due() == DataCache::kNever);
}
