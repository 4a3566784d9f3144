// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::models::npu {

/// A word of a stream link: 24 bits, kept sign-extended.
using Word = std::int32_t;

inline constexpr unsigned kWordBits = 24;

/// Returns the low `bits` of a value as a signed number; `bits` is 1 to 63.
[[nodiscard]] constexpr std::int64_t sign_extend(std::int64_t value, unsigned bits) {
    const unsigned spare = 64 - bits;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << spare) >> spare;
}

/// Returns what a port makes of a link word: its low `bytes` (1 to 3), signed or unsigned.
[[nodiscard]] constexpr std::int32_t low_bytes(Word word, unsigned bytes, bool is_unsigned) {
    if (is_unsigned) {
        const std::uint32_t mask = (1u << (8 * bytes)) - 1;
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(word) & mask);
    }
    return static_cast<std::int32_t>(sign_extend(word, 8 * bytes));
}

}  // namespace n6vp::models::npu
