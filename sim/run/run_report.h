// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "sim/exec/exec_statistics.h"
#include "sim/host/json_output.h"
#include "sim/run/run_session.h"

namespace n6vp::sim {

/// Registers of the core's private bus without model: a line each, the first ones of many.
[[nodiscard]] std::string core_registers_text(const std::vector<ExecRegister>& registers);
[[nodiscard]] Json core_registers_json(const std::vector<ExecRegister>& registers);

/// Says in a line or two why the run ended, unless it was exit code 0.
void write_verdict(std::ostream& out, const RunOutcome& outcome, const RunEvents& events);

/// Writes what the faults that ended the run were, or why nothing went on.
void write_faults_at_end(std::ostream& out, const RunSession& session);

/// Writes what went wrong without ending the run: stale bytes, buffers in use, denied accesses.
void write_doubts(std::ostream& out, const RunSession& session);

/// Writes phases with traffic and waiting, caches, events and registers that are not modelled.
void write_run(std::ostream& out, RunSession& session, const RunOutcome& outcome,
               const RunPlan& plan);

/// Writes one line per phase and flow, the fields separated by commas.
void write_run_csv(std::ostream& out, const RunSession& session);

/// Returns the document of schema n6vp.run/2.
[[nodiscard]] Json run_document(RunSession& session, const RunOutcome& outcome,
                                const RunPlan& plan);

}  // namespace n6vp::sim
