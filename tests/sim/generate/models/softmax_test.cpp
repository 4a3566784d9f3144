// SPDX-License-Identifier: Apache-2.0
// Softmax of more than 64 elements is computed by Helium code: byte by byte what the formula of
// whole numbers gives, whatever the length of the last piece.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/generate/operators/evaluate.h"
#include "tests/sim/generate/models/combinations.h"
#include "tests/sim/generate/models/layer_builder.h"
#include "tests/support/process.h"

using namespace n6vp::test;
using namespace n6vp::sim::generate;

namespace {

/// Powers as multiples of 2^-22, shares rounded to 1/256.
Picture by_formula(const Picture& in, std::size_t elements, double scale) {
    Picture out(in.size());
    for (std::size_t row = 0; row < in.size(); row += elements) {
        const auto first = in.begin() + static_cast<std::ptrdiff_t>(row);
        const int largest = *std::max_element(first, first + static_cast<std::ptrdiff_t>(elements));
        const auto power = [&](std::size_t i) {
            const double real = std::exp(scale * (in[row + i] - largest));
            return static_cast<std::uint64_t>(std::llround(std::ldexp(real, 22)));
        };
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < elements; ++i) sum += power(i);
        for (std::size_t i = 0; i < elements; ++i) {
            const std::uint64_t share = (power(i) * 256 + sum / 2) / sum;
            out[row + i] = static_cast<std::int8_t>(
                static_cast<int>(std::min<std::uint64_t>(share, 255)) - 128);
        }
    }
    return out;
}

void check(std::uint32_t rows, std::uint32_t elements, float scale) {
    const Graph graph = plain_graph(Softmax{}, {quantised("x", {rows, elements}, scale, 8)},
                                    quantised("out", {rows, elements}, 1.0F / 256, -128));
    const Picture in = random_picture(graph.tensors[0], elements);
    CHECK(run_on_chip(graph, {}, {in}) == by_formula(in, elements, double{scale}));
}

/// Rows of a fully connected layer in the units, then their shares.
Graph classifier(std::uint32_t rows, std::uint32_t elements) {
    Graph graph =
        convolution_graph(FullyConnected{}, {rows, 64}, {rows, elements}, {elements, 64}, -128, 21);
    graph.tensors.push_back(quantised("shares", {rows, elements}, 1.0F / 256, -128));
    graph.nodes.push_back({Softmax{}, {3}, {4}, 1});
    graph.outputs = {4};
    return graph;
}

std::vector<std::uint8_t> bytes_of(const Picture& picture) {
    return {picture.begin(), picture.end()};
}

}  // namespace

TEST_CASE("softmax of one long row") {
    check(1, 512, 0.01F);
    check(1, 65, 0.05F);
}
TEST_CASE("softmax of rows that end within a vector") {
    check(5, 17, 0.1F);
    check(30, 3, 0.02F);
    check(3, 100, 0.3F);
}
TEST_CASE("softmax of few elements") {
    check(1, 12, 0.05F);
    check(64, 1, 0.05F);
}

TEST_CASE("long softmax behind a layer of the units: exact in all 24 combinations") {
    constexpr std::uint32_t kRows = 3, kElements = 100;
    const Graph graph = classifier(kRows, kElements);
    const Picture in = random_picture(graph.tensors[0], 4);
    const std::vector<std::vector<std::uint8_t>> inputs = {bytes_of(in)};
    const auto logits = evaluate(graph, inputs)[3];
    const Picture shares =
        by_formula({logits.begin(), logits.end()}, kElements, double{graph.tensors[3].scale_of(0)});
    LoweringOptions options;
    options.activations = default_activation_pools();
    const ModelPlan plan = lower_graph(graph, options);
    const ScratchFolder folder;
    const Expectation expectation{folder.write("in.bin", bytes_of(in)),
                                  folder.write("shares.bin", bytes_of(shares)), 0};
    std::string first;
    for (const bool controller : {true, false}) {
        CAPTURE(controller);
        BuildOptions build;
        build.controller = controller;
        const std::string model =
            folder.write("network_rel.bin", build_model(plan, build).packed.file);
        check_ways(model, all_ways(), expectation, first);
    }
}
