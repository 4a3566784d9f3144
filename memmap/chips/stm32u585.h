// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/chips/chip.h"
#include "memmap/chips/merged.h"
#include "memmap/chips/stm32u575.h"

/// An STM32U575 with units for cryptography.
namespace n6vp::memmap::stm32u585 {

inline constexpr ChipPeripheral kOwnPeripherals[] = {
    {"AES", 0x420C0000, 780, 0x8C, 16, {93}},      {"SAES", 0x420C0C00, 780, 0x8C, 20, {28}},
    {"PKA", 0x420C2000, 6360, 0x8C, 19, {97}},     {"OTFDEC1", 0x420C5000, 32, 0x8C, 23, {108}},
    {"OTFDEC1_REGION1", 0x420C5020, 36, 0x8C, 23}, {"OTFDEC1_REGION2", 0x420C5050, 36, 0x8C, 23},
    {"OTFDEC1_REGION3", 0x420C5080, 36, 0x8C, 23}, {"OTFDEC1_REGION4", 0x420C50B0, 36, 0x8C, 23},
    {"OTFDEC2", 0x420C5400, 32, 0x8C, 24, {109}},  {"OTFDEC2_REGION1", 0x420C5420, 36, 0x8C, 24},
    {"OTFDEC2_REGION2", 0x420C5450, 36, 0x8C, 24}, {"OTFDEC2_REGION3", 0x420C5480, 36, 0x8C, 24},
    {"OTFDEC2_REGION4", 0x420C54B0, 36, 0x8C, 24},
};
inline constexpr auto kPeripherals = merged(stm32u575::kPeripherals, kOwnPeripherals);

// clang-format off
inline constexpr ChipInterrupt kOwnInterrupts[] = {
    {28, "SAES"}, {93, "AES"}, {97, "PKA"}, {108, "OTFDEC1"}, {109, "OTFDEC2"},
};
// clang-format on
inline constexpr auto kInterrupts = merged(stm32u575::kInterrupts, kOwnInterrupts);

inline constexpr Chip kChip = [] {
    Chip chip = stm32u575::kChip;
    chip.name = "stm32u585";
    chip.title = "STM32U585";
    chip.peripherals = kPeripherals;
    chip.interrupts = kInterrupts;
    return chip;
}();

}  // namespace n6vp::memmap::stm32u585
