// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "tests/core/diff/generator.h"
#include "tests/core/diff/job.h"

namespace n6vp::test::diff {

/// Returns loads and stores of every family whose bases go anywhere.
[[nodiscard]] Job wild_accesses(const Selection& selection);

/// Runs them on both sides, vector by vector, and prints a vector of every row that differs and how
/// often each excuse was needed. Returns the number of vectors that differ.
std::size_t compare_wild(const Job& job, unsigned reports, Side& ours, Side& theirs);

}  // namespace n6vp::test::diff
