// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/memory_port.h"

/// The core's caches and the NPU cache, on the STM32N6 itself and on its simulator.
namespace n6vp::firmware::caches {

/// Powers the cache RAMs, empties both caches of the core and switches them and the loop cache on.
void enable();
/// Switches the NPU cache on, which is busy for a while after its clock came.
void enable_npu();
/// Performs one maintenance operation and waits for its end. Nothing happens on the NPU cache while
/// it is off.
void maintain(loader::CacheOp op, GuestAddr start, std::uint32_t bytes);

/// Counters of the NPU cache: hits, misses, allocating misses and evictions of reads, then the same
/// of writes with those written through in place of evictions.
inline constexpr std::uint32_t kNpuCounters = 8;
/// Sets them to zero and starts them.
void start_npu_counters();
/// Stops them.
void stop_npu_counters(std::uint32_t (&counts)[kNpuCounters]);

}  // namespace n6vp::firmware::caches
