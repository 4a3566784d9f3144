// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "models/core/isa/row.h"

namespace n6vp::models::core::isa {

/// The address that an instruction names relative to its own.
struct Target {
    std::uint32_t address = 0;
    bool branches = false;  ///< a branch destination, else a literal that is loaded
};

/// Returns the target of the instruction at `pc`, or nothing. Branch future and floating-point
/// literals have none.
[[nodiscard]] std::optional<Target> find_target(const Row& row, std::uint32_t encoding,
                                                std::uint32_t pc);

}  // namespace n6vp::models::core::isa
