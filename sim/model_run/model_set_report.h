// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include "sim/model_run/model_set.h"
#include "sim/run_report.h"

/// What `n6vp run MODEL MODEL...` shows.
namespace n6vp::sim::model_run {

struct FinishedSet {
    const ModelSet& run;
    const PhaseReport& phases;
    const RunPlan& plan;
    const RunOutcome& outcome;
};

/// Writes memory, installs and inferences of each model, then inputs and outputs.
void write_model_set(std::ostream& out, const FinishedSet& finished);
/// Returns the value of the key "models" of a document of schema n6vp.run/1.
[[nodiscard]] Json model_set_json(const FinishedSet& finished);

}  // namespace n6vp::sim::model_run
