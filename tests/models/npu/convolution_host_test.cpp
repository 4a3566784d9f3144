// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <hwy/targets.h>

#include <string>
#include <vector>

#include "tests/models/npu/convolution_case.h"

// What depends on the host, and where its vector unit ends.

namespace {

using namespace n6vp::test;
using n6vp::models::npu::Convolution;
using n6vp::models::npu::ConvolutionConfig;
using n6vp::models::npu::Word;

/// One pixel, one kernel, sums of 24 bits without a shift.
ConvolutionConfig single(std::uint32_t simd, std::uint32_t depth) {
    ConvolutionConfig c;
    c.ctrl.nosum = true;
    c.ctrl.simd = simd;
    c.kformat = {1, 1, depth, 1};
    c.dformat = {0, 0, 1, true, false, false, 3, simd == 1 ? 1u : 2u, 16, false};
    c.fformat = {depth, 1};
    return c;
}

/// Calls `body` once for every vector unit of this host, and for having none.
template <class Body>
void on_every_unit(const Body& body) {
    std::vector<std::int64_t> targets;
    for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1)
        targets.push_back(left & -left);
    REQUIRE(!targets.empty());
    for (const std::int64_t target : targets) {
        CAPTURE(std::string(hwy::TargetName(target)));
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().DeInit();
        body();
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
}

}  // namespace

TEST_CASE("convolution: every vector unit that this host has gives the same results") {
    on_every_unit([] {
        Dice dice(13);
        for (int i = 0; i < 400; ++i) {
            CAPTURE(i);
            ConvolutionCase which = i % 4 == 0   ? draw_deep_case(dice, Link::DeepPixels)
                                    : i % 4 == 1 ? draw_case(dice, 2)
                                                 : draw_case(dice, 1);
            if (i % 4 == 3) {
                which.diagonal = true;
                which.layer.depth = which.layer.kernels;
            }
            bool computable = false;
            REQUIRE(agrees(which, dice, computable));
        }
    });
}

// They made all kernels of the frame read other channels than their own.
TEST_CASE("convolution: the last kernels of a diagonal are empty where channels end") {
    on_every_unit([] {
        ConvolutionConfig config = single(1, 6);
        config.kformat = {1, 1, 6, 4};
        Convolution unit(config);
        std::vector<Word> weights(24);
        weights[4] = weights[6 + 5] = 1;  // kernel 0 of channel 4, kernel 1 of channel 5
        std::vector<Word> out(4);
        (void)unit.compute(0, std::vector<Word>{10, 11, 12, 13, 14, 15}, weights, {}, out);
        CHECK(out == std::vector<Word>{14, 15, 0, 0});
    });
}

TEST_CASE("convolution: sums above 32 bits are exact and reported") {
    Convolution unit(single(0, 3));
    const std::vector<Word> lowest(3, -32768);
    std::vector<Word> out(1);
    // 3 * 2^30 = 0xC0000000 needs an unsigned word; its low 24 bits are 0.
    auto outcome = unit.compute(0, lowest, lowest, {}, out);
    CHECK(outcome.wide_sums);
    CHECK_FALSE(outcome.wide_features);
    CHECK(out[0] == 0);
    // 2^31 - 1 - ... : two products and one less stay within 32 bits.
    outcome = unit.compute(0, std::vector<Word>{-32768, -32768, 1},
                           std::vector<Word>{-32768, -32767, 5}, {}, out);
    CHECK_FALSE(outcome.wide_sums);
    CHECK(out[0] == -32763);  // 2^31 - 32768 + 5, low 24 bits
}

TEST_CASE("convolution: features wider than the multipliers are exact and reported") {
    struct Row {
        std::uint32_t simd;
        bool is_unsigned;
        std::int32_t zero_point;
        Word feature;
        std::int32_t value;  ///< that is multiplied
        bool wide;
    };
    on_every_unit([] {
        for (const Row row :
             {Row{1, false, -1, 126, 127, false}, Row{1, false, -1, 127, 128, true},
              Row{1, false, 1, -127, -128, false}, Row{1, false, 1, -128, -129, true},
              Row{1, true, -1, 254, 255, false}, Row{1, true, -1, 255, 256, true},
              Row{1, true, 1, 1, 0, false}, Row{1, true, 1, 0, -1, true},
              Row{2, false, 5, -32763, -32768, false}, Row{2, false, 5, -32764, -32769, true},
              Row{2, false, -5, 32762, 32767, false}, Row{2, false, -5, 32763, 32768, true}}) {
            CAPTURE(row.value);
            ConvolutionConfig config = single(row.simd, 1);
            config.ctrl.funsigned = row.is_unsigned;
            config.fsub = row.zero_point;
            Convolution unit(config);
            std::vector<Word> out(1);
            const auto outcome =
                unit.compute(0, std::vector<Word>{row.feature}, std::vector<Word>{-3}, {}, out);
            CHECK(outcome.wide_features == row.wide);
            CHECK(out[0] == -3 * row.value);
        }
    });
}

TEST_CASE("convolution: a stored frame serves sets that need wider sums") {
    ConvolutionConfig config = single(0, 2);
    config.ctrl.fstat = true;
    config.sample.fstatcnt = 2;
    Convolution unit(config);
    std::vector<Word> out(1);
    const std::vector<Word> features = {-32768, 32767};
    auto outcome = unit.compute(0, features, std::vector<Word>{1, 1}, {}, out);
    CHECK_FALSE(outcome.wide_sums);
    CHECK(out[0] == -1);
    CHECK(unit.feature_words(1) == 0);
    outcome = unit.compute(1, {}, std::vector<Word>{-32768, 32767}, {}, out);
    CHECK_FALSE(outcome.wide_sums);
    CHECK(out[0] == -65535);  // 2^30 + (2^15 - 1)^2 = 2^31 - 2^16 + 1, low 24 bits
    outcome = unit.compute(2, features, std::vector<Word>{2, -2}, {}, out);
    CHECK(out[0] == -131070);
}

TEST_CASE("convolution: rounding of a sum close to 32 bits does not turn its sign") {
    ConvolutionConfig config = single(0, 2);
    config.dformat.outshift = 30;
    Convolution unit(config);
    std::vector<Word> out(1);
    const std::vector<Word> highest(2, 32767);
    const auto outcome = unit.compute(0, highest, highest, {}, out);
    CHECK_FALSE(outcome.wide_sums);
    CHECK(out[0] == 2);  // 2 * 32767^2 / 2^30 = 1.9999
}

TEST_CASE("convolution: a wide feature is seen in every lane of a word") {
    struct Row {
        bool pairs, deep;
        std::uint32_t fbytes;
        std::size_t words;
    };
    // Six channels less -1: only 127 does not fit.
    for (const Row row : {Row{false, false, 1, 6}, Row{true, false, 1, 3}, Row{false, true, 1, 2},
                          Row{false, true, 3, 2}}) {
        CAPTURE(row.words);
        CAPTURE(row.fbytes);
        ConvolutionConfig config = single(1, 6);
        config.ctrl.dss2mode = row.pairs;
        config.ctrl.deepmode = row.deep;
        config.ctrl.kseten = row.deep ? 3 : 0;
        config.dformat.fbytes = row.fbytes;
        config.fsub = -1;
        Convolution unit(config);
        REQUIRE(n6vp::models::npu::judge(config).computable());
        REQUIRE(unit.feature_words(0) == row.words);
        const std::vector<Word> kernels(unit.kernel_words(), 0);
        std::vector<Word> out(1);
        const unsigned lanes = 6 / static_cast<unsigned>(row.words);
        for (std::size_t word = 0; word < row.words; ++word) {
            for (unsigned lane = 0; lane < lanes; ++lane) {
                std::vector<Word> features(row.words, 0);
                features[word] = 126 << (8 * lane);
                CHECK_FALSE(unit.compute(0, features, kernels, {}, out).wide_features);
                features[word] = 127 << (8 * lane);
                CHECK(unit.compute(0, features, kernels, {}, out).wide_features);
            }
        }
    }
}

TEST_CASE("convolution: what stands behind the last feature of a row makes nothing wide") {
    // Features of -1 less -128 are 127, which fits; a zero behind them would be 128.
    enum class Mode : std::uint8_t { Words, Pairs, Deep };
    on_every_unit([] {
        for (const Mode mode : {Mode::Words, Mode::Pairs, Mode::Deep}) {
            for (std::uint32_t depth = 6; depth <= 150; depth += 6) {
                CAPTURE(static_cast<int>(mode));
                CAPTURE(depth);
                ConvolutionConfig config = single(1, depth);
                config.ctrl.dss2mode = mode == Mode::Pairs;
                config.ctrl.deepmode = mode == Mode::Deep;
                config.ctrl.kseten = mode == Mode::Deep ? 3 : 0;
                config.fsub = -128;
                REQUIRE(n6vp::models::npu::judge(config).computable());
                Convolution unit(config);
                const std::vector<Word> kernels(unit.kernel_words(), 0);
                std::vector<Word> features(unit.feature_words(0), 0xFFFFFF), out(1);
                CHECK_FALSE(unit.compute(0, features, kernels, {}, out).wide_features);
                features.back() = 0;
                CHECK(unit.compute(0, features, kernels, {}, out).wide_features);
            }
        }
    });
}

TEST_CASE("convolution: a wide value of the zero frame is exact and reported") {
    struct Row {
        std::int32_t value;
        bool wide;
    };
    for (const Row row : {Row{-128, false}, Row{-129, true}, Row{127, false}, Row{128, true}}) {
        CAPTURE(row.value);
        ConvolutionConfig config = single(1, 1);
        config.zfbias = row.value;
        std::vector<Word> out(1);
        Convolution without(config);
        CHECK_FALSE(
            without.compute(0, std::vector<Word>{1}, std::vector<Word>{5}, {}, out).wide_features);
        CHECK(out[0] == 5);
        config.zframe.left = 1;
        out.resize(2);
        Convolution with(config);
        const auto outcome = with.compute(0, std::vector<Word>{1}, std::vector<Word>{5}, {}, out);
        CHECK(outcome.wide_features == row.wide);
        CHECK(out == std::vector<Word>{5 * row.value, 5});
    }
}
