// SPDX-License-Identifier: Apache-2.0
#include "models/soc/graphics/ltdc_layer.h"

#include <algorithm>

namespace n6vp::models::graphics {

namespace {

constexpr std::uint32_t kControl = 0x0C, kColumns = 0x10, kLines = 0x14, kKey = 0x18,
                        kFormat = 0x1C, kAlpha = 0x20, kDefault = 0x24, kFactors = 0x28,
                        kPlanar = 0x30, kAddress = 0x34, kLength = 0x38, kLineCount = 0x3C,
                        kAuxiliary0 = 0x40, kAuxiliary1 = 0x44, kAuxiliaryLength = 0x48,
                        kAuxiliaryLines = 0x4C, kConversion0 = 0x6C, kConversion1 = 0x70,
                        kFlexible0 = 0x74, kFlexible1 = 0x78;
// PCR: YF, CBF, OF, YREN.
constexpr std::uint32_t kLuminanceFirst = 1u << 6, kBlueFirst = 1u << 7, kOddFirst = 1u << 8,
                        kRescaled = 1u << 9;
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

std::uint32_t LtdcLayer::pixel_bytes() const {
    if (!converts()) return layout().bytes();
    return mode() == Mode::Interleaved ? 2 : 1;
}

LtdcLayer::Fetch LtdcLayer::fetch(const Buffer& buffer, std::uint32_t row,
                                  std::uint32_t wanted) const {
    const std::uint32_t length = field(buffer.length, 0, 16);
    if (row >= field(buffer.lines, 0, 16) || length <= kLengthExtra) return {};
    const std::uint32_t bytes = std::min(length - kLengthExtra, wanted);
    // The driver mirrors with a pitch of 0x8000 less the line: a number of 15 bits with sign.
    const std::uint32_t raw = field(buffer.length, 16, 15);
    const std::uint32_t pitch = (raw & 0x4000) != 0 ? raw - 0x8000 : raw;
    std::uint32_t address = buffer.address + pitch * row;
    // Mirrored lines begin with their last byte.
    if (mirrored()) address = address + 1 - bytes;
    return {address, bytes};
}

std::array<LtdcLayer::Fetch, LtdcLayer::kPlanes> LtdcLayer::fetch(std::uint32_t line) const {
    const Window shown = window();
    if (!shown.has_line(line)) return {};
    const std::uint32_t row = line - shown.top, columns = shown.right - shown.left + 1;
    std::array<Fetch, kPlanes> planes;
    planes[0] =
        fetch({word(kAddress), word(kLength), word(kLineCount)}, row, columns * pixel_bytes());
    if (planes[0].bytes == 0 || !converts() || mode() == Mode::Interleaved) return planes;
    const Buffer first{word(kAuxiliary0), word(kAuxiliaryLength), word(kAuxiliaryLines)};
    // Two rows share one of chrominance. Assumed: the last one stands in for one that the buffer
    // does not have, as with an odd number of rows.
    const std::uint32_t lines = std::max(1u, field(first.lines, 0, 16));
    const std::uint32_t half = std::min(row / 2, lines - 1), pairs = (columns + 1) / 2;
    if (mode() == Mode::SemiPlanar) {
        planes[1] = fetch(first, half, 2 * pairs);
        return planes;
    }
    planes[1] = fetch(first, half, pairs);
    planes[2] = fetch({word(kAuxiliary1), first.length, first.lines}, half, pairs);
    return planes;
}

Colour LtdcLayer::default_colour() const {
    return colour(word(kDefault), static_cast<std::uint8_t>(word(kDefault) >> 24));
}

Colour LtdcLayer::pixel(std::size_t index, std::span<const std::uint8_t> bytes,
                        const ColourTable& table) const {
    const PixelLayout form = layout();
    const std::size_t size = form.bytes();
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value |= std::uint64_t{bytes[index * size + i]} << 8 * i;
    Colour found = unpacked(form, value);
    if ((word(kControl) & kTable) != 0) {
        const std::uint8_t alpha = found.a;
        found = table[found.r];
        found.a = alpha;
    }
    return found;
}

Colour LtdcLayer::converted(std::size_t index, std::span<const std::uint8_t> bytes,
                            const std::array<Fetch, kPlanes>& planes) const {
    constexpr int kNone = 128;
    const auto from = [&](std::size_t plane, std::size_t place) {
        std::size_t start = 0;
        for (std::size_t i = 0; i < plane; ++i) start += planes[i].bytes;
        const bool there = place < planes[plane].bytes && start + place < bytes.size();
        return there ? int{bytes[start + place]} : kNone;
    };
    const std::uint32_t order = word(kPlanar);
    const bool blue_first = (order & kBlueFirst) != 0;
    const std::size_t pair = index / 2, odd = index % 2;
    if (mode() == Mode::FullPlanar)
        return from_components(from(0, index), from(1, pair), from(2, pair));
    if (mode() == Mode::SemiPlanar) {
        const int first = from(1, 2 * pair), second = from(1, 2 * pair + 1);
        return from_components(from(0, index), blue_first ? first : second,
                               blue_first ? second : first);
    }
    // Two pixels in four bytes.
    const std::size_t luminance = (order & kLuminanceFirst) != 0 ? 0 : 1;
    const std::size_t place = (order & kOddFirst) != 0 ? 1 - odd : odd;
    const int first = from(0, 4 * pair + 1 - luminance), second = from(0, 4 * pair + 3 - luminance);
    return from_components(from(0, 4 * pair + 2 * place + luminance), blue_first ? first : second,
                           blue_first ? second : first);
}

/// Coefficients have 8 bits behind the point; those of green are subtracted. Assumed: results are
/// rounded to nearest.
Colour LtdcLayer::from_components(int luminance, int blue, int red) const {
    constexpr int kZero = 128, kBlack = 16, kRange = 219, kHalf = 128, kOne = 256;
    if ((word(kPlanar) & kRescaled) != 0)
        luminance = std::clamp(((luminance - kBlack) * 255 + kRange / 2) / kRange, 0, 255);
    const auto coefficient = [&](std::uint32_t offset, unsigned position) {
        return static_cast<int>(field(word(offset), position, 10));
    };
    const auto rounded = [&](int scaled) {
        const int value = luminance * kOne + scaled + kHalf;
        return static_cast<std::uint8_t>(std::clamp(value < 0 ? 0 : value / kOne, 0, 255));
    };
    blue -= kZero;
    red -= kZero;
    return {255, rounded(coefficient(kConversion0, 0) * red),
            rounded(-coefficient(kConversion1, 16) * blue - coefficient(kConversion1, 0) * red),
            rounded(coefficient(kConversion0, 16) * blue)};
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
    const std::array<Fetch, kPlanes> planes =
        converts() ? fetch(line) : std::array<Fetch, kPlanes>{};
    const std::size_t own = converts() ? planes[0].bytes : bytes.size();
    const std::size_t count = std::min(own, bytes.size()) / pixel_bytes();
    std::size_t index = column - shown.left;
    if (index >= count) return default_colour();
    if (mirrored()) index = count - 1 - index;
    const Colour found = converts() ? converted(index, bytes, planes) : pixel(index, bytes, table);
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
