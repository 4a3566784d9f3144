// SPDX-License-Identifier: Apache-2.0
// Units of one word a cycle between stream engines: words, times, stalls.
#include <doctest/doctest.h>

#include <algorithm>

#include "models/npu/dataflow/vector_node.h"
#include "models/npu/units/activ.h"
#include "models/npu/units/arith.h"
#include "tests/models/npu/dataflow_bench.h"

using namespace n6vp::models::npu;
using namespace n6vp::test;

namespace {

constexpr std::uint32_t kX = 0x34080000, kY = 0x34100000, kSumTo = 0x34280000;

VectorNode::Work sum_of_both() {
    ArithConfig config;
    config.dualin = true;
    config.a = 3;
    config.b = -2;
    config.c = 5;
    config.x.fbytes = config.y.fbytes = 1;
    config.output.obytes = 3;
    return [arith = Arith(config, CoefficientMemory())](
               std::span<const Word> x, std::span<const Word> y, std::span<Word> out) mutable {
        arith.compute(x, y, out);
    };
}

VectorNode::Work relu() {
    ActivConfig config;
    config.input.fbytes = 3;
    config.output.obytes = 3;
    config.input.fobytes = 3;
    return [activ = Activ(config, ActivTables())](std::span<const Word> x, std::span<const Word>,
                                                  std::span<Word> out) { activ.compute(x, out); };
}

EngineSetup three_bytes(ReferenceEngine engine, std::uint32_t frames) {
    engine.bytes = 3;
    return setup_of(engine, true, frames, 9);
}

/// Returns max(3 X - 2 Y + 5, 0) of two signed bytes.
std::uint32_t expected(std::uint8_t x, std::uint8_t y) {
    const int sum = 3 * static_cast<std::int8_t>(x) - 2 * static_cast<std::int8_t>(y) + 5;
    return static_cast<std::uint32_t>(std::max(sum, 0));
}

std::uint32_t stored_sum(BenchBus& bus, std::uint32_t index) {
    std::uint32_t value = 0;
    for (std::uint32_t k = 0; k < 3; ++k)
        value |= std::uint32_t{bus.at_address(kSumTo, std::size_t{3} * index + k)} << 8 * k;
    return value;
}

}  // namespace

TEST_CASE("a chain of units computes what its inputs bring, a word a cycle") {
    constexpr std::uint32_t kElements = 3001, kFrames = 3;
    Bench bench;
    bench.input(setup_of(raw(kX, kElements, kElements), false, kFrames));
    bench.input(setup_of(raw(kY, kElements, kElements), false, kFrames, 1));
    VectorNode arith(sum_of_both(), true, kCycle, 0, bench.network, bench.link());
    VectorNode activ(relu(), false, kCycle, 0, bench.network, bench.link());
    arith.x.connect(permanent(0), bench.links);
    arith.y.connect(permanent(1), bench.links);
    activ.x.connect(permanent(2), bench.links);
    const OutputEngine& out = bench.output(
        three_bytes(raw(kSumTo, kElements, 3 * std::int32_t{kElements}), kFrames), permanent(3));
    run(bench.network);
    CHECK(bench.network.busy().empty());
    for (std::uint32_t i = 0; i < kElements * kFrames; ++i) {
        REQUIRE(stored_sum(bench.bus, i) ==
                expected(bench.bus.at_address(kX, i), bench.bus.at_address(kY, i)));
    }
    CHECK(arith.words() == kElements * kFrames);
    CHECK(activ.words() == kElements * kFrames);
    const double stream = kElements * kFrames + 35.0 * (kFrames - 1);
    CHECK(cycles(out.counters().finished) >= stream);
    CHECK(cycles(out.counters().finished) <= stream + 60);
}

TEST_CASE("an input that comes slowly holds the other one") {
    constexpr std::uint32_t kElements = 4000;
    Bench bench;
    const InputEngine& fast = bench.input(setup_of(raw(kX, kElements), false, 1));
    bench.input(setup_of(strided(kY, kElements), false, 1, 1));
    VectorNode arith(sum_of_both(), true, kCycle, 0, bench.network, bench.link());
    bench.bus.read_one_beat = 2500;
    arith.x.connect(permanent(0), bench.links);
    arith.y.connect(permanent(1), bench.links);
    const OutputEngine& out = bench.output(three_bytes(raw(kSumTo, kElements), 1), permanent(2));
    run(bench.network);
    CHECK(bench.network.busy().empty());
    for (std::uint32_t i = 0; i < kElements; i += 7) {
        const int sum = 3 * static_cast<std::int8_t>(bench.bus.at_address(kX, i)) -
                        2 * static_cast<std::int8_t>(bench.bus.at_address(kY, std::size_t{8} * i)) +
                        5;
        REQUIRE(stored_sum(bench.bus, i) == (static_cast<std::uint32_t>(sum) & 0xFFFFFF));
    }
    // Both read one bank: single beats, and the bursts of the other input between them.
    const double bank = 2.5 * kElements + 1.112 * kElements / 8;
    CHECK(cycles(out.counters().finished) == doctest::Approx(bank).epsilon(0.01));
    CHECK(cycles(fast.counters().finished) > 2.5 * (kElements - 200));
}

TEST_CASE("a destination that stores slowly holds units and inputs") {
    constexpr std::uint32_t kElements = 4000;
    Bench bench;
    const InputEngine& in = bench.input(setup_of(raw(kX, kElements), false, 1));
    VectorNode activ(relu(), false, kCycle, 0, bench.network, bench.link());
    activ.x.connect(permanent(0), bench.links);
    const OutputEngine& out =
        bench.output(setup_of(strided(kSumTo, kElements), true, 1, 1), permanent(1));
    bench.bus.write_one_beat = 3000;
    run(bench.network);
    CHECK(bench.network.busy().empty());
    CHECK(cycles(out.counters().finished) == doctest::Approx(3.0 * kElements).epsilon(0.01));
    CHECK(cycles(in.counters().finished) > 3.0 * (kElements - 500));
}

TEST_CASE("of two slow inputs of a chain the one that is ahead stalls") {
    // Bytes of the first come through ARITH to a second one, which the other input holds: a word
    // that the second one waits for is not in the first.
    constexpr std::uint32_t kElements = 512;
    Bench bench;
    const InputEngine& ahead = bench.input(setup_of(raw(kX, kElements), false, 1));
    const InputEngine& slow = bench.input(setup_of(strided(kY, kElements), false, 1, 1));
    VectorNode first(relu(), false, kCycle, 0, bench.network, bench.link());
    VectorNode second(sum_of_both(), true, kCycle, 0, bench.network, bench.link());
    bench.bus.read_one_beat = 10000;
    first.x.connect(permanent(0), bench.links);
    second.x.connect(permanent(2), bench.links);
    second.y.connect(permanent(1), bench.links);
    const OutputEngine& out = bench.output(three_bytes(raw(kSumTo, kElements), 1), permanent(3));
    run(bench.network);
    CHECK(bench.network.busy().empty());
    // Single beats of ten cycles: nine cycles of stall for each word of the other input, to the
    // last.
    CHECK(cycles(out.counters().finished) == doctest::Approx(10.0 * kElements).epsilon(0.05));
    CHECK(cycles(ahead.counters().finished) ==
          doctest::Approx(cycles(slow.counters().finished)).epsilon(0.002));
    CHECK(cycles(ahead.counters().stalled) == doctest::Approx(9.0 * kElements).epsilon(0.03));
    CHECK(cycles(slow.counters().stalled) < 20);
}

TEST_CASE("a second input that nobody feeds stops the epoch") {
    Bench bench;
    bench.input(setup_of(raw(kX, 100), false, 1));
    VectorNode arith(sum_of_both(), true, kCycle, 0, bench.network, bench.link());
    bench.link();
    arith.x.connect(permanent(0), bench.links);
    arith.y.connect(permanent(2), bench.links);
    bench.output(setup_of(raw(kSumTo, 100), true, 1, 1), permanent(1));
    run(bench.network);
    CHECK(bench.network.busy().size() == 2);
    CHECK(arith.waits_for() == "word 0 of both inputs");
    CHECK(bench.inputs[0]->waits_for() == "its link to take word 63");
}
