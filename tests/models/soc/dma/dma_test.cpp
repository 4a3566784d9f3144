// SPDX-License-Identifier: Apache-2.0
// GPDMA and HPDMA: transfers, data and time of single channels. Expected bytes and times are worked
// out by hand from the register description.
#include "tests/models/soc/dma/dma_bench.h"

using namespace n6vp::models;
using n6vp::test::DmaBench;
using n6vp::test::kNs;
using Bytes = std::vector<std::uint8_t>;

TEST_CASE("DMA: words from memory to memory, with flags and counters") {
    DmaBench bench;
    Bytes bytes(32);
    for (unsigned i = 0; i < 32; ++i) bytes[i] = static_cast<std::uint8_t>(3 * i + 1);
    bench.memory.put(DmaBench::kSource, bytes);
    CHECK(bench.status(0) == 1);
    bench.program(0, DmaBench::kWords | DmaBench::kBoth, DmaBench::kSoftware, 32);
    bench.enable(0);
    CHECK(bench.status(0) == 0);
    CHECK(bench.get(DmaBench::at(0, 0x14)) == 1);
    DmaBench::pass_ns(10'000);
    CHECK(bench.memory.get(DmaBench::kDest, 32) == bytes);
    CHECK(bench.status(0) == (1 | DmaBench::kComplete | DmaBench::kHalf));
    CHECK(bench.get(DmaBench::at(0, 0x14)) == 0);
    CHECK(bench.get(DmaBench::at(0, 0x48)) == 0);
    CHECK(bench.get(DmaBench::at(0, 0x4C)) == DmaBench::kSource + 32);
    CHECK(bench.get(DmaBench::at(0, 0x50)) == DmaBench::kDest + 32);
    CHECK(bench.memory.seen.size() == 16);
    bench.set(DmaBench::at(0, 0x0C), DmaBench::kComplete);
    CHECK(bench.status(0) == (1 | DmaBench::kHalf));
}

TEST_CASE("DMA: one word takes two grants and two accesses") {
    DmaBench bench;
    bench.program(0, DmaBench::kWords | DmaBench::kBoth, DmaBench::kSoftware, 4);
    bench.enable(0);
    // 20 ns to the read, 100 ns for it, the same for the write.
    DmaBench::pass_ns(239);
    CHECK(bench.status(0) == 0);
    DmaBench::pass_ns(1);
    CHECK(bench.status(0) == (1 | DmaBench::kComplete | DmaBench::kHalf));
    REQUIRE(bench.memory.seen.size() == 2);
    CHECK(bench.memory.seen[0].at == 20 * kNs);
    CHECK(bench.memory.seen[1].at == 140 * kNs);
}

TEST_CASE("DMA: one AHB port serves one access at a time") {
    DmaBench bench;
    bench.program(0, DmaBench::kWords | DmaBench::kBoth, DmaBench::kSoftware, 16);
    bench.enable(0);
    DmaBench::pass_ns(10'000);
    REQUIRE(bench.memory.seen.size() == 8);
    for (std::size_t i = 1; i < 8; ++i)
        CHECK(bench.memory.seen[i].at - bench.memory.seen[i - 1].at >= 100 * kNs);
}

TEST_CASE("DMA: reads and writes overlap on two ports") {
    DmaBench bench;
    bench.program(0, DmaBench::kWords | DmaBench::kBoth | 1u << 30, DmaBench::kSoftware, 16);
    bench.enable(0);
    DmaBench::pass_ns(10'000);
    REQUIRE(bench.memory.seen.size() == 8);
    CHECK(bench.memory.seen[7].write);
    CHECK(bench.memory.seen[7].port == 1);
    CHECK(bench.memory.seen[7].at == 500 * kNs);
}

TEST_CASE("HPDMA: accesses of channels overlap on the AXI port, not on the AHB port") {
    DmaBench bench(dma::Controller::Kind::HighPerformance);
    constexpr std::uint32_t kPort1 = 1u << 14 | 1u << 30;  // CTR1: SAP, DAP
    for (const std::uint32_t ports : {0u, kPort1}) {
        CAPTURE(ports);
        bench.memory.seen.clear();
        for (const unsigned channel : {0u, 1u}) {
            bench.program(channel, DmaBench::kWords | ports, DmaBench::kSoftware, 4);
            bench.enable(channel);
        }
        DmaBench::pass_ns(5'000);
        REQUIRE(bench.memory.seen.size() == 4);
        // Each access takes 100 ns.
        const bool overlap = bench.memory.seen[1].at - bench.memory.seen[0].at < 100 * kNs;
        CHECK(overlap == (ports == 0));
    }
}

TEST_CASE("DMA: widths, padding, truncation and packing") {
    DmaBench bench;
    const auto tr1 = [](unsigned source, unsigned dest, unsigned pam) {
        return source | dest << 16 | pam << 11;
    };
    CHECK(bench.moved(tr1(0, 2, 0), 2, 8) == Bytes{0x81, 0, 0, 0, 0x02, 0, 0, 0});
    CHECK(bench.moved(tr1(0, 2, 1), 2, 8) == Bytes{0x81, 0xFF, 0xFF, 0xFF, 0x02, 0, 0, 0});
    CHECK(bench.moved(tr1(0, 2, 2), 4, 4) == Bytes{0x81, 0x02, 0x83, 0x04});
    CHECK(bench.moved(tr1(1, 2, 1), 6, 12) ==
          Bytes{0x81, 0x02, 0, 0, 0x83, 0x04, 0, 0, 0x05, 0x86, 0xFF, 0xFF});
    CHECK(bench.moved(tr1(2, 0, 0), 8, 2) == Bytes{0x81, 0x05});
    CHECK(bench.moved(tr1(2, 0, 1), 8, 2) == Bytes{0x04, 0x08});
    CHECK(bench.moved(tr1(2, 0, 2), 8, 8) == Bytes{0x81, 0x02, 0x83, 0x04, 0x05, 0x86, 0x07, 0x08});
    CHECK(bench.moved(tr1(2, 1, 0), 8, 4) == Bytes{0x81, 0x02, 0x05, 0x86});
    CHECK(bench.moved(tr1(2, 1, 1), 8, 4) == Bytes{0x83, 0x04, 0x07, 0x08});
}

TEST_CASE("DMA: exchanges of bytes and half-words") {
    DmaBench bench;
    constexpr std::uint32_t kSbx = 1u << 13, kDbx = 1u << 26, kDhx = 1u << 27;
    constexpr std::uint32_t kHalves = 1u | 1u << 16;
    CHECK(bench.moved(DmaBench::kWords | kSbx, 8, 8) ==
          Bytes{0x81, 0x83, 0x02, 0x04, 0x05, 0x07, 0x86, 0x08});
    CHECK(bench.moved(kHalves | kDbx | kSbx, 4, 4) == Bytes{0x02, 0x81, 0x04, 0x83});
    CHECK(bench.moved(DmaBench::kWords | kDhx, 8, 8) ==
          Bytes{0x83, 0x04, 0x81, 0x02, 0x07, 0x08, 0x05, 0x86});
    CHECK(bench.moved(DmaBench::kWords | kDhx | kDbx, 4, 4) == Bytes{0x04, 0x83, 0x02, 0x81});
}

TEST_CASE("HPDMA: double-words, and their exchange, on the AXI port only") {
    DmaBench bench(dma::Controller::Kind::HighPerformance);
    constexpr std::uint32_t kDouble = 3u | 3u << 16, kDwx = 1u << 28;
    CHECK(bench.moved(kDouble | kDwx, 8, 8) ==
          Bytes{0x05, 0x86, 0x07, 0x08, 0x81, 0x02, 0x83, 0x04});
    bench.set(DmaBench::at(0, 0x0C), 0x7F00);
    bench.program(0, kDouble | DmaBench::kBoth | 1u << 14, DmaBench::kSoftware, 8);
    bench.enable(0);
    CHECK(bench.status(0) == (1 | 1u << 12));
}

TEST_CASE("DMA: a burst is split by the FIFO and at 1 KB") {
    DmaBench bench;
    constexpr std::uint32_t kBursts = 7u << 4 | 7u << 20;  // 8 beats
    bench.program(12, DmaBench::kWords | DmaBench::kBoth | kBursts, DmaBench::kSoftware, 32);
    bench.set(DmaBench::at(12, 0x4C), 0x13F0);
    bench.enable(12);
    DmaBench::pass_ns(5'000);
    REQUIRE(bench.memory.seen.size() == 3);
    CHECK(bench.memory.seen[0].bytes == 16);
    CHECK(bench.memory.seen[1].bytes == 16);
    CHECK(bench.memory.seen[1].address == 0x1400);
    CHECK(bench.memory.seen[2].bytes == 32);
    bench.memory.seen.clear();
    // Eight bytes of FIFO in the lower channels.
    bench.program(3, DmaBench::kWords | DmaBench::kBoth | kBursts, DmaBench::kSoftware, 32);
    bench.enable(3);
    DmaBench::pass_ns(5'000);
    REQUIRE(bench.memory.seen.size() == 8);
    for (const auto& access : bench.memory.seen) CHECK(access.bytes == 8);
}

TEST_CASE("DMA: burst lengths that do not fit together end all the same") {
    DmaBench bench;
    bench.memory.put(DmaBench::kSource, Bytes(28, 0x5A));
    // Words in, bursts of 7 bytes out, FIFO of 8 bytes.
    bench.program(0, 2u | 2u << 11 | 6u << 20 | DmaBench::kBoth, DmaBench::kSoftware, 28);
    bench.enable(0);
    DmaBench::pass_ns(20'000);
    CHECK(bench.status(0) == (1 | DmaBench::kComplete | DmaBench::kHalf));
    CHECK(bench.memory.get(DmaBench::kDest, 28) == Bytes(28, 0x5A));
}

TEST_CASE("DMA: a fixed address is accessed beat by beat") {
    DmaBench bench;
    bench.memory.put(DmaBench::kSource, {1, 2, 3, 4, 5, 6, 7, 8});
    bench.program(0, DmaBench::kWords | 1u << 3 | 1u << 4 | 1u << 20, DmaBench::kSoftware, 8);
    bench.enable(0);
    DmaBench::pass_ns(5'000);
    REQUIRE(bench.memory.seen.size() == 3);
    CHECK(bench.memory.seen[0].bytes == 8);
    for (const unsigned beat : {1u, 2u}) {
        CHECK(bench.memory.seen[beat].address == DmaBench::kDest);
        CHECK(bench.memory.seen[beat].bytes == 4);
    }
    CHECK(bench.memory.seen[2].at - bench.memory.seen[1].at == 100 * kNs);
    CHECK(bench.memory.get(DmaBench::kDest, 4) == Bytes{5, 6, 7, 8});
}

TEST_CASE("DMA: repeated blocks gather a tile, and offsets follow each burst") {
    DmaBench bench;
    for (std::uint8_t i = 0; i < 64; ++i) bench.memory.bytes[DmaBench::kSource + i] = i;
    // Four bytes from each of three rows of 16.
    bench.program(12, DmaBench::kBoth, DmaBench::kSoftware | 1u << 30, 2u << 16 | 4);
    bench.set(DmaBench::at(12, 0x58), 12);
    bench.enable(12);
    DmaBench::pass_ns(20'000);
    CHECK(bench.memory.get(DmaBench::kDest, 12) ==
          Bytes{0, 1, 2, 3, 16, 17, 18, 19, 32, 33, 34, 35});
    CHECK(bench.status(12) == (1 | DmaBench::kComplete | DmaBench::kHalf));
    // Every third byte, written downwards.
    bench.program(12, DmaBench::kBoth, DmaBench::kSoftware, 1u << 29 | 4);
    bench.set(DmaBench::at(12, 0x54), 2u | 2u << 16);
    bench.set(DmaBench::at(12, 0x58), 0);
    bench.set(DmaBench::at(12, 0x50), DmaBench::kDest + 3);
    bench.enable(12);
    DmaBench::pass_ns(20'000);
    CHECK(bench.memory.get(DmaBench::kDest, 4) == Bytes{9, 6, 3, 0});
    // Channel 11 has none of these registers.
    CHECK_FALSE(bench.set(DmaBench::at(11, 0x54), 1));
    bench.set(DmaBench::at(11, 0x48), 0xFFFFFFFF);
    CHECK(bench.get(DmaBench::at(11, 0x48)) == 0xFFFF);
}

TEST_CASE("DMA: settings that are errors") {
    DmaBench bench;
    const auto error = [&bench](unsigned channel, std::uint32_t tr1, std::uint32_t br1,
                                std::uint32_t source) {
        bench.set(DmaBench::at(channel, 0x0C), 0x7F00);
        bench.program(channel, tr1, DmaBench::kSoftware, br1);
        bench.set(DmaBench::at(channel, 0x4C), source);
        bench.enable(channel);
        return bench.status(channel) == (1 | 1u << 12) &&
               bench.get(DmaBench::at(channel, 0x14)) == 0;
    };
    CHECK(error(0, DmaBench::kWords, 6, 0x1000));          // BNDT
    CHECK(error(0, DmaBench::kWords, 8, 0x1002));          // address
    CHECK(error(0, 0u | 2u << 16 | 2u << 11, 6, 0x1000));  // BNDT, packed
    CHECK(error(0, 3u | 3u << 16, 8, 0x1000));             // double-words
    bench.set(DmaBench::at(12, 0x54), 2);
    CHECK(error(12, DmaBench::kWords, 8, 0x1000));  // SAO
    CHECK(bench.memory.seen.empty());
}

TEST_CASE("DMA: bus errors end a transfer, of data and of the list") {
    DmaBench bench;
    bench.memory.refused = DmaBench::kSource;
    bench.program(0, DmaBench::kWords, DmaBench::kSoftware, 8);
    bench.enable(0, 1u << 10);
    DmaBench::pass_ns(1'000);
    CHECK(bench.status(0) == (1 | 1u << 10));
    CHECK(bench.get(DmaBench::at(0, 0x14)) == 1u << 10);
    CHECK(bench.lines[0]);
    CHECK(bench.get(0x0C) == 1);
    bench.set(DmaBench::at(0, 0x0C), 1u << 10);
    CHECK_FALSE(bench.lines[0]);
    bench.memory.refused = DmaBench::kList + 0x40;
    bench.set(DmaBench::at(1, 0x00), DmaBench::kList);
    bench.set(DmaBench::at(1, 0x7C), 1u << 29 | 0x40);
    bench.enable(1);
    DmaBench::pass_ns(1'000);
    CHECK(bench.status(1) == (1 | 1u << 11));
}

TEST_CASE("DMA: suspended, resumed and reset in the middle") {
    DmaBench bench;
    bench.memory.put(DmaBench::kSource, Bytes(64, 7));
    bench.program(0, DmaBench::kWords | DmaBench::kBoth, DmaBench::kSoftware, 64);
    bench.enable(0, 1u << 13);
    DmaBench::pass_ns(300);
    bench.set(DmaBench::at(0, 0x14), 1u << 2 | 1u << 13);
    CHECK((bench.status(0) & 1u << 13) == 0);
    DmaBench::pass_ns(300);
    CHECK((bench.status(0) & (1u << 13 | 1)) == (1u << 13 | 1));
    CHECK(bench.lines[0]);
    CHECK((bench.get(DmaBench::at(0, 0x14)) & 1) == 1);
    const std::size_t done = bench.memory.seen.size();
    DmaBench::pass_ns(5'000);
    CHECK(bench.memory.seen.size() == done);
    bench.set(DmaBench::at(0, 0x0C), 1u << 13);
    bench.set(DmaBench::at(0, 0x14), 0);
    DmaBench::pass_ns(200);
    CHECK(bench.memory.seen.size() > done);
    bench.set(DmaBench::at(0, 0x14), 1u << 2 | 1u << 1);
    CHECK(bench.status(0) == 1);
    CHECK(bench.get(DmaBench::at(0, 0x14)) == 0);
    DmaBench::pass_ns(5'000);
    CHECK(bench.status(0) == 1);
    bench.program(0, DmaBench::kWords | DmaBench::kBoth, DmaBench::kSoftware, 64);
    bench.enable(0);
    DmaBench::pass_ns(10'000);
    CHECK(bench.memory.get(DmaBench::kDest, 64) == Bytes(64, 7));
}
