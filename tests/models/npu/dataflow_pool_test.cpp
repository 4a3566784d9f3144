// SPDX-License-Identifier: Apache-2.0
// POOL between stream engines: words of the scalar reference, times, stalls.
#include <doctest/doctest.h>

#include <vector>

#include "models/npu/dataflow/pool_node.h"
#include "tests/models/npu/dataflow_bench.h"
#include "tests/models/npu/reference/pool_reference.h"

using namespace n6vp::models::npu;
using namespace n6vp::test;

namespace {

constexpr std::uint32_t kPoolFrames = 3;

/// Maxima of 3x3 pixels, of four channels of a byte.
ReferencePool maxima(Integer size, Integer stride) {
    ReferencePool u;
    u.channels = 4;
    u.width = u.height = size;
    u.window_x = u.window_y = 3;
    u.stride_x = u.stride_y = stride;
    return u;
}

PoolConfig config_of(const ReferencePool& u) {
    PoolConfig c;
    c.type = u.global ? PoolType::GlobalMax : PoolType::Max;
    c.input = {1, 16, 1};
    c.output = {true, true, 1, 1};
    c.dualline = c.cropen = true;
    c.winx = c.winy = static_cast<std::uint8_t>(u.window_x);
    c.strdx = c.strdy = static_cast<std::uint8_t>(u.stride_x);
    c.bsize = static_cast<std::uint8_t>(u.channels);
    c.feat_x = static_cast<std::uint16_t>(u.width * u.channels);
    c.feat_y = static_cast<std::uint16_t>(u.height);
    c.out_x = static_cast<std::uint16_t>(u.out_width());
    c.out_y = static_cast<std::uint16_t>(u.out_height());
    c.rcrop = static_cast<std::uint16_t>(c.feat_x - 1);
    c.bcrop = static_cast<std::uint16_t>(c.feat_y - 1);
    return c;
}

/// Runs frames through a unit between engines, checks their bytes, returns the cycles taken; and
/// until the last word has been read, where `read` is not null.
double run_frames(const ReferencePool& reference, n6vp::models::Picoseconds write_one_beat,
                  bool spread, double* read = nullptr) {
    Bench bench;
    bench.bus.write_one_beat = write_one_beat;
    const PoolConfig config = config_of(reference);
    REQUIRE(judge(config).computable());
    const std::uint32_t words = std::uint32_t{config.feat_x} * config.feat_y;
    PoolNode node({config, Rounding::HalfUp, kCycle, 0}, bench.network, bench.link());
    bench.input(
        setup_of(raw(kSource, words, static_cast<std::int32_t>(words)), false, kPoolFrames));
    node.features.connect(permanent(1), bench.links);
    std::vector<Integer> expected;
    for (std::uint32_t n = 0; n < kPoolFrames; ++n) {
        std::vector<Integer> frame(words);
        for (std::uint32_t i = 0; i < words; ++i)
            frame[i] = bench.bus.at_address(kSource, n * words + i);
        const std::vector<Integer> out = reference.run(frame);
        expected.insert(expected.end(), out.begin(), out.end());
    }
    const auto all = static_cast<std::uint32_t>(expected.size());
    const OutputEngine& out = bench.output(
        setup_of(spread ? strided(kTarget, all) : raw(kTarget, all), true, 1, 1), permanent(0));
    run(bench.network);
    CHECK(bench.network.busy().empty());
    CHECK(bench.bus.in_order);
    CHECK(node.frames() == kPoolFrames);
    for (std::uint32_t i = 0; i < all; ++i) {
        const std::uint8_t byte = bench.bus.at_address(kTarget, spread ? 8 * i : i);
        REQUIRE(static_cast<std::int8_t>(byte) == expected[i]);
    }
    if (read != nullptr) *read = cycles(bench.inputs.front()->counters().finished);
    return cycles(out.counters().finished);
}

}  // namespace

TEST_CASE("pooling keeps up with its input") {
    for (const Integer stride : {1, 2}) {
        CAPTURE(stride);
        const double took = run_frames(maxima(41, stride), 1160, false);
        const double stream = kPoolFrames * 41.0 * 41 * 4 + 35.0 * (kPoolFrames - 1);
        CHECK(took >= stream);
        CHECK(took <= stream + 70);
    }
}

TEST_CASE("a pool that gives as many words as it takes keeps up with its input") {
    ReferencePool reference = maxima(41, 1);
    reference.window_x = reference.window_y = 1;
    const double took = run_frames(reference, 1160, false);
    const double stream = kPoolFrames * 41.0 * 41 * 4 + 35.0 * (kPoolFrames - 1);
    CHECK(took >= stream);
    CHECK(took <= stream + 70);
}

TEST_CASE("a global pool gives its words when the frame has come") {
    ReferencePool reference = maxima(30, 1);
    reference.global = true;
    const double took = run_frames(reference, 1160, false);
    const double stream = kPoolFrames * 30.0 * 30 * 4 + 35.0 * (kPoolFrames - 1);
    CHECK(took >= stream);
    CHECK(took <= stream + 70);
}

TEST_CASE("a slow destination holds the input of a pool") {
    const double took = run_frames(maxima(20, 1), 5000, true);
    CHECK(took == doctest::Approx(5.0 * kPoolFrames * 18 * 18 * 4).epsilon(0.04));
}

TEST_CASE("features of a pool go on when its outputs wait for less than a line") {
    // One output for each feature, at 5 cycles each to memory: the last features have been taken
    // when no more than a line of outputs waits, in the unit, on its link and in the engine.
    ReferencePool reference = maxima(20, 1);
    reference.window_x = reference.window_y = 1;
    double read = 0;
    const double took = run_frames(reference, 5000, true, &read);
    CHECK(took == doctest::Approx(5.0 * kPoolFrames * 20 * 20 * 4).epsilon(0.04));
    constexpr double kLine = 20 * 4;
    CHECK(read <= took - 5 * kLine);
    CHECK(read >= took - 5 * 5 * kLine);
}

TEST_CASE("a pool whose frame does not come whole says so") {
    Bench bench;
    PoolNode node({config_of(maxima(10, 1)), Rounding::HalfUp, kCycle, 0}, bench.network,
                  bench.link());
    bench.input(setup_of(raw(kSource, 399), false, 1));
    node.features.connect(permanent(1), bench.links);
    bench.output(setup_of(raw(kTarget, 256), true, 1, 1), permanent(0));
    run(bench.network);
    CHECK(bench.network.busy().size() == 2);
    CHECK(node.busy());
    CHECK(node.waits_for() == "features of frame 0");
}
