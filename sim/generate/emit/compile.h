// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/host/temp_folder.h"

namespace n6vp::sim::generate {

/// Runs a C compiler. Its messages go to a file in `folder`. Fails with UserError, with their start
/// if it refuses its sources.
void compile_model(const std::string& compiler, const std::vector<std::string>& arguments,
                   const TempFolder& folder);

}  // namespace n6vp::sim::generate
