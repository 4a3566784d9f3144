// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/npu/register_table.h"

namespace n6vp::memmap::npu {
namespace decun {

using enum Access;

inline constexpr Field kCtrl[] = {
    {"EN", 0, 1, Rw}, {"CLR", 1, 1, Sc},      {"DUALIN", 2, 1, Rw},
    {"OW", 3, 1, Rw}, {"PAGEADDR", 4, 2, Rw}, {"CONFCLR", 30, 1, Sc},
};
inline constexpr Field kVersion[] = {
    {"TYPE", 0, 8, Ro},
    {"MINOR", 8, 4, Ro},
    {"MAJOR", 12, 4, Ro},
};
inline constexpr Field kBformat[] = {
    {"CVS", 0, 8, Rw},
    {"CWS", 8, 3, Rw},
    {"OSAM", 12, 3, Rw},
};
inline constexpr Field kDformat[] = {
    {"CV8", 0, 1, Rw},
    {"RAWLINE", 1, 1, Rw},
};
inline constexpr Field kFformat[] = {
    {"BN", 0, 10, Rw},
};
inline constexpr Field kBytes[] = {
    {"MOD8_1", 0, 8, Rw},
    {"MOD8_2", 8, 8, Rw},
    {"MOD8_3", 16, 8, Rw},
    {"MOD8_4", 24, 8, Rw},
};

inline constexpr Register kRegisters[] = {
    {"CTRL", 0x000, 0x00000000, kCtrl},
    {"VERSION", 0x004, 0x00001A19, kVersion},
    {"BFORMAT", 0x008, 0x00000000, kBformat},
    {"DFORMAT", 0x00C, 0x00000000, kDformat},
    {"FFORMAT", 0x010, 0x00000000, kFformat},
    {"MEM_LOW", 0x800, 0x00000000, kBytes, 256, 8},
    {"MEM_HIGH", 0x804, 0x00000000, kBytes, 256, 8},
};

}  // namespace decun

/// Decompression unit.
inline constexpr UnitType kDecun{"DECUN", 2, 19, 14, decun::kRegisters};

}  // namespace n6vp::memmap::npu
