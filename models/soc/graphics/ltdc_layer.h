// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "models/soc/graphics/pixel_layout.h"

namespace n6vp::models::graphics {

/// Registers of an LTDC layer by their word from its first, L1C0R.
using LayerWords = std::array<std::uint32_t, 0x20>;
using ColourTable = std::array<Colour, 256>;

/// What the registers of a layer say.
class LtdcLayer {
  public:
    explicit LtdcLayer(const LayerWords& words) : words_(words) {}

    /// Columns and lines of the scan, both ends included.
    struct Window {
        std::uint32_t left = 0, right = 0, top = 0, bottom = 0;
        [[nodiscard]] bool has_line(std::uint32_t line) const {
            return top <= line && line <= bottom && left <= right;
        }
        [[nodiscard]] bool has_column(std::uint32_t column) const {
            return left <= column && column <= right;
        }
    };
    struct Fetch {
        std::uint32_t address = 0, bytes = 0;
    };

    [[nodiscard]] bool enabled() const { return (word(0x0C) & 1) != 0; }
    /// Returns false for a mode of YCbCr that this layer does not have: see its C1R.
    [[nodiscard]] bool modelled() const {
        return !converts() || (word(0x04) >> static_cast<unsigned>(mode()) & 1) != 0;
    }
    [[nodiscard]] Window window() const;
    [[nodiscard]] PixelLayout layout() const;
    [[nodiscard]] unsigned order() const { return word(0x28) >> 16 & 1; }
    /// Pixels or luminance, then the auxiliary planes: chrominance, or Cb and Cr.
    static constexpr unsigned kPlanes = 3;
    /// Returns what has to be read for a line of the window: nothing beyond the lines of the frame
    /// buffer.
    [[nodiscard]] std::array<Fetch, kPlanes> fetch(std::uint32_t line) const;
    /// Returns the colour of a column for the bytes that were read for its line, one plane behind
    /// the other; none: what is below shows.
    [[nodiscard]] std::optional<Colour> at(std::uint32_t column, std::uint32_t line,
                                           std::span<const std::uint8_t> bytes,
                                           const ColourTable& table) const;
    /// Returns `above`, a colour of this layer, over `below`.
    [[nodiscard]] Colour blend(const Colour& above, const Colour& below) const;

  private:
    /// PCR.YCM.
    enum class Mode : std::uint8_t { Interleaved, SemiPlanar, FullPlanar, Reserved };
    /// Length, pitch and lines of a frame buffer: CFBLR, CFBLNR or AFBLR, AFBLNR.
    struct Buffer {
        std::uint32_t address = 0, length = 0, lines = 0;
    };

    [[nodiscard]] std::uint32_t word(std::uint32_t offset) const { return words_[offset / 4]; }
    [[nodiscard]] bool mirrored() const { return (word(0x0C) & 1u << 8) != 0; }
    [[nodiscard]] bool converts() const { return (word(0x30) & 8) != 0; }
    [[nodiscard]] Mode mode() const { return static_cast<Mode>(word(0x30) >> 4 & 3); }
    [[nodiscard]] std::uint32_t pixel_bytes() const;
    [[nodiscard]] Fetch fetch(const Buffer& buffer, std::uint32_t row, std::uint32_t wanted) const;
    [[nodiscard]] Colour default_colour() const;
    [[nodiscard]] Colour pixel(std::size_t index, std::span<const std::uint8_t> bytes,
                               const ColourTable& table) const;
    /// The same of YCbCr; `planes` are their lengths.
    [[nodiscard]] Colour converted(std::size_t index, std::span<const std::uint8_t> bytes,
                                   const std::array<Fetch, kPlanes>& planes) const;
    [[nodiscard]] Colour from_components(int luminance, int blue, int red) const;

    const LayerWords& words_;
};

}  // namespace n6vp::models::graphics
