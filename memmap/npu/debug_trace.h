// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/npu/register_table.h"

namespace n6vp::memmap::npu {
namespace debug_trace {

using enum Access;

inline constexpr Field kCtrl[] = {
    {"EN", 0, 1, Rw},
    {"CLR", 1, 1, Sc},
    {"CONFCLR", 30, 1, Sc},
};
inline constexpr Field kVersion[] = {
    {"TYPE", 0, 8, Ro},    {"MINOR", 8, 4, Ro},   {"MAJOR", 12, 4, Ro},
    {"NRSIG", 16, 10, Ro}, {"NRTRIG", 26, 6, Ro},
};
inline constexpr Field kStates[] = {
    {"STALLS", 0, 32, Ro},
};
inline constexpr Field kTrig[] = {
    {"EN", 0, 1, Rw},   {"SEL", 1, 9, Rw},         {"SWTRIG", 10, 1, Rw},
    {"OVR", 11, 1, Rw}, {"EVENT_TYPE", 14, 2, Rw}, {"FILTER", 16, 16, Rw},
};
/// An older header declares SEL 13 bits wide.
inline constexpr Field kEvent[] = {
    {"EN", 0, 1, Rw},
    {"SEL", 1, 9, Rw},
    {"EVENT_TYPE", 14, 2, Rw},
    {"WRAP", 16, 1, Rw},
    {"CNT_DOWN", 17, 1, Rw},
    {"INT_DISABLE", 18, 1, Rw},
    {"START_EVENT_EN", 19, 1, Rw},
    {"STOP_EVENT_EN", 20, 1, Rw},
    {"START_EVENT_SEL", 21, 4, Rw},
    {"STOP_EVENT_SEL", 25, 4, Rw},
};
inline constexpr Field kEventCnt[] = {
    {"CNT", 0, 32, Rw},
};

inline constexpr Register kRegisters[] = {
    {"CTRL", 0x000, 0x00000000, kCtrl},
    {"VERSION", 0x004, 0x21FF1122, kVersion},
    {"LOW_ILINK_STATES", 0x008, 0x00000000, kStates},
    {"HIGH_ILINK_STATES", 0x00C, 0x00000000, kStates},
    {"LOW_OLINK_STATES", 0x010, 0x00000000, kStates},
    {"HIGH_OLINK_STATES", 0x014, 0x00000000, kStates},
    {"TRIG", 0x01C, 0x00010000, kTrig, 8},
    {"EVENT", 0x040, 0x00000000, kEvent, 16},
    {"EVENT_CNT", 0x084, 0x00000000, kEventCnt, 16},
};

}  // namespace debug_trace

/// Debug and trace unit: triggers and event counters.
inline constexpr UnitType kDebugTrace{"DEBUG_TRACE", 1, 31, 26, debug_trace::kRegisters};

}  // namespace n6vp::memmap::npu
