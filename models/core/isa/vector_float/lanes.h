// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "models/core/float/soft_float.h"
#include "models/core/ir/predication.h"

// Lanes of a vector as bit patterns: std::uint16_t is half precision, std::uint32_t single.

namespace n6vp::models::core::isa::vector_float {

template <class T>
using Lanes = std::array<T, 16 / sizeof(T)>;

template <class T>
[[nodiscard]] inline Lanes<T> read(const CpuState& cpu, unsigned q) {
    Lanes<T> lanes;
    std::memcpy(lanes.data(), cpu.vector.data() + q * std::size_t{16}, 16);
    return lanes;
}

/// Writes the bytes of Qq that `active` names.
template <class T>
inline void write(CpuState& cpu, unsigned q, const Lanes<T>& lanes, std::uint32_t active) {
    std::uint8_t* to = cpu.vector.data() + q * std::size_t{16};
    if (active == 0xFFFF) {
        std::memcpy(to, lanes.data(), 16);
        return;
    }
    std::array<std::uint8_t, 16> bytes;
    std::memcpy(bytes.data(), lanes.data(), 16);
    for (unsigned i = 0; i < 16; ++i) {
        if ((active >> i & 1) != 0) to[i] = bytes[i];
    }
}

/// Which lanes an operation is done for, and the flags it may raise: those of lanes of which the
/// lowest byte is active.
template <class T>
class ActiveLanes {
  public:
    explicit ActiveLanes(std::uint32_t bytes) : bytes_(bytes) {}

    [[nodiscard]] bool any(unsigned lane) const {
        return (bytes_ >> lane * sizeof(T) & kLane) != 0;
    }
    [[nodiscard]] bool raises(unsigned lane) const { return (bytes_ >> lane * sizeof(T) & 1) != 0; }

    /// Calls `operation(lane)` for every lane of which a byte is active and keeps the flags that
    /// count.
    template <class Operation>
    void for_each(fp::Environment& environment, const Operation& operation) const {
        for (unsigned lane = 0; lane < 16 / sizeof(T); ++lane) {
            if (!any(lane)) continue;
            const std::uint32_t flags = environment.flags;
            operation(lane);
            if (!raises(lane)) environment.flags = flags;
        }
    }

  private:
    static constexpr std::uint32_t kLane = (1u << sizeof(T)) - 1;
    std::uint32_t bytes_;
};

}  // namespace n6vp::models::core::isa::vector_float
