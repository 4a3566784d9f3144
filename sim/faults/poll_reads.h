// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/faults/fault_report.h"

namespace n6vp::sim::fault_report {

/// A load of a loop and the address that it reads next.
struct PollRead {
    const CodeLine* line = nullptr;
    std::uint32_t address = 0;
};

/// Where the core was found in a loop.
struct LoopState {
    std::uint32_t first = 0, last = 0;  ///< lowest and highest program counter seen
    std::uint32_t pc = 0;
    std::array<std::uint32_t, 16> registers{};  ///< at `pc`
};

/// Returns a word of memory whose reading changes nothing, and that no device may change.
using PeekWord = std::function<std::optional<std::uint32_t>(std::uint32_t address)>;

/// Follows one turn of the loop from `pc` on through its code and returns what it reads, in that
/// order. A register that the loop computes in a way that is not followed is not known from there
/// on: a load from such a base is left out.
[[nodiscard]] std::vector<PollRead> poll_reads(const std::vector<CodeLine>& code,
                                               const LoopState& state, const PeekWord& peek);

}  // namespace n6vp::sim::fault_report
