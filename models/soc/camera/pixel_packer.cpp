// SPDX-License-Identifier: Apache-2.0
#include "models/soc/camera/pixel_packer.h"

#include <algorithm>
#include <cstddef>

#include "models/soc/camera/bayer_pattern.h"

namespace n6vp::models::camera {

namespace {

constexpr std::uint8_t kOpaque = 255;

/// Calls `function(red, green, blue)` for each pixel.
template <class Function>
void for_each_pixel(std::span<const std::uint8_t> rgb, Function function) {
    for (std::size_t i = 0; i + kPixelBytes <= rgb.size(); i += kPixelBytes)
        function(rgb[i], rgb[i + 1], rgb[i + 2]);
}

}  // namespace

std::span<const std::uint8_t> PixelPacker::converted(std::span<const std::uint8_t> rgb) {
    if (!settings_.convert && !settings_.swap_red_blue) return rgb;
    converted_.assign(rgb.begin(), rgb.end());
    constexpr int kUnit = 256, kHalf = kUnit / 2, kHighest = 255;
    constexpr int kLeast = 16, kMostLuma = 235, kMostChroma = 240;
    for (std::size_t i = 0; i + kPixelBytes <= converted_.size(); i += kPixelBytes) {
        std::uint8_t* const pixel = converted_.data() + i;
        if (settings_.convert) {
            const std::array<int, 3> from{pixel[0], pixel[1], pixel[2]};
            for (std::size_t row = 0; row < kPixelBytes; ++row) {
                const MatrixRow& by = settings_.matrix[row];
                int sum = kHalf;
                for (std::size_t part = 0; part < kPixelBytes; ++part)
                    sum += by.factors[part] * from[part];
                // Rounds down below zero, too.
                const int value = (sum >> 8) + by.offset;
                const bool luma = row == 1;
                const int least = settings_.clamp ? kLeast : 0;
                const int most = !settings_.clamp ? kHighest : luma ? kMostLuma : kMostChroma;
                pixel[row] = static_cast<std::uint8_t>(std::clamp(value, least, most));
            }
        }
        if (settings_.swap_red_blue) std::swap(pixel[0], pixel[2]);
    }
    return converted_;
}

void PixelPacker::pack(std::span<const std::uint8_t> rgb, std::uint32_t line) {
    for (auto& plane : planes_) plane.clear();
    const std::span<const std::uint8_t> pixels = converted(rgb);
    if (settings_.format < PixelFormat::Yuv422) return pack_rgb(pixels);
    pack_chroma(pixels, line);
}

void PixelPacker::pack_rgb(std::span<const std::uint8_t> rgb) {
    const std::size_t pixels = rgb.size() / kPixelBytes;
    std::vector<std::uint8_t>& to = planes_[0];
    const auto fill = [&](std::size_t bytes, auto put) {
        to.resize(pixels * bytes);
        std::uint8_t* at = to.data();
        for_each_pixel(rgb, [&](std::uint8_t r, std::uint8_t g, std::uint8_t b) {
            put(at, r, g, b);
            at += bytes;
        });
    };
    using Byte = std::uint8_t;
    const auto put_bgr = [](Byte* at, Byte r, Byte g, Byte b) {
        at[0] = b;
        at[1] = g;
        at[2] = r;
    };
    switch (settings_.format) {
        case PixelFormat::Rgb565:
            fill(2, [](Byte* at, Byte r, Byte g, Byte b) {
                at[0] = static_cast<Byte>((g & 0x1C) << 3 | b >> 3);
                at[1] = static_cast<Byte>((r & 0xF8) | g >> 5);
            });
            break;
        case PixelFormat::Argb8888:
        case PixelFormat::Yuv444:
            fill(4, [put_bgr](Byte* at, Byte r, Byte g, Byte b) {
                put_bgr(at, r, g, b);
                at[3] = kOpaque;
            });
            break;
        case PixelFormat::Rgba8888:
            fill(4, [put_bgr](Byte* at, Byte r, Byte g, Byte b) {
                at[0] = kOpaque;
                put_bgr(at + 1, r, g, b);
            });
            break;
        case PixelFormat::Mono:
            fill(1, [](Byte* at, Byte, Byte g, Byte) { at[0] = g; });
            break;
        default:
            fill(3, put_bgr);
            break;
    }
}

void PixelPacker::pack_chroma(std::span<const std::uint8_t> rgb, std::uint32_t line) {
    const bool one_plane = settings_.format == PixelFormat::Yuv422;
    const bool three_planes = settings_.format == PixelFormat::Yuv420Planes3;
    const bool with_chroma = !halves_lines() || line % 2 == 0;
    std::vector<std::uint8_t>& u_plane = one_plane ? planes_[0] : planes_[1];
    std::vector<std::uint8_t>& v_plane = three_planes ? planes_[2] : u_plane;
    std::uint8_t v_of_pair = 0;
    bool first = true;
    for_each_pixel(rgb, [&](std::uint8_t v, std::uint8_t y, std::uint8_t u) {
        planes_[0].push_back(y);
        if (with_chroma && first) {
            u_plane.push_back(u);
            v_of_pair = v;
            if (!one_plane) v_plane.push_back(v);
        } else if (one_plane) {
            v_plane.push_back(v_of_pair);
        }
        first = !first;
    });
}

}  // namespace n6vp::models::camera
