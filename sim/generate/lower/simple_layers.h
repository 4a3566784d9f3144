// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "sim/generate/lower/npu_epoch.h"
#include "sim/generate/lower/requantise.h"
#include "sim/generate/tflite/graph.h"

/// Layers of ARITH and POOL.
namespace n6vp::sim::generate {

/// Element by element: x_scale * (x - x_zero) [+ y_scale * (y - y_zero)] + zero point of the range.
struct ElementwiseLayer {
    std::string name;
    std::uint32_t elements = 0;
    double x_scale = 1, y_scale = 0;
    std::int32_t x_zero = 0, y_zero = 0;
    bool unsigned_input = false;  ///< uint8; one input only
    bool two_inputs = false;
    OutputRange range;
};
[[nodiscard]] NpuEpoch lower_elementwise(const ElementwiseLayer& layer, Address x, Address y,
                                         Address output);

enum class PoolKind : std::uint8_t { Max, Average, GlobalAverage };

/// Pooling; input and output have one scale and zero point, except for global averages.
struct PoolLayer {
    std::string name;
    PoolKind kind = PoolKind::Max;
    PictureShape in, out;
    Window window;     ///< without pads
    double scale = 1;  ///< s_in / s_out, global averages only
    std::int32_t input_zero = 0;
    OutputRange range;
};
/// Returns what the units cannot do about it, or "".
[[nodiscard]] std::string pool_refusal(const PoolLayer& layer);
[[nodiscard]] NpuEpoch lower_pool(const PoolLayer& layer, Address input, Address output);

}  // namespace n6vp::sim::generate
