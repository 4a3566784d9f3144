// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/generate/tflite/graph.h"

namespace n6vp::sim::generate {

/// Two neighbours along one direction and the weight of the second, in 1/1024.
struct Between {
    std::uint32_t first = 0, second = 0;
    std::int64_t weight = 0;
};

/// Returns where `place` of `to` lies in a line of `from`, for interpolation.
[[nodiscard]] Between between_places(std::uint32_t place, std::uint32_t from, std::uint32_t to,
                                     const Resize& op);

}  // namespace n6vp::sim::generate
