// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/run/run_session.h"

namespace n6vp::sim::model_run {

/// A run that has ended, of one model or of several.
template <class Run>
struct FinishedRun {
    const Run& run;
    const PhaseRecorder& phases;
    const RunPlan& plan;
    const RunOutcome& outcome;
};

}  // namespace n6vp::sim::model_run
