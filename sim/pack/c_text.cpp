// SPDX-License-Identifier: Apache-2.0
#include "sim/pack/c_text.h"

#include <fmt/format.h>

#include <cctype>
#include <iterator>

namespace n6vp::sim::pack {

std::string c_text(const std::string& text) {
    std::string safe;
    for (const char character : text) {
        const bool plain = character >= ' ' && character <= '~' && character != '"' &&
                           character != '\\' && character != '*' && character != '?';
        safe += plain ? character : '_';
    }
    return safe;
}

std::string identifier(const std::string& name, bool upper) {
    std::string result;
    for (const char character : name) {
        const auto byte = static_cast<unsigned char>(character);
        const bool legal = byte < 0x80 && std::isalnum(byte) != 0;
        const int cased = upper ? std::toupper(byte) : byte;
        result += legal ? static_cast<char>(cased) : '_';
    }
    return result.empty() ? "_" : result;
}

std::string byte_lines(const std::vector<std::uint8_t>& bytes) {
    constexpr std::size_t kPerLine = 16;
    std::string text;
    text.reserve(bytes.size() * 6);
    for (std::size_t index = 0; index < bytes.size(); ++index) {
        fmt::format_to(std::back_inserter(text), "{}0x{:02X},{}",
                       index % kPerLine == 0 ? "    " : " ", bytes[index],
                       index % kPerLine == kPerLine - 1 ? "\n" : "");
    }
    if (bytes.size() % kPerLine != 0) text += '\n';
    return text;
}

}  // namespace n6vp::sim::pack
