// SPDX-License-Identifier: Apache-2.0
// The XSPI controller before a device that notes what happens on its lines, and when. A clock of
// the lines takes 20 ns; expected times are clocks counted by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/duration.h"
#include "models/soc/xspi_controller.h"

using namespace n6vp::models;

namespace {

constexpr std::uint32_t kEvery = 0xFFFFFFFF, kByteLane = 0xFF;
enum Register : std::uint32_t {
    kCrAt = 0x00,
    kDcr1At = 0x08,
    kSrAt = 0x20,
    kFcrAt = 0x24,
    kDlrAt = 0x40,
    kArAt = 0x48,
    kDrAt = 0x50,
    kPsmkrAt = 0x80,
    kPsmarAt = 0x88,
    kPirAt = 0x90,
    kCcrAt = 0x100,
    kTcrAt = 0x108,
    kIrAt = 0x110,
};
constexpr std::uint32_t kEnabled = 1, kAborts = 2, kByDma = 4, kStopsAtMatch = 1u << 22,
                        kAnyBit = 1u << 23;
constexpr std::uint32_t kError = 1, kDone = 2, kThreshold = 4, kMatch = 8, kWorks = 32;
constexpr std::uint32_t kFlagBits = 0x3F;
constexpr std::uint32_t kInstruction = 1, kLongAddress = 1u << 8 | 3u << 12, kBytes = 1u << 24;
constexpr Picoseconds kClock = 20'000;

struct NotedLines : SerialDevice {
    std::vector<Picoseconds> begun, ended, read_at;
    std::vector<SerialCommand> commands;
    std::vector<std::uint8_t> written, gives;
    Picoseconds ready_at = 0;  ///< reads give bit 0 before, and not from then on

    void begin(const SerialCommand& command, Picoseconds at) override {
        begun.push_back(at);
        commands.push_back(command);
        next_ = 0;
    }
    std::uint8_t read(Picoseconds at) override {
        read_at.push_back(at);
        if (!gives.empty()) return gives[next_++ % gives.size()];
        return at < ready_at ? 1 : 0;
    }
    void write(std::uint8_t byte) override { written.push_back(byte); }
    void end(Picoseconds at) override { ended.push_back(at); }
    Picoseconds next_change(Picoseconds at) const override { return at < ready_at ? ready_at : 0; }
    void power_on() override {}
    void forget() {
        begun.clear();
        ended.clear();
        read_at.clear();
        commands.clear();
        written.clear();
    }

  private:
    std::size_t next_ = 0;
};

struct LinesBench {
    NotedLines lines;
    XspiController xspi{"xspi2", "XSPI2"};
    Picoseconds now = 0, begin = 0;
    std::vector<std::pair<bool, Picoseconds>> interrupts, requests;

    explicit LinesBench(bool connected = true) {
        if (connected) xspi.connect(&lines);
        xspi.set_clock_hz(50e6);
        xspi.on_interrupt = [this](bool level) {
            interrupts.emplace_back(level, sc_core::sc_time_stamp().value());
        };
        xspi.on_dma_request = [this](bool level) {
            requests.emplace_back(level, sc_core::sc_time_stamp().value());
        };
        restart();
    }
    /// After a reset, with nothing noted.
    void restart() {
        begin = now = std::max<Picoseconds>(now, sc_core::sc_time_stamp().value()) + 1'000'000;
        xspi.reset();
        lines.forget();
        interrupts.clear();
        requests.clear();
        set(kCrAt, kEnabled);
        set(kDcr1At, 26u << 16);
    }
    /// For times of processes.
    void restart_now() {
        sc_core::sc_start(to_sc_time(20'000'000));
        restart();
        sc_core::sc_start(delay_until(now));
    }
    void set(std::uint32_t offset, std::uint32_t value, std::uint32_t mask = kEvery) {
        (void)xspi.write(offset, value, mask, now);
    }
    std::uint32_t get(std::uint32_t offset) { return xspi.read(offset, now).value; }
    std::uint32_t flags() { return get(kSrAt) & kFlagBits; }
    std::uint32_t level() { return get(kSrAt) >> 8; }
    std::uint8_t take() {
        return static_cast<std::uint8_t>(xspi.read_bytes(kDrAt, kByteLane, now).value);
    }
    /// A command of `count` bytes in a mode of CR, with an address.
    void command(std::uint32_t mode, std::uint32_t count, std::uint32_t more = 0,
                 std::uint32_t ccr = kInstruction | kLongAddress | kBytes) {
        set(kCrAt, kEnabled | mode << 28 | more);
        set(kDlrAt, count - 1);
        set(kCcrAt, ccr);
        set(kIrAt, 0x12);
        set(kArAt, 0x100);
    }
};

/// Instruction and address of `LinesBench::command`, and of each byte of its data.
constexpr Picoseconds kHeader = 40 * kClock, kByteTime = 8 * kClock;

}  // namespace

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
    bench.now = bench.begin + 8 * 64 * kClock + 16 * kClock - 1;
    CHECK(bench.flags() == kWorks);
    ++bench.now;
    CHECK(bench.flags() == kMatch);
    CHECK(bench.lines.begun.back() == bench.begin + 8 * 64 * kClock);
    CHECK(bench.lines.ended.back() == bench.now);
    CHECK(bench.lines.commands.back().instruction == 5);
    bench.set(kFcrAt, kMatch);
    CHECK(bench.flags() == 0);
    // Without an interval one poll follows the other: 5 us are 15.6 of them.
    const Picoseconds again = bench.now;
    bench.lines.ready_at = again + 5'000'000;
    bench.set(kPirAt, 0);
    bench.set(kIrAt, 5);
    bench.now = again + 16 * 16 * kClock - 1;
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

TEST_CASE("XSPI lines: the status may be polled without a look as long as nothing is due") {
    LinesBench bench;
    CHECK(bench.xspi.polls_freely(kSrAt, bench.now));
    CHECK_FALSE(bench.xspi.polls_freely(kDrAt, bench.now));
    bench.set(kCcrAt, kInstruction);
    bench.set(kIrAt, 6);
    CHECK(bench.xspi.polls_freely(kSrAt, bench.begin + kByteTime - 1));
    CHECK_FALSE(bench.xspi.polls_freely(kSrAt, bench.begin + kByteTime));
    CHECK(bench.xspi.reads_freely(kFcrAt));
    CHECK_FALSE(bench.xspi.reads_freely(kDrAt));
}

TEST_CASE("XSPI lines: registers have their names, and say which of them do something") {
    LinesBench bench;
    // Names and offsets: device header, XSPI_TypeDef.
    struct Row {
        std::uint32_t offset;
        const char* name;
        bool modelled;
    };
    const Row rows[] = {
        {0x000, "CR", true},     {0x008, "DCR1", true},  {0x00C, "DCR2", true},
        {0x010, "DCR3", false},  {0x014, "DCR4", false}, {0x020, "SR", true},
        {0x024, "FCR", true},    {0x040, "DLR", true},   {0x048, "AR", true},
        {0x050, "DR", true},     {0x080, "PSMKR", true}, {0x088, "PSMAR", true},
        {0x090, "PIR", true},    {0x100, "CCR", true},   {0x108, "TCR", true},
        {0x110, "IR", true},     {0x120, "ABR", false},  {0x130, "LPTR", false},
        {0x140, "WPCCR", false}, {0x180, "WCCR", false}, {0x200, "HLCR", false},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        bench.restart();
        const RegisterBlock::Answer read = bench.xspi.read(row.offset, bench.now);
        CHECK(std::string(read.name) == row.name);
        CHECK(read.modelled == row.modelled);
        bench.set(kCrAt, 0);
        const RegisterBlock::Answer written =
            bench.xspi.write(row.offset, 0x01020304, kEvery, bench.now);
        CHECK(std::string(written.name) == row.name);
        CHECK(written.modelled == row.modelled);
        const bool keeps = row.offset != kSrAt && row.offset != kFcrAt && row.offset != kDrAt;
        CHECK(bench.get(row.offset) == (keeps ? 0x01020304 : 0));
        if (keeps && row.offset != kCrAt) {
            bench.set(row.offset, 0xFFFFFFFF, 0x0000FF00);
            CHECK(bench.get(row.offset) == 0x0102FF04);
        }
        bench.xspi.reset();
        CHECK(bench.get(row.offset) == 0);
    }
}

TEST_CASE("XSPI lines: FCR clears the flags it names, and no others") {
    LinesBench bench;
    for (const std::uint32_t cleared : {kError, kDone, kMatch}) {
        CAPTURE(cleared);
        bench.restart();
        bench.set(kCcrAt, kInstruction);
        bench.set(kIrAt, 6);
        bench.now += kByteTime;
        bench.set(kPsmkrAt, 0);  // matches whatever comes
        bench.set(kCcrAt, kInstruction | kBytes);
        bench.set(kCrAt, kEnabled | 2u << 28 | kStopsAtMatch);
        bench.set(kIrAt, 5);
        bench.now += 8 * kByteTime;
        bench.set(kCcrAt, kInstruction | kLongAddress);
        bench.set(kArAt, 1u << 27);
        CHECK(bench.flags() == (kError | kDone | kMatch));
        bench.set(kFcrAt, cleared);
        CHECK(bench.flags() == ((kError | kDone | kMatch) & ~cleared));
    }
}

TEST_CASE("XSPI lines: each enable of CR lets its flag through to the interrupt, at its time") {
    LinesBench bench;
    struct Row {
        std::uint32_t enable, mode;
        Picoseconds after;  ///< of the start
    };
    const Picoseconds read = kHeader + 2 * kByteTime;
    const Row rows[] = {
        {1u << 17, 1, kHeader + 4 * kByteTime},                 // TCIE
        {1u << 18, 1, read},                                    // FTIE: two bytes are the threshold
        {1u << 19, 2, 500 * kClock + kHeader + 4 * kByteTime},  // SMIE: the sixth poll
        {1u << 20, 1, 0},                                       // TOIE, whose flag does not come
        {0, 1, 0},
        {kByDma, 1, read},
    };
    for (const Row& row : rows) {
        CAPTURE(row.enable);
        bench.restart_now();
        bench.lines.ready_at = bench.begin + 10'000'000;
        bench.set(kPsmkrAt, 1);
        bench.set(kPirAt, 100);
        bench.command(row.mode, 4, row.enable | 1u << 8 | kStopsAtMatch);
        sc_core::sc_start(to_sc_time(20'000'000));
        const auto& heard = row.enable == kByDma ? bench.requests : bench.interrupts;
        const auto& other = row.enable == kByDma ? bench.interrupts : bench.requests;
        CHECK(other.empty());
        REQUIRE(heard.size() == (row.after == 0 ? 0u : 1u));
        if (heard.empty()) continue;
        CHECK(heard[0] == std::pair(true, bench.begin + row.after));
        bench.now = sc_core::sc_time_stamp().value();
        if (row.mode == 1) (void)bench.get(kDrAt);
        bench.set(kFcrAt, kDone | kMatch);
        REQUIRE(heard.size() == 2);
        CHECK_FALSE(heard[1].first);
    }
    bench.restart_now();
    bench.set(kCrAt, kEnabled | 1u << 16 | 1u << 28);
    bench.set(kCcrAt, kInstruction | kLongAddress);
    bench.set(kArAt, 1u << 27);
    CHECK(bench.interrupts == decltype(bench.interrupts){{true, bench.begin}});  // TEIE
}

TEST_CASE("XSPI lines: memory-mapped is EN with FMODE = 3, and so out of reset where it says so") {
    LinesBench bench;
    int changes = 0;
    bench.xspi.on_mapped = [&] { ++changes; };
    struct Row {
        std::uint32_t control;
        bool mapped;
    };
    const Row rows[] = {{3u << 28, false},
                        {kEnabled | 2u << 28, false},
                        {kEnabled | 3u << 28, true},
                        {kEnabled | 1u << 28, false}};
    for (const Row& row : rows) {
        CAPTURE(row.control);
        bench.set(kCrAt, row.control);
        CHECK(bench.xspi.memory_mapped() == row.mapped);
    }
    CHECK(changes == 2);
    bench.set(kCrAt, kEnabled | 3u << 28);
    bench.xspi.reset();
    CHECK_FALSE(bench.xspi.memory_mapped());
    CHECK(changes == 4);
    CHECK(bench.xspi.window().reason() ==
          std::string("XSPI2_CR: EN = 0 or FMODE is not 3 (memory-mapped)"));
}
