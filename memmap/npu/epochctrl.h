// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/npu/register_table.h"

namespace n6vp::memmap::npu {
namespace epochctrl {

using enum Access;

inline constexpr Field kCtrl[] = {
    {"EN", 0, 1, Rw},
    {"CLR", 1, 1, Sc},
    {"AUTOCLR", 2, 1, Rw, Lock::WhileRunning},
    {"SM", 3, 1, Rw, Lock::WhileRunning},
    {"CONFCLR", 30, 1, Sc, Lock::WhileRunning},
    {"RUNNING", 31, 1, Ro},
};
inline constexpr Field kVersion[] = {
    {"TYPE", 0, 8, Ro},  {"MINOR", 8, 4, Ro},  {"MAJOR", 12, 4, Ro}, {"I_IRQ", 16, 8, Ro},
    {"ENCR", 24, 1, Ro}, {"CACHE", 25, 1, Ro}, {"CID", 26, 1, Ro},   {"EXTSYNC", 27, 1, Ro},
};
inline constexpr Field kAddr[] = {
    {"REG", 0, 32, Rw, Lock::WhileRunning},
};
inline constexpr Field kIrq[] = {
    {"IRQ", 0, 1, W1c},       {"ERR_BUSPORT", 1, 1, W1c}, {"ERR_CONF", 2, 1, W1c},
    {"ERR_START", 3, 1, W1c}, {"ERR_TIMEOUT", 4, 1, W1c}, {"ERR_UNKOP", 5, 1, W1c},
    {"ERR_SRC", 6, 1, Rw},    {"ERR_EVT", 7, 1, Rw},      {"SM", 16, 1, W1t},
};
inline constexpr Field kEncrLsb[] = {
    {"ID_LSB", 0, 32, Rw, Lock::WhileRunning},
};
inline constexpr Field kEncrMsb[] = {
    {"ID_MSB", 0, 11, Rw, Lock::WhileRunning},
    {"EN", 12, 1, Rw, Lock::WhileRunning},
    {"ROUNDS", 13, 1, Rw, Lock::WhileRunning},
    {"KEY_SEL", 14, 2, Rw, Lock::WhileRunning},
};
inline constexpr Field kCidCache[] = {
    {"CID", 0, 3, Rw, Lock::WhileRunning},      {"CACHEABLE", 3, 1, Rw, Lock::WhileRunning},
    {"ALLOC", 4, 1, Rw, Lock::WhileRunning},    {"PFETCH", 5, 1, Rw, Lock::WhileRunning},
    {"LINESIZE", 6, 2, Rw, Lock::WhileRunning},
};
inline constexpr Field kLabel[] = {
    {"REG", 0, 27, Ro},
};
inline constexpr Field kBc[] = {
    {"CNT", 0, 16, Ro},
};
inline constexpr Field kAcc[] = {
    {"REG", 0, 32, Ro},
};

inline constexpr Register kRegisters[] = {
    {"CTRL", 0x000, 0x00000000, kCtrl},
    {"VERSION", 0x004, 0x0F001121, kVersion},
    {"ADDR", 0x008, 0x00000000, kAddr},
    {"IRQ", 0x00C, 0x00000000, kIrq},
    {"ENCR_LSB", 0x010, 0x00000000, kEncrLsb},
    {"ENCR_MSB", 0x014, 0x00000000, kEncrMsb},
    {"CID_CACHE", 0x018, 0x00000000, kCidCache},
    {"LABEL", 0x01C, 0x00000000, kLabel},
    {"BC", 0x020, 0x00000000, kBc},
    {"ACC", 0x024, 0x00000000, kAcc},
};

}  // namespace epochctrl

/// Epoch controller.
inline constexpr UnitType kEpochctrl{"EPOCHCTRL", 1, 30, 25, epochctrl::kRegisters};

}  // namespace n6vp::memmap::npu
