// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/memory_port.h"

/// Chip and core out of reset.
namespace n6vp::firmware::mcu {

/// Performs the steps of the job, enables the caches of the core if the job says so, and starts the
/// cycle counter.
void set_up();

/// Core cycles, counted by the DWT. Wraps at 2^32.
[[nodiscard]] std::uint32_t cycles();

/// Cache maintenance of the core; nothing where its caches are off.
void maintain(loader::CacheOp op, GuestAddr start, std::uint32_t bytes);

}  // namespace n6vp::firmware::mcu
