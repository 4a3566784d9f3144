// SPDX-License-Identifier: Apache-2.0
// LTDC: timing of the scan, reload of the shadow registers, pixels of layers. Expected pixels are
// computed here from the definition of each format.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/models/soc/graphics/ltdc_bench.h"

using namespace n6vp::models;
using namespace n6vp::test::ltdc;

TEST_CASE("timing: ltdc scans lines, reads each when it begins, and repeats the frame") {
    Bench bench;
    bench.ltdc.attributes[0] = {3, true, true};
    bench.layer(kLayer1, 4, 2, 0x1000);
    CHECK(bench.get(kCdsr) == 3);
    bench.enable();
    bench.pass_us(25);
    CHECK(bench.get(kCpsr) == (5u << 16 | 2));
    CHECK(bench.get(kCdsr) == 3);  // in the active area
    bench.pass_us(40);
    CHECK(bench.get(kCpsr) == (5u << 16 | 0));
    CHECK(bench.get(kCdsr) == (4 | 2));
    bench.pass_us(30);
    REQUIRE(bench.memory.seen.size() == 4);
    for (unsigned i = 0; i < 4; ++i) {
        CAPTURE(i);
        CHECK(bench.memory.seen[i].address == 0x1000 + 8 * (i % 2));
        CHECK(bench.memory.seen[i].bytes == 8);
        CHECK(bench.memory.seen[i].at == (20 + 10 * (i % 2) + 60 * (i / 2)) * kUs);
        CHECK(bench.memory.seen[i].secure);
        CHECK(bench.memory.seen[i].compartment == 3);
    }
    CHECK(bench.ltdc.statistics().frames == 1);
    CHECK(bench.ltdc.statistics().frame_ps == 60 * kUs);
    bench.set(kGcr, 0);
    bench.pass_us(200);
    CHECK(bench.memory.seen.size() == 4);
    CHECK(bench.ltdc.picture().rgb.size() == 24);
}

TEST_CASE("timing: ltdc interrupts at its line, and at a reload with the vertical blanking") {
    Bench bench;
    bench.set(kIer, kLine | kReload);
    bench.set(kLipcr, 3);
    bench.layer(kLayer1, 0, 4, 0x1000);
    bench.enable();
    bench.set(kLayer1 + kCfbar, 0x2000);
    CHECK(bench.get(kLayer1 + kCfbar) == 0x1000);
    bench.set(kSrcr, 2);
    bench.pass_us(35);
    REQUIRE(bench.levels.size() == 1);
    CHECK(bench.levels[0] == std::pair(true, 30 * kUs));
    CHECK(bench.get(kIsr) == kLine);
    CHECK(bench.get(kIsr2) == kLine);  // LIPCR2 = 0: its line was at the start of the scan
    bench.set(kIcr, kLine);
    CHECK(bench.get(kSrcr) == 2);
    bench.pass_us(10);
    CHECK(bench.get(kSrcr) == 0);
    CHECK(bench.get(kIsr) == kReload);
    CHECK(bench.get(kLayer1 + kCfbar) == 0x2000);
    CHECK(bench.levels.back() == std::pair(true, 40 * kUs));
    bench.pass_us(60);
    CHECK(bench.memory.seen.back().address == 0x2010);
}

TEST_CASE("ltdc: a layer reloads alone, at once or with the vertical blanking") {
    Bench bench;
    bench.layer(kLayer1, 0, 4, 0x1000);
    bench.enable();
    bench.set(kLayer1 + kCacr, 0x40);
    bench.set(kLayer1 + kRcr, 4 | 1);
    CHECK(bench.get(kLayer1 + kRcr) == 4);
    CHECK(bench.get(kLayer1 + kCacr) == 0x40);
    bench.set(kLayer1 + kCacr, 0x50);
    bench.set(kLayer1 + kRcr, 4 | 2);
    CHECK(bench.get(kLayer1 + kRcr) == (4 | 2));
    CHECK(bench.get(kLayer1 + kCacr) == 0x40);
    bench.pass_us(45);
    CHECK(bench.get(kLayer1 + kRcr) == 4);
    CHECK(bench.get(kLayer1 + kCacr) == 0x50);
    // The driver leaves GRMSK set and reloads by SRCR.
    bench.set(kLayer1 + kCacr, 0x60);
    bench.set(kSrcr, 1);
    CHECK(bench.get(kSrcr) == 0);
    CHECK(bench.get(kLayer1 + kCacr) == 0x60);
}

TEST_CASE("ltdc: pixel formats") {
    struct Case {
        std::uint32_t format, bytes;
        std::vector<std::uint8_t> pixel;
        Rgb expected;
    };
    // 0x9ACD: fields 10011 010110 01101 are 19 of 31, 22 of 63 and 13 of 31.
    const Case cases[] = {
        {0, 4, {0x11, 0x22, 0x33, 0xFF}, {0x33, 0x22, 0x11}},
        {1, 4, {0x11, 0x22, 0x33, 0xFF}, {0x11, 0x22, 0x33}},
        {2, 4, {0xFF, 0x11, 0x22, 0x33}, {0x33, 0x22, 0x11}},
        {3, 4, {0xFF, 0x11, 0x22, 0x33}, {0x11, 0x22, 0x33}},
        {4, 2, {0xCD, 0x9A}, {19 << 3 | 19 >> 2, 22 << 2 | 22 >> 4, 13 << 3 | 13 >> 2}},
        {5, 2, {0xCD, 0x9A}, {13 << 3 | 13 >> 2, 22 << 2 | 22 >> 4, 19 << 3 | 19 >> 2}},
        {6, 3, {0x11, 0x22, 0x33}, {0x33, 0x22, 0x11}},
    };
    Bench bench;
    bench.enable();
    for (const Case& each : cases) {
        CAPTURE(each.format);
        bench.layer(kLayer1, each.format, each.bytes, 0x1000);
        bench.put(0x1000 + 5 * each.bytes, each.pixel);
        bench.pass_us(120);
        CHECK(bench.pixel(1, 1) == each.expected);
    }
}

TEST_CASE("ltdc: flexible formats, and the colour table") {
    Bench bench;
    bench.enable();
    // ARGB4444 as the driver describes it.
    bench.set(kLayer1 + kFpf0r, 4u << 14 | 8u << 9 | 4u << 5 | 12);
    bench.set(kLayer1 + kFpf1r, 2u << 18 | 4u << 14 | 0u << 9 | 4u << 5 | 4);
    bench.layer(kLayer1, 7, 2, 0x1000);
    bench.put(0x1000, {0x3A, 0xFC});
    bench.pass_us(60);
    CHECK(bench.pixel(0, 0) == Rgb{0xCC, 0x33, 0xAA});
    // L8 with its table.
    bench.set(kLayer1 + kFpf0r, 8u << 14);
    bench.set(kLayer1 + kFpf1r, 1u << 18 | 8u << 14 | 8u << 5);
    bench.set(kLayer1 + kClutwr, 0x7Fu << 24 | 0x123456);
    bench.layer(kLayer1, 7, 1, 0x1000);
    bench.put(0x1000, {0x7F, 0x80});
    bench.pass_us(60);
    CHECK(bench.pixel(0, 0) == Rgb{0x7F, 0x7F, 0x7F});
    bench.set(kLayer1 + kCr, 1 | 1u << 4);
    bench.set(kLayer1 + kRcr, 1);
    bench.pass_us(60);
    CHECK(bench.pixel(0, 0) == Rgb{0x12, 0x34, 0x56});
    CHECK(bench.pixel(1, 0) == Rgb{0, 0, 0});
}

TEST_CASE("ltdc: two layers with constant and pixel alpha over the background") {
    Bench bench;
    bench.set(kBccr, 0x204060);
    bench.layer(kLayer1, 6, 3, 0x1000);
    bench.layer(kLayer2, 0, 4, 0x2000);
    bench.put(0x1000, {10, 20, 30});
    bench.put(0x2000, {200, 150, 100, 64});
    bench.set(kLayer1 + kCacr, 128);
    bench.set(kLayer1 + kBfcr, 0x405);
    bench.set(kLayer2 + kCacr, 200);
    bench.set(kLayer2 + kBfcr, 0x10607);
    bench.set(kSrcr, 1);
    bench.enable();
    bench.pass_us(60);
    const auto over = [](double above, double below, double alpha) {
        return above * alpha + below * (1 - alpha);
    };
    const double first = 128 / 255.0, second = 64 / 255.0 * (200 / 255.0);
    const Rgb got = bench.pixel(0, 0);
    const double expected[] = {over(100, over(30, 0x20, first), second),
                               over(150, over(20, 0x40, first), second),
                               over(200, over(10, 0x60, first), second)};
    for (unsigned i = 0; i < 3; ++i) {
        CAPTURE(i);
        CHECK(got[i] == doctest::Approx(expected[i]).epsilon(0).scale(1).epsilon(0.02));
    }
}

TEST_CASE("ltdc: windows, pitch, colour key, default colour") {
    Bench bench;
    bench.set(kBccr, 0x010203);
    bench.layer(kLayer1, 6, 3, 0x1000);
    bench.set(kLayer1 + kWhpcr, 5u << 16 | 4);  // the two middle columns
    bench.set(kLayer1 + kCfblr, 100u << 16 | (6 + 7));
    bench.set(kLayer1 + kCkcr, 0x333333);
    bench.set(kLayer1 + kCr, 1 | 2);
    bench.set(kLayer1 + kRcr, 1);
    bench.put(0x1000, {9, 8, 7, 0x33, 0x33, 0x33});
    bench.put(0x1000 + 100, {1, 1, 1, 2, 2, 2});
    bench.enable();
    bench.pass_us(60);
    CHECK(bench.pixel(0, 0) == Rgb{1, 2, 3});
    CHECK(bench.pixel(1, 0) == Rgb{7, 8, 9});
    CHECK(bench.pixel(2, 0) == Rgb{1, 2, 3});  // the key: transparent
    CHECK(bench.pixel(2, 1) == Rgb{2, 2, 2});
    bench.set(kLayer1 + kDccr, 0xFF0A0B0C);
    bench.set(kLayer1 + kCr, 1 | 1u << 9);
    bench.set(kLayer1 + kRcr, 1);
    bench.pass_us(60);
    CHECK(bench.pixel(0, 0) == Rgb{10, 11, 12});
    CHECK(bench.pixel(1, 0) == Rgb{7, 8, 9});
    // Mirrored: the driver gives the last byte of the line.
    bench.set(kLayer1 + kCfbar, 0x1000 + 5);
    bench.set(kLayer1 + kCr, 1 | 1u << 8);
    bench.set(kLayer1 + kRcr, 1);
    bench.pass_us(60);
    CHECK(bench.pixel(2, 0) == Rgb{7, 8, 9});
}

TEST_CASE("ltdc: transfer errors and underruns are flagged") {
    Bench bench;
    bench.set(kIer, kError | kUnderrun);
    bench.layer(kLayer1, 6, 3, 0x1000);
    bench.memory.refused = 0x100C;
    bench.enable();
    bench.pass_us(35);
    CHECK((bench.get(kIsr) & ~kLine) == kError);
    REQUIRE(bench.errors.size() == 1);
    CHECK(bench.errors[0] == std::pair(true, 30 * kUs));
    CHECK(bench.levels.empty());
    bench.set(kIcr, kError);
    CHECK_FALSE(bench.errors.back().first);
    bench.memory.takes = 11 * kUs;
    bench.memory.refused = 0xFFFFFFFF;
    bench.pass_us(60);
    CHECK((bench.get(kIsr) & ~kLine) == kUnderrun);
}

TEST_CASE("ltdc: hostile register values scan nothing, and do not crash") {
    Bench bench;
    CHECK_FALSE(bench.set(kGcr, 1u << 16 | 0));  // dithering
    bench.set(kGcr, 0);
    bench.set(0x14, 0xFFFFFFFF);
    bench.set(0x10, 0xFFFE'FFFE);
    CHECK_FALSE(bench.set(kGcr, 1));
    bench.set(0x10, 0);
    CHECK_FALSE(bench.set(kGcr, 1));
    bench.set(kGcr, 0);
    bench.set(0x10, 6u << 16 | 3);
    bench.set(0x14, 9u << 16 | 3);  // no lines after the active ones
    for (std::uint32_t offset = 0x10C; offset < 0x180; offset += 4) bench.set(offset, 0xFFFFFFFF);
    bench.set(kLayer1 + kRcr, 1);
    bench.enable();
    bench.pass_us(500);
    CHECK(bench.ltdc.statistics().frames > 5);
    (void)bench.ltdc.picture();
    for (std::uint32_t offset = 0x10C; offset < 0x180; offset += 4) {
        if (offset != 0x130) bench.set(offset, 0x7FFF0000);
    }
    bench.set(kLayer1 + kCr, 1);
    bench.set(kLayer1 + kRcr, 1);
    bench.pass_us(500);
    (void)bench.ltdc.picture();
    bench.ltdc.reset();
    CHECK(bench.ltdc.picture().rgb.empty());
    CHECK(bench.get(kGcr) == 0x2220);
}
