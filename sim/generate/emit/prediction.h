// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/generate/emit/emit_source.h"
#include "sim/generate/lower/cost.h"
#include "sim/generate/lower/model_plan.h"
#include "sim/host/json_output.h"

/// What one inference of a model takes, by the closed form: what `n6vp analyze` and `n6vp generate`
/// print. It predicts the first inference of `n6vp run` with the same parameters.
namespace n6vp::sim::generate {

/// One epoch of the plan. Cycles of the NPU: from the first engine's start to the last one's end,
/// without programming, as `n6vp run` counts them; of software: what the core takes, in NPU cycles.
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

struct Prediction {
    std::vector<EpochRow> epochs;
    std::uint64_t blob_bytes = 0;
    double npu_cycles = 0;          ///< sum of the epochs on the NPU
    double software_cycles = 0;     ///< sum of those on the core
    double programming_cycles = 0;  ///< by the epoch controller or the core, and the runtime
    double least_cycles = 0;
    double hz = 0;  ///< of the NPU

    [[nodiscard]] double total_cycles() const {
        return npu_cycles + software_cycles + programming_cycles;
    }
    [[nodiscard]] double milliseconds() const { return total_cycles() / hz * 1e3; }
};

[[nodiscard]] Prediction predict(const ModelPlan& plan, const std::vector<EpochBlock>& blocks,
                                 const CostParameters& cost);

/// Returns the sums and what they are a prediction of, with its error: the last lines of a report.
[[nodiscard]] std::string prediction_text(const Prediction& prediction);
[[nodiscard]] Json prediction_json(const Prediction& prediction);

}  // namespace n6vp::sim::generate
