// SPDX-License-Identifier: Apache-2.0
// PNG (ISO/IEC 15948) with stored blocks (RFC 1951, 3.2.4): a library would only save disk space
// for one picture of a run, and be a dependency of every build.
#include "sim/host/png.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

namespace n6vp::sim {

namespace {

using Bytes = std::string;

void put_word(Bytes& to, std::uint32_t value) {
    for (const unsigned shift : {24u, 16u, 8u, 0u}) to += static_cast<char>(value >> shift & 0xFF);
}

/// CRC-32 of the standard, bit by bit from a table of bytes.
[[nodiscard]] std::uint32_t crc32(std::string_view bytes) {
    static const std::array<std::uint32_t, 256> kTable = [] {
        std::array<std::uint32_t, 256> table{};
        for (std::uint32_t i = 0; i < table.size(); ++i) {
            std::uint32_t value = i;
            for (int bit = 0; bit < 8; ++bit)
                value = (value & 1) != 0 ? 0xEDB88320u ^ value >> 1 : value >> 1;
            table[i] = value;
        }
        return table;
    }();
    std::uint32_t crc = 0xFFFFFFFF;
    for (const char byte : bytes)
        crc = kTable[(crc ^ static_cast<std::uint8_t>(byte)) & 0xFF] ^ crc >> 8;
    return ~crc;
}

[[nodiscard]] std::uint32_t adler32(std::string_view bytes) {
    constexpr std::uint32_t kModulus = 65521;
    std::uint32_t low = 1, high = 0;
    for (const char byte : bytes) {
        low = (low + static_cast<std::uint8_t>(byte)) % kModulus;
        high = (high + low) % kModulus;
    }
    return high << 16 | low;
}

void write_chunk(std::ostream& out, std::string_view type, const Bytes& data) {
    Bytes length, crc;
    put_word(length, static_cast<std::uint32_t>(data.size()));
    const Bytes body = Bytes(type) + data;
    put_word(crc, crc32(body));
    out << length << body << crc;
}

/// A zlib stream (RFC 1950) of stored blocks.
[[nodiscard]] Bytes stored(std::string_view raw) {
    constexpr std::size_t kMost = 0xFFFF;
    Bytes stream = "\x78\x01";
    std::size_t from = 0;
    do {
        const std::size_t count = std::min(kMost, raw.size() - from);
        const auto length = static_cast<std::uint16_t>(count);
        const auto inverse = static_cast<std::uint16_t>(~length);
        stream += from + count == raw.size() ? '\1' : '\0';
        for (const std::uint16_t each : {length, inverse}) {
            stream += static_cast<char>(each & 0xFF);
            stream += static_cast<char>(each >> 8);
        }
        stream += raw.substr(from, count);
        from += count;
    } while (from < raw.size());
    put_word(stream, adler32(raw));
    return stream;
}

}  // namespace

void write_png(std::ostream& out, std::uint32_t width, std::uint32_t height,
               std::span<const std::uint8_t> rgb) {
    const std::size_t line = std::size_t{3} * width;
    if (width == 0 || height == 0 || rgb.size() != line * height)
        throw std::logic_error("a picture without its pixels");
    Bytes raw;
    raw.reserve((line + 1) * height);
    for (std::size_t y = 0; y < height; ++y) {
        raw += '\0';  // no filter
        for (const std::uint8_t byte : rgb.subspan(y * line, line)) raw += static_cast<char>(byte);
    }
    Bytes header;
    put_word(header, width);
    put_word(header, height);
    header += Bytes("\x08\x02\0\0\0", 5);  // 8 bits, RGB, deflate, adaptive filters, one pass
    out << Bytes("\x89PNG\r\n\x1A\n", 8);
    write_chunk(out, "IHDR", header);
    write_chunk(out, "IDAT", stored(raw));
    write_chunk(out, "IEND", {});
}

}  // namespace n6vp::sim
