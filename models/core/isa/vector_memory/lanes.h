// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "models/core/ir/predication.h"

namespace n6vp::models::core::isa::vector_memory {

template <class Lane>
using Vector = std::array<Lane, 16 / sizeof(Lane)>;

template <class Lane>
[[nodiscard]] inline Vector<Lane> read_vector(const CpuState& cpu, unsigned q) {
    Vector<Lane> value;
    std::memcpy(value.data(), cpu.vector.data() + q * std::size_t{16}, 16);
    return value;
}
template <class Lane>
inline void write_vector(CpuState& cpu, unsigned q, const Vector<Lane>& value) {
    std::memcpy(cpu.vector.data() + q * std::size_t{16}, value.data(), 16);
}

/// Returns true if the lowest byte of a lane is in `bytes`: that byte decides for memory.
template <class Lane>
[[nodiscard]] inline bool has_lane(std::uint32_t bytes, unsigned lane) {
    return (bytes >> lane * sizeof(Lane) & 1) != 0;
}

/// Returns an element from memory as a lane that is at least as wide: signed types bring their
/// sign.
template <class Lane, class Memory>
[[nodiscard]] inline Lane extend(Memory element) {
    using Wide = std::conditional_t<std::is_signed_v<Memory>, std::make_signed_t<Lane>, Lane>;
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): its sign is what is wanted.
    const Wide wide = element;
    return static_cast<Lane>(wide);
}

}  // namespace n6vp::models::core::isa::vector_memory
