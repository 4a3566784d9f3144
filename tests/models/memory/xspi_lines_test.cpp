// SPDX-License-Identifier: Apache-2.0
// Times of commands of the XSPI controller: clocks of its lines counted by hand.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/models/memory/xspi_lines_bench.h"

using namespace n6vp::models;
using namespace n6vp::test::xspi;

TEST_CASE("XSPI lines: the header takes the clocks of the phases in CCR, and of TCR") {
    LinesBench bench;
    struct Row {
        std::uint32_t ccr, tcr;
        double clocks;
    };
    constexpr std::uint32_t kTwo = 2, kFour = 3, kEight = 4, kSixteen = 5;
    const Row rows[] = {
        {kInstruction, 0, 8},
        {kInstruction | 3u << 4, 0, 32},  // four bytes
        {kInstruction | 1u << 3, 0, 4},   // double rate
        {kTwo, 0, 4},
        {kFour, 0, 2},
        {kEight, 0, 1},
        {kSixteen, 0, 1},                    // half a clock: the least is one
        {kEight | 1u << 3 | 1u << 4, 0, 1},  // two bytes, both edges
        {kInstruction | 1u << 8, 0, 16},     // an address of one byte
        {kInstruction | kFour << 8 | 2u << 12, 0, 14},
        {kInstruction | kTwo << 8 | 1u << 11 | 3u << 12, 0, 16},
        {kInstruction | kFour << 16 | 1u << 20, 0, 12},  // alternate bytes
        {kInstruction | kEight << 16 | 1u << 19 | 3u << 20, 0, 10},
        {kInstruction, 31, 39},
        {kInstruction, 32, 8},  // DCYC has five bits
    };
    for (const Row& row : rows) {
        CAPTURE(row.ccr);
        CAPTURE(row.tcr);
        bench.restart();
        bench.set(kTcrAt, row.tcr);
        bench.set(kCcrAt, row.ccr);
        bench.set(kIrAt, 0x35);
        if ((row.ccr & 7u << 8) != 0) {
            CHECK(bench.flags() == 0);  // the address is missing
            bench.set(kArAt, 0x40);
        }
        const auto end = bench.begin + static_cast<Picoseconds>(row.clocks * kClock);
        bench.now = end - 1;
        CHECK(bench.flags() == kWorks);
        bench.now = end;
        CHECK(bench.flags() == kDone);
        CHECK(bench.lines.begun == std::vector{bench.begin});
        CHECK(bench.lines.ended == std::vector{end});
        CHECK(bench.lines.commands[0].instruction == 0x35);
        CHECK(bench.lines.commands[0].dummy_clocks == row.tcr % 32);
    }
}

TEST_CASE("XSPI lines: a write sends its header with the first byte of data, then byte by byte") {
    LinesBench bench;
    bench.command(0, 4);
    CHECK(bench.flags() == kThreshold);
    CHECK(bench.lines.begun.empty());
    bench.now += 7 * kClock;
    const Picoseconds begin = bench.now;
    bench.set(kDrAt, 0x44332211);
    CHECK(bench.flags() == kWorks);
    CHECK(bench.level() == 4);
    for (std::uint32_t sent = 1; sent <= 4; ++sent) {
        CAPTURE(sent);
        bench.now = begin + kHeader + sent * kByteTime - 1;
        CHECK(bench.flags() == kWorks);
        CHECK(bench.level() == 5 - sent);
        ++bench.now;
        CHECK(bench.level() == 4 - sent);
        CHECK(bench.lines.written.size() == sent);
    }
    CHECK(bench.flags() == kDone);
    CHECK(bench.lines.written == std::vector<std::uint8_t>{0x11, 0x22, 0x33, 0x44});
    CHECK(bench.lines.begun == std::vector{begin});
    CHECK(bench.lines.ended == std::vector{begin + kHeader + 4 * kByteTime});
    CHECK(bench.lines.commands[0].address == 0x100);
    CHECK(bench.lines.commands[0].data.lines == 1);
    CHECK(bench.lines.commands[0].address_phase.bytes == 4);
    bench.set(kFcrAt, kDone);
    CHECK(bench.flags() == 0);
    CHECK(bench.lines.ended.size() == 1);
}

TEST_CASE("XSPI lines: a write waits for data, and goes on a byte after they come") {
    LinesBench bench;
    bench.command(0, 3);
    bench.set(kDrAt, 1, kByteLane);
    bench.now = bench.begin + 10'000'000;
    CHECK(bench.flags() == (kWorks | kThreshold));
    CHECK(bench.level() == 0);
    const Picoseconds second = bench.now;
    bench.set(kDrAt, 2, kByteLane);
    bench.now = second + kByteTime - 1;
    CHECK(bench.lines.written.size() == 1);
    CHECK(bench.level() == 1);
    bench.set(kDrAt, 3, kByteLane);
    CHECK(bench.flags() == kWorks);
    CHECK(bench.level() == 2);
    bench.set(kDrAt, 4, kByteLane);  // one more than DLR says
    bench.now = second + 2 * kByteTime - 1;
    CHECK(bench.level() == 1);
    bench.now = second + 2 * kByteTime;
    CHECK(bench.flags() == kDone);
    CHECK(bench.lines.ended == std::vector{second + 2 * kByteTime});
    CHECK(bench.lines.written == std::vector<std::uint8_t>{1, 2, 3});
}

TEST_CASE("XSPI lines: FTF says that the FIFO has room for, or holds, as much as FTHRES + 1") {
    LinesBench bench;
    for (const std::uint32_t threshold : {1u, 4u, 32u, 64u}) {
        CAPTURE(threshold);
        bench.restart();
        const std::uint32_t field = (threshold - 1) << 8;
        bench.command(0, 100, field);
        for (std::uint32_t held = 0; held <= 64; ++held) {
            CAPTURE(held);
            CHECK(bench.level() == held);
            CHECK(((bench.flags() & kThreshold) != 0) == (held + threshold <= 64));
            bench.set(kDrAt, held, kByteLane);
        }
        bench.set(kCrAt, kAborts | kEnabled);
        bench.now += 1'000'000;
        bench.set(kFcrAt, kDone);
        const Picoseconds begin = bench.now;
        bench.command(1, 100, field);
        for (const std::uint32_t held : {threshold - 1, threshold}) {
            bench.now = begin + kHeader + held * kByteTime;
            CHECK(bench.level() == held);
            CHECK(((bench.flags() & kThreshold) != 0) == (held == threshold));
        }
    }
}

TEST_CASE("XSPI lines: the end of a read raises FTF for what is left below the threshold") {
    LinesBench bench;
    bench.lines.gives = {0xA1, 0xA2, 0xA3};
    bench.command(1, 3, 7u << 8);
    bench.now = bench.begin + kHeader + 3 * kByteTime - 1;
    CHECK(bench.flags() == kWorks);
    CHECK(bench.level() == 2);
    ++bench.now;
    CHECK(bench.flags() == (kWorks | kThreshold | kDone));
    CHECK(bench.lines.ended == std::vector{bench.now});
    CHECK(bench.take() == 0xA1);
    CHECK(bench.take() == 0xA2);
    CHECK(bench.flags() == (kWorks | kThreshold | kDone));
    CHECK(bench.take() == 0xA3);
    CHECK(bench.flags() == kDone);
    CHECK(bench.take() == 0);
}

TEST_CASE("XSPI lines: a full FIFO stops a read, which goes on a byte after room is made") {
    LinesBench bench;
    bench.command(1, 66);
    bench.now = bench.begin + kHeader + 64 * kByteTime - 1;
    CHECK(bench.level() == 63);
    bench.now = bench.begin + 10 * (kHeader + 64 * kByteTime);
    CHECK(bench.level() == 64);
    CHECK(bench.lines.read_at.size() == 64);
    CHECK(bench.lines.read_at.back() == bench.begin + kHeader + 64 * kByteTime);
    for (std::uint32_t more = 1; more <= 2; ++more) {
        (void)bench.take();
        CHECK(bench.level() == 63);
        bench.now += kByteTime - 1;
        CHECK(bench.level() == 63);
        ++bench.now;
        CHECK(bench.level() == 64);
        CHECK(bench.lines.read_at.back() == bench.now);
        CHECK(((bench.flags() & kDone) != 0) == (more == 2));
        if (more == 1) bench.now += 3 * kByteTime;
    }
    CHECK(bench.lines.read_at.size() == 66);
}

TEST_CASE("XSPI lines: a read of DR waits for as many bytes as it has lanes") {
    LinesBench bench;
    bench.lines.gives = {1, 2, 3, 4, 5, 6, 7, 8};
    bench.command(1, 8);
    const RegisterBlock::Answer half = bench.xspi.read_bytes(kDrAt, 0xFFFF, bench.now);
    CHECK(half.value == 0x0201);
    CHECK(half.until == bench.begin + kHeader + 2 * kByteTime);
    const RegisterBlock::Answer word = bench.xspi.read_bytes(kDrAt, kEvery, half.until);
    CHECK(word.value == 0x06050403);
    CHECK(word.until == bench.begin + kHeader + 6 * kByteTime);
    // What is there is given at once; what never comes is not waited for.
    const Picoseconds late = word.until + 10 * kByteTime;
    const RegisterBlock::Answer rest = bench.xspi.read_bytes(kDrAt, kEvery, late);
    CHECK(rest.value == 0x0807);
    CHECK(rest.until == 0);
}

TEST_CASE("XSPI lines: without a device commands end in their times, and reads give nothing") {
    LinesBench bench(false);
    bench.set(kCcrAt, kInstruction);
    bench.set(kIrAt, 6);
    bench.now += kByteTime;
    CHECK(bench.flags() == kDone);
    bench.set(kFcrAt, kDone);
    const Picoseconds read = bench.now;
    bench.command(1, 2);
    bench.now = read + kHeader + 2 * kByteTime;
    CHECK((bench.flags() & kDone) != 0);
    CHECK(bench.take() == 0);
    CHECK(bench.take() == 0);
    bench.set(kFcrAt, kDone);
    const Picoseconds write = bench.now;
    bench.command(0, 1);
    bench.set(kDrAt, 9, kByteLane);
    bench.now = write + kHeader + kByteTime - 1;
    CHECK(bench.flags() == kWorks);
    ++bench.now;
    CHECK(bench.flags() == kDone);
    bench.set(kFcrAt, kDone);
    const Picoseconds poll = bench.now;
    bench.set(kPsmkrAt, 1);
    bench.command(2, 1, kStopsAtMatch);
    bench.now = poll + kHeader + kByteTime - 1;
    CHECK(bench.flags() == kWorks);
    ++bench.now;
    CHECK(bench.flags() == kMatch);
}

TEST_CASE(
    "XSPI lines: automatic polling reads once in the clocks of PIR until the status matches") {
    LinesBench bench;
    constexpr Picoseconds kPoll = 16 * kClock, kInterval = 64 * kClock;
    // Ready after 10 us; polls of 16 clocks, one in 64: the ninth begins at 10.24 us.
    bench.lines.ready_at = bench.begin + 10'000'000;
    bench.set(kPsmkrAt, 1);
    bench.set(kPsmarAt, 0);
    bench.set(kPirAt, 0x40);
    bench.set(kCrAt, kEnabled | 2u << 28 | kStopsAtMatch);
    bench.set(kDlrAt, 0);
    bench.set(kCcrAt, kInstruction | kBytes);
    bench.set(kIrAt, 5);
    CHECK(bench.flags() == kWorks);
    bench.now = bench.begin + 8 * kInterval + kPoll - 1;
    CHECK(bench.flags() == kWorks);
    ++bench.now;
    CHECK(bench.flags() == kMatch);
    CHECK(bench.lines.begun.back() == bench.begin + 8 * kInterval);
    CHECK(bench.lines.ended.back() == bench.now);
    CHECK(bench.lines.commands.back().instruction == 5);
    bench.set(kFcrAt, kMatch);
    CHECK(bench.flags() == 0);
    // Without an interval one poll follows the other: 5 us are 15.6 of them.
    const Picoseconds again = bench.now;
    bench.lines.ready_at = again + 5'000'000;
    bench.set(kPirAt, 0);
    bench.set(kIrAt, 5);
    bench.now = again + 16 * kPoll - 1;
    CHECK(bench.flags() == kWorks);
    ++bench.now;
    CHECK(bench.flags() == kMatch);
}

TEST_CASE("XSPI lines: a match is that of all, or of any, of the unmasked bits") {
    LinesBench bench;
    struct Row {
        std::vector<std::uint8_t> status;
        std::uint32_t mask, match;
        bool all, any;
    };
    const Row rows[] = {
        {{0x01}, 0x03, 0x01, true, true},
        {{0x00}, 0x03, 0x01, false, true},  // bit 1 is as it should be
        {{0x02}, 0x03, 0x01, false, false},
        {{0xFD}, 0x03, 0x01, true, true},  // others do not count
        {{0x34, 0x12}, 0xFFFF, 0x1234, true, true},
        {{0x35, 0x12}, 0xFFFF, 0x1234, false, true},
        {{0x34, 0x12, 0x56, 0x78}, 0xFFFFFFFF, 0x78561234, true, true},
        {{0xCB, 0xED}, 0xFFFF, 0x1234, false, false},
    };
    for (const Row& row : rows) {
        for (const bool any : {false, true}) {
            CAPTURE(row.mask);
            CAPTURE(row.status[0]);
            CAPTURE(any);
            bench.restart();
            bench.lines.gives = row.status;
            bench.set(kPsmkrAt, row.mask);
            bench.set(kPsmarAt, row.match);
            bench.set(kCrAt, kEnabled | 2u << 28 | (any ? kAnyBit : 0));
            bench.set(kDlrAt, static_cast<std::uint32_t>(row.status.size()) - 1);
            bench.set(kCcrAt, kInstruction | kBytes);
            bench.set(kIrAt, 5);
            bench.now += kByteTime * (1 + row.status.size());
            CHECK(((bench.flags() & kMatch) != 0) == (any ? row.any : row.all));
            CHECK((bench.flags() & kWorks) != 0);  // without APMS it goes on
            CHECK(bench.lines.read_at.size() == row.status.size());
            // A flag that is cleared comes again with the next poll.
            bench.set(kFcrAt, kMatch);
            CHECK((bench.flags() & kMatch) == 0);
            bench.now += kByteTime * (1 + row.status.size());
            CHECK(((bench.flags() & kMatch) != 0) == (any ? row.any : row.all));
        }
    }
}

TEST_CASE("XSPI lines: a poll reads four bytes at most") {
    LinesBench bench;
    bench.lines.gives = {1, 2, 3, 4, 5, 6};
    bench.set(kPsmkrAt, 0xFF000000);
    bench.set(kPsmarAt, 0x04000000);
    bench.set(kCrAt, kEnabled | 2u << 28 | kStopsAtMatch);
    bench.set(kDlrAt, 5);
    bench.set(kCcrAt, kInstruction | kBytes);
    bench.set(kIrAt, 5);
    bench.now += 5 * kByteTime;
    CHECK(bench.flags() == kMatch);
    CHECK(bench.lines.read_at.size() == 4);
}

TEST_CASE("XSPI lines: an address beyond 2^(DEVSIZE + 1) bytes is a transfer error") {
    LinesBench bench;
    struct Row {
        std::uint32_t size, address;
        bool error;
    };
    const Row rows[] = {
        {0, 1, false},          {0, 2, true},          {15, 0xFFFF, false},     {15, 0x10000, true},
        {26, 0x7FFFFFF, false}, {26, 0x8000000, true}, {31, 0xFFFFFFFF, false},
    };
    for (const Row& row : rows) {
        for (const std::uint32_t mode : {0u, 1u, 2u}) {
            CAPTURE(row.address);
            CAPTURE(mode);
            bench.restart();
            bench.set(kDcr1At, row.size << 16);
            bench.set(kPsmkrAt, 1);
            bench.set(kPsmarAt, 1);
            bench.set(kDlrAt, 0);
            bench.set(kCcrAt, kInstruction | kLongAddress | kBytes);
            bench.set(kCrAt, kEnabled | mode << 28);
            bench.set(kArAt, row.address);
            if (mode == 0) {
                CHECK(bench.flags() == kThreshold);
                bench.set(kDrAt, 1, kByteLane);
            }
            CHECK(bench.flags() == (row.error ? kError : kWorks));
            CHECK(bench.level() == (mode == 0 && !row.error ? 1 : 0));
        }
    }
    // Without an address phase AR does not count.
    bench.restart();
    bench.set(kDcr1At, 0);
    bench.set(kArAt, 0x100);
    bench.set(kCcrAt, kInstruction);
    bench.set(kIrAt, 6);
    CHECK(bench.flags() == kWorks);
}

TEST_CASE("XSPI lines: an abort ends a transfer at once, and BUSY after half a microsecond") {
    LinesBench bench;
    for (const std::uint32_t mode : {0u, 1u}) {
        CAPTURE(mode);
        bench.restart();
        bench.command(mode, 8);
        if (mode == 0) bench.set(kDrAt, 0x03020100);
        bench.now += kHeader + 2 * kByteTime + 5;
        CHECK(bench.level() == 2);
        const Picoseconds at = bench.now;
        bench.set(kCrAt, kEnabled | mode << 28 | kAborts);
        CHECK(bench.get(kCrAt) == (kEnabled | mode << 28));
        CHECK(bench.lines.ended == std::vector{at});
        CHECK(bench.flags() == kWorks);
        CHECK(bench.level() == 0);
        bench.now = at + 500'000 - 1;
        CHECK(bench.flags() == kWorks);
        ++bench.now;
        CHECK(bench.flags() == kDone);
        CHECK(bench.lines.ended.size() == 1);
    }
}

TEST_CASE("XSPI lines: EN = 0 stops without a flag, and nothing starts before EN = 1") {
    LinesBench bench;
    bench.command(1, 8);
    bench.now += kHeader + 2 * kByteTime;
    bench.set(kCrAt, 1u << 28);
    CHECK(bench.flags() == 0);
    CHECK(bench.level() == 0);
    bench.set(kArAt, 0);
    CHECK(bench.flags() == 0);
    bench.set(kCrAt, kEnabled | 3u << 28);  // memory-mapped: no command either
    bench.set(kArAt, 0);
    CHECK(bench.flags() == 0);
    bench.set(kCrAt, kEnabled | 1u << 28);
    bench.set(kIrAt, 0x0B);  // the address is to come
    CHECK(bench.flags() == 0);
    bench.set(kArAt, 0);
    CHECK(bench.flags() == kWorks);
    CHECK(bench.lines.begun.size() == 2);
    // While it works nothing else begins.
    bench.set(kArAt, 4);
    CHECK(bench.lines.begun.size() == 2);
    CHECK(bench.lines.commands.back().address == 0);
}
