// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "loader/legacy/install.h"

/// How fuzz_legacy reads its input. A request of all zeros is a sensible one.
namespace n6vp::fuzz {

inline constexpr std::uint32_t kLegacyFile = 0x08020000, kLegacyRam = 0x20002000,
                               kLegacyRamBytes = 0x4000, kLegacyHeap = 0x20002401;

/// Byte positions of the request; words are little-endian.
enum LegacyField : std::size_t {
    kLegacyMode = 0,     ///< 0 XIP, 1 COPY; above: the raw mode
    kLegacyBits = 1,     ///< 0 no length, 1 heap and no RAM, 2 FPU off, 3 no CRC, 4 callbacks given
    kLegacyCore = 2,     ///< 0 as the file's, 1 M4, 2 M7, 3 M33
    kLegacyShift = 3,    ///< added to the RAM address
    kLegacyLess = 4,     ///< u16, subtracted from the RAM size
    kLegacyBuffers = 6,  ///< u16: page of weights (low) and activations (high) in RAM, 0 none
    kLegacyRamXor = 8,   ///< u32 each, xor-ed to the address
    kLegacyFileXor = 12,
    kLegacyRequestBytes = 16,
};

struct LegacyInput {
    loader::legacy::Request request;
    std::vector<std::uint8_t> file;
    bool has_heap = false;
};

inline std::uint32_t legacy_field(const std::uint8_t* data, std::size_t at, std::size_t bytes) {
    std::uint32_t value = 0;
    for (std::size_t k = bytes; k-- > 0;) value = value << 8 | data[at + k];
    return value;
}

/// Fills `input`. Returns false for an input too short to hold a request.
inline bool decode_legacy(const std::uint8_t* data, std::size_t size, LegacyInput& input) {
    constexpr std::size_t kLimit = std::size_t{1} << 20;
    if (size <= kLegacyRequestBytes || size > kLimit) return false;
    input.file.assign(data + kLegacyRequestBytes, data + size);
    const std::uint8_t bits = data[kLegacyBits];
    loader::legacy::Request& request = input.request;
    request.file = GuestAddr{kLegacyFile ^ legacy_field(data, kLegacyFileXor, 4)};
    request.file_bytes =
        (bits & 1) != 0 ? loader::kUnknownBytes : static_cast<std::uint32_t>(input.file.size());
    input.has_heap = (bits & 2) != 0;
    if (!input.has_heap) {
        request.ram =
            GuestAddr{(kLegacyRam + data[kLegacyShift]) ^ legacy_field(data, kLegacyRamXor, 4)};
        request.ram_bytes =
            kLegacyRamBytes - data[kLegacyShift] - legacy_field(data, kLegacyLess, 2) % 0x4000;
    }
    request.mode = data[kLegacyMode] < 2 ? data[kLegacyMode] + 1u : data[kLegacyMode];
    request.target.fpu_enabled = (bits & 4) == 0;
    request.target.knows_crc = (bits & 8) == 0;
    if ((bits & 16) != 0) request.acquire_crc = GuestAddr{0x08000101};
    constexpr std::uint32_t kCores[] = {loader::legacy::kCortexM4, loader::legacy::kCortexM7,
                                        loader::legacy::kCortexM33};
    const std::uint8_t core = data[kLegacyCore];
    request.target.cpu_part = kCores[(core + 2) % 3];
    if (core == 0 && input.file.size() >= 8)
        request.target.cpu_part = legacy_field(input.file.data(), 4, 2) & 0xFFF;
    const std::uint32_t weights = data[kLegacyBuffers];
    const std::uint32_t activations = data[kLegacyBuffers + 1];
    if (weights != 0) request.weights = GuestAddr{0x20008000 + 256 * weights};
    if (activations != 0) request.activations = GuestAddr{0x20008000 + 256 * activations};
    return true;
}

}  // namespace n6vp::fuzz
