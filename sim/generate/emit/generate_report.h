// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/generate/emit/build_model.h"
#include "sim/generate/emit/prediction.h"
#include "sim/generate/tflite/graph.h"
#include "sim/host/json_output.h"

namespace n6vp::sim::generate {

/// Returns what a terminal shows of a finished model: epochs, memory, files.
[[nodiscard]] std::string generate_text(const Graph& graph, const ModelPlan& plan,
                                        const BuiltModel& built, const Prediction& prediction);

/// Returns the same for machines: tensors, pools, epochs; `container` is the report of `n6vp pack`
/// (the paths of the vendor's _generate_rel.json).
[[nodiscard]] Json generate_json(const Graph& graph, const ModelPlan& plan, const BuiltModel& built,
                                 const Prediction& prediction, const Json& container);

/// Returns every epoch as readable text: units, registers that are set, links, and the programs of
/// the blobs.
[[nodiscard]] std::string epoch_listing(const ModelPlan& plan, const BuiltModel& built);

}  // namespace n6vp::sim::generate
