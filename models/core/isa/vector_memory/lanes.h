// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "models/core/predication.h"

namespace n6vp::models::core::isa::vector_memory {

template <class Lane>
using Vector = std::array<Lane, 16 / sizeof(Lane)>;

template <class Lane>
[[nodiscard]] inline Vector<Lane> read_vector(const CpuState& cpu, unsigned q) {
    Vector<Lane> value;
    std::memcpy(value.data(), cpu.vector.data() + q * 16, 16);
    return value;
}
template <class Lane>
inline void write_vector(CpuState& cpu, unsigned q, const Vector<Lane>& value) {
    std::memcpy(cpu.vector.data() + q * 16, value.data(), 16);
}

/// Returns true if the lowest byte of a lane is in `bytes`: that byte decides for memory.
template <class Lane>
[[nodiscard]] inline bool has_lane(std::uint32_t bytes, unsigned lane) {
    return (bytes >> lane * sizeof(Lane) & 1) != 0;
}

}  // namespace n6vp::models::core::isa::vector_memory
