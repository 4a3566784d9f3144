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

/// Returns true if two ranges have storage in common, at whatever alias.
[[nodiscard]] bool share_memory(AddressRange one, AddressRange other);
/// Returns the address that the same storage has whatever its alias.
[[nodiscard]] std::uint64_t one_alias(GuestAddr address);

/// Returns the COPY and RESET pools of a model at `at`, named for reports: "pool 2 (weights)". None
/// if the file cannot be opened as a model.
[[nodiscard]] std::vector<UsedRange> model_pools(const std::string& file, GuestAddr at,
                                                 const std::vector<std::uint8_t>& content);

/// Refuses exec RAM in which something else stands: UserError with exit code 2.
void require_exec_ram_apart(AddressRange exec_ram, const std::string& origin,
                            const std::vector<UsedRange>& used);

/// Refuses a model at `at` whose COPY or RESET pools lie where there is no memory, or would
/// overwrite the program, exec RAM or each other, at whatever alias: UserError with exit code 6.
/// `origin` names the option or scenario of the model. The loader handles a file
/// that cannot be opened as a model.
void require_pools_apart(const std::string& file, const std::string& origin, GuestAddr at,
                         const std::vector<std::uint8_t>& content,
                         const std::vector<UsedRange>& used);

}  // namespace n6vp::sim
