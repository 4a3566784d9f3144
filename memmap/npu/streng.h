// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/npu/register_table.h"

namespace n6vp::memmap::npu {
namespace streng {

using enum Access;

inline constexpr Field kCtrl[] = {
    {"EN", 0, 1, Rw},
    {"CLR", 1, 1, Sc},
    {"SINGLE", 2, 1, Rw, Lock::WhileRunning},
    {"DIR", 3, 1, Rw, Lock::WhileRunning},
    {"NOINC", 4, 1, Rw, Lock::WhileRunning},
    {"ISTART", 5, 1, Rw, Lock::WhileRunning},
    {"SUBSAMPLE", 6, 1, Rw, Lock::WhileRunning},
    {"CONT", 7, 1, Rw, Lock::WhileRunning},
    {"RAW", 8, 1, Rw, Lock::WhileRunning},
    {"RAW_OUT", 9, 1, Rw, Lock::WhileRunning},
    {"DESCR", 10, 1, Rw, Lock::WhileRunning},
    {"NOBLK", 11, 1, Rw, Lock::WhileRunning},
    {"ROUND", 12, 1, Rw, Lock::WhileRunning},
    {"BEFORCE", 13, 1, Rw, Lock::WhileRunning},
    {"LSBMODE", 14, 1, Rw, Lock::WhileRunning},
    {"SIGNEXT", 15, 1, Rw, Lock::WhileRunning},
    {"SIZE0", 16, 4, Rw, Lock::WhileRunning},
    {"SIZE1", 20, 4, Rw, Lock::WhileRunning},
    {"SIZE2", 24, 4, Rw, Lock::WhileRunning},
    {"SERDES", 28, 2, Rw, Lock::WhileRunning},
    {"CONFCLR", 30, 1, Sc, Lock::WhileRunning},
    {"RUNNING", 31, 1, Ro},
};
inline constexpr Field kVersion[] = {
    {"TYPE", 0, 8, Ro},    {"MINOR", 8, 4, Ro},   {"MAJOR", 12, 4, Ro},
    {"STRCMD", 16, 1, Ro}, {"SERDES", 17, 1, Ro}, {"ENCR", 18, 1, Ro},
    {"CACHE", 19, 1, Ro},  {"CID", 20, 1, Ro},    {"EXTSYNC", 21, 1, Ro},
};
inline constexpr Field kWord[] = {
    {"REG", 0, 32, Rw, Lock::WhileRunning},
};
inline constexpr Field kFsize[] = {
    {"WIDTH", 0, 16, Rw, Lock::WhileRunning},
    {"HEIGHT", 16, 16, Rw, Lock::WhileRunning},
};
inline constexpr Field kDepth[] = {
    {"SIZE", 0, 16, Rw, Lock::WhileRunning},
    {"OFFSET", 16, 16, Rw, Lock::WhileRunning},
};
inline constexpr Field kStrd[] = {
    {"LOFF", 0, 16, Rw, Lock::WhileRunning},
    {"FGAP", 16, 6, Rw, Lock::WhileRunning},
    {"BGAP", 24, 6, Rw, Lock::WhileRunning},
};
inline constexpr Field kPos[] = {
    {"POS0", 0, 2, Rw, Lock::WhileRunning},      {"POS1", 2, 2, Rw, Lock::WhileRunning},
    {"POS2", 4, 2, Rw, Lock::WhileRunning},      {"WSWAP", 8, 1, Rw, Lock::WhileRunning},
    {"HSWAP", 9, 1, Rw, Lock::WhileRunning},     {"BSWAP", 10, 1, Rw, Lock::WhileRunning},
    {"THROTTLE", 12, 4, Rw, Lock::WhileRunning}, {"GAPCYCLES", 16, 16, Rw, Lock::WhileRunning},
};
inline constexpr Field kEvent[] = {
    {"LEVEL", 0, 13, Rw},
    {"TYPE", 13, 2, Rw},
    {"SET", 15, 1, Rw},
    {"EN_BUFBL", 16, 1, Rw},
    {"EN_MRK", 17, 1, Rw},
    {"EN_OFLOW_ADD", 18, 1, Rw},
    {"EN_OFLOW_FRM", 19, 1, Rw},
    {"EN_ILLCFG", 20, 1, Rw},
    {"EN_FMTMM", 21, 1, Rw},
    {"EN_CLRMSGRCV", 22, 1, Ro},
    {"FRMTRG_EN", 23, 1, Rw, Lock::WhileRunning},
    {"FRMTRG_SRC", 24, 5, Rw, Lock::WhileRunning},
};
inline constexpr Field kStoptag[] = {
    {"EN", 0, 1, Rw, Lock::WhileRunning},
    {"TAG", 16, 16, Rw, Lock::WhileRunning},
};
inline constexpr Field kLimiten[] = {
    {"ADDRLIMIT", 0, 1, Rw, Lock::WhileRunning},
    {"STOPPREFTC", 1, 1, Rw, Lock::WhileRunning},
    {"FRAMELIMIT", 2, 1, Rw, Lock::WhileRunning},
    {"AUTOCLR", 3, 1, Rw, Lock::WhileRunning},
    {"CLRMSGSENT", 8, 1, Ro},
    {"DOFF_MSB", 16, 16, Rw, Lock::WhileRunning},
};
inline constexpr Field kLimit[] = {
    {"CNT", 0, 32, Rw, Lock::WhileRunning},
};
/// The address is 8-aligned: its low three bits do not take writes.
inline constexpr Field kLimitaddr[] = {
    {"REG", 0, 32, Rw, Lock::WhileRunning, 3},
};
inline constexpr Field kIrq[] = {
    {"RAW_BUFBL", 0, 1, W1c},     {"RAW_MRK", 1, 1, W1c},    {"RAW_OFLOW_ADD", 2, 1, W1c},
    {"RAW_OFLOW_FRM", 3, 1, W1c}, {"RAW_ILLCFG", 4, 1, W1c}, {"RAW_FMTMM", 5, 1, W1c},
    {"RAW_CLRMSGRCV", 6, 1, Ro},
};
inline constexpr Field kEncrLsb[] = {
    {"ID_LSB", 0, 32, Rw, Lock::WhileRunning},
};
inline constexpr Field kEncrMsb[] = {
    {"ID_MSB", 0, 11, Rw, Lock::WhileRunning}, {"EN", 12, 1, Rw, Lock::WhileRunning},
    {"ROUNDS", 13, 1, Rw, Lock::WhileRunning}, {"KEY_SEL", 14, 2, Rw, Lock::WhileRunning},
    {"INC", 16, 16, Rw, Lock::WhileRunning},
};
inline constexpr Field kCidCache[] = {
    {"CID", 0, 3, Rw, Lock::WhileRunning},      {"CACHEABLE", 3, 1, Rw, Lock::WhileRunning},
    {"ALLOC", 4, 1, Rw, Lock::WhileRunning},    {"PFETCH", 5, 1, Rw, Lock::WhileRunning},
    {"LINESIZE", 6, 2, Rw, Lock::WhileRunning}, {"LOFF_MSB", 16, 16, Rw, Lock::WhileRunning},
};
inline constexpr Field kExtsync[] = {
    {"EN", 0, 1, Rw, Lock::WhileRunning},
    {"SRC", 4, 4, Rw, Lock::WhileRunning},
    {"LINES", 16, 16, Rw, Lock::WhileRunning},
};
inline constexpr Field kExtsync2[] = {
    {"LINES", 0, 16, Rw, Lock::WhileRunning},
    {"OFF", 16, 16, Rw, Lock::WhileRunning},
};
inline constexpr Field kCounter[] = {
    {"REG", 0, 32, Ro},
};

inline constexpr Register kRegisters[] = {
    {"CTRL", 0x000, 0x00000000, kCtrl},           {"VERSION", 0x004, 0x003E5001, kVersion},
    {"ADDR", 0x008, 0x00000000, kWord},           {"FSIZE", 0x00C, 0x00000000, kFsize},
    {"DEPTH", 0x010, 0x00000000, kDepth},         {"STRD", 0x014, 0x00000000, kStrd},
    {"FOFFSET", 0x018, 0x00000000, kWord},        {"FRAME_RPT", 0x01C, 0x00000000, kWord},
    {"FRPTOFF", 0x020, 0x00000000, kWord},        {"POS", 0x024, 0x00080024, kPos},
    {"EVENT", 0x028, 0x00000000, kEvent},         {"STOPTAG", 0x02C, 0xFFD90000, kStoptag},
    {"LIMITEN", 0x030, 0x00000002, kLimiten},     {"LIMIT", 0x034, 0x00000000, kLimit},
    {"LIMITADDR", 0x038, 0x00000000, kLimitaddr}, {"IRQ", 0x03C, 0x00000000, kIrq},
    {"ENCR_LSB", 0x040, 0x00000000, kEncrLsb},    {"ENCR_MSB", 0x044, 0x00000000, kEncrMsb},
    {"CID_CACHE", 0x048, 0x00000000, kCidCache},  {"EXTSYNC", 0x04C, 0x00000000, kExtsync},
    {"EXTSYNC2", 0x050, 0x00000000, kExtsync2},   {"DESCRADDR", 0x054, 0x00000000, kWord},
    {"LASTADDR", 0x058, 0x00000000, kCounter},    {"DEPTHCNT", 0x05C, 0x00000001, kCounter},
    {"PIXCNT", 0x060, 0x00000001, kCounter},      {"LINECNT", 0x064, 0x00000001, kCounter},
    {"FCNT", 0x068, 0x00000001, kCounter},
};

}  // namespace streng

/// Stream engine.
inline constexpr UnitType kStreng{"STRENG", 10, 5, 0, streng::kRegisters};

}  // namespace n6vp::memmap::npu
