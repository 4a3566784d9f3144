// SPDX-License-Identifier: Apache-2.0
#include "models/soc/graphics/dma2d_pixels.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace n6vp::models::graphics {

namespace {

constexpr std::array<PixelLayout, 5> kDirect{kArgb8888, kRgb888, kRgb565, kArgb1555, kArgb4444};
constexpr Component kLowNibble{0, 4}, kHighNibble{4, 4};

// xPFCCR and OPFCCR.
constexpr std::uint32_t kDma2dTableOpaque = 1u << 4, kDma2dInvert = 1u << 20, kDma2dSwap = 1u << 21;
enum AlphaMode : std::uint32_t { kKeep, kReplace, kMultiply };

[[nodiscard]] std::uint8_t byte_of(std::uint32_t word, unsigned position) {
    return static_cast<std::uint8_t>(word >> position);
}
[[nodiscard]] std::uint8_t clamped(double value) {
    return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L));
}

}  // namespace

unsigned Dma2dConverter::bits() const {
    constexpr std::array<unsigned, 12> kBits{32, 24, 16, 16, 16, 8, 8, 16, 4, 8, 4, 0};
    return valid() ? kBits[code()] : 0;
}

Colour Dma2dConverter::looked_up(unsigned index) const {
    Colour found = unpacked(kArgb8888, table_[index]);
    if ((control_ & kDma2dTableOpaque) != 0) found.a = 255;
    return found;
}

Colour Dma2dConverter::of_register(std::uint8_t alpha) const {
    return {alpha, byte_of(colour_, 16), byte_of(colour_, 8), byte_of(colour_, 0)};
}

Colour Dma2dConverter::convert(std::uint32_t pixel) const {
    const auto with_alpha = [](Colour colour, std::uint8_t alpha) {
        colour.a = alpha;
        return colour;
    };
    switch (format()) {
        case Dma2dFormat::L8:
        case Dma2dFormat::L4:
            return adapt(looked_up(pixel));
        case Dma2dFormat::Al44:
            return adapt(with_alpha(looked_up(pixel & 0xF), widened(pixel, kHighNibble)));
        case Dma2dFormat::Al88:
            return adapt(with_alpha(looked_up(pixel & 0xFF), byte_of(pixel, 8)));
        case Dma2dFormat::A8:
            return adapt(of_register(byte_of(pixel, 0)));
        case Dma2dFormat::A4:
            return adapt(of_register(widened(pixel, kLowNibble)));
        default:
            return adapt(
                unpacked(kDirect[std::min<std::size_t>(code(), kDirect.size() - 1)], pixel));
    }
}

Colour Dma2dConverter::adapt(Colour colour) const {
    unsigned alpha = colour.a, constant = control_ >> 24;
    if ((control_ & kDma2dInvert) != 0) {
        alpha = 255 - alpha;
        constant = 255 - constant;
    }
    const std::uint32_t mode = control_ >> 16 & 3;
    if (mode == kReplace) alpha = constant;
    if (mode == kMultiply) alpha = alpha * constant / 255;
    colour.a = static_cast<std::uint8_t>(alpha);
    if ((control_ & kDma2dSwap) != 0) std::swap(colour.r, colour.b);
    return colour;
}

Colour Dma2dConverter::fixed() const {
    return adapt(of_register(255));
}

std::uint32_t pixel_at(std::span<const std::uint8_t> bytes, std::size_t index, unsigned bits) {
    if (bits == 4) return bytes[index / 2] >> (4 * (index % 2)) & 0xFu;
    std::uint32_t value = 0;
    for (unsigned i = 0; i < bits / 8; ++i)
        value |= std::uint32_t{bytes[index * (bits / 8) + i]} << 8 * i;
    return value;
}

Colour blended(const Colour& above, const Colour& below) {
    const unsigned product = above.a * below.a / 255u;
    const unsigned alpha = above.a + below.a - product;
    if (alpha == 0) return {0, 0, 0, 0};
    const auto mixed = [&](unsigned own, unsigned other) {
        return static_cast<std::uint8_t>((own * above.a + other * below.a - other * product) /
                                         alpha);
    };
    return {static_cast<std::uint8_t>(alpha), mixed(above.r, below.r), mixed(above.g, below.g),
            mixed(above.b, below.b)};
}

const PixelLayout& Dma2dOutput::layout() const {
    static_assert(kDirect.size() == kLayouts);
    return kDirect[valid() ? code() : 0];
}

void Dma2dOutput::put(Colour colour, std::span<std::uint8_t> to) const {
    if ((control_ & kDma2dInvert) != 0) colour.a = static_cast<std::uint8_t>(255 - colour.a);
    if ((control_ & kDma2dSwap) != 0) std::swap(colour.r, colour.b);
    const std::uint32_t word = packed(layout(), colour);
    for (unsigned i = 0; i < bytes(); ++i) to[i] = byte_of(word, 8 * i);
}

Colour Dma2dOutput::of_register(std::uint32_t word) const {
    return unpacked(layout(), word);
}

Dma2dUnits::Dma2dUnits(std::uint32_t subsampling)
    : wide_(subsampling != 0), high_(subsampling == 2) {}

Colour Dma2dUnits::at(std::span<const std::uint8_t> row, unsigned x, unsigned y) const {
    const std::size_t unit = std::size_t{x / width()} * bytes();
    const unsigned column = x % width(), line = y % height();
    const auto component = [&](unsigned block, unsigned at_column, unsigned at_line) {
        return static_cast<double>(
            row[unit + std::size_t{block} * kBlock + std::size_t{at_line} * kSide + at_column]);
    };
    const unsigned blocks = width() * height() / kBlock;
    const unsigned block = line / kSide * (width() / kSide) + column / kSide;
    const unsigned chroma_column = wide_ ? column / 2 : column;
    const unsigned chroma_line = high_ ? line / 2 : line;
    constexpr double kZero = 128;
    const double luma = component(block, column % kSide, line % kSide);
    const double blue = component(blocks, chroma_column, chroma_line) - kZero;
    const double red = component(blocks + 1, chroma_column, chroma_line) - kZero;
    return {255, clamped(luma + 1.402 * red), clamped(luma - 0.344136 * blue - 0.714136 * red),
            clamped(luma + 1.772 * blue)};
}

}  // namespace n6vp::models::graphics
