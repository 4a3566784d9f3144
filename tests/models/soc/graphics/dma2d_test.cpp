// SPDX-License-Identifier: Apache-2.0
// DMA2D: registers, times, interruptions of a transfer, errors.
#include "tests/models/soc/graphics/dma2d_bench.h"

using namespace n6vp;
using test::Dma2dBench;

namespace {

constexpr models::Picoseconds kNs = 1000;

/// A fill of `columns` x `lines` words at 0x8000.
void prepare_fill(Dma2dBench& bench, std::uint32_t columns, std::uint32_t lines) {
    bench.set(bench.kOmar, 0x8000);
    bench.set(bench.kOcolr, 0x11223344);
    bench.size(columns, lines);
}

}  // namespace

TEST_CASE("timing: dma2d converts four pixels: start, read, a cycle each, write") {
    Dma2dBench bench;
    bench.dma2d.attributes = {5, true, true};
    bench.set(bench.kFgmar, 0x100);
    bench.set(bench.kOmar, 0x200);
    bench.set(bench.kOpfccr, 2);
    bench.size(4, 1);
    bench.set(bench.kCr, 1u << 16 | bench.kAllEnables | bench.kStart);
    CHECK((bench.get(bench.kCr) & bench.kStart) != 0);
    Dma2dBench::pass_ns(399);
    CHECK((bench.get(bench.kCr) & bench.kStart) != 0);
    CHECK(bench.get(bench.kIsr) == 0);
    Dma2dBench::pass_ns(2);
    CHECK(bench.get(bench.kIsr) == bench.kTc);
    CHECK(bench.get(bench.kCr) == (1u << 16 | bench.kAllEnables));
    REQUIRE(bench.memory.seen.size() == 2);
    CHECK_FALSE(bench.memory.seen[0].write);
    CHECK(bench.memory.seen[0].at == 160 * kNs);
    CHECK(bench.memory.seen[0].bytes == 16);
    CHECK(bench.memory.seen[0].secure);
    CHECK(bench.memory.seen[0].compartment == 5);
    CHECK(bench.memory.seen[1].write);
    CHECK(bench.memory.seen[1].at == (160 + 100 + 40) * kNs);
    CHECK(bench.memory.seen[1].bytes == 8);
    REQUIRE(bench.levels.size() == 1);
    CHECK(bench.levels[0] == std::pair(true, 400 * kNs));
    bench.set(bench.kIfcr, bench.kTc);
    CHECK(bench.levels.back().first == false);
}

TEST_CASE("timing: dma2d moves lines in bursts, with dead time between accesses if asked") {
    Dma2dBench bench;
    prepare_fill(bench, 40, 2);  // 160 bytes: a burst of 128 and one of 32
    CHECK(bench.run(3) == bench.kTc);
    REQUIRE(bench.memory.seen.size() == 4);
    const std::uint32_t places[] = {0x8000, 0x8080, 0x80A0, 0x8120};
    for (unsigned i = 0; i < 4; ++i) CHECK(bench.memory.seen[i].address == places[i]);
    // Two at a time: the third leaves when the first is over.
    CHECK(bench.memory.seen[0].at == 160 * kNs);
    CHECK(bench.memory.seen[1].at == 160 * kNs);
    CHECK(bench.memory.seen[2].at == 260 * kNs);
    bench.memory.seen.clear();
    const models::Picoseconds begin = Dma2dBench::now();
    bench.set(bench.kAmtcr, 50u << 8 | 1);
    CHECK(bench.run(3) == bench.kTc);
    REQUIRE(bench.memory.seen.size() == 4);
    for (unsigned i = 1; i < 4; ++i) {
        CHECK(bench.memory.seen[i].at - bench.memory.seen[i - 1].at == (100 + 500) * kNs);
    }
    CHECK(bench.memory.seen[0].at >= begin + 500 * kNs);
}

TEST_CASE("dma2d: registers of a transfer keep their values while it runs") {
    Dma2dBench bench;
    prepare_fill(bench, 40, 2);
    bench.set(bench.kCr, 3u << 16 | bench.kStart);
    bench.set(bench.kOmar, 0x1234);
    bench.set(bench.kNlr, 0);
    bench.set(bench.kCr, bench.kAllEnables);  // writing 0 to START does nothing, MODE is kept
    CHECK(bench.get(bench.kOmar) == 0x8000);
    CHECK(bench.get(bench.kNlr) == (40u << 16 | 2));
    CHECK(bench.get(bench.kCr) == (3u << 16 | bench.kAllEnables | bench.kStart));
    bench.set(bench.kFgpfccr, 1u << 5);  // no CLUT is loaded at the same time
    CHECK(bench.get(bench.kFgpfccr) == 0);
    Dma2dBench::pass_ns(5000);
    CHECK(bench.get(bench.kIsr) == bench.kTc);
    CHECK(bench.word(0x8000) == 0x11223344);
    bench.set(bench.kOmar, 0x1234);
    CHECK(bench.get(bench.kOmar) == 0x1234);
}

TEST_CASE("dma2d: SUSP holds a transfer between two accesses, and its end goes on") {
    Dma2dBench bench;
    prepare_fill(bench, 32, 10);
    bench.set(bench.kCr, 3u << 16 | bench.kStart);
    Dma2dBench::pass_ns(300);
    bench.set(bench.kCr, 3u << 16 | bench.kSusp);
    const std::size_t written = bench.memory.seen.size();
    CHECK(written > 0);
    CHECK(written < 10);
    Dma2dBench::pass_ns(10'000);
    CHECK(bench.get(bench.kCr) == (3u << 16 | bench.kSusp | bench.kStart));
    CHECK(bench.memory.seen.size() == written);
    bench.set(bench.kCr, 3u << 16);
    Dma2dBench::pass_ns(10'000);
    CHECK(bench.get(bench.kIsr) == bench.kTc);
    CHECK(bench.memory.seen.size() == 10);
    CHECK(bench.word(0x8000 + 319 * 4) == 0x11223344);
}

TEST_CASE("dma2d: the watermark of a line that has left comes in a pause, too") {
    Dma2dBench bench;
    prepare_fill(bench, 32, 10);
    bench.set(bench.kLwr, 3);
    bench.set(bench.kCr, 3u << 16 | bench.kStart);
    Dma2dBench::pass_ns(200);
    bench.set(bench.kCr, 3u << 16 | bench.kSusp);
    CHECK(bench.memory.seen.size() == 3);
    CHECK(bench.get(bench.kIsr) == 0);
    Dma2dBench::pass_ns(10'000);
    CHECK(bench.get(bench.kIsr) == bench.kTw);
    CHECK(bench.memory.seen.size() == 3);
}

TEST_CASE("dma2d: ABORT ends a transfer, also one that is suspended, without a flag") {
    Dma2dBench bench;
    prepare_fill(bench, 32, 10);
    for (const bool suspended : {false, true}) {
        CAPTURE(suspended);
        bench.memory.seen.clear();
        bench.set(bench.kCr, 3u << 16 | bench.kStart | (suspended ? bench.kSusp : 0));
        Dma2dBench::pass_ns(300);
        bench.set(bench.kCr, bench.get(bench.kCr) | bench.kAbort);
        CHECK((bench.get(bench.kCr) & bench.kStart) != 0);
        Dma2dBench::pass_ns(5000);
        CHECK(bench.get(bench.kCr) == 3u << 16);
        CHECK(bench.get(bench.kIsr) == 0);
        CHECK(bench.memory.seen.size() < 10);
        CHECK(bench.memory.seen.empty() == suspended);
    }
    bench.set(bench.kCr, 3u << 16 | bench.kAbort);  // nothing to abort
    CHECK(bench.get(bench.kCr) == 3u << 16);
    CHECK(bench.run(3) == bench.kTc);
}

TEST_CASE("dma2d: the line of LWR raises TWIF when it is written") {
    Dma2dBench bench;
    prepare_fill(bench, 32, 10);
    bench.set(bench.kLwr, 3);
    bench.set(bench.kCr, 3u << 16 | bench.kStart | 1u << 10);
    Dma2dBench::pass_ns(5000);
    CHECK(bench.get(bench.kIsr) == (bench.kTw | bench.kTc));
    REQUIRE(bench.levels.size() == 1);
    CHECK(bench.levels[0].second == bench.memory.seen[2].at + test::PixelMemory::kTakes);
}

TEST_CASE("dma2d: bus errors end transfers and CLUT loads") {
    Dma2dBench bench;
    bench.size(4, 1);
    bench.set(bench.kOmar, 0x8000);
    bench.set(bench.kFgmar, 0x20000);
    CHECK(bench.run(0) == bench.kTe);
    bench.set(bench.kFgmar, 0x1000);
    bench.set(bench.kOmar, 0x20000);
    CHECK(bench.run(0) == bench.kTe);
    bench.set(bench.kFgcmar, 0x20000);
    bench.set(bench.kFgpfccr, 1u << 5);
    Dma2dBench::pass_ns(5000);
    CHECK(bench.get(bench.kFgpfccr) == 0);
    CHECK(bench.get(bench.kIsr) == bench.kTe);
    CHECK(bench.dma2d.statistics().errors == 3);
    CHECK(bench.dma2d.statistics().transfers == 0);
}

TEST_CASE("dma2d: settings that do not fit are refused at the start") {
    struct Change {
        std::uint32_t mode, offset, value;
    };
    const Change changes[] = {
        {6, Dma2dBench::kNlr, 4u << 16 | 1},       // no such mode
        {3, Dma2dBench::kNlr, 4u << 16},           // no line
        {3, Dma2dBench::kNlr, 1},                  // no column
        {3, Dma2dBench::kOpfccr, 5},               // no such output
        {3, Dma2dBench::kOmar, 0x8002},            // words
        {1, Dma2dBench::kFgmar, 0x1001},           // words
        {1, Dma2dBench::kFgpfccr, 12},             // no such input
        {2, Dma2dBench::kBgpfccr, 11},             // YCbCr is for the foreground
        {2, Dma2dBench::kBgmar, 0x4002},           // words
        {4, Dma2dBench::kBgmar, 0x4002},           // words
        {0, Dma2dBench::kFgpfccr, 11},             // no copy of YCbCr
        {1, Dma2dBench::kFgpfccr, 11 | 3u << 18},  // no such subsampling
    };
    Dma2dBench bench;
    for (const Change& each : changes) {
        CAPTURE(each.mode);
        CAPTURE(each.offset);
        CAPTURE(each.value);
        bench.dma2d.reset();
        bench.memory.seen.clear();
        bench.set(bench.kFgmar, 0x1000);
        bench.set(bench.kBgmar, 0x4000);
        bench.set(bench.kOmar, 0x8000);
        bench.size(4, 1);
        bench.set(each.offset, each.value);
        bench.set(bench.kCr, each.mode << 16 | bench.kStart | bench.kAllEnables);
        CHECK(bench.get(bench.kIsr) == bench.kCe);
        CHECK((bench.get(bench.kCr) & bench.kStart) == 0);
        Dma2dBench::pass_ns(5000);
        CHECK(bench.memory.seen.empty());
    }
    CHECK(bench.levels.size() == 2 * std::size(changes) - 1);
}

TEST_CASE("dma2d: half-byte pixels need even columns, and even offsets in pixels") {
    Dma2dBench bench;
    bench.set(bench.kFgpfccr, 8);
    bench.set(bench.kFgmar, 0x1001);
    bench.set(bench.kOmar, 0x8000);
    bench.size(3, 1);
    CHECK(bench.run(1) == bench.kCe);
    bench.size(4, 1);
    CHECK(bench.run(1) == bench.kTc);
    bench.set(bench.kFgor, 1);
    CHECK(bench.run(1) == bench.kCe);
    CHECK(bench.run(1, 1u << 6) == bench.kTc);
    // The same for swapped bytes of the output.
    bench.set(bench.kFgpfccr, 2);
    bench.set(bench.kFgmar, 0x1000);
    bench.set(bench.kOpfccr, 2 | 1u << 8);
    bench.size(3, 1);
    CHECK(bench.run(1) == bench.kCe);
    // A CLUT of words at an odd address.
    bench.set(bench.kFgcmar, 0x1002);
    bench.set(bench.kFgpfccr, 1u << 5);
    CHECK(bench.get(bench.kIsr) == bench.kCe);
}

TEST_CASE("dma2d: rests without its clock, and goes on with it") {
    Dma2dBench bench;
    bool runs = true;
    bench.dma2d.clocked = [&runs] { return runs; };
    prepare_fill(bench, 32, 10);
    bench.set(bench.kCr, 3u << 16 | bench.kStart);
    Dma2dBench::pass_ns(300);
    runs = false;
    bench.dma2d.clock_changed();
    const std::size_t written = bench.memory.seen.size();
    Dma2dBench::pass_ns(5000);
    CHECK(bench.memory.seen.size() == written);
    runs = true;
    bench.dma2d.clock_changed();
    Dma2dBench::pass_ns(5000);
    CHECK(bench.memory.seen.size() == 10);
    CHECK(bench.get(bench.kIsr) == bench.kTc);
}
