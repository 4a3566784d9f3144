// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/soc/crypto/aes.h"

/// Words of registers as bytes of a message, the highest first.
namespace n6vp::models::crypto {

inline constexpr unsigned kBlockWords = 4;

[[nodiscard]] inline std::uint32_t word_of(const Block& block, unsigned index) {
    std::uint32_t word = 0;
    for (unsigned i = 0; i < 4; ++i) word = word << 8 | block[4 * index + i];
    return word;
}
inline void set_word(Block& block, unsigned index, std::uint32_t word) {
    for (unsigned i = 0; i < 4; ++i)
        block[4 * index + i] = static_cast<std::uint8_t>(word >> (24 - 8 * i));
}
[[nodiscard]] inline std::vector<std::uint8_t> bytes_of(std::span<const std::uint32_t> words) {
    std::vector<std::uint8_t> bytes;
    for (const std::uint32_t word : words) {
        for (unsigned i = 0; i < 4; ++i)
            bytes.push_back(static_cast<std::uint8_t>(word >> (24 - 8 * i)));
    }
    return bytes;
}

}  // namespace n6vp::models::crypto
