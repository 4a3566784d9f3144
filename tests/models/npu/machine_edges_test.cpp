// SPDX-License-Identifier: Apache-2.0
// The whole NPU where programs go astray: what they leave behind, run in circles or never end.
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "tests/models/npu/machine_copy.h"

using namespace n6vp::models::npu;
using namespace n6vp::test;
using Kind = NpuEvent::Kind;

namespace {

constexpr std::uint32_t kOther = 0x07000, kArith0 = 0x17000, kArith1 = 0x18000;
constexpr std::uint32_t kDestinations = 0x04008;

std::uint32_t from(std::uint32_t source) {
    return source << 1 | 1;
}

/// An ARITH that passes words of one byte on: A = 1.
void pass_on(MachineBench& bench, std::uint32_t page) {
    bench.write(page, 0x08000000);
    bench.write(page + 0x0C, 1);
}

}  // namespace

TEST_CASE("an NPU that goes away in the middle of a broadcast leaves nothing behind") {
    // Two listeners of one source, one of which has had all of its frames and holds the link.
    constexpr std::uint32_t kLast = 0x0E000;  // goes before the other two
    for (const std::uint32_t first : {kOut, kOther}) {
        CAPTURE(first);
        auto bench = std::make_unique<MachineBench>();
        bench->begin();
        engine(*bench, kLast, kInput, kFrom, 64);
        engine(*bench, kOut, kOutput, kTo, first == kOut ? 16 : 64);
        engine(*bench, kOther, kOutput, kTo + 0x1000, first == kOther ? 16 : 64);
        bench->write(0x04000, 1);
        bench->write(kDestinations + 4, from(9));
        bench->write(kDestinations + 8, from(9));
        for (const std::uint32_t page : {kOut, kOther, kLast}) bench->set_bits(page, 1);
        CHECK(bench->run_until_idle(kOut / 0x1000));
        CHECK(bench->run_until_idle(kOther / 0x1000));
        CHECK((bench->read(kLast) & kRunning) != 0);
        bench.reset();
    }
}

TEST_CASE("words that nobody has taken are there for the next listener, and no others") {
    MachineBench bench;
    bench.begin();
    engine(bench, kIn, kInput, kFrom, 64);
    engine(bench, kOut, kOutput, kTo, 24);
    bench.write(0x04000, 1);
    bench.write(kDestinations + 4, from(0));
    bench.set_bits(kOut, 1);
    bench.set_bits(kIn, 1);
    REQUIRE(bench.run_until_idle(6));
    bench.write(kOut, kOutput | 2);
    bench.write(kOut + 0x08, kTo + 24);
    bench.write(kOut + 0x0C, 40);
    bench.set_bits(kOut, 1);
    REQUIRE(bench.run_until_idle(6));
    CHECK(copied(bench, 64));
}

TEST_CASE("an engine waits for no output but the one that FRMTRG_SRC names while FRMTRG_EN = 1") {
    // The engine that stores what this one reads, without FRMTRG_EN; and one that is off, with it.
    // Its one frame is all six of the reader's: waiting for it would never end.
    for (const std::uint32_t event : {0x01000000u, 0x05800000u}) {
        for (const bool reader_first : {false, true}) {
            CAPTURE(event);
            CAPTURE(reader_first);
            MachineBench bench;
            bench.begin();
            configure_copy(bench, 600);
            engine(bench, kIn, kInput, kFrom, 100, 6);
            bench.write(kIn + 0x28, event);
            bench.set_bits(reader_first ? kIn : kOut, 1);
            bench.set_bits(reader_first ? kOut : kIn, 1);
            CHECK(bench.run_until_idle(kOut / 0x1000));
            CHECK(bench.run_until_idle(kIn / 0x1000));
            CHECK(copied(bench, 600));
            CHECK(bench.count(Kind::Deadlock) == 0);
        }
    }
}

TEST_CASE("an engine that follows an output follows no other one that comes later") {
    MachineBench bench;
    bench.begin();
    constexpr std::uint32_t kFrame = 400, kFrames = 4, kBuffer = 0x34280000, kIdle = 0x0A000;
    engine(bench, 0x05000, kInput, kFrom, kFrame, kFrames);
    engine(bench, 0x06000, kOutput, kBuffer, kFrame, kFrames);
    engine(bench, 0x07000, kInput, kBuffer, kFrame, kFrames);
    engine(bench, 0x08000, kOutput, kTo, kFrame, kFrames);
    engine(bench, kIdle, kOutput, kBuffer, kFrame, kFrames);  // nobody sends to it
    for (const std::uint32_t page : {0x06000u, 0x07000u, kIdle}) bench.write(page + 0x18, 0);
    bench.write(0x04000, 1);
    bench.write(0x0400C, from(0));
    bench.write(0x04014, from(2));
    for (const std::uint32_t page : {0x08000u, 0x06000u, 0x07000u, kIdle, 0x05000u})
        bench.set_bits(page, 1);
    CHECK(bench.run_until_idle(8));
    std::uint32_t wrong = 0;
    for (std::uint32_t i = kFrame; i < kFrames * kFrame; ++i) {
        const std::uint8_t stored = bench.bus.memory.at_address(kTo, i);
        wrong += stored == bench.bus.memory.at_address(kFrom, i - kFrame) ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEST_CASE("units in a circle stand still and are reported") {
    MachineBench bench;
    bench.begin();
    engine(bench, kIn, kInput, kFrom, 1);
    pass_on(bench, kArith0);
    pass_on(bench, kArith1);
    bench.write(0x04000, 1);
    bench.write(kDestinations + 4 * 28, from(0));   // ARITH0.X hears STRENG0
    bench.write(kDestinations + 4 * 30, from(18));  // ARITH1.X hears ARITH0
    for (const std::uint32_t page : {kArith0, kArith1, kIn}) bench.set_bits(page, 1);
    // Units hold no words: nobody hears ARITH1, so that the only word stays with its engine.
    CHECK_FALSE(bench.run_until_idle(5));
    CHECK(bench.count(Kind::Deadlock) == 1);
    CHECK(contains(bench.text_of(Kind::Deadlock), "STRENG0 waits for its link to take word 0"));
    bench.write(kDestinations + 4 * 28, from(19));  // ... and now ARITH0 does
    CHECK_FALSE(bench.run_until([] { return false; }));
    REQUIRE(bench.count(Kind::Deadlock) == 2);
    CHECK(bench.events.back().text.find("ARITH1 waits for its link to take word 0 (x from ARITH0; "
                                        "received by ARITH0.x)") != std::string::npos);
    // Cut open, the circle does no harm.
    bench.write(kDestinations + 4 * 28, 0);
    engine(bench, kIn, kInput, kFrom, 100);
    engine(bench, kOut, kOutput, kTo, 100);
    bench.write(kDestinations + 4, from(0));
    bench.write(kIn, kInput | 2);
    bench.set_bits(kOut, 1);
    bench.set_bits(kIn, 1);
    REQUIRE(bench.run_until_idle(6));
    CHECK(copied(bench, 100));
}

TEST_CASE("an element that is repeated without an end for nobody is reported") {
    MachineBench bench;
    bench.begin();
    constexpr std::uint32_t kNoIncrement = 1u << 4;
    engine(bench, kIn, kInput | kNoIncrement, kFrom, 0xFFFFFFFF);
    engine(bench, kOut, kOutput, kTo, 1);
    bench.write(0x04000, 1);
    bench.write(kDestinations + 4, 1u << 8 | 1u << 16 | 1u << 24);  // off, on: a frame each
    bench.set_bits(kOut, 1);
    bench.set_bits(kIn, 1);
    bench.run_until([] { return false; });
    CHECK(bench.count(Kind::Deadlock) == 1);
    CHECK(contains(bench.text_of(Kind::Deadlock), "livelock: data circulate"));
    CHECK(contains(bench.text_of(Kind::Deadlock), "STRENG0"));
}
