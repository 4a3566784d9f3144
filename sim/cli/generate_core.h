// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/cli/verb.h"

namespace n6vp::sim::cli {

/// `n6vp generate --target` for a core without an NPU.
struct GenerateCoreOptions {
    std::string file, output, target, name, form, compiler, weights;
    bool no_inputs = false, no_outputs = false, json = false;
};
void run_generate_core(const GenerateCoreOptions& options, Session& session);

}  // namespace n6vp::sim::cli
