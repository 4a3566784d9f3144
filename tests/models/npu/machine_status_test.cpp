// SPDX-License-Identifier: Apache-2.0
// What software sees of epochs that go wrong, are taken back or are only looked at: status, events,
// time.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/models/npu/machine_copy.h"

using namespace n6vp::models::npu;
using namespace n6vp::test;
using n6vp::models::kNever;
using n6vp::models::Picoseconds;
using Kind = NpuEvent::Kind;

namespace {

/// A bench with a copy that has run, and when its output ended.
Picoseconds end_of_copy(MachineBench& bench, std::uint32_t elements) {
    bench.begin(true);
    configure_copy(bench, elements);
    bench.set_bits(kOut, 1);
    bench.set_bits(kIn, 1);
    Picoseconds end = 0;
    bench.npu.on_engine = [&end](unsigned number, const StreamConfig&, const EngineCounters* done,
                                 Picoseconds at) {
        if (number == 1 && done != nullptr) end = at;
    };
    CHECK(bench.run_until_idle(6));
    return end;
}

}  // namespace

TEST_CASE("nothing of an end is visible a picosecond early") {
    MachineBench first;
    const Picoseconds end = end_of_copy(first, 1000);
    REQUIRE(end != 0);
    MachineBench bench;
    bench.begin(true);
    configure_copy(bench, 1000);
    bench.set_bits(kOut, 1);
    bench.set_bits(kIn, 1);
    CHECK((bench.npu.read(kOut, end - 1).word & kRunning) != 0);
    CHECK(bench.npu.read(kOut + 0x3C, end - 1).word == 0);
    CHECK(bench.npu.read(0x01008, end - 1).word == 0);
    CHECK(bench.npu.lines() == 0);
    CHECK((bench.npu.read(kOut, end).word & kRunning) == 0);
    CHECK(bench.npu.read(kOut + 0x3C, end).word == 8);
    CHECK(bench.npu.read(0x01008, end).word == 2);
    CHECK(bench.npu.lines() == 1);
    REQUIRE_FALSE(bench.lines.empty());
    CHECK(bench.lines.back() == std::pair<Picoseconds, std::uint32_t>{end, 1});
    CHECK(copied(bench, 1000));
}

TEST_CASE("a poll of the epoch controller sees the end when it is visible") {
    MachineBench first;
    const Picoseconds end = end_of_copy(first, 3000);
    MachineBench bench;
    bench.begin(true);
    configure_copy(bench, 3000);
    bench.set_bits(kOut, 1);
    bench.set_bits(kIn, 1);
    EcAssembler code;
    code.poll(6, 0, 31).label(7);
    bench.bus.store(0x34000000, blob_bytes(code.words()));
    Picoseconds seen = 0;
    bench.npu.on_label = [&seen](std::uint32_t, Picoseconds at) { seen = at; };
    bench.npu.write(0x1E008, 0x34000000, bench.now);
    bench.npu.write(0x1E000, 1, bench.now);
    CHECK(bench.run_until([&seen] { return seen != 0; }));
    // The label is in the fetch behind the poll: 16 cycles after it at the most.
    CHECK(seen >= end);
    CHECK(seen <= end + 16 * kCycle);
}

TEST_CASE("units, switch and engines may be switched on in any order") {
    for (int order = 0; order < 24; ++order) {
        CAPTURE(order);
        MachineBench bench;
        bench.begin();
        configure_copy(bench, 500, 3);
        bench.write(0x0400C, 0);
        bench.write(0x04000, 0);
        int steps[] = {0, 1, 2, 3};
        for (int i = 0; i < order; ++i) std::ranges::next_permutation(steps);
        for (const int step : steps) {
            if (step == 0) bench.set_bits(kOut, 1);
            if (step == 1) bench.set_bits(kIn, 1);
            if (step == 2) bench.write(0x0400C, 0x01);
            if (step == 3) bench.write(0x04000, 1);
            bench.now += 1000 * kCycle;
        }
        CHECK(bench.run_until_idle(6));
        CHECK(copied(bench, 1500));
        CHECK(bench.bus.memory.in_order);
        CHECK(bench.count(Kind::Deadlock) == 0);
    }
}

TEST_CASE("an epoch that cannot go on is reported once with its links") {
    MachineBench bench;
    bench.begin();
    configure_copy(bench, 1000);
    bench.write(0x0400C, 0x25);  // STRENG1 listens to ARITH0, which is off
    bench.set_bits(kOut, 1);
    bench.set_bits(kIn, 1);
    const Picoseconds began = bench.now;
    CHECK_FALSE(bench.run_until_idle(6));
    REQUIRE(bench.count(Kind::Deadlock) == 1);
    CHECK(bench.now >= began + 100000 * kCycle);
    const std::string text = bench.text_of(Kind::Deadlock);
    CAPTURE(text);
    CHECK(contains(text, "STRENG0 waits for its link to take"));
    CHECK(contains(text, "received by no unit"));
    CHECK(contains(text, "STRENG1 waits for word 0 from its link (from ARITH0)"));
    CHECK((bench.read(kOut) & kRunning) != 0);
    // Something changes, but it does not help.
    bench.write(0x0400C, 0x27);
    CHECK_FALSE(bench.run_until_idle(6));
    CHECK(bench.count(Kind::Deadlock) == 2);
    // This does.
    bench.write(0x0400C, 0x01);
    CHECK(bench.run_until_idle(6));
    CHECK(copied(bench, 1000));
    CHECK(bench.npu.due() == kNever);
    CHECK(bench.count(Kind::Deadlock) == 2);
}

TEST_CASE("an input that is left over is no deadlock") {
    MachineBench bench;
    bench.begin();
    configure_copy(bench, 1000);
    bench.write(kIn + 0x34, 3);  // frames that nobody takes
    bench.set_bits(kOut, 1);
    bench.set_bits(kIn, 1);
    CHECK(bench.run_until_idle(6));
    CHECK_FALSE(bench.run_until_idle(5));
    CHECK(bench.count(Kind::Deadlock) == 0);
    bench.write(kOut, 2);  // now it is alone
    CHECK_FALSE(bench.run_until_idle(5));
    CHECK(bench.count(Kind::Deadlock) == 1);
}

TEST_CASE("a pipe without kernels and a program that polls for it are named") {
    MachineBench bench;
    bench.begin();
    const ExampleEpoch& epoch = example("E2");
    const EpochSteps steps = steps_of(epoch);
    for (const auto& [offset, value] : steps.configure) bench.write(offset, value);
    for (const auto& [offset, value] : steps.enable) {
        if (offset != 0x0B000) bench.write(offset, value);  // STRENG6 brings the kernels
    }
    EcAssembler code;
    code.label(3).poll(12, 0, 31);
    bench.bus.store(0x34000000, blob_bytes(code.words()));
    bench.write(0x1E008, 0x34000000);
    bench.write(0x1E000, 1);
    CHECK_FALSE(bench.run_until_idle(12));
    REQUIRE(bench.count(Kind::Deadlock) == 1);
    const std::string text = bench.text_of(Kind::Deadlock);
    CAPTURE(text);
    CHECK(contains(text,
                   "CONVACC0 waits for kernels of frame 0 (features from STRENG0, kernels "
                   "from STRENG6, accumulator from nothing; received by ARITH1.x)"));
    CHECK(contains(text, "STRENG7 waits for word 0 from its link (from ARITH3)"));
    CHECK(contains(text,
                   "ARITH2 waits for word 0 of its input (x from ARITH1; received by ARITH3.x)"));
    CHECK(contains(text, "polls 0x0000c000 of the window for 0x00000000 under 0x80000000"));
    CHECK(bench.events.back().label == 3);
}

TEST_CASE("configurations that are not described are refused and named") {
    MachineBench bench;
    bench.begin();
    configure_copy(bench, 100);
    SUBCASE("an engine with the cipher") {
        bench.write(kOut + 0x44, 1u << 12);
        bench.set_bits(kOut, 1);
        CHECK(contains(bench.text_of(Kind::Refused), "STRENG1: ENCR is not computed"));
        CHECK((bench.read(kOut) & kRunning) != 0);
        CHECK_FALSE(bench.run_until_idle(6));
        CHECK(contains(bench.text_of(Kind::Deadlock),
                       "STRENG1 waits for nothing: its "
                       "configuration was refused"));
    }
    SUBCASE("the buffer") {
        bench.write(0x1D000, 1);
        CHECK(contains(bench.text_of(Kind::Refused), "RECBUF: CTRL.EN is not computed"));
    }
    SUBCASE("a link by pixels") {
        bench.write(0x0400C, 0x01830101);
        bench.set_bits(kOut, 1);
        CHECK(contains(bench.text_of(Kind::Refused), "STRSWITCH for STRENG1: DST.TICKTYPE"));
    }
    SUBCASE("a convolution") {
        bench.write(0x0F008, 0x01010101);
        bench.write(0x0F010, 0x10634000);
        bench.write(0x0F014, 0x00040004);
        bench.write(0x0F018, 0x00030000);
        bench.write(0x0F01C, 0x00030000);
        bench.write(0x0F000, 0x3D);  // KT1
        CHECK(contains(bench.text_of(Kind::Refused), "CONVACC0: CTRL.KT1 is not computed"));
        CHECK(bench.read(0x0F000) == 0x3D);
    }
}

TEST_CASE("illegal configurations raise the unit's error") {
    MachineBench bench;
    bench.begin();
    bench.write(0x01014, 0);
    configure_copy(bench, 100);
    SUBCASE("an engine without bits") {
        bench.write(kOut, 0x00000108);
        bench.set_bits(kOut, 1);
        CHECK(contains(bench.text_of(Kind::Illegal), "STRENG1: breaks a rule: an element has no"));
        CHECK((bench.read(kOut) & kRunning) == 0);
        CHECK(bench.read(kOut + 0x3C) == 0x10);
        CHECK(bench.read(0x01008) == 1u << 11);
        CHECK(bench.npu.lines() == 1);
        bench.write(kOut + 0x28, 0);  // EVENT: no interrupt
        bench.write(0x01010, 1u << 11);
        CHECK(bench.npu.lines() == 0);
        CHECK(bench.read(kOut + 0x3C) == 0x10);
    }
    SUBCASE("a convolution without kernels") {
        bench.write(0x0F008, 0x00010101);
        bench.write(0x0F000, 0x35);
        CHECK(contains(bench.text_of(Kind::Illegal), "CONVACC0"));
        CHECK(bench.read(0x0F000) == 0x80000035);
        CHECK(bench.read(0x01008) == 1u << 20);
        bench.write(0x0F000, 2);
        CHECK(bench.read(0x0F000) == 0);
        bench.write(0x01010, 1u << 20);
        CHECK(bench.npu.lines() == 0);
    }
}

TEST_CASE("an assumption is told once") {
    MachineBench bench;
    bench.begin();
    for (int round = 0; round < 3; ++round) {
        configure_copy(bench, 100, 2);
        bench.write(kIn + 0x24, 0x00080024);  // pauses
        bench.set_bits(kOut, 1);
        bench.set_bits(kIn, 1);
        CHECK(bench.run_until_idle(6));
        bench.write(kOut, 2);
        bench.write(kIn, 2);
    }
    CHECK(bench.count(Kind::Assumption) == 1);
    CHECK(bench.events.size() == 1);
    bench.npu.reset();
    bench.begin();
    configure_copy(bench, 100, 2);
    bench.write(kIn + 0x24, 0x00080024);
    bench.set_bits(kIn, 1);
    CHECK(bench.count(Kind::Assumption) == 2);
}

TEST_CASE("an epoch that is taken back can be run again") {
    for (const char* name : {"E2", "E6", "E10", "E12", "E16"}) {
        for (const Picoseconds cut : {10u, 200u, 5000u}) {
            for (const bool reset : {false, true}) {
                CAPTURE(std::string(name));
                CAPTURE(cut);
                const ExampleEpoch& epoch = example(name);
                const EpochSteps steps = steps_of(epoch);
                MachineBench whole, bench;
                const auto run = [&](MachineBench& on, bool to_the_end) {
                    on.begin();
                    for (const auto& [offset, value] : steps.configure) on.write(offset, value);
                    for (const auto& [offset, value] : steps.enable) on.write(offset, value);
                    if (!to_the_end) {
                        on.now += cut * kCycle;
                        on.npu.run_until(on.now);
                        return;
                    }
                    for (std::uint32_t i = 0; i < epoch.outputs; ++i)
                        REQUIRE(on.run_until_idle(epoch.enabled[i]));
                };
                run(whole, true);
                run(bench, false);
                if (reset) {
                    bench.npu.reset();
                } else {
                    for (const auto& [offset, value] : steps.finish) bench.write(offset, value);
                }
                CHECK(bench.npu.due() == kNever);
                bench.now += 100000 * kCycle;
                run(bench, true);
                REQUIRE((bench.bus.memory.memory == whole.bus.memory.memory));
                CHECK(bench.bus.memory.in_order);
                CHECK(bench.count(Kind::Deadlock) == 0);
            }
        }
    }
}

TEST_CASE("switching an engine off stops it where it is") {
    MachineBench bench;
    bench.begin();
    configure_copy(bench, 100000);
    std::vector<std::uint64_t> done;
    bench.npu.on_engine = [&done](unsigned, const StreamConfig&, const EngineCounters* counters,
                                  Picoseconds) {
        if (counters != nullptr) done.push_back(counters->words);
    };
    bench.set_bits(kOut, 1);
    bench.set_bits(kIn, 1);
    bench.npu.run_until(bench.now += 1000 * kCycle);
    bench.write(kOut, kOutput);
    CHECK((bench.read(kOut) & kRunning) == 0);
    REQUIRE(done.size() == 1);
    CHECK(done[0] > 500);
    CHECK(done[0] < 1200);
    CHECK(bench.read(kOut + 0x3C) == 0);
    CHECK_FALSE(bench.run_until_idle(5));
    CHECK(bench.count(Kind::Deadlock) == 1);
}

TEST_CASE("an engine that is switched off before its end is visible has not ended") {
    MachineBench first;
    const Picoseconds end = end_of_copy(first, 1000);
    MachineBench bench;
    bench.begin(true);
    configure_copy(bench, 1000);
    bench.set_bits(kOut, 1);
    bench.set_bits(kIn, 1);
    std::vector<EngineCounters> told;
    bench.npu.on_engine = [&told](unsigned number, const StreamConfig&,
                                  const EngineCounters* counters, Picoseconds) {
        if (number == 1 && counters != nullptr) told.push_back(*counters);
    };
    bench.npu.write(kOut, kOutput, end - 1);
    REQUIRE(told.size() == 1);
    CHECK(told[0].words == 1000);  // all that was computed ahead, but for the end
    CHECK(told[0].finished == 0);
    bench.npu.run_until(end + 1000 * kCycle);
    CHECK(told.size() == 1);
    CHECK(bench.npu.read(kOut + 0x3C, end + 1000 * kCycle).word == 0);
}

TEST_CASE("errors of memory and the address limit reach software") {
    MachineBench bench;
    bench.begin();
    bench.write(0x01014, 0);
    configure_copy(bench, 1000);
    SUBCASE("a read that fails") {
        bench.bus.bad_from = kFrom + 512;
        bench.bus.bad_to = kFrom + 640;
        bench.set_bits(kOut, 1);
        bench.set_bits(kIn, 1);
        CHECK(bench.run_until_idle(6));
        CHECK(bench.count(Kind::BusError) == 1);
        CHECK(contains(bench.text_of(Kind::BusError),
                       "STRENG0: memory answered an access at "
                       "0x34200200 with an error"));
        CHECK(bench.read(0x02010) == 1);
        CHECK(bench.read(0x03010) == 0);
        CHECK((bench.read(0x01008) & 0x06000000) == 1u << 25);
        bench.write(0x02010, 1);
        bench.write(0x01010, 1u << 25);
        CHECK((bench.read(0x01008) & 0x06000000) == 0);
    }
    SUBCASE("a blob that is not there") {
        bench.bus.bad_from = 0x34000000;
        bench.bus.bad_to = 0x34000010;
        bench.write(0x1E008, 0x34000000);
        bench.write(0x1E000, 1);
        CHECK(bench.run_until([&bench] { return bench.npu.lines() != 0; }));
        CHECK(bench.run_until([&bench] { return !bench.npu.program_running(); }));
        CHECK(bench.read(0x03010) == 1u << 5);
        REQUIRE(bench.count(Kind::EpochFault) == 1);
        CHECK(contains(bench.text_of(Kind::EpochFault), "the blob at 0x34000000 lies in memory"));
    }
    SUBCASE("an output beyond its limit") {
        bench.write(kOut + 0x30, 7);
        bench.write(kOut + 0x38, kTo + 0x1F8);
        bench.write(kOut + 0x28, 0x00040000);  // EVENT: EN_OFLOW_ADD
        bench.set_bits(kOut, 1);
        bench.set_bits(kIn, 1);
        CHECK_FALSE(bench.run_until_idle(6));
        CHECK(bench.count(Kind::BeyondLimit) == 1);
        CHECK(bench.read(kOut + 0x3C) == 4);
        CHECK(bench.read(0x01008) == 1u << 11);
        CHECK(contains(bench.text_of(Kind::Deadlock), "STRENG1 waits for nothing: it has reached"));
    }
}

TEST_CASE("an error of each engine has its bit in its own bus interface") {
    // Five engines at each BUSIF: ERR has a bit for each, INTREG one for each BUSIF from 25 on.
    for (std::uint32_t number = 0; number < 10; ++number) {
        CAPTURE(number);
        MachineBench bench;
        bench.begin();
        bench.write(0x01014, 0);
        const std::uint32_t page = 0x05000 + 0x1000 * number, own = number / 5;
        engine(bench, page, kInput, kFrom, 64);
        bench.bus.bad_from = kFrom;
        bench.bus.bad_to = kFrom + 64;
        bench.set_bits(page, 1);
        REQUIRE(bench.run_until([&bench] { return bench.count(Kind::BusError) != 0; }));
        const std::string text = "STRENG" + std::to_string(number) + ": memory answered an access";
        CHECK(contains(bench.text_of(Kind::BusError), text.c_str()));
        CHECK(bench.read(0x02010 + 0x1000 * own) == 1u << number % 5);
        CHECK(bench.read(0x02010 + 0x1000 * (1 - own)) == 0);
        CHECK((bench.read(0x01008) & 0x06000000) == 1u << (25 + own));
    }
}

TEST_CASE("a reader follows the buffer of a writer, by trigger or without") {
    // STRENG1 stores what STRENG0 brings, each frame to the same place; STRENG2 reads that place
    // and STRENG3 stores what it gets: frame n is frame n - 1 of the writer.
    for (const bool trigger : {false, true}) {
        for (const bool reader_first : {false, true}) {
            CAPTURE(trigger);
            CAPTURE(reader_first);
            MachineBench bench;
            bench.begin();
            constexpr std::uint32_t kFrame = 400, kFrames = 6, kBuffer = 0x34280000;
            engine(bench, 0x05000, kInput, kFrom, kFrame, kFrames);
            engine(bench, 0x06000, kOutput, kBuffer, kFrame, kFrames);
            engine(bench, 0x07000, kInput, kBuffer, kFrame, kFrames);
            engine(bench, 0x08000, kOutput, kTo, kFrame, kFrames);
            bench.write(0x06018, 0);
            bench.write(0x07018, 0);
            if (trigger) bench.write(0x07028, 0x01800000);  // FRMTRG_EN, STRENG1
            bench.write(0x04000, 1);
            bench.write(0x0400C, 0x01);
            bench.write(0x04014, 0x05);
            std::vector<std::uint8_t> old;
            for (std::uint32_t i = 0; i < kFrame; ++i)
                old.push_back(bench.bus.memory.at_address(kBuffer, i));
            bench.set_bits(0x08000, 1);
            if (reader_first) {
                bench.npu.write(0x07000, bench.read(0x07000) | 1, bench.now);
                bench.npu.write(0x06000, bench.npu.read(0x06000, bench.now).word | 1, bench.now);
            } else {
                bench.set_bits(0x06000, 1);
                bench.set_bits(0x07000, 1);
            }
            bench.set_bits(0x05000, 1);
            REQUIRE(bench.run_until_idle(8));
            std::uint32_t wrong = 0;
            for (std::uint32_t n = 1; n < kFrames; ++n) {
                for (std::uint32_t i = 0; i < kFrame; ++i) {
                    const std::uint8_t stored = bench.bus.memory.at_address(kTo, n * kFrame + i);
                    const std::uint8_t source =
                        bench.bus.memory.at_address(kFrom, (n - 1) * kFrame + i);
                    wrong += stored == source ? 0 : 1;
                }
            }
            CHECK(wrong == 0);
        }
    }
}
