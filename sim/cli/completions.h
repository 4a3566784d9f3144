// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/cli/description.h"

/// Completions of shells: verbs, options, the values of options that have few, else file or folder
/// names where a value is one.
namespace n6vp::sim::cli {

[[nodiscard]] std::string bash_completions(const std::vector<VerbDescription>& verbs);
[[nodiscard]] std::string zsh_completions(const std::vector<VerbDescription>& verbs);
[[nodiscard]] std::string fish_completions(const std::vector<VerbDescription>& verbs);

}  // namespace n6vp::sim::cli
