// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "loader/firmware/mcu/job.h"
#include "memmap/chips/chip.h"

/// How the firmware for models brings an older chip from reset to its clock: as register accesses,
/// which it performs one after the other. Sources: reference manuals and drivers of the families.
namespace n6vp::sim {

struct McuClocks {
    std::uint32_t hz = 0;           ///< of the core
    std::uint32_t wait_states = 0;  ///< of the flash
    std::vector<firmware::mcu::Step> steps;
};

/// Returns the accesses that set supply, flash, PLL and system clock; the source is the internal
/// oscillator. `hz` 0 is the chip's maximum, the frequency out of reset needs no PLL. Also enables
/// the accelerator or cache of the flash, the clock of the CRC unit, and those of RAMs that have
/// one. Fails with UserError for a frequency that the PLL does not make.
[[nodiscard]] McuClocks plan_clocks(const memmap::Chip& chip, std::uint32_t hz);

}  // namespace n6vp::sim
