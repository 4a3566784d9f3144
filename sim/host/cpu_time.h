// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace n6vp::sim {

/// Returns the CPU time of the host's process so far, s.
[[nodiscard]] double cpu_seconds();

}  // namespace n6vp::sim
