// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/chips/chip.h"
#include "memmap/chips/family_l4.h"
#include "memmap/chips/merged.h"

namespace n6vp::memmap::stm32l4r5 {

using enum ChipMemoryKind;

inline constexpr ChipMemory kMemories[] = {
    family_l4::flash(2 * 1024 * 1024),
    {"sram2",
     Ram,
     0x10000000,
     64 * 1024,
     32,
     "I-Code and D-Code; alias: S-bus",
     {0x20030000, kNoAlias, kNoAlias}},
    family_l4::kSystemMemory,
    {"sram1", Ram, 0x20000000, 192 * 1024, 32, family_l4::kSystemPort},
    {"sram3", Ram, 0x20040000, 384 * 1024, 32, family_l4::kSystemPort},
};

inline constexpr ChipPeripheral kOwnPeripherals[] = {
    {"RTC", 0x40002800, 208, 0x58, 10, {3, 41}},
    {"CRS", 0x40006000, 16, 0x58, 24, {82}},
    {"I2C4", 0x40008400, 44, 0x5C, 1, {83, 84}},
    {"DMAMUX1", 0x40020800, 4, 0x48, 2, {94}},
    {"DMAMUX1_Channel1", 0x40020804, 4, 0x48, 2},
    {"DMAMUX1_Channel2", 0x40020808, 4, 0x48, 2},
    {"DMAMUX1_Channel3", 0x4002080C, 4, 0x48, 2},
    {"DMAMUX1_Channel4", 0x40020810, 4, 0x48, 2},
    {"DMAMUX1_Channel5", 0x40020814, 4, 0x48, 2},
    {"DMAMUX1_Channel6", 0x40020818, 4, 0x48, 2},
    {"DMAMUX1_Channel7", 0x4002081C, 4, 0x48, 2},
    {"DMAMUX1_Channel8", 0x40020820, 4, 0x48, 2},
    {"DMAMUX1_Channel9", 0x40020824, 4, 0x48, 2},
    {"DMAMUX1_Channel10", 0x40020828, 4, 0x48, 2},
    {"DMAMUX1_Channel11", 0x4002082C, 4, 0x48, 2},
    {"DMAMUX1_Channel12", 0x40020830, 4, 0x48, 2},
    {"DMAMUX1_Channel13", 0x40020834, 4, 0x48, 2},
    {"DMAMUX1_ChannelStatus", 0x40020880, 8, 0x48, 2},
    {"DMAMUX1_RequestGenerator0", 0x40020900, 4, 0x48, 2},
    {"DMAMUX1_RequestGenerator1", 0x40020904, 4, 0x48, 2},
    {"DMAMUX1_RequestGenerator2", 0x40020908, 4, 0x48, 2},
    {"DMAMUX1_RequestGenerator3", 0x4002090C, 4, 0x48, 2},
    {"DMAMUX1_RequestGenStatus", 0x40020940, 8, 0x48, 2},
    {"RCC", 0x40021000, 168, -1, -1, {5, 82}},
    {"DMA2D", 0x4002B000, 3072, 0x48, 17, {90}},
    {"GPIOI", 0x48002000, 44, 0x4C, 8},
    {"ADC1_COMMON", 0x50040300, 16, 0x4C, 13},
    {"DCMI", 0x50050000, 44, 0x4C, 14, {85}},
    {"OCTOSPIM", 0x50061C00, 12, 0x4C, 20},
    {"SDMMC1", 0x50062400, 132, 0x4C, 22, {49}},
    {"OCTOSPI1", 0xA0001000, 516, 0x50, 8, {71}},
    {"OCTOSPI2", 0xA0001400, 516, 0x50, 9, {76}},
};
inline constexpr auto kPeripherals = merged(family_l4::kPeripherals, kOwnPeripherals);

// clang-format off
inline constexpr ChipInterrupt kOwnInterrupts[] = {
    {18, "ADC1"}, {71, "OCTOSPI1"}, {76, "OCTOSPI2"}, {82, "CRS"}, {83, "I2C4_ER"}, {84, "I2C4_EV"},
    {85, "DCMI"}, {90, "DMA2D"}, {94, "DMAMUX1_OVR"},
};
// clang-format on
inline constexpr auto kInterrupts = merged(family_l4::kInterrupts, kOwnInterrupts);

inline constexpr Chip kChip{
    .name = "stm32l4r5",
    .title = "STM32L4R5",
    .core = "cortex-m4",
    .family = ChipFamily::L4,
    .max_hz = 120'000'000,
    .reset_hz = 4'000'000,
    .vectors = 0x00000000,
    .flash_size_at = 0x1FFF75E0,
    .secure_offset = 0,
    .console = "LPUART1",
    .memories = kMemories,
    .peripherals = kPeripherals,
    .interrupts = kInterrupts,
};

}  // namespace n6vp::memmap::stm32l4r5
