// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// DMA2D computed a second time, from the definitions of its formats and modes: bit by bit, over
/// whole pictures.
namespace n6vp::test::oracle {

/// Bits of a pixel from the highest on: the component of each.
inline const std::array<std::string, 11> kFormats{
    std::string(8, 'A') + std::string(8, 'R') + std::string(8, 'G') + std::string(8, 'B'),
    std::string(8, 'R') + std::string(8, 'G') + std::string(8, 'B'),
    "RRRRRGGGGGGBBBBB",
    "ARRRRRGGGGGBBBBB",
    "AAAARRRRGGGGBBBB",
    "LLLLLLLL",
    "AAAALLLL",
    "AAAAAAAALLLLLLLL",
    "LLLL",
    "AAAAAAAA",
    "AAAA"};

struct Pixel {
    int a = 255, r = 0, g = 0, b = 0;
};

struct Source {
    unsigned format = 0, alpha_mode = 0, alpha = 0;
    bool invert = false, swap = false, table_rgb = false;
    std::uint32_t address = 0, offset = 0, colour = 0;
    std::vector<std::uint32_t> table;  ///< ARGB8888
};
struct Picture {
    unsigned mode = 0, columns = 0, lines = 0;
    bool byte_offsets = false;
    Source fg, bg;
    unsigned format = 0;
    bool invert = false, swap = false, swap_bytes = false;
    std::uint32_t address = 0, offset = 0, colour = 0;
};
using Memory = std::vector<std::uint8_t>;

[[nodiscard]] inline bool bit(const Memory& memory, std::uint64_t at) {
    return (memory.at(at / 8) >> at % 8 & 1) != 0;
}
/// Component `letter` of the pixel whose lowest bit is at `at`: its bits over and over until there
/// are eight; -1 if the format has none.
[[nodiscard]] inline int component(const Memory& memory, std::uint64_t at, const std::string& bits,
                                   char letter) {
    std::vector<bool> found;
    for (std::size_t i = 0; i < bits.size(); ++i)
        if (bits[i] == letter) found.push_back(bit(memory, at + bits.size() - 1 - i));
    if (found.empty()) return -1;
    int value = 0;
    for (std::size_t i = 0; i < 8; ++i) value = 2 * value + (found[i % found.size()] ? 1 : 0);
    return value;
}
/// The index of a pixel in its table: without repetition.
[[nodiscard]] inline std::size_t index(const Memory& memory, std::uint64_t at,
                                       const std::string& bits) {
    std::size_t value = 0;
    for (std::size_t i = 0; i < bits.size(); ++i)
        if (bits[i] == 'L') value = 2 * value + (bit(memory, at + bits.size() - 1 - i) ? 1 : 0);
    return value;
}
[[nodiscard]] inline Pixel of_word(std::uint32_t word, int alpha) {
    return {alpha, static_cast<int>(word >> 16 & 255), static_cast<int>(word >> 8 & 255),
            static_cast<int>(word & 255)};
}
[[nodiscard]] inline Pixel adapted(const Source& source, Pixel pixel) {
    const int flipped = source.invert ? 255 : 0;
    const int own = flipped ^ pixel.a, constant = flipped ^ static_cast<int>(source.alpha);
    const int choice[] = {own, constant, own * constant / 255, own};
    pixel.a = choice[source.alpha_mode];
    return source.swap ? Pixel{pixel.a, pixel.b, pixel.g, pixel.r} : pixel;
}
[[nodiscard]] inline std::uint64_t place(const Picture& picture, std::uint32_t address,
                                         std::uint32_t offset, std::size_t bits, unsigned x,
                                         unsigned y) {
    const std::uint64_t gap = picture.byte_offsets ? std::uint64_t{offset} * 8 : offset * bits;
    return std::uint64_t{address} * 8 + y * (picture.columns * bits + gap) + x * bits;
}
[[nodiscard]] inline Pixel source_pixel(const Picture& picture, const Source& source,
                                        const Memory& memory, unsigned x, unsigned y) {
    const std::string& bits = kFormats.at(source.format);
    const std::uint64_t at = place(picture, source.address, source.offset, bits.size(), x, y);
    Pixel pixel;
    if (bits.find('L') != std::string::npos) {
        const std::uint32_t entry = source.table.at(index(memory, at, bits));
        pixel = of_word(entry, source.table_rgb ? 255 : static_cast<int>(entry >> 24));
    } else if (bits.find('R') == std::string::npos) {
        pixel = of_word(source.colour, 0);
    } else {
        pixel = {255, component(memory, at, bits, 'R'), component(memory, at, bits, 'G'),
                 component(memory, at, bits, 'B')};
    }
    if (const int alpha = component(memory, at, bits, 'A'); alpha >= 0) pixel.a = alpha;
    return adapted(source, pixel);
}
[[nodiscard]] inline Pixel over(const Pixel& top, const Pixel& bottom) {
    const int both = top.a * bottom.a / 255, alpha = top.a + bottom.a - both;
    if (alpha == 0) return {0, 0, 0, 0};
    const auto channel = [&](int above, int below) {
        return (above * top.a + below * (bottom.a - both)) / alpha;
    };
    return {alpha, channel(top.r, bottom.r), channel(top.g, bottom.g), channel(top.b, bottom.b)};
}
inline void put(const Picture& picture, Memory& memory, std::uint64_t at, Pixel pixel) {
    if (picture.invert) pixel.a = 255 - pixel.a;
    if (picture.swap) pixel = {pixel.a, pixel.b, pixel.g, pixel.r};
    const std::string& bits = kFormats.at(picture.format);
    std::array<unsigned, 128> used{};
    for (std::size_t i = 0; i < bits.size(); ++i) {
        const char letter = bits[i];
        const int value = letter == 'A'   ? pixel.a
                          : letter == 'R' ? pixel.r
                          : letter == 'G' ? pixel.g
                                          : pixel.b;
        const bool one = (value >> (7 - used.at(static_cast<std::size_t>(letter))++) & 1) != 0;
        const std::uint64_t to = at + bits.size() - 1 - i;
        const auto mask = static_cast<std::uint8_t>(1u << to % 8);
        std::uint8_t& byte = memory.at(to / 8);
        byte = static_cast<std::uint8_t>(one ? byte | mask : byte & ~mask);
    }
}
/// Returns the memory after the transfer, of whose sources and output none overlap.
[[nodiscard]] inline Memory after(const Picture& picture, Memory memory) {
    const Memory before = memory;
    const bool copies = picture.mode == 0;
    const std::size_t bits = kFormats.at(copies ? picture.fg.format : picture.format).size();
    for (unsigned y = 0; y < picture.lines; ++y) {
        for (unsigned x = 0; x < picture.columns; ++x) {
            const std::uint64_t to = place(picture, picture.address, picture.offset, bits, x, y);
            const auto fg = [&] { return source_pixel(picture, picture.fg, before, x, y); };
            const auto bg = [&] { return source_pixel(picture, picture.bg, before, x, y); };
            const auto fixed = [](const Source& source) {
                return adapted(source, of_word(source.colour, 255));
            };
            if (copies) {
                const std::uint64_t from =
                    place(picture, picture.fg.address, picture.fg.offset, bits, x, y);
                for (std::size_t i = 0; i < bits; ++i) {
                    const auto mask = static_cast<std::uint8_t>(1u << (to + i) % 8);
                    std::uint8_t& byte = memory.at((to + i) / 8);
                    byte = static_cast<std::uint8_t>(bit(before, from + i) ? byte | mask
                                                                           : byte & ~mask);
                }
            } else if (picture.mode == 3) {
                Memory word(4);
                for (std::size_t i = 0; i < 4; ++i)
                    word[i] = static_cast<std::uint8_t>(picture.colour >> 8 * i);
                const std::string& own = kFormats.at(picture.format);
                const int alpha = component(word, 0, own, 'A');
                put(picture, memory, to,
                    {alpha < 0 ? 255 : alpha, component(word, 0, own, 'R'),
                     component(word, 0, own, 'G'), component(word, 0, own, 'B')});
            } else {
                const Pixel pixel = picture.mode == 1   ? fg()
                                    : picture.mode == 2 ? over(fg(), bg())
                                    : picture.mode == 4 ? over(fixed(picture.fg), bg())
                                                        : over(fg(), fixed(picture.bg));
                put(picture, memory, to, pixel);
            }
        }
        if (!picture.swap_bytes) continue;
        const std::uint64_t first = place(picture, picture.address, picture.offset, bits, 0, y) / 8;
        for (std::uint64_t i = 0; i < picture.columns * bits / 8; i += 2)
            std::swap(memory.at(first + i), memory.at(first + i + 1));
    }
    return memory;
}

}  // namespace n6vp::test::oracle
