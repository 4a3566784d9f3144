// SPDX-License-Identifier: Apache-2.0
#include "models/soc/camera/raw_line.h"

#include <cstddef>

#include "models/soc/camera/bayer_pattern.h"
#include "models/soc/camera/pixel_packer.h"

namespace n6vp::models::camera {

namespace {

// CSI-2 data types.
constexpr unsigned kYuv422 = 0x1E, kRgb565 = 0x22, kRgb888 = 0x24, kRaw8 = 0x2A, kRaw14 = 0x2D;

void make_bayer_line(unsigned bits, unsigned pattern, bool low, std::span<const std::uint8_t> rgb,
                     std::uint32_t line, std::vector<std::uint8_t>& bytes) {
    const unsigned shift = low ? bits - 8 : 8;
    const auto pixels = static_cast<std::uint32_t>(rgb.size() / kPixelBytes);
    for (std::uint32_t x = 0; x < pixels; ++x) {
        const unsigned value = rgb[x * kPixelBytes + bayer_component(pattern, line, x)];
        if (bits == 8) {
            bytes.push_back(static_cast<std::uint8_t>(value));
            continue;
        }
        const unsigned word = value << shift;
        bytes.push_back(static_cast<std::uint8_t>(word));
        bytes.push_back(static_cast<std::uint8_t>(word >> 8));
    }
}

/// ITU-R BT.601 in 1/256: rows of V, Y, U.
constexpr std::array<MatrixRow, 3> kBt601{
    MatrixRow{{131, -110, -21}, 128}, {{77, 150, 29}, 0}, {{-44, -87, 131}, 128}};

void make_packed_line(unsigned data_type, std::span<const std::uint8_t> rgb,
                      std::vector<std::uint8_t>& bytes) {
    PixelPacker packer;
    PackerSettings settings;
    settings.format = data_type == kRgb565   ? PixelFormat::Rgb565
                      : data_type == kRgb888 ? PixelFormat::Rgb888
                                             : PixelFormat::Yuv422;
    settings.convert = data_type == kYuv422;
    settings.matrix = kBt601;
    packer.begin(settings);
    packer.pack(rgb, 0);
    const auto packed = packer.plane(0);
    bytes.assign(packed.begin(), packed.end());
    if (data_type != kYuv422) return;
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) std::swap(bytes[i], bytes[i + 1]);
}

}  // namespace

bool has_raw_lines(unsigned data_type) {
    return data_type == kYuv422 || data_type == kRgb565 || data_type == kRgb888 ||
           (kRaw8 <= data_type && data_type <= kRaw14);
}

void make_raw_line(unsigned data_type, unsigned pattern, bool low,
                   std::span<const std::uint8_t> rgb, std::uint32_t line,
                   std::vector<std::uint8_t>& bytes) {
    bytes.clear();
    if (kRaw8 <= data_type && data_type <= kRaw14) {
        make_bayer_line(8 + 2 * (data_type - kRaw8), pattern, low, rgb, line, bytes);
    } else if (has_raw_lines(data_type)) {
        make_packed_line(data_type, rgb, bytes);
    }
}

}  // namespace n6vp::models::camera
