// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/generate/lower/node_layers.h"
#include "sim/generate/operators/operator.h"

namespace n6vp::sim::generate {

/// Adds the epoch of a layer by the cheapest share of the units; refuses what none can compute.
void lower_convolution_layer(NodeLowering& at, ConvolutionLayer layer);

}  // namespace n6vp::sim::generate
