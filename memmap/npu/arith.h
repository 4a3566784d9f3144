// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/npu/register_table.h"

namespace n6vp::memmap::npu {
namespace arith {

using enum Access;

inline constexpr Field kCtrl[] = {
    {"EN", 0, 1, Rw},         {"CLR", 1, 1, Sc},       {"CNT1", 2, 1, Rw},
    {"CNT2", 3, 1, Rw},       {"CNT3", 4, 1, Rw},      {"ROUND", 5, 1, Rw},
    {"SAT", 6, 1, Rw},        {"COEFFA", 7, 1, Rw},    {"DUALIN", 8, 1, Rw},
    {"OP", 9, 6, Rw},         {"COEFFB", 21, 1, Rw},   {"COEFFC", 22, 1, Rw},
    {"LOGICALOP", 23, 1, Rw}, {"ORNDMODE", 24, 2, Rw}, {"OBYTES", 26, 2, Rw},
    {"COMBINEBC", 28, 1, Rw}, {"CLIPOUT", 29, 1, Rw},  {"CONFCLR", 30, 1, Sc},
};
inline constexpr Field kVersion[] = {
    {"TYPE", 0, 8, Ro},
    {"MINOR", 8, 4, Ro},
    {"MAJOR", 12, 4, Ro},
};
inline constexpr Field kShift[] = {
    {"AX", 0, 5, Rw},
    {"BY", 5, 5, Rw},
    {"C", 10, 5, Rw},
    {"RES", 15, 6, Rw},
};
inline constexpr Field kInccnt[] = {
    {"INCVAL", 0, 27, Rw},
};
inline constexpr Field kRstcnt[] = {
    {"RSTCNT", 0, 27, Rw},
};
inline constexpr Field kCoeffac[] = {
    {"A", 0, 16, Rw},
    {"C", 16, 16, Rw},
};
inline constexpr Field kCoeffb[] = {
    {"B", 0, 16, Rw},
};
inline constexpr Field kAddroffset[] = {
    {"OFFSET1", 0, 9, Rw},
    {"OFFSET2", 9, 9, Rw},
    {"OFFSET3", 18, 9, Rw},
};
inline constexpr Field kIncoffset[] = {
    {"VAL", 0, 9, Rw},
};
inline constexpr Field kTranslateaddr[] = {
    {"EN", 0, 1, Rw},
};
inline constexpr Field kCoeffaddr[] = {
    {"ADDR", 0, 9, Rw},
};
inline constexpr Field kInshifter[] = {
    {"FBYTESX", 0, 2, Rw},  {"FSHIFTX", 2, 6, Rw},    {"FROUNDX", 8, 1, Rw},
    {"FSATX", 9, 1, Rw},    {"FRNDMODEX", 10, 2, Rw}, {"FOBYTESX", 12, 2, Rw},
    {"FBYTESY", 16, 2, Rw}, {"FSHIFTY", 18, 6, Rw},   {"FROUNDY", 24, 1, Rw},
    {"FSATY", 25, 1, Rw},   {"FRNDMODEY", 26, 2, Rw}, {"FOBYTESY", 28, 2, Rw},
};
inline constexpr Field kCliprange[] = {
    {"CLIPMAX", 0, 16, Rw},
    {"CLIPMIN", 16, 16, Rw},
};
inline constexpr Field kCoeffAb[] = {
    {"A", 0, 16, Rw},
    {"B", 16, 16, Rw},
};
inline constexpr Field kCoeffC[] = {
    {"C", 0, 16, Rw},
};

inline constexpr Register kRegisters[] = {
    {"CTRL", 0x000, 0x08000000, kCtrl},
    {"VERSION", 0x004, 0x0000101A, kVersion},
    {"SHIFT", 0x008, 0x00000000, kShift},
    {"INCCNT", 0x00C, 0x00000000, kInccnt},
    {"RSTCNT1", 0x010, 0x00000000, kRstcnt},
    {"RSTCNT2", 0x014, 0x00000000, kRstcnt},
    {"RSTCNT3", 0x018, 0x00000000, kRstcnt},
    {"COEFFAC", 0x01C, 0x00000000, kCoeffac},
    {"COEFFB", 0x020, 0x00000000, kCoeffb},
    {"ADDROFFSET", 0x024, 0x00000000, kAddroffset},
    {"INCOFFSET", 0x028, 0x00000000, kIncoffset},
    {"TRANSLATEADDR", 0x02C, 0x00000000, kTranslateaddr},
    {"COEFFADDR", 0x030, 0x00000000, kCoeffaddr},
    {"INSHIFTER", 0x034, 0x20422042, kInshifter},
    {"CLIPRANGE", 0x038, 0x00000000, kCliprange},
    {"COEFF_AB", 0x400, 0x00000000, kCoeffAb, 384, 8},
    {"COEFF_C", 0x404, 0x00000000, kCoeffC, 384, 8},
};

}  // namespace arith

/// Arithmetic unit.
inline constexpr UnitType kArith{"ARITH", 4, 23, 18, arith::kRegisters};

}  // namespace n6vp::memmap::npu
