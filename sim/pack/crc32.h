// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace n6vp::sim::pack {

/// Returns the CRC-32 of zlib and of `rt_ctx.params_bin_crc32`: polynomial 0xEDB88320 reflected,
/// initial value and final exclusive-or 0xFFFFFFFF.
[[nodiscard]] constexpr std::uint32_t crc32(std::span<const std::uint8_t> bytes) {
    constexpr auto kTable = [] {
        std::array<std::uint32_t, 256> table{};
        for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
            std::uint32_t value = byte;
            for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0xEDB88320u : 0u);
            table[byte] = value;
        }
        return table;
    }();
    std::uint32_t crc = 0xFFFFFFFFu;
    for (const std::uint8_t byte : bytes) crc = crc >> 8 ^ kTable[(crc ^ byte) & 0xFF];
    return ~crc;
}

}  // namespace n6vp::sim::pack
