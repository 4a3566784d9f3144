// SPDX-License-Identifier: Apache-2.0
// LTDC: layers of YCbCr. Expected pixels are computed by hand from the coefficients below: 1.398,
// 1.773, 0.715 and 0.344.
#include <doctest/doctest.h>

#include <vector>

#include "tests/models/soc/graphics/ltdc_bench.h"

using namespace n6vp::models;
using namespace n6vp::test::ltdc;

namespace {

constexpr std::uint32_t kPcr = 0x30, kAfba0r = 0x40, kAfba1r = 0x44, kAfblr = 0x48, kAfblnr = 0x4C,
                        kCyr0r = 0x6C, kCyr1r = 0x70;
// PCR.
constexpr std::uint32_t kYcc = 1u << 3, kSemiPlanar = 1u << 4, kFullPlanar = 2u << 4,
                        kLuminanceFirst = 1u << 6, kBlueFirst = 1u << 7, kOddFirst = 1u << 8,
                        kRescaled = 1u << 9;
constexpr std::uint32_t kLuminance = 0x1000, kFirst = 0x2000, kSecond = 0x3000;
// Y = 100 with Cr = 228, Y = 50 with the same, Y = 100 with Cb = 78; the other one is 128.
const Rgb kRed{240, 29, 100}, kDarkRed{190, 0, 50}, kYellow{100, 117, 11};

struct Planes : Bench {
    Planes() {
        set(kLayer1 + kCyr0r, 454u << 16 | 358);
        set(kLayer1 + kCyr1r, 88u << 16 | 183);
        enable();
    }
    void mode(std::uint32_t planar) { CHECK(set(kLayer1 + kPcr, kYcc | planar)); }
    void auxiliary(std::uint32_t bytes) {
        set(kLayer1 + kAfba0r, kFirst);
        set(kLayer1 + kAfba1r, kSecond);
        set(kLayer1 + kAfblr, bytes << 16 | (bytes + 7));
        set(kLayer1 + kAfblnr, 1);
    }
    /// After the picture with what was set.
    void show(std::uint32_t pixel_bytes) {
        layer(kLayer1, 0, pixel_bytes, kLuminance);
        pass_us(120);
    }
};

}  // namespace

TEST_CASE("ltdc: YCbCr in three planes, of which rows and columns share chrominance") {
    Planes bench;
    bench.put(kLuminance, {100, 100, 100, 100, 50, 50, 50, 50});
    bench.put(kFirst, {128, 78});
    bench.put(kSecond, {228, 128});
    bench.mode(kFullPlanar);
    bench.auxiliary(2);
    bench.show(1);
    for (const unsigned x : {0u, 1u}) {
        CAPTURE(x);
        CHECK(bench.pixel(x, 0) == kRed);
        CHECK(bench.pixel(x, 1) == kDarkRed);
        CHECK(bench.pixel(2 + x, 0) == kYellow);
    }
    CHECK(bench.memory.seen.size() >= 3);
    CHECK(bench.memory.seen[0].bytes == 4);
    CHECK(bench.memory.seen[1].address == kFirst);
    CHECK(bench.memory.seen[1].bytes == 2);
    CHECK(bench.memory.seen[2].address == kSecond);
}

TEST_CASE("ltdc: planes are mirrored together, from their last bytes on") {
    Planes bench;
    bench.put(kLuminance, {50, 100, 100, 100});
    bench.put(kFirst, {128, 78});
    bench.put(kSecond, {228, 128});
    bench.mode(kFullPlanar);
    bench.auxiliary(2);
    bench.show(1);
    CHECK(bench.pixel(0, 0) == kDarkRed);
    bench.set(kLayer1 + kCfbar, kLuminance + 3);
    bench.set(kLayer1 + kAfba0r, kFirst + 1);
    bench.set(kLayer1 + kAfba1r, kSecond + 1);
    bench.set(kLayer1 + kCr, 1u << 8 | 1);  // HMEN, LEN
    bench.set(kLayer1 + kRcr, 1);
    bench.pass_us(120);
    CHECK(bench.pixel(0, 0) == kYellow);
    CHECK(bench.pixel(1, 0) == kYellow);
    CHECK(bench.pixel(2, 0) == kRed);
    CHECK(bench.pixel(3, 0) == kDarkRed);
}

TEST_CASE("ltdc: YCbCr in two planes, Cb or Cr first") {
    Planes bench;
    bench.put(kLuminance, {100, 50, 100, 100});
    bench.auxiliary(4);
    for (const bool blue : {true, false}) {
        CAPTURE(blue);
        bench.put(kFirst, blue ? std::vector<std::uint8_t>{128, 228, 78, 128}
                               : std::vector<std::uint8_t>{228, 128, 128, 78});
        bench.mode(kSemiPlanar | (blue ? kBlueFirst : 0));
        bench.show(1);
        CHECK(bench.pixel(0, 0) == kRed);
        CHECK(bench.pixel(1, 0) == kDarkRed);
        CHECK(bench.pixel(3, 0) == kYellow);
    }
}

TEST_CASE("ltdc: interleaved YCbCr in all orders") {
    struct Row {
        std::uint32_t order;
        std::vector<std::uint8_t> bytes;  ///< of two pixels, Y = 100 and 50, Cr = 228
    };
    const Row rows[] = {
        {kLuminanceFirst | kBlueFirst, {100, 128, 50, 228}},
        {kLuminanceFirst, {100, 228, 50, 128}},
        {kBlueFirst, {128, 100, 228, 50}},
        {0, {228, 100, 128, 50}},
        {kLuminanceFirst | kBlueFirst | kOddFirst, {50, 128, 100, 228}},
        {kOddFirst, {228, 50, 128, 100}},
    };
    Planes bench;
    for (const Row& row : rows) {
        CAPTURE(row.order);
        bench.put(kLuminance, row.bytes);
        bench.mode(row.order);
        bench.show(2);
        CHECK(bench.pixel(0, 0) == kRed);
        CHECK(bench.pixel(1, 0) == kDarkRed);
    }
}

TEST_CASE("ltdc: luminance of 16 to 235 is rescaled if asked for") {
    Planes bench;
    bench.put(kLuminance, {16, 128, 235, 128, 126, 128, 5, 128});
    bench.mode(kLuminanceFirst | kBlueFirst | kRescaled);
    bench.show(2);
    CHECK(bench.pixel(0, 0) == Rgb{0, 0, 0});
    CHECK(bench.pixel(1, 0) == Rgb{255, 255, 255});
    CHECK(bench.pixel(2, 0) == Rgb{128, 128, 128});
    CHECK(bench.pixel(3, 0) == Rgb{0, 0, 0});
    bench.mode(kLuminanceFirst | kBlueFirst);
    bench.show(2);
    CHECK(bench.pixel(2, 0) == Rgb{126, 126, 126});
}

TEST_CASE("ltdc: a layer answers not modelled to a mode of YCbCr that its C1R does not have") {
    Bench bench;
    CHECK(bench.set(kLayer1 + kPcr, kYcc | kFullPlanar));
    CHECK_FALSE(bench.set(kLayer1 + kPcr, kYcc | kSemiPlanar | kFullPlanar));
    CHECK(bench.set(kLayer2 + kPcr, kYcc));
    CHECK_FALSE(bench.set(kLayer2 + kPcr, kYcc | kSemiPlanar));
    CHECK_FALSE(bench.set(kLayer2 + kPcr, kYcc | kFullPlanar));
}
