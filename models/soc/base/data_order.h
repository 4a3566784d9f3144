// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::models {

/// DATATYPE of the units for hashes and ciphers: a word of the bus as it stands in a message, its
/// first bit highest, and back. 0: as it is; 1, 2, 3: halfwords, bytes, bits in reverse order.
[[nodiscard]] constexpr std::uint32_t in_message_order(std::uint32_t word, std::uint32_t type) {
    if (type == 0) return word;
    word = word >> 16 | word << 16;
    if (type == 1) return word;
    word = (word >> 8 & 0x00FF00FF) | (word & 0x00FF00FF) << 8;
    if (type == 2) return word;
    word = (word >> 4 & 0x0F0F0F0F) | (word & 0x0F0F0F0F) << 4;
    word = (word >> 2 & 0x33333333) | (word & 0x33333333) << 2;
    return (word >> 1 & 0x55555555) | (word & 0x55555555) << 1;
}

}  // namespace n6vp::models
