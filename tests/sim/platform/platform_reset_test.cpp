// SPDX-License-Identifier: Apache-2.0
// Platform::reset, and what the trace hash sees.
#include "tests/sim/platform/platform_bench.h"

using namespace n6vp;
using namespace n6vp::test;
using models::core::Coherence;
using models::core::Timing;

namespace {

constexpr std::uint32_t kData = 0x34100000, kRcc = 0x56028000, kUart = 0x52001000;

/// Adds 1 to 1,000 words of AXISRAM2, from what memory holds after power-up on, with caches; writes
/// registers of RCC and the serial port.
Thumb busy(std::uint32_t divider = 109) {
    Thumb program;
    program.caches().set(5, 1000).set(6, kData);
    const std::size_t loop = program.code().size();
    program.load(7, 6).add(7, 1).store(7, 6).add(6, 4).subtract(5, 1).repeat(loop);
    program.write(kRcc + 0xA4C, 0x1FFF).write(kUart + 0xC, divider);
    return program.load(0, 1).end();
}

void run_reset_run(const sim::PlatformOptions& options) {
    Chip chip(options);
    CHECK(chip.run(busy()) == 109);
    const std::uint64_t hash = chip.platform.trace_hash();
    const std::uint64_t cycles = chip.platform.core().core().cycles();
    const models::Picoseconds time = chip.platform.time();
    for (int again = 0; again < 2; ++again) {
        chip.platform.reset();
        CHECK(chip.platform.trace_hash() != hash);
        CHECK(chip.run() == 109);
        CHECK(chip.platform.trace_hash() == hash);
        CHECK(chip.platform.core().core().cycles() == cycles);
        CHECK(chip.platform.time() == time);
    }
}

}  // namespace

TEST_CASE("reset: the same run again, to the bit: approx") {
    run_reset_run({});
}

TEST_CASE("reset: the same run again, to the bit: precise, real coherence") {
    sim::PlatformOptions options;
    options.timing = Timing::Precise;
    options.coherence = Coherence::Real;
    run_reset_run(options);
}

TEST_CASE("reset: the same run again, to the bit: functional, from the hardware's reset state") {
    sim::PlatformOptions options;
    options.timing = Timing::Functional;
    options.boot = sim::BootState::Reset;
    run_reset_run(options);
}

TEST_CASE("reset in the middle of a run") {
    Chip chip;
    chip.load(busy());
    const auto whole = [&] {
        chip.run();
        return chip.platform.trace_hash();
    };
    const std::uint64_t hash = whole();
    // Some of these moments lie inside an access of the core.
    for (models::Picoseconds at : {1'000'000u, 1'234'567u, 2'000'003u, 5'000'011u}) {
        chip.platform.reset();
        CHECK(chip.platform.advance({at, 0}) == sim::RunEnd::Time);
        chip.platform.reset();
        CHECK(whole() == hash);
    }
}

TEST_CASE("reset: memory is as after power-up, images are back") {
    Chip chip;
    chip.run(Thumb().write(kData, 1).write(kFlexmem + 0x20, 2).end());
    CHECK(chip.word(kData) == 1);
    CHECK(chip.word(kFlexmem + 0x20) == 2);
    chip.platform.reset();
    CHECK(chip.word(kData) == 0xA5A5A5A5);  // power-up pattern of the parameters
    CHECK(chip.word(kFlexmem + 0x20) == 0);
    CHECK(chip.word(kFlexmem) == kStack);
}

TEST_CASE("reset: a warm reset keeps memory and starts the program again") {
    Chip chip;
    // Counts in memory how often it was started, and asks for a reset twice.
    chip.load(Thumb()
                  .set(1, kData)
                  .load(0, 1)
                  .add(0, 1)
                  .store(0, 1)
                  .raw({0x2803, 0xD009})  // cmp r0, #3; beq behind the loop
                  .write(0xE000ED0C, 0x05FA0004)
                  .raw({0xE7FE})  // waits for the reset
                  .end());
    REQUIRE(chip.platform.store(GuestAddr{kData}, std::vector<std::uint8_t>(4)));
    CHECK(chip.run() == 3);
    CHECK(chip.word(kData) == 3);
}

TEST_CASE("trace hash: another register value, another hash") {
    Chip chip;
    chip.run(busy(109));
    const std::uint64_t one = chip.platform.trace_hash();
    chip.platform.reset();
    chip.load(busy(110));
    chip.platform.reset();
    CHECK(chip.run() == 110);
    CHECK(chip.platform.trace_hash() != one);
}
