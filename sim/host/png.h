// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ostream>
#include <span>

namespace n6vp::sim {

/// Writes a PNG picture of 8-bit components: `rgb` has three bytes for each pixel, lines from the
/// top. Fails with std::logic_error if it has not that many, or if a side is 0.
void write_png(std::ostream& out, std::uint32_t width, std::uint32_t height,
               std::span<const std::uint8_t> rgb);

}  // namespace n6vp::sim
