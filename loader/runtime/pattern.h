// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::runtime {

/// How one stream engine walks memory: frames of lines of pixels of elements. Distances are bytes.
struct Pattern {
    std::uint32_t address = 0;
    std::uint32_t element_bytes = 1;  ///< 1, 2 or 3
    /// All elements of a frame one behind the other: only `elements` counts, not the three below.
    bool linear = true;
    std::uint32_t elements = 0;
    std::uint32_t height = 1, width = 1, depth = 1;
    std::uint32_t line_pitch = 0, pixel_pitch = 0;
    std::uint32_t frames = 1;
    /// 0: each frame starts `frame_pitch` behind the last. Else the first so many do, the next ones
    /// start again `loop_pitch` behind the first of them, and so on.
    std::uint32_t frames_in_loop = 0;
    std::uint32_t frame_pitch = 0, loop_pitch = 0;
    /// One past the last byte that may be read ahead; 0: not limited.
    std::uint32_t limit = 0;

    [[nodiscard]] std::uint32_t frame_elements() const {
        return linear ? elements : height * width * depth;
    }
    /// Returns the start of frame `n`.
    [[nodiscard]] std::uint32_t frame_address(std::uint32_t n) const {
        if (frames_in_loop == 0) return address + n * frame_pitch;
        return address + n % frames_in_loop * frame_pitch + n / frames_in_loop * loop_pitch;
    }
    /// An engine's fields hold it.
    [[nodiscard]] bool fits_engine() const {
        constexpr std::uint32_t kMost = 0xFFFF;
        return linear || (height <= kMost && width <= kMost && depth <= kMost);
    }
};

/// One link: what `in` reads, `out` writes, element by element.
struct Transfer {
    Pattern in, out;
};

/// Returns a pattern of `bytes` bytes in order.
[[nodiscard]] constexpr Pattern linear_pattern(std::uint32_t address, std::uint32_t bytes,
                                               std::uint32_t element_bytes) {
    Pattern pattern;
    pattern.address = address;
    pattern.element_bytes = element_bytes;
    pattern.elements = bytes / element_bytes;
    return pattern;
}

}  // namespace n6vp::runtime
