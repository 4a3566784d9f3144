// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sim/host/json_output.h"
#include "sim/install/install_run.h"
#include "sim/model_file/pool_image.h"

namespace n6vp::sim {

/// Fails with UserError if `directory` is a file, or holds something and `force` is not given.
void require_dump_directory(const std::filesystem::path& directory, bool force);

/// What a dump has written, and a line for each image it has not.
struct DumpedFiles {
    std::vector<std::string> names, left_out;
};

/// Writes install.json, install.csv (every copy, clear, patch and cache call), exec_ram.bin,
/// instance.bin and one file per pool that an install writes; ext_ram.bin is the external RAM as
/// far as the model's external pool reaches. Every file is complete before the first one gets its
/// name; a name that cannot be replaced stops the rest. Images of memory that the platform does not
/// have are left out.
DumpedFiles write_dump(const std::filesystem::path& directory, Platform& platform,
                       const InstallPlan& plan, std::span<const PoolImage> pools,
                       const InstallOutcome& outcome, const Json& report);

/// Writes install.json, install.csv and ram.bin, what an install left in the RAM it was given.
DumpedFiles write_dump(const std::filesystem::path& directory, const Json& report,
                       std::span<const traces::InstallEvent> events,
                       std::span<const std::uint8_t> ram);

}  // namespace n6vp::sim
