// SPDX-License-Identifier: Apache-2.0
// NPU cache: registers, monitors, look-up. Expected times are NIC cycles at 900 MHz.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tests/models/cache/cacheaxi_bench.h"

namespace {

using n6vp::models::AccessFault;
using n6vp::models::AccessFilter;
using n6vp::models::CacheAxi;
using n6vp::models::Picoseconds;
using n6vp::models::Transfer;
using n6vp::models::core::Coherence;
using n6vp::test::CacheBench;
using n6vp::test::kMemoryBase;
using n6vp::test::kNpu1;
using n6vp::test::kOnChipBase;
using Monitor = CacheAxi::Monitor;

constexpr std::uint32_t kCr1 = 0x00, kSr = 0x04, kIer = 0x08, kFcr = 0x0C, kCr2 = 0x100;
constexpr std::uint32_t kFirst = 0x104, kLast = 0x108;
constexpr std::uint32_t kAllEnables = 0x33330000, kAllResets = 0xCCCC0000;
constexpr Picoseconds kLookup = 12'000;  // 10.8 cycles

/// 1,000,000 / 900 ps per cycle, rounded to a picosecond.
constexpr Picoseconds nic(std::uint64_t cycles) {
    return (cycles * 10'000 + 4) / 9;
}

}  // namespace

TEST_CASE("after reset the cache clears its tags and refuses EN for 512 cycles") {
    CacheBench bench;
    CHECK(bench.get(kSr, 0) == 1);
    bench.set(kCr1, 1, nic(512) - 1);
    CHECK(bench.get(kCr1, nic(512) - 1) == 0);
    CHECK(bench.get(kSr, nic(512) - 1) == 1);
    bench.set(kCr1, 1, nic(512));
    CHECK(bench.get(kCr1, nic(512)) == 1);
    CHECK(bench.get(kSr, nic(512)) == 0);
    for (const std::uint32_t offset : {kIer, kFcr, kCr2, kFirst, kLast}) {
        CHECK(bench.get(offset) == 0);
    }
}

TEST_CASE("EN that is set stays set when CR1 is written during an invalidate") {
    CacheBench bench;
    bench.enable();
    bench.set(kCr1, 3);
    CHECK(bench.get(kSr) == 1);
    bench.set(kCr1, 1);
    CHECK(bench.get(kCr1) == 1);
}

TEST_CASE("a whole invalidate is busy for 556 cycles, then says so until the flag is cleared") {
    CacheBench bench;
    bench.enable();
    bench.npu.allocate = true;
    bench.npu.read(kMemoryBase, 64, CacheBench::kReady);
    constexpr Picoseconds kStart = 2'000'000;
    bench.set(kCr1, 3, kStart);
    CHECK(bench.get(kCr1, kStart) == 1);  // CACHEINV reads as zero
    CHECK(bench.get(kSr, kStart + nic(556) - 1) == 1);
    CHECK(bench.get(kSr, kStart + nic(556)) == 2);
    bench.set(kFcr, 0x14, kStart + nic(556));
    CHECK(bench.get(kSr, kStart + nic(556)) == 2);
    bench.set(kFcr, 0x02, kStart + nic(556));
    CHECK(bench.get(kSr, kStart + nic(556)) == 0);
    CHECK(bench.get(kFcr) == 0);
    bench.npu.read(kMemoryBase, 64, kStart + nic(556));
    CHECK(bench.count(Monitor::ReadMiss) == 2);
}

TEST_CASE("an access during a whole invalidate waits for its end") {
    CacheBench bench;
    bench.enable();
    constexpr Picoseconds kStart = 2'000'000;
    bench.set(kCr1, 3, kStart);
    bench.npu.read(kMemoryBase, 8, kStart + 1000);
    CHECK(bench.memory.seen.at(0).at == kStart + nic(556) + kLookup);
}

TEST_CASE("an invalidate while another operation runs is refused") {
    CacheBench bench;
    bench.enable();
    bench.set(kCr2, 3);
    CHECK(bench.get(kSr) == 8);
    bench.set(kCr1, 3);
    CHECK(bench.get(kSr) == 8);
    bench.set(kCr1, 3, 10'000'000);
    bench.set(kCr1, 3, 10'000'000 + nic(100));
    CHECK(bench.end_of(1, 10'000'000) == 10'000'000 + nic(556));
}

TEST_CASE("a range command walks all 4,096 entries, or its lines if they are more") {
    CacheBench bench;
    bench.enable();
    bench.set(kFirst, 0xFFFFFFFF);
    CHECK(bench.get(kFirst) == 0xFFFFFFC0);
    constexpr Picoseconds kReady = CacheBench::kReady;
    CHECK(bench.range(1, kMemoryBase, 64) == kReady + nic(4096));
    CHECK(bench.get(kSr, kReady + nic(4096)) == 0x10);
    bench.set(kFcr, 0x10, kReady + nic(4096));
    CHECK(bench.get(kSr, kReady + nic(4096)) == 0);
    constexpr Picoseconds kLater = 100'000'000;
    CHECK(bench.range(3, kMemoryBase, 5000 * 64, kLater) == kLater + nic(5000));
    CHECK(bench.get(kCr2, kLater) == 3u << 1);  // STARTCMD reads as zero
    // From the last byte of a line to the last byte of the 5,000th, and one byte further.
    constexpr Picoseconds kEvenLater = 200'000'000;
    CHECK(bench.range(3, kMemoryBase + 63, 4999 * 64 + 1, kEvenLater) == kEvenLater + nic(5000));
    CHECK(bench.range(3, kMemoryBase + 63, 4999 * 64 + 2, 2 * kEvenLater) ==
          2 * kEvenLater + nic(5001));
}

TEST_CASE("range commands: no operation does nothing, a second start is refused while one runs") {
    CacheBench bench;
    bench.enable();
    bench.set(kCr2, 1);
    CHECK(bench.get(kSr) == 0);
    bench.set(kCr2, 5);
    CHECK(bench.get(kSr) == 0);
    bench.set(kCr2, 3);
    bench.set(kCr2, 3, CacheBench::kReady + nic(4000));
    CHECK(bench.end_of(8, CacheBench::kReady) == CacheBench::kReady + nic(4096));
    bench.set(kCr1, 3, 10'000'000);
    bench.set(kCr2, 3, 10'000'000);
    CHECK((bench.get(kSr, 10'000'000) & 9) == 1);
}

TEST_CASE("monitors count while enabled, keep their value while not, and clear by a pulse") {
    CacheBench bench;
    bench.enable();
    bench.npu.read(kMemoryBase, 64);
    CHECK(bench.get(0x14) == 0);
    // As profiling firmware does: enables, then resets ORed in.
    bench.set(kCr1, bench.get(kCr1) | kAllEnables);
    bench.set(kCr1, bench.get(kCr1) | kAllResets);
    CHECK(bench.get(kCr1) == (kAllEnables | 1));
    bench.npu.read(kMemoryBase, 64);
    bench.npu.read(kMemoryBase, 64);
    CHECK(bench.get(0x14) == 2);
    bench.set(kCr1, 1);
    bench.npu.read(kMemoryBase, 64);
    CHECK(bench.get(0x14) == 2);
}

TEST_CASE("each monitor has its own enable, reset and counter") {
    struct Row {
        unsigned enable;
        std::uint32_t offset;
    };
    // Enable bits of CR1 and counters; the reset bit is the enable bit + 2.
    constexpr std::array<Row, 8> kRows = {{{16, 0x10},
                                           {17, 0x14},
                                           {24, 0x18},
                                           {29, 0x1C},
                                           {20, 0x20},
                                           {21, 0x24},
                                           {25, 0x28},
                                           {28, 0x2C}}};
    CacheBench bench(Coherence::Real);
    const auto traffic = [&] {
        bench.npu.allocate = true;
        // One set is 8 lines, 32 KB apart: the ninth evicts the first, which is dirty.
        for (std::uint32_t i = 0; i < 9; ++i) {
            bench.npu.write(kMemoryBase + i * 0x8000, std::vector<std::uint8_t>(8, 1));
        }
        bench.npu.read(kMemoryBase + 0x8000, 8);  // hit
        bench.npu.read(kMemoryBase + 0x40, 8);    // miss, allocates
        bench.npu.allocate = false;
        bench.npu.write(kMemoryBase + 0x8000, {1});  // hit, through
    };
    // Reads: 1 hit, 1 miss, 1 allocating; 1 eviction; writes: 1 hit, 9 misses, all allocating;
    // 1 through.
    constexpr std::array<std::uint32_t, 8> kExpected = {1, 1, 1, 1, 1, 9, 9, 1};
    for (std::size_t only = 0; only < kRows.size(); ++only) {
        const Picoseconds start = (only + 1) * Picoseconds{1'000'000'000};
        bench.range(3, kMemoryBase, 4 << 20, start);
        bench.set(kCr1, 1 | 1u << kRows[only].enable | kAllResets, start);
        traffic();
        for (std::size_t i = 0; i < kRows.size(); ++i) {
            CHECK(bench.get(kRows[i].offset) == (i == only ? kExpected[i] : 0));
        }
        bench.set(kCr1, 1 | 1u << (kRows[only].enable + 2), start);
        CHECK(bench.get(kRows[only].offset) == 0);
    }
}

TEST_CASE("clearing EN is busy for a while and leaves no line") {
    CacheBench bench;
    bench.enable();
    bench.npu.allocate = true;
    bench.npu.read(kMemoryBase, 64);
    bench.set(kCr1, 0);
    CHECK(bench.end_of(1, CacheBench::kReady) == CacheBench::kReady + nic(556));
    CHECK(bench.get(kSr, 2'000'000) == 0);
    bench.set(kCr1, 1, 2'000'000);
    bench.npu.read(kMemoryBase, 64, 2'000'000);
    CHECK(bench.count(Monitor::ReadMiss) == 2);
}

TEST_CASE("registers have names, masks of bytes, and unknown offsets say so") {
    CacheBench bench;
    auto& registers = bench.cache.registers();
    CHECK(std::string(registers.name()) == "CACHEAXI");
    CHECK(std::string(registers.read(0x1C, 0).name) == "EVIMONR");
    CHECK(std::string(registers.read(0x108, 0).name) == "CMDREADDRR");
    CHECK_FALSE(registers.read(0x30, 0).modelled);
    CHECK_FALSE(registers.write(0x10C, 1, 0xFFFFFFFF, 0).modelled);
    CHECK(registers.write(kSr, 0xFF, 0xFFFFFFFF, CacheBench::kReady).modelled);
    CHECK(bench.get(kSr) == 0);
    (void)registers.write(kFirst, 0x90123456, 0xFFFF0000, 0);
    CHECK(bench.get(kFirst) == 0x90120000);
    (void)registers.write(kFirst, 0xFFFFFFFF, 0x0000FF00, 0);
    CHECK(bench.get(kFirst) == 0x9012FF00);
    (void)registers.write(kCr1, 0xFFFFFFFF, 0x000000FF, CacheBench::kReady);
    CHECK(bench.get(kCr1) == 1);
    bench.set(kIer, 0xFFFFFFFF);
    CHECK(bench.get(kIer) == 0x16);
}

TEST_CASE("interrupts come when the operation ends and go with flag or enable") {
    CacheBench bench;
    std::vector<std::pair<bool, Picoseconds>> line;
    bench.cache.on_interrupt.listen(
        0, [&](bool level) { line.emplace_back(level, sc_core::sc_time_stamp().value()); });
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
    bench.enable();
    bench.set(kIer, 0x02);
    bench.set(kCr1, 3);
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
    REQUIRE(line.size() == 1);
    CHECK(line[0] == std::pair{true, 1'000'000 + nic(556)});
    bench.set(kFcr, 0x02, 2'000'000);
    REQUIRE(line.size() == 2);
    CHECK_FALSE(line[1].first);
    // A command's end is not enabled yet: the line rises when it is.
    bench.set(kCr2, 3, 2'000'000);
    sc_core::sc_start(sc_core::sc_time(8, sc_core::SC_US));
    CHECK(line.size() == 2);
    bench.set(kIer, 0x10, 10'000'000);
    REQUIRE(line.size() == 3);
    CHECK(line[2] == std::pair{true, Picoseconds{10'000'000}});
    bench.set(kIer, 0, 10'000'000);
    CHECK(line.size() == 4);
}

TEST_CASE("a command and a disable end in their order, with an interrupt for the command") {
    CacheBench bench;
    Picoseconds rose = 0;
    bench.cache.on_interrupt.listen(0, [&](bool) { rose = sc_core::sc_time_stamp().value(); });
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
    bench.enable();
    bench.set(kIer, 0x12);
    bench.set(kCr2, 3);
    bench.set(kCr1, 0);  // ends first and raises nothing
    sc_core::sc_start(sc_core::sc_time(9, sc_core::SC_US));
    CHECK(rose == 1'000'000 + nic(4096));
    CHECK(bench.get(kSr, 10'000'000) == 0x10);
}

TEST_CASE("a line that memory does not take back sets ERRF and its interrupt") {
    CacheBench bench(Coherence::Real);
    bool level = false;
    bench.cache.on_interrupt.listen(0, [&](bool now) { level = now; });
    bench.enable();
    bench.npu.allocate = true;
    bench.npu.write(kMemoryBase, {1, 2, 3, 4});
    bench.set(kIer, 0x04);
    bench.memory.failing = true;
    bench.range(1, kMemoryBase, 4);
    CHECK((bench.get(kSr) & 4) == 4);
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    CHECK(level);
    bench.set(kFcr, 0x04);
    CHECK((bench.get(kSr) & 4) == 0);
    CHECK_FALSE(level);
}

TEST_CASE("the cache's RAM is for others only while EN = 0") {
    CacheBench bench;
    int changes = 0;
    bench.cache.on_enable_changed = [&] { ++changes; };
    const Transfer transfer;
    AccessFilter& filter = bench.cache.ram_filter();
    CHECK(filter.judge(transfer, {0, 8, true}) == AccessFilter::Verdict::Pass);
    CHECK(filter.passes(transfer, {0, 8, true}));
    bench.enable();
    CHECK(filter.judge(transfer, {0, 8, false}) == AccessFilter::Verdict::Error);
    CHECK_FALSE(filter.passes(transfer, {0, 8, false}));
    CHECK(std::string(filter.reason()).find("CR1.EN") != std::string::npos);
    bench.set(kCr1, 0);
    CHECK(filter.judge(transfer, {0, 8, false}) == AccessFilter::Verdict::Pass);
    CHECK(changes == 2);
}

TEST_CASE("what is not cacheable, or comes while EN = 0, passes unchanged and untimed") {
    CacheBench bench;
    bench.npu.read(kMemoryBase, 24, 5'000);
    bench.enable();
    bench.npu.cacheable = false;
    CHECK(bench.npu.read(kMemoryBase, 24, 6'000) == 6'000 + 100'000 + 3 * 2'500);
    CHECK(bench.memory.seen.size() == 2);
    CHECK(bench.memory.seen[0].at == 5'000);
    CHECK(bench.memory.seen[1].at == 6'000);
    CHECK(bench.memory.seen[1].trans == bench.npu.payload);
    CHECK(bench.cache.statistics().passed == 2);
    CHECK(bench.faults.empty());
}

TEST_CASE("what a filter of the port refuses does not reach the look-up") {
    class Closed : public AccessFilter {
      public:
        Verdict judge(const Transfer&, const Access&) override { return answer; }
        [[nodiscard]] bool passes(const Transfer&, const Access&) const override {
            return answer == Verdict::Pass;
        }
        [[nodiscard]] const char* reason() const override { return "closed"; }
        Verdict answer = Verdict::Error;
    };
    CacheBench bench;
    Closed filter;
    bench.cache.add_filter(0, filter);
    bench.enable();
    bench.npu.read(kMemoryBase, 16, 5'000);
    CHECK(bench.npu.status == tlm::TLM_GENERIC_ERROR_RESPONSE);
    CHECK(bench.memory.seen.empty());
    REQUIRE(bench.faults.size() == 1);
    CHECK(bench.faults[0].kind == AccessFault::Kind::Refused);
    filter.answer = AccessFilter::Verdict::Pass;
    bench.npu.read(kMemoryBase, 16, 9'000);
    CHECK(bench.npu.status == tlm::TLM_OK_RESPONSE);
    CHECK(bench.memory.seen.size() == 1);
    CHECK(bench.faults.size() == 1);
}

TEST_CASE("cacheable access to on-chip RAM is reported and passes") {
    CacheBench bench;
    bench.enable();
    bench.npu1.read(kOnChipBase, 16, 5'000);
    CHECK(bench.npu1.status == tlm::TLM_OK_RESPONSE);
    REQUIRE(bench.faults.size() == 1);
    CHECK(bench.faults[0].kind == AccessFault::Kind::NotSupported);
    CHECK(bench.faults[0].address == kOnChipBase);
    CHECK(bench.faults[0].bytes == 16);
    CHECK(bench.faults[0].initiator == kNpu1);
    CHECK(bench.cache.statistics().passed == 1);
    // The last bytes of the cacheable window are fine, one beyond is not.
    bench.npu.read(kMemoryBase + (4 << 20) - 8, 8);
    CHECK(bench.faults.size() == 1);
    bench.npu.read(kMemoryBase + (4 << 20) - 8, 16);
    CHECK(bench.faults.size() == 2);
}

TEST_CASE("order: the least recently used of eight lines of a set goes") {
    CacheBench bench;
    bench.enable();
    bench.npu.allocate = true;
    const auto touch = [&](std::uint32_t line) {
        bench.npu.read(kMemoryBase + line * 0x8000, 8);  // 512 sets of 64 bytes
    };
    for (std::uint32_t line = 0; line < 8; ++line) touch(line);
    touch(0);  // 1 is now the oldest
    touch(8);
    CHECK(bench.count(Monitor::ReadHit) == 1);
    for (const std::uint32_t line : {0u, 2u, 3u, 4u, 5u, 6u, 7u, 8u}) touch(line);
    CHECK(bench.count(Monitor::ReadHit) == 9);
    touch(1);
    CHECK(bench.count(Monitor::ReadHit) == 9);
    CHECK(bench.count(Monitor::Eviction) == 0);  // clean lines just go
}

TEST_CASE("order: a write makes its line the most recently used") {
    CacheBench bench;
    bench.enable();
    bench.npu.allocate = true;
    for (std::uint32_t line = 0; line < 8; ++line) bench.npu.read(kMemoryBase + line * 0x8000, 8);
    bench.npu.write(kMemoryBase, {1});
    bench.npu.read(kMemoryBase + 8 * 0x8000, 8);
    bench.npu.read(kMemoryBase, 8);
    CHECK(bench.count(Monitor::ReadHit) == 1);
}

TEST_CASE("what the cache sends to memory carries the attributes of the stream") {
    CacheBench bench;
    bench.enable();
    bench.npu.allocate = true;
    bench.npu.compartment = 5;
    bench.npu.read(kMemoryBase, 8);
    bench.npu.allocate = false;
    bench.npu.read(kMemoryBase + 64, 8);
    bench.npu.write(kMemoryBase + 128, {1});
    REQUIRE(bench.memory.seen.size() == 3);
    for (const auto& access : bench.memory.seen) CHECK(access.compartment == 5);
}

TEST_CASE("reads without allocate bring no line in, but find one") {
    CacheBench bench;
    bench.enable();
    bench.npu.read(kMemoryBase + 8, 8);
    CHECK(bench.memory.seen[0].bytes == 8);
    bench.npu.read(kMemoryBase + 8, 8);
    CHECK(bench.count(Monitor::ReadMiss) == 2);
    CHECK(bench.count(Monitor::ReadAllocateMiss) == 0);
    bench.npu.allocate = true;
    bench.npu.read(kMemoryBase + 8, 8);
    CHECK(bench.memory.seen[2].address == kMemoryBase);
    CHECK(bench.memory.seen[2].bytes == 64);
    bench.npu.allocate = false;
    bench.npu.read(kMemoryBase + 56, 8);
    CHECK(bench.count(Monitor::ReadHit) == 1);
    CHECK(bench.count(Monitor::ReadAllocateMiss) == 1);
    for (std::uint32_t i = 0; i < 8; ++i) {
        CHECK(bench.npu.data[i] == bench.memory.at(kMemoryBase + 56 + i));
    }
}

TEST_CASE("what a memory refuses is not kept") {
    CacheBench bench;
    bench.enable();
    bench.npu.allocate = true;
    bench.memory.failing = true;
    bench.npu.read(kMemoryBase, 64);
    CHECK(bench.npu.status == tlm::TLM_GENERIC_ERROR_RESPONSE);
    bench.memory.failing = false;
    bench.memory.refusing = true;
    bench.npu.read(kMemoryBase, 64);
    CHECK(bench.npu.status == tlm::TLM_OK_RESPONSE);
    CHECK(bench.npu.answer.refused);
    CHECK(bench.npu.data == std::vector<std::uint8_t>(64, 0));
    const std::uint8_t before = bench.memory.at(kMemoryBase);
    bench.npu.write(kMemoryBase, {static_cast<std::uint8_t>(before + 1)});
    CHECK(bench.memory.at(kMemoryBase) == before);
    bench.memory.refusing = false;
    bench.npu.read(kMemoryBase, 64);
    CHECK(bench.count(Monitor::ReadMiss) == 3);
    CHECK(bench.npu.data[0] == before);
}
