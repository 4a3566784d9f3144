// SPDX-License-Identifier: Apache-2.0
// Pixels of the camera pipes: crop, decimation, downsizing, formats, statistics. Expected values
// are computed here from the definitions.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "models/soc/camera/picture_statistics.h"
#include "models/soc/camera/pixel_packer.h"
#include "models/soc/camera/pixel_path.h"
#include "models/soc/camera/raw_line.h"

using namespace n6vp::models::camera;
using Bytes = std::vector<std::uint8_t>;

namespace {

/// A line whose pixel x has the components x, x + 1, x + 2 and `more`.
Bytes ramp(unsigned pixels, unsigned more = 0) {
    Bytes line;
    for (unsigned x = 0; x < pixels; ++x) {
        for (unsigned part = 0; part < 3; ++part)
            line.push_back(static_cast<std::uint8_t>(x + part + more));
    }
    return line;
}

Bytes reds(std::span<const std::uint8_t> rgb) {
    Bytes all;
    for (std::size_t i = 0; i < rgb.size(); i += 3) all.push_back(rgb[i]);
    return all;
}

Bytes plane(const PixelPacker& packer, unsigned number) {
    const auto bytes = packer.plane(number);
    return {bytes.begin(), bytes.end()};
}

PathSettings downsized(std::uint32_t ratio, std::uint32_t width, std::uint32_t height) {
    PathSettings settings;
    settings.downsize = true;
    settings.column_ratio = settings.line_ratio = ratio;
    settings.column_factor = settings.line_factor = (1024 * 8192 - 1) / ratio;
    settings.width = width;
    settings.height = height;
    return settings;
}

}  // namespace

TEST_CASE("camera pixels: a crop is cut out, and ends with the picture") {
    PathSettings settings;
    settings.crop = true;
    settings.area = {2, 1, 3, 2};
    PixelPath path;
    path.begin(settings, 8, 4);
    CHECK(path.width() == 3);
    CHECK(path.height() == 2);
    CHECK_FALSE(path.take(ramp(8), 0));
    CHECK(path.take(ramp(8, 10), 1));
    CHECK(reds(path.output()) == Bytes{12, 13, 14});
    CHECK(path.take(ramp(8, 20), 2));
    CHECK_FALSE(path.take(ramp(8, 30), 3));
    settings.area = {6, 3, 100, 100};
    path.begin(settings, 8, 4);
    CHECK(path.width() == 2);
    CHECK(path.height() == 1);
    settings.area = {9, 9, 1, 1};
    path.begin(settings, 8, 4);
    CHECK(path.width() == 0);
    CHECK_FALSE(path.take(ramp(8), 3));
}

TEST_CASE("camera pixels: decimation keeps the first of 2, 4 or 8") {
    PathSettings settings;
    settings.column_shift = 2;
    settings.line_shift = 1;
    PixelPath path;
    path.begin(settings, 9, 4);
    CHECK(path.width() == 3);
    CHECK(path.height() == 2);
    CHECK(path.take(ramp(9), 0));
    CHECK(reds(path.output()) == Bytes{0, 4, 8});
    CHECK_FALSE(path.take(ramp(9), 1));
    CHECK(path.take(ramp(9), 2));
}

TEST_CASE("camera pixels: an output pixel is the mean of the input that it covers") {
    PixelPath path;
    path.begin(downsized(8192 * 3 / 2, 100, 100), 6, 3);
    CHECK(path.width() == 4);
    CHECK(path.height() == 2);
    const Bytes first{30, 0, 0, 60, 0, 0, 90, 0, 0, 0, 0, 0, 120, 0, 0, 240, 0, 0};
    CHECK_FALSE(path.take(first, 0));
    CHECK(path.take(first, 1));
    // (30 + 60/2) / 1.5, (60/2 + 90) / 1.5, (0 + 120/2) / 1.5, (120/2 + 240) / 1.5.
    CHECK(reds(path.output()) == Bytes{40, 80, 40, 200});
    // Half of that line belongs to the next one.
    CHECK(path.take(Bytes(18, 0), 2));
    CHECK(reds(path.output()) == Bytes{13, 27, 13, 67});
}

TEST_CASE("camera pixels: one colour at the ratio of the public application keeps its factors") {
    constexpr std::uint32_t kSensor = 1944, kOutput = 480;
    PixelPath path;
    path.begin(downsized(kSensor * 8192 / kOutput, kOutput, kOutput), kSensor, kSensor);
    CHECK(path.width() == kOutput);
    CHECK(path.height() == kOutput);
    const Bytes line(std::size_t{kSensor} * 3, 255);
    // 33177 / 8192 input pixels by 252 / 1024, across and down: 255 * 0.9967 * 0.9967.
    constexpr double kScale = 33177.0 * 252 / (8192.0 * 1024);
    const auto expected = static_cast<std::uint8_t>(std::lround(255 * kScale * kScale));
    CHECK(expected == 253);
    unsigned lines = 0, wrong = 0;
    for (unsigned y = 0; y < kSensor; ++y) {
        if (!path.take(line, y)) continue;
        ++lines;
        for (const std::uint8_t value : path.output()) wrong += value == expected ? 0 : 1;
    }
    CHECK(lines == kOutput);
    CHECK(wrong == 0);
}

TEST_CASE("camera pixels: formats in memory") {
    const Bytes rgb{0x12, 0x34, 0x56, 0xFF, 0x80, 0x01};
    const auto packed = [&rgb](PixelFormat format, bool swap = false) {
        PackerSettings settings;
        settings.format = format;
        settings.swap_red_blue = swap;
        PixelPacker packer;
        packer.begin(settings);
        packer.pack(rgb, 0);
        return plane(packer, 0);
    };
    CHECK(packed(PixelFormat::Rgb888) == Bytes{0x56, 0x34, 0x12, 0x01, 0x80, 0xFF});
    CHECK(packed(PixelFormat::Rgb888, true) == rgb);
    // 0x12 >> 3 = 2, 0x34 >> 2 = 13, 0x56 >> 3 = 10; 31, 32, 0.
    const auto word = [](unsigned value, unsigned byte) {
        return static_cast<std::uint8_t>(value >> 8 * byte);
    };
    constexpr unsigned kFirst = 2u << 11 | 13u << 5 | 10, kSecond = 31u << 11 | 32u << 5;
    CHECK(packed(PixelFormat::Rgb565) ==
          Bytes{word(kFirst, 0), word(kFirst, 1), word(kSecond, 0), word(kSecond, 1)});
    CHECK(packed(PixelFormat::Argb8888) == Bytes{0x56, 0x34, 0x12, 0xFF, 0x01, 0x80, 0xFF, 0xFF});
    CHECK(packed(PixelFormat::Rgba8888) == Bytes{0xFF, 0x56, 0x34, 0x12, 0xFF, 0x01, 0x80, 0xFF});
    CHECK(packed(PixelFormat::Mono) == Bytes{0x34, 0x80});
}

TEST_CASE("camera pixels: the matrix makes YUV, whose planes share their chroma") {
    PackerSettings settings;
    settings.format = PixelFormat::Yuv422;
    settings.convert = true;
    settings.matrix = {
        MatrixRow{{131, -110, -21}, 128}, {{77, 150, 29}, 0}, {{-44, -87, 131}, 128}};
    PixelPacker packer;
    packer.begin(settings);
    const Bytes rgb{255, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 255};
    packer.pack(rgb, 0);
    // Red: Y = 77 * 255 / 256 = 77, U = 128 - 44, V = 128 + 130 -> 255; blue: 29, 128 + 130, 107.
    CHECK(plane(packer, 0) == Bytes{77, 84, 77, 255, 29, 255, 29, 107});
    settings.format = PixelFormat::Yuv420Planes2;
    packer.begin(settings);
    CHECK(packer.halves_lines());
    packer.pack(rgb, 0);
    CHECK(plane(packer, 0) == Bytes{77, 77, 29, 29});
    CHECK(plane(packer, 1) == Bytes{84, 255, 255, 107});
    packer.pack(rgb, 1);
    CHECK(plane(packer, 1).empty());
    settings.format = PixelFormat::Yuv420Planes3;
    settings.clamp = true;
    packer.begin(settings);
    packer.pack(rgb, 2);
    CHECK(plane(packer, 1) == Bytes{84, 240});
    CHECK(plane(packer, 2) == Bytes{240, 107});
}

TEST_CASE("camera pixels: statistics add or count components") {
    // Two lines of 512 pixels: red 200, green 10, blue 50.
    Bytes line;
    for (unsigned x = 0; x < 512; ++x) line.insert(line.end(), {200, 10, 50});
    const auto results = [&line](std::array<std::uint32_t, 3> control, bool in_area = false) {
        PictureStatistics statistics;
        statistics.begin({control, in_area, {0, 1, 256, 1}, 0});
        CHECK(statistics.wanted());
        for (const unsigned y : {0u, 1u}) statistics.take(line, y);
        return std::array{statistics.result(0), statistics.result(1), statistics.result(2)};
    };
    const auto source = [](std::uint32_t code) { return 1 | code << 4; };
    // Behind the demosaicing all 1024 pixels have all components; the register is the sum by 256.
    CHECK(results({source(4), source(5), source(6)}) == std::array{800u, 40u, 200u});
    // Before it a quarter has red, a quarter blue, a half green.
    CHECK(results({source(0), source(1), source(2)}) == std::array{200u, 20u, 50u});
    // 77 * 200 + 150 * 10 + 29 * 50 = 18350 by 256 = 71.
    CHECK(results({source(7), 0, 0})[0] == 71 * 4);
    // Without values below 16 and above 239.
    CHECK(results({source(4) | 1u << 2, source(5) | 1u << 2, 0}) == std::array{800u, 0u, 0u});
    // Bins: below 4, 8, 16; above 127, 191, 224.
    const std::uint32_t bins = 1u << 7;
    CHECK(results({source(5) | bins, source(5) | bins, source(5) | bins}) ==
          std::array{0u, 0u, 1024u});
    const std::uint32_t upper = bins | 2u << 2;
    CHECK(results({source(4) | upper, source(4) | upper, source(4) | upper}) ==
          std::array{1024u, 1024u, 0u});
    CHECK(results({source(4), 0, 0}, true)[0] == 200);
    PictureStatistics off;
    off.begin({});
    CHECK_FALSE(off.wanted());
}

TEST_CASE("camera pixels: raw lines of the dump pipe") {
    const Bytes rgb{1, 2, 3, 4, 5, 6};
    Bytes bytes;
    make_raw_line(0x2A, 0, false, rgb, 0, bytes);
    CHECK(bytes == Bytes{1, 5});  // red, green
    make_raw_line(0x2A, 0, false, rgb, 1, bytes);
    CHECK(bytes == Bytes{2, 6});  // green, blue
    make_raw_line(0x2B, 3, true, rgb, 0, bytes);
    CHECK(bytes == Bytes{12, 0, 20, 0});  // blue, green, times four
    make_raw_line(0x2B, 3, false, rgb, 0, bytes);
    CHECK(bytes == Bytes{0, 3, 0, 5});
    make_raw_line(0x24, 0, false, rgb, 0, bytes);
    CHECK(bytes == Bytes{3, 2, 1, 6, 5, 4});
    CHECK_FALSE(has_raw_lines(0x30));
    make_raw_line(0x30, 0, false, rgb, 0, bytes);
    CHECK(bytes.empty());
}

TEST_CASE("camera pixels: a line that is shorter than the picture gives what it has") {
    PathSettings settings;
    PixelPath path;
    path.begin(settings, 8, 4);
    CHECK(path.take(ramp(5), 0));
    CHECK(reds(path.output()) == Bytes{0, 1, 2, 3, 4});
    settings.crop = true;
    settings.area = {4, 0, 4, 4};
    path.begin(settings, 8, 4);
    CHECK(path.take(ramp(5), 0));
    CHECK(reds(path.output()) == Bytes{4});
    CHECK(path.take(ramp(3), 1));
    CHECK(path.output().empty());
}
