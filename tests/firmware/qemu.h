// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace n6vp::test {

struct QemuRun {
    int exit_code = -1;
    std::string text;  ///< everything the firmware printed
};

/// Runs the install firmware on QEMU's mps3-an547 with the job file `jobs` of `folder`, which is
/// also where it finds and leaves its files. Ends it after two minutes.
[[nodiscard]] QemuRun run_qemu(const std::filesystem::path& folder, const std::string& jobs);

}  // namespace n6vp::test
