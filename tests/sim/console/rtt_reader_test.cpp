// SPDX-License-Identifier: Apache-2.0
// RTT in a memory that the test lays out by the public SEGGER_RTT.h.
#include <doctest/doctest.h>

#include <cstring>
#include <string_view>
#include <vector>

#include "sim/console/rtt_reader.h"

using n6vp::sim::RttReader;

namespace {

constexpr std::uint32_t kRam = 0x20000000, kBytes = 0x3000;

/// One RAM with a control block of two up-buffers.
struct Ram {
    std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(kBytes);
    std::size_t reads = 0;

    RttReader reader() {
        return {{[this](std::uint32_t address, std::span<std::uint8_t> out) {
                     ++reads;
                     if (address - kRam > kBytes - out.size()) return false;
                     std::memcpy(out.data(), &bytes[address - kRam], out.size());
                     return true;
                 },
                 [this](std::uint32_t address, std::span<const std::uint8_t> in) {
                     if (address - kRam > kBytes - in.size()) return false;
                     std::memcpy(&bytes[address - kRam], in.data(), in.size());
                     return true;
                 },
                 {{kRam, kBytes}}},
                nullptr};
    }
    void put(std::uint32_t address, std::uint32_t value) {
        std::memcpy(&bytes[address - kRam], &value, sizeof value);
    }
    [[nodiscard]] std::uint32_t word(std::uint32_t address) const {
        std::uint32_t value = 0;
        std::memcpy(&value, &bytes[address - kRam], sizeof value);
        return value;
    }
    void text(std::uint32_t address, std::string_view characters) {
        std::memcpy(&bytes[address - kRam], characters.data(), characters.size());
    }
    void block(std::uint32_t at) {
        text(at, "SEGGER RTT");
        put(at + 16, 2);
    }
    void buffer(std::uint32_t block, unsigned channel, std::uint32_t memory, std::uint32_t size,
                std::uint32_t write, std::uint32_t read) {
        const std::uint32_t at = block + 24 + 24 * channel;
        put(at + 4, memory);
        put(at + 8, size);
        put(at + 12, write);
        put(at + 16, read);
    }
};

}  // namespace

TEST_CASE("RTT: a probe takes what was written and moves RdOff, round the buffer's end, too") {
    Ram ram;
    constexpr std::uint32_t kBlock = kRam + 0x100, kMemory = kRam + 0x800;
    ram.block(kBlock);
    ram.text(kMemory, "lo!.....hel");
    ram.buffer(kBlock, 0, kMemory, 11, 3, 8);
    ram.text(kMemory + 64, "abc");
    ram.buffer(kBlock, 1, kMemory + 64, 8, 3, 1);
    RttReader reader = ram.reader();
    CHECK(reader.take(0).empty());
    reader.look();
    REQUIRE(reader.found());
    CHECK(reader.take(0) == "hello!");
    CHECK(ram.word(kBlock + 24 + 16) == 3);
    CHECK(reader.take(0).empty());
    CHECK(reader.take(1) == "bc");
    CHECK(reader.take(2).empty());
}

TEST_CASE(
    "RTT: a control block is found over the border of two pages, and sought ever more rarely") {
    Ram ram;
    RttReader reader = ram.reader();
    for (int i = 0; i < 5; ++i) reader.look();
    CHECK_FALSE(reader.found());
    const std::size_t before = ram.reads;
    constexpr std::uint32_t kBlock = kRam + 0x1000 - 6;
    ram.block(kBlock);
    ram.text(kRam, "x");
    ram.buffer(kBlock, 0, kRam, 4, 1, 0);
    // The searches were in the looks 1, 2 and 4; the next is in the eighth.
    for (int i = 0; i < 2; ++i) reader.look();
    CHECK_FALSE(reader.found());
    CHECK(ram.reads == before);
    reader.look();
    REQUIRE(reader.found());
    CHECK(reader.take(0) == "x");
}

TEST_CASE(
    "RTT: offsets beyond the buffer, memory that is none, and blocks that vanish are no text") {
    constexpr std::uint32_t kBlock = kRam + 0x100, kMemory = kRam + 0x800;
    struct Case {
        std::uint32_t memory, size, write, read;
    };
    for (const Case& each :
         {Case{kMemory, 8, 8, 0}, Case{kMemory, 8, 0, 9}, Case{0x90000000, 8, 3, 0},
          Case{0, 8, 3, 0}, Case{kMemory, 0xFFFFFFFF, 0xFFFFFFF0, 0}, Case{kMemory, 0, 0, 0},
          Case{kRam + kBytes - 2, 8, 3, 0}}) {
        CAPTURE(each.memory);
        CAPTURE(each.size);
        Ram ram;
        ram.block(kBlock);
        ram.buffer(kBlock, 0, each.memory, each.size, each.write, each.read);
        RttReader reader = ram.reader();
        reader.look();
        REQUIRE(reader.found());
        CHECK(reader.take(0).empty());
        CHECK(ram.word(kBlock + 24 + 16) == each.read);
    }
    Ram ram;
    ram.block(kBlock);
    RttReader reader = ram.reader();
    reader.look();
    CHECK(reader.found());
    ram.text(kBlock, "x");
    reader.look();
    CHECK_FALSE(reader.found());
}
