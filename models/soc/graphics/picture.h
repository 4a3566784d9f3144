// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace n6vp::models {

/// A picture of 8-bit components.
struct Picture {
    std::uint32_t width = 0, height = 0;
    std::vector<std::uint8_t> rgb;  ///< lines from the top, three bytes for each pixel
};

}  // namespace n6vp::models
