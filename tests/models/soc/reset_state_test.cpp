// SPDX-License-Identifier: Apache-2.0
// A unit after a reset in the middle of its work answers as a new one does: the same accesses, at
// the same times after the reset, have the same answers.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/models/soc/polled_flags_world.h"

using namespace n6vp::models;
using n6vp::test::World;

namespace {

constexpr Picoseconds kNs = 1000, kUs = 1000 * kNs, kMs = 1000 * kUs;

enum class Do : std::uint8_t { Write, WriteByte, Read, Pass };
struct Step {
    Do what;
    std::uint32_t offset = 0, value = 0;
    Picoseconds time = 0;
};

Step write(std::uint32_t offset, std::uint32_t value) {
    return {Do::Write, offset, value};
}
Step write_byte(std::uint32_t offset, std::uint32_t value) {
    return {Do::WriteByte, offset, value};
}
Step read(std::uint32_t offset) {
    return {Do::Read, offset};
}
Step pass(Picoseconds time) {
    return {Do::Pass, 0, 0, time};
}

/// What is read, and whether it is modelled.
struct Seen {
    std::vector<std::uint32_t> values;
    std::vector<bool> modelled;
    bool operator==(const Seen&) const = default;
};

Seen run(RegisterBlock& block, const std::vector<Step>& steps, Picoseconds at) {
    Seen seen;
    for (const Step& step : steps) {
        RegisterBlock::Answer answer;
        if (step.what == Do::Pass) {
            at += step.time;
            continue;
        }
        if (step.what == Do::Read) {
            answer = block.read(step.offset, at);
            seen.values.push_back(answer.value);
        } else {
            const std::uint32_t mask = step.what == Do::Write ? 0xFFFFFFFF : 0xFF;
            answer = block.write(step.offset, step.value, mask, at);
        }
        seen.modelled.push_back(answer.modelled);
    }
    return seen;
}

/// `work` leaves the unit in the middle of something. `use` is what a driver does.
void check_reset(const char* name, const std::vector<Step>& work, const std::vector<Step>& use) {
    World world;
    RegisterBlock& block = *world.blocks.at(name);
    const Seen fresh = run(block, use, 10 * kMs);
    block.reset_at(100 * kMs);
    (void)run(block, work, 110 * kMs);
    block.reset_at(200 * kMs);
    const Seen again = run(block, use, 210 * kMs);
    CHECK(fresh.values == again.values);
    CHECK(fresh == again);
    // The work is something that the use would notice.
    (void)run(block, work, 310 * kMs);
    CHECK_FALSE(run(block, use, 410 * kMs) == fresh);
}

}  // namespace

TEST_CASE("reset state: USART") {
    check_reset("USART",
                {write(0x0C, 50), write(0x2C, 2), write(0x08, 3u << 25), write(0x00, 1u << 29 | 13),
                 write(0x28, 'a'), write(0x28, 'b'), write(0x28, 'c'), write(0x20, 1u << 6)},
                {read(0x1C), write(0x0C, 109), write(0x00, 1u << 29 | 13), read(0x1C),
                 write(0x28, 'x'), write(0x28, 'y'), read(0x1C), pass(11 * kUs), read(0x1C),
                 pass(11 * kUs), read(0x1C), read(0x24), read(0x04), read(0x08), read(0x2C)});
}

TEST_CASE("reset state: SPI") {
    check_reset(
        "SPI",
        {write(0x08, 0x70007), write(0x0C, 1u << 22 | 1u << 26), write(0x04, 5),
         write(0x00, 1u << 12 | 1), write(0x00, 1u << 12 | 1u << 9 | 1), write_byte(0x20, 0x11),
         write_byte(0x20, 0x22), pass(20 * kUs), write_byte(0x20, 0x33)},
        {read(0x14), write(0x08, 0x70007), write(0x0C, 1u << 22 | 1u << 26), write(0x04, 2),
         write(0x00, 1u << 12 | 1), read(0x14), write(0x00, 1u << 12 | 1u << 9 | 1), read(0x14),
         write_byte(0x20, 0xA5), write_byte(0x20, 0x5A), read(0x14), pass(100 * kUs), read(0x14),
         read(0x30), read(0x14), read(0x44), read(0x48)});
}

TEST_CASE("reset state: I2C") {
    check_reset("I2C",
                {write(0x10, 0x90003131), write(0x00, 1), write(0x04, 0x34 | 3u << 16 | 1u << 13),
                 pass(100 * kUs), write(0x28, 0), pass(20 * kUs)},
                {read(0x18), write(0x10, 0x90003131), write(0x00, 1), read(0x18), pass(200 * kUs),
                 read(0x18), write(0x04, 0x34 | 1u << 16 | 1u << 13), read(0x18), pass(50 * kUs),
                 read(0x18), pass(60 * kUs), read(0x18), read(0x24), read(0x04)});
}

TEST_CASE("reset state: timer") {
    check_reset(
        "TIM",
        {write(0x28, 3), write(0x2C, 99), write(0x30, 2), write(0x34, 50), write(0x00, 1u << 7 | 1),
         write(0x14, 1), pass(40 * kUs), write(0x2C, 20)},
        {read(0x10), read(0x24), write(0x2C, 1000), write(0x0C, 1), write(0x00, 1), pass(3 * kUs),
         read(0x24), read(0x10), pass(kMs), read(0x24), read(0x10), read(0x28), read(0x30)});
}

TEST_CASE("reset state: low-power timer") {
    check_reset("LPTIM",
                {write(0x10, 1), write(0x18, 40), write(0x10, 5), pass(kMs), write(0x18, 30)},
                {read(0x00), read(0x1C), write(0x10, 1), read(0x00), pass(kMs), write(0x18, 99),
                 pass(kMs), read(0x00), write(0x10, 5), pass(2 * kMs), read(0x00), pass(2 * kMs),
                 read(0x00), read(0x18)});
}

TEST_CASE("reset state: HASH") {
    // "abc" by SHA-256, on a unit that was fed something else.
    check_reset("HASH",
                {write(0x00, 3u << 17 | 2u << 4 | 4), write(0x04, 0x11223344), write(0x04, 1),
                 write(0x20, 3), write(0x08, 8)},
                {read(0x24), read(0x20), write(0x00, 3u << 17 | 2u << 4 | 4), write(0x04, 0x636261),
                 read(0x00), read(0x24), write(0x08, 24), write(0x08, 24 | 1u << 8), pass(kUs),
                 pass(100 * kUs), read(0x24), read(0x310), read(0x32C), read(0x08)});
}

TEST_CASE("reset state: CRYP") {
    check_reset("CRYP",
                {write(0x10, 3), write(0x14, 3), write(0x30, 1), write(0x34, 2), write(0x38, 3),
                 write(0x3C, 4), write(0x40, 5), write(0x00, 1u << 15 | 4u << 3), write(0x08, 1),
                 write(0x08, 2), write(0x08, 3), write(0x08, 4), write(0x08, 5)},
                {read(0x04),
                 read(0x40),
                 read(0x10),
                 read(0x18),
                 write(0x30, 1),
                 read(0x04),
                 write(0x34, 2),
                 write(0x38, 3),
                 write(0x3C, 4),
                 read(0x04),
                 write(0x00, 1u << 15 | 4u << 3),
                 write(0x08, 1),
                 write(0x08, 2),
                 write(0x08, 3),
                 read(0x04),
                 write(0x08, 4),
                 read(0x04),
                 pass(kUs),
                 read(0x04),
                 read(0x0C),
                 read(0x0C),
                 read(0x04)});
}

TEST_CASE("reset state: SAES") {
    check_reset("SAES",
                {write(0x300, 1), write(0x10, 1), write(0x14, 2), write(0x18, 3), write(0x1C, 4),
                 write(0x20, 5), write(0x00, 1), write(0x08, 1), write(0x08, 2), write(0x08, 3),
                 write(0x08, 4)},
                {pass(kMs),      read(0x04),     read(0x20),     read(0x304),    write(0x10, 1),
                 read(0x04),     write(0x14, 2), write(0x18, 3), write(0x1C, 4), read(0x04),
                 write(0x00, 1), write(0x08, 1), write(0x08, 2), write(0x08, 3), read(0x04),
                 write(0x08, 4), read(0x04),     pass(kMs),      read(0x04),     read(0x304),
                 read(0x0C),     read(0x0C)});
}

TEST_CASE("reset state: XSPI") {
    check_reset("XSPI",
                {write(0x00, 1 | 1u << 28 | 3u << 8), write(0x08, 26u << 16), write(0x40, 99),
                 write(0x100, 1 | 1u << 24), write(0x110, 5), pass(2 * kUs)},
                {read(0x20), write(0x00, 1), write(0x100, 1 | 1u << 24), read(0x20),
                 write(0x110, 5), read(0x20), write_byte(0x50, 9), read(0x20), pass(kUs),
                 read(0x20), read(0x40), read(0x50), read(0x20)});
}

TEST_CASE("reset state: ADC") {
    check_reset(
        "ADC",
        {write(0x08, 1u << 28), pass(kMs), write(0x08, 1u << 28 | 1), pass(kMs),
         write(0x30, 3u << 6 | 1), write(0x0C, 1u << 13), write(0x08, 1u << 28 | 5), pass(5 * kUs)},
        {read(0x00), read(0x08), write(0x08, 1u << 28), pass(kMs), write(0x08, 1u << 28 | 1),
         read(0x00), pass(kMs), read(0x00), write(0x08, 1u << 28 | 5), read(0x08), pass(100 * kUs),
         read(0x00), read(0x08), read(0x40), read(0x00)});
}

TEST_CASE("reset state: SAI") {
    check_reset("SAI",
                {write(0x04, 1u << 17 | 3u << 20), write(0x0C, 0x1F), write(0x10, 1u << 8),
                 write(0x20, 1), write(0x20, 2), write(0x04, 1u << 16 | 1u << 17), pass(50 * kUs)},
                {read(0x18), read(0x38), write(0x20, 7), read(0x18), pass(kMs), read(0x18),
                 read(0x04), read(0x08)});
}

TEST_CASE("reset state: independent watchdog") {
    check_reset("IWDG",
                {write(0x00, 0x5555), write(0x04, 3), write(0x08, 99), write(0x10, 50),
                 write(0x14, 1u << 15 | 30), write(0x00, 0xCCCC), pass(10 * kMs),
                 write(0x00, 0x5555), write(0x04, 4)},
                {read(0x0C), read(0x04), read(0x08), read(0x10), read(0x14), write(0x04, 2),
                 read(0x04), write(0x00, 0x5555), write(0x04, 2), read(0x0C), pass(kMs), read(0x0C),
                 write(0x00, 0xCCCC), read(0x0C), read(0x14)});
}

TEST_CASE("reset state: SDMMC") {
    check_reset(
        "SDMMC",
        {write(0x00, 3), write(0x04, 2), write(0x24, 0xFFFFFFFF), write(0x28, 512),
         write(0x2C, 0x93), write(0x3C, 0xFFFFFFFF), write(0x08, 5),
         write(0x0C, 1u << 12 | 1u << 8 | 17), pass(10 * kUs)},
        {read(0x34), write(0x00, 3), write(0x04, 2), read(0x34), write(0x0C, 1u << 12), read(0x34),
         pass(kUs), read(0x34), pass(100 * kUs), read(0x34), write(0x38, 0xFFFFFFFF), read(0x34),
         read(0x2C), read(0x30), read(0x14), read(0x08)});
}
