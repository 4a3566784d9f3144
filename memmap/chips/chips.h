// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/chips/chip.h"
#include "memmap/chips/stm32f746.h"
#include "memmap/chips/stm32h743.h"
#include "memmap/chips/stm32h7a3.h"
#include "memmap/chips/stm32l475.h"
#include "memmap/chips/stm32l476.h"
#include "memmap/chips/stm32l4r5.h"
#include "memmap/chips/stm32u575.h"
#include "memmap/chips/stm32u585.h"

namespace n6vp::memmap {

/// All chips beside the STM32N6, by name.
inline constexpr const Chip* kChips[] = {
    &stm32f746::kChip, &stm32h743::kChip, &stm32h7a3::kChip, &stm32l475::kChip,
    &stm32l476::kChip, &stm32l4r5::kChip, &stm32u575::kChip, &stm32u585::kChip,
};

/// Returns the chip of that name, or null.
template <typename Text>
[[nodiscard]] constexpr const Chip* find_chip(const Text& name) {
    for (const Chip* chip : kChips) {
        if (is_name(chip->name, name)) return chip;
    }
    return nullptr;
}

}  // namespace n6vp::memmap
