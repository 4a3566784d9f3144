// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/generate/lower/model_plan.h"

namespace n6vp::sim::generate {

/// Memory that is needed from one epoch to another, both included.
struct Buffer {
    std::uint32_t bytes = 0;
    std::uint32_t first = 0, last = 0;
};

/// Buffers begin at such multiples unless said otherwise: lines of both caches.
inline constexpr std::uint32_t kBufferAlignment = 64;

/// Where each buffer is, and how much of each pool is used (from its start).
struct MemoryPlan {
    struct Place {
        std::uint32_t pool = 0, address = 0;
    };
    std::vector<Place> places;
    std::vector<std::uint32_t> used;
};

/// The largest buffer that found no room.
struct MissingRoom {
    std::size_t buffer = 0;
    std::uint64_t bytes = 0;  ///< that it takes
    /// By pool: the bytes that are free in one piece while the buffer is needed.
    std::vector<std::uint64_t> free;
};

/// Places the largest buffers first, each in the first pool with room and there as low as the
/// buffers of its time allow. Returns nothing if one does not fit, and which in `missing`.
[[nodiscard]] std::optional<MemoryPlan> plan_memory(std::span<const Buffer> buffers,
                                                    std::span<const PlacedPool> pools,
                                                    MissingRoom* missing = nullptr,
                                                    std::uint32_t alignment = kBufferAlignment);

/// Returns a pool's name for people: escaped, and something to read where it is empty.
[[nodiscard]] std::string pool_title(const std::string& name);

}  // namespace n6vp::sim::generate
