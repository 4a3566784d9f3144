// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "memmap/chips/chip.h"

namespace n6vp::sim {

/// Returns the chip of that name in small or capital letters, null for the STM32N6; "l4r5" is short
/// for "stm32l4r5". Fails with UserError for any other name, by its origin if that is a scenario.
[[nodiscard]] const memmap::Chip* chip_named(std::string_view name, std::string_view origin = {});

}  // namespace n6vp::sim
