// SPDX-License-Identifier: Apache-2.0
// Plans, memory and arithmetic of lowering, without a chip.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/ecdump/ec_text.h"
#include "sim/errors.h"
#include "sim/generate/cost.h"
#include "sim/generate/emit_source.h"
#include "sim/generate/memory_plan.h"
#include "sim/generate/requantise.h"
#include "tests/sim/generated/layer_builder.h"

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
    // The published strided writes of one-beat bursts: 17,500 of them, 20,300 cycles.
    CHECK(std::lround(bank_cycles({0, 17500, 0, 0})) == 20300);
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
    CHECK(source() == source());
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
    const Graph mul =
        plain_graph(Mul{}, {quantised("x", {1, 8}, 0.1F, 0), quantised("y", {1, 8}, 0.1F, 0)},
                    quantised("out", {1, 8}, 0.1F, 0));
    CHECK(refusal_of(mul, chip()).find("MUL") == 0);
    Graph floats = pointwise();
    floats.tensors[3].type = ElementType::Float32;
    CHECK(refusal_of(floats, chip()).find("float32") != std::string::npos);
}
