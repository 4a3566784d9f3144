// SPDX-License-Identifier: Apache-2.0
#include "loader/crc32.h"

namespace n6vp::loader {

std::uint32_t crc32(std::uint32_t crc, const void* data, std::uint32_t bytes) {
    // By nibbles: 64 bytes of table where the usual byte table takes a kilobyte of a board's flash.
    static constexpr std::uint32_t kNibble[16] = {0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC,
                                                  0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
                                                  0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                                  0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};
    const auto* byte = static_cast<const std::uint8_t*>(data);
    crc = ~crc;
    for (std::uint32_t i = 0; i < bytes; ++i) {
        crc ^= byte[i];
        crc = crc >> 4 ^ kNibble[crc & 0xF];
        crc = crc >> 4 ^ kNibble[crc & 0xF];
    }
    return ~crc;
}

}  // namespace n6vp::loader
