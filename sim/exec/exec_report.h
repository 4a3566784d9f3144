// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include "sim/exec/exec_run.h"
#include "sim/host/json_output.h"

namespace n6vp::sim {

/// Says in a line or two why the run ended, unless it was exit code 0.
void write_end(std::ostream& out, const ExecOutcome& outcome);

/// Writes the table of `--stats`.
void write_statistics(std::ostream& out, const ExecOutcome& outcome, models::core::Timing timing);

/// Returns the document of `n6vp exec --json`.
[[nodiscard]] Json exec_document(const ExecOutcome& outcome, models::core::Timing timing);

}  // namespace n6vp::sim
