// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/chips/chip.h"
#include "memmap/chips/family_l4.h"
#include "memmap/chips/merged.h"

namespace n6vp::memmap::stm32l475 {

using enum ChipMemoryKind;

inline constexpr ChipMemory kMemories[] = {
    family_l4::flash(1024 * 1024),
    {"sram2", Ram, 0x10000000, 32 * 1024, 32, family_l4::kCodePort},
    family_l4::kSystemMemory,
    {"sram1", Ram, 0x20000000, 96 * 1024, 32, family_l4::kSystemPort},
};

inline constexpr ChipPeripheral kOwnPeripherals[] = {
    {"RTC", 0x40002800, 208, -1, -1, {3, 41}},   {"SWPMI1", 0x40008800, 40, 0x5C, 2, {76}},
    {"SDMMC1", 0x40012800, 132, 0x60, 10, {49}}, {"DMA1_CSELR", 0x400200A8, 4, 0x48, 0},
    {"DMA2_CSELR", 0x400204A8, 4, 0x48, 1},      {"RCC", 0x40021000, 152, -1, -1, {5}},
    {"ADC2", 0x50040100, 184, 0x4C, 13, {18}},   {"ADC3", 0x50040200, 184, 0x4C, 13, {47}},
    {"ADC123_COMMON", 0x50040300, 16, 0x4C, 13}, {"QUADSPI", 0xA0001000, 52, 0x50, 8, {71}},
};

/// Register blocks that are smaller or larger than the family's.
inline constexpr ChipSize kSizes[] = {
    {"USART", 44},  {"UART", 44},           {"LPUART", 44}, {"PWR", 96},
    {"SYSCFG", 40}, {"DFSDM1_Channel", 20}, {"FLASH", 84},  {"GPIO", 48},
};
inline constexpr auto kPeripherals =
    merged(resized(family_l4::kPeripherals, kSizes), kOwnPeripherals);

// clang-format off
inline constexpr ChipInterrupt kOwnInterrupts[] = {
    {18, "ADC1_2"}, {47, "ADC3"}, {71, "QUADSPI"}, {76, "SWPMI1"},
};
// clang-format on
inline constexpr auto kInterrupts = merged(family_l4::kInterrupts, kOwnInterrupts);

inline constexpr Chip kChip{
    .name = "stm32l475",
    .title = "STM32L475",
    .core = "cortex-m4",
    .family = ChipFamily::L4,
    .max_hz = 80'000'000,
    .reset_hz = 4'000'000,
    .vectors = 0x00000000,
    .flash_size_at = 0x1FFF75E0,
    .secure_offset = 0,
    .console = "USART1",
    .memories = kMemories,
    .peripherals = kPeripherals,
    .interrupts = kInterrupts,
};

}  // namespace n6vp::memmap::stm32l475
