// SPDX-License-Identifier: Apache-2.0
// Where the copies of layers that only move bytes go: every byte once, at the place that follows
// from the shapes.
#include "sim/generate/lower/copy_layers.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <vector>

#include "tests/sim/generate/graph_builder.h"

using namespace n6vp::test;
using namespace n6vp::sim::generate;

namespace {

using Lengths = std::vector<std::uint32_t>;

std::uint32_t elements_of(const Lengths& shape) {
    std::uint32_t count = 1;
    for (const std::uint32_t length : shape) count *= length;
    return count;
}

/// Offsets in the output of a target's bytes, in the order in which they arrive.
std::vector<std::uint32_t> places_of(const CopyTarget& target) {
    std::vector<std::uint32_t> places;
    for (std::uint32_t y = 0; y < target.height; ++y) {
        for (std::uint32_t x = 0; x < target.width; ++x) {
            for (std::uint32_t i = 0; i < target.size; ++i)
                places.push_back(target.offset + y * target.line_pitch + x * target.pitch + i);
        }
    }
    return places;
}

CopyLayer joined_parts(const std::vector<Lengths>& parts, Lengths whole, std::uint32_t axis) {
    GraphBuilder builder;
    std::vector<TensorId> inputs;
    inputs.reserve(parts.size());
    for (const Lengths& part : parts) inputs.push_back(builder.input(part, 1, 0));
    const TensorId output = builder.activation(whole, 1, 0);
    builder.node(Concat{axis}, inputs, output);
    return concatenation_copies(builder.graph, builder.graph.nodes[0], axis);
}

void check_joined(const std::vector<Lengths>& parts, const Lengths& whole, std::uint32_t axis) {
    CAPTURE(axis);
    CAPTURE(whole.size());
    const CopyLayer layer = joined_parts(parts, whole, axis);
    REQUIRE(layer.sources.size() == parts.size());
    CHECK(layer.output_bytes == elements_of(whole));
    const std::uint32_t line = elements_of({whole.begin() + axis, whole.end()});
    std::uint32_t before = 0;
    std::set<std::uint32_t> taken;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        CAPTURE(k);
        const std::uint32_t all = elements_of(parts[k]);
        const std::uint32_t run = elements_of({parts[k].begin() + axis, parts[k].end()});
        CHECK(layer.sources[k].elements == all);
        REQUIRE(layer.sources[k].targets.size() == 1);
        std::vector<std::uint32_t> expected;
        for (std::uint32_t i = 0; i < all; ++i)
            expected.push_back(i / run * line + before + i % run);
        CHECK(places_of(layer.sources[k].targets[0]) == expected);
        taken.insert(expected.begin(), expected.end());
        before += run;
    }
    CHECK(taken.size() == elements_of(whole));
}

}  // namespace

TEST_CASE("copies: parts that are joined lie side by side in the output, along any dimension") {
    check_joined({{2, 3, 4, 5}, {1, 3, 4, 5}}, {3, 3, 4, 5}, 0);
    check_joined({{1, 2, 4, 5}, {1, 3, 4, 5}, {1, 1, 4, 5}}, {1, 6, 4, 5}, 1);
    check_joined({{2, 2, 4, 5}, {2, 3, 4, 5}}, {2, 5, 4, 5}, 1);
    check_joined({{1, 3, 2, 5}, {1, 3, 4, 5}}, {1, 3, 6, 5}, 2);
    check_joined({{1, 3, 4, 2}, {1, 3, 4, 5}, {1, 3, 4, 1}}, {1, 3, 4, 8}, 3);
    check_joined({{2, 3, 4, 2}, {2, 3, 4, 5}}, {2, 3, 4, 7}, 3);
    check_joined({{1, 7}, {1, 2}}, {1, 9}, 1);
    check_joined({{6, 7}, {6, 2}}, {6, 9}, 1);
    check_joined({{7}, {2}}, {9}, 0);
    CHECK(joined_parts({{1, 2}, {1, 3}}, {1, 5}, 1).choice == "copies, 4 engines");
}

TEST_CASE("copies: an enlarged picture has every pixel in a block of its own") {
    GraphBuilder builder;
    const TensorId small = builder.input({1, 2, 3, 4}, 1, 0);
    const TensorId large = builder.activation({1, 4, 9, 4}, 1, 0);
    builder.node(Resize{}, {small}, large);
    const CopyLayer layer = enlargement_copies(builder.graph, builder.graph.nodes[0], Resize{});
    CHECK(layer.choice == "copies, 7 engines");  // one reads, 2 x 3 write
    CHECK(layer.output_bytes == 4 * 9 * 4);
    REQUIRE(layer.sources.size() == 1);
    CHECK(layer.sources[0].elements == 2 * 3 * 4);
    REQUIRE(layer.sources[0].targets.size() == 6);
    std::set<std::uint32_t> taken;
    for (const CopyTarget& target : layer.sources[0].targets) {
        const std::vector<std::uint32_t> places = places_of(target);
        REQUIRE(places.size() == 2 * 3 * 4);
        for (std::uint32_t i = 0; i < places.size(); ++i) {
            // Channel, column and line of the source are those of the place.
            CHECK(places[i] % 4 == i % 4);
            CHECK(places[i] / 4 % 9 / 3 == i / 4 % 3);
            CHECK(places[i] / 4 / 9 / 2 == i / 4 / 3);
        }
        taken.insert(places.begin(), places.end());
    }
    CHECK(taken.size() == 4 * 9 * 4);
}

TEST_CASE("copies: as many streams as engines are taken, one more is refused") {
    CopyLayer layer;
    layer.sources.resize(5);
    for (CopySource& source : layer.sources) source.targets.resize(1);
    CHECK_FALSE(copy_refusal(layer).has_value());
    layer.sources[0].targets.resize(2);
    REQUIRE(copy_refusal(layer).has_value());
    CHECK(copy_refusal(layer)->what == "11 streams, more than the 10 engines");
    CHECK(copy_refusal(layer)->remedy == "join at most 5 tensors at a time");
    // Sides are fields of 16 bits; one pixel has no side.
    layer.sources.resize(1);
    for (const std::uint32_t side : {65535u, 65536u}) {
        for (std::uint32_t CopyTarget::*const field :
             {&CopyTarget::width, &CopyTarget::height, &CopyTarget::size}) {
            CopyTarget target;
            target.width = target.height = 2;
            target.*field = side;
            layer.sources[0].targets = {target};
            CHECK(copy_refusal(layer).has_value() == (side > 65535));
        }
    }
    CopyTarget run;
    run.size = 70000;
    layer.sources[0].targets = {run};
    CHECK_FALSE(copy_refusal(layer).has_value());
}
