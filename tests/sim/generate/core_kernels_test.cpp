// SPDX-License-Identifier: Apache-2.0
// Which kernel a layer gets on a core without an NPU, with what numbers, and what is refused. The
// fields are those of emit/kernels/kernels.h; bytes and limits are counted by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/generate/cores/core_layer.h"
#include "sim/host/errors.h"
#include "tests/sim/generate/graph_builder.h"

using namespace n6vp::sim::generate;
using namespace n6vp::test;

namespace {

using Shape = std::vector<std::uint32_t>;

/// A layer with the network that it refers to.
struct MadeLayer {
    GraphBuilder builder;
    CoreLayer work;

    /// Returns the number behind ".name = ".
    [[nodiscard]] std::int64_t number(const std::string& name) const {
        const std::string key = "." + name + " = ";
        const std::size_t at = work.structure.find(key);
        REQUIRE(at != std::string::npos);
        return std::stoll(work.structure.substr(at + key.size()));
    }
    [[nodiscard]] bool says(const std::string& text) const {
        return work.structure.find(text) != std::string::npos;
    }
};

void finish(MadeLayer& layer, const char* core) {
    layer.work =
        core_layer(layer.builder.graph, layer.builder.graph.nodes.front(), core_target(core));
}

/// A layer whose weights are all `weight`; a sum counts 1/8.
MadeLayer weighted_layer(const char* core, Operator op, const Shape& in, const Shape& weights,
                         const Shape& out, int weight = 1) {
    MadeLayer layer;
    GraphBuilder& b = layer.builder;
    std::size_t count = 1;
    for (const std::uint32_t length : weights) count *= length;
    const TensorId from = b.input(in, 0.5F, 3);
    const TensorId by = b.weights(weights, {0.25F}, 0, std::vector<int>(count, weight));
    b.node(std::move(op), {from, by}, b.activation(out, 1, -5));
    finish(layer, core);
    return layer;
}

/// A convolution of single pixels.
MadeLayer pixels(const char* core, std::uint32_t channels, std::uint32_t count) {
    return weighted_layer(core, Conv2D{}, {1, 1, count, channels}, {1, 1, 1, channels},
                          {1, 1, count, 1});
}

Conv2D convolution(const Window& window, std::uint32_t dilation_height = 1,
                   std::uint32_t dilation_width = 1) {
    Conv2D op;
    op.window = window;
    op.dilation_height = dilation_height;
    op.dilation_width = dilation_width;
    return op;
}

MadeLayer three_by_three(const char* core, std::uint32_t channels) {
    return weighted_layer(core, convolution({3, 3, 1, 1, {}}), {1, 6, 6, channels},
                          {2, 3, 3, channels}, {1, 4, 4, 2});
}

MadeLayer depthwise(const DepthwiseConv2D& op, std::uint32_t height, std::uint32_t width,
                    std::uint32_t multiplier = 1) {
    const Window& w = op.window;
    const std::uint32_t in_height = (height - 1) * w.stride_height + w.height;
    const std::uint32_t in_width = (width - 1) * w.stride_width + w.width;
    return weighted_layer("cortex-m4", op, {1, in_height, in_width, 2},
                          {1, w.height, w.width, 2 * multiplier},
                          {1, height, width, 2 * multiplier});
}
MadeLayer depthwise(const Window& window, std::uint32_t height, std::uint32_t width) {
    DepthwiseConv2D op;
    op.window = window;
    return depthwise(op, height, width);
}

/// A layer of two inputs with these scales.
MadeLayer pair(Operator op, const Shape& left, const Shape& right, float left_scale,
               float right_scale, float out_scale) {
    MadeLayer layer;
    GraphBuilder& b = layer.builder;
    const TensorId x = b.input(left, left_scale, 1), y = b.input(right, right_scale, 2);
    b.node(std::move(op), {x, y}, b.activation(left, out_scale, -5));
    finish(layer, "cortex-m7");
    return layer;
}

MadeLayer single(Operator op, const Shape& in, const Shape& out, float in_scale = 1,
                 float out_scale = 1) {
    MadeLayer layer;
    GraphBuilder& b = layer.builder;
    const TensorId x = b.input(in, in_scale, 1);
    b.node(std::move(op), {x}, b.activation(out, out_scale, -5));
    finish(layer, "cortex-m7");
    return layer;
}

template <class Make>
std::string refusal(const Make& make) {
    try {
        static_cast<void>(make());
    } catch (const n6vp::sim::UserError& error) {
        return error.what();
    }
    return "";
}

std::vector<std::int32_t> words_from(const std::vector<std::uint8_t>& bytes, std::size_t at) {
    std::vector<std::int32_t> list;
    for (; at + 4 <= bytes.size(); at += 4) {
        std::uint32_t word = 0;
        for (std::size_t i = 0; i < 4; ++i)
            word |= std::uint32_t{bytes[at + i]} << static_cast<unsigned>(8 * i);
        list.push_back(static_cast<std::int32_t>(word));
    }
    return list;
}

using Kind = CoreArgument::Kind;

/// Kind, input and offset of every argument of a call.
using Arguments = std::vector<std::pair<Kind, std::pair<std::uint32_t, std::uint32_t>>>;
Arguments arguments(const CoreCall& call) {
    Arguments list;
    list.reserve(call.arguments.size());
    for (const CoreArgument& each : call.arguments)
        list.push_back({each.kind, {each.index, each.offset}});
    return list;
}

}  // namespace

TEST_CASE("core kernels: a convolution's description") {
    const MadeLayer layer = weighted_layer("cortex-m4", convolution({3, 3, 2, 1, {1, 0, 0, 0}}),
                                           {1, 6, 7, 3}, {2, 3, 3, 3}, {1, 3, 5, 2});
    // 27 weights of a kernel are 28 bytes; the scales stand behind those of two kernels.
    CHECK(layer.work.structure ==
          "{.window = {6, 7, 3, 3, 5, 3, 3, 2, 1, 1, 1, 1, 0}, .out_channels = 2, .input_zero = "
          "3, .taps = 28, .segment = 28, .tile = 16, .kept = 0, .finish = {.scales = 56, .flags = "
          "0, .zero = -5, .low = -128, .high = 127}}");
    CHECK(layer.work.type == "kernel_convolution");
    CHECK(layer.work.choice == "two channels by two pixels");
    CHECK(layer.work.weights.size() == 56 + 2 * 16);
    CHECK(layer.work.macs == 3 * 5 * 2 * 27);
}

TEST_CASE("core kernels: pixels expanded at a time are 128 in 8 KiB or 16 in 16 KiB, and even") {
    struct Tile {
        const char* core;
        std::uint32_t channels, pixels, tile;
    };
    // 16-bit numbers by the DSP extension, bytes with Helium.
    for (const Tile& each : std::vector<Tile>{
             {"cortex-m4", 4, 400, 128},   // 8 bytes: more than 128 would fit
             {"cortex-m4", 32, 400, 128},  // 64 bytes
             {"cortex-m4", 36, 400, 112},  // 72 bytes: 113
             {"cortex-m4", 224, 400, 18},  // 448 bytes: 18
             {"cortex-m4", 300, 400, 16},  // 600 bytes: 13, 16 of the other
             {"cortex-m4", 512, 400, 16},  // 1024 bytes
             {"cortex-m4", 520, 400, 14},  // 1040 bytes: 15
             {"cortex-m4", 4096, 400, 2},  // 8192 bytes
             {"cortex-m4", 8192, 400, 2},  // 16384 bytes: at least two
             {"cortex-m4", 4, 1, 2},       // no more than there are
             {"cortex-m4", 4, 7, 8},
             {"cortex-m4", 4, 8, 8},
             {"cortex-m7", 36, 400, 112},
             {"cortex-m55", 64, 400, 128},
             {"cortex-m55", 80, 400, 102},
             {"cortex-m55", 1024, 400, 16},
             {"cortex-m55", 1025, 400, 14}}) {  // rows are multiples of 16 bytes: 1040
        CAPTURE(each.core);
        CAPTURE(each.channels);
        CAPTURE(each.pixels);
        CHECK(pixels(each.core, each.channels, each.pixels).number("tile") == each.tile);
    }
}

TEST_CASE("core kernels: scratch memory of a convolution holds its pixels, a row and 16 bytes") {
    CHECK(pixels("cortex-m4", 4, 8).work.scratch == 8 * 8 + 16);
    // 27 weights in 28 numbers; a row is gathered first if channels do not come in fours.
    CHECK(three_by_three("cortex-m4", 3).work.scratch == 944);  // 16 * 56 + 27 + 16 = 939
    CHECK(three_by_three("cortex-m4", 8).work.scratch == 16 * 144 + 16);
    CHECK(three_by_three("cortex-m55", 3).work.scratch == 560);  // 16 * 32 + 27 + 16 = 555
}

TEST_CASE("core kernels: a Cortex-M4 copies weights of a pair that its flash would read again") {
    // 256 bytes of cache for data: up to 224 bytes of two kernels stay there.
    CHECK(pixels("cortex-m4", 112, 8).number("kept") == 0);
    const MadeLayer kept = pixels("cortex-m4", 116, 8);
    CHECK(kept.number("kept") == 8 * 232 + 16);
    CHECK(kept.work.scratch == 8 * 232 + 16 + 232);
    // For fewer than eight pixels it is not worth while; other cores have a larger cache.
    CHECK(pixels("cortex-m4", 116, 6).number("kept") == 0);
    CHECK(pixels("cortex-m4", 116, 7).number("kept") != 0);
    CHECK(pixels("cortex-m7", 116, 8).number("kept") == 0);
    CHECK(pixels("cortex-m33", 116, 8).number("kept") == 0);
    CHECK(pixels("cortex-m7", 116, 8).work.scratch == 8 * 232 + 16);
}

TEST_CASE("core kernels: dilation, and weights that no pair holds, take the plain convolution") {
    const auto choice = [](const char* core, const Conv2D& op, int weight) {
        const Shape weights = {2, 3, 3, 4};
        return weighted_layer(core, op, {1, 7, 7, 4}, weights, {1, 3, 3, 2}, weight).work.choice;
    };
    const Window window = {3, 3, 1, 1, {}};
    CHECK(choice("cortex-m4", convolution(window, 2, 1), 1) == "plain");
    CHECK(choice("cortex-m4", convolution(window, 1, 2), 1) == "plain");
    CHECK(choice("cortex-m4", convolution(window), -127) == "two channels by two pixels");
    CHECK(choice("cortex-m4", convolution(window), -128) == "plain");
    CHECK(choice("cortex-m55", convolution(window), -128) == "two channels by two pixels");
    const MadeLayer plain = weighted_layer("cortex-m4", convolution(window, 1, 2), {1, 7, 7, 4},
                                           {3, 3, 3, 4}, {1, 3, 3, 3});
    CHECK(plain.work.calls.front().kernel == "kernel_convolution_plain");
    CHECK(plain.says("{.window = {7, 7, 4, 3, 3, 3, 3, 1, 1, 1, 2, 0, 0}, .out_channels = 3, "));
    // The bytes of the file, to the next 8, then a scale for each kernel.
    CHECK(plain.number("scales") == 3 * 36 + 4);
    CHECK(plain.work.weights.size() == 3 * 36 + 4 + 3 * 16);
    CHECK(plain.work.scratch == 0);
}

TEST_CASE("core kernels: depthwise lines run along the side that leaves less over") {
    const std::string level = "lines of four channels", upright = "columns of four channels";
    struct Chosen {
        Window window;
        std::uint32_t height, width;
        std::string choice;
    };
    // Blocks of 4 outputs with stride 1, of 2 with stride 2.
    for (const Chosen& each :
         std::vector<Chosen>{{{3, 3, 1, 1, {}}, 4, 4, level},
                             {{3, 3, 1, 1, {}}, 13, 6, upright},  // 8 * 13 or 16 * 6
                             {{3, 3, 1, 1, {}}, 6, 13, level},
                             {{3, 3, 1, 1, {}}, 6, 3, level},    // 4 * 6 and 8 * 3
                             {{3, 3, 2, 2, {}}, 6, 3, upright},  // 4 * 6 or 6 * 3
                             {{3, 3, 2, 2, {}}, 3, 4, level},    // 4 * 3 or 4 * 4
                             {{3, 3, 2, 2, {}}, 4, 3, upright},
                             {{3, 3, 1, 3, {}}, 4, 4, upright},
                             {{3, 3, 3, 1, {}}, 4, 4, level},
                             {{3, 3, 3, 3, {}}, 4, 4, "plain"},
                             {{5, 3, 1, 1, {}}, 6, 3, level},
                             {{3, 5, 1, 1, {}}, 3, 6, upright},
                             {{8, 3, 1, 1, {}}, 4, 4, level},
                             {{9, 3, 1, 1, {}}, 4, 4, "plain"},
                             {{3, 8, 1, 1, {}}, 4, 4, upright},
                             {{3, 9, 1, 1, {}}, 4, 4, "plain"},
                             {{4, 4, 1, 1, {}}, 4, 4, "plain"},
                             {{2, 2, 1, 1, {}}, 4, 4, "plain"}}) {
        CAPTURE(each.window.height);
        CAPTURE(each.window.width);
        CAPTURE(each.window.stride_width);
        CAPTURE(each.height);
        CHECK(depthwise(each.window, each.height, each.width).work.choice == each.choice);
    }
    DepthwiseConv2D op;
    op.window = {3, 3, 1, 1, {}};
    op.depth_multiplier = 2;
    CHECK(depthwise(op, 4, 4, 2).work.choice == "plain");
    CHECK(depthwise(op, 4, 4, 2).number("multiplier") == 2);
    op.depth_multiplier = 1;
    op.dilation_height = 2;
    CHECK(depthwise(op, 4, 4).work.choice == "plain");
    op.dilation_height = 1;
    op.dilation_width = 2;
    CHECK(depthwise(op, 4, 4).work.choice == "plain");
}

TEST_CASE("core kernels: lines and columns of a depthwise convolution") {
    // 5x5 outputs of stride 1: two blocks of 4 read 10 inputs of a line.
    const MadeLayer level = depthwise(Window{5, 3, 1, 1, {}}, 5, 5);
    CHECK(
        level.says("{.in_along = 7, .in_across = 9, .out_along = 5, .out_across = 5, .in_step = "
                   "2, .in_pitch = 14, .out_step = 2, .out_pitch = 10, .lines = 5, "
                   ".stride_along = 1, .stride_across = 1, .pad_along = 0, .pad_across = 0, "
                   ".channels = 2, .input_zero = 3, .pitch = 10, "));
    // Of each line ten 16-bit inputs and two words of weights, of four channels.
    CHECK(level.work.scratch == 4 * 5 * (10 * 2 + 8));
    const MadeLayer upright = depthwise(Window{3, 5, 2, 1, {}}, 5, 6);
    CHECK(
        upright.says("{.in_along = 11, .in_across = 10, .out_along = 5, .out_across = 6, "
                     ".in_step = 20, .in_pitch = 2, .out_step = 12, .out_pitch = 2, .lines = 5, "
                     ".stride_along = 2, .stride_across = 1, "));
    // Three blocks of 2 read 4 * 3 + 2 inputs.
    CHECK(upright.number("pitch") == 14);
    // Four bytes for three weights of a line, for both channels; then scales.
    CHECK(level.number("scales") == 2 * 5 * 4);
    CHECK(level.work.weights.size() == 2 * 5 * 4 + 2 * 16);

    MadeLayer numbered;
    GraphBuilder& b = numbered.builder;
    const TensorId in = b.input({1, 6, 4, 1}, 0.5F, 0);
    const TensorId by = b.weights({1, 3, 3, 1}, {0.25F}, 0, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    DepthwiseConv2D op;
    op.window = {3, 3, 1, 1, {}};
    b.node(op, {in, by}, b.activation({1, 4, 2, 1}, 1, 0));
    finish(numbered, "cortex-m4");
    // 4 * 4 for lines of two outputs, 4 * 2 for columns.
    REQUIRE(numbered.work.choice == "columns of four channels");
    CHECK(std::vector<std::uint8_t>(numbered.work.weights.begin(),
                                    numbered.work.weights.begin() + 12) ==
          std::vector<std::uint8_t>{1, 4, 7, 0, 2, 5, 8, 0, 3, 6, 9, 0});
    b.graph.tensors[0].shape = {1, 4, 6, 1};
    b.graph.tensors[2].shape = {1, 2, 4, 1};
    finish(numbered, "cortex-m4");
    REQUIRE(numbered.work.choice == "lines of four channels");
    CHECK(std::vector<std::uint8_t>(numbered.work.weights.begin(),
                                    numbered.work.weights.begin() + 12) ==
          std::vector<std::uint8_t>{1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0});
}

TEST_CASE("core kernels: one row of a fully connected layer, and several") {
    const MadeLayer m4 = weighted_layer("cortex-m4", FullyConnected{}, {1, 65}, {9, 65}, {1, 9});
    CHECK(m4.work.choice == "four channels");
    CHECK(m4.work.structure ==
          "{.inputs = 65, .taps = 68, .segment = 68, .outputs = 9, .finish = {.scales = 816, "
          ".flags = 0, .zero = -5, .low = -128, .high = 127}}");  // 12 * 68
    CHECK(m4.work.weights.size() == 12 * 68 + 12 * 16);
    CHECK(m4.work.scratch == 2 * 68);
    CHECK(m4.work.macs == 65 * 9);
    const MadeLayer m55 = weighted_layer("cortex-m55", FullyConnected{}, {1, 65}, {9, 65}, {1, 9});
    CHECK(m55.number("taps") == 80);
    CHECK(m55.number("segment") == 80);
    CHECK(m55.number("scales") == 12 * 80);
    CHECK(m55.work.scratch == 2 * 80);
    // Rows are the pixels of a convolution; weights that no pair holds are one, too.
    const MadeLayer rows = weighted_layer("cortex-m4", FullyConnected{}, {5, 24}, {3, 24}, {5, 3});
    CHECK(rows.work.choice == "two channels by two pixels");
    CHECK(rows.says("{.window = {1, 5, 24, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0}, .out_channels = 3, "));
    const MadeLayer plain =
        weighted_layer("cortex-m4", FullyConnected{}, {1, 24}, {3, 24}, {1, 3}, -128);
    CHECK(plain.work.choice == "plain");
}

TEST_CASE("core kernels: flags of a layer's results") {
    struct Limited {
        Activation activation;
        float out_scale;
        std::int32_t zero, flags, low, high;
    };
    // Flag 2: within the range of a byte. Flag 1, 64-bit products: a multiplier of 2 or more, which
    // leaves no bit of kernel_scale's shift for a half. It is 1/8 over the scale of the output.
    for (const Limited& each : std::vector<Limited>{{Activation::None, 1, -5, 0, -128, 127},
                                                    {Activation::Relu, 1, -128, 0, -128, 127},
                                                    {Activation::Relu, 1, -127, 2, -127, 127},
                                                    {Activation::Relu6, 0.125F, -128, 2, -128, -80},
                                                    {Activation::ReluN1To1, 0.5F, 10, 2, 8, 12},
                                                    {Activation::None, 1.0F / 12, 0, 0, -128, 127},
                                                    {Activation::None, 1.0F / 16, 0, 1, -128, 127},
                                                    {Activation::Relu, 1.0F / 64, 0, 3, 0, 127}}) {
        CAPTURE(each.out_scale);
        CAPTURE(each.zero);
        MadeLayer layer;
        GraphBuilder& b = layer.builder;
        const TensorId in = b.input({1, 1, 1, 4}, 0.5F, 3);
        const TensorId by = b.weights({2, 1, 1, 4}, {0.25F}, 0, {1, 0, -1, 0, 0, 1, 0, -1});
        Conv2D op;
        op.activation = each.activation;
        b.node(op, {in, by}, b.activation({1, 1, 1, 2}, each.out_scale, each.zero));
        finish(layer, "cortex-m33");
        CHECK(layer.number("flags") == each.flags);
        CHECK(layer.number("zero") == each.zero);
        CHECK(layer.number("low") == each.low);
        CHECK(layer.number("high") == each.high);
    }
}

TEST_CASE("core kernels: a channel whose result is always the same has no weights") {
    MadeLayer layer;
    GraphBuilder& b = layer.builder;
    const TensorId in = b.input({1, 1, 1, 1}, 0.5F, 3);
    const TensorId by = b.weights({2, 1, 1, 1}, {0.5F}, 0, {1, 1});
    const TensorId bias = b.bias({100000, 3});
    b.node(Conv2D{}, {in, by, bias}, b.activation({1, 1, 1, 2}, 0.5F, -5));
    finish(layer, "cortex-m55");
    REQUIRE(layer.work.weights.size() == 2 * 16 + 2 * 16);
    CHECK(layer.work.weights[0] == 0);
    CHECK(layer.work.weights[16] == 1);
    // 132 steps of 1 above -5 are 127: ((8 * 132 * 2^30 >> 32) - 9) >> 1. The other channel has a
    // bias of 3 less the zero point.
    CHECK(words_from(layer.work.weights, 32) ==
          std::vector<std::int32_t>{8 * 132, 1 << 30, 1 - 10, 1, 0, 1 << 30, 2 - 20, 2});
}

TEST_CASE("core kernels: sums of 31 bits are taken, larger ones refused") {
    // 255 * 127 * 33155 = 1073724675; with a bias of 17148 it is 2^30 - 1, and twice that 2^31 - 2.
    const auto with_bias = [](std::int32_t bias) {
        MadeLayer layer;
        GraphBuilder& b = layer.builder;
        const TensorId in = b.input({1, 33155}, 1.0F / 4096, 0);
        const TensorId by = b.weights({1, 33155}, {1.0F / 4096}, 0, std::vector<int>(33155, 127));
        const TensorId added = b.bias({bias});
        b.node(FullyConnected{}, {in, by, added}, b.activation({1, 1}, 1, 0));
        finish(layer, "cortex-m55");
        return layer;
    };
    CHECK(with_bias(17148).work.choice == "four channels");
    CHECK(with_bias(-17148).work.choice == "four channels");
    CHECK(refusal([&] { return with_bias(17149); }) ==
          "FULLY_CONNECTED (layer 0, 't3'): sums of more than 31 bits");
    CHECK(refusal([&] { return with_bias(-17149); }) != "");
}

TEST_CASE("core kernels: factors of sums and products, and those out of proportion") {
    // Half of the larger scale over itself, 2^-20 of it, and twice over 2^20: 1/2, 2^-20, 1.
    const MadeLayer sum = pair(Add{}, {1, 4, 5, 6}, {6}, 524288, 1, 1);
    CHECK(sum.work.structure ==
          "{.lengths = {1, 4, 5, 6}, .left_steps = {0, 30, 6, 1}, .right_steps = {0, 0, 0, 1}, "
          ".left_zero = 1, .right_zero = 2, .output_zero = -5, .low = -128, .high = 127, .left = "
          "{1073741824, 0}, .right = {1073741824, -19}, .output = {1073741824, 1}, .sign = 1}");
    // A table of 256 words for each operand.
    CHECK(sum.work.scratch == 2 * 256 * 4);
    CHECK(sum.work.calls.front().kernel == "kernel_sum");
    CHECK(pair(Sub{}, {2, 3}, {2, 1}, 1, 1, 1).says(".right_steps = {0, 0, 1, 0}"));
    CHECK(pair(Sub{}, {2, 3}, {2, 1}, 1, 1, 1).number("sign") == -1);
    CHECK(pair(Mul{}, {4, 1, 1}, {4, 1, 1}, 1, 1, 1).says(".left_steps = {0, 1, 0, 0}"));
    CHECK(pair(Mul{}, {3}, {3}, 2, 3, 12).says(".output = {1073741824, 0}"));

    // Less than 2^30: 2^28 with a factor of 2, 255 * 255 with 2^14 (13 bits of left shift and a
    // significand below 1), 255 * 257 with 2^14.
    const std::string out_of_proportion = "a scale out of proportion";
    const auto refused = [&](const std::string& said) {
        return said.find(out_of_proportion) != std::string::npos;
    };
    CHECK(refused(refusal([] { return pair(Add{}, {3}, {3}, 1048576, 1, 1); })));
    CHECK(refused(refusal([] { return pair(Sub{}, {3}, {3}, 1, 1048576, 1); })));
    CHECK(refusal([] { return pair(Mul{}, {3}, {3}, 8192, 1, 1); }) == "");
    CHECK(refused(refusal([] { return pair(Mul{}, {3}, {3}, 8192, 2, 1); })));
    Mean mean;
    mean.axes = {1, 2};
    CHECK(refusal([&] { return single(mean, {1, 257, 1, 1}, {1, 1}, 8192); }) == "");
    CHECK(refused(refusal([&] { return single(mean, {1, 258, 1, 1}, {1, 1}, 8192); })));
    // A factor below 1 takes nothing.
    CHECK(refusal([&] { return single(mean, {1, 258, 1, 1}, {1, 1}, 1, 1024); }) == "");
}

TEST_CASE("core kernels: a mean over neighbouring dimensions") {
    Mean mean;
    mean.axes = {1, 2};
    CHECK(single(mean, {1, 4, 5, 6}, {1, 6}, 2)
              .says("{.outer = 1, .count = 20, .inner = 6, .input_zero = 1, .output_zero = -5, "
                    ".significand = 1073741824, .exponent = 2}"));
    mean.axes = {2, 3};
    CHECK(single(mean, {3, 4, 5, 6}, {3, 4}).says("{.outer = 12, .count = 30, .inner = 1, "));
    mean.axes = {1, 3};
    CHECK(refusal([&] {
              return single(mean, {1, 4, 5, 6}, {1, 5});
          }).ends_with("a mean along axes that are not neighbours"));
    mean.axes = {};
    CHECK(single(mean, {3, 4}, {3, 4}).says("{.outer = 1, .count = 1, .inner = 12, "));
}

TEST_CASE("core kernels: copies of a concatenation and of a reshape") {
    MadeLayer layer;
    GraphBuilder& b = layer.builder;
    const TensorId left = b.input({1, 2, 3, 4}, 1, 0), right = b.input({1, 2, 1, 4}, 1, 0);
    Concat concat;
    concat.axis = 2;
    b.node(concat, {left, right}, b.activation({1, 2, 4, 4}, 1, 0));
    finish(layer, "cortex-m4");
    REQUIRE(layer.work.calls.size() == 2);
    // Two blocks of 12 and of 4 bytes, 16 from one to the next of the output.
    CHECK(arguments(layer.work.calls[0]) == Arguments{{Kind::Input, {0, 0}},
                                                      {Kind::Number, {0, 12}},
                                                      {Kind::Output, {0, 0}},
                                                      {Kind::Number, {0, 16}},
                                                      {Kind::Number, {0, 12}},
                                                      {Kind::Number, {0, 2}}});
    CHECK(arguments(layer.work.calls[1]) == Arguments{{Kind::Input, {1, 0}},
                                                      {Kind::Number, {0, 4}},
                                                      {Kind::Output, {0, 12}},
                                                      {Kind::Number, {0, 16}},
                                                      {Kind::Number, {0, 4}},
                                                      {Kind::Number, {0, 2}}});
    // A constant part stands among the weights.
    b.graph.tensors[right].constant.assign(8, 7);
    finish(layer, "cortex-m4");
    CHECK(layer.work.weights == std::vector<std::uint8_t>(8, 7));
    CHECK(layer.work.calls[1].arguments.front().kind == Kind::Weights);
    CHECK(arguments(single(Reshape{}, {2, 3}, {6}).work.calls[0]) ==
          Arguments{{Kind::Input, {0, 0}},
                    {Kind::Number, {0, 0}},
                    {Kind::Output, {0, 0}},
                    {Kind::Number, {0, 0}},
                    {Kind::Number, {0, 6}},
                    {Kind::Number, {0, 1}}});
}

TEST_CASE("core kernels: pads, pools, softmax and tables of places") {
    Pad pad;
    pad.amounts = {{1, 2}, {0, 3}, {4, 0}};
    pad.value = -7;
    CHECK(single(pad, {2, 3, 4}, {5, 6, 8}).work.structure ==
          "{.lengths = {1, 2, 3, 4}, .before = {0, 1, 0, 4}, .after = {0, 2, 3, 0}, .value = -7}");
    const auto five = [] { return single(Pad{}, {1, 1, 2, 3, 4}, {1, 1, 2, 3, 4}); };
    CHECK(refusal(five).ends_with("5 dimensions"));
    MaxPool pool;
    pool.window = {3, 2, 2, 1, {1, 0, 1, 0}};
    pool.activation = Activation::Relu;
    CHECK(single(pool, {1, 6, 5, 3}, {1, 3, 5, 3}).work.structure ==
          "{.window = {6, 5, 3, 3, 5, 3, 2, 2, 1, 1, 1, 1, 1}, .low = -5, .high = 127}");
    const MadeLayer softmax = single(Softmax{}, {3, 4}, {3, 4}, 1, 0.5F);
    CHECK(softmax.says("{.rows = 3, .length = 4, .output_scale = 0x1p-1f, .output_zero = -5}"));
    CHECK(softmax.work.weights.size() == 256 * 4);

    // Nearest: two bytes for a place, lines to a multiple of four. Bilinear: eight.
    Resize resize;
    const MadeLayer nearest = single(resize, {1, 2, 2, 3}, {1, 3, 4, 3});
    CHECK(nearest.work.structure == "{.width = 2, .channels = 3, .out_height = 3, .out_width = 4}");
    CHECK(nearest.work.weights ==
          std::vector<std::uint8_t>{0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0});
    CHECK(nearest.work.calls[0].arguments.back().offset == 8);
    resize.mode = ResizeMode::Bilinear;
    const MadeLayer bilinear = single(resize, {1, 1, 2, 3}, {1, 1, 4, 3});
    CHECK(bilinear.work.calls[0].kernel == "kernel_resize_bilinear");
    CHECK(bilinear.work.calls[0].arguments.back().offset == 8);
    CHECK(bilinear.work.weights.size() == 8 + 4 * 8);
    // A place has 16 bits.
    for (const bool wide : {false, true}) {
        const auto shape = [wide](std::uint32_t length) {
            return wide ? Shape{1, 1, length, 1} : Shape{1, length, 1, 1};
        };
        CHECK(refusal([&] { return single(resize, shape(65536), shape(2)); }) == "");
        CHECK(refusal([&] {
                  return single(resize, shape(65537), shape(2));
              }).ends_with("a picture of more than 65536 lines or columns"));
    }
    const MadeLayer table = single(Neg{}, {5}, {5});
    CHECK(table.work.choice == "table");
    // Stored x means x - 1; its negative is stored as 1 - x - 5, cut to a byte.
    REQUIRE(table.work.weights.size() == 256);
    for (int stored = -128; stored < 128; ++stored) {
        const int expected = std::min(127, std::max(-128, -4 - stored));
        CAPTURE(stored);
        CHECK(static_cast<std::int8_t>(table.work.weights[static_cast<std::uint8_t>(stored)]) ==
              expected);
    }
    CHECK(table.work.calls[0].arguments.back().offset == 5);
}
