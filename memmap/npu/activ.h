// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/npu/register_table.h"

namespace n6vp::memmap::npu {
namespace activ {

using enum Access;

inline constexpr Field kCtrl[] = {
    {"EN", 0, 1, Rw},        {"CLR", 1, 1, Sc},      {"TYPE", 2, 2, Rw},  {"FBYTES", 6, 2, Rw},
    {"FSHIFT", 8, 6, Rw},    {"FROUND", 14, 1, Rw},  {"FSAT", 15, 1, Rw}, {"FRNDMODE", 16, 2, Rw},
    {"FOBYTES", 18, 2, Rw},  {"ROUND", 20, 1, Rw},   {"SAT", 21, 1, Rw},  {"OBYTES", 22, 2, Rw},
    {"ORNDMODE", 24, 2, Rw}, {"CONFCLR", 30, 1, Sc},
};
inline constexpr Field kVersion[] = {
    {"TYPE", 0, 8, Ro},
    {"MINOR", 8, 4, Ro},
    {"MAJOR", 12, 4, Ro},
};
inline constexpr Field kActivparam[] = {
    {"PARAM", 0, 16, Rw},
    {"FUNC", 16, 4, Rw},
};
inline constexpr Field kFunc[] = {
    {"OUTSHIFT", 0, 6, Rw},  {"CSHIFT", 6, 6, Rw},  {"BSHIFT", 12, 5, Rw},
    {"SIGNEDOP", 20, 1, Rw}, {"BWIDTH", 23, 3, Rw},
};
inline constexpr Field kActivparam2[] = {
    {"PARAM2", 0, 16, Rw},
};
inline constexpr Field kFsub[] = {
    {"FSUB", 0, 24, Rw},
};
inline constexpr Field kRom0[] = {
    {"ENTRY", 0, 8, Rw},
};
inline constexpr Field kRom1Ab[] = {
    {"A", 0, 16, Rw},
    {"B", 16, 16, Rw},
};
inline constexpr Field kRom1C[] = {
    {"C", 0, 16, Rw},
};
inline constexpr Field kLut[] = {
    {"MOD8_1", 0, 8, Rw},
    {"MOD8_2", 8, 8, Rw},
    {"MOD8_3", 16, 8, Rw},
    {"MOD8_4", 24, 8, Rw},
};

inline constexpr Register kRegisters[] = {
    {"CTRL", 0x000, 0x00881080, kCtrl},
    {"VERSION", 0x004, 0x0000111B, kVersion},
    {"ACTIVPARAM", 0x008, 0x00000000, kActivparam},
    {"FUNC", 0x00C, 0x00000000, kFunc},
    {"ACTIVPARAM2", 0x010, 0x00000000, kActivparam2},
    {"FSUB", 0x014, 0x00000000, kFsub},
    {"ROM0", 0x400, 0x00000000, kRom0, 32},
    {"ROM1_AB", 0x800, 0x00000000, kRom1Ab, 64, 8},
    {"ROM1_C", 0x804, 0x00000000, kRom1C, 64, 8},
    {"LUT", 0xC00, 0x00000000, kLut, 64},
};

}  // namespace activ

/// Activation unit.
inline constexpr UnitType kActiv{"ACTIV", 2, 21, 16, activ::kRegisters};

}  // namespace n6vp::memmap::npu
