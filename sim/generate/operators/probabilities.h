// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/generate/tflite/import_layer.h"

namespace n6vp::sim::generate {

/// Softmax and logistic give 0...1 as int8 -128...127. Refuses what has not this form.
void expect_probabilities(const LayerReader& layer);

}  // namespace n6vp::sim::generate
