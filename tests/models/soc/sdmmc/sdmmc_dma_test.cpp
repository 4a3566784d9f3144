// SPDX-License-Identifier: Apache-2.0
// SDMMC: internal DMA of single buffers and of linked lists.
#include "tests/models/soc/sdmmc/sdmmc_bench.h"

using namespace n6vp::models;
using n6vp::test::SdmmcBench;
using Bench = SdmmcBench;

namespace {

constexpr std::uint32_t kBuffer = 0x34100000, kSecond = 0x34200000, kNodes = 0x34300000;
constexpr std::uint32_t kReady = 1u << 29, kSize = 1u << 30, kNext = 1u << 31;

/// The buffer has this block of the card.
bool holds(Bench& bench, std::uint32_t at, std::size_t block) {
    for (std::uint32_t i = 0; i < 512; ++i) {
        if (bench.memory.bytes[at + i] != Bench::value(block, i)) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("SDMMC DMA: blocks are read into memory with the master's attributes") {
    Bench bench;
    bench.initialise();
    bench.sdmmc.attributes = {5, true, true};
    bench.set(Bench::kIdmaBase, kBuffer);
    bench.set(Bench::kIdmaCtrl, 1);
    bench.set(Bench::kMask, Bench::kDataEnd | Bench::kDcrcFail);
    bench.transfer(18, 7, 3);
    CHECK_FALSE(bench.line);
    // Access, three blocks of 1024 clocks with their ends and gaps.
    Bench::pass(200 * Bench::kUs + 3ull * (1 + 1024 + 17 + 8) * Bench::kBit);
    CHECK(bench.line);
    CHECK((bench.get(Bench::kSta) & (Bench::kDataEnd | Bench::kDpsm)) == Bench::kDataEnd);
    CHECK(holds(bench, kBuffer, 7));
    CHECK(holds(bench, kBuffer + 1024, 9));
    CHECK(bench.memory.bytes.size() == 1536);
    CHECK(bench.memory.seen.size() == 48);
    CHECK(bench.memory.seen[1].address == kBuffer + 32);
    CHECK(bench.memory.seen[1].bytes == 32);
    CHECK(bench.memory.seen[1].write);
    CHECK(bench.memory.seen[1].secure);
    CHECK(bench.memory.seen[1].compartment == 5);
    bench.set(Bench::kIcr, Bench::kDataEnd);
    CHECK_FALSE(bench.line);
    CHECK(bench.stop() == Bench::kCmdrEnd);
}

TEST_CASE("SDMMC DMA: blocks are written from memory") {
    Bench bench;
    bench.initialise();
    for (std::uint32_t i = 0; i < 1024; ++i)
        bench.memory.bytes[kBuffer + i] = static_cast<std::uint8_t>(i * 5 + i / 256);
    bench.set(Bench::kIdmaBase, kBuffer);
    bench.set(Bench::kIdmaCtrl, 1);
    bench.set(Bench::kMask, Bench::kDataEnd);
    bench.transfer(25, 100, 2);
    Bench::pass(2000 * Bench::kUs);
    CHECK(bench.line);
    CHECK(bench.memory.seen.size() == 32);
    CHECK_FALSE(bench.memory.seen[0].write);
    CHECK(bench.card.block(100)[300] == static_cast<std::uint8_t>(300 * 5 + 1));
    CHECK(bench.card.block(101)[511] == static_cast<std::uint8_t>(1023 * 5 + 3));
    CHECK(bench.card.written().size() == 2);
}

TEST_CASE("SDMMC DMA: the FIFO is filled again while a block leaves it") {
    Bench bench;
    bench.initialise();
    for (std::uint32_t i = 0; i < 2048; ++i)
        bench.memory.bytes[kBuffer + i] = static_cast<std::uint8_t>(i * 7 + i / 256);
    bench.set(Bench::kIdmaBase, kBuffer);
    bench.set(Bench::kIdmaCtrl, 1);
    // Three blocks: the FIFO of 1024 bytes has room for two.
    bench.transfer(25, 60, 3);
    CHECK(bench.memory.seen.size() == 32);
    Bench::pass(30 * Bench::kUs);  // of the 41 us that a block takes
    CHECK(bench.memory.seen.size() > 32);
    CHECK(bench.memory.seen.size() < 48);
    CHECK(bench.card.written().empty());
    const std::uint32_t ends = Bench::kDataEnd | Bench::kTxUnderrun | Bench::kDcrcFail;
    CHECK((bench.wait(ends) & ends) == Bench::kDataEnd);
    CHECK(bench.memory.seen.size() == 48);
    CHECK(bench.card.block(62)[511] == static_cast<std::uint8_t>(1535 * 7 + 5));
    CHECK(bench.stop() == Bench::kCmdrEnd);
    bench.wait(Bench::kBusyD0End);
    // A block of twice the FIFO: it leaves as a whole, and the card does not take it.
    bench.set(Bench::kIcr, 0xFFFFFFFF);
    bench.memory.seen.clear();
    bench.set(Bench::kLen, 2048);
    bench.set(Bench::kCtrl, 11u << 4);
    CHECK(bench.send(24, 0, Bench::kShort | Bench::kTrans) == Bench::kCmdrEnd);
    CHECK((bench.wait(ends) & ends) == Bench::kDcrcFail);
    REQUIRE(bench.memory.seen.size() == 64);
    CHECK(bench.memory.seen.back().address == kBuffer + 2048 - 32);
}

TEST_CASE("SDMMC DMA: a slow memory takes one burst behind the other, and DATAEND waits for it") {
    Bench bench;
    bench.initialise();
    // A burst of 32 bytes comes each 2.56 us.
    bench.memory.takes = 5 * Bench::kUs;
    Picoseconds ended = 0;
    bench.sdmmc.on_interrupt = [&](bool level) {
        if (level) ended = Bench::now();
    };
    bench.set(Bench::kIdmaBase, kBuffer);
    bench.set(Bench::kIdmaCtrl, 1);
    bench.set(Bench::kMask, Bench::kDataEnd);
    bench.transfer(17, 7, 1);
    Bench::pass(2000 * Bench::kUs);
    REQUIRE(bench.memory.seen.size() == 16);
    for (std::size_t i = 0; i < 16; ++i) {
        CAPTURE(i);
        CHECK(bench.memory.seen[i].at == bench.memory.seen[0].at + i * bench.memory.takes);
        CHECK(bench.memory.seen[i].address == kBuffer + 32 * i);
    }
    CHECK(ended == bench.memory.seen[15].at + bench.memory.takes);
    CHECK(holds(bench, kBuffer, 7));
}

TEST_CASE("SDMMC DMA: a slow memory is read one burst behind the other before a block leaves") {
    Bench bench;
    bench.initialise();
    bench.memory.takes = 5 * Bench::kUs;
    for (std::uint32_t i = 0; i < 512; ++i)
        bench.memory.bytes[kBuffer + i] = static_cast<std::uint8_t>(i * 3 + 1);
    bench.set(Bench::kIdmaBase, kBuffer);
    bench.set(Bench::kIdmaCtrl, 1);
    bench.transfer(24, 9, 1);
    REQUIRE(bench.memory.seen.size() == 16);
    for (std::size_t i = 0; i < 16; ++i) {
        CAPTURE(i);
        CHECK(bench.memory.seen[i].at == bench.memory.seen[0].at + i * bench.memory.takes);
        CHECK_FALSE(bench.memory.seen[i].write);
    }
    // 8 clocks of gap, a start bit, 1024 for the data on 4 lines, CRC, CRC status.
    const Picoseconds begins = bench.memory.seen[15].at + bench.memory.takes;
    const Picoseconds there = begins + Picoseconds{8 + 1 + 1024 + 17 + 7} * Bench::kBit;
    (void)bench.sdmmc.read(Bench::kSta, there - 1);
    CHECK(bench.card.written().empty());
    (void)bench.sdmmc.read(Bench::kSta, there);
    CHECK(bench.card.written().size() == 1);
    CHECK(bench.card.block(9)[511] == static_cast<std::uint8_t>(511 * 3 + 1));
}

TEST_CASE("SDMMC DMA: a linked list takes one buffer after the other") {
    Bench bench;
    bench.initialise();
    // As the driver does: registers have the first node and point at the second.
    bench.memory.put_words(kNodes, {kNext | kSize | kReady | 12, kBuffer, 1024,  //
                                    kNext | kSize | kReady | 24, kSecond, 512,   //
                                    kSize | kReady, kBuffer + 1024, 512});
    bench.set(Bench::kIdmaBase, kBuffer);
    bench.set(Bench::kIdmaSize, 1024);
    bench.set(Bench::kIdmaList, kNodes);
    bench.set(Bench::kIdmaLink, kNext | kSize | kReady | 12);
    bench.set(Bench::kIdmaCtrl, 3);
    bench.set(Bench::kMask, Bench::kDataEnd | Bench::kBufferEnd);
    bench.transfer(18, 0, 4);
    while (!bench.line) Bench::pass(Bench::kUs);
    CHECK((bench.get(Bench::kSta) & (Bench::kBufferEnd | Bench::kDataEnd)) == Bench::kBufferEnd);
    CHECK(bench.get(Bench::kCount) == 1024 - 512 + 512 + 512);  // the second block's CRC is to come
    CHECK(holds(bench, kBuffer + 512, 1));
    bench.set(Bench::kIcr, Bench::kBufferEnd);
    CHECK_FALSE(bench.line);
    CHECK((bench.wait(Bench::kDataEnd) & Bench::kIdmaError) == 0);
    CHECK(holds(bench, kSecond, 2));
    CHECK(holds(bench, kBuffer + 1024, 3));
    CHECK(bench.get(Bench::kIdmaBase) == kBuffer + 1024);
    CHECK(bench.get(Bench::kIdmaSize) == 512);
}

TEST_CASE("SDMMC DMA: a node of the list takes its time between two buffers") {
    Bench bench;
    bench.initialise();
    bench.memory.takes = 5 * Bench::kUs;
    bench.memory.put_words(kNodes + 12, {kSize | kReady, kSecond, 512});
    bench.set(Bench::kIdmaBase, kBuffer);
    bench.set(Bench::kIdmaSize, 512);
    bench.set(Bench::kIdmaList, kNodes);
    bench.set(Bench::kIdmaLink, kNext | kSize | kReady | 12);
    bench.set(Bench::kIdmaCtrl, 3);
    bench.transfer(18, 0, 2);
    CHECK((bench.wait(Bench::kDataEnd) & Bench::kIdmaError) == 0);
    // 16 bursts of 32 bytes, the node, 16 bursts, one behind the other: a block comes in 41 us.
    REQUIRE(bench.memory.seen.size() == 33);
    for (std::size_t i = 0; i < 33; ++i) {
        CAPTURE(i);
        const auto& seen = bench.memory.seen[i];
        CHECK(seen.at == bench.memory.seen[0].at + i * bench.memory.takes);
        CHECK(seen.write == (i != 16));
        CHECK(seen.bytes == (i == 16 ? 12u : 32u));
    }
    CHECK(bench.memory.seen[16].address == kNodes + 12);
    CHECK(bench.memory.seen[32].address == kSecond + 480);
    CHECK(holds(bench, kBuffer, 0));
    CHECK(holds(bench, kSecond, 1));
}

TEST_CASE("SDMMC DMA: a node beyond 16 KB of the list was looked for modulo 16 KB") {
    Bench bench;
    bench.initialise();
    constexpr std::uint32_t kOffset = 0xC004;
    bench.memory.put_words(kNodes + kOffset, {kSize | kReady, kSecond, 512});
    bench.set(Bench::kIdmaBase, kBuffer);
    bench.set(Bench::kIdmaSize, 512);
    bench.set(Bench::kIdmaList, kNodes);
    bench.set(Bench::kIdmaLink, kNext | kSize | kReady | kOffset);
    bench.set(Bench::kIdmaCtrl, 3);
    bench.transfer(18, 0, 2);
    CHECK((bench.wait(Bench::kDataEnd) & Bench::kIdmaError) == 0);
    CHECK(holds(bench, kBuffer, 0));
    CHECK(holds(bench, kSecond, 1));
}

TEST_CASE("SDMMC DMA: a buffer that is not ready, no further buffer, and a bus error end it") {
    Bench bench;
    bench.initialise();
    const auto list = [&](std::uint32_t link) {
        bench.set(Bench::kIcr, 0xFFFFFFFF);
        bench.set(Bench::kIdmaBase, kBuffer);
        bench.set(Bench::kIdmaSize, 512);
        bench.set(Bench::kIdmaList, kNodes);
        bench.set(Bench::kIdmaLink, link);
        bench.set(Bench::kIdmaCtrl, 3);
        bench.set(Bench::kMask, Bench::kDataEnd);
        bench.transfer(18, 0, 2);
        const std::uint32_t status = bench.wait(Bench::kIdmaError | Bench::kDataEnd);
        Bench::pass(1000 * Bench::kUs);
        CHECK((bench.get(Bench::kSta) & (Bench::kDataEnd | Bench::kDpsm)) == 0);
        CHECK(bench.stop() == Bench::kCmdrEnd);
        return (status & Bench::kIdmaError) != 0;
    };
    bench.memory.put_words(kNodes, {kSize, kSecond, 512});
    CHECK(list(kNext | kSize | kReady));
    CHECK(list(kSize | kReady));
    CHECK(bench.memory.bytes.count(kSecond) == 0);
    bench.memory.refused = kBuffer + 64;
    CHECK(list(kNext | kSize | kReady));
}
