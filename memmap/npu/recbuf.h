// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/npu/register_table.h"

namespace n6vp::memmap::npu {
namespace recbuf {

using enum Access;

inline constexpr Field kCtrl[] = {
    {"EN", 0, 1, Rw},
    {"CLR", 1, 1, Sc},
    {"CONFCLR", 30, 1, Sc},
    {"ILL", 31, 1, Rw},
};
inline constexpr Field kVersion[] = {
    {"TYPE", 0, 8, Ro},
    {"MINOR", 8, 4, Ro},
    {"MAJOR", 12, 4, Ro},
};
inline constexpr Field kFormat[] = {
    {"ACTCHIN", 0, 2, Rw},
    {"MEMBMARK", 4, 10, Rw},
};

inline constexpr Register kRegisters[] = {
    {"CTRL", 0x000, 0x00000000, kCtrl},      {"VERSION", 0x004, 0x00003220, kVersion},
    {"FORMAT0", 0x008, 0x00000000, kFormat}, {"FORMAT1", 0x014, 0x00000000, kFormat},
    {"FORMAT2", 0x018, 0x00000000, kFormat},
};

}  // namespace recbuf

/// Reconfigurable buffer. An older header places FORMAT1 and FORMAT2 at 0x00C and 0x010.
inline constexpr UnitType kRecbuf{"RECBUF", 1, 29, 24, recbuf::kRegisters};

}  // namespace n6vp::memmap::npu
