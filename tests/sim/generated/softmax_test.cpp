// SPDX-License-Identifier: Apache-2.0
// Softmax of many elements is computed by Helium code: byte by byte what the formula of whole
// numbers gives, whatever the length of the last piece.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/sim/generated/layer_builder.h"

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
