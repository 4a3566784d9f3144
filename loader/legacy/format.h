// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/format.h"

/// Constants of the older container, `AI_RELOC`: models of the Cortex-M4, M7 and M33. Facts of the
/// file format. It shares magic, flags word and FLASH space with the format of the STM32N6
/// (loader/format.h).
namespace n6vp::loader::legacy {

inline constexpr std::uint32_t kHeaderBytes = 100;
inline constexpr std::uint32_t kVectorOffset = 0x34;
inline constexpr std::uint32_t kContextOffset = 0x60;  ///< of the word that points to rt_ctx

/// RAM space; what 0x40000000 is in the format of the STM32N6.
inline constexpr std::uint32_t kRamBase = 0x80000000u;
inline constexpr std::uint32_t kRamNibble = 0x8, kFlashNibble = 0x2;

/// Lengths that the linker script gives to the two spaces.
inline constexpr std::uint32_t kFlashLimit = 4u << 20, kRamLimit = 128u << 10;

/// Offsets of the header words that differ in name from those of the STM32N6.
inline constexpr std::uint32_t kOffWeightsStart = 0x2C, kOffWeightsEnd = 0x30;

/// Functions of a model, in the order of the vector.
enum class Entry : std::uint8_t {
    Create,
    Init,
    InitV2,
    Run,
    Report,
    Error,
    Destroy,
    Forward,
    ObserverRegister,
    ObserverUnregister,
    ObserverNodeInfo,
    kCount
};
inline constexpr std::uint32_t kEntryCount = static_cast<std::uint32_t>(Entry::kCount);
static_assert(kVectorOffset + 4 * kEntryCount == kContextOffset);

/// Offsets inside `rt_ctx`. The last two words exist in models of tools v7.2; the version word does
/// not tell.
namespace context_offset {
inline constexpr std::uint32_t kState = 0x00, kNetwork = 0x04, kRamAddress = 0x08,
                               kRomAddress = 0x0C, kHeapBlock = 0x10, kName = 0x14,
                               kActivationsSize = 0x18, kWeightsSize = 0x1C, kObserver = 0x20,
                               kAcquireCrc = 0x34, kReleaseCrc = 0x38;
inline constexpr std::uint32_t kObserverWords = 5;
}  // namespace context_offset
inline constexpr std::uint32_t kShortContextBytes = 0x34, kLongContextBytes = 0x3C;

/// Modes of an install; exactly one of them.
inline constexpr std::uint32_t kModeXip = 1, kModeCopy = 2;

inline constexpr std::uint32_t kStateInitialized = 1, kStateXip = 2;
/// Ours: a run was refused that would have disturbed another; `get_error` reports it once.
inline constexpr std::uint32_t kStateRunRefused = 1u << 8;
/// Ours: an init has succeeded; the instance was destroyed.
inline constexpr std::uint32_t kStateReady = 1u << 9, kStateDestroyed = 1u << 10;

/// So much more is asked of the heap, to align the block.
inline constexpr std::uint32_t kHeapSlack = 4;

/// CPUID part numbers of the cores that the vendor's tools generate for, and of the Cortex-M55, for
/// which `n6vp generate` does.
inline constexpr std::uint32_t kCortexM4 = 0xC24, kCortexM7 = 0xC27, kCortexM33 = 0xD21,
                               kCortexM55 = 0xD22;

[[nodiscard]] constexpr std::uint32_t align4(std::uint32_t x) {
    return (x + 3u) & ~3u;
}
[[nodiscard]] constexpr bool in_ram(std::uint32_t link_address) {
    return format::space_nibble(link_address) == kRamNibble;
}
[[nodiscard]] constexpr bool in_flash(std::uint32_t link_address) {
    return format::space_nibble(link_address) == kFlashNibble;
}

}  // namespace n6vp::loader::legacy
