// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "loader/firmware/base/job.h"
#include "sim/exec/exec_program.h"
#include "sim/host/elf.h"

/// The program for the simulated chip, as the build made it, with a job of the test's.
namespace n6vp::test {

namespace chip = firmware::chip;

/// With the loader's Strict policy, and with Compat.
inline constexpr const char* kChipPrograms[] = {N6VP_CHIP_FIRMWARE, N6VP_CHIP_FIRMWARE_COMPAT};

[[nodiscard]] inline std::vector<std::uint8_t> record_bytes(const chip::Job& job) {
    std::vector<std::uint8_t> bytes(sizeof job);
    std::memcpy(bytes.data(), &job, sizeof job);
    return bytes;
}

/// Returns the program's segments with `job` in place of its own.
[[nodiscard]] inline sim::ExecProgram program_with(const chip::Job& job,
                                                   const char* path = N6VP_CHIP_FIRMWARE) {
    sim::ExecProgram program = sim::ExecProgram::read(path);
    for (sim::ExecProgram::Segment& segment : program.segments) {
        if (segment.address == to_word(chip::kJobAddress)) {
            std::memcpy(segment.content.data(), &job, sizeof job);
        }
    }
    return program;
}

}  // namespace n6vp::test
