// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::loader {

/// Returns the zlib CRC-32 (0xEDB88320 reflected, initial value and final XOR 0xFFFFFFFF) of what
/// `crc` covers followed by `bytes` bytes at `data`. Start with 0.
[[nodiscard]] std::uint32_t crc32(std::uint32_t crc, const void* data, std::uint32_t bytes);

}  // namespace n6vp::loader
