// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loader/firmware/text.h"
#include "loader/firmware/words.h"

namespace n6vp::firmware {

/// Parses the `key=value` words of an install job, installs, and appends the outcome to `out`.
/// Returns false, with the offending word in `out`, for a job that cannot be understood.
[[nodiscard]] bool run_install(Words& words, Text& out);

}  // namespace n6vp::firmware
