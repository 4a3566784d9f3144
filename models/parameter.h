// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmap/clocks.h"

namespace n6vp::models {

using memmap::Confidence;

/// One timing or geometry number of a model with where it comes from. Models take structs of these;
/// reports print them; a scenario or command line may replace `value`. A parameter struct lists its
/// members in `visit(self, function)` so that every tool sees all of them.
struct Parameter {
    const char* name;
    double value;
    const char* unit;  ///< of `value`; "" for a count
    Confidence confidence;
    const char* source;
};

}  // namespace n6vp::models
