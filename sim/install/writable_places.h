// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "loader/container.h"
#include "sim/model_file/model_source.h"

/// What the loader cannot know about the places of an install: which memories there are.
namespace n6vp::sim {

struct PlaceFault {
    std::string_view id;  ///< "no-memory" or "not-writable"
    std::string text, remedy;
};

/// Returns what is wrong with where a plan puts files, exec RAM, external RAM and instance: the
/// platform has no memory there, or it is to be written and is flash. Shared by `check` and
/// `install`. `container` need not be open.
[[nodiscard]] std::vector<PlaceFault> place_faults(const InstallPlan& plan,
                                                   const loader::Container& container);

}  // namespace n6vp::sim
