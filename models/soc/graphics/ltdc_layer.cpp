// SPDX-License-Identifier: Apache-2.0
#include "models/soc/graphics/ltdc_layer.h"

#include <algorithm>

namespace n6vp::models::graphics {

namespace {

constexpr std::uint32_t kControl = 0x0C, kColumns = 0x10, kLines = 0x14, kKey = 0x18,
                        kFormat = 0x1C, kAlpha = 0x20, kDefault = 0x24, kFactors = 0x28,
                        kAddress = 0x34, kLength = 0x38, kLineCount = 0x3C, kFlexible0 = 0x74,
                        kFlexible1 = 0x78;
// CR.
constexpr std::uint32_t kKeyed = 2, kTable = 1u << 4, kDefaultBlended = 1u << 9;
/// CFBLR.CFBLL is this much more than the bytes of a line (public driver).
constexpr std::uint32_t kLengthExtra = 7;

[[nodiscard]] std::uint32_t field(std::uint32_t word, unsigned position, unsigned bits) {
    return word >> position & ((1u << bits) - 1);
}
[[nodiscard]] Component component(std::uint32_t word, unsigned position) {
    return {field(word, position, 5), field(word, position + 5, 4)};
}
[[nodiscard]] Colour colour(std::uint32_t word, std::uint8_t alpha) {
    return {alpha, static_cast<std::uint8_t>(word >> 16), static_cast<std::uint8_t>(word >> 8),
            static_cast<std::uint8_t>(word)};
}

}  // namespace

LtdcLayer::Window LtdcLayer::window() const {
    return {field(word(kColumns), 0, 16), field(word(kColumns), 16, 16), field(word(kLines), 0, 16),
            field(word(kLines), 16, 16)};
}

PixelLayout LtdcLayer::layout() const {
    constexpr std::array<PixelLayout, 7> kFixed{kArgb8888, kAbgr8888, kRgba8888, kBgra8888,
                                                kRgb565,   kBgr565,   kRgb888};
    const std::uint32_t code = field(word(kFormat), 0, 3);
    if (code < kFixed.size()) return kFixed[code];
    // PSIZE counts bytes; none is no pixel, which the smallest stands for.
    const std::uint32_t low = word(kFlexible0), high = word(kFlexible1);
    return {8 * std::max(1u, field(high, 18, 3)), component(low, 0), component(low, 9),
            component(high, 0), component(high, 9)};
}

LtdcLayer::Fetch LtdcLayer::fetch(std::uint32_t line) const {
    const Window shown = window();
    const std::uint32_t row = line - shown.top;
    if (!shown.has_line(line) || row >= field(word(kLineCount), 0, 16)) return {};
    const std::uint32_t length = field(word(kLength), 0, 16);
    if (length <= kLengthExtra) return {};
    const std::uint32_t wanted = (shown.right - shown.left + 1) * layout().bytes();
    const std::uint32_t bytes = std::min(length - kLengthExtra, wanted);
    // The driver mirrors with a pitch of 0x8000 less the line: a number of 15 bits with sign.
    const std::uint32_t raw = field(word(kLength), 16, 15);
    const std::uint32_t pitch = (raw & 0x4000) != 0 ? raw - 0x8000 : raw;
    std::uint32_t address = word(kAddress) + pitch * row;
    // Mirrored lines begin with their last byte.
    if (mirrored()) address = address + 1 - bytes;
    return {address, bytes};
}

Colour LtdcLayer::default_colour() const {
    return colour(word(kDefault), static_cast<std::uint8_t>(word(kDefault) >> 24));
}

std::optional<Colour> LtdcLayer::at(std::uint32_t column, std::uint32_t line,
                                    std::span<const std::uint8_t> bytes,
                                    const ColourTable& table) const {
    if (!enabled()) return std::nullopt;
    const Window shown = window();
    if (!shown.has_line(line) || !shown.has_column(column)) {
        if ((word(kControl) & kDefaultBlended) == 0) return std::nullopt;
        return default_colour();
    }
    const PixelLayout pixel = layout();
    const std::size_t size = pixel.bytes(), count = bytes.size() / size;
    std::size_t index = column - shown.left;
    if (index >= count) return default_colour();
    if (mirrored()) index = count - 1 - index;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value |= std::uint64_t{bytes[index * size + i]} << 8 * i;
    Colour found = unpacked(pixel, value);
    if ((word(kControl) & kTable) != 0) {
        const std::uint8_t alpha = found.a;
        found = table[found.r];
        found.a = alpha;
    }
    const std::uint32_t key = word(kKey);
    const bool hidden = (word(kControl) & kKeyed) != 0 && found == colour(key, found.a);
    return hidden ? Colour{0, 0, 0, 0} : found;
}

Colour LtdcLayer::blend(const Colour& above, const Colour& below) const {
    // BF1: 4 constant alpha, 6 pixel alpha times constant alpha; BF2: 5 and 7, one minus these.
    constexpr unsigned kWithPixel1 = 6, kWithPixel2 = 7;
    const std::uint32_t factors = word(kFactors);
    const unsigned constant = field(word(kAlpha), 0, 8), pixel = product(above.a, constant);
    const unsigned ours = field(factors, 8, 3) == kWithPixel1 ? pixel : constant;
    const unsigned theirs = 255 - (field(factors, 0, 3) == kWithPixel2 ? pixel : constant);
    const auto mixed = [&](unsigned own, unsigned other) {
        return static_cast<std::uint8_t>(std::min(255u, (own * ours + other * theirs + 127) / 255));
    };
    return {255, mixed(above.r, below.r), mixed(above.g, below.g), mixed(above.b, below.b)};
}

}  // namespace n6vp::models::graphics
