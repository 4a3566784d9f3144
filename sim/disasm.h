// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "traces/disassembler.h"

namespace n6vp::sim {

/// Returns a disassembler made of Capstone 4 behind a fence: Capstone 4 prints many Armv8.1-M
/// encodings as older instructions, so whatever lies where the two architectures differ is `.inst`.
/// Fails (internal error) if Capstone refuses.
[[nodiscard]] std::unique_ptr<traces::Disassembler> make_disassembler();

/// Returns true for a 16-bit encoding that Capstone may not see.
[[nodiscard]] bool is_fenced_16(std::uint32_t encoding);

/// Returns true for a 32-bit encoding (first halfword in the upper half) that Capstone may not see.
[[nodiscard]] bool is_fenced_32(std::uint32_t encoding);

/// Returns true if a halfword starts a 32-bit instruction.
[[nodiscard]] constexpr bool is_wide(std::uint32_t first_halfword) {
    return first_halfword >= 0xE800;
}

}  // namespace n6vp::sim
