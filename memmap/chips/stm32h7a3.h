// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/chips/chip.h"
#include "memmap/chips/family_h7.h"
#include "memmap/chips/merged.h"

namespace n6vp::memmap::stm32h7a3 {

using enum ChipMemoryKind;

inline constexpr ChipMemory kMemories[] = {
    family_h7::kItcm,
    {"flash", Flash, 0x08000000, 2 * 1024 * 1024, 64, "AXI"},
    // OTP at 0x08FFF000, unique ID at 0x08FFF800.
    {"otp", Rom, 0x08FFF000, 4 * 1024, 64, "AXI"},
    family_h7::kDtcm,
    {"axi_sram1", Ram, 0x24000000, 256 * 1024, 64, "AXI"},
    {"axi_sram2", Ram, 0x24040000, 384 * 1024, 64, "AXI"},
    {"axi_sram3", Ram, 0x240A0000, 384 * 1024, 64, "AXI"},
    {"ahb_sram1", Ram, 0x30000000, 64 * 1024, 32, "AXI, CD AHB"},
    {"ahb_sram2", Ram, 0x30010000, 64 * 1024, 32, "AXI, CD AHB"},
    {"srd_sram", Ram, 0x38000000, 32 * 1024, 32, "AXI, SRD AHB"},
    {"bkpsram", Ram, 0x38800000, 4 * 1024, 32, "AXI, SRD AHB"},
};

inline constexpr ChipPeripheral kOwnPeripherals[] = {
    {"UART9", 0x40011800, 48, 0x150, 6, {140}},
    {"USART10", 0x40011C00, 48, 0x150, 7, {141}},
    {"DFSDM1_Channel0", 0x40017800, 24, 0x150, 30},
    {"DFSDM1_Channel1", 0x40017820, 24, 0x150, 30},
    {"DFSDM1_Channel2", 0x40017840, 24, 0x150, 30},
    {"DFSDM1_Channel3", 0x40017860, 24, 0x150, 30},
    {"DFSDM1_Channel4", 0x40017880, 24, 0x150, 30},
    {"DFSDM1_Channel5", 0x400178A0, 24, 0x150, 30},
    {"DFSDM1_Channel6", 0x400178C0, 24, 0x150, 30},
    {"DFSDM1_Channel7", 0x400178E0, 24, 0x150, 30},
    {"DFSDM1_Filter0", 0x40017900, 60, 0x150, 30, {110}},
    {"DFSDM1_Filter1", 0x40017980, 60, 0x150, 30, {111}},
    {"DFSDM1_Filter2", 0x40017A00, 60, 0x150, 30, {112}},
    {"DFSDM1_Filter3", 0x40017A80, 60, 0x150, 30, {113}},
    {"DFSDM1_Filter4", 0x40017B00, 60, 0x150, 30},
    {"DFSDM1_Filter5", 0x40017B80, 60, 0x150, 30},
    {"DFSDM1_Filter6", 0x40017C00, 60, 0x150, 30},
    {"DFSDM1_Filter7", 0x40017C80, 60, 0x150, 30},
    {"CRC", 0x40023000, 24, 0x138, 9},
    {"PSSI", 0x48020400, 1024, 0x13C, 0, {78}},
    {"HSEM", 0x48020800, 328, 0x13C, 2},
    {"BDMA1", 0x48022C00, 8, 0x13C, 11},
    {"BDMA1_Channel0", 0x48022C08, 20, 0x13C, 11},
    {"BDMA1_Channel1", 0x48022C1C, 20, 0x13C, 11},
    {"BDMA1_Channel2", 0x48022C30, 20, 0x13C, 11},
    {"BDMA1_Channel3", 0x48022C44, 20, 0x13C, 11},
    {"BDMA1_Channel4", 0x48022C58, 20, 0x13C, 11},
    {"BDMA1_Channel5", 0x48022C6C, 20, 0x13C, 11},
    {"BDMA1_Channel6", 0x48022C80, 20, 0x13C, 11},
    {"BDMA1_Channel7", 0x48022C94, 20, 0x13C, 11},
    {"OCTOSPI1", 0x52005000, 1020, 0x134, 14, {92}},
    {"DLYB_OCTOSPI1", 0x52006000, 8, 0x134, 14},
    {"RAMECC", 0x52009000, 4, -1, -1},
    {"RAMECC_Monitor1", 0x52009020, 24, -1, -1},
    {"RAMECC_Monitor2", 0x52009040, 24, -1, -1},
    {"RAMECC_Monitor3", 0x52009060, 24, -1, -1},
    {"OCTOSPI2", 0x5200A000, 1020, 0x134, 19, {150}},
    {"DLYB_OCTOSPI2", 0x5200B000, 8, 0x134, 19},
    {"OCTOSPIM", 0x5200B400, 16, 0x134, 21},
    {"GFXMMU", 0x5200C000, 12288, 0x134, 24, {153}},
    {"DAC2", 0x58003400, 80, 0x154, 13, {127}},
    {"TAMP", 0x58004400, 384, 0x154, 16},
    {"DTS", 0x58006800, 48, 0x154, 26, {147}},
    {"DFSDM2_Channel0", 0x58006C00, 24, 0x154, 27},
    {"DFSDM2_Channel1", 0x58006C20, 24, 0x154, 27},
    {"DFSDM2_Filter0", 0x58006D00, 60, 0x154, 27},
    {"BDMA2", 0x58025400, 8, 0x140, 21},
    {"BDMA2_Channel0", 0x58025408, 20, 0x140, 21, {129}},
    {"BDMA2_Channel1", 0x5802541C, 20, 0x140, 21, {130}},
    {"BDMA2_Channel2", 0x58025430, 20, 0x140, 21, {131}},
    {"BDMA2_Channel3", 0x58025444, 20, 0x140, 21, {132}},
    {"BDMA2_Channel4", 0x58025458, 20, 0x140, 21, {133}},
    {"BDMA2_Channel5", 0x5802546C, 20, 0x140, 21, {134}},
    {"BDMA2_Channel6", 0x58025480, 20, 0x140, 21, {135}},
    {"BDMA2_Channel7", 0x58025494, 20, 0x140, 21, {136}},
};
inline constexpr auto kPeripherals = merged(family_h7::kPeripherals, kOwnPeripherals);

// clang-format off
inline constexpr ChipInterrupt kOwnInterrupts[] = {
    {1, "PVD_PVM"}, {2, "RTC_TAMP_STAMP_CSS_LSE"}, {42, "DFSDM2"}, {64, "DFSDM1_FLT4"},
    {65, "DFSDM1_FLT5"}, {66, "DFSDM1_FLT6"}, {67, "DFSDM1_FLT7"}, {78, "DCMI_PSSI"},
    {92, "OCTOSPI1"}, {127, "DAC2"}, {129, "BDMA2_Channel0"}, {130, "BDMA2_Channel1"},
    {131, "BDMA2_Channel2"}, {132, "BDMA2_Channel3"}, {133, "BDMA2_Channel4"},
    {134, "BDMA2_Channel5"}, {135, "BDMA2_Channel6"}, {136, "BDMA2_Channel7"}, {140, "UART9"},
    {141, "USART10"}, {143, "WWDG_RST"}, {147, "DTS"}, {150, "OCTOSPI2"}, {153, "GFXMMU"},
    {154, "BDMA1"},
};
// clang-format on
inline constexpr auto kInterrupts = merged(family_h7::kInterrupts, kOwnInterrupts);

inline constexpr Chip kChip{
    .name = "stm32h7a3",
    .title = "STM32H7A3",
    .core = "cortex-m7",
    .family = ChipFamily::H7,
    .max_hz = 280'000'000,
    .reset_hz = 64'000'000,
    .vectors = 0x08000000,
    .flash_size_at = 0x08FFF80C,
    .secure_offset = 0,
    .console = "USART3",
    .memories = kMemories,
    .peripherals = kPeripherals,
    .interrupts = kInterrupts,
};

}  // namespace n6vp::memmap::stm32h7a3
