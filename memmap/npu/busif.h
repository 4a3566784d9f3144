// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/npu/register_table.h"

namespace n6vp::memmap::npu {
namespace busif {

using enum Access;

inline constexpr Field kCtrl[] = {
    {"EN", 0, 1, Rw},          {"CLR", 1, 1, Sc},      {"KEY0_VALID", 16, 1, Ro},
    {"KEY1_VALID", 17, 1, Ro}, {"CONFCLR", 30, 1, Sc},
};
inline constexpr Field kVersion[] = {
    {"TYPE", 0, 8, Ro},
    {"MINOR", 8, 4, Ro},
    {"MAJOR", 12, 4, Ro},
    {"PORTNR", 16, 8, Ro},
};
inline constexpr Field kPorts[] = {
    {"BUSPORT0", 0, 1, Rw}, {"BUSPORT1", 1, 1, Rw}, {"BUSPORT2", 2, 1, Rw},
    {"BUSPORT3", 3, 1, Rw}, {"BUSPORT4", 4, 1, Rw}, {"BUSPORT5", 5, 1, Rw},
};
inline constexpr Field kPortErrors[] = {
    {"BUSPORT0", 0, 1, W1c}, {"BUSPORT1", 1, 1, W1c}, {"BUSPORT2", 2, 1, W1c},
    {"BUSPORT3", 3, 1, W1c}, {"BUSPORT4", 4, 1, W1c}, {"BUSPORT5", 5, 1, W1c},
};
inline constexpr Field kKeyWord[] = {
    {"REG", 0, 32, Wo},
};

inline constexpr Register kRegisters[] = {
    {"CTRL", 0x000, 0x00000000, kCtrl},           {"VERSION", 0x004, 0x0006501D, kVersion},
    {"PRIO1", 0x008, 0x00000000, kPorts},         {"PRIO2", 0x00C, 0x00000000, kPorts},
    {"ERR", 0x010, 0x00000000, kPortErrors},      {"KEY0_31_0", 0x014, 0x00000000, kKeyWord},
    {"KEY0_63_32", 0x018, 0x00000000, kKeyWord},  {"KEY0_95_64", 0x01C, 0x00000000, kKeyWord},
    {"KEY0_127_96", 0x020, 0x00000000, kKeyWord}, {"KEY1_31_0", 0x024, 0x00000000, kKeyWord},
    {"KEY1_63_32", 0x028, 0x00000000, kKeyWord},  {"KEY1_95_64", 0x02C, 0x00000000, kKeyWord},
    {"KEY1_127_96", 0x030, 0x00000000, kKeyWord},
};

}  // namespace busif

/// Bus interface: one AXI master with its ports and keys.
inline constexpr UnitType kBusif{"BUSIF", 2, 2, kNoGate, busif::kRegisters};

}  // namespace n6vp::memmap::npu
