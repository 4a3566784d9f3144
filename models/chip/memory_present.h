// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/regions.h"

/// Which memories of the chip and its board have a model.
namespace n6vp::models {

/// Returns true for memories that have a model; ROM, empty windows and stubs have none.
[[nodiscard]] bool is_modelled(const memmap::Region& region);

/// Returns true if every byte of `range` has memory behind it that masters beside the core reach.
[[nodiscard]] bool is_memory_present(AddressRange range);

}  // namespace n6vp::models
