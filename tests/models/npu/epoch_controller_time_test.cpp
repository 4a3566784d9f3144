// SPDX-License-Identifier: Apache-2.0
// Times in NPU cycles from the start, worked out by hand from the rules: a fetch costs 16 cycles
// with all that its words do; the next fetch may go as soon as the header is there or a place is
// free, one a cycle.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/loader/epoch_controller/ec_assembler.h"
#include "tests/models/npu/epoch_bench.h"

namespace {

using namespace n6vp::models::npu;
using n6vp::models::Picoseconds;
using n6vp::test::EcAssembler;
using n6vp::test::EpochRun;
using n6vp::test::kCycle;

/// Cycle of each label of a blob with `pairs` fetches, the header included.
std::vector<Picoseconds> label_times(EpochRun& run, unsigned pairs) {
    EcAssembler program;
    for (unsigned i = 0; i + 1 < pairs; ++i) program.label(2 * i).label(2 * i + 1);
    std::vector<Picoseconds> times;
    run.controller.on_label = [&](std::uint32_t, Picoseconds at) {
        times.push_back((at - run.began) / kCycle);
    };
    run.start(program.words());
    run.finish();
    REQUIRE(times.size() == 2 * (pairs - 1));
    return times;
}

TEST_CASE("epoch controller time: sixteen cycles for each fetch and all it holds") {
    EpochRun run;
    run.bench.latency = 10 * kCycle;
    const std::vector<Picoseconds> times = label_times(run, 100);
    for (std::size_t i = 0; i < times.size(); ++i) {
        CAPTURE(i);
        CHECK(times[i] == 16 * (i / 2 + 2));
    }
    CHECK(run.bench.fetches.size() == 100);
}

TEST_CASE("epoch controller time: prefetch hides a latency of 50 cycles after the header") {
    EpochRun run;
    run.bench.latency = 50 * kCycle;
    const std::vector<Picoseconds> times = label_times(run, 20);
    for (std::size_t i = 0; i < times.size(); ++i) {
        CAPTURE(i);
        CHECK(times[i] == 100 + 16 * (i / 2));
    }
}

TEST_CASE("epoch controller time: a slow memory shows, four fetches at a time") {
    EpochRun run;
    run.bench.latency = 400 * kCycle;
    const std::vector<Picoseconds> times = label_times(run, 13);
    const std::vector<Picoseconds> expected = {800,  816,  832,  848,  1200, 1216,
                                               1232, 1248, 1600, 1616, 1632, 1648};
    for (std::size_t i = 0; i < times.size(); ++i) {
        CAPTURE(i);
        CHECK(times[i] == expected[i / 2]);
    }
}

TEST_CASE("epoch controller time: without prefetch every fetch shows its latency") {
    EpochControllerParameters parameters;
    parameters.prefetch.value = 1;
    EpochRun run(parameters);
    run.bench.latency = 100 * kCycle;
    const std::vector<Picoseconds> times = label_times(run, 10);
    for (std::size_t i = 0; i < times.size(); ++i) {
        CAPTURE(i);
        CHECK(times[i] == 200 + 100 * (i / 2));
    }
}

TEST_CASE("epoch controller time: no prefetch at all still runs") {
    EpochControllerParameters parameters;
    parameters.prefetch.value = 0;
    EpochRun run(parameters);
    run.start({0x3D, 0x0C});
    run.finish();
    CHECK(run.irqs.size() == 1);
}

TEST_CASE("epoch controller time: the length of instructions does not matter, their fetches do") {
    EpochRun run;
    std::vector<std::uint32_t> values(768, 5);
    run.start(EcAssembler().burst_inc(15, 8, values).irq().words());
    CHECK(run.finish() == 16 * 386);
    REQUIRE(run.bench.writes.size() == 768);
    // Word 3 of the blob is the first value, in the second fetch; 770 the last, in the 386th.
    CHECK(run.bench.writes.front().at == run.began + Picoseconds{32} * kCycle);
    CHECK(run.bench.writes.back().at == run.began + Picoseconds{16} * 386 * kCycle);
    CHECK(std::is_sorted(run.bench.writes.begin(), run.bench.writes.end(),
                         [](const auto& a, const auto& b) { return a.at < b.at; }));
}

TEST_CASE("epoch controller time: fetches go on while a poll waits, and time after it counts") {
    EpochRun run;
    run.bench.registers[0x5000] = 0x80000000;
    run.start(EcAssembler().poll(5, 0, 31).label(1).label(2).label(3).label(4).irq().words());
    std::vector<Picoseconds> times;
    run.controller.on_label = [&](std::uint32_t, Picoseconds at) {
        times.push_back((at - run.began) / kCycle);
    };
    run.finish();
    CHECK(run.bench.fetches.size() == 5);
    run.bench.registers[0x5000] = 0;
    run.controller.look_again(run.began + 1000 * kCycle);
    run.finish();
    // Label 1 shares the fetch of the poll's last word.
    CHECK(times == std::vector<Picoseconds>{1000, 1016, 1016, 1032});
    CHECK(run.irqs == std::vector<Picoseconds>{run.began + 1032 * kCycle});
}

TEST_CASE("epoch controller time: fetches begin a cycle apart") {
    EpochRun run;
    run.bench.latency = 400 * kCycle;
    static_cast<void>(label_times(run, 13));
    // The header alone, then as many as may be under way.
    const std::vector<Picoseconds>& at = run.bench.fetched_at;
    REQUIRE(at.size() == 13);
    CHECK(at[0] == run.began);
    CHECK(at[1] == run.began + 400 * kCycle);
    for (std::size_t i = 2; i < 5; ++i) CHECK(at[i] == at[i - 1] + kCycle);
}

TEST_CASE("epoch controller time: a register that changes by itself is looked at each cycle") {
    EpochRun run;
    run.bench.changes = true;
    run.bench.registers[0x5000] = 0x80000000;
    run.start(EcAssembler().poll(5, 0, 31).irq().words());
    run.finish(60);
    const std::vector<Picoseconds>& at = run.bench.read_at;
    REQUIRE(at.size() > 20);
    for (std::size_t i = 1; i < at.size(); ++i) CHECK(at[i] == at[i - 1] + kCycle);
}

TEST_CASE("epoch controller time: a poll does not look before it began") {
    EpochRun run;
    run.bench.registers[0x5000] = 0x80000000;
    run.start(EcAssembler().poll(5, 0, 31).irq().words());
    run.finish();
    run.controller.look_again(run.began);
    CHECK(run.controller.due() == run.began + 48 * kCycle);
    run.controller.look_again(run.began + 60 * kCycle);
    CHECK(run.controller.due() == run.began + 48 * kCycle);
    run.finish();
    // Without a poll there is nothing to look at.
    run.controller.clear();
    run.controller.look_again(run.began + 90 * kCycle);
    CHECK(run.controller.due() == n6vp::models::kNever);
}

TEST_CASE("epoch controller time: the clock of the start counts") {
    EpochRun run;
    run.bench.latency = 0;
    run.bench.store(n6vp::test::kBlobAt, {n6vp::test::kBlobMagic, 2, 0x3D, 0x0C});
    run.controller.start({n6vp::test::kBlobAt, false, false, 1250, 300});
    run.finish();
    CHECK(run.irqs == std::vector<Picoseconds>{300 + 2 * 16 * 1250});
}

}  // namespace
