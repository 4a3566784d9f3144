// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loader/firmware/base/job.h"

namespace n6vp::firmware::chip {

/// Applies `key=value` words to the job. Returns false at the first that it does not know, which is
/// then at `bad`. README.md lists the keys.
[[nodiscard]] bool apply_arguments(Job& job, char* words, const char*& bad);

/// Tells loader and runtime what firmware the selected model gets. Whoever brings `run_install`
/// brings this, too.
void describe_platform();

// The kinds of jobs. Each leaves what it found in `result`.
void run_install();
void run_copies();
void run_probe();
void run_inferences();

}  // namespace n6vp::firmware::chip
