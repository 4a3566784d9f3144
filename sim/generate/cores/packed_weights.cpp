// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/cores/packed_weights.h"

#include <algorithm>
#include <cstdlib>

namespace n6vp::sim::generate {

namespace {

constexpr std::uint32_t kGroup = 4;
/// The kernels subtract this from odd inputs.
constexpr std::int64_t kOddOffset = 127;
/// Sums are multiplied by 2 to this before they are scaled.
constexpr std::int32_t kSumBits = 3;
constexpr std::int32_t kLowestByte = -128;

/// Returns true if every sum of `segment` taps, multiplied by 256, fits 32 bits.
bool fits(const KernelRows& rows, std::uint32_t segment) {
    constexpr std::int64_t kEven = 128, kOdd = 255, kMost = (std::int64_t{1} << 23) - 1;
    for (std::uint32_t channel = 0; channel < rows.channels; ++channel) {
        std::int64_t sum = 0;
        for (std::uint32_t tap = 0; tap < rows.taps; ++tap) {
            if (tap % segment == 0) sum = 0;
            sum += std::abs(rows.at(channel, tap)) * (tap % 2 == 0 ? kEven : kOdd);
            if (sum > kMost) return false;
        }
    }
    return true;
}

std::uint32_t segment_of(const KernelRows& rows, std::uint32_t taps) {
    // Four groups are one turn of the inner loop.
    constexpr std::uint32_t kTurn = 4 * kGroup;
    std::uint32_t parts = 1, segment = taps;
    while (segment > kTurn && !fits(rows, segment))
        segment = rounded((taps + parts) / (parts + 1), kTurn), ++parts;
    return segment;
}

}  // namespace

void append_word(std::vector<std::uint8_t>& bytes, std::uint32_t word) {
    for (unsigned shift = 0; shift < 32; shift += 8)
        bytes.push_back(static_cast<std::uint8_t>(word >> shift & 0xFF));
}

void align_bytes(std::vector<std::uint8_t>& bytes, std::size_t alignment) {
    bytes.resize((bytes.size() + alignment - 1) / alignment * alignment);
}

PairedWeights pair_weights(const KernelRows& rows, std::uint32_t block, bool& possible) {
    PairedWeights packed;
    possible = true;
    packed.taps = rounded(rows.taps, kGroup);
    packed.segment = segment_of(rows, packed.taps);
    packed.bytes.reserve(std::size_t{packed.taps} * rounded(rows.channels, block));
    for (std::uint32_t first = 0; first < rows.channels; first += block) {
        for (std::uint32_t tap = 0; tap < packed.taps; tap += 2) {
            // Groups of four: block after block of two pairs.
            if (tap % kGroup != 0) continue;
            for (std::uint32_t i = 0; i < block; ++i) {
                for (std::uint32_t pair = tap; pair < tap + kGroup; pair += 2) {
                    const std::int32_t even = rows.at(first + i, pair);
                    const std::int32_t odd = rows.at(first + i, pair + 1) - (even < 0 ? 1 : 0);
                    if (odd < kLowestByte) possible = false;
                    packed.bytes.push_back(static_cast<std::uint8_t>(even & 0xFF));
                    packed.bytes.push_back(static_cast<std::uint8_t>(odd & 0xFF));
                }
            }
        }
    }
    return packed;
}

std::int64_t odd_offset(const KernelRows& rows, std::uint32_t channel) {
    std::int64_t sum = 0;
    for (std::uint32_t tap = 1; tap < rows.taps; tap += 2) sum += rows.at(channel, tap);
    return kOddOffset * sum;
}

bool needs_exact(std::span<const FixedMultiplier> multipliers, std::int64_t largest_sum) {
    // The word above a product of 31 bits is shifted by 1 to 22 more places: so one half and the
    // zero point fit in it.
    constexpr std::int32_t kLeast = kSumBits - 23, kMost = kSumBits - 2;
    constexpr std::int64_t kMostSum = std::int64_t{1} << (31 - kSumBits);
    return largest_sum >= kMostSum ||
           std::any_of(multipliers.begin(), multipliers.end(), [](const FixedMultiplier& each) {
               return each.significand != 0 && (each.exponent < kLeast || each.exponent > kMost);
           });
}

std::vector<std::uint8_t> scale_table(std::span<const std::int64_t> biases,
                                      std::span<const FixedMultiplier> multipliers,
                                      std::int32_t zero_point, std::uint32_t padded, bool exact) {
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i < padded; ++i) {
        FixedMultiplier multiplier;
        std::int64_t bias = 0;
        if (i < biases.size()) {
            bias = exact ? biases[i] : biases[i] * (1 << kSumBits);
            multiplier = multipliers[multipliers.size() > 1 ? i : 0];
        }
        if (multiplier.significand == 0) multiplier.exponent = -2;
        const std::int32_t shift = (exact ? 31 : kSumBits - 1) - multiplier.exponent;
        const std::int32_t offset = exact ? 0 : (1 << (shift - 1)) + zero_point * (1 << shift);
        append_word(bytes, static_cast<std::uint32_t>(bias & 0xFFFFFFFF));
        append_word(bytes, static_cast<std::uint32_t>(multiplier.significand));
        append_word(bytes, static_cast<std::uint32_t>(offset));
        append_word(bytes, static_cast<std::uint32_t>(shift));
    }
    return bytes;
}

}  // namespace n6vp::sim::generate
