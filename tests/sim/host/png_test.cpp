// SPDX-License-Identifier: Apache-2.0
// PNG files. Expected bytes and checksums: zlib of Python 3.
#include "sim/host/png.h"

#include <doctest/doctest.h>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using n6vp::sim::write_png;

TEST_CASE("png: a picture of four pixels") {
    const std::vector<std::uint8_t> pixels{255, 0, 0, 0, 255, 0, 0, 0, 255, 1, 2, 3};
    const std::vector<std::uint8_t> expected{
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48,
        0x44, 0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x02, 0x00, 0x00,
        0x00, 0xFD, 0xD4, 0x9A, 0x73, 0x00, 0x00, 0x00, 0x19, 0x49, 0x44, 0x41, 0x54, 0x78,
        0x01, 0x01, 0x0E, 0x00, 0xF1, 0xFF, 0x00, 0xFF, 0x00, 0x00, 0x00, 0xFF, 0x00, 0x00,
        0x00, 0x00, 0xFF, 0x01, 0x02, 0x03, 0x19, 0xFE, 0x03, 0x04, 0x8C, 0x41, 0xAE, 0x93,
        0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82};
    std::ostringstream out;
    write_png(out, 2, 2, pixels);
    CHECK(out.str() == std::string(expected.begin(), expected.end()));
}

TEST_CASE("png: a picture of more than one stored block") {
    constexpr std::size_t kWidth = 300, kHeight = 100;
    std::vector<std::uint8_t> pixels(3 * kWidth * kHeight);
    for (std::size_t i = 0; i < pixels.size(); ++i)
        pixels[i] = static_cast<std::uint8_t>(7 * i + i / 256);
    std::ostringstream out;
    write_png(out, kWidth, kHeight, pixels);
    const std::string file = out.str();
    // Signature, IHDR, length and type of IDAT, zlib header, two blocks with 5 bytes each, Adler-32
    // and CRC-32, IEND.
    constexpr std::size_t kRaw = (3 * kWidth + 1) * kHeight, kStart = 8 + 25 + 8;
    REQUIRE(file.size() == kStart + 2 + 5 + 5 + kRaw + 4 + 4 + 12);
    const auto word = [&file](std::size_t at) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < 4; ++i)
            value = value << 8 | static_cast<std::uint8_t>(file[at + i]);
        return value;
    };
    CHECK(word(kStart + 12 + kRaw) == 0x1BE622BA);
    CHECK(file[kStart + 2] == 0);
    CHECK(file[kStart + 2 + 5 + 0xFFFF] == 1);
}

TEST_CASE("png: a picture must have its pixels") {
    std::ostringstream out;
    CHECK_THROWS_AS(write_png(out, 2, 2, std::vector<std::uint8_t>(11)), std::logic_error);
    CHECK_THROWS_AS(write_png(out, 0, 2, {}), std::logic_error);
    CHECK(out.str().empty());
}
