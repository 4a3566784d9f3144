// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memmap/chips/chip.h"
#include "sim/host/elf.h"
#include "sim/run/run_config.h"

namespace n6vp::sim {

/// What a programmer puts into the memories of a chip before a run.
struct McuFirmware {
    struct Part {
        std::uint32_t address = 0;
        std::vector<std::uint8_t> content;
        std::string name, origin;  ///< both for reports
    };
    std::vector<Part> parts;
    std::optional<ElfFile> symbols;  ///< of the program, if it has any
};

/// Reads the plan's program and images. Fails with UserError, naming the origin, if one cannot be
/// read, is too large, lies outside the chip's memories, or if two of them overlap.
[[nodiscard]] McuFirmware read_mcu_firmware(const RunPlan& plan, const memmap::Chip& chip);

/// Returns the address of the vector table with which the core starts: the plan's; none if it is
/// what the chip boots from. Fails with UserError if nothing that was loaded stands there.
[[nodiscard]] std::uint32_t mcu_vectors(const RunPlan& plan, const memmap::Chip& chip,
                                        const McuFirmware& firmware);

}  // namespace n6vp::sim
