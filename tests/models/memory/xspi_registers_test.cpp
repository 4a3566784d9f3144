// SPDX-License-Identifier: Apache-2.0
// Registers, flags and interrupts of the XSPI controller.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/models/memory/xspi_lines_bench.h"

using namespace n6vp::models;
using namespace n6vp::test::xspi;

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
