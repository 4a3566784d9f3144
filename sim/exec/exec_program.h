// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "sim/host/elf.h"

namespace n6vp::sim {

/// What a debugger loads of a bare-metal program: the segments of an ELF file at their load
/// addresses.
struct ExecProgram {
    using Segment = ElfSegment;
    std::vector<Segment> segments;  ///< by ascending address; those without content are left out

    /// Reads a file of at most 512 MiB. Fails with UserError if it is not a 32-bit Arm executable.
    [[nodiscard]] static ExecProgram read(const std::filesystem::path& path);
};

}  // namespace n6vp::sim
