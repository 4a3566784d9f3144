// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/generate/emit/prediction.h"
#include "sim/generate/operators/lower_graph.h"
#include "sim/generate/tflite/graph.h"
#include "sim/host/json_output.h"

/// What a network costs before any simulation: `n6vp analyze`.
namespace n6vp::sim::generate {

struct PoolUse {
    std::string name, content;  ///< "activations", "weights, in place"
    std::uint64_t bytes = 0;
};

struct Analysis {
    std::string name;
    std::size_t layers = 0;
    std::uint64_t parameters = 0, parameter_bytes = 0;  ///< weights and biases of the file
    std::uint64_t multiplications = 0;
    std::uint64_t largest_activations = 0;  ///< bytes of the tensors that live at one time
    std::vector<PoolUse> pools;
    Prediction prediction;
};

struct AnalysisOptions {
    LoweringOptions lowering;
    bool controller = true;  ///< epochs in blobs, else programmed by the core
};

/// Fails with UserError where lowering does.
[[nodiscard]] Analysis analyse(const Graph& graph, const AnalysisOptions& options);

/// Returns the bytes of the tensors that are needed at the same time, at the worst moment.
[[nodiscard]] std::uint64_t largest_live_bytes(const Graph& graph);

[[nodiscard]] std::string analysis_text(const Analysis& analysis);
[[nodiscard]] Json analysis_json(const Analysis& analysis);

}  // namespace n6vp::sim::generate
