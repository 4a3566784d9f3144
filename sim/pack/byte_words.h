// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace n6vp::sim::pack {

/// Returns the little-endian word at `offset`, which the caller has checked.
[[nodiscard]] inline std::uint32_t word_at(const std::vector<std::uint8_t>& bytes,
                                           std::size_t offset) {
    return static_cast<std::uint32_t>(bytes.at(offset)) |
           static_cast<std::uint32_t>(bytes.at(offset + 1)) << 8 |
           static_cast<std::uint32_t>(bytes.at(offset + 2)) << 16 |
           static_cast<std::uint32_t>(bytes.at(offset + 3)) << 24;
}

inline void put_word(std::vector<std::uint8_t>& bytes, std::size_t offset, std::uint32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
        bytes.at(offset++) = static_cast<std::uint8_t>(value >> shift);
    }
}

inline void pad_to_8(std::vector<std::uint8_t>& bytes) {
    bytes.resize((bytes.size() + 7) & ~std::size_t{7}, 0);
}

}  // namespace n6vp::sim::pack
