// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "memmap/chips/chip.h"
#include "models/chip/mcu/microcontroller_parameters.h"
#include "models/core/core_module.h"

namespace n6vp::models::mcu_chip {

/// Returns the core as the chip has it: profile, interrupts, TCMs, clock out of reset.
[[nodiscard]] CoreModuleConfig core_of_chip(const memmap::Chip& chip);

/// Returns the parameters of the chip: its flash, the caches of its core, costs of exceptions.
[[nodiscard]] MicrocontrollerParameters parameters_of_chip(const memmap::Chip& chip);

/// Returns true if an option bit joins the two banks of the flash to one of twice the width.
[[nodiscard]] bool has_bank_option(const memmap::Chip& chip);

/// What registers say about reading the flash.
struct FlashRegisters {
    std::uint32_t acr = 0;
    std::uint32_t icache = 0;  ///< ICACHE_CR of the U5
    bool single_bank = false;  ///< FLASH_OPTR.DBANK = 0 of the L4R5
};
[[nodiscard]] FlashMemory::Setting flash_setting(const memmap::Chip& chip,
                                                 const FlashRegisters& registers);

}  // namespace n6vp::models::mcu_chip
