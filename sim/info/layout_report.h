// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include "sim/model_file/model_image.h"

namespace n6vp::sim::report {

/// Writes the memory-layout report with the lines, labels and columns of the vendor's own. What a
/// damaged file does not let one derive is '?'.
void write_layout(std::ostream& out, const ModelImage& image, const ModelFacts& facts);

}  // namespace n6vp::sim::report
