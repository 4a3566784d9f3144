// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Constants of the `network_rel.bin` container. Everything here is a fact of the file format, not
/// a choice.
namespace n6vp::loader::format {

inline constexpr std::uint32_t kMagic = 0x4E49424Eu;       ///< "NBIN"
inline constexpr std::uint32_t kErasedWord = 0xFFFFFFFFu;  ///< NOR flash that was never programmed
inline constexpr std::uint32_t kShortHeaderBytes = 96;     ///< 1.1.0, 1.1.1
inline constexpr std::uint32_t kLongHeaderBytes = 104;     ///< 1.1.3
inline constexpr std::uint32_t kVectorOffset = 0x34;
inline constexpr std::uint32_t kShortContextOffset = 0x5C;
inline constexpr std::uint32_t kLongContextOffset = 0x64;

/// Byte offsets of the fixed header words.
enum HeaderOffset : std::uint32_t {
    kOffMagic = 0x00,
    kOffFlags = 0x04,
    kOffDataStart = 0x08,
    kOffDataEnd = 0x0C,
    kOffDataData = 0x10,
    kOffBssStart = 0x14,
    kOffBssEnd = 0x18,
    kOffGotStart = 0x1C,
    kOffGotEnd = 0x20,
    kOffRelStart = 0x24,
    kOffRelEnd = 0x28,
    kOffParamsStart = 0x2C,
    kOffParamsOffset = 0x30,
};

// The format is little-endian, and so must be whatever runs the loader: words are moved, never
// assembled byte by byte.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

/// Returns the word at any host address, aligned or not.
[[nodiscard]] inline std::uint32_t load_word(const void* from) {
    std::uint32_t word = 0;
    // The built-in, because a freestanding build takes the library's memcpy for an ordinary
    // function and calls it.
    __builtin_memcpy(&word, from, sizeof word);
    return word;
}

/// Link-time address spaces: top nibble of every stored address.
enum class Space : std::uint8_t {
    Null = 0x0,
    Flash = 0x2,
    Ram = 0x4,
    Param0 = 0x8,
    Param1 = 0x9,
    Param2 = 0xA,
    Trash = 0xF
};

/// First addresses of the two spaces that the file itself fills.
inline constexpr std::uint32_t kFlashBase = 0x20000000u, kRamBase = 0x40000000u;

[[nodiscard]] constexpr std::uint32_t space_nibble(std::uint32_t link_address) {
    return link_address >> 28;
}
[[nodiscard]] constexpr bool in_space(std::uint32_t link_address, Space space) {
    return space_nibble(link_address) == static_cast<std::uint32_t>(space);
}
/// Returns off(x) of the format: the low 28 bits.
[[nodiscard]] constexpr std::uint32_t link_offset(std::uint32_t link_address) {
    return link_address & 0x0FFFFFFFu;
}
/// Returns x rounded up to 8, modulo 2^32 as the chip computes it.
[[nodiscard]] constexpr std::uint32_t align8(std::uint32_t x) {
    return (x + 7u) & ~7u;
}

/// Decoded `flags` word.
struct Flags {
    std::uint32_t raw = 0;
    [[nodiscard]] constexpr std::uint32_t major() const { return raw >> 28; }
    [[nodiscard]] constexpr std::uint32_t minor() const { return raw >> 24 & 0xF; }
    [[nodiscard]] constexpr bool async() const { return (raw >> 22 & 1) != 0; }
    [[nodiscard]] constexpr bool dbg_info() const { return (raw >> 21 & 1) != 0; }
    [[nodiscard]] constexpr bool secure() const { return (raw >> 20 & 1) != 0; }
    [[nodiscard]] constexpr std::uint32_t toolchain() const { return raw >> 16 & 0xF; }
    [[nodiscard]] constexpr std::uint32_t float_abi() const { return raw >> 13 & 3; }
    [[nodiscard]] constexpr bool fpu() const { return (raw >> 12 & 1) != 0; }
    [[nodiscard]] constexpr std::uint32_t cpu_part() const { return raw & 0xFFF; }
    [[nodiscard]] constexpr std::uint32_t reserved() const { return raw & 0x00808000u; }
};

inline constexpr std::uint32_t kToolchainGcc = 8;
inline constexpr std::uint32_t kToolchainClang = 9;
inline constexpr std::uint32_t kToolchainStClang = 0xA;

/// Memory-pool descriptors.
inline constexpr std::uint32_t kPoolBytes = 20;
inline constexpr std::uint32_t kMaxPoolsVisited =
    10;  ///< the vendor's loader refuses a table that reaches this many
enum class PoolType : std::uint8_t {
    Unused = 0,
    Reloc = 1,
    Copy = 2,
    Reset = 3,
    Unsupported = 0xFF
};
enum class PoolData : std::uint8_t { Undefined = 0, Param = 1, Activation = 2, Mixed = 3 };
inline constexpr std::uint32_t kPoolRead = 1;
inline constexpr std::uint32_t kPoolWrite = 2;
inline constexpr std::uint32_t kPoolCacheable = 4;

struct PoolFlags {
    std::uint32_t raw = 0;
    [[nodiscard]] constexpr PoolType type() const { return static_cast<PoolType>(raw >> 24); }
    [[nodiscard]] constexpr PoolData data() const {
        return static_cast<PoolData>(raw >> 16 & 0xFF);
    }
    [[nodiscard]] constexpr std::uint32_t attributes() const { return raw >> 8 & 0xFF; }
    [[nodiscard]] constexpr std::uint32_t id() const { return raw & 0xFF; }
};

/// Install modes, bits of `ll_aton_reloc_config.mode`.
inline constexpr std::uint32_t kModeXip = 1;
inline constexpr std::uint32_t kModeCopy = 2;
inline constexpr std::uint32_t kModeClear = 4;

inline constexpr std::uint32_t kStateInitialized = 1;
inline constexpr std::uint32_t kStateXip = 2;

/// Addresses at or below this one are on-chip for the loader: nothing there can sit behind the NPU
/// cache.
inline constexpr std::uint32_t kExternalLimit = 0x60000000u;

/// Longest name the loader accepts (c_name, pool names, version text). The format gives no limit;
/// 255 is ours.
inline constexpr std::uint32_t kMaxNameBytes = 255;

}  // namespace n6vp::loader::format
