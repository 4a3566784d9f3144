// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/generate/cores/core_plan.h"
#include "sim/pack/legacy_pack.h"

namespace n6vp::sim::generate {

struct CoreBuildOptions {
    std::string compiler = "arm-none-eabi-gcc";
    bool split = false;  ///< weights in a file of their own
};

struct BuiltCoreModel {
    std::string source;
    std::vector<std::uint8_t> elf;
    pack::LegacyLinked linked;
    pack::LegacyPacked packed;
};

/// Emits, compiles, links and packs the relocatable form in a folder of its own, which is gone
/// afterwards. Fails with UserError if the compiler is missing.
[[nodiscard]] BuiltCoreModel build_core_model(const Graph& graph, const CorePlan& plan,
                                              const CoreBuildOptions& options);

}  // namespace n6vp::sim::generate
