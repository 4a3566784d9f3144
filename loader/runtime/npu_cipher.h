// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Keys of the bus interfaces and cipher settings: registers only, the cipher is not published.
namespace n6vp::runtime::npu {

/// 128 bits each; engines 0 to 4 are on the first interface.
inline constexpr std::uint32_t kInterfaces = 2, kKeys = 2;
/// Writes the four words, the lowest first: a key is valid when all are written.
void set_key(std::uint32_t interface, std::uint32_t key, std::uint64_t low, std::uint64_t high);

struct Cipher {
    bool enabled = false;
    std::uint64_t identifier = 0;  ///< 43 bits
    std::uint32_t rounds = 0;      ///< 0: 12 rounds, 1: 9
    std::uint32_t key = 0;
    std::uint32_t increment = 0;  ///< frames between increments of the identifier; engines only
};
void set_engine_cipher(std::uint32_t engine, const Cipher& cipher);
void set_controller_cipher(const Cipher& cipher);

}  // namespace n6vp::runtime::npu
