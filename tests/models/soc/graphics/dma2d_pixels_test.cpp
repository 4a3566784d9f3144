// SPDX-License-Identifier: Apache-2.0
// DMA2D: what it writes, against a second computation (dma2d_oracle.h) and by hand.
#include <random>

#include "tests/models/soc/graphics/dma2d_bench.h"
#include "tests/models/soc/graphics/dma2d_oracle.h"

using namespace n6vp;
using test::Dma2dBench;
namespace oracle = test::oracle;

namespace {

using Random = std::mt19937;

[[nodiscard]] unsigned below(Random& random, unsigned end) {
    return static_cast<unsigned>(random() % end);
}

[[nodiscard]] oracle::Source any_source(Random& random, unsigned format, std::uint32_t address) {
    oracle::Source source;
    source.format = format;
    source.alpha_mode = below(random, 3);
    source.alpha = below(random, 256);
    source.invert = below(random, 2) != 0;
    source.swap = below(random, 2) != 0;
    source.table_rgb = below(random, 2) != 0;
    source.address = address;
    source.offset = 4 * below(random, 4);
    source.colour = random() & 0xFFFFFF;
    for (unsigned i = 0; i < 256; ++i) source.table.push_back(static_cast<std::uint32_t>(random()));
    return source;
}

[[nodiscard]] oracle::Picture any_picture(Random& random, unsigned mode, unsigned fg, unsigned bg,
                                          unsigned out) {
    oracle::Picture picture;
    picture.mode = mode;
    picture.columns = 2 * (1 + below(random, 40));
    picture.lines = 1 + below(random, 5);
    picture.byte_offsets = below(random, 2) != 0;
    picture.fg = any_source(random, fg, 0x1000);
    picture.bg = any_source(random, bg, 0x4000);
    picture.format = out;
    picture.invert = below(random, 2) != 0;
    picture.swap = below(random, 2) != 0;
    picture.swap_bytes = below(random, 4) == 0;
    picture.address = 0x8000;
    picture.offset = 4 * below(random, 4);
    picture.colour = static_cast<std::uint32_t>(random());
    return picture;
}

[[nodiscard]] std::uint32_t converter(const oracle::Source& source) {
    return source.format | (source.table_rgb ? 1u << 4 : 0) | source.alpha_mode << 16 |
           (source.invert ? 1u << 20 : 0) | (source.swap ? 1u << 21 : 0) | source.alpha << 24;
}

void program(Dma2dBench& bench, const oracle::Picture& picture) {
    for (const auto& [source, address, offset, settings, colour, table] :
         {std::tuple{&picture.fg, bench.kFgmar, bench.kFgor, bench.kFgpfccr, bench.kFgcolr,
                     bench.kFgclut},
          std::tuple{&picture.bg, bench.kBgmar, bench.kBgor, bench.kBgpfccr, bench.kBgcolr,
                     bench.kBgclut}}) {
        bench.set(address, source->address);
        bench.set(offset, source->offset);
        bench.set(settings, converter(*source));
        bench.set(colour, source->colour);
        for (unsigned i = 0; i < 256; ++i) bench.set(table + 4 * i, source->table[i]);
    }
    bench.set(bench.kOpfccr, picture.format | (picture.swap_bytes ? 1u << 8 : 0) |
                                 (picture.invert ? 1u << 20 : 0) | (picture.swap ? 1u << 21 : 0));
    bench.set(bench.kOcolr, picture.colour);
    bench.set(bench.kOmar, picture.address);
    bench.set(bench.kOor, picture.offset);
    bench.size(picture.columns, picture.lines);
}

void compare(Dma2dBench& bench, Random& random, const oracle::Picture& picture) {
    CAPTURE(picture.mode);
    CAPTURE(picture.fg.format);
    CAPTURE(picture.bg.format);
    CAPTURE(picture.format);
    for (std::uint8_t& byte : bench.memory.bytes) byte = static_cast<std::uint8_t>(random());
    const oracle::Memory expected = oracle::after(picture, bench.memory.bytes);
    program(bench, picture);
    REQUIRE(bench.run(picture.mode, picture.byte_offsets ? 1u << 6 : 0) == Dma2dBench::kTc);
    std::size_t wrong = 0, first = 0;
    for (std::size_t i = expected.size(); i-- > 0;) {
        if (bench.memory.bytes[i] == expected[i]) continue;
        ++wrong;
        first = i;
    }
    CAPTURE(first);
    REQUIRE(wrong == 0);
}

}  // namespace

TEST_CASE("dma2d: conversion of every format to every format is as computed apart") {
    Dma2dBench bench;
    Random random(1);
    for (unsigned from = 0; from < oracle::kFormats.size(); ++from) {
        for (unsigned to = 0; to < 5; ++to)
            compare(bench, random, any_picture(random, 1, from, 0, to));
    }
}

TEST_CASE("dma2d: blending of every pair of formats is as computed apart") {
    Dma2dBench bench;
    Random random(2);
    for (unsigned fg = 0; fg < oracle::kFormats.size(); ++fg) {
        for (unsigned bg = 0; bg < oracle::kFormats.size(); ++bg)
            compare(bench, random, any_picture(random, 2, fg, bg, below(random, 5)));
    }
}

TEST_CASE("dma2d: copies, fills and blends with a fixed colour are as computed apart") {
    Dma2dBench bench;
    Random random(3);
    for (unsigned format = 0; format < oracle::kFormats.size(); ++format) {
        for (const unsigned mode : {0u, 3u, 4u, 5u})
            compare(bench, random, any_picture(random, mode, format, format, format % 5));
    }
}

TEST_CASE("dma2d: half covered red over blue, by hand") {
    Dma2dBench bench;
    bench.put(0x100, {0x00, 0x00, 0xFF, 0x80});  // B G R A
    bench.put(0x200, {0xFF, 0x00, 0x00, 0xFF});
    bench.set(bench.kFgmar, 0x100);
    bench.set(bench.kBgmar, 0x200);
    bench.set(bench.kOmar, 0x300);
    bench.size(1, 1);
    CHECK(bench.run(2) == bench.kTc);
    // alpha 128 + 255 - 128; red 255 * 128 / 255; blue (255 * 255 - 255 * 128) / 255.
    CHECK(bench.word(0x300) == 0xFF80007F);
    CHECK(bench.dma2d.statistics().pixels == 1);
}

TEST_CASE("dma2d: a CLUT is loaded from memory in both of its formats") {
    Dma2dBench bench;
    for (std::uint32_t i = 0; i < 1024; ++i)
        bench.memory.bytes[0x1000 + i] = static_cast<std::uint8_t>(i * 7 + i / 256);
    const auto byte = [&](std::uint32_t i) {
        return std::uint32_t{bench.memory.bytes[0x1000 + i]};
    };
    bench.set(bench.kFgcmar, 0x1000);
    bench.set(bench.kCr, bench.kAllEnables);
    bench.set(bench.kFgpfccr, 5 | 255u << 8 | 1u << 5);
    CHECK((bench.get(bench.kFgpfccr) & 1u << 5) != 0);
    bench.set(bench.kFgclut, 1);  // while it is loaded
    CHECK(bench.get(bench.kIsr) == bench.kCae);
    bench.pass_ns(10'000);
    CHECK((bench.get(bench.kFgpfccr) & 1u << 5) == 0);
    CHECK(bench.get(bench.kIsr) == (bench.kCae | bench.kCtc));
    for (std::uint32_t i = 0; i < 256; ++i)
        CHECK(bench.get(bench.kFgclut + 4 * i) == bench.word(0x1000 + 4 * i));
    bench.set(bench.kIfcr, 0x3F);
    // Three bytes for each of five entries, the first of which is anywhere.
    bench.set(bench.kBgcmar, 0x1001);
    bench.set(bench.kBgpfccr, 1u << 4 | 4u << 8 | 1u << 5);
    bench.pass_ns(10'000);
    CHECK(bench.get(bench.kIsr) == bench.kCtc);
    for (std::uint32_t i = 0; i < 5; ++i) {
        CHECK(bench.get(bench.kBgclut + 4 * i) ==
              (0xFFu << 24 | byte(3 * i + 3) << 16 | byte(3 * i + 2) << 8 | byte(3 * i + 1)));
    }
    CHECK(bench.get(bench.kBgclut + 20) == 0);
    CHECK(bench.dma2d.statistics().tables == 2);
}

TEST_CASE("dma2d: units of YCbCr in the three subsamplings") {
    Dma2dBench bench;
    struct Case {
        std::uint32_t code;
        unsigned width, height;
    };
    for (const Case& each : {Case{0, 8, 8}, Case{1, 16, 8}, Case{2, 16, 16}}) {
        CAPTURE(each.code);
        const unsigned luma = each.width * each.height, unit = luma + 128;
        // Two units of 20 columns; the second line of units is red, the first one grey.
        const unsigned units = (20 + each.width - 1) / each.width;
        for (unsigned row = 0; row < 2; ++row) {
            for (unsigned i = 0; i < units * unit; ++i) {
                const unsigned inner = i % unit;
                const unsigned red = inner < luma ? 76 : inner < luma + 64 ? 85 : 255;
                bench.memory.bytes[0x1000 + row * units * unit + i] =
                    static_cast<std::uint8_t>(row == 0 ? 128 : red);
            }
        }
        // One block of luma is brighter: of the first unit the lowest on the right.
        for (unsigned i = luma - 64; i < luma; ++i) bench.memory.bytes[0x1000 + i] = 200;
        bench.set(bench.kFgmar, 0x1000);
        bench.set(bench.kFgor, 0);
        bench.set(bench.kFgpfccr, 11 | each.code << 18);
        bench.set(bench.kOmar, 0x8000);
        bench.size(20, each.height + 1);
        CHECK(bench.run(1) == bench.kTc);
        const auto pixel = [&](unsigned x, unsigned y) {
            return bench.word(0x8000 + 4 * (20 * y + x));
        };
        CHECK(pixel(0, 0) == (each.code == 0 ? 0xFFC8C8C8 : 0xFF808080));
        CHECK(pixel(each.width - 1, each.height - 1) == 0xFFC8C8C8);
        CHECK(pixel(19, 0) == 0xFF808080);
        // 76 + 1.402 * 127, 76 + 0.344 * 43 - 0.714 * 127, 76 - 1.772 * 43.
        CHECK(pixel(0, each.height) == 0xFFFE0000);
        CHECK(pixel(19, each.height) == 0xFFFE0000);
    }
}
