// SPDX-License-Identifier: Apache-2.0
// Networks of one layer: generated, installed and run on the simulated chip. Results are compared
// with the layer in real numbers, and those of convolutions with the units' arithmetic.
#include <doctest/doctest.h>

#include <algorithm>
#include <variant>

#include "sim/generate/convolution_layer.h"
#include "tests/sim/generated/layer_builder.h"

using namespace n6vp::test;
using namespace n6vp::sim::generate;

namespace {

Window window(std::uint32_t size, std::uint32_t stride, Pads pads) {
    return {size, size, stride, stride, pads};
}

std::int64_t shift_half_up(std::int64_t value, std::uint32_t shift) {
    return shift == 0 ? value : (value + (std::int64_t{1} << (shift - 1))) >> shift;
}

/// The registers of the epoch that decide about numbers.
struct Numbers {
    std::uint32_t out_shift = 0, res = 0;
    bool clips = false;
    std::int64_t low = -128, high = 127;
    std::vector<std::int64_t> factors, constants;
};

/// Reads them from the settings, by the positions of the register list: CONVACC.DFORMAT 0x10,
/// ARITH.CTRL 0, SHIFT 0x08, CLIPRANGE 0x38, coefficients from 0x400. `groups` units follow each
/// other in channels.
Numbers numbers_of(const NpuEpoch& epoch) {
    Numbers numbers;
    for (const UnitSettings& unit : epoch.units) {
        const std::string name = unit.unit().type->name;
        const auto word = [&](std::uint32_t offset) {
            const auto found = unit.words().find(offset);
            return found == unit.words().end() ? 0 : found->second.value;
        };
        if (name == "CONVACC") numbers.out_shift = word(0x10) >> 8 & 0x3F;
        if (name != "ARITH") continue;
        numbers.res = word(0x08) >> 15 & 0x3F;
        numbers.clips = (word(0) >> 29 & 1) != 0;
        if (numbers.clips) {
            numbers.low = static_cast<std::int16_t>(word(0x38) >> 16);
            numbers.high = static_cast<std::int16_t>(word(0x38) & 0xFFFF);
        }
        for (std::uint32_t at = 0x400; unit.words().count(at) != 0; at += 8) {
            const std::uint32_t ab = word(at), c = word(at + 4);
            numbers.factors.push_back(static_cast<std::int16_t>(ab & 0xFFFF));
            numbers.constants.push_back(static_cast<std::int32_t>((ab & 0xFFFF0000) | c));
        }
    }
    return numbers;
}

/// The units' arithmetic: sums to 16 bits, factor and constant of the channel, 8 bits.
Picture unit_arithmetic(const Graph& graph, const Picture& input) {
    LoweringOptions options;
    options.activations = default_activation_pools();
    const ModelPlan plan = lower_graph(graph, options);
    const Numbers numbers = numbers_of(std::get<NpuEpoch>(plan.epochs.front()));
    Picture result;
    std::size_t index = 0;
    for (const std::int64_t sum : plain_sums(graph, input)) {
        const std::size_t k = index++ % numbers.factors.size();
        const std::int64_t x = std::clamp<std::int64_t>(shift_half_up(sum, numbers.out_shift),
                                                        -32768, 32767);
        const std::int64_t y =
            shift_half_up(numbers.factors[k] * x + numbers.constants[k], numbers.res);
        result.push_back(static_cast<std::int8_t>(std::clamp(y, numbers.low, numbers.high)));
    }
    return result;
}

/// The layer's own meaning is met within one step nearly everywhere.
void check_meaning(const Graph& graph, const Picture& got, const Picture& first,
                   const Picture& second = {}) {
    const Picture expected = exact_layer(graph, first, second);
    const Agreement agreement = compare(got, expected);
    INFO("equal ", agreement.equal, ", within 1 ", agreement.within_one, " of ",
         agreement.elements, ", largest ", agreement.largest);
    CHECK(agreement.largest <= 1);
    CHECK(agreement.equal * 100 >= agreement.elements * 90);
    // The test would not notice much on a picture that is all limits.
    const auto at_limits = std::count_if(expected.begin(), expected.end(), [](std::int8_t value) {
        return value == -128 || value == 127;
    });
    CHECK(static_cast<std::size_t>(at_limits) * 2 <= expected.size());
}

void check_convolution(const Graph& graph, const Setup& setup = {}) {
    const Picture input = random_picture(graph.tensors[0], 77);
    const Picture got = run_on_chip(graph, setup, {input});
    CHECK(compare(got, unit_arithmetic(graph, input)).largest == 0);
    check_meaning(graph, got, input);
}

Graph small_convolution() {
    Conv2D op;
    op.window = window(3, 1, {1, 1, 1, 1});
    return convolution_graph(op, {1, 9, 10, 5}, {1, 9, 10, 12}, {12, 3, 3, 5}, 7, 1);
}

}  // namespace

TEST_CASE("3x3 convolution, blob of the epoch controller, weights in place") {
    check_convolution(small_convolution());
}

TEST_CASE("3x3 convolution, programmed by the core, weights copied, code copied") {
    Setup setup;
    setup.build.controller = false;
    setup.copy_weights = true;
    setup.mode = 2;
    check_convolution(small_convolution(), setup);
}
