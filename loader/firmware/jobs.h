// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::firmware {

/// Runs the job file at `path`, one job a line, until `quit` or its end; prints one line for every
/// job. Returns 0, or 1 at the first job that is malformed or whose file fails; an install that the
/// loader refuses is a result, not an error. README.md lists the jobs.
[[nodiscard]] std::uint32_t run_jobs(const char* path);

}  // namespace n6vp::firmware
