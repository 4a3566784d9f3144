// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace n6vp::models::camera {

/// PxPPCR.FORMAT. Source: public driver.
enum class PixelFormat : std::uint8_t {
    Rgb888,  ///< or YUV444
    Rgb565,
    Argb8888,
    Rgba8888,
    Mono,
    Yuv444,  ///< 32 bits
    Yuv422,
    Yuv422Planes2,
    Yuv420Planes2,
    Yuv420Planes3,
};
inline constexpr unsigned kPixelFormats = 10, kMaxPlanes = 3;

/// A row of the matrix from R, G, B to a component: factors in 1/256, an offset in steps of the
/// 8-bit component.
struct MatrixRow {
    std::array<int, 3> factors{};
    int offset = 0;
};

struct PackerSettings {
    PixelFormat format = PixelFormat::Rgb888;
    bool swap_red_blue = false;  ///< with YUV: V and U
    bool convert = false;        ///< by the matrix, whose rows give V, Y and U
    bool clamp = false;          ///< Y to 16 to 235, U and V to 16 to 240
    std::array<MatrixRow, 3> matrix{};
};

/// Colour conversion and pixel packer of DCMIPP: lines of pixels to bytes in memory, lowest byte
/// first.
///
/// R, G, B of the pipe are V, Y, U behind the matrix. RGB formats have blue in their low bits, or
/// red after the swap. Assumed: YUV422 is Y0 U Y1 V, a chroma sample is that of the first pixel
/// and line of those that share it, and alpha is 255.
class PixelPacker {
  public:
    void begin(const PackerSettings& settings) { settings_ = settings; }
    /// Packs a line of three bytes for each pixel. A plane without bytes has none in this line.
    void pack(std::span<const std::uint8_t> rgb, std::uint32_t line);
    [[nodiscard]] std::span<const std::uint8_t> plane(unsigned number) const {
        return planes_[number];
    }

    /// Whether two lines of pixels share one of chroma.
    [[nodiscard]] bool halves_lines() const {
        return settings_.format == PixelFormat::Yuv420Planes2 ||
               settings_.format == PixelFormat::Yuv420Planes3;
    }

  private:
    [[nodiscard]] std::span<const std::uint8_t> converted(std::span<const std::uint8_t> rgb);
    void pack_rgb(std::span<const std::uint8_t> rgb);
    void pack_chroma(std::span<const std::uint8_t> rgb, std::uint32_t line);

    PackerSettings settings_;
    std::vector<std::uint8_t> converted_;
    std::array<std::vector<std::uint8_t>, kMaxPlanes> planes_;
};

}  // namespace n6vp::models::camera
