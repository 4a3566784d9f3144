// SPDX-License-Identifier: Apache-2.0
// GPDMA and HPDMA: transfers that wait for triggers. Numbers of inputs: public driver header. What
// waits, and how many triggers are kept: register description of the GPDMA family.
#include "tests/models/soc/dma/dma_bench.h"

using namespace n6vp::models;
using n6vp::test::DmaBench;
using n6vp::test::kNs;
using Bytes = std::vector<std::uint8_t>;

namespace {

constexpr unsigned kHpdma = 60, kGpdma = 76;  ///< TRIGSEL: TCF of their channel 0
constexpr std::uint32_t kOverrun = 1u << 14;  ///< CSR.TOF
constexpr std::uint32_t kBoth = DmaBench::kBoth | DmaBench::kWords;
enum Mode : std::uint32_t { Block, RepeatedBlock, Link, Burst };

/// CTR2 for software requests, each unit with a trigger at a rising edge.
constexpr std::uint32_t waiting(Mode mode, unsigned input, std::uint32_t polarity = 1) {
    return DmaBench::kSoftware | mode << 14 | input << 16 | polarity << 24;
}

void pulse(DmaBench& bench, unsigned input) {
    bench.requests.on_pulse(input, DmaBench::now());
    DmaBench::pass_ns(5'000);
}

/// Returns how many words have arrived.
std::size_t writes(const DmaBench& bench) {
    std::size_t count = 0;
    for (const auto& access : bench.memory.seen) count += access.write ? 1 : 0;
    return count;
}

}  // namespace

TEST_CASE("DMA trigger: a block begins when the block of another channel is complete") {
    DmaBench bench;
    for (const std::uint32_t polarity : {1u, 2u}) {
        CAPTURE(polarity);
        bench.dma.reset();
        bench.memory.seen.clear();
        bench.program(1, kBoth, waiting(Block, kGpdma, polarity), 4);
        bench.enable(1);
        DmaBench::pass_ns(5'000);
        CHECK(bench.memory.seen.empty());
        const Picoseconds begun = DmaBench::now();
        bench.program(0, kBoth, DmaBench::kSoftware, 4);
        bench.enable(0);
        DmaBench::pass_ns(5'000);
        REQUIRE(bench.memory.seen.size() == 4);
        // One word takes two grants of 20 ns and two accesses of 100 ns.
        CHECK(bench.memory.seen[2].at == begun + 240 * kNs);
        CHECK(bench.status(1) == (1 | DmaBench::kComplete | DmaBench::kHalf));
    }
}

TEST_CASE("DMA trigger: what comes before the channel is enabled is not kept") {
    DmaBench bench;
    pulse(bench, kGpdma + 3);
    bench.program(1, kBoth, waiting(Block, kGpdma + 3), 4);
    bench.enable(1);
    DmaBench::pass_ns(5'000);
    CHECK(bench.memory.seen.empty());
    pulse(bench, kGpdma + 2);
    CHECK(bench.memory.seen.empty());
    pulse(bench, kGpdma + 3);
    CHECK(bench.memory.seen.size() == 2);
}

TEST_CASE("DMA trigger: transfer complete triggers again without TCF cleared") {
    DmaBench bench;
    constexpr std::uint32_t kTwoBlocks = 4 | 1u << 16;  // CBR1: BRC = 1
    bench.program(12, kBoth, waiting(Block, kGpdma), kTwoBlocks);
    bench.enable(12);
    for (const std::size_t expected : {1u, 2u}) {
        bench.program(0, kBoth, DmaBench::kSoftware, 4);
        bench.enable(0);
        DmaBench::pass_ns(5'000);
        CHECK(writes(bench) == 2 * expected);  // those of channel 0, too
    }
    CHECK((bench.status(12) & 1) == 1);
}

TEST_CASE("DMA trigger: each block, each repeated block or each burst waits") {
    constexpr std::uint32_t kTwoBlocks = 8 | 1u << 16;  // of two words
    constexpr std::uint32_t kTwoBeats = 1u << 4 | 1u << 20;
    struct Case {
        Mode mode;
        unsigned channel;
        std::uint32_t more_tr1, br1;
        std::vector<std::size_t> bytes;  ///< read after each trigger
    };
    const std::vector<Case> cases{
        {Block, 12, 0, kTwoBlocks, {8, 16, 16}},
        {RepeatedBlock, 12, 0, kTwoBlocks, {16, 16}},
        {RepeatedBlock, 0, 0, 8, {8, 8}},  // without repeats, the same as a block
        {Burst, 0, 0, 12, {4, 8, 12, 12}},
        {Burst, 0, kTwoBeats, 12, {8, 12, 12}},  // the last one is shorter
    };
    DmaBench bench;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        CAPTURE(i);
        const Case& each = cases[i];
        bench.dma.reset();
        bench.memory.seen.clear();
        bench.program(each.channel, kBoth | each.more_tr1, waiting(each.mode, kGpdma + 9),
                      each.br1);
        bench.enable(each.channel);
        DmaBench::pass_ns(5'000);
        CHECK(bench.memory.seen.empty());
        for (const std::size_t expected : each.bytes) {
            pulse(bench, kGpdma + 9);
            std::size_t bytes = 0;
            for (const auto& access : bench.memory.seen) bytes += access.write ? 0 : access.bytes;
            CHECK(bytes == expected);
        }
        CHECK((bench.status(each.channel) & 1) == 1);
    }
}

TEST_CASE("DMA trigger: a burst that the destination requests waits where it is written") {
    DmaBench bench;
    constexpr std::uint32_t kLine = 9, kDestRequests = kLine | 1u << 10;
    bench.program(0, kBoth, kDestRequests | (waiting(Burst, kGpdma + 9) & ~DmaBench::kSoftware), 8);
    bench.enable(0);
    bench.requests.set(kLine, true, DmaBench::now());
    DmaBench::pass_ns(5'000);
    CHECK_FALSE(bench.memory.seen.empty());  // read ahead
    CHECK(writes(bench) == 0);
    for (const std::size_t expected : {1u, 2u}) {
        pulse(bench, kGpdma + 9);
        CHECK(writes(bench) == expected);
    }
}

TEST_CASE("DMA trigger: the link to the next item waits, its data do not") {
    constexpr std::uint32_t kLlr = 1u << 16, kBr1 = 1u << 29;  // CLLR: ULL, UB1
    DmaBench bench;
    bench.memory.put_words(DmaBench::kList + 0x100, {4, 0});
    bench.program(0, kBoth, waiting(Link, kGpdma + 9), 4);
    bench.set(DmaBench::at(0, 0x00), DmaBench::kList);
    bench.set(DmaBench::at(0, 0x7C), kBr1 | kLlr | 0x100);
    bench.enable(0);
    DmaBench::pass_ns(5'000);
    CHECK(bench.memory.seen.size() == 2);
    pulse(bench, kGpdma + 9);
    REQUIRE(bench.memory.seen.size() == 5);
    CHECK(bench.memory.seen[2].address == DmaBench::kList + 0x100);
    CHECK((bench.status(0) & 1) == 1);
}

TEST_CASE("DMA trigger: one is kept while a block is under way, a further one is an overrun") {
    DmaBench bench;
    constexpr std::uint32_t kThreeBlocks = 4 | 2u << 16;
    bench.program(12, kBoth, waiting(Block, kGpdma + 9), kThreeBlocks);
    bench.enable(12, kOverrun);
    DmaBench::pass_ns(1'000);
    bench.requests.on_pulse(kGpdma + 9, DmaBench::now());
    DmaBench::pass_ns(50);  // its read is on the bus
    bench.requests.on_pulse(kGpdma + 9, DmaBench::now());
    CHECK((bench.status(12) & kOverrun) == 0);
    CHECK_FALSE(bench.lines[12]);
    bench.requests.on_pulse(kGpdma + 9, DmaBench::now());
    CHECK((bench.status(12) & kOverrun) != 0);
    CHECK(bench.lines[12]);
    DmaBench::pass_ns(5'000);
    CHECK(writes(bench) == 2);
    bench.set(DmaBench::at(12, 0x0C), kOverrun);
    CHECK((bench.status(12) & kOverrun) == 0);
    pulse(bench, kGpdma + 9);
    CHECK(writes(bench) == 3);
}

TEST_CASE("DMA trigger: channels of either unit trigger, other sources are named") {
    DmaBench bench(dma::Controller::Kind::HighPerformance);
    bench.program(1, kBoth, waiting(Block, kHpdma), 4);
    bench.enable(1);
    bench.program(0, kBoth, waiting(Block, kGpdma), 4);
    bench.enable(0);
    DmaBench::pass_ns(5'000);
    CHECK(bench.memory.seen.empty());
    pulse(bench, kGpdma);
    CHECK(writes(bench) == 2);  // GPDMA1's channel 0, then HPDMA1's
    for (const unsigned input : {kHpdma, kHpdma + 15, kGpdma, kGpdma + 15})
        CHECK(bench.set(DmaBench::at(2, 0x44), waiting(Block, input)));
    for (const unsigned input : {0u, kHpdma - 1, kGpdma + 16, 127u}) {
        CAPTURE(input);
        CHECK_FALSE(bench.set(DmaBench::at(2, 0x44), waiting(Block, input)));
        CHECK(bench.set(DmaBench::at(2, 0x44), waiting(Block, input, 0)));
        CHECK(bench.set(DmaBench::at(2, 0x44), waiting(Block, input, 3)));
    }
}
