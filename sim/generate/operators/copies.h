// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/generate/lower/copy_layers.h"
#include "sim/generate/operators/operator.h"

namespace n6vp::sim::generate {

/// Adds the epoch of copies from the node's inputs; refuses what the engines cannot do.
void lower_copy_layer(NodeLowering& at, CopyLayer layer);

}  // namespace n6vp::sim::generate
