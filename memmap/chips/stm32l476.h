// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/chips/chip.h"
#include "memmap/chips/merged.h"
#include "memmap/chips/stm32l475.h"

/// An STM32L475 with a controller of segment displays.
namespace n6vp::memmap::stm32l476 {

inline constexpr ChipPeripheral kOwnPeripherals[] = {{"LCD", 0x40002400, 84, 0x58, 9, {78}}};
inline constexpr auto kPeripherals = merged(stm32l475::kPeripherals, kOwnPeripherals);

inline constexpr ChipInterrupt kOwnInterrupts[] = {{78, "LCD"}};
inline constexpr auto kInterrupts = merged(stm32l475::kInterrupts, kOwnInterrupts);

inline constexpr Chip kChip = [] {
    Chip chip = stm32l475::kChip;
    chip.name = "stm32l476";
    chip.title = "STM32L476";
    chip.console = "USART2";
    chip.peripherals = kPeripherals;
    chip.interrupts = kInterrupts;
    return chip;
}();

}  // namespace n6vp::memmap::stm32l476
