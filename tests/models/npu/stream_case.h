// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/npu/stream/stream_config.h"
#include "tests/models/npu/reference/stream_reference.h"

namespace n6vp::test {

/// Returns the fields that make an engine do what `engine` describes, for four frames.
inline models::npu::StreamConfig config_of(const ReferenceEngine& engine) {
    models::npu::StreamConfig c;
    c.raw = engine.raw;
    c.cont = engine.cont;
    c.addr = engine.address;
    const std::array<std::uint8_t*, 3> lanes{&c.size0, &c.size1, &c.size2};
    for (std::uint32_t i = 0; i < engine.bytes; ++i) *lanes[i] = 8;
    c.fsize = engine.raw ? engine.elements : engine.height << 16 | engine.width;
    c.depth_size = static_cast<std::uint16_t>(engine.depth);
    c.depth_offset = static_cast<std::uint16_t>(engine.pixel_pitch);
    c.doff_msb = static_cast<std::uint16_t>(engine.pixel_pitch >> 16);
    c.loff = static_cast<std::uint16_t>(engine.line_pitch);
    c.loff_msb = static_cast<std::uint16_t>(engine.line_pitch >> 16);
    c.foffset = static_cast<std::uint32_t>(engine.frame_offset);
    c.frptoff = static_cast<std::uint32_t>(engine.loop_offset);
    c.frame_rpt = engine.repeat;
    c.gapcycles = 0;
    c.framelimit = true;
    c.limit = 4;
    return c;
}

}  // namespace n6vp::test
