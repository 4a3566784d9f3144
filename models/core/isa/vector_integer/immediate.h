// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/core/isa/vector_integer/lanes.h"

namespace n6vp::models::core::isa::vector_integer {

/// Returns the single-precision number with the sign, three exponent bits and four fraction bits of
/// `imm8`, as its 32 bits.
[[nodiscard]] constexpr std::uint32_t expand_float_immediate(std::uint32_t imm8) {
    const std::uint32_t sign = imm8 >> 7 & 1, high = imm8 >> 6 & 1, low = imm8 >> 4 & 3;
    const std::uint32_t exponent = (high != 0 ? 0x7Cu : 0x80u) | low;
    return sign << 31 | exponent << 23 | (imm8 & 15) << 19;
}

/// Returns the 64 bits that a vector immediate stands for, before an inversion by VMVN. `bit_mask`
/// is the instruction's op bit where it chooses between bytes and a mask of bytes (cmode 14).
[[nodiscard]] constexpr std::uint64_t expand_vector_immediate(bool bit_mask, std::uint32_t cmode,
                                                              std::uint32_t imm8) {
    const auto words = [](std::uint64_t word) { return word << 32 | word; };
    if (cmode < 8) return words(imm8 << (4 * (cmode & 6)));
    if (cmode < 12) return words(std::uint64_t{imm8 << (4 * (cmode & 2))} * 0x10001u);
    if (cmode < 14) return words(cmode == 12 ? imm8 << 8 | 0xFF : imm8 << 16 | 0xFFFF);
    if (cmode == 14) return bit_mask ? expand_bits(imm8) : words(std::uint64_t{imm8} * 0x01010101u);
    return words(expand_float_immediate(imm8));
}

/// Returns the bytes per element of the type that a vector immediate is written with.
[[nodiscard]] constexpr unsigned vector_immediate_bytes(bool bit_mask, std::uint32_t cmode) {
    if (cmode >= 8 && cmode < 12) return 2;
    if (cmode == 14) return bit_mask ? 8 : 1;
    return 4;
}

}  // namespace n6vp::models::core::isa::vector_integer
