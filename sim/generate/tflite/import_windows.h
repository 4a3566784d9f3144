// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/generate/tflite/import_layer.h"

/// Rules of the operators with weights or windows.
namespace n6vp::sim::generate {

[[nodiscard]] Operator read_convolution(const LayerReader& layer);
[[nodiscard]] Operator read_depthwise(const LayerReader& layer);
[[nodiscard]] Operator read_fully_connected(const LayerReader& layer);
[[nodiscard]] Operator read_average_pool(const LayerReader& layer);
[[nodiscard]] Operator read_max_pool(const LayerReader& layer);

}  // namespace n6vp::sim::generate
