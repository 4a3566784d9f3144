// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loader/profile.h"
#include "sim/generate/emit/emit_source.h"
#include "sim/generate/lower/model_plan.h"
#include "sim/pack/container_image.h"

namespace n6vp::sim::generate {

struct BuildOptions {
    loader::Generation generation = loader::Generation::Core4x;
    bool controller = true;  ///< blobs of the epoch controller; else the core programs every epoch
    bool secure = true;
    bool split = false;                ///< parameters into a second file
    bool blobs_in_parameters = false;  ///< containers in front of the parameters
    std::string compiler = "arm-none-eabi-gcc";
};

/// A model with everything that it was made of.
struct BuiltModel {
    std::vector<EpochBlock> blocks;
    std::string source;
    std::vector<std::uint8_t> elf;
    pack::LinkedModel linked;
    pack::PackedContainer packed;
    std::vector<std::string> notes;
};

/// Emits, compiles, links and packs in a folder of its own, which is gone afterwards. Fails with
/// UserError if the compiler is missing.
[[nodiscard]] BuiltModel build_model(const ModelPlan& plan, const BuildOptions& options);

}  // namespace n6vp::sim::generate
