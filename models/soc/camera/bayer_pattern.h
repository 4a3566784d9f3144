// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace n6vp::models::camera {

inline constexpr std::size_t kPixelBytes = 3;  ///< red, green, blue

/// Returns the component of a place: 0 red, 1 green, 2 blue. `pattern` is DMCR.TYPE: RGGB, GRBG,
/// GBRG, BGGR.
[[nodiscard]] constexpr unsigned bayer_component(unsigned pattern, std::uint32_t line,
                                                 std::uint32_t column) {
    constexpr unsigned kPatterns[4][4] = {{0, 1, 1, 2}, {1, 0, 2, 1}, {1, 2, 0, 1}, {2, 1, 1, 0}};
    return kPatterns[pattern & 3][(line & 1) * 2 + (column & 1)];
}

}  // namespace n6vp::models::camera
