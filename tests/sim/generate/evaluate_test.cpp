// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/operators/evaluate.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sim/generate/evaluate/fixed_point.h"
#include "sim/generate/operators/import.h"
#include "sim/host/errors.h"
#include "tests/sim/generate/graph_builder.h"
#include "tests/sim/generate/npy_bytes.h"

using namespace n6vp::sim::generate;
using namespace n6vp::test;

namespace {

const std::string kNetworks = N6VP_NETWORKS;

std::vector<int> outputs_of(const GraphBuilder& builder,
                            const std::vector<std::vector<int>>& inputs) {
    std::vector<std::vector<std::uint8_t>> bytes;
    bytes.reserve(inputs.size());
    for (const std::vector<int>& input : inputs) bytes.push_back(int8_data(input));
    const TensorValues values = evaluate(builder.graph, bytes);
    std::vector<int> result;
    for (const std::uint8_t byte : values[builder.graph.outputs[0]]) {
        result.push_back(static_cast<std::int8_t>(byte));
    }
    return result;
}

void expect_network(const std::string& name) {
    const Graph graph = read_tflite(kNetworks + "/" + name + ".tflite");
    int cases = 0;
    for (const char* const input :
         {"max", "min", "ramp", "rand1", "rand2", "rand3", "rand4", "smooth", "zero"}) {
        CAPTURE(input);
        std::string stem = kNetworks + "/expected/";
        stem.append(name).append("/").append(input);
        const TensorValues values =
            evaluate(graph, std::vector<std::vector<std::uint8_t>>{npy_bytes(stem + "_in.npy")});
        CHECK(values[graph.outputs[0]] == npy_bytes(stem + "_out0.npy"));
        ++cases;
    }
    CHECK(cases == 9);
}

}  // namespace

TEST_CASE("ad01_int8 evaluates to the outputs of the TFLite interpreter, bit by bit") {
    expect_network("ad01_int8");
}

TEST_CASE("kws_ref_model evaluates to the outputs of the TFLite interpreter, bit by bit") {
    expect_network("kws_ref_model");
}

TEST_CASE("pretrainedResnet_quant evaluates to the outputs of the TFLite interpreter, bit by bit") {
    expect_network("pretrainedResnet_quant");
}

TEST_CASE("vww_96_int8 evaluates to the outputs of the TFLite interpreter, bit by bit") {
    expect_network("vww_96_int8");
}

TEST_CASE("multipliers are the nearest 31-bit significands") {
    CHECK(fixed_multiplier(0.5).significand == 1 << 30);
    CHECK(fixed_multiplier(0.5).exponent == 0);
    CHECK(fixed_multiplier(1.0).significand == 1 << 30);
    CHECK(fixed_multiplier(1.0).exponent == 1);
    // 0.75 = 0.11b
    CHECK(fixed_multiplier(0.75).significand == 3 << 29);
    // Just below 1: rounds up to the next power of two.
    CHECK(fixed_multiplier(1.0 - 1e-12).significand == 1 << 30);
    CHECK(fixed_multiplier(1.0 - 1e-12).exponent == 1);
    CHECK(fixed_multiplier(0).significand == 0);
    CHECK(fixed_multiplier(1e-12).significand == 0);
    CHECK(fixed_multiplier(1e20).exponent == 30);
    CHECK(fixed_multiplier(std::numeric_limits<double>::infinity()).exponent == 30);
}

TEST_CASE("one rounding and two differ where both halves round up") {
    const FixedMultiplier eighth = fixed_multiplier(0.125);
    // 20/8 = 2.5, -20/8 = -2.5
    CHECK(multiply(20, eighth) == 3);
    CHECK(multiply(-20, eighth) == -3);
    CHECK(multiply_once(20, eighth) == 3);
    CHECK(multiply_once(-20, eighth) == -2);
    // 3 * 0.1666... = 0.49999...: the first of two roundings makes it a half.
    const FixedMultiplier sixth = {1431655765, -2};
    CHECK(multiply(3, sixth) == 1);
    CHECK(multiply_once(3, sixth) == 0);
    // 2^30 * 4 leaves 32 bits.
    CHECK(multiply(1 << 30, fixed_multiplier(4.0)) == 1 << 30);
    CHECK(multiply_once(1 << 30, fixed_multiplier(4.0)) == 2147483647);
}

TEST_CASE("a negative product that ends on a half is rounded towards zero") {
    // The library's high product: -1, 1 and -3 halves.
    CHECK(doubling_high_product(-1, 1 << 30) == 0);
    CHECK(doubling_high_product(1, 1 << 30) == 1);
    CHECK(doubling_high_product(-3, 1 << 30) == -1);
}

TEST_CASE("a convolution pads with its zero point, counts strides and adds its bias") {
    GraphBuilder b;
    const TensorId in = b.input({1, 3, 3, 1}, 0.5F, 1);
    // Two kernels: the sum of the window, and twice its centre.
    const TensorId weights = b.weights({2, 3, 3, 1}, {1.0F, 0.5F}, 0,
                                       {1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0});
    const TensorId bias = b.bias({4, -8});
    const TensorId out = b.activation({1, 2, 2, 2}, 0.5F, -3);
    b.node(Conv2D{{3, 3, 2, 2, {1, 1, 1, 1}}, 1, 1, Activation::None}, {in, weights, bias}, out);
    // Above the zero point the picture is 1 2 3 / 4 5 6 / 7 8 9. Window sums at the corners:
    // 12, 16, 24, 28; plus 4, times 0.5 * 1 / 0.5, minus 3. Centres doubled: 2, 6, 14, 18; minus 8,
    // times 0.5, minus 3.
    CHECK(outputs_of(b, {{2, 3, 4, 5, 6, 7, 8, 9, 10}}) ==
          std::vector<int>{13, -6, 17, -4, 25, 0, 29, 2});
}

TEST_CASE("a dilated convolution takes every second element") {
    GraphBuilder b;
    const TensorId in = b.input({1, 1, 5, 1}, 1.0F, 0);
    const TensorId weights = b.weights({1, 1, 3, 1}, {1.0F}, 0, {1, 10, 100});
    const TensorId out = b.activation({1, 1, 1, 1}, 8.0F, 0);
    b.node(Conv2D{{1, 3, 1, 1, {}}, 1, 2, Activation::None}, {in, weights}, out);
    // 1 + 30 + 500 = 531; / 8 = 66.4
    CHECK(outputs_of(b, {{1, 2, 3, 4, 5}}) == std::vector<int>{66});
}

TEST_CASE("a dilated convolution with padding takes the elements that are there") {
    GraphBuilder b;
    const TensorId in = b.input({1, 1, 5, 1}, 1.0F, 0);
    const TensorId weights = b.weights({1, 1, 3, 1}, {1.0F}, 0, {1, 10, 100});
    const TensorId out = b.activation({1, 1, 5, 1}, 8.0F, 0);
    b.node(Conv2D{{1, 3, 1, 1, {0, 0, 2, 2}}, 1, 2, Activation::None}, {in, weights}, out);
    // 10 + 300, 20 + 400, 1 + 30 + 500, 2 + 40, 3 + 50; / 8 = 38.75, 52.5, 66.4, 5.25, 6.6
    CHECK(outputs_of(b, {{1, 2, 3, 4, 5}}) == std::vector<int>{39, 53, 66, 5, 7});
}

TEST_CASE("a depthwise convolution with a multiplier makes neighbouring outputs of one input") {
    GraphBuilder b;
    const TensorId in = b.input({1, 1, 2, 2}, 1.0F, 0);
    const TensorId weights =
        b.weights({1, 1, 2, 4}, {1.0F, 1.0F, 1.0F, 2.0F}, 3, {1, 2, 3, 4, 10, 20, 30, 40});
    const TensorId out = b.activation({1, 1, 1, 4}, 1.0F, 0);
    b.node(DepthwiseConv2D{{1, 2, 1, 1, {}}, 1, 1, 2, Activation::Relu}, {in, weights}, out);
    // Channels 1 2 / 3 -1: outputs 1 + 30, 2 + 60, 6 - 30 cut to 0, (8 - 40) * 2 cut to 0.
    CHECK(outputs_of(b, {{1, 2, 3, -1}}) == std::vector<int>{31, 62, 0, 0});
}

TEST_CASE(
    "a convolution of which nothing is said has one step, one weight and one output per input") {
    for (const bool depthwise : {false, true}) {
        CAPTURE(depthwise);
        GraphBuilder b;
        const TensorId in = b.input({1, 2, 2, 1}, 1.0F, 0);
        const TensorId weights = b.weights({1, 1, 1, 1}, {1.0F}, depthwise ? 3 : 0, {3});
        const TensorId out = b.activation({1, 2, 2, 1}, 1.0F, 0);
        b.node(depthwise ? Operator{DepthwiseConv2D{}} : Operator{Conv2D{}}, {in, weights}, out);
        CHECK(outputs_of(b, {{1, -2, 3, -4}}) == std::vector<int>{3, -6, 9, -12});
    }
}

TEST_CASE("a fully connected layer repeats over rows and saturates") {
    GraphBuilder b;
    const TensorId in = b.input({2, 2}, 1.0F, 0);
    const TensorId weights = b.weights({3, 2}, {1.0F}, 0, {1, 0, 0, 1, 100, 100});
    const TensorId bias = b.bias({0, 5, 0});
    const TensorId out = b.activation({2, 3}, 1.0F, 0);
    b.node(FullyConnected{}, {in, weights, bias}, out);
    CHECK(outputs_of(b, {{1, 2, -3, -4}}) == std::vector<int>{1, 7, 127, -3, 1, -128});
}

TEST_CASE("activations cut at the stored values of 0, 6 and 1") {
    GraphBuilder b;
    const TensorId in = b.input({5}, 0.1F, 0);
    const TensorId out = b.activation({5}, 0.1F, -10);
    SUBCASE("RELU") {
        b.node(Relu{Activation::Relu}, {in}, out);
        CHECK(outputs_of(b, {{-20, 0, 20, 80, 127}}) == std::vector<int>{-10, -10, 10, 70, 117});
    }
    SUBCASE("RELU6: 6 / 0.1 - 10") {
        b.node(Relu{Activation::Relu6}, {in}, out);
        CHECK(outputs_of(b, {{-20, 0, 20, 80, 127}}) == std::vector<int>{-10, -10, 10, 50, 50});
    }
    SUBCASE("RELU_N1_TO_1: from -20 to 0") {
        b.node(Relu{Activation::ReluN1To1}, {in}, out);
        CHECK(outputs_of(b, {{-20, -5, 0, 80, 127}}) == std::vector<int>{-20, -15, -10, 0, 0});
    }
}

TEST_CASE("sums, differences and products of different scales") {
    GraphBuilder b;
    const TensorId left = b.input({1, 1, 2, 2}, 0.5F, 10);
    const TensorId right = b.input({2}, 0.25F, -10);
    const TensorId out = b.activation({1, 1, 2, 2}, 0.5F, 1);
    // Left is 1, 2, 3, 4 and the repeated right 0.5, -1.
    const std::vector<std::vector<int>> values = {{12, 14, 16, 18}, {-8, -14}};
    SUBCASE("sum 1.5 1 3.5 3") {
        b.node(Add{}, {left, right}, out);
        CHECK(outputs_of(b, values) == std::vector<int>{4, 3, 8, 7});
    }
    SUBCASE("difference 0.5 3 2.5 5") {
        b.node(Sub{}, {left, right}, out);
        CHECK(outputs_of(b, values) == std::vector<int>{2, 7, 6, 11});
    }
    SUBCASE("product 0.5 -2 1.5 -4") {
        b.node(Mul{}, {left, right}, out);
        CHECK(outputs_of(b, values) == std::vector<int>{2, -3, 4, -7});
    }
    SUBCASE("product with RELU") {
        b.node(Mul{Activation::Relu}, {left, right}, out);
        CHECK(outputs_of(b, values) == std::vector<int>{2, 1, 4, 1});
    }
}

TEST_CASE("a negation turns about both zero points and is cut at the ends of int8") {
    for (const auto& zeros : {std::pair{0, 0}, {-128, -128}, {127, 127}, {3, -7}}) {
        const auto [from, to] = zeros;
        CAPTURE(zeros.first);
        GraphBuilder b;
        const TensorId in = b.input({256}, 0.5F, from);
        const TensorId out = b.activation({256}, 0.5F, to);
        b.node(Neg{}, {in}, out);
        std::vector<int> numbers, expected;
        for (int x = -128; x < 128; ++x) {
            numbers.push_back(x);
            // The library's kernel for int8: the sum of the zero points less the input.
            expected.push_back(std::min(127, std::max(-128, from + to - x)));
        }
        CHECK(outputs_of(b, {numbers}) == expected);
    }
}

TEST_CASE("pools leave padded elements out") {
    GraphBuilder b;
    const TensorId in = b.input({1, 2, 2, 1}, 1.0F, 0);
    const TensorId out = b.activation({1, 2, 2, 1}, 1.0F, 0);
    const Window window = {2, 2, 1, 1, {0, 1, 0, 1}};
    SUBCASE("average of 4, 2, 2 and 1 elements, halves away from zero") {
        b.node(AveragePool{window, Activation::None}, {in}, out);
        CHECK(outputs_of(b, {{1, 2, -4, -9}}) == std::vector<int>{-3, -4, -7, -9});
    }
    SUBCASE("maximum") {
        b.node(MaxPool{window, Activation::None}, {in}, out);
        CHECK(outputs_of(b, {{1, 2, -4, -9}}) == std::vector<int>{2, 2, -4, -9});
    }
}

TEST_CASE("a mean over lines and columns changes scale") {
    GraphBuilder b;
    const TensorId in = b.input({1, 2, 2, 2}, 0.5F, 4);
    const TensorId out = b.activation({1, 2}, 0.25F, -1);
    b.node(Mean{{1, 2}, false}, {in}, out);
    // Above the zero point: 0 2 4 10 and 1 1 1 2; means 4 and 1.25; doubled, minus 1.
    CHECK(outputs_of(b, {{4, 5, 6, 5, 8, 5, 14, 6}}) == std::vector<int>{7, 2});
}

TEST_CASE("concatenation along the inner axis and an outer one") {
    GraphBuilder b;
    const TensorId left = b.input({2, 2}, 1.0F, 0);
    const TensorId right = b.input({2, 1}, 1.0F, 0);
    const TensorId out = b.activation({2, 3}, 1.0F, 0);
    b.node(Concat{1}, {left, right}, out);
    CHECK(outputs_of(b, {{1, 2, 3, 4}, {5, 6}}) == std::vector<int>{1, 2, 5, 3, 4, 6});
}

TEST_CASE("padding surrounds with its value, a reshape moves nothing") {
    GraphBuilder b;
    const TensorId in = b.input({1, 2, 1}, 1.0F, 7);
    const TensorId padded = b.activation({1, 4, 2}, 1.0F, 7);
    const TensorId out = b.activation({8}, 1.0F, 7);
    b.node(Pad{{{0, 0}, {1, 1}, {0, 1}}, 7}, {in}, padded);
    b.node(Reshape{}, {padded}, out);
    CHECK(outputs_of(b, {{1, 2}}) == std::vector<int>{7, 7, 1, 7, 2, 7, 7, 7});
}

TEST_CASE("requantisation changes scale, zero point and type") {
    GraphBuilder b;
    const TensorId in = b.input({4}, 0.5F, -128);
    const TensorId out = b.activation({4}, 1.0F, 0);
    b.graph.tensors[out].type = ElementType::Uint8;
    b.node(Quantize{}, {in}, out);
    // 0, 1, 255 and 3 halves.
    CHECK(outputs_of(b, {{-128, -127, 127, -125}}) ==
          std::vector<int>{0, 1, static_cast<std::int8_t>(128), 2});
}

TEST_CASE("softmax and logistic give probabilities in 1/256") {
    GraphBuilder b;
    SUBCASE("two equal inputs and one far below") {
        const TensorId in = b.input({3}, 0.5F, 0);
        const TensorId out = b.activation({3}, 1.0F / 256, -128);
        b.node(Softmax{1.0F}, {in}, out);
        CHECK(outputs_of(b, {{100, 100, -100}}) == std::vector<int>{0, 0, -128});
    }
    SUBCASE("odds of e^1: 0.7311 and 0.2689") {
        const TensorId in = b.input({2}, 0.5F, 3);
        const TensorId out = b.activation({2}, 1.0F / 256, -128);
        b.node(Softmax{1.0F}, {in}, out);
        CHECK(outputs_of(b, {{2, 0}}) == std::vector<int>{59, -59});
    }
    SUBCASE("logistic of -8, 0, 1 and 8") {
        const TensorId in = b.input({4}, 0.125F, 0);
        const TensorId out = b.activation({4}, 1.0F / 256, -128);
        b.node(Logistic{}, {in}, out);
        // 0.000335, 0.5, 0.7311, 0.99966 in 1/256, 256 cut to 255
        CHECK(outputs_of(b, {{-64, 0, 8, 64}}) == std::vector<int>{-128, 0, 59, 127});
    }
}

TEST_CASE("scales whose product is no float any more saturate") {
    GraphBuilder b;
    SUBCASE("product") {
        const TensorId left = b.input({2}, 1e30F, 0);
        const TensorId right = b.input({2}, 1e30F, 0);
        const TensorId out = b.activation({2}, 1.0F, 0);
        b.node(Mul{}, {left, right}, out);
        CHECK(outputs_of(b, {{1, 0}, {-1, 1}}) == std::vector<int>{-128, 0});
    }
    SUBCASE("softmax") {
        const TensorId in = b.input({2}, 1e38F, 0);
        const TensorId out = b.activation({2}, 1.0F / 256, -128);
        b.node(Softmax{100.0F}, {in}, out);
        CHECK(outputs_of(b, {{2, 1}}) == std::vector<int>{127, -128});
    }
}

TEST_CASE("resizing a line of two to four") {
    GraphBuilder b;
    const TensorId in = b.input({1, 1, 2, 1}, 1.0F, 0);
    const TensorId out = b.activation({1, 1, 4, 1}, 1.0F, 0);
    const auto run = [&](const Resize& op) {
        b.node(op, {in}, out);
        return outputs_of(b, {{0, 100}});
    };
    SUBCASE("nearest") {
        CHECK(run({ResizeMode::Nearest, false, false}) == std::vector<int>{0, 0, 100, 100});
    }
    SUBCASE("nearest, corners aligned: sources 0, 1/3, 2/3, 1") {
        CHECK(run({ResizeMode::Nearest, true, false}) == std::vector<int>{0, 0, 100, 100});
    }
    SUBCASE("bilinear: sources 0, 0.5, 1, 1.5") {
        CHECK(run({ResizeMode::Bilinear, false, false}) == std::vector<int>{0, 50, 100, 100});
    }
    SUBCASE("bilinear, half pixels: sources -0.25, 0.25, 0.75, 1.25") {
        CHECK(run({ResizeMode::Bilinear, false, true}) == std::vector<int>{0, 25, 75, 100});
    }
    SUBCASE("bilinear, corners aligned: thirds") {
        CHECK(run({ResizeMode::Bilinear, true, false}) == std::vector<int>{0, 33, 67, 100});
    }
}

TEST_CASE("inputs of another number or size are refused") {
    GraphBuilder b;
    const TensorId in = b.input({2}, 1.0F, 0);
    const TensorId out = b.activation({2}, 1.0F, 0);
    b.node(Reshape{}, {in}, out);
    CHECK_THROWS_AS(outputs_of(b, {}), n6vp::sim::UserError);
    CHECK_THROWS_AS(outputs_of(b, {{1, 2, 3}}), n6vp::sim::UserError);
}
