// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/generate/lower/model_plan.h"
#include "sim/generate/operators/evaluate.h"
#include "sim/generate/tflite/graph.h"
#include "sim/generate/validate/metrics.h"
#include "sim/generate/validate/validation.h"
#include "sim/host/json_output.h"

/// `n6vp validate --layers`: the tensors between a generated model's epochs against TFLite's
/// integer arithmetic.
namespace n6vp::sim::generate {

/// One layer over all samples.
struct LayerResult {
    std::string layer;        ///< operator and tensor; hostile text
    std::uint32_t epoch = 0;  ///< that computes it
    StoredDifferences own;    ///< against the layer's evaluation from what the model gave it
    StoredDifferences whole;  ///< against the evaluation of the whole network
};

class LayerComparison {
  public:
    /// `report` is that of `n6vp generate`. Fails with UserError if it is not that of the network.
    LayerComparison(const Graph& graph, const Json& report);

    /// Words of `n6vp run` that keep the tensors, and the files that they become in its folder.
    [[nodiscard]] std::vector<std::string> run_words() const;
    [[nodiscard]] std::vector<std::string> files() const;

    /// Takes a sample: inputs, what the files had, and outputs.
    void add(const Tensors& inputs, const Tensors& kept, const Tensors& outputs);
    [[nodiscard]] const std::vector<LayerResult>& results() const { return results_; }

  private:
    struct Kept {
        TensorId tensor = 0;
        std::uint32_t epoch = 0, address = 0, bytes = 0;
    };
    void find_tensors(const Json& internals);

    const Graph& graph_;
    std::vector<Kept> kept_;
    std::vector<LayerResult> results_;
    std::vector<std::optional<std::size_t>> result_of_;  ///< by node
};

/// Returns the numbers of the first layers that differ at all, and by more than 1, by themselves.
struct FirstDeviations {
    std::optional<std::size_t> any, beyond_one;
};
[[nodiscard]] FirstDeviations first_deviations(const std::vector<LayerResult>& layers);

/// Returns one line for every layer with a smaller part within 1 by itself.
[[nodiscard]] std::vector<std::string> unmet_layers(const std::vector<LayerResult>& layers,
                                                    double least_within_one);

[[nodiscard]] std::string layers_text(const std::vector<LayerResult>& layers);
[[nodiscard]] Json layers_json(const std::vector<LayerResult>& layers);

}  // namespace n6vp::sim::generate
