// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/run/run_session.h"
#include "sim/run_trace/run_trace.h"
#include "traces/page/report_page.h"

namespace n6vp::sim::trace {

/// Returns the page of a run that `recorded`, which has events and epochs, saw from its beginning
/// to its end. Nothing in it depends on the host, so that two runs give the same page.
[[nodiscard]] traces::ReportPage run_page(RunSession& session, const RunOutcome& outcome,
                                          const RunPlan& plan, const RunTrace& recorded);

}  // namespace n6vp::sim::trace
