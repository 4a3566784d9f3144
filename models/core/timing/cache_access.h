// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/core/ir/bus.h"
#include "models/core/ir/state.h"
#include "models/core/ir/system.h"
#include "models/parameter.h"

namespace n6vp::models::core {

/// Memory that the core reaches without cache and without waiting.
struct TcmRange {
    std::uint32_t start = 0, end = 0;  ///< first and last address
};

// What both caches need to know of an access.

[[nodiscard]] inline bool in_ranges(const std::vector<TcmRange>& ranges, std::uint32_t address) {
    return std::ranges::any_of(ranges, [address](const TcmRange& range) {
        return range.start <= address && address <= range.end;
    });
}

[[nodiscard]] inline std::uint32_t whole(const Parameter& parameter) {
    return static_cast<std::uint32_t>(parameter.value);
}

[[nodiscard]] inline std::uint64_t cycle(const CpuState& cpu) {
    return cpu.cycle_base - static_cast<std::uint64_t>(cpu.budget);
}

[[nodiscard]] inline BusAttributes attributes(const CpuState& cpu, const Permission& permission,
                                              Port port) {
    return {port, permission.secure, cpu.privileged, false, permission.device};
}

}  // namespace n6vp::models::core
