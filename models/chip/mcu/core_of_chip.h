// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "memmap/chips/chip.h"
#include "models/chip/mcu/microcontroller_parameters.h"
#include "models/core/core_module.h"

namespace n6vp::models::mcu_chip {

/// Returns the core as the chip has it: profile, interrupts, TCMs, clock out of reset.
[[nodiscard]] CoreModuleConfig core_of_chip(const memmap::Chip& chip);

/// Returns the flash and accelerator of the chip.
[[nodiscard]] FlashParameters flash_of_chip(const memmap::Chip& chip);

/// Returns what FLASH_ACR, and ICACHE_CR of the U5, say about reading the flash.
[[nodiscard]] FlashMemory::Setting flash_setting(memmap::ChipFamily family, std::uint32_t acr,
                                                 std::uint32_t icache);

}  // namespace n6vp::models::mcu_chip
