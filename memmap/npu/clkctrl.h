// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/npu/register_table.h"

namespace n6vp::memmap::npu {
namespace clkctrl {

using enum Access;

inline constexpr Field kCtrl[] = {
    {"EN", 0, 1, Rw},        {"CLR", 1, 1, Sc},      {"FREEZEREQ", 2, 1, Rw},
    {"FREEZEGNT", 3, 1, Ro}, {"CONFCLR", 30, 1, Sc},
};
inline constexpr Field kVersion[] = {
    {"TYPE", 0, 8, Ro},    {"MINOR", 8, 4, Ro},   {"MAJOR", 12, 4, Ro},
    {"AGATES", 16, 4, Ro}, {"BGATES", 20, 8, Ro}, {"CLKDIV", 28, 4, Ro},
};
inline constexpr Field kAgates[] = {
    {"INTCTRL_0", 0, 1, Rw},
    {"BUSIF_0", 1, 1, Rw},
    {"BUSIF_1", 2, 1, Rw},
    {"STRSWITCH_0", 3, 1, Rw},
};
inline constexpr Field kBgates[] = {
    {"STRENG_0", 0, 1, Rw},   {"STRENG_1", 1, 1, Rw},     {"STRENG_2", 2, 1, Rw},
    {"STRENG_3", 3, 1, Rw},   {"STRENG_4", 4, 1, Rw},     {"STRENG_5", 5, 1, Rw},
    {"STRENG_6", 6, 1, Rw},   {"STRENG_7", 7, 1, Rw},     {"STRENG_8", 8, 1, Rw},
    {"STRENG_9", 9, 1, Rw},   {"CONVACC_0", 10, 1, Rw},   {"CONVACC_1", 11, 1, Rw},
    {"CONVACC_2", 12, 1, Rw}, {"CONVACC_3", 13, 1, Rw},   {"DECUN_0", 14, 1, Rw},
    {"DECUN_1", 15, 1, Rw},   {"ACTIV_0", 16, 1, Rw},     {"ACTIV_1", 17, 1, Rw},
    {"ARITH_0", 18, 1, Rw},   {"ARITH_1", 19, 1, Rw},     {"ARITH_2", 20, 1, Rw},
    {"ARITH_3", 21, 1, Rw},   {"POOL_0", 22, 1, Rw},      {"POOL_1", 23, 1, Rw},
    {"RECBUF_0", 24, 1, Rw},  {"EPOCHCTRL_0", 25, 1, Rw}, {"DEBUG_TRACE_0", 26, 1, Rw},
};

inline constexpr Register kRegisters[] = {
    {"CTRL", 0x000, 0x00000000, kCtrl},      {"VERSION", 0x004, 0x01B4121F, kVersion},
    {"AGATES0", 0x008, 0x00000000, kAgates}, {"AGATES1", 0x00C, 0x00000000, kAgates},
    {"BGATES", 0x010, 0x00000000, kBgates},
};

}  // namespace clkctrl

/// Clock control.
inline constexpr UnitType kClkctrl{"CLKCTRL", 1, 0, kNoGate, clkctrl::kRegisters};

}  // namespace n6vp::memmap::npu
