// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/operators/probabilities.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace n6vp::sim::generate {

void expect_probabilities(const LayerReader& layer) {
    layer.expect_inputs(1, 1);
    layer.expect_quantised(layer.input(0), "its input");
    layer.expect_quantised(layer.output(), "its output");
    layer.expect_output_shape(layer.input(0).shape);
    const Tensor& output = layer.output();
    if (output.scale_of(0) != 1.0F / 256 || output.zero_point_of(0) != -128) {
        layer.refuse("its output has not scale 1/256 and zero point -128",
                     "the output quantisation that the converter gives it");
    }
}

std::array<float, 256> softmax_powers(float input_scale, float beta) {
    // Beyond the bound all powers but the first are 0 already.
    constexpr float kSteepest = 1e6F;
    const float rate = -std::min(input_scale * beta, kSteepest);
    std::array<float, 256> powers{};
    for (std::size_t i = 0; i < powers.size(); ++i)
        powers[i] = static_cast<float>(std::exp(static_cast<double>(rate * static_cast<float>(i))));
    return powers;
}

}  // namespace n6vp::sim::generate
