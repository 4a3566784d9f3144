// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::models::graphics {

struct Colour {
    std::uint8_t a = 255, r = 0, g = 0, b = 0;
    bool operator==(const Colour&) const = default;
};

/// Place of one component in a pixel, in bits from the lowest of its first byte.
struct Component {
    unsigned position = 0, length = 0;
};

/// A pixel in memory, lowest byte first.
struct PixelLayout {
    unsigned bits = 32;
    Component a, r, g, b;  ///< without `a` a pixel is opaque

    [[nodiscard]] constexpr unsigned bytes() const { return bits / 8; }
};

inline constexpr PixelLayout kArgb8888{32, {24, 8}, {16, 8}, {8, 8}, {0, 8}},
    kAbgr8888{32, {24, 8}, {0, 8}, {8, 8}, {16, 8}},
    kRgba8888{32, {0, 8}, {24, 8}, {16, 8}, {8, 8}},
    kBgra8888{32, {0, 8}, {8, 8}, {16, 8}, {24, 8}}, kRgb888{24, {}, {16, 8}, {8, 8}, {0, 8}},
    kRgb565{16, {}, {11, 5}, {5, 6}, {0, 5}}, kBgr565{16, {}, {0, 5}, {5, 6}, {11, 5}},
    kArgb1555{16, {15, 1}, {10, 5}, {5, 5}, {0, 5}}, kArgb4444{16, {12, 4}, {8, 4}, {4, 4}, {0, 4}};

/// Returns the component as 8 bits: the high bits of a short one are repeated below them (reference
/// manuals of the family, LTDC and DMA2D), a long one loses its low bits.
[[nodiscard]] constexpr std::uint8_t widened(std::uint64_t pixel, Component component) {
    const unsigned length = component.length;
    if (length == 0) return 0;
    const std::uint64_t value = pixel >> component.position & ((std::uint64_t{1} << length) - 1);
    if (length >= 8) return static_cast<std::uint8_t>(value >> (length - 8));
    std::uint64_t wide = value << (8 - length);
    for (unsigned filled = length; filled < 8; filled *= 2) wide |= wide >> filled;
    return static_cast<std::uint8_t>(wide);
}

[[nodiscard]] constexpr Colour unpacked(const PixelLayout& layout, std::uint64_t pixel) {
    return {layout.a.length == 0 ? std::uint8_t{255} : widened(pixel, layout.a),
            widened(pixel, layout.r), widened(pixel, layout.g), widened(pixel, layout.b)};
}

/// Returns the pixel; components of less than 8 bits lose their low bits.
[[nodiscard]] constexpr std::uint32_t packed(const PixelLayout& layout, const Colour& colour) {
    const auto part = [](Component component, std::uint8_t value) {
        if (component.length == 0) return 0u;
        return static_cast<std::uint32_t>(value >> (8 - component.length)) << component.position;
    };
    return part(layout.a, colour.a) | part(layout.r, colour.r) | part(layout.g, colour.g) |
           part(layout.b, colour.b);
}

/// Returns round(a * b / 255). Assumed: the units round to nearest.
[[nodiscard]] constexpr std::uint8_t product(unsigned a, unsigned b) {
    return static_cast<std::uint8_t>((a * b + 127) / 255);
}

}  // namespace n6vp::models::graphics
