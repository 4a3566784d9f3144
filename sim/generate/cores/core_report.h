// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/generate/cores/core_build.h"
#include "sim/host/json_output.h"

namespace n6vp::sim::generate {

/// Returns the report of a model: layers with their work and memory, sizes of RAM and flash.
/// `container` is the packer's report, or null for the static form.
[[nodiscard]] Json core_json(const Graph& graph, const CorePlan& plan, const Json& container);
/// Returns the same as text, without the container.
[[nodiscard]] std::string core_text(const Graph& graph, const CorePlan& plan);

}  // namespace n6vp::sim::generate
