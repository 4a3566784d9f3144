// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/host/record_file.h"
#include "sim/run/run_config.h"

namespace n6vp::sim {

/// Returns the bytes of an image by address: one part for raw bytes and for an image with boot
/// header, else those of the records or segments. Fails with UserError, naming its origin, if it
/// cannot be read, is too large, damaged, or of another format than the plan says.
[[nodiscard]] std::vector<HexPart> read_image(const RunPlan::Image& image);

}  // namespace n6vp::sim
