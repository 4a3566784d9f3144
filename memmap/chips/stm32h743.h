// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/chips/chip.h"
#include "memmap/chips/family_h7.h"
#include "memmap/chips/merged.h"

namespace n6vp::memmap::stm32h743 {

using enum ChipMemoryKind;

inline constexpr ChipMemory kMemories[] = {
    family_h7::kItcm,
    {"flash", Flash, 0x08000000, 2 * 1024 * 1024, 64, "AXI"},
    // Boot loader, unique ID at 0x1FF1E800.
    {"system_memory", Rom, 0x1FF00000, 128 * 1024, 64, "AXI"},
    family_h7::kDtcm,
    {"axi_sram", Ram, 0x24000000, 512 * 1024, 64, "AXI"},
    {"sram1", Ram, 0x30000000, 128 * 1024, 32, "AXI, D2 AHB", {0x10000000, kNoAlias, kNoAlias}},
    {"sram2", Ram, 0x30020000, 128 * 1024, 32, "AXI, D2 AHB", {0x10020000, kNoAlias, kNoAlias}},
    {"sram3", Ram, 0x30040000, 32 * 1024, 32, "AXI, D2 AHB", {0x10040000, kNoAlias, kNoAlias}},
    {"sram4", Ram, 0x38000000, 64 * 1024, 32, "AXI, D3 AHB"},
    {"bkpsram", Ram, 0x38800000, 4 * 1024, 32, "AXI, D3 AHB"},
};

inline constexpr ChipPeripheral kOwnPeripherals[] = {
    {"SAI3", 0x40016000, 4, 0xF0, 24, {114}},
    {"SAI3_Block_A", 0x40016004, 32, 0xF0, 24},
    {"SAI3_Block_B", 0x40016024, 32, 0xF0, 24},
    {"DFSDM1_Channel0", 0x40017000, 20, 0xF0, 28},
    {"DFSDM1_Channel1", 0x40017020, 20, 0xF0, 28},
    {"DFSDM1_Channel2", 0x40017040, 20, 0xF0, 28},
    {"DFSDM1_Channel3", 0x40017060, 20, 0xF0, 28},
    {"DFSDM1_Channel4", 0x40017080, 20, 0xF0, 28},
    {"DFSDM1_Channel5", 0x400170A0, 20, 0xF0, 28},
    {"DFSDM1_Channel6", 0x400170C0, 20, 0xF0, 28},
    {"DFSDM1_Channel7", 0x400170E0, 20, 0xF0, 28},
    {"DFSDM1_Filter0", 0x40017100, 60, 0xF0, 28, {110}},
    {"DFSDM1_Filter1", 0x40017180, 60, 0xF0, 28, {111}},
    {"DFSDM1_Filter2", 0x40017200, 60, 0xF0, 28, {112}},
    {"DFSDM1_Filter3", 0x40017280, 60, 0xF0, 28, {113}},
    {"HRTIM1", 0x40017400, 128, 0xF0, 29, {103, 104, 105, 106, 107, 108, 109}},
    {"HRTIM1_TIMA", 0x40017480, 128, 0xF0, 29},
    {"HRTIM1_TIMB", 0x40017500, 128, 0xF0, 29},
    {"HRTIM1_TIMC", 0x40017580, 128, 0xF0, 29},
    {"HRTIM1_TIMD", 0x40017600, 128, 0xF0, 29},
    {"HRTIM1_TIME", 0x40017680, 128, 0xF0, 29},
    {"HRTIM1_COMMON", 0x40017780, 116, 0xF0, 29},
    {"ETH", 0x40028000, 4464, 0xD8, 15, {61, 62}},
    {"USB2_OTG_FS", 0x40080000, 320, 0xD8, 27},
    {"RAMECC2", 0x48023000, 4, -1, -1},
    {"RAMECC2_Monitor1", 0x48023020, 24, -1, -1},
    {"RAMECC2_Monitor2", 0x48023040, 24, -1, -1},
    {"RAMECC2_Monitor3", 0x48023060, 24, -1, -1},
    {"RAMECC2_Monitor4", 0x48023080, 24, -1, -1},
    {"RAMECC2_Monitor5", 0x480230A0, 24, -1, -1},
    {"QUADSPI", 0x52005000, 52, 0xD4, 14, {92}},
    {"DLYB_QUADSPI", 0x52006000, 8, 0xD4, 14},
    {"RAMECC1", 0x52009000, 4, -1, -1},
    {"RAMECC1_Monitor1", 0x52009020, 24, -1, -1},
    {"RAMECC1_Monitor2", 0x52009040, 24, -1, -1},
    {"RAMECC1_Monitor3", 0x52009060, 24, -1, -1},
    {"RAMECC1_Monitor4", 0x52009080, 24, -1, -1},
    {"RAMECC1_Monitor5", 0x520090A0, 24, -1, -1},
    {"EXTI_D2", 0x580000C0, 44, -1, -1},
    {"LPTIM4", 0x58002C00, 40, 0xF4, 11, {140}},
    {"LPTIM5", 0x58003000, 40, 0xF4, 12, {141}},
    {"SAI4", 0x58005400, 4, 0xF4, 21, {146}},
    {"SAI4_Block_A", 0x58005404, 32, 0xF4, 21},
    {"SAI4_Block_B", 0x58005424, 32, 0xF4, 21},
    {"CRC", 0x58024C00, 24, 0xE0, 19},
    {"BDMA", 0x58025400, 8, 0xE0, 21},
    {"BDMA_Channel0", 0x58025408, 20, 0xE0, 21, {129}},
    {"BDMA_Channel1", 0x5802541C, 20, 0xE0, 21, {130}},
    {"BDMA_Channel2", 0x58025430, 20, 0xE0, 21, {131}},
    {"BDMA_Channel3", 0x58025444, 20, 0xE0, 21, {132}},
    {"BDMA_Channel4", 0x58025458, 20, 0xE0, 21, {133}},
    {"BDMA_Channel5", 0x5802546C, 20, 0xE0, 21, {134}},
    {"BDMA_Channel6", 0x58025480, 20, 0xE0, 21, {135}},
    {"BDMA_Channel7", 0x58025494, 20, 0xE0, 21, {136}},
    {"ADC3", 0x58026000, 204, 0xE0, 24, {127, 18}},
    {"ADC3_COMMON", 0x58026300, 20, 0xE0, 24},
    {"HSEM", 0x58026400, 328, 0xE0, 25},
    {"RAMECC3", 0x58027000, 4, -1, -1},
    {"RAMECC3_Monitor1", 0x58027020, 24, -1, -1},
    {"RAMECC3_Monitor2", 0x58027040, 24, -1, -1},
};

/// Register blocks that are smaller or larger than the family's.
inline constexpr ChipSize kSizes[] = {
    {"RNG", 12}, {"GPV", 291084}, {"SYSCFG", 840}, {"RTC", 208}, {"RCC", 304},
};
inline constexpr int kClocksMoved = -0x60;
inline constexpr auto kPeripherals = merged(
    resized(with_clocks_moved(family_h7::kPeripherals, kClocksMoved), kSizes), kOwnPeripherals);

// clang-format off
inline constexpr ChipInterrupt kOwnInterrupts[] = {
    {1, "PVD_AVD"}, {2, "TAMP_STAMP"}, {61, "ETH"}, {62, "ETH_WKUP"}, {78, "DCMI"}, {92, "QUADSPI"},
    {98, "OTG_FS_EP1_OUT"}, {99, "OTG_FS_EP1_IN"}, {100, "OTG_FS_WKUP"}, {101, "OTG_FS"},
    {103, "HRTIM1_Master"}, {104, "HRTIM1_TIMA"}, {105, "HRTIM1_TIMB"}, {106, "HRTIM1_TIMC"},
    {107, "HRTIM1_TIMD"}, {108, "HRTIM1_TIME"}, {109, "HRTIM1_FLT"}, {114, "SAI3"}, {127, "ADC3"},
    {129, "BDMA_Channel0"}, {130, "BDMA_Channel1"}, {131, "BDMA_Channel2"}, {132, "BDMA_Channel3"},
    {133, "BDMA_Channel4"}, {134, "BDMA_Channel5"}, {135, "BDMA_Channel6"}, {136, "BDMA_Channel7"},
    {140, "LPTIM4"}, {141, "LPTIM5"}, {146, "SAI4"},
};
// clang-format on
inline constexpr auto kInterrupts = merged(family_h7::kInterrupts, kOwnInterrupts);

inline constexpr Chip kChip{
    .name = "stm32h743",
    .title = "STM32H743",
    .core = "cortex-m7",
    .family = ChipFamily::H7,
    .max_hz = 480'000'000,
    .reset_hz = 64'000'000,
    .vectors = 0x08000000,
    .flash_size_at = 0x1FF1E880,
    .secure_offset = 0,
    .console = "USART3",
    .memories = kMemories,
    .peripherals = kPeripherals,
    .interrupts = kInterrupts,
};

}  // namespace n6vp::memmap::stm32h743
