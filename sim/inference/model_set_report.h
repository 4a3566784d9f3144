// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include "sim/host/json_output.h"
#include "sim/inference/finished.h"
#include "sim/inference/model_set.h"

/// What `n6vp run MODEL MODEL...` shows.
namespace n6vp::sim::model_run {

using FinishedSet = FinishedRun<ModelSet>;

/// Writes memory, installs and inferences of each model, then inputs and outputs.
void write_model_set(std::ostream& out, const FinishedSet& finished);
/// Returns the value of the key "models" of a document of schema n6vp.run/2.
[[nodiscard]] Json model_set_json(const FinishedSet& finished);

}  // namespace n6vp::sim::model_run
