// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

/// Files with bytes for a memory, as other tools write them.
namespace n6vp::test {

inline std::string hex_digits(const std::vector<std::uint8_t>& bytes) {
    std::string text;
    for (const std::uint8_t byte : bytes) {
        text += "0123456789ABCDEF"[byte >> 4];
        text += "0123456789ABCDEF"[byte & 0xF];
    }
    return text;
}

inline std::uint8_t sum_of(const std::vector<std::uint8_t>& bytes) {
    unsigned sum = 0;
    for (const std::uint8_t byte : bytes) sum += byte;
    return static_cast<std::uint8_t>(sum);
}

/// A record of Intel HEX with its checksum.
inline std::string record(unsigned type, unsigned offset, const std::vector<std::uint8_t>& data) {
    std::vector<std::uint8_t> bytes{
        static_cast<std::uint8_t>(data.size()), static_cast<std::uint8_t>(offset >> 8),
        static_cast<std::uint8_t>(offset), static_cast<std::uint8_t>(type)};
    bytes.insert(bytes.end(), data.begin(), data.end());
    bytes.push_back(static_cast<std::uint8_t>(0u - sum_of(bytes)));
    return ":" + hex_digits(bytes) + "\r\n";
}
inline const std::string kHexEnd = ":00000001FF\r\n";

/// A file of Intel HEX with `content` at `address`, which must not cross 64 KiB.
inline std::string hex_file(std::uint32_t address, const std::vector<std::uint8_t>& content) {
    std::string text = record(
        4, 0, {static_cast<std::uint8_t>(address >> 24), static_cast<std::uint8_t>(address >> 16)});
    for (std::size_t at = 0; at < content.size(); at += 16) {
        const std::size_t end = std::min(content.size(), at + 16);
        text += record(0, (address + static_cast<unsigned>(at)) & 0xFFFF,
                       {content.begin() + static_cast<std::ptrdiff_t>(at),
                        content.begin() + static_cast<std::ptrdiff_t>(end)});
    }
    return text + kHexEnd;
}

/// A Motorola S-record: type, address in that many bytes, data, checksum.
inline std::string s_record(unsigned type, unsigned address_bytes, std::uint32_t address,
                            const std::vector<std::uint8_t>& data) {
    std::vector<std::uint8_t> bytes{static_cast<std::uint8_t>(address_bytes + data.size() + 1)};
    for (unsigned i = address_bytes; i-- > 0;)
        bytes.push_back(static_cast<std::uint8_t>(address >> (8 * i)));
    bytes.insert(bytes.end(), data.begin(), data.end());
    bytes.push_back(static_cast<std::uint8_t>(~sum_of(bytes)));
    return "S" + std::to_string(type) + hex_digits(bytes) + "\n";
}

inline void put_word(std::vector<std::uint8_t>& to, std::size_t at, std::uint32_t value) {
    for (unsigned i = 0; i < 4; ++i) to[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

/// An image as signing writes it, header version 2.3 or 2.1, `code` at 0x400.
inline std::vector<std::uint8_t> boot_image(const std::vector<std::uint8_t>& code,
                                            std::uint32_t entry, unsigned type = 0x10,
                                            bool newer = true) {
    const std::size_t checksum = newer ? 0x64 : 0x44, end = newer ? 0x240 : 0x200;
    std::vector<std::uint8_t> image(0x400);
    image.insert(image.end(), code.begin(), code.end());
    put_word(image, 0, 0x324D5453);
    put_word(image, checksum + 0x04, newer ? 0x00020300 : 0x00020100);
    put_word(image, checksum + 0x08, static_cast<std::uint32_t>(image.size() - end));
    put_word(image, checksum + 0x0C, entry);
    put_word(image, checksum + 0x14, 0xFFFFFFFF);
    put_word(image, checksum + 0x20, 0x80000000);
    put_word(image, checksum + 0x24, newer ? 0x1A0 : 0x180);
    put_word(image, checksum + 0x28, type);
    std::uint32_t sum = 0;
    for (std::size_t at = end; at < image.size(); ++at) sum += image[at];
    put_word(image, checksum, sum);
    return image;
}

}  // namespace n6vp::test
