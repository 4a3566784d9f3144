// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <vector>

#include "sim/host/json_output.h"
#include "sim/microcontroller/mcu_session.h"
#include "sim/run/run_expect.h"

namespace n6vp::sim {

/// Writes by which times the board's memory was timed, if there is any.
void write_external_memory(std::ostream& out, McuSession& session);
/// Writes how a run ended, its time, and what of the chip is not modelled.
void write_mcu_run(std::ostream& out, McuSession& session, const McuOutcome& outcome);
/// Writes why it ended badly, one line, if it did.
void write_mcu_verdict(std::ostream& err, McuSession& session, const McuOutcome& outcome);
/// Returns the document of schema n6vp.run/2, with the keys that such a chip has.
[[nodiscard]] Json mcu_document(McuSession& session, const McuOutcome& outcome);
/// Judges the demands of a scenario: end, exit_code, console, console_without, times, memory.
[[nodiscard]] std::vector<Judgement> judge_mcu(McuSession& session, const McuOutcome& outcome);

}  // namespace n6vp::sim
