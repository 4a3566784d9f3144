// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "memmap/chips/chip.h"
#include "memmap/guest_addr.h"
#include "sim/host/json_output.h"

/// Text and JSON of `n6vp map --chip`, for chips beside the STM32N6.
namespace n6vp::sim {

/// Returns one line per chip of memmap/chips: core, frequency, flash, RAM.
[[nodiscard]] std::string chip_list();
[[nodiscard]] Json chip_list_json();

/// Returns one line per memory: addresses, size, width and kind, port.
[[nodiscard]] std::string chip_memory_table(const memmap::Chip& chip);
/// Returns peripherals and interrupts.
[[nodiscard]] std::string chip_other_tables(const memmap::Chip& chip);
/// Returns where an address (or range) lies.
[[nodiscard]] std::string chip_resolve_text(const memmap::Chip& chip, AddressRange what);

[[nodiscard]] Json chip_map_json(const memmap::Chip& chip);
[[nodiscard]] Json chip_resolve_json(const memmap::Chip& chip, AddressRange what);

}  // namespace n6vp::sim
