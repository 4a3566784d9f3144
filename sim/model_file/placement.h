// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "loader/install.h"
#include "sim/model_file/model_image.h"

namespace n6vp::sim::report {

/// Returns the four bases that an install of this request would use, by the loader's own rules: RO
/// in place or in exec RAM, RAM behind it, PARAM_0 moved by the last RELOC.PARAM pool, PARAM_1 the
/// external RAM.
[[nodiscard]] loader::Resolver install_bases(const loader::InstallRequest& request,
                                             const ModelImage& image, const ModelFacts& facts);

/// How the generation of a file was found.
struct GenerationFacts {
    std::string core;      ///< "ST Edge AI Core 3.0"
    std::string runtime;   ///< "1.1.3-8", or "?" without rt_ctx
    std::string detected;  ///< by what, one sentence
    std::string conflict;  ///< what contradicts it; empty if nothing does
};

[[nodiscard]] GenerationFacts find_generation(const ModelImage& image, const ModelFacts& facts);

}  // namespace n6vp::sim::report
