// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace n6vp::models::camera {

/// Returns true if the dump pipe has bytes for a CSI-2 data type.
[[nodiscard]] bool has_raw_lines(unsigned data_type);

/// Puts the bytes of a line in memory as the dump pipe writes them: RAW8 to RAW14 by the Bayer
/// pattern (0 RGGB, 1 GRBG, 2 GBRG, 3 BGGR), RGB565, RGB888 or YUV422 (U Y0 V Y1). More than 8 bits
/// of a raw pixel take 16, in the low ones if `low`. `rgb` has three bytes for each pixel.
void make_raw_line(unsigned data_type, unsigned pattern, bool low,
                   std::span<const std::uint8_t> rgb, std::uint32_t line,
                   std::vector<std::uint8_t>& bytes);

}  // namespace n6vp::models::camera
