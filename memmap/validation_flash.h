// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Models in external flash as validation firmware finds them: a table of words (magic, number of
/// models, flags, then for each model the addresses of its file and of its parameters), or one
/// model at a fixed address.
namespace n6vp::memmap::validation_flash {

inline constexpr std::uint32_t kTable = 0x70FFF000, kMagic = 0x4C45524D;
inline constexpr std::uint32_t kEntries = 12, kEntryBytes = 8, kMaxModels = 4;
inline constexpr std::uint32_t kModel = 0x71000000, kParameters = 0x71800000;

// Flags.
inline constexpr std::uint32_t kXip = 1, kExternalExec = 2, kClear = 4;
inline constexpr std::uint32_t kSideBySide = 8;  ///< else models overwrite each other

inline constexpr std::uint32_t kExternalExecRam = 0x91C00000, kExternalExecBytes = 0x400000;

}  // namespace n6vp::memmap::validation_flash
