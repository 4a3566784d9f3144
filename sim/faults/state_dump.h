// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/faults/run_faults.h"
#include "sim/platform/platform.h"

namespace n6vp::sim::fault_report {

/// Makes the folder if there is none. Fails with UserError if it is none, or holds something.
void prepare_dump(const std::filesystem::path& folder);

/// Writes state.json (registers now and at the faults, fault status, models found, list of the
/// files) and the RAM that the run touched, one file for every run of pages:
/// "AXISRAM2_0x34100000.bin", as the core sees it. Flash is left out, and what goes beyond 64 MiB.
/// Returns the names. Fails with UserError if a file cannot be written.
std::vector<std::string> write_state(const std::filesystem::path& folder, Platform& platform,
                                     const RunFaults& faults);

}  // namespace n6vp::sim::fault_report
