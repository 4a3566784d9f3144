// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/runtime/pattern.h"

namespace n6vp::runtime {

struct Extent {
    std::uint32_t height = 1, width = 1, depth = 1;
};
struct Pitch {
    std::uint32_t line = 0, pixel = 0;  ///< bytes
};

/// Returns the element that engines use for one of `bytes` bytes: four bytes go as twice two.
[[nodiscard]] constexpr std::uint32_t engine_element(std::uint32_t bytes) {
    return bytes == 4 ? 2 : bytes;
}

/// Returns a pattern of one frame of lines of pixels; depth counts elements of `element_bytes`.
[[nodiscard]] constexpr Pattern raster_pattern(std::uint32_t address, Extent extent, Pitch pitch,
                                               std::uint32_t element_bytes) {
    Pattern pattern;
    pattern.address = address;
    pattern.element_bytes = engine_element(element_bytes);
    pattern.linear = false;
    pattern.height = extent.height;
    pattern.width = extent.width;
    pattern.depth = extent.depth * (element_bytes / pattern.element_bytes);
    pattern.line_pitch = pitch.line;
    pattern.pixel_pitch = pitch.pixel;
    return pattern;
}

/// Returns the other side of a transfer: the same number of elements, one behind the other.
[[nodiscard]] inline Pattern linear_side(std::uint32_t address, const Pattern& other) {
    const std::uint32_t count = other.frame_elements() * other.frames;
    return linear_pattern(address, count * other.element_bytes, other.element_bytes);
}

}  // namespace n6vp::runtime
