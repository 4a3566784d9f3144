// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/operators/convolutions.h"

namespace n6vp::sim::generate {

void lower_convolution_layer(NodeLowering& at, ConvolutionLayer layer) {
    layer.sums = at.options().sums;
    for (const double multiplier : layer.multipliers) {
        if (multiplier <= kMaxRatio) continue;
        at.refuse("scales of input and output that are out of proportion",
                  "quantise the network with scales that fit its numbers");
    }
    const auto plan = plan_convolution(layer, at.weights().in_place(), at.options().costs);
    if (!plan && overflows_links(layer)) {
        at.refuse("sums of more than 24 bits, the width of the links that add them up",
                  "fewer inputs, for instance a pool before the layer, or smaller weights");
    }
    if (!plan) {
        at.refuse("no mapping to the units exists",
                  "kernels of at most 72 elements a column of the stride, input channels that "
                  "divide into at most 4 shares of 128, strides of at most 7");
    }
    at.add(lower_convolution(layer, *plan, at.input(0), at.output(), at.weights()));
}

}  // namespace n6vp::sim::generate
