// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loader/profile.h"
#include "sim/generate/lower/estimate.h"
#include "sim/generate/tflite/graph.h"
#include "sim/generate/lower/lower_graph.h"
#include "sim/host/json_output.h"

/// What a network costs before any simulation: `n6vp analyze`.
namespace n6vp::sim::generate {

/// One epoch of the plan, with its closed-form time in NPU cycles.
struct EpochRow {
    std::string name;    ///< of the layer; hostile text
    std::string choice;  ///< how the units share it
    std::string bound;
    bool software = false;
    std::uint64_t multiplications = 0;
    double cycles = 0;
    double least_cycles = 0;  ///< what no plan could be faster than, see EpochEstimate
    /// Of the products that all CONVACC could have done in that time.
    double utilisation = 0;
    std::uint64_t read_bytes = 0, written_bytes = 0, flash_bytes = 0;
};

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
    std::vector<EpochRow> epochs;
    std::uint64_t blob_bytes = 0;
    double programming_cycles = 0;  ///< by the epoch controller or the core
    [[nodiscard]] double epoch_cycles() const;
    [[nodiscard]] double least_cycles() const;
    [[nodiscard]] double total_cycles() const { return epoch_cycles() + programming_cycles; }
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
