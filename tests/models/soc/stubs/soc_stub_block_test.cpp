// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "models/soc/stubs/stub_block.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;
using n6vp::test::kWord;

namespace {

constexpr StubRow kRows[] = {
    {.offset = 0x00, .name = "CR", .reset = 0x10, .writable = 0xFF, .self_clearing = 0x80},
    {.offset = 0x04, .name = "SR", .reset = 0, .writable = 0, .ones = 0x100},
    {.offset = 0x08, .name = "FR", .reset = 0x3, .writable = 0, .write_one_clears = 0x3},
    {.offset = 0x0C, .name = "TR", .reset = 0, .writable = 0, .toggles = 1},
    {.offset = 0x10, .name = "GO", .writable = 0},
    {.offset = 0x14, .name = "CLEAR", .writable = 0},
    {.offset = 0x18, .name = "PINS", .reset = 0xF0, .writable = 0xFFFF},
    {.offset = 0x1C, .name = "PINS_SET", .writable = 0},
    {.offset = 0x20, .name = "PINS_CLEAR", .writable = 0},
    {.offset = 0x24, .name = "LEVEL", .modelled = true},
    {.offset = 0x28, .name = "DATA", .writable = 0xFF},
    {.offset = 0x2C, .name = "FULL", .reset = 1, .writable = 0},
};
constexpr StubRule kRules[] = {
    {StubRule::Kind::Follow, 0x04, 0x1, 0x00, 0x1},
    {StubRule::Kind::Oppose, 0x04, 0x2, 0x00, 0x1},
    {StubRule::Kind::SetBy, 0x04, 0x4, 0x10, 0x1},
    {StubRule::Kind::ClearBy, 0x04, 0x4, 0x14, 0x1},
    {StubRule::Kind::ClearBy, 0x2C, 0x1, 0x28, 0, nullptr, StubRule::On::Read},
    {StubRule::Kind::Copy, 0x18, 0xFFFF, 0x1C, 0xFFFF},
    {StubRule::Kind::Erase, 0x18, 0xFFFF, 0x20, 0xFFFF},
};
constexpr StubRow kChannel[] = {{.offset = 0x0, .name = "CH_CR", .reset = 1},
                                {.offset = 0x4, .name = "CH_SR", .reset = 2}};
constexpr StubTable kTable{"STUB", kRows, kRules, {0x100, 0x20, 3, kChannel}};

struct StubBench {
    StubBlock block{kTable, "STUB"};
    std::uint32_t read(std::uint32_t offset) { return block.read(offset, 0).value; }
    void write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask = kWord) {
        (void)block.write(offset, value, mask, 0);
    }
};

}  // namespace

TEST_CASE("stub: reset values, writable bits, byte masks, commands that are done at once") {
    StubBench bench;
    CHECK(bench.read(0x00) == 0x10);
    bench.write(0x00, 0xFFFFFFFF);
    CHECK(bench.read(0x00) == 0x7F);
    bench.write(0x18, 0x00001200, 0xFF00);
    CHECK(bench.read(0x18) == 0x12F0);
    bench.block.reset();
    CHECK(bench.read(0x00) == 0x10);
    CHECK(bench.read(0x18) == 0xF0);
}

TEST_CASE("stub: ready bits are one, follow or oppose an enable bit") {
    StubBench bench;
    CHECK(bench.read(0x04) == 0x102);
    bench.write(0x00, 1);
    CHECK(bench.read(0x04) == 0x101);
    bench.write(0x00, 0);
    CHECK(bench.read(0x04) == 0x102);
}

TEST_CASE("stub: a flag follows its enable after the time that its rule names, both ways") {
    constexpr Picoseconds kTime = 7'000'000;
    FlagTimes times;
    times.fuse.value = 7;
    static constexpr StubRow rows[] = {{.offset = 0x00, .name = "CR"},
                                       {.offset = 0x04, .name = "SR", .writable = 0},
                                       {.offset = 0x08, .name = "DR"}};
    using Kind = StubRule::Kind;
    using On = StubRule::On;
    static constexpr StubRule rules[] = {
        {Kind::Follow, 0x04, 0x1, 0x00, 0x1, &FlagTimes::fuse},
        {Kind::Oppose, 0x04, 0x2, 0x00, 0x1, &FlagTimes::fuse},
        {Kind::SetBy, 0x04, 0x4, 0x00, 0x2, &FlagTimes::fuse},
        {Kind::Pulse, 0x04, 0x8, 0x08, 0, &FlagTimes::fuse, On::Write, 0, 0x00, 0x1},
        {Kind::ClearBy, 0x04, 0xC, 0x00, 0x1, nullptr, On::Fall},
    };
    static constexpr StubTable table{"TIMED", rows, rules};
    StubBlock block(table, "TIMED", times);
    const auto read = [&](Picoseconds at) { return block.read(0x04, at).value; };
    const auto write = [&](std::uint32_t offset, std::uint32_t value, Picoseconds at) {
        (void)block.write(offset, value, kWord, at);
    };
    CHECK(read(0) == 0x2);
    write(0x08, 1, 0);  // not while CR = 0
    CHECK(read(0) == 0x2);
    write(0x00, 0x1, 1'000'000);
    CHECK(read(kTime + 999'999) == 0x2);
    CHECK(read(kTime + 1'000'000) == 0x1);
    write(0x00, 0x3, kTime * 2);
    CHECK(read(kTime * 3 - 1) == 0x1);
    CHECK(read(kTime * 3) == 0x5);
    write(0x08, 0, kTime * 4);
    CHECK(read(kTime * 4) == 0xD);
    CHECK(read(kTime * 5) == 0x5);
    // Off: what was under way does not come any more, the level goes after its time.
    write(0x00, 0x3, kTime * 6);
    write(0x08, 0, kTime * 6);
    write(0x00, 0x0, kTime * 6);
    CHECK(read(kTime * 6) == 0x1);
    CHECK(read(kTime * 8) == 0x2);
    // On and off again within the time: nothing is seen.
    write(0x00, 0x1, kTime * 9);
    write(0x00, 0x0, kTime * 9 + 1);
    CHECK(read(kTime * 11) == 0x2);
    write(0x00, 0x1, kTime * 12);
    block.reset_at(kTime * 12);
    CHECK(read(kTime * 14) == 0x2);
}

TEST_CASE("stub: start and clear registers, write one to clear, toggling") {
    StubBench bench;
    bench.write(0x10, 1);
    CHECK(bench.read(0x04) == 0x106);
    bench.write(0x14, 2);
    CHECK(bench.read(0x04) == 0x106);
    bench.write(0x14, 1);
    CHECK(bench.read(0x04) == 0x102);
    bench.write(0x08, 0x1);
    CHECK(bench.read(0x08) == 0x2);
    const std::uint32_t before = bench.read(0x0C);
    CHECK(bench.read(0x0C) == (before ^ 1));
    CHECK(bench.read(0x0C) == before);
}

TEST_CASE("stub: set and clear registers of the same bits") {
    StubBench bench;
    bench.write(0x1C, 0x000F);
    CHECK(bench.read(0x18) == 0xFF);
    bench.write(0x20, 0x003C);
    CHECK(bench.read(0x18) == 0xC3);
}

TEST_CASE("stub: what a read clears stays with a write to the same register") {
    StubBench bench;
    bench.write(0x28, 0x55);
    CHECK(bench.read(0x2C) == 1);
    CHECK(bench.read(0x28) == 0x55);
    CHECK(bench.read(0x2C) == 0);
}

TEST_CASE("stub: channels repeat, and end") {
    StubBench bench;
    CHECK(bench.read(0x100) == 1);
    CHECK(bench.read(0x144) == 2);
    bench.write(0x120, 9);
    CHECK(bench.read(0x120) == 9);
    CHECK(bench.read(0x100) == 1);
    CHECK(std::string(bench.block.read(0x160, 0).name).empty());
}

TEST_CASE(
    "stub: a register is not modelled unless its row says so, one of no table is stored and has no "
    "name") {
    StubBench bench;
    const RegisterBlock::Answer known = bench.block.read(0x00, 0);
    CHECK_FALSE(known.modelled);
    CHECK(known.ok);
    CHECK(std::string(known.name) == "CR");
    CHECK(bench.block.read(0x24, 0).modelled);
    CHECK(bench.block.write(0x24, 1, kWord, 0).modelled);
    bench.write(0x3FC, 0x12345678);
    bench.write(0x3FC, 0xFF, 0xFF);
    const RegisterBlock::Answer unknown = bench.block.read(0x3FC, 0);
    CHECK(unknown.value == 0x123456FF);
    CHECK_FALSE(unknown.modelled);
    CHECK(std::string(unknown.name).empty());
}

TEST_CASE("stub: registers that change when they are read are not for debuggers") {
    const StubBlock block(kTable, "STUB1");
    CHECK(block.reads_freely(0x00));
    CHECK(block.reads_freely(0x04));
    CHECK_FALSE(block.reads_freely(0x0C));  // toggles
    CHECK_FALSE(block.reads_freely(0x28));  // a read clears a flag
    CHECK(block.reads_freely(0x2C));
    CHECK(block.reads_freely(0x104));
    CHECK(block.reads_freely(0x800));
}

TEST_CASE("stub: registers of a channel that change when they are read are not for debuggers") {
    static constexpr StubRule kOnRead[] = {
        {StubRule::Kind::ClearBy, 0x4, 0x2, 0x0, 0, nullptr, StubRule::On::Read},
        {StubRule::Kind::SetBy, 0x4, 0x1, 0x8, 1}};
    static constexpr StubTable kChannels{"STUB", kRows, {}, {0x100, 0x20, 3, kChannel, kOnRead}};
    StubBlock block(kChannels, "STUB1");
    for (const std::uint32_t channel : {0x100u, 0x120u, 0x140u}) {
        CAPTURE(channel);
        CHECK_FALSE(block.reads_freely(channel));
        CHECK(block.reads_freely(channel + 4));
        CHECK(block.reads_freely(channel + 8));  // its rule is about writes
        CHECK(block.read(channel + 4, 0).value == 2);
        (void)block.read(channel, 0);
        CHECK(block.read(channel + 4, 0).value == 0);
    }
    // In front of the channels.
    CHECK(block.reads_freely(0xFC));
    CHECK(block.reads_freely(0xE0));
}

TEST_CASE("stub: channels that begin anywhere, of any length") {
    static constexpr StubRule kOnRead[] = {
        {StubRule::Kind::ClearBy, 0x4, 0x2, 0x0, 0, nullptr, StubRule::On::Read}};
    static constexpr StubTable kChannels{"STUB", kRows, {}, {0x10C, 0x14, 5, kChannel, kOnRead}};
    StubBlock block(kChannels, "STUB1");
    for (std::uint32_t i = 0; i < 5; ++i) {
        const std::uint32_t channel = 0x10C + 0x14 * i;
        CAPTURE(i);
        CHECK_FALSE(block.reads_freely(channel));
        for (const std::uint32_t other : {4u, 8u, 12u, 16u})
            CHECK(block.reads_freely(channel + other));
        CHECK(block.read(channel, 0).name == std::string("CH_CR"));
        CHECK(block.read(channel + 4, 0).name == std::string("CH_SR"));
        CHECK(block.read(channel + 4, 0).value == 0);
    }
}
