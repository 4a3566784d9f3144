// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace n6vp::sim::debugger {

/// Floating-point registers of a thread that does not run.
struct SavedFloat {
    std::array<std::uint64_t, 16> doubles{};  ///< d0 to d15
    std::uint32_t fpscr = 0;
    std::uint32_t vpr = 0;  ///< of a core with vectors
};

/// Registers of a thread that does not run, as its kernel and the exception entry saved them.
struct SavedRegisters {
    static constexpr unsigned kGeneral = 17;  ///< r0 to r15, xPSR
    using Float = SavedFloat;

    std::array<std::uint32_t, kGeneral> general{};
    std::optional<Float> fp;  ///< none: the thread has no floating-point context
};

}  // namespace n6vp::sim::debugger
