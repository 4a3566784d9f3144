// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/model_file/model_image.h"

namespace n6vp::sim::report {

/// Fills `layout_sound`, `parts` and `blob_bytes`: cuts the file into the parts that the header
/// words describe. Words that are out of order or outside the file leave `parts` empty.
void gather_parts(const ModelImage& image, ModelFacts& facts);

}  // namespace n6vp::sim::report
