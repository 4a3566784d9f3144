// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/lower/streams.h"

namespace n6vp::sim::generate {

namespace {

// Engines may read ahead behind a buffer; compiled networks allow this much.
constexpr std::uint32_t kReadAhead = 64;
constexpr std::uint32_t kLanesInOrder = 0x24;  // POS with no pause between words

UnitSettings engine_base(memmap::npu::Unit engine, Direction direction, const Extent& extent,
                         std::uint32_t element_bytes, bool packed, const Frames& frames) {
    UnitSettings unit(engine);
    unit.set("CTRL.DIR", direction == Direction::Output).set("CTRL.SINGLE", frames.frames == 1);
    unit.set("CTRL.SIZE0", 8).set("CTRL.SIZE1", element_bytes > 1 ? 8 : 0);
    unit.set("CTRL.SIZE2", element_bytes > 2 ? 8 : 0).set("CTRL.RAW_OUT", packed);
    unit.set_address("ADDR", extent.start);
    unit.set_word("FOFFSET", frames.offset);
    unit.set_word("FRAME_RPT", frames.loop).set_word("FRPTOFF", frames.loop_offset);
    unit.set_word("POS", kLanesInOrder);
    unit.set("LIMITEN.FRAMELIMIT", 1).set("LIMITEN.ADDRLIMIT", 1).set("LIMITEN.STOPPREFTC", 1);
    unit.set_word("LIMIT", frames.frames);
    const std::uint32_t end = (extent.whole.offset + extent.bytes + 7) / 8 * 8;
    unit.set_address("LIMITADDR", {extent.whole.base, end + kReadAhead - 1});
    unit.set("EVENT.EN_ILLCFG", 1);
    // Weights are read once and need no place in the NPU's cache. Activations in external RAM have
    // one: their short bursts would reach the RAM one by one.
    const Base base = extent.start.base;
    if (base == Base::Weights || base == Base::External) unit.set("CID_CACHE.CACHEABLE", 1);
    if (base == Base::External) unit.set("CID_CACHE.ALLOC", 1);
    return unit;
}

}  // namespace

UnitSettings row_engine(memmap::npu::Unit engine, Direction direction, Extent extent, Row row,
                        Frames frames) {
    UnitSettings unit =
        engine_base(engine, direction, extent, row.element_bytes, row.packed, frames);
    unit.set("CTRL.RAW", 1).set_word("FSIZE", row.elements);
    return unit;
}

UnitSettings raster_engine(memmap::npu::Unit engine, Direction direction, Extent extent,
                           Raster raster, Frames frames) {
    UnitSettings unit =
        engine_base(engine, direction, extent, raster.element_bytes, raster.packed, frames);
    unit.set("FSIZE.WIDTH", raster.width).set("FSIZE.HEIGHT", raster.height);
    unit.set("DEPTH.SIZE", raster.size).set("DEPTH.OFFSET", raster.pitch & 0xFFFF);
    unit.set("LIMITEN.DOFF_MSB", raster.pitch >> 16);
    unit.set("STRD.LOFF", raster.line_pitch & 0xFFFF);
    unit.set("CID_CACHE.LOFF_MSB", raster.line_pitch >> 16);
    return unit;
}

UnitSettings weight_engine(memmap::npu::Unit engine, Address start, std::uint32_t bytes,
                           std::uint32_t element_bytes) {
    const Extent extent{start, start, bytes};
    UnitSettings unit = row_engine(engine, Direction::Input, extent,
                                   {bytes / element_bytes, element_bytes, false}, {});
    unit.set("CTRL.CONT", 1);
    return unit;
}

}  // namespace n6vp::sim::generate
