// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "memmap/chips/chip.h"
#include "models/soc/stubs/stub_block.h"

/// Set-up registers of the older chips. Sources: CMSIS device headers (offsets, bits), CMSIS-SVD
/// files (reset values), HAL drivers (which flag follows which enable). Reset values of option
/// bytes are those of a new part.
namespace n6vp::models::mcu {

/// Returns the table of a peripheral ("RCC", "PWR", "FLASH", "RTC", ...) of that chip, or nullptr.
[[nodiscard]] const StubTable* set_up_table(const memmap::Chip& chip, std::string_view peripheral);

/// Returns the table of a peripheral of which only flags that firmware polls are there.
[[nodiscard]] const StubTable* polled_table(const memmap::Chip& chip, std::string_view peripheral);

// By chip or family; the type of a table is the name of the peripheral.
extern const std::span<const StubTable> kL475Tables, kL4r5Tables, kU5Tables, kF7Tables, kH743Tables,
    kH7a3Tables;

}  // namespace n6vp::models::mcu
