// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "models/soc/graphics/pixel_layout.h"

namespace n6vp::models::graphics {

/// Codes of FGPFCCR.CM and BGPFCCR.CM; the first five are those of OPFCCR.CM, too.
enum class Dma2dFormat : std::uint8_t {
    Argb8888,
    Rgb888,
    Rgb565,
    Argb1555,
    Argb4444,
    L8,
    Al44,
    Al88,
    L4,
    A8,
    A4,
    YCbCr,
};

using Dma2dTable = std::array<std::uint32_t, 256>;  ///< CLUT, ARGB8888

/// Pixel format converter of the foreground or the background, from its registers.
///
/// Bits of short components are repeated below them, a pixel without alpha is opaque, A4 and A8
/// take their colour from xCOLR. Alpha inversion concerns the pixel's alpha, that of the CLUT and
/// the one of xPFCCR; red and blue are swapped in pixel, CLUT and xCOLR (reference manuals of the
/// family). Assumed: an alpha product is rounded down, a CLUT of RGB888 is opaque.
class Dma2dConverter {
  public:
    Dma2dConverter(std::uint32_t control, std::uint32_t colour, const Dma2dTable& table)
        : control_(control), colour_(colour), table_(table) {}

    /// Returns false for a code that is no format.
    [[nodiscard]] bool valid() const { return code() <= static_cast<unsigned>(Dma2dFormat::YCbCr); }
    [[nodiscard]] Dma2dFormat format() const { return static_cast<Dma2dFormat>(code()); }
    /// Returns the bits of a pixel in memory; 0 for YCbCr, whose blocks are not lines of pixels.
    [[nodiscard]] unsigned bits() const;
    /// Returns the colour of a pixel of memory, after all settings of the converter.
    [[nodiscard]] Colour convert(std::uint32_t pixel) const;
    /// The same for a colour that was found otherwise: YCbCr.
    [[nodiscard]] Colour adapt(Colour colour) const;
    /// Returns xCOLR as a pixel. Assumed: opaque before the alpha mode.
    [[nodiscard]] Colour fixed() const;

  private:
    [[nodiscard]] unsigned code() const { return control_ & 0xF; }
    [[nodiscard]] Colour looked_up(unsigned index) const;
    [[nodiscard]] Colour of_register(std::uint8_t alpha) const;

    std::uint32_t control_, colour_;
    const Dma2dTable& table_;
};

/// Returns pixel number `index` of memory that starts with pixel 0; the lower half of a byte comes
/// first.
[[nodiscard]] std::uint32_t pixel_at(std::span<const std::uint8_t> bytes, std::size_t index,
                                     unsigned bits);

/// Returns `above` over `below`: alpha = a + b - ab/255 and colour = (Ca + Db - D(ab/255)) / alpha,
/// each division rounded down (reference manuals of the family). Assumed: where both are
/// transparent the colour is black.
[[nodiscard]] Colour blended(const Colour& above, const Colour& below);

/// Output converter: OPFCCR.
class Dma2dOutput {
  public:
    explicit Dma2dOutput(std::uint32_t control) : control_(control) {}

    [[nodiscard]] bool valid() const { return code() < kLayouts; }
    [[nodiscard]] unsigned bytes() const { return layout().bytes(); }
    [[nodiscard]] bool swaps_bytes() const { return (control_ & 1u << 8) != 0; }
    /// Writes a pixel; components lose the bits that do not fit.
    void put(Colour colour, std::span<std::uint8_t> to) const;
    /// Returns the colour that OCOLR stands for in this format.
    [[nodiscard]] Colour of_register(std::uint32_t word) const;

  private:
    static constexpr unsigned kLayouts = 5;
    [[nodiscard]] unsigned code() const { return control_ & 7; }
    [[nodiscard]] const PixelLayout& layout() const;

    std::uint32_t control_;
};

/// Blocks of YCbCr as a JPEG decoder leaves them: 8 x 8 bytes of one component each, first the
/// blocks of Y of a unit from left to right and from above, then Cb, then Cr.
/// Assumed: conversion of JFIF, rounded to nearest.
class Dma2dUnits {
  public:
    /// FGPFCCR.CSS: 0 4:4:4, 1 4:2:2, 2 4:2:0.
    explicit Dma2dUnits(std::uint32_t subsampling);

    [[nodiscard]] unsigned width() const { return wide_ ? 16 : 8; }
    [[nodiscard]] unsigned height() const { return high_ ? 16 : 8; }
    [[nodiscard]] unsigned bytes() const { return width() * height() + 2 * kBlock; }
    /// Returns a pixel of a row of units.
    [[nodiscard]] Colour at(std::span<const std::uint8_t> row, unsigned x, unsigned y) const;

  private:
    static constexpr unsigned kSide = 8, kBlock = 64;
    const bool wide_, high_;
};

}  // namespace n6vp::models::graphics
