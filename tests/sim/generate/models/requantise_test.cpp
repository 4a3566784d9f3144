// SPDX-License-Identifier: Apache-2.0
// Edges of the arithmetic that a layer becomes, and of how units share depthwise layers: each case
// is one number away from another answer.
#include "sim/generate/lower/requantise.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/generate/lower/cost.h"
#include "sim/generate/lower/estimate.h"
#include "sim/generate/lower/node_layers.h"
#include "tests/sim/generate/models/layer_builder.h"

using namespace n6vp::test;
using namespace n6vp::sim::generate;

namespace {

constexpr double kLargest24 = 8388607;

/// The output of a form of one input, by hand: rounded at half of 2^res, upwards.
std::int64_t output_of(const AffineForm& form, std::int64_t x) {
    const std::int64_t half = form.res == 0 ? 0 : std::int64_t{1} << (form.res - 1);
    return (form.a * x + form.constant + half) >> form.res;
}

}  // namespace

TEST_CASE("eight bytes are one beat, nine are a burst of two") {
    CHECK(beats_of(3, 8).single == 3);
    CHECK(beats_of(3, 8).longer == 0);
    CHECK(beats_of(3, 9).single == 0);
    CHECK(beats_of(3, 9).longer == 6);
}

TEST_CASE("requantisation: sums keep a step beyond the lowest output") {
    // -129 / (1 / 255) = -32895 needs more than 16 bits, -128 / (1 / 255) = -32640 does not.
    const ChannelScale channel{1.0 / 255, 0, 0, -1'000'000, 200};
    const OutputRange range{0, -128, 0};
    CHECK(requantise({&channel, 1}, range, SumWidth::Bits16, false).out_shift == 1);
}

TEST_CASE("requantisation: partial sums are kept whole, final ones only as far as they decide") {
    const ChannelScale channel{1.0, 0, 0, -100'000, 100'000};
    const OutputRange range{0, -128, 127};
    // 100,000 has 18 bits with its sign; -129 to 128 decide.
    CHECK(requantise({&channel, 1}, range, SumWidth::Bits16, true).out_shift == 2);
    CHECK(requantise({&channel, 1}, range, SumWidth::Bits16, false).out_shift == 0);
}

TEST_CASE("both parts of a split factor are numbers of 16 bits with a sign") {
    CHECK(split_factor(1.75).high == 2);
    CHECK(split_factor(1.75).low == -16384);
    CHECK(split_factor(1.25).high == 1);
    CHECK(split_factor(1.25).low == 16384);
    for (const double value : {0.1, 0.4999, 0.5, 0.75, 0.99999, 31.7, 32766.6, -0.6, -3.5}) {
        CAPTURE(value);
        const SplitFactor split = split_factor(value);
        CHECK(split.low >= -32768);
        CHECK(split.low <= 32767);
        CHECK(split.high + std::ldexp(split.low, -16) == doctest::Approx(value).epsilon(1e-5));
    }
}

TEST_CASE("an exact form gives every allowed output, not one next to it") {
    // 0.5 is 16384 / 2^15: for 0 to stay 0 the constant is below half, for 2 to become 2 it is half
    // or more. A factor beside it can do both.
    const AllowedStep steps[] = {{0, 0, 0}, {2, 2, 2}};
    const auto form = exact_form(steps, 0.5);
    REQUIRE(form.has_value());
    CHECK(output_of(*form, 0) == 0);
    CHECK(output_of(*form, 2) == 2);
}

TEST_CASE("sums of two tensors stay within 24 bits at their largest") {
    // 127 + 128 twice, and 127: 637 times the factor.
    const auto form = sum_form(1, -128, 1, -128, 127);
    REQUIRE(form.has_value());
    const double c = std::ldexp(form->whole.c, static_cast<int>(form->whole.c_shift));
    const double largest = (form->whole.a + form->whole.b) * 127.0 + c;
    CHECK(std::ldexp(largest, -static_cast<int>(form->whole.res)) <= kLargest24);
}

TEST_CASE("a constant with a shift is the nearest that its 16 bits hold") {
    std::size_t shifted = 0;
    for (const double scale : {0.7731, 0.9173, 1.0021, 0.5119, 0.6667}) {
        for (const std::int32_t zero : {-128, -77, 3, 101}) {
            CAPTURE(scale);
            CAPTURE(zero);
            const AffineForm form = affine_form(scale, zero, 0, 0, 5);
            const std::int64_t held = std::int64_t{form.c} * (std::int64_t{1} << form.c_shift);
            const std::int64_t lost = std::abs(form.constant - held);
            CHECK(2 * lost <= std::int64_t{1} << form.c_shift);
            shifted += form.c_shift > 0 ? 1 : 0;
        }
    }
    CHECK(shifted > 10);
}

TEST_CASE("whole sums: a channel that moves its output by a thousandth keeps its sums") {
    // Beyond 2^-16 of a step it is no constant, whatever its offset.
    const ChannelScale channel{1e-6, 5'000'000, 0, -1000, 1000};
    const auto form = whole_sums({&channel, 1}, {0, -128, 127});
    REQUIRE(form.has_value());
    CHECK(form->sums == std::vector<std::int32_t>{1});
    const ChannelScale less{1e-9, 5'000'000, 0, -1000, 1000};
    CHECK(whole_sums({&less, 1}, {0, -128, 127})->sums == std::vector<std::int32_t>{0});
}

TEST_CASE("whole sums: a sum beyond the 24 bits of a link is refused, its offset or not") {
    // -9,000,000 to -4,000,000 on the link; with the offset 0 to 5,000,000.
    const ChannelScale wide{1e-5, 9'000'000, 0, -9'000'000, -4'000'000};
    CHECK_FALSE(whole_sums({&wide, 1}, {0, -128, 127}).has_value());
    const ChannelScale moved{1e-5, 9'000'000, 0, -4'000'000, 0};
    CHECK_FALSE(whole_sums({&moved, 1}, {0, -128, 127}).has_value());
    const ChannelScale fits{1e-5, 8'000'000, 0, -8'000'000, -4'000'000};
    CHECK(whole_sums({&fits, 1}, {0, -128, 127}).has_value());
}

TEST_CASE("depthwise passes that do not divide evenly: no channel is lost, no kernels are shared") {
    DepthwiseConv2D op;
    op.window = {3, 3, 1, 1, {1, 1, 1, 1}};
    std::size_t uneven = 0;
    for (const std::uint32_t channels : {9u, 15u, 33u, 63u}) {
        CAPTURE(channels);
        const Shape4 shape = {1, 6, 6, channels};
        const Graph graph = convolution_graph(op, shape, shape, {1, 3, 3, channels}, -128, 5);
        const ConvolutionLayer layer = convolution_of(graph, graph.nodes[0], op);
        ConvolutionPlan plan = plan_convolution(layer, true).value();
        if (plan.groups < 2) continue;
        const std::uint32_t passes = channels / plan.kernels;
        if (passes % plan.groups == 0) continue;
        ++uneven;
        WeightStore weights({Base::Weights, 0});
        const NpuEpoch epoch = lower_convolution(layer, plan, {Base::Absolute, 0x342E0000},
                                                 {Base::Absolute, 0x34270000}, weights);
        CHECK(estimate_epoch(epoch).written_bytes == 6 * 6 * channels);
        // Groups of different passes cannot take turns at one stream of kernels.
        std::size_t streams = 0;
        for (const UnitSettings& unit : epoch.units) {
            const auto& words = unit.words();
            streams += std::any_of(words.begin(), words.end(), [](const auto& word) {
                return word.second.base == Base::Weights;
            });
        }
        CHECK(streams == plan.groups);
    }
    CHECK(uneven > 0);
}
