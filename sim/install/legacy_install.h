// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "loader/legacy/install.h"
#include "memmap/chips/chips.h"
#include "sim/model_file/host_memory.h"
#include "sim/model_file/legacy_plan.h"
#include "traces/install_log.h"

/// Installs of the older family (Cortex-M4, M7, M33): the loader on the host, memory as a plain
/// table. No time passes.
namespace n6vp::sim {

/// What one phase did.
struct LegacyPhase {
    std::uint64_t copied = 0, cleared = 0;  ///< bytes
    std::uint32_t words = 0;                ///< stored one by one: relocated, or of rt_ctx
};
inline constexpr std::size_t kLegacyPhases = 7;  ///< loader::Phase

struct LegacyOutcome {
    loader::Status status = loader::Status::Ok;
    loader::Diagnosis why;
    loader::legacy::Result result;
    std::array<LegacyPhase, kLegacyPhases> phases{};
    std::vector<traces::InstallEvent> events;
    std::vector<std::uint8_t> ram;  ///< of the request, afterwards

    [[nodiscard]] bool ok() const { return status == loader::Status::Ok; }
};

/// Returns the largest RAM of a chip.
[[nodiscard]] AddressRange largest_ram(const memmap::Chip& chip);

/// Fails with UserError if the chip has no memory where the plan puts file, RAM, weights or
/// activations, or none that can be written. External memory, from 0x60000000 to 0x9FFFFFFF, is
/// taken as fitted: which one a board has is not part of the chip.
void require_memory(const memmap::Chip& chip, const LegacyPlan& plan);

/// Returns "flash", "sram1", "external memory" and the like; "memory" without a chip.
[[nodiscard]] std::string_view memory_name(const memmap::Chip* chip, GuestAddr address);

/// Installs with memory at file and RAM of the plan only. The model's `create` is not called.
[[nodiscard]] LegacyOutcome install_legacy(const ModelFiles& files, const LegacyPlan& plan,
                                           loader::Policy policy);

}  // namespace n6vp::sim
