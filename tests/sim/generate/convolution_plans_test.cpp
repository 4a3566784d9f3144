// SPDX-License-Identifier: Apache-2.0
// How the units share a convolution: every plan within their limits, none of the others clearly
// faster by the published closed form, which stands here a second time.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/generate/lower/convolution_layer.h"
#include "sim/generate/lower/cost.h"

using namespace n6vp::sim::generate;

namespace {

std::uint64_t up(std::uint64_t value, std::uint64_t by) {
    return (value + by - 1) / by;
}

ConvolutionLayer layer_of(PictureShape in, PictureShape out, const Window& window,
                          bool depthwise = false) {
    ConvolutionLayer layer;
    layer.in = in;
    layer.out = out;
    layer.window = window;
    layer.depthwise = depthwise;
    const std::uint32_t taps = window.height * window.width;
    layer.weights.assign(std::size_t{taps} * out.channels * (depthwise ? 1 : in.channels), 1);
    layer.bias.assign(out.channels, 5);
    layer.multipliers.assign(out.channels, 0.01);
    return layer;
}

/// Time of one-beat and longer bursts of `runs` stretches, `times` times.
double bursts(std::uint64_t runs, std::uint64_t bytes, std::uint64_t times, double single,
              double longer) {
    const auto count = static_cast<double>(runs * times);
    return bytes <= 8 ? count * single : count * static_cast<double>(up(bytes, 8)) * longer;
}

double expected_cycles(const ConvolutionLayer& layer, const ConvolutionPlan& plan, bool flash,
                       const CostParameters& cost) {
    const Window& w = layer.window;
    const std::uint64_t in_pixels = std::uint64_t{layer.in.height} * layer.in.width;
    const std::uint64_t out_pixels = std::uint64_t{layer.out.height} * layer.out.width;
    const std::uint64_t passes = std::uint64_t{plan.frames} * plan.rounds;
    // Three channels in a word of deep mode; the last word of a pixel is whole if it is not alone.
    const bool alone = plan.pipe == 1 && plan.rounds == 1;
    const std::uint64_t in = !plan.deep ? in_pixels * plan.depth
                             : alone    ? up(out_pixels * plan.depth, 3)
                                        : out_pixels * up(plan.depth, 3);
    const std::uint64_t set = std::uint64_t{w.height} * w.width * plan.depth * plan.kernels;
    const auto words = static_cast<double>(plan.deep ? up(set, 3) : set);
    const double bytes = static_cast<double>(set * plan.groups * plan.pipe) * cost.flash_byte;
    const double load = flash ? std::max(words, bytes) : words;
    const std::uint64_t ahead = w.height - 1 > w.pads.top ? w.height - 1 - w.pads.top : 0;
    const std::uint64_t made = ahead * layer.in.width * plan.depth + out_pixels * plan.kernels;
    const double frame = static_cast<double>(std::max(in, made)) + cost.frame_restart;
    const double units = load + (flash ? cost.flash_first : cost.ram_first) +
                         static_cast<double>(passes - 1) * std::max(frame, load) + frame;
    const bool whole = plan.depth == layer.in.channels;
    const double reads = bursts(whole ? 1 : in_pixels, (whole ? in_pixels : 1) * plan.depth,
                                passes * plan.pipe * (layer.depthwise ? plan.groups : 1),
                                cost.read_beat, cost.long_beat);
    const bool all = plan.kernels == layer.out.channels;
    const double writes =
        bursts(all ? 1 : out_pixels, (all ? out_pixels : 1) * plan.kernels,
               std::uint64_t{plan.frames} * plan.groups, cost.write_beat, cost.long_beat);
    return std::max({units, reads, writes});
}

/// 72 multipliers, 24 kernels, 128 channels and 384 coefficients of a unit; ten engines; two ARITH
/// of four for each group whose sums stay whole.
bool within_limits(const ConvolutionLayer& layer, const ConvolutionPlan& plan) {
    const Window& w = layer.window;
    const std::uint64_t taps = plan.deep ? 3 : w.height * up(w.width, w.stride_width);
    const std::uint32_t engines = plan.pipe + plan.groups * plan.pipe + plan.groups;
    const std::uint32_t most = layer.sums == SumWidth::Bits24 ? 2 : layer.depthwise ? 3 : 4;
    return taps * plan.kernels <= 72 && plan.kernels <= 24 && plan.depth <= 128 &&
           plan.frames * plan.kernels <= 384 && plan.groups * plan.pipe <= 4 &&
           (layer.depthwise || engines <= 10) && plan.groups <= most;
}

std::vector<ConvolutionPlan> all_plans(const ConvolutionLayer& layer) {
    std::vector<ConvolutionPlan> list;
    const Window& w = layer.window;
    ConvolutionPlan plan;
    const auto add = [&] {
        if (within_limits(layer, plan)) list.push_back(plan);
    };
    if (layer.depthwise) {
        for (plan.groups = 1; plan.groups <= 3; ++plan.groups) {
            for (const std::uint32_t kernels : {8U, 4U, 2U, 1U}) {
                if (layer.out.channels % kernels != 0) continue;
                const std::uint32_t passes = layer.out.channels / kernels;
                if (passes < plan.groups) continue;
                plan.depth = plan.kernels = kernels;
                plan.frames = static_cast<std::uint32_t>(up(passes, plan.groups));
                add();
            }
        }
        return list;
    }
    plan.deep = w.height == 1 && w.width == 1 && !w.pads.any();
    const bool pixel = plan.deep && layer.out.height == 1 && layer.out.width == 1;
    for (plan.pipe = 1; plan.pipe <= 4; ++plan.pipe) {
        for (plan.rounds = 1; plan.rounds <= (pixel && plan.pipe == 1 ? 255U : 1U); ++plan.rounds) {
            const std::uint32_t parts = plan.pipe * plan.rounds;
            if (layer.in.channels % parts != 0) continue;
            plan.depth = layer.in.channels / parts;
            for (plan.groups = 1; plan.groups * plan.pipe <= 4; ++plan.groups) {
                for (plan.kernels = 1; plan.kernels <= 24; ++plan.kernels) {
                    if (layer.out.channels % (plan.groups * plan.kernels) != 0) continue;
                    plan.frames = layer.out.channels / (plan.groups * plan.kernels);
                    add();
                }
            }
        }
    }
    return list;
}

}  // namespace

TEST_CASE("convolution plans: within the units' limits, and no other is 3 % faster") {
    const Window single = {1, 1, 1, 1, {}}, strided = {1, 1, 2, 2, {}};
    const Window same = {3, 3, 1, 1, {1, 1, 1, 1}}, half = {3, 3, 2, 2, {0, 1, 0, 1}};
    const Window tall = {5, 2, 1, 1, {}};
    std::vector<ConvolutionLayer> layers = {layer_of({6, 6, 24}, {6, 6, 32}, single),
                                            layer_of({25, 5, 64}, {25, 5, 64}, single),
                                            layer_of({9, 9, 130}, {9, 9, 20}, single),
                                            layer_of({8, 8, 16}, {4, 4, 16}, strided),
                                            layer_of({1, 1, 64}, {1, 1, 96}, single),
                                            layer_of({1, 1, 640}, {1, 1, 128}, single),
                                            layer_of({1, 1, 7}, {1, 1, 5}, single),
                                            layer_of({9, 7, 8}, {9, 7, 12}, same),
                                            layer_of({16, 16, 3}, {8, 8, 16}, half),
                                            layer_of({12, 6, 4}, {8, 5, 6}, tall),
                                            layer_of({9, 9, 1}, {9, 9, 24}, same),
                                            layer_of({9, 7, 8}, {9, 7, 8}, same, true),
                                            layer_of({9, 7, 64}, {9, 7, 64}, same, true),
                                            layer_of({12, 6, 10}, {8, 5, 10}, tall, true),
                                            layer_of({16, 16, 96}, {8, 8, 96}, half, true)};
    const std::size_t count = layers.size();
    for (std::size_t i = 0; i < count; ++i) {
        layers.push_back(layers[i]);
        layers.back().sums = SumWidth::Bits16;
    }
    CostParameters words;
    CostParameters restarts;
    restarts.frame_restart = 35;
    restarts.ram_first = 40;
    CostParameters memory;
    memory.read_beat = 3;
    memory.write_beat = 5;
    memory.long_beat = 2;
    CostParameters flash = restarts;
    flash.flash_byte = 2.5;
    flash.flash_first = 155;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const ConvolutionLayer& layer = layers[i];
        for (const CostParameters* cost : {&words, &restarts, &memory, &flash}) {
            CAPTURE(i);
            CAPTURE(cost->frame_restart);
            CAPTURE(cost->read_beat);
            const bool in_place = cost == &flash;
            const auto plan = plan_convolution(layer, in_place, *cost);
            REQUIRE(plan.has_value());
            CAPTURE(plan->text());
            CHECK(within_limits(layer, *plan));
            CHECK(plan->whole_sums == (layer.sums == SumWidth::Bits24));
            CHECK(plan->cycles == doctest::Approx(expected_cycles(layer, *plan, in_place, *cost)));
            const std::vector<ConvolutionPlan> all = all_plans(layer);
            double least = plan->cycles;
            for (const ConvolutionPlan& other : all)
                least = std::min(least, expected_cycles(layer, other, in_place, *cost));
            CHECK(least >= 0.97 * plan->cycles * (1 - 1e-12));
            CHECK(std::uint64_t{plan->frames} * plan->groups * plan->kernels >= layer.out.channels);
        }
    }
}

TEST_CASE("convolution plans: sides and strides that fields hold, and those that they do not") {
    const auto planned = [](const ConvolutionLayer& layer) {
        return plan_convolution(layer, false, CostParameters{}).has_value();
    };
    // Strides of 7, sides of 65535, 255 elements of padding around one channel.
    const auto strided = [](std::uint32_t high, std::uint32_t wide) {
        return layer_of({20, 20, 1}, {3, 3, 1}, {2, 2, high, wide, {}});
    };
    CHECK(planned(strided(7, 7)));
    CHECK_FALSE(planned(strided(8, 7)));
    CHECK_FALSE(planned(strided(7, 8)));
    // A 1x1 kernel skips pixels in its engine instead.
    CHECK(planned(layer_of({20, 20, 3}, {3, 3, 3}, {1, 1, 9, 9, {}})));
    // More taps than multipliers.
    CHECK(planned(layer_of({300, 4, 1}, {229, 4, 1}, {72, 1, 1, 1, {}})));
    CHECK_FALSE(planned(layer_of({300, 4, 1}, {228, 4, 1}, {73, 1, 1, 1, {}})));
    CHECK(planned(layer_of({65535, 1, 1}, {65535, 1, 1}, {1, 1, 1, 1, {}})));
    CHECK_FALSE(planned(layer_of({65536, 1, 1}, {65536, 1, 1}, {1, 1, 1, 1, {}})));
    CHECK(planned(layer_of({1, 65535, 1}, {1, 65535, 1}, {1, 1, 1, 1, {}})));
    CHECK_FALSE(planned(layer_of({1, 65536, 1}, {1, 65536, 1}, {1, 1, 1, 1, {}})));
    CHECK(planned(layer_of({1, 13107, 5}, {1, 13107, 5}, {1, 1, 1, 1, {}})));
    CHECK_FALSE(planned(layer_of({1, 13108, 5}, {1, 13108, 5}, {1, 1, 1, 1, {}})));
    const auto padded = [](const Pads& pads) {
        return layer_of({300, 300, 1}, {300, 300, 1}, {2, 2, 1, 1, pads});
    };
    for (const bool fits : {true, false}) {
        const std::uint32_t pad = fits ? 255 : 256;
        CHECK(planned(padded({pad, 0, 0, 0})) == fits);
        CHECK(planned(padded({0, pad, 0, 0})) == fits);
        CHECK(planned(padded({0, 0, pad, 0})) == fits);
        CHECK(planned(padded({0, 0, 0, pad})) == fits);
    }
    // 128 channels of a pass: a chain of units, or rounds over a single pixel, take more.
    CHECK(planned(layer_of({4, 4, 512}, {4, 4, 3}, {1, 1, 1, 1, {}})));
    CHECK_FALSE(planned(layer_of({4, 4, 516}, {4, 4, 3}, {1, 1, 1, 1, {}})));
    CHECK(planned(layer_of({1, 1, 516}, {1, 1, 3}, {1, 1, 1, 1, {}})));
    // 521 is a prime number.
    CHECK_FALSE(planned(layer_of({1, 1, 521}, {1, 1, 3}, {1, 1, 1, 1, {}})));
}

TEST_CASE("convolution plans: sums of 24 bits pass from unit to unit, larger ones do not") {
    // Inputs reach 128 in size: 2^23 - 1 = 128 * 65535 + 127.
    const auto with_sum = [](std::int32_t weights) {
        ConvolutionLayer layer = layer_of({1, 1, 1032}, {1, 1, 1}, {1, 1, 1, 1, {}});
        for (std::int8_t& weight : layer.weights) {
            weight = static_cast<std::int8_t>(std::min(weights, 127));
            weights -= weight;
        }
        CHECK(weights == 0);
        return layer;
    };
    CHECK_FALSE(overflows_links(with_sum(65535)));
    CHECK(overflows_links(with_sum(65536)));
    CHECK(plan_convolution(with_sum(65535), false, CostParameters{}).has_value());
    CHECK_FALSE(plan_convolution(with_sum(65536), false, CostParameters{}).has_value());
    // 128 channels need no other pass.
    ConvolutionLayer few = layer_of({1, 1, 128}, {1, 1, 1}, {1, 1, 1, 1, {}});
    CHECK_FALSE(overflows_links(few));
}

TEST_CASE("convolution plans: bounds of a channel's sum, its offset and what it is at rest") {
    ConvolutionLayer layer = layer_of({1, 1, 3}, {1, 1, 2}, {1, 1, 1, 1, {}});
    layer.weights = {1, -2, 5, -7, 0, 4};
    layer.bias = {100, -3};
    layer.input_zero = -10;
    layer.multipliers = {0.5, 0.25};
    const std::vector<ChannelScale> scales = channel_scales(layer);
    REQUIRE(scales.size() == 2);
    // Inputs are -128 to 127.
    CHECK(scales[0].least == -128 * (1 + 5) - 2 * 127);
    CHECK(scales[0].most == 127 * (1 + 5) + 2 * 128);
    CHECK(scales[0].rest == -10 * 4);
    CHECK(scales[0].offset == 100 + 10 * 4);
    CHECK(scales[0].multiplier == 0.5);
    CHECK(scales[1].least == -128 * 4 - 7 * 127);
    CHECK(scales[1].most == 127 * 4 + 7 * 128);
    CHECK(scales[1].offset == -3 + 10 * -3);
    CHECK(scales[1].multiplier == 0.25);
    // Depthwise: tap by tap, all channels of each.
    ConvolutionLayer apart = layer_of({1, 2, 2}, {1, 1, 2}, {1, 2, 1, 1, {}}, true);
    apart.weights = {3, -1, 4, 6};
    apart.input_zero = 2;
    const std::vector<ChannelScale> each = channel_scales(apart);
    CHECK(each[0].least == -128 * 7);
    CHECK(each[0].rest == 2 * 7);
    CHECK(each[1].most == 127 * 6 + 128);
    CHECK(each[1].offset == 5 - 2 * 5);
}

TEST_CASE("convolution plans: what a report says of them") {
    ConvolutionPlan plan;
    CHECK(plan.text() == "8x8, 1 unit, 1 channels to 1 kernels, 1 pass");
    plan.deep = true;
    plan.groups = 2;
    plan.pipe = 2;
    plan.depth = 70;
    plan.kernels = 20;
    plan.frames = 7;
    CHECK(plan.text() == "deep, 4 units in pipes of 2, 70 channels to 20 kernels, 7 passes");
    plan.pipe = 1;
    plan.rounds = 5;
    CHECK(plan.text() == "deep, 2 units, 70 channels to 20 kernels, 7 passes of 5 rounds");
}
