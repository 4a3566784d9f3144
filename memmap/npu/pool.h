// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/npu/register_table.h"

namespace n6vp::memmap::npu {
namespace pool {

using enum Access;

inline constexpr Field kCtrl[] = {
    {"EN", 0, 1, Rw},       {"CLR", 1, 1, Sc},      {"TYPE", 2, 4, Rw},      {"ROUND", 6, 1, Rw},
    {"SAT", 7, 1, Rw},      {"OUTSHIFT", 8, 6, Rw}, {"DUALLINE", 14, 1, Rw}, {"CROPEN", 15, 1, Rw},
    {"FBYTES", 16, 2, Rw},  {"FSHIFT", 18, 6, Rw},  {"FROUND", 24, 1, Rw},   {"FSAT", 25, 1, Rw},
    {"CONFCLR", 30, 1, Sc},
};
inline constexpr Field kVersion[] = {
    {"TYPE", 0, 8, Ro},
    {"MINOR", 8, 4, Ro},
    {"MAJOR", 12, 4, Ro},
};
inline constexpr Field kPdims[] = {
    {"WINX", 0, 3, Rw},   {"WINY", 3, 3, Rw},  {"STRDX", 6, 4, Rw},
    {"STRDY", 10, 4, Rw}, {"TPAD", 14, 3, Rw}, {"BPAD", 17, 3, Rw},
    {"LPAD", 20, 3, Rw},  {"RPAD", 23, 3, Rw}, {"BSIZE", 26, 4, Rw},
};
inline constexpr Field kDims[] = {
    {"FEATX", 0, 12, Rw},
    {"FEATY", 16, 12, Rw},
};
inline constexpr Field kMulval[] = {
    {"MULVAL", 0, 16, Rw},
};
inline constexpr Field kXcrop[] = {
    {"LCROP", 0, 12, Rw},
    {"RCROP", 16, 12, Rw},
};
inline constexpr Field kYcrop[] = {
    {"TCROP", 0, 12, Rw},
    {"BCROP", 16, 12, Rw},
};
inline constexpr Field kRndctrl[] = {
    {"FOBYTES", 0, 2, Rw},
    {"FRNDMODE", 2, 2, Rw},
    {"OBYTES", 16, 2, Rw},
    {"ORNDMODE", 18, 2, Rw},
};

inline constexpr Register kRegisters[] = {
    {"CTRL", 0x000, 0x00420000, kCtrl},       {"VERSION", 0x004, 0x0000111C, kVersion},
    {"PDIMS", 0x008, 0x00000000, kPdims},     {"FDIMS", 0x00C, 0x00000000, kDims},
    {"OUTDIMS", 0x010, 0x00000000, kDims},    {"MULVAL", 0x014, 0x00000000, kMulval},
    {"XCROP", 0x018, 0x00000000, kXcrop},     {"YCROP", 0x01C, 0x00000000, kYcrop},
    {"RNDCTRL", 0x020, 0x00020002, kRndctrl},
};

}  // namespace pool

/// Pooling unit.
inline constexpr UnitType kPool{"POOL", 2, 27, 22, pool::kRegisters};

}  // namespace n6vp::memmap::npu
