// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/npu/register_table.h"

namespace n6vp::memmap::npu {
namespace strswitch {

using enum Access;

inline constexpr Field kCtrl[] = {
    {"EN", 0, 1, Rw},
    {"CLR", 1, 1, Sc},
    {"CONFCLR", 30, 1, Sc},
};
inline constexpr Field kVersion[] = {
    {"TYPE", 0, 8, Ro},    {"MINOR", 8, 4, Ro},   {"MAJOR", 12, 4, Ro},
    {"IPORTS", 16, 8, Ro}, {"OPORTS", 24, 8, Ro},
};
/// An older header declares the two LINK fields 5 bits wide.
inline constexpr Field kDst[] = {
    {"EN0", 0, 1, Rw},    {"LINK0", 1, 6, Rw},     {"FNR0", 8, 8, Rw},  {"EN1", 16, 1, Rw},
    {"LINK1", 17, 6, Rw}, {"TICKTYPE", 23, 1, Rw}, {"FNR1", 24, 8, Rw},
};

inline constexpr Register kRegisters[] = {
    {"CTRL", 0x000, 0x00000000, kCtrl},
    {"VERSION", 0x004, 0x291B1600, kVersion},
    {"DST", 0x008, 0x00000000, kDst, 41},
};

}  // namespace strswitch

/// Stream switch: one DST register per destination.
inline constexpr UnitType kStrswitch{"STRSWITCH", 1, 4, kNoGate, strswitch::kRegisters};

}  // namespace n6vp::memmap::npu
