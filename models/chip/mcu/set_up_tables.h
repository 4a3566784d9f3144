// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "memmap/chips/chip.h"
#include "models/soc/stubs/stub_block.h"

namespace n6vp::models::mcu_chip {

/// Returns the registers of a peripheral by which firmware sets up its chip (RCC, PWR, FLASH and
/// the like): reset values and the flags that firmware polls. Null: the family has none of that
/// name. All flags follow at once.
/// Source: device headers; reset values of reference manuals where known, else 0.
[[nodiscard]] const StubTable* set_up_table(memmap::ChipFamily family, std::string_view peripheral);

/// Returns a table without registers: everything that is written can be read, nothing is modelled.
[[nodiscard]] const StubTable& no_table();

}  // namespace n6vp::models::mcu_chip
