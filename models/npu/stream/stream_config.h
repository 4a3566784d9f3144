// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "models/npu/base/verdict.h"

namespace n6vp::models::npu {

/// The fields of a stream engine that shape addresses, elements and frames, named as in the
/// register map. The defaults are the reset values.
struct StreamConfig {
    bool single = false;  ///< CTRL
    bool dir = false;     ///< 1: from the link to memory
    bool noinc = false;
    bool istart = false;
    bool subsample = false;
    bool cont = false;
    bool raw = false;
    bool raw_out = false;
    bool descr = false;
    bool noblk = false;
    bool round = false;
    bool beforce = false;
    bool lsbmode = false;
    bool signext = false;
    std::uint8_t size0 = 0;  ///< bits of lane 0
    std::uint8_t size1 = 0;
    std::uint8_t size2 = 0;
    std::uint8_t serdes = 0;

    std::uint32_t addr = 0;
    std::uint32_t fsize = 0;  ///< RAW: elements of a frame; else WIDTH below, HEIGHT above bit 16
    std::uint16_t depth_size = 0;    ///< elements of a pixel
    std::uint16_t depth_offset = 0;  ///< bytes from pixel to pixel, low half
    std::uint16_t doff_msb = 0;      ///< LIMITEN: high half
    std::uint16_t loff = 0;          ///< STRD: bytes from line to line, low half
    std::uint16_t loff_msb = 0;      ///< CID_CACHE: high half
    std::uint8_t fgap = 0;           ///< bits
    std::uint8_t bgap = 0;           ///< bits
    std::uint32_t foffset = 0;       ///< bytes from frame to frame; two's complement
    std::uint32_t frame_rpt = 0;     ///< frames of the inner loop; 0: no loop
    std::uint32_t frptoff = 0;       ///< bytes from loop to loop; two's complement

    std::uint8_t pos0 = 0;  ///< lane of byte k
    std::uint8_t pos1 = 1;
    std::uint8_t pos2 = 2;
    bool wswap = false;
    bool hswap = false;
    bool bswap = false;
    std::uint8_t throttle = 0;
    std::uint16_t gapcycles = 8;

    bool addrlimit = false;  ///< LIMITEN
    bool stopprefetch = true;
    bool framelimit = false;
    bool autoclr = false;
    std::uint32_t limit = 0;      ///< frames
    std::uint32_t limitaddr = 0;  ///< its 8 bytes are the last that may be accessed

    bool frmtrg_en = false;  ///< EVENT
    std::uint8_t frmtrg_src = 0;
    bool stoptag_en = false;
    bool cipher_en = false;  ///< ENCR_MSB.EN
    bool extsync_en = false;

    [[nodiscard]] constexpr std::uint32_t width() const { return fsize & 0xFFFFu; }
    [[nodiscard]] constexpr std::uint32_t height() const { return fsize >> 16; }
    [[nodiscard]] constexpr std::uint32_t pixel_pitch() const {
        return std::uint32_t{doff_msb} << 16 | depth_offset;
    }
    [[nodiscard]] constexpr std::uint32_t line_pitch() const {
        return std::uint32_t{loff_msb} << 16 | loff;
    }
    /// Returns the bytes of one element, 0 to 3; see `judge` for parts of bytes.
    [[nodiscard]] constexpr std::uint32_t element_bytes() const {
        return (std::uint32_t{size0} + size1 + size2) / 8;
    }
    /// Returns the elements of one frame, each a word of the link.
    [[nodiscard]] constexpr std::uint64_t frame_elements() const {
        return raw ? fsize : std::uint64_t{width()} * height() * depth_size;
    }
    /// Returns the frames until the engine stops, or nothing if it never does.
    [[nodiscard]] constexpr std::optional<std::uint32_t> frames() const {
        return framelimit ? std::optional<std::uint32_t>(limit) : std::nullopt;
    }

    friend bool operator==(const StreamConfig&, const StreamConfig&) = default;
};

/// Says which rule a configuration breaks and what it uses that is not known.
[[nodiscard]] Verdict judge(const StreamConfig& config);

/// Tells whether `input` reads the buffer into which `output` writes frame after frame: then frame
/// n of the input is frame n - 1 of the output, and byte k of it must not be fetched before that.
/// Inferred from compiled networks; the data rule is certain, the trigger is optional there.
[[nodiscard]] bool feeds_back(const StreamConfig& output, const StreamConfig& input);

}  // namespace n6vp::models::npu
