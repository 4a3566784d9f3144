// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loader/profile.h"
#include "sim/generate/lower/model_plan.h"

namespace n6vp::sim::generate {

/// A run of epochs that one item of the model's table stands for.
struct EpochBlock {
    std::uint32_t first = 0, last = 0;  ///< numbers, from 1
    bool software = false;
    std::string program;                   ///< of the epoch controller, as text; empty without
    std::vector<std::uint32_t> container;  ///< of that program
    std::vector<Base> bases;               ///< of the container's symbols, in their order
    std::uint32_t blob_words = 0;
};

struct SourceOptions {
    bool blobs_in_parameters = false;  ///< containers in the parameter section, else constants
};

/// Cuts the epochs into blocks: neighbours on the NPU share a blob if the epoch controller runs
/// them.
[[nodiscard]] std::vector<EpochBlock> make_blocks(const ModelPlan& plan, bool controller,
                                                  loader::Generation generation);

/// Returns the C source of the model, to be compiled with the files of `glue_files`.
[[nodiscard]] std::string model_source(const ModelPlan& plan, const std::vector<EpochBlock>& blocks,
                                       const SourceOptions& options = {});

}  // namespace n6vp::sim::generate
