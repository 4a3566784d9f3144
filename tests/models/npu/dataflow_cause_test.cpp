// SPDX-License-Identifier: Apache-2.0
// What the time of an epoch went to: the critical path to the end of its last engine.
#include <doctest/doctest.h>

#include <numeric>

#include "models/npu/dataflow/vector_node.h"
#include "tests/models/npu/dataflow_bench.h"

using namespace n6vp::models::npu;
using namespace n6vp::test;

namespace {

double explained(const EngineCounters& counters) {
    const auto total =
        std::accumulate(counters.spent.begin(), counters.spent.end(), n6vp::models::Picoseconds{0});
    return static_cast<double>(total) / static_cast<double>(counters.finished - counters.started);
}

}  // namespace

TEST_CASE("a step adds to its cause, the later path wins, and a tie has one winner") {
    const PathTime start{1000, {}};
    const PathTime one = start.plus(300, StallCause::Link),
                   two = start.plus(500, StallCause::Flash);
    CHECK(one < two);
    const PathTime last = std::max(one, two).plus(20, StallCause::Link);
    CHECK(last.at == 1520);
    CHECK(last.spent[static_cast<std::size_t>(StallCause::Flash)] == 500);
    CHECK(last.spent[static_cast<std::size_t>(StallCause::Link)] == 20);
    const PathTime tie = start.plus(500, StallCause::Port);
    CHECK(std::max(tie, two).spent == std::max(two, tie).spent);
}

TEST_CASE("times inside a batch have a part of what was spent on it") {
    const PathTime first = PathTime{0, {}}.plus(1000, StallCause::Flash);
    const WordTimes pace{first, first.plus(4000, StallCause::Link)};
    const PathTime middle = pace.at(1, 5);
    CHECK(middle.at == 2000);
    CHECK(middle.spent[static_cast<std::size_t>(StallCause::Flash)] == 1000);
    CHECK(middle.spent[static_cast<std::size_t>(StallCause::Link)] == 1000);
}

TEST_CASE("a dense copy is bound by the link, its frames by the restart") {
    Bench bench;
    SUBCASE("one long frame") {
        bench.input(setup_of(raw(kSource, 100000), false, 1));
        const OutputEngine& out =
            bench.output(setup_of(raw(kTarget, 100000), true, 1, 1), permanent());
        run(bench.network);
        CHECK(share(out.counters(), StallCause::Link) > 0.999);
        CHECK(explained(out.counters()) == doctest::Approx(1).epsilon(1e-4));
    }
    SUBCASE("short frames") {
        bench.input(setup_of(raw(kSource, 65, 65), false, 500));
        const OutputEngine& out =
            bench.output(setup_of(raw(kTarget, 65, 65), true, 500, 1), permanent());
        run(bench.network);
        CHECK(share(out.counters(), StallCause::Restart) == doctest::Approx(0.35).epsilon(0.01));
        CHECK(share(out.counters(), StallCause::Link) == doctest::Approx(0.65).epsilon(0.01));
        CHECK(explained(out.counters()) == doctest::Approx(1).epsilon(1e-4));
    }
}

TEST_CASE("single beats of one engine are bound by the port, of two by each other") {
    constexpr std::uint32_t kElements = 5000;
    Bench bench;
    bench.input(setup_of(strided(kSource, kElements), false, 1));
    SUBCASE("one") {
        const OutputEngine& out =
            bench.output(setup_of(raw(kTarget, kElements), true, 1, 1), permanent());
        run(bench.network);
        CHECK(share(out.counters(), StallCause::Port) > 0.98);
        CHECK(share(out.counters(), StallCause::Conflict) == 0);
        CHECK(explained(out.counters()) == doctest::Approx(1).epsilon(1e-4));
    }
    SUBCASE("two") {
        bench.input(setup_of(strided(kSource + 0x20000, kElements), false, 1, 2));
        const OutputEngine& first =
            bench.output(setup_of(raw(kTarget, kElements), true, 1, 1), permanent(0));
        bench.output(setup_of(raw(kTarget + 0x20000, kElements), true, 1, 3), permanent(1));
        run(bench.network);
        // Without the other one the epoch would take half of the time.
        CHECK(share(first.counters(), StallCause::Conflict) == doctest::Approx(0.5).epsilon(0.1));
        CHECK(explained(first.counters()) == doctest::Approx(1).epsilon(1e-4));
    }
}

TEST_CASE("the path goes through the slower of two inputs") {
    Bench bench;
    const auto add = [](std::span<const Word> x, std::span<const Word> y, std::span<Word> out) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = x[i] + y[i];
    };
    VectorNode node(add, true, kCycle, 0, bench.network, bench.link());
    bench.input(setup_of(raw(kSource, 6400), false, 1));
    bench.input(setup_of(raw(BenchBus::kFlash, 6400), false, 1, 1));
    node.x.connect(permanent(1), bench.links);
    node.y.connect(permanent(2), bench.links);
    const OutputEngine& out = bench.output(setup_of(raw(kTarget, 6400), true, 1, 2), permanent(0));
    run(bench.network);
    CHECK(cycles(out.counters().finished) == doctest::Approx(161 * 100).epsilon(0.02));
    CHECK(share(out.counters(), StallCause::Flash) > 0.98);
    CHECK(explained(out.counters()) == doctest::Approx(1).epsilon(1e-4));
}

TEST_CASE("a writer that holds its link is on the path") {
    Bench bench;
    bench.input(setup_of(raw(kSource, 20000), false, 1));
    const OutputEngine& out =
        bench.output(setup_of(strided(kTarget, 20000), true, 1, 1), permanent());
    run(bench.network);
    CHECK(share(out.counters(), StallCause::Port) > 0.95);
    CHECK(explained(out.counters()) == doctest::Approx(1).epsilon(1e-4));
    // The reader's end is on the writer's path as well.
    CHECK(share(bench.inputs[0]->counters(), StallCause::Port) > 0.9);
}
