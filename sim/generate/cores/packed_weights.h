// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/generate/tflite/graph.h"

/// Weights in the order of the kernels (emit/kernels), with what is known of sums beforehand.
namespace n6vp::sim::generate {

/// Returns the next multiple.
[[nodiscard]] constexpr std::uint32_t rounded(std::uint32_t value, std::uint32_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/// Kernels of a layer: `channels` rows of `taps` weights.
struct KernelRows {
    std::uint32_t channels = 0, taps = 0;
    std::vector<std::int8_t> weights;
    [[nodiscard]] std::int32_t at(std::uint32_t channel, std::uint32_t tap) const {
        return tap < taps && channel < channels ? weights[std::size_t{channel} * taps + tap] : 0;
    }
};

/// Rows of groups of four weights in pairs of bytes, for the DSP extension: see kernel_inner.h.
struct PairedWeights {
    std::vector<std::uint8_t> bytes;
    std::uint32_t taps = 0;     ///< of a row, a multiple of 4
    std::uint32_t segment = 0;  ///< taps whose 256-fold sum fits 32 bits
};
/// Returns the weights in blocks of `block` channels, group by group. False in `possible` if a pair
/// does not fit 16 bits.
[[nodiscard]] PairedWeights pair_weights(const KernelRows& rows, std::uint32_t block,
                                         bool& possible);
/// Returns what the bias has less by the offset of the odd inputs.
[[nodiscard]] std::int64_t odd_offset(const KernelRows& rows, std::uint32_t channel);

/// Returns the table of kernel_scale: biases, multipliers and shifts of a layer's channels,
/// `padded` channels with unused ones. `biases` hold everything that is added to a sum of stored
/// inputs times weights; `exact` is for 64-bit products.
[[nodiscard]] std::vector<std::uint8_t> scale_table(std::span<const std::int64_t> biases,
                                                    std::span<const FixedMultiplier> multipliers,
                                                    std::int32_t zero_point, std::uint32_t padded,
                                                    bool exact);
/// Returns true if a multiplier, or a sum up to `largest_sum`, needs 64-bit products.
[[nodiscard]] bool needs_exact(std::span<const FixedMultiplier> multipliers,
                               std::int64_t largest_sum);

/// Appends numbers as little-endian words or halves.
void append_word(std::vector<std::uint8_t>& bytes, std::uint32_t word);
void align_bytes(std::vector<std::uint8_t>& bytes, std::size_t alignment);

}  // namespace n6vp::sim::generate
