// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/host/temp_folder.h"

namespace n6vp::sim::generate {

/// Returns what every generated model is compiled and linked with: position independence with r9,
/// relocations kept in the file, no library.
[[nodiscard]] std::vector<std::string> model_options();

/// Runs a C compiler. Its messages go to a file in `folder`. Fails with UserError, with their start
/// if it refuses its sources.
void compile_model(const std::string& compiler, const std::vector<std::string>& arguments,
                   const TempFolder& folder);

}  // namespace n6vp::sim::generate
