// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/npu/register_table.h"

namespace n6vp::memmap::npu {
namespace intctrl {

using enum Access;

inline constexpr Field kCtrl[] = {
    {"EN", 0, 1, Rw},
    {"CLR", 1, 1, Sc},
    {"CONFCLR", 30, 1, Sc},
};
inline constexpr Field kVersion[] = {
    {"TYPE", 0, 8, Ro},    {"MINOR", 8, 4, Ro},     {"MAJOR", 12, 4, Ro},
    {"NRINTS", 16, 8, Ro}, {"HOSTINTS", 24, 8, Ro},
};
inline constexpr Field kSources[] = {
    {"STRENG_0_0", 0, 1, Rw},     {"STRENG_1_0", 1, 1, Rw},     {"STRENG_2_0", 2, 1, Rw},
    {"STRENG_3_0", 3, 1, Rw},     {"STRENG_4_0", 4, 1, Rw},     {"STRENG_5_0", 5, 1, Rw},
    {"STRENG_6_0", 6, 1, Rw},     {"STRENG_7_0", 7, 1, Rw},     {"STRENG_8_0", 8, 1, Rw},
    {"STRENG_9_0", 9, 1, Rw},     {"STRENG_0_1", 10, 1, Rw},    {"STRENG_1_1", 11, 1, Rw},
    {"STRENG_2_1", 12, 1, Rw},    {"STRENG_3_1", 13, 1, Rw},    {"STRENG_4_1", 14, 1, Rw},
    {"STRENG_5_1", 15, 1, Rw},    {"STRENG_6_1", 16, 1, Rw},    {"STRENG_7_1", 17, 1, Rw},
    {"STRENG_8_1", 18, 1, Rw},    {"STRENG_9_1", 19, 1, Rw},    {"CONVACC_0", 20, 1, Rw},
    {"CONVACC_1", 21, 1, Rw},     {"CONVACC_2", 22, 1, Rw},     {"CONVACC_3", 23, 1, Rw},
    {"RECBUF_0", 24, 1, Rw},      {"BUSIF_0", 25, 1, Rw},       {"BUSIF_1", 26, 1, Rw},
    {"STRSWITCH_0", 27, 1, Rw},   {"EPOCHCTRL_0_0", 28, 1, Rw}, {"EPOCHCTRL_0_1", 29, 1, Rw},
    {"EPOCHCTRL_0_2", 30, 1, Rw}, {"DEBUG_TRACE_0", 31, 1, Rw},
};
/// INTSET and INTCLR are written with ones and hold nothing (driver).
inline constexpr Field kSourceTriggers[] = {
    {"STRENG_0_0", 0, 1, W1t},     {"STRENG_1_0", 1, 1, W1t},     {"STRENG_2_0", 2, 1, W1t},
    {"STRENG_3_0", 3, 1, W1t},     {"STRENG_4_0", 4, 1, W1t},     {"STRENG_5_0", 5, 1, W1t},
    {"STRENG_6_0", 6, 1, W1t},     {"STRENG_7_0", 7, 1, W1t},     {"STRENG_8_0", 8, 1, W1t},
    {"STRENG_9_0", 9, 1, W1t},     {"STRENG_0_1", 10, 1, W1t},    {"STRENG_1_1", 11, 1, W1t},
    {"STRENG_2_1", 12, 1, W1t},    {"STRENG_3_1", 13, 1, W1t},    {"STRENG_4_1", 14, 1, W1t},
    {"STRENG_5_1", 15, 1, W1t},    {"STRENG_6_1", 16, 1, W1t},    {"STRENG_7_1", 17, 1, W1t},
    {"STRENG_8_1", 18, 1, W1t},    {"STRENG_9_1", 19, 1, W1t},    {"CONVACC_0", 20, 1, W1t},
    {"CONVACC_1", 21, 1, W1t},     {"CONVACC_2", 22, 1, W1t},     {"CONVACC_3", 23, 1, W1t},
    {"RECBUF_0", 24, 1, W1t},      {"BUSIF_0", 25, 1, W1t},       {"BUSIF_1", 26, 1, W1t},
    {"STRSWITCH_0", 27, 1, W1t},   {"EPOCHCTRL_0_0", 28, 1, W1t}, {"EPOCHCTRL_0_1", 29, 1, W1t},
    {"EPOCHCTRL_0_2", 30, 1, W1t}, {"DEBUG_TRACE_0", 31, 1, W1t},
};

inline constexpr Register kRegisters[] = {
    {"CTRL", 0x000, 0x00000000, kCtrl},
    {"VERSION", 0x004, 0x0420111E, kVersion},
    {"INTREG", 0x008, 0x00000000, kSources},
    {"INTSET", 0x00C, 0x00000000, kSourceTriggers},
    {"INTCLR", 0x010, 0x00000000, kSourceTriggers},
    {"INTORMSK0", 0x014, 0xFFFFFFFF, kSources},
    {"INTORMSK1", 0x018, 0xFFFFFFFF, kSources},
    {"INTORMSK2", 0x01C, 0xFFFFFFFF, kSources},
    {"INTORMSK3", 0x020, 0xFFFFFFFF, kSources},
    {"INTANDMSK0", 0x024, 0xFFFFFFFF, kSources},
    {"INTANDMSK1", 0x028, 0xFFFFFFFF, kSources},
    {"INTANDMSK2", 0x02C, 0xFFFFFFFF, kSources},
    {"INTANDMSK3", 0x030, 0xFFFFFFFF, kSources},
};

}  // namespace intctrl

/// Interrupt controller: 32 latched sources, four host lines with an OR and an AND mask each; a
/// mask bit of 1 leaves the source out.
inline constexpr UnitType kIntctrl{"INTCTRL", 1, 1, kNoGate, intctrl::kRegisters};

}  // namespace n6vp::memmap::npu
