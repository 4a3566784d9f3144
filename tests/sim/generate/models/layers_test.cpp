// SPDX-License-Identifier: Apache-2.0
// Networks of one layer: generated, installed and run on the simulated chip. Results are compared
// with the layer in real numbers, and those of convolutions with the units' arithmetic.
#include <doctest/doctest.h>

#include <algorithm>
#include <variant>

#include "sim/generate/lower/convolution_layer.h"
#include "sim/generate/operators/evaluate.h"
#include "tests/sim/generate/models/layer_builder.h"

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
    std::uint32_t res = 0, by = 0;
    bool clips = false;
    std::int64_t low = -128, high = 127, constant = 0;
    std::vector<std::int64_t> offsets, factors, low_factors;  ///< by channel
};

/// Reads them from the settings, by the positions of the register list: ARITH.CTRL 0, SHIFT 0x08,
/// COEFFAC 0x1C, CLIPRANGE 0x38, coefficients from 0x400. Of two ARITH the first adds offsets, the
/// second has two inputs. Groups of units follow each other in channels.
Numbers numbers_of(const NpuEpoch& epoch) {
    Numbers numbers;
    for (const UnitSettings& unit : epoch.units) {
        const auto word = [&](std::uint32_t offset) {
            const auto found = unit.words().find(offset);
            return found == unit.words().end() ? 0 : found->second.value;
        };
        if (std::string(unit.unit().type->name) != "ARITH") continue;
        const bool two_inputs = (word(0) >> 8 & 1) != 0;
        for (std::uint32_t at = 0x400; unit.words().count(at) != 0; at += 8) {
            const std::uint32_t ab = word(at), c = word(at + 4);
            if (two_inputs) {
                numbers.factors.push_back(static_cast<std::int16_t>(ab & 0xFFFF));
                numbers.low_factors.push_back(static_cast<std::int16_t>(ab >> 16));
            } else {
                CHECK((ab & 0xFFFF) == 1);
                numbers.offsets.push_back(static_cast<std::int32_t>((ab & 0xFFFF0000) | c));
            }
        }
        if (!two_inputs) continue;
        numbers.res = word(0x08) >> 15 & 0x3F;
        numbers.by = word(0x08) >> 5 & 0x1F;
        numbers.constant = std::int64_t{static_cast<std::int16_t>(word(0x1C) >> 16)} *
                           (std::int64_t{1} << (word(0x08) >> 10 & 0x1F));
        numbers.clips = (word(0) >> 29 & 1) != 0;
        if (numbers.clips) {
            numbers.low = static_cast<std::int16_t>(word(0x38) >> 16);
            numbers.high = static_cast<std::int16_t>(word(0x38) & 0xFFFF);
        }
    }
    return numbers;
}

std::int64_t word24(std::int64_t value) {
    return std::clamp<std::int64_t>(value, -8388608, 8388607);
}

/// The units' arithmetic: sums to 24 bits, the channel's offset, both halves of its factor, 8 bits.
Picture unit_arithmetic(const Graph& graph, const Picture& input) {
    LoweringOptions options;
    options.activations = default_activation_pools();
    const ModelPlan plan = lower_graph(graph, options);
    const Numbers numbers = numbers_of(std::get<NpuEpoch>(plan.epochs.front()));
    REQUIRE(numbers.offsets.size() == numbers.factors.size());
    Picture result;
    std::size_t index = 0;
    for (const std::int64_t sum : plain_sums(graph, input)) {
        const std::size_t k = index++ % numbers.factors.size();
        const std::int64_t x = word24(word24(sum) + numbers.offsets[k]);
        const std::int64_t y = shift_half_up(
            numbers.factors[k] * x + (numbers.low_factors[k] * x >> numbers.by) + numbers.constant,
            numbers.res);
        result.push_back(static_cast<std::int8_t>(std::clamp(y, numbers.low, numbers.high)));
    }
    return result;
}

/// The layer's own meaning is met: by all elements, or by all but `most_differences`, which are one
/// step away.
void check_meaning(const Graph& graph, const Picture& got, const std::vector<Picture>& inputs,
                   std::size_t most_differences = 0) {
    const Picture expected = exact_layer(graph, inputs);
    const Agreement agreement = compare(got, expected);
    INFO("equal ", agreement.equal, ", within 1 ", agreement.within_one, " of ", agreement.elements,
         ", largest ", agreement.largest);
    CHECK(agreement.largest <= 1);
    CHECK(agreement.elements - agreement.equal <= most_differences);
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
    check_meaning(graph, got, {input});
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

TEST_CASE("3x3 convolution in every generation of containers") {
    using n6vp::loader::Generation;
    const Graph graph = small_convolution();
    const Picture input = random_picture(graph.tensors[0], 5);
    const Picture expected = unit_arithmetic(graph, input);
    for (const Generation generation :
         {Generation::Core21, Generation::Core22, Generation::Core30, Generation::Core4x}) {
        Setup setup;
        setup.build.generation = generation;
        CAPTURE(static_cast<int>(generation));
        CHECK(compare(run_on_chip(graph, setup, {input}), expected).largest == 0);
    }
}

TEST_CASE("3x3 convolution, stride 2, padded at one side only, with a limit of 6") {
    Conv2D op;
    op.window = window(3, 2, {0, 1, 0, 1});
    op.activation = Activation::Relu6;
    check_convolution(convolution_graph(op, {1, 16, 12, 3}, {1, 8, 6, 8}, {8, 3, 3, 3}, -128, 2));
}

TEST_CASE("3x3 convolution with a zero point of 0: the unit's own pads") {
    Conv2D op;
    op.window = window(3, 1, {1, 1, 1, 1});
    op.activation = Activation::Relu;
    check_convolution(convolution_graph(op, {1, 8, 8, 16}, {1, 8, 8, 32}, {32, 3, 3, 16}, 0, 3));
}

TEST_CASE("tall kernel of one channel, 10x4 with stride 2") {
    Conv2D op;
    op.window = {10, 4, 2, 2, {4, 5, 1, 1}};
    check_convolution(convolution_graph(op, {1, 49, 10, 1}, {1, 25, 5, 64}, {64, 10, 4, 1}, 83, 4));
}

TEST_CASE("1x1 convolution, three channels in a word") {
    check_convolution(
        convolution_graph(Conv2D{}, {1, 7, 5, 20}, {1, 7, 5, 24}, {24, 1, 1, 20}, -5, 5));
}

TEST_CASE("1x1 convolution with stride 2 sees every other pixel") {
    Conv2D op;
    op.window = {1, 1, 2, 2, {}};
    check_convolution(convolution_graph(op, {1, 8, 10, 16}, {1, 4, 5, 32}, {32, 1, 1, 16}, 3, 6));
}

TEST_CASE("1x1 convolution of more channels than a unit takes: pipes") {
    check_convolution(
        convolution_graph(Conv2D{}, {1, 3, 3, 256}, {1, 3, 3, 40}, {40, 1, 1, 256}, -128, 7));
}

TEST_CASE("3x1 convolution of more channels than a unit takes: pipes") {
    Conv2D op;
    op.window = {3, 1, 1, 1, {1, 1, 0, 0}};
    check_convolution(convolution_graph(op, {1, 4, 4, 192}, {1, 4, 4, 16}, {16, 3, 1, 192}, 11, 8));
}

TEST_CASE("depthwise 3x3, groups of channels shared unevenly") {
    DepthwiseConv2D op;
    op.window = window(3, 1, {1, 1, 1, 1});
    check_convolution(
        convolution_graph(op, {1, 25, 5, 64}, {1, 25, 5, 64}, {1, 3, 3, 64}, -128, 9));
}

TEST_CASE("depthwise 3x3, stride 2, few channels") {
    DepthwiseConv2D op;
    op.window = window(3, 2, {0, 1, 0, 1});
    op.activation = Activation::Relu6;
    check_convolution(convolution_graph(op, {1, 12, 12, 6}, {1, 6, 6, 6}, {1, 3, 3, 6}, 4, 10));
}

TEST_CASE("depthwise of one channel to many is a convolution") {
    DepthwiseConv2D op;
    op.window = window(3, 1, {1, 1, 1, 1});
    op.depth_multiplier = 8;
    check_convolution(convolution_graph(op, {1, 10, 9, 1}, {1, 10, 9, 8}, {1, 3, 3, 8}, 4, 11));
}

TEST_CASE("fully connected") {
    check_convolution(convolution_graph(FullyConnected{}, {1, 64}, {1, 10}, {10, 64}, -128, 12));
}

TEST_CASE("fully connected, rounds within the unit") {
    check_convolution(convolution_graph(FullyConnected{}, {1, 640}, {1, 128}, {128, 640}, 90, 13));
}

TEST_CASE("fully connected from 8 to 128") {
    check_convolution(convolution_graph(FullyConnected{}, {1, 8}, {1, 128}, {128, 8}, -128, 14));
}

namespace {

/// How far a layer may be from the reference in real numbers: that rounds once, networks often
/// twice, and means with other ties. And from TFLite's integer kernels.
struct Allowed {
    std::size_t from_real = 0, from_network = 0;
};

/// A layer without weights.
void check_plain(const Graph& graph, const Allowed& allowed = {}, const Setup& setup = {}) {
    std::vector<Picture> inputs;
    std::vector<std::vector<std::uint8_t>> bytes;
    for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
        inputs.push_back(
            random_picture(graph.tensors[graph.inputs[i]], static_cast<std::uint32_t>(31 + i)));
        bytes.emplace_back(inputs.back().begin(), inputs.back().end());
    }
    const Picture got = run_on_chip(graph, setup, inputs);
    check_meaning(graph, got, inputs, allowed.from_real);
    const auto network = evaluate(graph, bytes)[graph.outputs[0]];
    const Agreement agreement = compare(got, {network.begin(), network.end()});
    CHECK(agreement.largest <= 1);
    CHECK(agreement.elements - agreement.equal <= allowed.from_network);
}

/// Makes an operand a constant.
Graph with_constant(Graph graph, std::size_t operand) {
    Tensor& tensor = graph.tensors[graph.nodes[0].inputs[operand]];
    const Picture values = random_picture(tensor, 5);
    tensor.constant.assign(values.begin(), values.end());
    graph.inputs.erase(graph.inputs.begin() + static_cast<std::ptrdiff_t>(operand));
    return graph;
}

}  // namespace

TEST_CASE("addition of two scales") {
    Add op;
    op.activation = Activation::Relu;
    check_plain(plain_graph(
        op, {quantised("x", {1, 9, 7, 16}, 0.05F, -10), quantised("y", {1, 9, 7, 16}, 0.021F, 30)},
        quantised("out", {1, 9, 7, 16}, 0.06F, -40)));
}

TEST_CASE("difference, programmed by the core") {
    Setup setup;
    setup.build.controller = false;
    check_plain(plain_graph(Sub{},
                            {quantised("x", {1, 5, 5, 3}, 0.05F, -10),
                             quantised("y", {1, 5, 5, 3}, 0.03F, 30)},
                            quantised("out", {1, 5, 5, 3}, 0.07F, 4)),
                {}, setup);
}

TEST_CASE("change of scale") {
    check_plain(plain_graph(Quantize{}, {quantised("x", {1, 8, 8, 5}, 0.05F, -10)},
                            quantised("out", {1, 8, 8, 5}, 0.08F, 3)));
}

TEST_CASE("an activation that stands alone") {
    check_plain(plain_graph(Relu{Activation::Relu6}, {quantised("x", {1, 8, 8, 5}, 0.08F, -10)},
                            quantised("out", {1, 8, 8, 5}, 0.05F, -128)));
}

TEST_CASE("average over a whole picture") {
    AveragePool op;
    op.window = {25, 5, 25, 5, {}};
    check_plain(plain_graph(op, {quantised("x", {1, 25, 5, 64}, 0.05F, -10)},
                            quantised("out", {1, 1, 1, 64}, 0.05F, -10)));
}

TEST_CASE("mean of a whole picture to another scale") {
    check_plain(plain_graph(Mean{{1, 2}, false}, {quantised("x", {1, 8, 8, 24}, 0.05F, -10)},
                            quantised("out", {1, 24}, 0.008F, 20)),
                {1, 0});
}

TEST_CASE("mean of a whole picture to another zero point alone, and to another scale alone") {
    const Tensor picture = quantised("x", {1, 8, 8, 24}, 0.05F, -10);
    check_plain(plain_graph(Mean{{1, 2}, false}, {picture}, quantised("out", {1, 24}, 0.05F, 20)),
                {1, 1});
    check_plain(plain_graph(Mean{{1, 2}, false}, {picture}, quantised("out", {1, 24}, 0.02F, -10)),
                {1, 1});
}

TEST_CASE("average of windows") {
    AveragePool average;
    average.window = window(2, 2, {});
    check_plain(plain_graph(average, {quantised("x", {1, 12, 10, 20}, 0.05F, -10)},
                            quantised("out", {1, 6, 5, 20}, 0.05F, -10)),
                {20, 0});
}

TEST_CASE("maximum of windows that overlap") {
    MaxPool op;
    op.window = window(3, 2, {});
    check_plain(plain_graph(op, {quantised("x", {1, 13, 11, 16}, 0.05F, -10)},
                            quantised("out", {1, 6, 5, 16}, 0.05F, -10)));
}

TEST_CASE("softmax on the core") {
    check_plain(plain_graph(Softmax{}, {quantised("x", {1, 12}, 0.005F, 8)},
                            quantised("out", {1, 12}, 1.0F / 256, -128)));
}

TEST_CASE("change of scale to less than half rounds twice, as networks do") {
    check_plain(plain_graph(Quantize{}, {quantised("x", {1, 8, 8, 5}, 0.05F, -10)},
                            quantised("out", {1, 8, 8, 5}, 0.123F, 3)),
                {100, 0});
}

TEST_CASE("product of two tensors on the core") {
    Mul op;
    op.activation = Activation::Relu6;
    check_plain(plain_graph(op,
                            {quantised("x", {1, 9, 7, 6}, 0.05F, -10),
                             quantised("y", {1, 9, 7, 6}, 0.021F, 30)},
                            quantised("out", {1, 9, 7, 6}, 0.06F, -40)),
                {20, 0});
}

TEST_CASE("product with a constant for each channel") {
    check_plain(with_constant(plain_graph(Mul{},
                                          {quantised("x", {1, 5, 4, 6}, 0.05F, -10),
                                           quantised("y", {6}, 0.021F, 3)},
                                          quantised("out", {1, 5, 4, 6}, 0.08F, -4)),
                              1),
                {10, 0});
}

TEST_CASE("sum with a constant that stands first") {
    check_plain(with_constant(plain_graph(Add{},
                                          {quantised("x", {1, 1, 4, 1}, 0.05F, -10),
                                           quantised("y", {1, 5, 4, 6}, 0.03F, 3)},
                                          quantised("out", {1, 5, 4, 6}, 0.061F, -4)),
                              0),
                {4, 0});
}

TEST_CASE("difference of operands that both repeat") {
    // As many elements each, but four times as many together: [2, 1] and [1, 2] alike.
    check_plain(plain_graph(Sub{},
                            {quantised("x", {1, 4, 1, 3}, 0.05F, -10),
                             quantised("y", {1, 1, 4, 3}, 0.03F, 30)},
                            quantised("out", {1, 4, 4, 3}, 0.067F, 4)),
                {4, 0});
}

TEST_CASE("logistic on the core") {
    check_plain(plain_graph(Logistic{}, {quantised("x", {1, 9, 7, 4}, 0.04F, 8)},
                            quantised("out", {1, 9, 7, 4}, 1.0F / 256, -128)));
}

TEST_CASE("negation on the core") {
    check_plain(plain_graph(Neg{}, {quantised("x", {1, 9, 7, 4}, 0.04F, 8)},
                            quantised("out", {1, 9, 7, 4}, 0.04F, -11)));
}

TEST_CASE("concatenation along every dimension of a picture") {
    for (const std::uint32_t axis : {1u, 2u, 3u}) {
        CAPTURE(axis);
        std::vector<Tensor> parts;
        Shape4 whole = {1, 5, 6, 7};
        whole[axis] = 0;
        for (const std::uint32_t length : {3u, 8u, 1u}) {
            Shape4 shape = {1, 5, 6, 7};
            shape[axis] = length;
            whole[axis] += length;
            parts.push_back(quantised("part", shape, 0.05F, -10));
        }
        check_plain(plain_graph(Concat{axis}, parts, quantised("out", whole, 0.05F, -10)));
    }
}

// 90,000 pixels were a line too long.
TEST_CASE("concatenation along the height of large pictures is a run of bytes each") {
    check_plain(plain_graph(
        Concat{1},
        {quantised("x", {1, 300, 300, 1}, 0.05F, -10), quantised("y", {1, 1, 300, 1}, 0.05F, -10)},
        quantised("out", {1, 301, 300, 1}, 0.05F, -10)));
}

TEST_CASE("concatenation with a constant among the weights") {
    const Graph graph = plain_graph(
        Concat{3},
        {quantised("x", {1, 5, 6, 7}, 0.05F, -10), quantised("c", {1, 5, 6, 2}, 0.05F, -10)},
        quantised("out", {1, 5, 6, 9}, 0.05F, -10));
    check_plain(with_constant(graph, 1));
    Setup copied;
    copied.copy_weights = true;
    check_plain(with_constant(graph, 0), {}, copied);
}

TEST_CASE("padding of a picture with any value") {
    Pad op;
    op.amounts = {{0, 0}, {1, 2}, {3, 0}, {0, 0}};
    op.value = 91;
    check_plain(plain_graph(op, {quantised("x", {1, 6, 5, 12}, 0.05F, -10)},
                            quantised("out", {1, 9, 8, 12}, 0.05F, -10)));
}

TEST_CASE("padding of channels, alone and with the sides") {
    Pad op;
    op.value = -77;
    op.amounts = {{0, 0}, {0, 0}, {0, 0}, {3, 5}};
    check_plain(plain_graph(op, {quantised("x", {1, 6, 5, 12}, 0.05F, -10)},
                            quantised("out", {1, 6, 5, 20}, 0.05F, -10)));
    op.amounts = {{0, 0}, {1, 2}, {3, 0}, {0, 4}};
    check_plain(plain_graph(op, {quantised("x", {1, 6, 5, 12}, 0.05F, -10)},
                            quantised("out", {1, 9, 8, 16}, 0.05F, -10)));
}

TEST_CASE("padding of channels that several units share") {
    Pad op;
    op.amounts = {{0, 0}, {0, 0}, {0, 0}, {0, 64}};
    check_plain(plain_graph(op, {quantised("x", {1, 4, 4, 192}, 0.05F, -10)},
                            quantised("out", {1, 4, 4, 256}, 0.05F, -10)));
}

TEST_CASE("padding of a vector") {
    Pad op;
    op.value = 5;
    op.amounts = {{0, 0}, {0, 0}, {0, 0}, {1, 27}};
    check_plain(plain_graph(op, {quantised("x", {1, 1, 1, 100}, 0.05F, -10)},
                            quantised("out", {1, 1, 1, 128}, 0.05F, -10)));
}

TEST_CASE("resize that repeats pixels, in the engines") {
    check_plain(plain_graph(Resize{}, {quantised("x", {1, 6, 5, 12}, 0.05F, -10)},
                            quantised("out", {1, 12, 15, 12}, 0.05F, -10)));
}

TEST_CASE("resize to any size, on the core") {
    check_plain(plain_graph(Resize{}, {quantised("x", {1, 6, 5, 3}, 0.05F, -10)},
                            quantised("out", {1, 7, 3, 3}, 0.05F, -10)));
}
