// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace n6vp::tests {

/// Runs a bare-metal program on a machine of QEMU's for a minute at most. `arguments` follow each
/// other behind spaces; what the program and QEMU print goes to `text`. Returns true if the program
/// ended with 0.
[[nodiscard]] bool run_on_qemu(const std::string& qemu, const std::string& program,
                               const std::string& arguments, std::string& text,
                               const std::string& machine = "mps3-an547");

}  // namespace n6vp::tests
