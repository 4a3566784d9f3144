// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memmap/guest_addr.h"

namespace n6vp::sim {

/// Memory that a run uses for something, and what.
struct UsedRange {
    AddressRange range;
    std::string what;
};

/// Returns true if the bytes begin like a relocatable model.
[[nodiscard]] bool is_model(const std::vector<std::uint8_t>& content);

/// Refuses a model at `at` whose COPY or RESET pools would overwrite the program, exec RAM or each
/// other, at whatever alias: UserError with exit code 6. `origin` says who asked for the model. A
/// file that cannot be opened as a model is left to the loader.
void require_pools_apart(const std::string& file, const std::string& origin, GuestAddr at,
                         const std::vector<std::uint8_t>& content,
                         const std::vector<UsedRange>& used);

}  // namespace n6vp::sim
