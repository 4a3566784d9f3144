// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "models/npu/units/convolution_rules.h"

namespace {

using n6vp::models::npu::ConvolutionConfig;
using n6vp::models::npu::judge;
using n6vp::models::npu::rule_text;
using Rule = n6vp::models::npu::ConvolutionRule;
using Change = std::function<void(ConvolutionConfig&)>;

/// A 3x3 convolution, 16 x 8 pixels of 8 channels, 8 kernels.
ConvolutionConfig common() {
    ConvolutionConfig c;
    c.ctrl.nosum = c.ctrl.no1sum = true;
    c.ctrl.simd = 1;
    c.kformat = {3, 3, 8, 8};
    c.sample = {1, 1, 1, 1, 1, 1, 0};
    c.dformat = {0, 4, 1, true, true, false, 2, 1, 16, false};
    c.fformat = {128, 8};
    return c;
}

/// A 1x1 convolution in deep mode.
ConvolutionConfig deep() {
    ConvolutionConfig c = common();
    c.ctrl.deepmode = true;
    c.ctrl.kseten = 3;
    c.kformat.width = c.kformat.height = 1;
    c.sample = {0, 0, 0, 0, 1, 1, 0};
    c.dformat.fbytes = 3;
    return c;
}

/// Two channels a word, no pads.
ConvolutionConfig pairs() {
    ConvolutionConfig c = common();
    c.ctrl.dss2mode = true;
    c.sample = {0, 0, 0, 0, 2, 2, 0};
    return c;
}

ConvolutionConfig changed(ConvolutionConfig config, const Change& change) {
    change(config);
    return config;
}

}  // namespace

TEST_CASE("convolution rules: common configurations break none") {
    for (const auto& config : {common(), deep(), pairs()}) {
        const auto verdict = judge(config);
        CHECK(verdict.computable());
        CHECK(verdict.assumptions.empty());
    }
}

TEST_CASE("convolution rules: each is found") {
    struct Row {
        Rule rule;
        ConvolutionConfig config;
    };
    const std::vector<Row> rows = {
        {Rule::EmptyKernel, changed(common(), [](auto& c) { c.kformat.width = 0; })},
        {Rule::EmptyKernel, changed(common(), [](auto& c) { c.kformat.btcdepth = 0; })},
        {Rule::EmptyKernel, changed(common(), [](auto& c) { c.kformat.nr = 0; })},
        {Rule::TooManyKernels, changed(deep(), [](auto& c) { c.kformat.nr = 25; })},
        {Rule::NoStride, changed(common(), [](auto& c) { c.sample.hstrd = 0; })},
        {Rule::NoStride, changed(common(), [](auto& c) { c.sample.vstrd = 0; })},
        {Rule::NoBytes, changed(common(), [](auto& c) { c.dformat.fbytes = 0; })},
        {Rule::NoBytes, changed(common(), [](auto& c) { c.dformat.obytes = 0; })},
        {Rule::DeepAndPairs, changed(deep(), [](auto& c) { c.ctrl.dss2mode = true; })},
        {Rule::StoredPacked, changed(deep(), [](auto& c) { c.ctrl.fstat = true; })},
        {Rule::StoredPacked, changed(pairs(), [](auto& c) { c.ctrl.fstat = true; })},
        {Rule::StoredCount, changed(common(), [](auto& c) { c.ctrl.fstat = true; })},
        {Rule::DeepKernel, changed(deep(), [](auto& c) { c.kformat.height = 2; })},
        {Rule::OddPairs, changed(pairs(), [](auto& c) { c.kformat.btcdepth = 7; })},
        {Rule::LineNotPixels, changed(common(), [](auto& c) { c.fformat.width = 127; })},
        {Rule::Crop, changed(common(),
                             [](auto& c) {
                                 c.fhcrop = {8, 126};
                             })},
        {Rule::Crop, changed(common(),
                             [](auto& c) {
                                 c.fhcrop = {4, 127};
                             })},
        {Rule::Crop, changed(common(),
                             [](auto& c) {
                                 c.fhcrop = {64, 63};
                             })},
        {Rule::Crop, changed(common(),
                             [](auto& c) {
                                 c.fvcrop = {8, 9};
                             })},
        {Rule::FrameNotPixels, changed(common(), [](auto& c) { c.zframe.left = 4; })},
        {Rule::FrameNotPixels, changed(common(), [](auto& c) { c.zframe.right = 9; })},
        {Rule::WindowTooLarge, changed(pairs(), [](auto& c) { c.fformat.width = 16; })},
        {Rule::WindowTooLarge, changed(pairs(), [](auto& c) { c.fformat.height = 2; })},
        {Rule::Multipliers, changed(common(), [](auto& c) { c.kformat.nr = 9; })},
        {Rule::Multipliers, changed(common(), [](auto& c) { c.ctrl.simd = 2; })},
        {Rule::KernelFilter, changed(common(),
                                     [](auto& c) {
                                         c.kfilt = {8, 0, 8};
                                     })},
        {Rule::KernelFilter, changed(common(),
                                     [](auto& c) {
                                         c.kfilt = {16, 8, 7};
                                     })},
        {Rule::KernelFilter, changed(common(), [](auto& c) { c.kfilt.tot = 0; })},
        {Rule::AccumulatorFilter, changed(common(),
                                          [](auto& c) {
                                              c.ctrl.afiltmode = 3;
                                              c.afilt = {2, 1, 2};
                                          })},
    };
    std::set<Rule> seen;
    for (const Row& row : rows) {
        CAPTURE(rule_text(row.rule));
        const auto verdict = judge(row.config);
        REQUIRE(verdict.broken.has_value());
        CHECK(rule_text(*verdict.broken) == rule_text(row.rule));
        CHECK(std::string(verdict.illegal) == rule_text(row.rule));
        CHECK_FALSE(verdict.computable());
        seen.insert(row.rule);
    }
    // Every rule has a text of its own and a row above.
    std::set<std::string> texts;
    for (int rule = 0; rule <= static_cast<int>(Rule::AccumulatorFilter); ++rule) {
        CHECK(seen.count(static_cast<Rule>(rule)) == 1);
        texts.insert(rule_text(static_cast<Rule>(rule)));
    }
    CHECK(texts.size() == static_cast<std::size_t>(Rule::AccumulatorFilter) + 1);
    CHECK(texts.count("") == 0);
}

TEST_CASE("convolution rules: the last allowed value is accepted") {
    const std::vector<ConvolutionConfig> good = {
        changed(deep(), [](auto& c) { c.kformat.nr = 24; }),
        changed(common(), [](auto& c) { c.fformat.width = 1024; }),
        changed(common(),
                [](auto& c) {
                    c.fformat.width = 2048;
                    c.fhcrop = {0, 1023};
                }),
        changed(deep(), [](auto& c) { c.fformat.width = 4096; }),
        changed(common(),
                [](auto& c) {
                    c.ctrl.simd = 2;
                    c.dformat.fbytes = 2;
                    c.kformat.nr = 4;
                }),
        // Stride 2 uses two columns of multipliers for a width of three.
        changed(common(),
                [](auto& c) {
                    c.sample.hstrd = 2;
                    c.kformat.nr = 12;
                }),
        changed(common(),
                [](auto& c) {
                    c.kfilt = {8, 0, 7};
                }),
        changed(common(), [](auto& c) { c.fhcrop.right = 127; }),
        changed(pairs(),
                [](auto& c) {
                    c.fformat.width = 24;
                    c.fformat.height = 3;
                }),
    };
    for (std::size_t i = 0; i < good.size(); ++i) {
        CAPTURE(i);
        CHECK(judge(good[i]).computable());
    }
}

TEST_CASE("convolution limits: what is not described is named, not guessed") {
    struct Row {
        const char* feature;
        ConvolutionConfig config;
    };
    const std::vector<Row> rows = {
        {"CTRL.KT1", changed(common(), [](auto& c) { c.ctrl.kt1 = true; })},
        {"CTRL.FC", changed(common(), [](auto& c) { c.ctrl.fc = true; })},
        {"ITER", changed(common(), [](auto& c) { c.iter.period = 1; })},
        {"ITER", changed(common(), [](auto& c) { c.iter.number = 1; })},
        {"CTRL.AFILTMODE=1", changed(common(), [](auto& c) { c.ctrl.afiltmode = 1; })},
        {"CTRL.AFILTMODE=2", changed(common(), [](auto& c) { c.ctrl.afiltmode = 2; })},
        {"CTRL.KSETEN", changed(common(), [](auto& c) { c.ctrl.kseten = 1; })},
        {"CTRL.KSETEN", changed(deep(), [](auto& c) { c.ctrl.kseten = 0; })},
        {"CTRL.FSTATCLEAR", changed(common(), [](auto& c) { c.ctrl.fstatclear = true; })},
        {"CTRL.SIMD=3", changed(common(),
                                [](auto& c) {
                                    c.ctrl.simd = 3;
                                    c.kformat.nr = 1;
                                })},
        {"CTRL.DEEPMODE", changed(deep(), [](auto& c) { c.ctrl.simd = 2; })},
        {"CTRL.DEEPMODE", changed(deep(), [](auto& c) { c.dformat.fbytes = 2; })},
        {"CTRL.DSS2MODE", changed(pairs(), [](auto& c) { c.dformat.fbytes = 3; })},
        {"DFORMAT.FBYTES=3", changed(common(), [](auto& c) { c.dformat.fbytes = 3; })},
        {"DFORMAT.FSHIFT", changed(common(), [](auto& c) { c.dformat.fshift = 15; })},
        {"DFORMAT.FSAT", changed(common(), [](auto& c) { c.dformat.fsat = true; })},
        {"DFORMAT.ORNDMODE", changed(common(), [](auto& c) { c.dformat.orndmode = 0; })},
        {"DFORMAT.INSHIFT", changed(common(),
                                    [](auto& c) {
                                        c.ctrl.nosum = c.ctrl.no1sum = false;
                                        c.dformat.inshift = 37;
                                    })},
        {"SAMPLE pads", changed(deep(), [](auto& c) { c.sample.lpad = 1; })},
        {"SAMPLE pads", changed(pairs(), [](auto& c) { c.sample.bpad = 1; })},
        {"SAMPLE pads", changed(common(), [](auto& c) { c.zfbias = 1; })},
        {"SAMPLE pads", changed(common(), [](auto& c) { c.sample.rpad = 3; })},
        {"SAMPLE pads", changed(common(), [](auto& c) { c.kformat.height = 1; })},
        {"FHCROP, FVCROP", changed(common(), [](auto& c) { c.fhcrop.right = 135; })},
        {"FHCROP, FVCROP", changed(common(), [](auto& c) { c.fvcrop.bottom = 8; })},
        {"KFILT", changed(common(),
                          [](auto& c) {
                              c.kfilt = {4, 0, 2};
                          })},
        {"KFILT in deep mode", changed(deep(),
                                       [](auto& c) {
                                           c.kfilt = {12, 4, 11};
                                       })},
        {"FFORMAT, ZFRAME", changed(deep(),
                                    [](auto& c) {
                                        c.fformat = {0xFFF8, 0x1000};
                                    })},
    };
    for (const Row& row : rows) {
        CAPTURE(std::string(row.feature));
        const auto verdict = judge(row.config);
        CHECK_FALSE(verdict.broken.has_value());
        REQUIRE(verdict.limits.size() == 1);
        CHECK(std::strcmp(verdict.limits[0].feature, row.feature) == 0);
        CHECK(std::strcmp(verdict.limits[0].unit, "CONVACC") == 0);
        CHECK_FALSE(verdict.computable());
    }
}

TEST_CASE("convolution limits: what does not matter does not limit") {
    const std::vector<ConvolutionConfig> good = {
        // Rounding of nothing, a shift of a port that is not used, a filter that is off.
        changed(common(),
                [](auto& c) {
                    c.dformat.orndmode = 0;
                    c.dformat.outshift = 0;
                }),
        changed(common(),
                [](auto& c) {
                    c.dformat.orndmode = 0;
                    c.dformat.round = false;
                }),
        changed(common(), [](auto& c) { c.dformat.inshift = 63; }),
        changed(common(),
                [](auto& c) {
                    c.afilt = {0, 0, 0};
                }),
        changed(common(), [](auto& c) { c.fformat.width = 1024; }),
        changed(deep(), [](auto& c) { c.fformat.width = 1032; }),
    };
    for (std::size_t i = 0; i < good.size(); ++i) {
        CAPTURE(i);
        CHECK(judge(good[i]).computable());
        CHECK(judge(good[i]).assumptions.empty());
    }
}

TEST_CASE("convolution limits: inferred rules are computed and said") {
    struct Row {
        const char* feature;
        ConvolutionConfig config;
    };
    const std::vector<Row> rows = {
        {"DFORMAT.ORNDMODE bit 1", changed(common(), [](auto& c) { c.dformat.orndmode = 3; })},
        {"DFORMAT.RAW", changed(common(), [](auto& c) { c.dformat.raw = true; })},
        {"CTRL.SIMD=0", changed(common(),
                                [](auto& c) {
                                    c.ctrl.simd = 0;
                                    c.kformat.nr = 2;
                                })},
        {"CTRL.NO1SUM", changed(common(), [](auto& c) { c.ctrl.nosum = false; })},
        // A public network has lines of 480 pixels of 3 channels under a kernel of 3x3.
        {"FFORMAT.WIDTH", changed(common(), [](auto& c) { c.fformat.width = 1032; })},
    };
    for (const Row& row : rows) {
        CAPTURE(std::string(row.feature));
        const auto verdict = judge(row.config);
        CHECK(verdict.computable());
        REQUIRE(verdict.assumptions.size() == 1);
        CHECK(std::strcmp(verdict.assumptions[0].feature, row.feature) == 0);
    }
}
