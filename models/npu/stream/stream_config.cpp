// SPDX-License-Identifier: Apache-2.0
#include "models/npu/stream/stream_config.h"
#include "models/npu/base/assumption.h"

namespace n6vp::models::npu {

namespace {

constexpr std::uint32_t kLaneBits = 8;

bool whole_lanes(const StreamConfig& c) {
    const auto whole = [](std::uint32_t bits) { return bits == 0 || bits == kLaneBits; };
    return whole(c.size0) && whole(c.size1) && whole(c.size2) && c.size0 >= c.size1 &&
           c.size1 >= c.size2;
}

void judge_elements(const StreamConfig& c, VerdictBuilder& builder) {
    builder.illegal_if(c.size0 > kLaneBits || c.size1 > kLaneBits || c.size2 > kLaneBits,
                       "a lane has more than 8 bits");
    builder.illegal_if(c.size0 == 0 && c.size1 == 0 && c.size2 == 0, "an element has no bits");
    builder.refuse_if(!whole_lanes(c), "SIZE", "lanes of other than 8 bits, or lane 0 unused");
    builder.refuse_if(c.pos0 != 0 || c.pos1 != 1 || c.pos2 != 2, "POS",
                      "lanes in another order than 0, 1, 2");
    builder.refuse_if(c.fgap != 0 || c.bgap != 0, "STRD.FGAP, BGAP", "bits between elements");
    builder.refuse_if(c.serdes != 0, "CTRL.SERDES", "words of more than 24 bits");
    builder.refuse_if(c.beforce, "CTRL.BEFORCE", "its effect");
    builder.refuse_if(c.round, "CTRL.ROUND", "its effect");
    builder.refuse_if(c.subsample, "CTRL.SUBSAMPLE", "which elements are left out");
    builder.refuse_if(c.cipher_en, "ENCR", "the cipher is not published");
}

void judge_addresses(const StreamConfig& c, VerdictBuilder& builder) {
    const std::uint32_t pixel = c.depth_size * c.element_bytes();
    const bool dense = (c.pixel_pitch() == pixel || c.width() == 1) &&
                       (c.line_pitch() == c.width() * pixel || c.height() == 1);
    builder.refuse_if(c.noinc && (c.dir || !c.raw), "CTRL.NOINC",
                      "a fixed address for an output or for a raster");
    builder.assume_if(c.noinc && c.raw && !c.dir, "CTRL.NOINC",
                      "how often the element is fetched; once in a frame here");
    builder.refuse_if(c.cont && !c.raw && !dense, "CTRL.CONT",
                      "where a frame with gaps between its pixels or lines ends");
    builder.refuse_if(c.wswap || c.hswap || c.bswap, "POS.WSWAP, HSWAP, BSWAP",
                      "the order of accesses");
    builder.refuse_if(c.istart, "CTRL.ISTART", "its effect");
    builder.refuse_if(c.noblk, "CTRL.NOBLK", "its effect");
    builder.refuse_if(c.descr, "CTRL.DESCR", "the format of descriptors");
    builder.refuse_if(c.frame_elements() == 0, "FSIZE, DEPTH", "a frame without elements");
}

void judge_progress(const StreamConfig& c, VerdictBuilder& builder) {
    builder.refuse_if(c.framelimit && c.limit == 0, "LIMIT", "a limit of no frame");
    builder.assume_if(c.single != (c.limit == 1), "CTRL.SINGLE",
                      "SINGLE that disagrees with LIMIT = 1; LIMIT decides here");
    builder.assume_if(c.gapcycles != 0 || c.throttle != 0, kPauses, "pauses; none are made here");
    builder.assume_if(c.autoclr, "LIMITEN.AUTOCLR", "which bits are cleared, and when; none here");
    builder.refuse_if(c.stoptag_en, "STOPTAG", "its effect");
    builder.refuse_if(c.extsync_en, "EXTSYNC", "synchronisation with a camera");
    builder.assume_if(c.frmtrg_en, kFrameTrigger,
                      "the exact trigger; frame n waits for frame n - 1 of its source here");
    builder.refuse_if(c.frmtrg_en && c.dir, kFrameTrigger, "a trigger for an output");
}

}  // namespace

Verdict judge(const StreamConfig& config) {
    VerdictBuilder builder("STRENG");
    judge_elements(config, builder);
    judge_addresses(config, builder);
    judge_progress(config, builder);
    return builder.take();
}

bool feeds_back(const StreamConfig& output, const StreamConfig& input) {
    return output.dir && !input.dir && output.addr == input.addr && output.foffset == 0 &&
           input.foffset == 0 && output.frames() == input.frames() && output.limit > 1;
}

}  // namespace n6vp::models::npu
