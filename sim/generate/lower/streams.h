// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/generate/lower/npu_epoch.h"

/// Settings of stream engines for the patterns that lowering needs.
namespace n6vp::sim::generate {

enum class Direction : std::uint8_t { Input, Output };

/// Frames that follow each other: `frames` of them at `offset` bytes; `loop` of these make a round
/// that begins anew `loop_offset` bytes further (0: one round only).
struct Frames {
    std::uint32_t frames = 1;
    std::uint32_t offset = 0;
    std::uint32_t loop = 0, loop_offset = 0;
};

/// Elements in a row. `element_bytes` 3 with `packed` brings three channels in a word.
struct Row {
    std::uint32_t elements = 0;
    std::uint32_t element_bytes = 1;
    bool packed = false;
};

/// A feature map with gaps between pixels: `size` elements per pixel, pixels `pitch` bytes apart.
struct Raster {
    std::uint32_t width = 1, height = 1;
    std::uint32_t size = 1;
    std::uint32_t pitch = 1, line_pitch = 1;
    std::uint32_t element_bytes = 1;
    bool packed = false;
};

/// The memory that an engine may touch: a tensor, or a part of the weights.
struct Extent {
    Address start;  ///< of the first frame
    Address whole;  ///< of the memory that bounds what it reads ahead
    std::uint32_t bytes = 0;
};

[[nodiscard]] UnitSettings row_engine(memmap::npu::Unit engine, Direction direction, Extent extent,
                                      Row row, Frames frames);
[[nodiscard]] UnitSettings raster_engine(memmap::npu::Unit engine, Direction direction,
                                         Extent extent, Raster raster, Frames frames);
/// Kernels: one row, once, from the beginning to the end; through the NPU's cache if in place.
[[nodiscard]] UnitSettings weight_engine(memmap::npu::Unit engine, Address start,
                                         std::uint32_t bytes, std::uint32_t element_bytes);

}  // namespace n6vp::sim::generate
