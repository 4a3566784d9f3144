// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "memmap/chips/chip.h"
#include "memmap/guest_addr.h"

/// Memories of an older chip as a model sees them.
namespace n6vp::sim {

/// Neighbours, at whatever alias, that are one memory to a program.
struct McuRange {
    AddressRange range;
    bool tcm = false;
};

/// Returns RAM and TCM by ascending address. Memories that follow each other are one range, and
/// each address appears once: aliases serve only to join.
[[nodiscard]] std::vector<McuRange> ram_of(const memmap::Chip& chip);

/// Returns the range that models are installed into by default: where the RAM at 0x20000000 is no
/// TCM what follows the firmware's own, else the largest RAM.
[[nodiscard]] AddressRange model_ram(const memmap::Chip& chip);

/// Returns flash that models are stored in by default: what follows the firmware.
[[nodiscard]] AddressRange model_flash(const memmap::Chip& chip);

/// Fails with UserError if the chip has no memory in all of the range, if it is to be written and
/// is not RAM, or if it holds the firmware. `what` and `option` name it.
void require_place(const memmap::Chip& chip, AddressRange range, std::string_view what,
                   std::string_view option, bool written);

}  // namespace n6vp::sim
