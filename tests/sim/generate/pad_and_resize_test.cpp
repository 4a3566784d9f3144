// SPDX-License-Identifier: Apache-2.0
// Padding and enlargement as epochs: against the convolution that does the same, and by hand.
#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sim/generate/operators/lower_graph.h"
#include "sim/host/errors.h"
#include "tests/sim/generate/graph_builder.h"

using namespace n6vp::sim::generate;
using namespace n6vp::test;

namespace {

using Dimensions = std::vector<std::uint32_t>;
using Amounts = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

ModelPlan plan_of(const Graph& graph) {
    LoweringOptions options;
    options.activations = default_activation_pools();
    return lower_graph(graph, options);
}

/// Registers and links of an epoch, by unit and offset.
struct Settings {
    std::vector<std::map<std::uint32_t, std::uint32_t>> units;
    std::map<std::uint32_t, std::uint32_t> links;
    bool operator==(const Settings&) const = default;
};

Settings settings_of(const ModelPlan& plan) {
    REQUIRE(plan.epochs.size() == 1);
    const auto& epoch = std::get<NpuEpoch>(plan.epochs[0]);
    Settings settings;
    settings.links = epoch.links;
    for (const UnitSettings& unit : epoch.units) {
        auto& words = settings.units.emplace_back();
        for (const auto& [offset, word] : unit.words()) words[offset] = word.value;
    }
    return settings;
}

/// A PAD with a value, over a tensor from which that value is zero.
Graph padding(const Dimensions& from, const Dimensions& to, const Amounts& amounts) {
    GraphBuilder builder;
    Pad op;
    op.amounts = amounts;
    op.value = 91;
    const TensorId in = builder.input(from, 0.05F, 91);
    const TensorId out = builder.activation(to, 0.05F, 91);
    builder.node(op, {in}, out);
    return builder.graph;
}

/// Weights of 1.
template <class Convolution>
Graph convolution(const Dimensions& from, const Dimensions& to, const Pads& pads,
                  const Dimensions& shape, const std::vector<int>& weights) {
    GraphBuilder builder;
    Convolution op;
    op.window.pads = pads;
    const TensorId in = builder.input(from, 0.05F, 91);
    const std::uint32_t axis = std::is_same_v<Convolution, DepthwiseConv2D> ? 3 : 0;
    const TensorId ones =
        builder.weights(shape, std::vector<float>(to.back(), 1.0F), axis, weights);
    const TensorId out = builder.activation(to, 0.05F, 91);
    builder.node(op, {in, ones}, out);
    return builder.graph;
}

void check_same(const Graph& one, const Graph& other) {
    const ModelPlan left = plan_of(one), right = plan_of(other);
    CHECK(settings_of(left) == settings_of(right));
    CHECK(left.weights == right.weights);
}

}  // namespace

TEST_CASE("padding of height and width is a depthwise convolution with weights of 1") {
    const Pads pads = {1, 2, 3, 0};
    const Graph wanted = convolution<DepthwiseConv2D>({1, 6, 5, 12}, {1, 9, 8, 12}, pads,
                                                      {1, 1, 1, 12}, std::vector<int>(12, 1));
    check_same(padding({1, 6, 5, 12}, {1, 9, 8, 12}, {{0, 0}, {1, 2}, {3, 0}, {0, 0}}), wanted);
    // Fewer dimensions: those on the right are meant.
    check_same(padding({6, 5, 12}, {9, 8, 12}, {{1, 2}, {3, 0}, {0, 0}}), wanted);
    for (const bool wide : {false, true}) {
        const Amounts amounts = wide ? Amounts{{0, 0}, {0, 0}, {2, 1}, {0, 0}}
                                     : Amounts{{0, 0}, {2, 1}, {0, 0}, {0, 0}};
        const Dimensions to = wide ? Dimensions{1, 6, 8, 12} : Dimensions{1, 9, 5, 12};
        const Pads one = wide ? Pads{0, 0, 2, 1} : Pads{2, 1, 0, 0};
        check_same(padding({1, 6, 5, 12}, to, amounts),
                   convolution<DepthwiseConv2D>({1, 6, 5, 12}, to, one, {1, 1, 1, 12},
                                                std::vector<int>(12, 1)));
    }
}

TEST_CASE("padding of channels is a dense convolution whose kernels see one channel or none") {
    for (const bool sides : {false, true}) {
        CAPTURE(sides);
        const Dimensions from = {1, 6, 5, 4};
        const Dimensions to = sides ? Dimensions{1, 9, 8, 9} : Dimensions{1, 6, 5, 9};
        std::vector<int> weights(36);                                      // 9 outputs of 4 inputs
        for (std::size_t c = 0; c < 4; ++c) weights[(c + 2) * 4 + c] = 1;  // two come before
        const Pads pads = sides ? Pads{1, 2, 3, 0} : Pads{};
        const Amounts amounts = sides ? Amounts{{0, 0}, {1, 2}, {3, 0}, {2, 3}}
                                      : Amounts{{0, 0}, {0, 0}, {0, 0}, {2, 3}};
        check_same(padding(from, to, amounts),
                   convolution<Conv2D>(from, to, pads, {9, 1, 1, 4}, weights));
    }
}

TEST_CASE("padding to more weights than a mebibyte is refused with the two numbers of channels") {
    try {
        static_cast<void>(
            plan_of(padding({1, 1, 1, 1024}, {1, 1, 1, 1025}, {{0, 0}, {0, 0}, {0, 0}, {0, 1}})));
        FAIL("lowered");
    } catch (const n6vp::sim::UserError& error) {
        CHECK(std::string(error.what()) == "PAD (layer 0, 't1'): 1024 channels to 1025");
        CHECK(error.remedy() == "join the tensor with a constant: CONCATENATION");
    }
}

TEST_CASE("enlargement by any ratio is one epoch of the core with the bytes of each pixel") {
    GraphBuilder builder;
    const TensorId in = builder.input({1, 6, 5, 3}, 0.05F, -10);
    const TensorId out = builder.activation({1, 7, 3, 3}, 0.05F, -10);
    builder.node(Resize{}, {in}, out);
    const ModelPlan plan = plan_of(builder.graph);
    REQUIRE(plan.epochs.size() == 1);
    const auto& epoch = std::get<CoreEpoch>(plan.epochs[0]);
    CHECK(epoch.elements == 63);
    CHECK(epoch.inputs.at(0).bytes == 90);
    const auto& work = std::get<PixelWork>(epoch.work);
    CHECK(work.pixel_bytes == 3);
    // Line floor(y * 6 / 7) of 15 bytes, column floor(x * 5 / 3) of 3.
    CHECK(work.lines == std::vector<std::uint32_t>{0, 0, 15, 30, 45, 60, 75});
    CHECK(work.columns == std::vector<std::uint32_t>{0, 3, 9});
}

TEST_CASE("enlargement by whole ratios is copies in the engines as far as they last") {
    const auto resized = [](std::uint32_t down, std::uint32_t right) {
        GraphBuilder builder;
        const TensorId in = builder.input({1, 6, 5, 12}, 0.05F, -10);
        const TensorId out = builder.activation({1, 6 * down, 5 * right, 12}, 0.05F, -10);
        builder.node(Resize{}, {in}, out);
        return plan_of(builder.graph).epochs;
    };
    // One engine reads, one writes each copy; ten there are.
    for (const auto& [down, right] : {std::pair{1u, 2u}, {2u, 1u}, {2u, 3u}, {3u, 3u}, {1u, 9u}}) {
        const std::vector<Epoch> epochs = resized(down, right);
        REQUIRE(epochs.size() == 1);
        const auto& epoch = std::get<NpuEpoch>(epochs[0]);
        CHECK(epoch.units.size() >= 1 + down * right);
        CHECK(epoch.choice == "copies, " + std::to_string(1 + down * right) + " engines");
    }
    for (const auto& [down, right] : {std::pair{2u, 5u}, {10u, 1u}}) {
        const std::vector<Epoch> epochs = resized(down, right);
        REQUIRE(epochs.size() == 1);
        CHECK(std::holds_alternative<CoreEpoch>(epochs[0]));
    }
}
