// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/core/ir/state.h"

namespace n6vp::models::core::isa::integer {

/// Returns `value` limited to a signed number of `bits` (1 to 32); sets Q if that changed it.
[[nodiscard]] inline std::uint32_t saturate_signed(CpuState& cpu, std::int64_t value,
                                                   std::uint32_t bits) {
    const std::int64_t top = (std::int64_t{1} << (bits - 1)) - 1;
    const std::int64_t limited = value > top ? top : value < ~top ? ~top : value;
    cpu.q |= limited != value ? 1u : 0u;
    return static_cast<std::uint32_t>(limited);
}

/// The same for an unsigned number of `bits` (0 to 32).
[[nodiscard]] inline std::uint32_t saturate_unsigned(CpuState& cpu, std::int64_t value,
                                                     std::uint32_t bits) {
    const std::int64_t top = (std::int64_t{1} << bits) - 1;
    const std::int64_t limited = value > top ? top : value < 0 ? 0 : value;
    cpu.q |= limited != value ? 1u : 0u;
    return static_cast<std::uint32_t>(limited);
}

/// Sets Q if the sum of signed words `a` and `b` overflows. Returns the sum, wrapped.
[[nodiscard]] inline std::uint32_t add_sticky(CpuState& cpu, std::uint32_t a, std::uint32_t b) {
    const std::uint32_t sum = a + b;
    cpu.q |= ((a ^ sum) & (b ^ sum)) >> 31;
    return sum;
}

}  // namespace n6vp::models::core::isa::integer
