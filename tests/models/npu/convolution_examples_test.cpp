// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "memmap/npu/convacc.h"
#include "models/npu/registers/register_file.h"
#include "models/npu/units/convolution_registers.h"
#include "tests/models/npu/convolution_case.h"

// The convolutions of the published epochs, from their register words: accepted, taking as many
// words as the engines that feed them bring, and computing what the reference computes.

namespace {

using namespace n6vp::test;
using n6vp::models::npu::Convolution;
using n6vp::models::npu::ConvolutionConfig;
using n6vp::models::npu::judge;
using n6vp::models::npu::Word;

struct Registers {
    const char* epoch;
    std::uint32_t ctrl, kformat, sample, dformat, fformat;
    std::uint32_t fhcrop = 0xFFFF0000, fvcrop = 0xFFFF0000, kfilt = 1, afilt = 1, zframe = 0;
    std::uint32_t fsub = 0, zfbias = 0;
    /// What the engines bring for one frame, by FSIZE, DEPTH and LIMIT of the same tables.
    std::uint32_t feature_words = 0, kernel_words = 0;
    std::uint32_t out_words = 0;
};

const std::vector<Registers>& examples() {
    constexpr std::uint32_t kNoPads = 0x00001100, kAll = 0xFFFF0000;
    static const std::vector<Registers> kExamples = {
        {"pose 3", 0x00000055, 0x04030303, 0x00002244, 0x10A34505, 0x00C00240, 0x023F0000,
         0x00BF0000, 1, 1, 0, 0x00FFFFFF, 0, 110592, 864 / 8, 96 * 96 * 4},
        {"pose 4", 0x00100035, 0x08080303, 0x00001155, 0x10634303, 0x00600300, 0x02FF0000,
         0x005F0000, 1, 1, 0, 0, 0, 96 * 96 * 8, 2304 / 4, 96 * 96 * 8},
        {"pose 5", 0x10D00035, 0x10200101, kNoPads, 0x10E34202, 0x00600C00, 0x0BFF0000, 0x005F0000,
         1, 1, 0, 0, 0, 98304, 171, 96 * 96 * 16},
        {"pose 11, first", 0x10D00035, 0x18480101, kNoPads, 0x10774004, 0x00300D80, 0x0D7F0000,
         0x002F0000, 0x00170030, 1, 0, 0, 0, 48 * 48 * 24, 2 * 576, 48 * 48 * 24},
        {"pose 11, second", 0x10D00021, 0x18480101, kNoPads, 0x10634400, 0x00300D80, 0x0D7F0000,
         0x002F0000, 0x002F1830, 1, 0, 0, 0, 48 * 48 * 24, 2 * 576, 55296},
        {"pose 11, next layer", 0x00000055, 0x18180101, kNoPads, 0x10A34303, 0x00300480, 0x047F0000,
         0x002F0000, 1, 1, 0, 0x00FFFFFA, 0, 55296, 576, 55296},
        {"pose 41, first", 0x10D00331, 0x18600101, kNoPads, 0x10774005, 0x000C0480, 0x047F0000,
         0x000B0000, 0x00170048, 0x00010102, 0, 0, 0, 12 * 12 * 32, 3 * 768, 3456},
        {"pose 41, second", 0x10D00021, 0x18600101, kNoPads, 0x10774000, 0x000C0480, 0x047F0000,
         0x000B0000, 0x002F1848, 1, 0, 0, 0, 12 * 12 * 32, 3 * 768, 3456},
        {"pose 41, third", 0x10D00021, 0x18600101, kNoPads, 0x10634500, 0x000C0480, 0x047F0000,
         0x000B0000, 0x00473048, 1, 0, 0, 0, 12 * 12 * 32, 3 * 768, 3456},
        {"pose 42", 0x10C00035, 0x18600101, kNoPads, 0x10E34404, 0x000C0480, 0x047F0000, 0x000B0000,
         1, 1, 0, 0, 0, 4608, 18432 / 24, 12 * 12 * 24},
        {"pose 61", 0x01000055, 0x04080303, 0x00021155, 0x10A34303, 0x000C0060, 0x005F0000,
         0x000B0000, 1, 1, 0, 0x0000000E, 0, 12 * 12 * 8, 4608 / 16, 12 * 12 * 4},
        {"kws 21", 0x10D00721, 0x0C620101, kNoPads, 0x10634606, 0x00010062, kAll, kAll, 1,
         0x00010102, 0, 0, 0, 33, 784 / 2, 12},
        {"kws 2, first", 0x00000055, 0x02010304, 0x00001129, 0x10A34505, 0x0031000A, 0x00090000,
         0x002E0000, 1, 1, 0x00020000, 0x00FFFFFB, 0, 490, 1680 / 70, 980},
        {"kws 2, second", 0x00000055, 0x02010304, 0x00001159, 0x10A34505, 0x0031000A, 0x00090000,
         0x00300000, 1, 1, 0, 0x00FFFFFB, 0, 490, 1680 / 70, 980},
        {"kws 2, third", 0x00000055, 0x02010304, 0x00001189, 0x10A34505, 0x0031000A, 0x00090000,
         0x00300002, 1, 1, 0x02000000, 0x00FFFFFB, 0, 490, 1680 / 70, 980},
        {"pose 73, first", 0x00100035, 0x0D180101, kNoPads, 0x10774003, 0x00300480, 0x047F0000,
         0x002F0000, 0x000C0034, 1, 0, 0, 0, 48 * 48 * 24, 4 * 13 * 24, 48 * 48 * 13},
        {"pose 73, second", 0x00100021, 0x0D180101, kNoPads, 0x10774000, 0x00300480, 0x047F0000,
         0x002F0000, 0x00190D34, 1, 0, 0, 0, 48 * 48 * 24, 4 * 13 * 24, 48 * 48 * 13},
        {"pose 73, last", 0x00100021, 0x0D180101, kNoPads, 0x10634300, 0x00300480, 0x047F0000,
         0x002F0000, 0x00332734, 1, 0, 0, 0, 48 * 48 * 24, 4 * 13 * 24, 48 * 48 * 13},
        {"st_yolo_x 5", 0x20100035, 0x04040303, 0x00002200, 0x10634101, 0x00F003C0, 0x03BF0000,
         0x00EF0000, 1, 1, 0x01000400, 0, 0, 240 * 240 * 2, 576 / 4, 120 * 120 * 4},
        {"st_yolo_x 90, 4 wide", 0x00000035, 0x01010101, kNoPads, 0x10534000, 0x000F000F,
         0x000E0000, 0x000E0000, 1, 1, 0x04040404, 0, 0x0000FF80, 225, 1, 23 * 23},
        {"st_yolo_x 90, 6 wide", 0x00000035, 0x01010101, kNoPads, 0x10534000, 0x000F000F,
         0x000E0000, 0x000E0000, 1, 1, 0x06060606, 0, 0x0000FF80, 225, 1, 27 * 27},
        {"identity", 0x00000035, 0x01010101, kNoPads, 0x10634000, 0x00040004, 0x00030000,
         0x00030000, 1, 1, 0, 0, 0, 16, 1, 16},
    };
    return kExamples;
}

std::uint32_t bits(std::uint32_t word, unsigned low, unsigned width) {
    return (word >> low) & ((1u << width) - 1);
}

std::int32_t signed_bits(std::uint32_t word, unsigned width) {
    const auto value = static_cast<std::int32_t>(bits(word, 0, width));
    return value >= (1 << (width - 1)) ? value - (1 << width) : value;
}

/// Field positions typed from the register list, apart from the model's table.
ConvolutionConfig decode(const Registers& r) {
    ConvolutionConfig c;
    c.ctrl.nosum = bits(r.ctrl, 2, 1) != 0;
    c.ctrl.kt1 = bits(r.ctrl, 3, 1) != 0;
    c.ctrl.no1sum = bits(r.ctrl, 4, 1) != 0;
    c.ctrl.simd = bits(r.ctrl, 5, 2);
    c.ctrl.afiltmode = bits(r.ctrl, 8, 2);
    c.ctrl.gen1sum = bits(r.ctrl, 10, 1) != 0;
    c.ctrl.fc = bits(r.ctrl, 11, 1) != 0;
    c.ctrl.funsigned = bits(r.ctrl, 20, 1) != 0;
    c.ctrl.kunsigned = bits(r.ctrl, 21, 1) != 0;
    c.ctrl.kseten = bits(r.ctrl, 22, 2);
    c.ctrl.fstat = bits(r.ctrl, 24, 1) != 0;
    c.ctrl.fstatclear = bits(r.ctrl, 26, 1) != 0;
    c.ctrl.deepmode = bits(r.ctrl, 28, 1) != 0;
    c.ctrl.dss2mode = bits(r.ctrl, 29, 1) != 0;
    c.kformat = {bits(r.kformat, 0, 8), bits(r.kformat, 8, 8), bits(r.kformat, 16, 8),
                 bits(r.kformat, 24, 8)};
    c.sample = {bits(r.sample, 0, 2),  bits(r.sample, 2, 2), bits(r.sample, 4, 2),
                bits(r.sample, 6, 2),  bits(r.sample, 8, 3), bits(r.sample, 12, 3),
                bits(r.sample, 16, 16)};
    c.dformat = {bits(r.dformat, 0, 6),       bits(r.dformat, 8, 6),
                 bits(r.dformat, 14, 2),      bits(r.dformat, 16, 1) != 0,
                 bits(r.dformat, 17, 1) != 0, bits(r.dformat, 18, 1) != 0,
                 bits(r.dformat, 20, 2),      bits(r.dformat, 22, 2),
                 bits(r.dformat, 24, 6),      bits(r.dformat, 31, 1) != 0};
    c.fformat = {bits(r.fformat, 0, 16), bits(r.fformat, 16, 16)};
    c.fhcrop = {bits(r.fhcrop, 0, 16), bits(r.fhcrop, 16, 16)};
    c.fvcrop = {bits(r.fvcrop, 0, 16), bits(r.fvcrop, 16, 16)};
    c.kfilt = {bits(r.kfilt, 0, 8), bits(r.kfilt, 8, 8), bits(r.kfilt, 16, 8)};
    c.afilt = {bits(r.afilt, 0, 8), bits(r.afilt, 8, 8), bits(r.afilt, 16, 8)};
    c.zframe = {bits(r.zframe, 0, 8), bits(r.zframe, 8, 8), bits(r.zframe, 16, 8),
                bits(r.zframe, 24, 8)};
    c.fsub = signed_bits(r.fsub, 24);
    c.zfbias = signed_bits(r.zfbias, 16);
    return c;
}

/// Returns what the registers say in numbers: the shape of the reference and of the links.
ConvolutionCase as_case(const Registers& r) {
    ConvolutionCase which;
    auto& l = which.layer;
    const auto field = [](std::uint32_t word, unsigned low, unsigned width) {
        return static_cast<int>(bits(word, low, width));
    };
    l.kernel_width = field(r.kformat, 0, 8);
    l.kernel_height = field(r.kformat, 8, 8);
    l.depth = field(r.kformat, 16, 8);
    l.kernels = field(r.kformat, 24, 8);
    l.width = field(r.fformat, 0, 16) / l.depth;
    l.height = field(r.fformat, 16, 16);
    l.crop_left = field(r.fhcrop, 0, 16) / l.depth;
    l.crop_right = std::min((field(r.fhcrop, 16, 16) + 1) / l.depth, l.width) - 1;
    l.crop_top = field(r.fvcrop, 0, 16);
    l.crop_bottom = std::min(field(r.fvcrop, 16, 16), l.height - 1);
    l.pad_left = field(r.sample, 0, 2);
    l.pad_right = field(r.sample, 2, 2);
    l.pad_top = field(r.sample, 4, 2);
    l.pad_bottom = field(r.sample, 6, 2);
    l.stride_x = field(r.sample, 8, 3);
    l.stride_y = field(r.sample, 12, 3);
    l.frame_left = field(r.zframe, 0, 8) / l.depth;
    l.frame_right = field(r.zframe, 8, 8) / l.depth;
    l.frame_top = field(r.zframe, 16, 8);
    l.frame_bottom = field(r.zframe, 24, 8);
    l.frame_value = signed_bits(r.zfbias, 16);
    l.zero_point = signed_bits(r.fsub, 24);
    l.in_shift = field(r.dformat, 0, 6);
    l.out_shift = field(r.dformat, 8, 6);
    l.out_bytes = field(r.dformat, 20, 2);
    const int feature_bytes = field(r.dformat, 22, 2);
    which.simd = bits(r.ctrl, 5, 2);
    which.feature_bytes = which.simd == 2 ? 2 : 1;
    which.features_unsigned = field(r.ctrl, 20, 1) != 0;
    if (field(r.ctrl, 29, 1) != 0) which.link = Link::Pairs;
    if (field(r.ctrl, 28, 1) != 0)
        which.link = feature_bytes == 3 ? Link::DeepContiguous : Link::DeepPixels;
    which.units = std::max(1, field(r.kfilt, 0, 8) / l.kernels);
    which.unit = field(r.kfilt, 8, 8) / l.kernels;
    return which;
}

}  // namespace

TEST_CASE("convolution: register words become a configuration") {
    n6vp::models::npu::RegisterFile file(n6vp::memmap::npu::kConvacc);
    // Reset values, the published words, and words that set every field to something.
    CHECK(decode_convolution(file) == ConvolutionConfig());
    std::vector<Registers> all = examples();
    Dice dice(14);
    for (int i = 0; i < 400; ++i) {
        const auto word = [&] { return static_cast<std::uint32_t>(dice.bits()); };
        all.push_back({"random", word() & 0x7FFFFFFC, word(), word(), word(), word(), word(),
                       word(), word() & 0xFFFFFF, word() & 0xFFFFFF, word(), word() & 0xFFFFFF,
                       word() & 0xFFFF});
    }
    for (const Registers& r : all) {
        CAPTURE(std::string(r.epoch));
        const std::uint32_t words[] = {r.kformat, r.sample, r.dformat, r.fformat, r.fhcrop,
                                       r.fvcrop,  r.kfilt,  r.afilt,   r.zframe};
        file.write(0x000, r.ctrl & ~0x40000000u);
        for (std::uint32_t i = 0; i < 9; ++i) file.write(0x008 + 4 * i, words[i]);
        file.write(0x030, r.fsub);
        file.write(0x034, r.zfbias);
        const auto iter = static_cast<std::uint32_t>(dice.bits());
        file.write(0x02C, iter);
        ConvolutionConfig expected = decode(r);
        expected.iter = {bits(iter, 0, 16), bits(iter, 16, 4), bits(iter, 20, 2)};
        REQUIRE(decode_convolution(file) == expected);
    }
}

TEST_CASE("convolution: published epochs from their register words") {
    Dice dice(12);
    for (const Registers& registers : examples()) {
        CAPTURE(std::string(registers.epoch));
        const ConvolutionConfig config = decode(registers);
        const auto verdict = judge(config);
        REQUIRE(verdict.computable());
        CHECK(verdict.assumptions.empty());
        Convolution unit(config);
        const ConvolutionCase which = as_case(registers);
        const auto features = which.features(dice);
        const auto weights = which.weights(dice);
        const auto feature_words = which.feature_words(features, dice);
        const auto kernel_words = which.kernel_words(weights, dice);
        CHECK(unit.feature_words(0) == registers.feature_words);
        CHECK(unit.kernel_words() == registers.kernel_words);
        CHECK(unit.output_words() == registers.out_words);
        REQUIRE(unit.feature_words(0) == feature_words.size());
        REQUIRE(unit.kernel_words() == kernel_words.size());

        const std::vector<Word> sums(unit.accumulator_words(1), 1000);
        std::vector<Word> out(unit.output_words());
        // Frame 0 brings the stored picture, frame 1 is the first that every example adds up.
        if (unit.feature_words(1) == 0) unit.compute(0, feature_words, kernel_words, {}, out);
        unit.compute(1, feature_words, kernel_words, sums, out);
        const auto expected =
            reference::convolve(which.layer, features, weights, {sums.begin(), sums.end()});
        REQUIRE(expected.size() == out.size());
        REQUIRE(std::equal(expected.begin(), expected.end(), out.begin()));
    }
}

TEST_CASE("convolution: the identity fixture gives back its input") {
    Convolution unit(decode(examples().back()));
    std::vector<Word> features, out(16);
    for (int i = 0; i < 16; ++i) features.push_back(i * 17 - 128);
    unit.compute(0, features, std::vector<Word>{1}, {}, out);
    CHECK(out == features);
}

TEST_CASE("convolution: padding with -128 before a maximum") {
    Registers registers = examples()[examples().size() - 3];
    REQUIRE(registers.zfbias == 0xFF80);
    Convolution unit(decode(registers));
    std::vector<Word> out(std::size_t{23} * 23);
    unit.compute(0, std::vector<Word>(225, 5), std::vector<Word>{1}, {}, out);
    for (std::size_t y = 0; y < 23; ++y) {
        for (std::size_t x = 0; x < 23; ++x) {
            const bool inside = y >= 4 && y < 19 && x >= 4 && x < 19;
            REQUIRE(out[y * 23 + x] == (inside ? 5 : -128));
        }
    }
}

TEST_CASE("convolution: a unit fed by itself adds up two halves of the channels") {
    // kws 21: 98 channels a frame; features and weights 1, sums halved six times between.
    const Registers& registers = examples()[11];
    Convolution unit(decode(registers));
    const std::vector<Word> features(33, 0x010101), kernels(392, 0x010101);
    std::vector<Word> first(12), second(12);
    CHECK(unit.accumulator_words(0) == 0);
    unit.compute(0, features, kernels, {}, first);
    CHECK(first == std::vector<Word>(12, 2));  // round(98 / 64)
    CHECK(unit.accumulator_words(1) == 12);
    unit.compute(1, features, kernels, first, second);
    CHECK(second == std::vector<Word>(12, 4));  // round((98 + 2 * 64) / 64)
    CHECK(unit.accumulator_words(2) == 12);
    unit.compute(2, features, kernels, second, first);
    CHECK(first == std::vector<Word>(12, 2));  // a new round: the port's words do not count
}
