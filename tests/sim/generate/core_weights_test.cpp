// SPDX-License-Identifier: Apache-2.0
// Weights and scales as the kernels of cores without an NPU read them (emit/kernels/kernels.h),
// byte by byte.
#include "sim/generate/cores/packed_weights.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace n6vp::sim::generate;

namespace {

using Bytes = std::vector<std::uint8_t>;

KernelRows kernel_rows(std::uint32_t channels, std::vector<std::int8_t> weights) {
    KernelRows rows;
    rows.channels = channels;
    rows.taps = static_cast<std::uint32_t>(weights.size()) / channels;
    rows.weights = std::move(weights);
    return rows;
}

PairedWeights paired(const KernelRows& rows, std::uint32_t block) {
    bool possible = false;
    PairedWeights packed = pair_weights(rows, block, possible);
    CHECK(possible);
    return packed;
}

bool is_possible(std::vector<std::int8_t> weights) {
    bool possible = true;
    static_cast<void>(pair_weights(kernel_rows(1, std::move(weights)), 2, possible));
    return possible;
}

/// One row whose even and odd weights have these sums, in as few taps as 127 each allow.
KernelRows row_of_sums(std::int32_t even, std::int32_t odd) {
    std::vector<std::int8_t> weights;
    while (even > 0 || odd > 0) {
        for (std::int32_t* left : {&even, &odd}) {
            const std::int32_t weight = std::min(*left, 127);
            weights.push_back(static_cast<std::int8_t>(weight));
            *left -= weight;
        }
    }
    return kernel_rows(1, std::move(weights));
}

std::int32_t word_at(const Bytes& bytes, std::size_t index) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i)
        word |= std::uint32_t{bytes.at(4 * index + i)} << static_cast<unsigned>(8 * i);
    return static_cast<std::int32_t>(word);
}

std::vector<std::int32_t> words(const Bytes& bytes) {
    std::vector<std::int32_t> list;
    list.reserve(bytes.size() / 4);
    for (std::size_t i = 0; i < bytes.size() / 4; ++i) list.push_back(word_at(bytes, i));
    return list;
}

}  // namespace

TEST_CASE("core weights: pairs are 16-bit numbers of an even weight and 256 times the odd one") {
    const KernelRows rows =
        kernel_rows(3, {1, 2, -3, 4, 5, -1, -127, 7, 8, -9, 100, 0, -100, -1, 3});
    const PairedWeights packed = paired(rows, 2);
    CHECK(packed.taps == 8);
    CHECK(packed.segment == 8);
    // Two channels of four taps, then their next four; a third channel beside one without weights.
    const std::vector<int> even = {1, -3, -1, 7, 5, 0, -9, 0, 100, -100, 0, 0, 3, 0, 0, 0};
    const std::vector<int> odd = {2, 4, -127, 8, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0};
    REQUIRE(packed.bytes.size() == 2 * even.size());
    for (std::size_t i = 0; i < even.size(); ++i) {
        CAPTURE(i);
        const int number = packed.bytes[2 * i] + 256 * packed.bytes[2 * i + 1];
        CHECK(static_cast<std::int16_t>(number) == even[i] + 256 * odd[i]);
    }
    // Channel by channel, the same weights in another order.
    const PairedWeights single = paired(rows, 1);
    CHECK(single.bytes.size() == 3 * 8);
    CHECK(Bytes(single.bytes.begin() + 16, single.bytes.end()) ==
          Bytes{100, 0, 0x9C, 0xFE, 3, 0, 0, 0});
    CHECK(paired(rows, 4).bytes.size() == 4 * 8);
}

TEST_CASE("core weights: a pair that needs more than 16 bits is not possible") {
    // -1 - 128 * 256 = -32769
    CHECK_FALSE(is_possible({-1, -128}));
    CHECK_FALSE(is_possible({1, 1, -128, -128}));
    CHECK(is_possible({0, -128}));
    CHECK(is_possible({-1, -127}));
    CHECK(is_possible({-128, -127, -128, 127}));
    // Another pair's odd weight.
    CHECK(is_possible({-1, 0, 1, -128}));
}

TEST_CASE("core weights: segments are as long as 256 times their sums fit 32 bits") {
    // 128 |even| + 255 |odd| <= 2^23 - 1 = 128 * 22184 + 255 * 21761
    const KernelRows whole = row_of_sums(22184, 21761);
    REQUIRE(whole.taps == 350);
    CHECK(paired(whole, 2).taps == 352);
    CHECK(paired(whole, 2).segment == 352);
    // Two parts, a multiple of the 16 taps of a turn each.
    CHECK(paired(row_of_sums(22185, 21761), 2).segment == 176);
    CHECK(paired(row_of_sums(22184, 21762), 2).segment == 176);
    // Signs do not matter, and the worst channel decides.
    KernelRows two = kernel_rows(2, std::vector<std::int8_t>(2 * std::size_t{350}));
    std::transform(whole.weights.begin(), whole.weights.end(), two.weights.begin() + 350,
                   [](std::int8_t weight) { return static_cast<std::int8_t>(-weight); });
    two.weights[350 + 349] = static_cast<std::int8_t>(two.weights[350 + 349] - 1);
    CHECK(paired(two, 2).segment == 176);
    // A pair of 127 is 127 * (128 + 255) = 48641: 172 pairs fit. 720 taps are two parts of 184
    // pairs, or three of 120.
    CHECK(paired(kernel_rows(1, std::vector<std::int8_t>(720, 127)), 4).segment == 240);
    CHECK(paired(kernel_rows(1, std::vector<std::int8_t>(344, 127)), 4).segment == 344);
    CHECK(paired(kernel_rows(1, std::vector<std::int8_t>(346, 127)), 4).segment == 176);
    // Thirds of 1004 taps are 334 and some, rounded up to 336: 168 pairs.
    CHECK(paired(kernel_rows(1, std::vector<std::int8_t>(1003, 127)), 4).segment == 336);
}

TEST_CASE("core weights: 127 times the odd weights is what odd inputs have less") {
    const KernelRows rows = kernel_rows(2, {1, 2, -3, 4, 5, 7, -9, 7, -10, 7});
    CHECK(odd_offset(rows, 0) == 127 * (2 + 4));
    CHECK(odd_offset(rows, 1) == 127 * (-9 - 10));
}

TEST_CASE("core weights: words of a scale give the rounded result by both formulas") {
    // 0.75 = 3 * 2^29 / 2^31, zero point -5; sums as kernels.h says.
    const std::vector<FixedMultiplier> multipliers = {{3 << 29, 0}, {1 << 30, 1}};
    const std::vector<std::int64_t> biases = {10, -7};
    const auto near =
        words(scale_table(std::vector<std::int64_t>{10, -7}, multipliers, -5, 4, false));
    // shift = 2 - exponent; offset = half of 2^shift, and the zero point.
    CHECK(near == std::vector<std::int32_t>{80, 3 << 29, 2 - 20, 2, -56, 1 << 30, 1 - 10, 1,  //
                                            0, 0, 8 - 80, 4, 0, 0, 8 - 80, 4});
    const auto result = [&](std::size_t channel, std::int64_t sum) {
        const std::size_t at = 4 * channel;
        return (((8 * sum + near[at]) * near[at + 1] >> 32) + near[at + 2]) >> near[at + 3];
    };
    CHECK(result(0, 0) == 8 - 5);     // 7.5
    CHECK(result(0, 91) == 76 - 5);   // 75.75
    CHECK(result(0, -13) == -2 - 5);  // -2.25
    CHECK(result(1, 7) == -5);
    CHECK(result(1, 100) == 93 - 5);
    // With 64-bit products: the bias as it is, the zero point apart.
    const auto exact = words(scale_table(biases, multipliers, -5, 2, true));
    CHECK(exact == std::vector<std::int32_t>{10, 3 << 29, 0, 31, -7, 1 << 30, 0, 30});
    // One multiplier for all channels.
    const auto one =
        words(scale_table(biases, std::vector<FixedMultiplier>{{1 << 30, -3}}, 0, 2, false));
    CHECK(one == std::vector<std::int32_t>{80, 1 << 30, 16, 5, -56, 1 << 30, 16, 5});
}

TEST_CASE("core weights: 64-bit products for sums of 28 bits and shifts outside of 1 to 22") {
    const auto needs = [](std::int32_t exponent, std::int64_t sum = 0,
                          std::int32_t significand = 1 << 30) {
        return needs_exact(std::vector<FixedMultiplier>{{1 << 30, 0}, {significand, exponent}},
                           sum);
    };
    // shift = 2 - exponent
    CHECK_FALSE(needs(1));
    CHECK(needs(2));
    CHECK_FALSE(needs(-20));
    CHECK(needs(-21));
    CHECK_FALSE(needs(-31, 0, 0));
    // 8 * sum in 31 bits.
    CHECK_FALSE(needs(0, (1 << 28) - 1));
    CHECK(needs(0, 1 << 28));
}

TEST_CASE("core weights: numbers are little-endian, tables aligned") {
    Bytes bytes = {9};
    append_word(bytes, 0x01020384);
    CHECK(bytes == Bytes{9, 0x84, 3, 2, 1});
    align_bytes(bytes, 4);
    CHECK(bytes == Bytes{9, 0x84, 3, 2, 1, 0, 0, 0});
    align_bytes(bytes, 8);
    CHECK(bytes.size() == 8);
    CHECK(rounded(16, 16) == 16);
    CHECK(rounded(17, 16) == 32);
    CHECK(rounded(0, 4) == 0);
}
