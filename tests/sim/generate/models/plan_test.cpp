// SPDX-License-Identifier: Apache-2.0
// Plans, memory and arithmetic of lowering, without a chip.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

#include "sim/ecdump/ec_text.h"
#include "sim/generate/emit/emit_source.h"
#include "sim/generate/lower/copy_layers.h"
#include "sim/generate/lower/cost.h"
#include "sim/generate/lower/memory_plan.h"
#include "sim/generate/lower/requantise.h"
#include "sim/host/errors.h"
#include "tests/sim/generate/models/layer_builder.h"

using namespace n6vp::test;
using namespace n6vp::sim::generate;

namespace {

Graph pointwise() {
    return convolution_graph(Conv2D{}, {1, 6, 6, 24}, {1, 6, 6, 32}, {32, 1, 1, 24}, -128, 3);
}

LoweringOptions chip() {
    LoweringOptions options;
    options.activations = default_activation_pools();
    return options;
}

std::string refusal_of(const Graph& graph, const LoweringOptions& options) {
    try {
        static_cast<void>(lower_graph(graph, options));
    } catch (const n6vp::sim::UserError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("cycles of the published worked example") {
    // 1x1 deep, 70 channels to 140 in two units, 5x25 pixels, 7 passes, kernels in flash: 52,519.
    ConvolutionWork work;
    work.in_words = 3000;
    work.out_words = 2500;
    work.set_words = 934;
    work.set_bytes = 2802;
    work.frames = 7;
    work.flash = true;
    CHECK(std::lround(convolution_cycles(work)) == 52519);
    // Strided writes of one-beat bursts, 1.05 cycles at 900 MHz each: 17,500 of them.
    CHECK(std::lround(bank_cycles({0, 17500, 0, 0})) == 20417);
}

TEST_CASE("requantisation of a known scale") {
    // 1/1024 with room to spare: exact in any form, and the constant is bias / 1024 + 3.
    const ChannelScale channel{1.0 / 1024, 2048, 0, -100000, 100000};
    for (const SumWidth width : {SumWidth::Bits16, SumWidth::Bits24}) {
        const Requantisation form = requantise({&channel, 1}, {3, -128, 127}, width, false);
        const double factor =
            std::ldexp(form.factors[0], -static_cast<int>(form.res + form.out_shift));
        CHECK(factor == 1.0 / 1024);
        CHECK(std::ldexp(form.constants[0], -static_cast<int>(form.res)) == 5.0);
        CHECK(form.factors[0] <= 32767);
        // Sums of 100,000 have 18 bits with the sign.
        if (width == SumWidth::Bits16) CHECK(form.out_shift == 2);
    }
}

TEST_CASE("whole sums: channels without weights are constants of any offset") {
    // A pruned channel beside a plain one: 2^30 times a multiplier of 4e-9.
    const ChannelScale channels[] = {{0.004, 321, 0, -100'000, 100'000},
                                     {4e-9, std::int64_t{1} << 30, 0, 0, 0},
                                     {3e-9, -(std::int64_t{1} << 30), 0, 0, 0}};
    const auto form = whole_sums(channels, {-128, -128, 127});
    REQUIRE(form.has_value());
    CHECK(form->sums == std::vector<std::int32_t>{1, 0, 0});
    for (const std::size_t k : {1u, 2u}) {
        CHECK(std::abs(form->offsets[k]) < 1 << 23);
        const double factor = form->high[k] + std::ldexp(form->low[k], -16);
        const double value = std::ldexp(factor * form->offsets[k], -static_cast<int>(form->res));
        const double wanted = channels[k].multiplier * static_cast<double>(channels[k].offset);
        CHECK(std::abs(value - wanted) < 0.001);
    }
}

TEST_CASE("requantisation stays within the unit's words") {
    Sequence random(9);
    for (int round = 0; round < 200; ++round) {
        std::vector<ChannelScale> channels(8);
        for (ChannelScale& channel : channels) {
            channel.multiplier = std::ldexp(random.between(1, 1000), -random.between(10, 22));
            channel.offset = random.between(-200000, 200000);
            channel.least = -random.between(1000, 4000000);
            channel.most = random.between(1000, 4000000);
        }
        const auto width = round % 2 == 0 ? SumWidth::Bits16 : SumWidth::Bits24;
        const Requantisation form = requantise(channels, {-20, -128, 127}, width, false);
        const double most = width == SumWidth::Bits16 ? 32767 : 8388607;
        for (std::size_t k = 0; k < channels.size(); ++k) {
            CHECK(form.factors[k] >= 0);
            CHECK(form.factors[k] <= 32767);
            const double reach = std::min(
                most,
                std::ldexp(static_cast<double>(std::max(channels[k].most, -channels[k].least)),
                           -static_cast<int>(form.out_shift)));
            // 33 bits with the sign: the widest sum that was ever observed.
            CHECK(form.factors[k] * reach + std::abs(form.constants[k]) < 4294967296.0);
        }
    }
}

TEST_CASE("memory: what lives at one time does not meet, what does not may") {
    const PlacedPool pool{"a", 0x1000, 320};
    const Buffer buffers[] = {{100, 0, 2}, {128, 1, 1}, {70, 2, 3}, {64, 4, 4}};
    const auto plan = plan_memory(buffers, {&pool, 1});
    REQUIRE(plan.has_value());
    for (std::size_t a = 0; a < 4; ++a) {
        CHECK(plan->places[a].address % kBufferAlignment == 0);
        CHECK(plan->places[a].address >= pool.address);
        CHECK(plan->places[a].address + buffers[a].bytes <= pool.address + pool.bytes);
        for (std::size_t b = 0; b < a; ++b) {
            const bool meet =
                buffers[a].first <= buffers[b].last && buffers[b].first <= buffers[a].last;
            const bool apart =
                plan->places[a].address + buffers[a].bytes <= plan->places[b].address ||
                plan->places[b].address + buffers[b].bytes <= plan->places[a].address;
            CHECK((apart || !meet));
        }
    }
    CHECK(plan->used[0] <= 256);  // 128 and 128: the third takes the second's place
    const PlacedPool small{"b", 0, 192};
    CHECK_FALSE(plan_memory(buffers, {&small, 1}).has_value());
    // A second pool takes what the first has no room for.
    const PlacedPool two[] = {small, {"c", 0x8000, 128}};
    CHECK(plan_memory(buffers, two).has_value());
}

TEST_CASE("settings refuse names and values that registers do not have") {
    UnitSettings unit({&n6vp::memmap::npu::kConvacc, 1});
    CHECK_THROWS_AS(unit.set("CTRL.NOTHING", 1), std::logic_error);
    CHECK_THROWS_AS(unit.set("KFORMAT.NR", 256), std::logic_error);
    CHECK_THROWS_AS(unit.set_word("KFILT.TOT", 1), std::logic_error);
    CHECK_THROWS_AS(unit.set_word("ZFBIAS", 0x10000), std::logic_error);
    CHECK(unit.set("ZFBIAS.ZFBIAS", -128).words().at(0x34).value == 0xFF80u);
}

TEST_CASE("a blob's program assembles, decodes and assembles again") {
    const ModelPlan plan = lower_graph(pointwise(), chip());
    for (const auto generation :
         {n6vp::loader::Generation::Core21, n6vp::loader::Generation::Core4x}) {
        const std::vector<EpochBlock> blocks = make_blocks(plan, true, generation);
        REQUIRE(blocks.size() == 1);
        const n6vp::sim::EcAssembly first = n6vp::sim::assemble(blocks[0].program);
        CHECK(first.words.size() + 2 == blocks[0].blob_words);
        // ADDR and LIMITADDR of every engine that brings kernels.
        CHECK(first.relocations.size() % 2 == 0);
        CHECK(first.relocations.size() >= 2);
        std::optional<n6vp::sim::EcFault> fault;
        std::string text;
        for (const auto& instruction : n6vp::sim::decode_stream(first.words, fault)) {
            text += n6vp::sim::instruction_text(instruction, first.relocations) + "\n";
        }
        CHECK_FALSE(fault.has_value());
        CHECK(n6vp::sim::assemble(text).words == first.words);
    }
}

TEST_CASE("two runs emit the same bytes") {
    const auto source = [] {
        const ModelPlan plan = lower_graph(pointwise(), chip());
        return model_source(plan, make_blocks(plan, true, n6vp::loader::Generation::Core30));
    };
    const auto first = source();
    CHECK_FALSE(first.empty());
    CHECK(source() == first);
}

TEST_CASE("hostile names stay inside their strings") {
    Graph graph = pointwise();
    graph.name = "../x\"; int evil(void)\n{";
    graph.tensors[0].name = "in\"\\?\?/\n\x1b[31m";
    const ModelPlan plan = lower_graph(graph, chip());
    const std::string source =
        model_source(plan, make_blocks(plan, false, n6vp::loader::Generation::Core30));
    CHECK(source.find("evil(void)") == std::string::npos);
    CHECK(source.find('\x1b') == std::string::npos);
    CHECK(source.find("\"in\\042\\134\\077\\077/\\012\\033[31m\"") != std::string::npos);
}

TEST_CASE("what does not fit or cannot be computed is one error with the layer") {
    LoweringOptions small = chip();
    small.activations = {{"npuRAM5", 0x342E0000, 1024}};
    CHECK(refusal_of(pointwise(), small).find("do not fit") != std::string::npos);
    LoweringOptions copy = chip();
    copy.weights_copy = PlacedPool{"npuRAM6", 0x34350000, 64};
    CHECK(refusal_of(pointwise(), copy).find("weights have") != std::string::npos);
    Conv2D dilated;
    dilated.dilation_height = 2;
    const Graph graph = convolution_graph(dilated, {1, 6, 6, 8}, {1, 6, 6, 8}, {8, 1, 1, 8}, 0, 1);
    CHECK(refusal_of(graph, chip()).find("CONV_2D (layer 0, 'out'): dilation 2x1") == 0);
    Resize smooth;
    smooth.mode = ResizeMode::Bilinear;
    const Graph resize = plain_graph(smooth, {quantised("x", {1, 2, 2, 8}, 0.1F, 0)},
                                     quantised("out", {1, 4, 4, 8}, 0.1F, 0));
    CHECK(refusal_of(resize, chip()).find("RESIZE_BILINEAR (layer 0, 'out'): interpolation") == 0);
    Graph floats = pointwise();
    floats.tensors[3].type = ElementType::Float32;
    CHECK(refusal_of(floats, chip()).find("float32") != std::string::npos);
}

// The remedy for long sides was that for many tensors.
TEST_CASE("a concatenation that no engine can do is refused with the remedy that helps") {
    const auto remedy_of = [](const Graph& graph) {
        try {
            static_cast<void>(lower_graph(graph, chip()));
        } catch (const n6vp::sim::UserError& error) {
            return std::string(error.what()) + "; " + error.remedy();
        }
        return std::string();
    };
    const auto x = [](Shape4 shape) { return quantised("x", std::move(shape), 0.05F, 3); };
    CHECK(remedy_of(plain_graph(Concat{3}, {x({1, 1, 70000, 1}), x({1, 1, 70000, 1})},
                                x({1, 1, 70000, 2}))) ==
          "CONCATENATION (layer 0, 'x'): a side of more than 65535; use smaller feature maps");
    CHECK(remedy_of(
              plain_graph(Concat{3}, std::vector<Tensor>(6, x({1, 2, 2, 1})), x({1, 2, 2, 6}))) ==
          "CONCATENATION (layer 0, 'x'): 12 streams, more than the 10 engines; join at most 5 "
          "tensors at a time");
    CHECK(remedy_of(plain_graph(Concat{1}, {x({1, 70000, 1, 2}), x({1, 1, 1, 2})},
                                x({1, 70001, 1, 2}))) == "");
}

TEST_CASE("padding that would take a gigabyte of weights is refused") {
    Pad pad;
    pad.amounts = {{0, 0}, {0, 0}, {0, 0}, {0, 1}};
    const Graph graph = plain_graph(pad, {quantised("x", {1, 1, 1, 40000}, 0.05F, 3)},
                                    quantised("out", {1, 1, 1, 40001}, 0.05F, 3));
    CHECK(refusal_of(graph, chip()) == "PAD (layer 0, 'out'): 40000 channels to 40001");
    pad.amounts = {{1, 0}, {0, 0}, {0, 0}, {0, 0}};
    CHECK(refusal_of(plain_graph(pad, {quantised("x", {1, 2, 2, 3}, 0.05F, 3)},
                                 quantised("out", {2, 2, 2, 3}, 0.05F, 3)),
                     chip()) == "PAD (layer 0, 'out'): a tensor that is not an image of batch 1");
}

// Every copy of a pixel had a record of its own, before anybody counted the engines.
TEST_CASE("a pixel that is repeated millions of times takes no memory for its copies") {
    const Graph graph = plain_graph(Resize{}, {quantised("x", {1, 1, 1, 1}, 0.1F, 0)},
                                    quantised("out", {1, 16384, 16384, 1}, 0.1F, 0));
    const CopyLayer layer = enlargement_copies(graph, graph.nodes[0], Resize{});
    CHECK(layer.sources.empty());
    CHECK(layer.choice == "copies, 268435457 engines");
}

namespace {

/// Lengths at which fields end, and others.
std::uint32_t any_length(Sequence& random) {
    constexpr std::uint32_t kLengths[] = {1,   2,   3,    5,    8,    64,    127,   128,   129,
                                          255, 256, 1000, 1024, 1025, 32768, 65535, 65536, 70000};
    return kLengths[random.next() % std::size(kLengths)];
}

/// Shapes of a window without padding; nothing if it does not fit or is too much work.
std::optional<std::pair<Window, Shape4>> any_window(Sequence& random, const Shape4& in) {
    Window window;
    window.height = any_length(random) % 300;
    window.width = any_length(random) % 300;
    window.stride_height = 1 + random.next() % 20;
    window.stride_width = 1 + random.next() % 20;
    const auto fits = [](std::uint32_t size, std::uint32_t length) {
        return size >= 1 && size <= length;
    };
    if (!fits(window.height, in[1]) || !fits(window.width, in[2])) return std::nullopt;
    const Shape4 out = {1, (in[1] - window.height) / window.stride_height + 1,
                        (in[2] - window.width) / window.stride_width + 1, in[3]};
    return std::pair{window, out};
}

std::uint64_t elements_of(const Shape4& shape) {
    std::uint64_t product = 1;
    for (const std::uint32_t length : shape) product *= length;
    return product;
}

/// A layer of any operator and size, as the importer may give it; nothing where sizes do not match.
std::optional<Graph> any_layer(Sequence& random) {
    constexpr std::uint64_t kMost = 150'000;
    const Shape4 in = {1, any_length(random), any_length(random), any_length(random)};
    if (elements_of(in) > kMost) return std::nullopt;
    const Tensor x = quantised("x", in, 0.05F, -10);
    const auto like_input = [&](Shape4 shape) { return quantised("out", shape, 0.05F, -10); };
    const std::uint32_t kind = random.next() % 9;
    if (kind == 0) return plain_graph(Add{}, {x, x}, quantised("out", in, 0.07F, 3));
    if (kind == 1) return plain_graph(Quantize{}, {x}, quantised("out", in, 0.2F, 3));
    if (kind == 2 || kind == 3) {
        Shape4 out = in;
        const std::uint32_t axis = 1 + random.next() % 3;
        out[axis] *= kind;
        if (elements_of(out) > kMost) return std::nullopt;
        if (kind == 2) return plain_graph(Concat{axis}, {x, x}, like_input(out));
        return plain_graph(Resize{}, {x}, like_input({1, 3 * in[1], 2 * in[2], in[3]}));
    }
    if (kind == 4) {
        Pad pad;
        pad.amounts = {{0, 0},
                       {any_length(random) % 400, 1},
                       {0, any_length(random) % 400},
                       {0, random.next() % 3}};
        const Shape4 out = {1, in[1] + pad.amounts[1].first + 1, in[2] + pad.amounts[2].second,
                            in[3] + pad.amounts[3].second};
        if (elements_of(out) > kMost) return std::nullopt;
        return plain_graph(pad, {x}, like_input(out));
    }
    auto placed = any_window(random, in);
    if (!placed) return std::nullopt;
    auto& [window, out] = *placed;
    if (kind == 5) return plain_graph(AveragePool{window, {}}, {x}, like_input(out));
    if (kind == 6) return plain_graph(MaxPool{window, {}}, {x}, like_input(out));
    if (kind == 7) {
        DepthwiseConv2D op;
        op.window = window;
        const Shape4 weights = {1, window.height, window.width, in[3]};
        if (elements_of(weights) > kMost) return std::nullopt;
        return convolution_graph(op, in, out, weights, 3, random.next());
    }
    Conv2D op;
    op.window = window;
    out[3] = any_length(random);
    const Shape4 weights = {out[3], window.height, window.width, in[3]};
    if (elements_of(weights) > kMost || elements_of(out) > kMost) return std::nullopt;
    return convolution_graph(op, in, out, weights, 3, random.next());
}

}  // namespace

TEST_CASE("layers of any size are lowered or refused, never more than fields hold") {
    Sequence random(2024);
    std::size_t lowered = 0, refused = 0;
    for (int round = 0; round < 20'000 && lowered + refused < 700; ++round) {
        const std::optional<Graph> graph = any_layer(random);
        if (!graph) continue;
        CAPTURE(round);
        try {
            const ModelPlan plan = lower_graph(*graph, chip());
            CHECK(plan.epochs.size() == 1);
            ++lowered;
        } catch (const n6vp::sim::UserError&) {
            ++refused;
        }
    }
    CHECK(lowered > 100);
    CHECK(refused > 50);
}

TEST_CASE("sums of two scales are exact for all operands") {
    // Every pair of bytes through both parts, against real numbers.
    const double x_scale = 0.7731234567, y_scale = -2.0453217891;
    const std::int32_t x_zero = -128, y_zero = 4, zero = -5;
    const auto form = sum_form(x_scale, x_zero, y_scale, y_zero, zero);
    REQUIRE(form.has_value());
    const auto half_up = [](std::int64_t value, std::uint32_t shift) {
        return shift == 0 ? value : (value + (std::int64_t{1} << (shift - 1))) >> shift;
    };
    const auto part = [&](const PartSum& of, std::int64_t x, std::int64_t y) {
        const std::int64_t sum = of.a * x + of.b * y + of.c * (std::int64_t{1} << of.c_shift);
        const std::int64_t word = half_up(sum, of.res);
        CHECK(word >= -8388608);
        CHECK(word <= 8388607);
        return word;
    };
    std::size_t differences = 0;
    for (std::int32_t x = -128; x < 128; ++x) {
        for (std::int32_t y = -128; y < 128; ++y) {
            const std::int64_t got = half_up(
                part(form->whole, x, y) * (1 << kFineBits) + part(form->fine, x, y), form->res);
            const double real = x_scale * (x - x_zero) + y_scale * (y - y_zero) + zero;
            differences += got == std::llround(real) ? 0 : 1;
        }
    }
    CHECK(differences == 0);
}

TEST_CASE("4000 inputs whose sums overflow the links were refused for the size of kernels") {
    Graph wide = convolution_graph(FullyConnected{}, {1, 4000}, {1, 4}, {4, 4000}, -128, 3);
    // Weights to 127 in size, 64 on average: 4000 * 64 * 128 is far above 2^23.
    CHECK(refusal_of(wide, chip()).find("sums of more than 24 bits") != std::string::npos);
    // Weights to 1 in size: at most 4000 * 128 and no refusal.
    for (std::uint8_t& weight : wide.tensors[1].constant) weight &= 1;
    CHECK(refusal_of(wide, chip()) == "");
}
