// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "sim/generate/tflite/import_layer.h"

namespace n6vp::sim::generate {

/// Softmax and logistic give 0...1 as int8 -128...127. Refuses what has not this form.
void expect_probabilities(const LayerReader& layer);

/// Returns the exponentials of 0, -1...-255 steps of a softmax's input.
[[nodiscard]] std::array<float, 256> softmax_powers(float input_scale, float beta);

}  // namespace n6vp::sim::generate
