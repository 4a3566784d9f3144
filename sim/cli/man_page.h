// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/cli/description.h"

namespace n6vp::sim::cli {

/// Returns the man page of a template, in which a line "@OPTIONS verb@" stands for the options of
/// that verb. Fails with UserError for a verb that does not exist.
[[nodiscard]] std::string man_page(const std::string& page,
                                   const std::vector<VerbDescription>& verbs);

}  // namespace n6vp::sim::cli
