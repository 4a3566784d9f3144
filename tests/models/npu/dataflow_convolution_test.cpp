// SPDX-License-Identifier: Apache-2.0
// Convolutions between stream engines: words of the scalar reference, times of the closed form.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "models/npu/dataflow/convolution_node.h"
#include "tests/models/npu/convolution_case.h"
#include "tests/models/npu/dataflow_bench.h"

using namespace n6vp::models::npu;
using namespace n6vp::test;

namespace {

constexpr std::uint32_t kFeatures = 0x34000000, kKernels = 0x34100000, kSums = 0x34200000,
                        kTo = 0x34300000;

/// Frames of words in memory, three bytes each.
struct Frames {
    std::uint32_t address = 0;
    ConvolutionCase::Words words;
    std::uint32_t frames = 0;

    void add(const ConvolutionCase::Words& frame) {
        if (frame.empty()) return;
        words.insert(words.end(), frame.begin(), frame.end());
        ++frames;
    }
    [[nodiscard]] EngineSetup engine(BenchBus& bus, unsigned number) const {
        for (std::size_t i = 0; i < words.size(); ++i) {
            for (std::size_t k = 0; k < 3; ++k) {
                bus.at_address(address, 3 * i + k) =
                    static_cast<std::uint8_t>(static_cast<std::uint32_t>(words[i]) >> 8 * k);
            }
        }
        ReferenceEngine engine = raw(address, static_cast<std::uint32_t>(words.size()) / frames);
        engine.bytes = 3;
        engine.cont = true;
        return setup_of(engine, false, frames, number);
    }
};

Word stored(BenchBus& bus, std::size_t index) {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < 3; ++k)
        value |= std::uint32_t{bus.at_address(kTo, 3 * index + k)} << 8 * k;
    return static_cast<Word>(value << 8) >> 8;
}

/// Runs a case between engines; returns whether memory has what the reference computes.
bool agrees_in_flow(const ConvolutionCase& which, Dice& dice) {
    Frames features{kFeatures, {}, 0}, kernels{kKernels, {}, 0}, sums{kSums, {}, 0};
    reference::Tensor expected, picture;
    for (int frame = 0; frame < which.frames; ++frame) {
        const bool fresh = which.sets_per_frame == 0 || frame % which.sets_per_frame == 0;
        if (fresh) {
            picture = which.features(dice);
            features.add(which.feature_words(picture, dice));
        }
        const reference::Tensor weights = which.weights(dice);
        kernels.add(which.kernel_words(weights, dice));
        reference::Tensor added;
        const int outputs =
            which.layer.out_width() * which.layer.out_height() * which.layer.kernels;
        for (int i = 0; which.port && i < outputs; ++i) added.push_back(dice.roll(-60000, 60000));
        sums.add({added.begin(), added.end()});
        if (!which.adds(frame)) added.clear();
        const auto words = reference::convolve(which.layer, picture, weights, added);
        expected.insert(expected.end(), words.begin(), words.end());
    }
    Bench bench;
    const ConvolutionParameters parameters;
    ConvolutionNode node({which.config(), which.rounding(), kCycle, 0}, parameters, bench.network,
                         bench.link());
    bench.input(features.engine(bench.bus, 0));
    bench.input(kernels.engine(bench.bus, 1));
    node.features.connect(permanent(1), bench.links);
    node.kernels.connect(permanent(2), bench.links);
    if (which.port) {
        bench.input(sums.engine(bench.bus, 2));
        node.accumulator.connect(permanent(3), bench.links);
    }
    ReferenceEngine to = raw(kTo, static_cast<std::uint32_t>(expected.size()));
    to.bytes = 3;
    if (dice.once_in(3)) bench.bus.write_one_beat = 8000;
    bench.output(setup_of(to, true, 1, 3), permanent(0));
    run(bench.network);
    if (!bench.network.busy().empty() || !bench.bus.in_order) return false;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (stored(bench.bus, i) != expected[i]) return false;
    }
    return node.counters().frames == static_cast<std::uint64_t>(which.frames);
}

ConvolutionConfig plain_config(const ReferenceEngine& picture, std::uint32_t kernel,
                               std::uint32_t kernels) {
    ConvolutionConfig c;
    c.ctrl.nosum = true;
    c.ctrl.simd = 1;
    const std::uint32_t pad = kernel / 2;
    c.kformat = {kernel, kernel, picture.depth, kernels};
    c.sample = {pad, pad, pad, pad, 1, 1, 0};
    c.dformat = {0, 4, 1, true, true, false, 1, 1, 16, false};
    c.fformat = {picture.width * picture.depth, picture.height};
    return c;
}

ReferenceEngine raster(std::uint32_t address, std::uint32_t width, std::uint32_t height,
                       std::uint32_t depth, std::uint32_t pixel_pitch, std::int32_t frame_offset) {
    ReferenceEngine e;
    e.raw = false;
    e.address = address;
    e.width = width;
    e.height = height;
    e.depth = depth;
    e.pixel_pitch = pixel_pitch;
    e.line_pitch = pixel_pitch * width;
    e.frame_offset = frame_offset;
    return e;
}

EngineSetup flash_kernels(std::uint32_t words, std::uint32_t bytes, std::uint32_t frames) {
    ReferenceEngine engine = raw(BenchBus::kFlash + 64, words);
    engine.bytes = bytes;
    engine.cont = true;
    EngineSetup setup = setup_of(engine, false, frames, 9);
    setup.cacheable = true;
    return setup;
}

}  // namespace

TEST_CASE("convolutions between engines store the words of the reference") {
    Dice dice(41);
    for (int i = 0; i < 240; ++i) {
        CAPTURE(i);
        ConvolutionCase which = draw_case(dice, dice.once_in(2) ? 1 : dice.once_in(2) ? 2 : 0);
        if (dice.once_in(4)) {
            which.sets_per_frame = dice.roll(1, 3);
            which.frames = 2 * which.sets_per_frame;
        } else if (dice.once_in(3)) {
            which.frames = 3;
            which.port = true;
            which.filter_period = 2;
            which.filter_first = which.filter_last = 1;
        }
        REQUIRE(agrees_in_flow(which, dice));
    }
}

TEST_CASE("deep convolutions between engines store the words of the reference") {
    Dice dice(42);
    for (int i = 0; i < 160; ++i) {
        CAPTURE(i);
        const auto link =
            dice.once_in(2) ? n6vp::test::Link::DeepContiguous : n6vp::test::Link::DeepPixels;
        REQUIRE(agrees_in_flow(draw_deep_case(dice, link), dice));
    }
}

TEST_CASE("sums of two rounds go through memory and back") {
    Dice dice(43);
    for (int i = 0; i < 60; ++i) {
        CAPTURE(i);
        ConvolutionCase which = draw_case(dice, 1);
        which.port = true;
        which.skip_first = false;
        which.filter_period = 2;
        which.filter_first = which.filter_last = 1;
        which.frames = 2 * dice.roll(1, 3);
        which.layer.in_shift = 0;
        which.layer.out_bytes = 3;
        Frames features{kFeatures, {}, 0}, kernels{kKernels, {}, 0};
        reference::Tensor expected, sums;
        for (int frame = 0; frame < which.frames; ++frame) {
            const reference::Tensor picture = which.features(dice), weights = which.weights(dice);
            features.add(which.feature_words(picture, dice));
            kernels.add(which.kernel_words(weights, dice));
            if (frame % 2 == 0) sums.clear();
            sums = reference::convolve(which.layer, picture, weights, sums);
            if (frame % 2 == 1) expected.insert(expected.end(), sums.begin(), sums.end());
        }
        Bench bench;
        const ConvolutionParameters parameters;
        ConvolutionNode node({which.config(), which.rounding(), kCycle, 0}, parameters,
                             bench.network, bench.link());
        bench.input(features.engine(bench.bus, 0));
        bench.input(kernels.engine(bench.bus, 1));
        const auto frames = static_cast<std::uint32_t>(which.frames);
        ReferenceEngine buffer = raw(kSums, static_cast<std::uint32_t>(sums.size()));
        buffer.bytes = 3;
        InputEngine& reader = bench.input(setup_of(buffer, false, frames, 2));
        OutputEngine& writer = bench.output(setup_of(buffer, true, frames, 3), permanent(0));
        REQUIRE(feeds_back(writer.config(), reader.config()));
        reader.follow(writer, dice.once_in(2));
        SwitchConfig second = permanent(0);
        second.en0 = false;
        second.en1 = true;
        second.fnr0 = second.fnr1 = 1;
        ReferenceEngine to = raw(kTo, static_cast<std::uint32_t>(sums.size()));
        to.bytes = 3;
        to.cont = true;
        bench.output(setup_of(to, true, frames / 2, 4), second);
        node.features.connect(permanent(1), bench.links);
        node.kernels.connect(permanent(2), bench.links);
        node.accumulator.connect(permanent(3), bench.links);
        run(bench.network);
        REQUIRE(bench.network.busy().empty());
        REQUIRE(bench.bus.in_order);
        for (std::size_t k = 0; k < expected.size(); ++k)
            REQUIRE(stored(bench.bus, k) == expected[k]);
    }
}

TEST_CASE("a unit adds to its own outputs, frame after frame") {
    // A fully connected layer whose inputs come in three frames; only the last sums are stored.
    reference::Layer layer;
    layer.depth = 5;
    layer.kernels = 3;
    constexpr std::uint32_t kFrames = 3;
    Bench bench;
    reference::Tensor sums;
    for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
        reference::Tensor features, weights;
        for (std::uint32_t i = 0; i < 5; ++i)
            features.push_back(
                static_cast<std::int8_t>(bench.bus.at_address(kFeatures, 5 * frame + i)));
        for (std::uint32_t i = 0; i < 15; ++i)
            weights.push_back(
                static_cast<std::int8_t>(bench.bus.at_address(kKernels, 15 * frame + i)));
        sums = reference::convolve(layer, features, weights, sums);
    }
    ReferenceEngine picture = raw(kFeatures, 5, 5);
    picture.width = picture.height = 1;
    picture.depth = 5;
    ConvolutionConfig config = plain_config(picture, 1, 3);
    config.sample = {0, 0, 0, 0, 1, 1, 0};
    config.ctrl.nosum = false;
    config.ctrl.gen1sum = true;
    config.ctrl.afiltmode = 3;
    config.afilt = {kFrames, 1, kFrames - 1};
    config.dformat.outshift = 0;
    config.dformat.obytes = 3;
    REQUIRE(judge(config).computable());
    const ConvolutionParameters parameters;
    ConvolutionNode node({config, Rounding::HalfUp, kCycle, 0}, parameters, bench.network,
                         bench.link());
    bench.input(setup_of(picture, false, kFrames));
    bench.input(setup_of(raw(kKernels, 15, 15), false, kFrames, 1));
    node.features.connect(permanent(1), bench.links);
    node.kernels.connect(permanent(2), bench.links);
    node.accumulator.connect(permanent(0), bench.links);
    SwitchConfig last_frame;
    last_frame.fnr0 = kFrames - 1;
    last_frame.en1 = true;
    last_frame.fnr1 = 1;
    ReferenceEngine to = raw(kTo, 3);
    to.bytes = 3;
    bench.output(setup_of(to, true, 1, 3), last_frame);
    run(bench.network);
    CHECK(bench.network.busy().empty());
    CHECK(node.counters().frames == kFrames);
    for (std::size_t i = 0; i < 3; ++i) CHECK(stored(bench.bus, i) == sums[i]);
}

TEST_CASE("time of a depthwise epoch: 14x14x384 in 48 frames") {
    Bench bench;
    const ReferenceEngine from = raster(kFeatures, 14, 14, 8, 384, 8);
    const ConvolutionConfig config = plain_config(from, 3, 8);
    REQUIRE(judge(config).computable());
    bench.bus.first_access = 155000;
    const ConvolutionParameters parameters;
    ConvolutionNode node({config, Rounding::HalfUp, kCycle, 0}, parameters, bench.network,
                         bench.link());
    bench.input(setup_of(from, false, 48));
    bench.input(flash_kernels(576, 1, 48));
    node.features.connect(permanent(1), bench.links);
    node.kernels.connect(permanent(2), bench.links);
    const OutputEngine& out =
        bench.output(setup_of(raster(kTo, 14, 14, 8, 384, 8), true, 48, 1), permanent(0));
    run(bench.network);
    CHECK(bench.network.busy().empty());
    // Measured: 89,660 to 89,755 with the start of an epoch by the processor, 900.
    CHECK(cycles(out.counters().finished) == doctest::Approx(89700 - 900).epsilon(0.006));
    CHECK(node.counters().frames == 48);
    CHECK(node.counters().products == std::uint64_t{48} * 14 * 14 * 8 * 9 * 8);
    CHECK(cycles(node.counters().kernels_waited) == doctest::Approx(1604).epsilon(0.05));
    // One word a cycle keeps all 72 multipliers busy, and so do the two pads of each line; engines
    // restart between frames.
    const double frame = 14 * (14 + 2) * 8;
    CHECK(share(out.counters(), StallCause::Compute) ==
          doctest::Approx(48 * frame / 88800.0).epsilon(0.01));
    CHECK(share(out.counters(), StallCause::Restart) ==
          doctest::Approx(47 * 35 / 88800.0).epsilon(0.05));
}

TEST_CASE("line buffers fill while the first kernels load") {
    // 56x56x8 at stride 2: the first output needs three lines; two of them come with the kernels.
    const auto time = [](std::uint32_t kernel) {
        Bench bench;
        const ReferenceEngine from = raster(kFeatures, 56, 56, 8, 8, 0);
        ConvolutionConfig config = plain_config(from, kernel, 8);
        config.sample = {0, kernel / 2, 0, kernel / 2, 2, 2, 0};
        REQUIRE(judge(config).computable());
        bench.bus.first_access = 155000;
        const ConvolutionParameters parameters;
        ConvolutionNode node({config, Rounding::HalfUp, kCycle, 0}, parameters, bench.network,
                             bench.link());
        bench.input(setup_of(from, false, 1));
        bench.input(flash_kernels(kernel * kernel * 64, 1, 1));
        node.features.connect(permanent(1), bench.links);
        node.kernels.connect(permanent(2), bench.links);
        const OutputEngine& out =
            bench.output(setup_of(raw(kTo, 28 * 28 * 8), true, 1, 1), permanent(0));
        run(bench.network);
        CHECK(bench.network.busy().empty());
        return cycles(out.counters().finished);
    };
    // A word a cycle: what is left of 25,088 words when 576 and 64 bytes of kernels are there. With
    // the small kernel no output needs the last line.
    CHECK(time(3) == doctest::Approx(1604 + 25088 - 2 * 56 * 8).epsilon(0.004));
    CHECK(time(1) == doctest::Approx(316 + 25088 - 56 * 8).epsilon(0.004));
}

TEST_CASE("of two frames the second fills the line buffers while the first leaves") {
    // 20x8, one channel to 8 kernels: outputs take eight times as long as features, and the frame
    // behind has its first two lines when the last output of the one before goes.
    Bench bench;
    const ReferenceEngine from = raster(kFeatures, 20, 8, 1, 1, 0);
    const ConvolutionConfig config = plain_config(from, 3, 8);
    const ConvolutionParameters parameters;
    ConvolutionNode node({config, Rounding::HalfUp, kCycle, 0}, parameters, bench.network,
                         bench.link());
    bench.input(setup_of(from, false, 4));
    bench.input(setup_of(raw(kKernels, 72), false, 4, 1));
    node.features.connect(permanent(1), bench.links);
    node.kernels.connect(permanent(2), bench.links);
    const OutputEngine& out =
        bench.output(setup_of(raw(kTo, 20 * 8 * 8), true, 4, 3), permanent(0));
    run(bench.network);
    CHECK(bench.network.busy().empty());
    // No output waits for a feature: four frames of outputs, one set of kernels before them.
    CHECK(cycles(out.counters().finished) > 72 + 4 * 1280);
    CHECK(cycles(out.counters().finished) < 72 + 4 * 1280 + 150);
}

TEST_CASE("strides leave multipliers idle: the links set the pace") {
    Bench bench;
    const ReferenceEngine from = raster(kFeatures, 14, 14, 8, 16, 8);
    ConvolutionConfig config = plain_config(from, 3, 8);
    config.sample.hstrd = config.sample.vstrd = 2;
    REQUIRE(judge(config).computable());
    const ConvolutionParameters parameters;
    ConvolutionNode node({config, Rounding::HalfUp, kCycle, 0}, parameters, bench.network,
                         bench.link());
    bench.input(setup_of(from, false, 2));
    bench.input(flash_kernels(576, 1, 2));
    node.features.connect(permanent(1), bench.links);
    node.kernels.connect(permanent(2), bench.links);
    const OutputEngine& out =
        bench.output(setup_of(raster(kTo, 7, 7, 8, 16, 8), true, 2, 1), permanent(0));
    run(bench.network);
    CHECK(bench.network.busy().empty());
    CHECK(share(out.counters(), StallCause::Compute) == 0);
    CHECK(share(out.counters(), StallCause::Link) > 0.5);
}

TEST_CASE("time of a deep epoch that waits for its kernels: 70 + 70 channels to 140") {
    Bench bench;
    ReferenceEngine from = raster(kFeatures, 5, 25, 24, 140, 0);
    from.bytes = 3;
    ReferenceEngine picture = from;
    picture.depth = 70;
    ConvolutionConfig first = plain_config(picture, 1, 20), second = first;
    first.ctrl.deepmode = second.ctrl.deepmode = true;
    first.ctrl.kseten = second.ctrl.kseten = 3;
    first.dformat.obytes = 3;
    first.dformat.outshift = 0;
    first.kfilt = {40, 0, 19};
    second.kfilt = {40, 20, 39};
    second.ctrl.nosum = false;
    REQUIRE(judge(first).computable());
    REQUIRE(judge(second).computable());
    bench.bus.first_access = 155000;
    const ConvolutionParameters parameters;
    ConvolutionNode one({first, Rounding::HalfUp, kCycle, 0}, parameters, bench.network,
                        bench.link());
    ConvolutionNode two({second, Rounding::HalfUp, kCycle, 0}, parameters, bench.network,
                        bench.link());
    bench.input(setup_of(from, false, 7));
    from.address += 70;
    bench.input(setup_of(from, false, 7, 1));
    bench.input(flash_kernels(934, 3, 7));
    one.features.connect(permanent(2), bench.links);
    two.features.connect(permanent(3), bench.links);
    one.kernels.connect(permanent(4), bench.links);
    two.kernels.connect(permanent(4), bench.links);
    two.accumulator.connect(permanent(0), bench.links);
    const OutputEngine& out =
        bench.output(setup_of(raster(kTo, 5, 25, 20, 140, 20), true, 7, 3), permanent(1));
    run(bench.network);
    CHECK(bench.network.busy().empty());
    CHECK(cycles(out.counters().finished) == doctest::Approx(52519).epsilon(0.01));
    // All but the last frame waits for the next set of kernels.
    CHECK(share(out.counters(), StallCause::Flash) > 49000 / 52519.0);
    CHECK(share(out.counters(), StallCause::Compute) == 0);
}

TEST_CASE("time of single channels: 3x3 over 140 frames of 5x25") {
    Bench bench;
    const ReferenceEngine from = raster(kFeatures, 5, 25, 1, 1, 125);
    const ConvolutionConfig config = plain_config(from, 3, 1);
    bench.bus.first_access = 155000;
    const ConvolutionParameters parameters;
    ConvolutionNode node({config, Rounding::HalfUp, kCycle, 0}, parameters, bench.network,
                         bench.link());
    bench.input(setup_of(from, false, 140));
    bench.input(flash_kernels(9, 1, 140));
    node.features.connect(permanent(1), bench.links);
    node.kernels.connect(permanent(2), bench.links);
    const OutputEngine& out =
        bench.output(setup_of(raster(kTo, 5, 25, 1, 140, 1), true, 140, 3), permanent(0));
    run(bench.network);
    CHECK(bench.network.busy().empty());
    // Engines bring 125 words and restart: the line that a first output needs comes ahead.
    CHECK(cycles(out.counters().finished) == doctest::Approx(178 + 140 * 160).epsilon(0.01));
    CHECK(share(out.counters(), StallCause::Restart) ==
          doctest::Approx(139 * 35 / 22578.0).epsilon(0.01));
    CHECK(share(out.counters(), StallCause::Link) ==
          doctest::Approx(140 * 125 / 22578.0).epsilon(0.02));
    CHECK(share(out.counters(), StallCause::Compute) == 0);
}

TEST_CASE("a convolution without features or kernels names them") {
    Bench bench;
    const ReferenceEngine from = raster(kFeatures, 5, 5, 1, 1, 25);
    const ConvolutionParameters parameters;
    ConvolutionNode node({plain_config(from, 3, 1), Rounding::HalfUp, kCycle, 0}, parameters,
                         bench.network, bench.link());
    bench.output(setup_of(raw(kTo, 25), true, 1, 3), permanent(0));
    bench.input(setup_of(raw(kKernels, 9), false, 1));
    bench.link();
    node.features.connect(permanent(2), bench.links);
    SUBCASE("features") {
        node.kernels.connect(permanent(1), bench.links);
        run(bench.network);
        CHECK(node.busy());
        CHECK(node.waits_for() == "features of frame 0");
    }
    SUBCASE("kernels") {
        run(bench.network);
        CHECK_FALSE(bench.network.busy().empty());
        CHECK(node.waits_for() == "kernels of frame 0");
    }
}
