// SPDX-License-Identifier: Apache-2.0
#include "traces/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace n6vp::traces {

namespace {

/// One step through a text: a code point of `bytes` bytes, or one byte that starts no valid UTF-8
/// sequence.
struct Step {
    char32_t code_point = 0;
    std::size_t bytes = 1;
    bool valid = false;
};

std::uint8_t byte_at(std::string_view text, std::size_t index) {
    return static_cast<std::uint8_t>(text[index]);
}

/// Decodes the sequence at `at` by Unicode's table of well-formed UTF-8: shortest form only, no
/// surrogates, at most 10FFFF.
Step decode(std::string_view text, std::size_t at) {
    const std::uint8_t lead = byte_at(text, at);
    if (lead < 0x80) return {lead, 1, true};
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || at + length > text.size()) return {};
    char32_t code_point = lead & (0xFFu >> (length + 1));
    for (std::size_t index = 1; index < length; ++index) {
        const std::uint8_t next = byte_at(text, at + index);
        if ((next & 0xC0) != 0x80) return {};
        code_point = code_point << 6 | (next & 0x3Fu);
    }
    constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
    if (code_point < kSmallest[length] || code_point > 0x10FFFF || surrogate) return {};
    return {code_point, length, true};
}

struct CodeRange {
    char32_t first, last;
};

/// Characters that a terminal obeys, hides or reorders with (Unicode categories Cc, Cf, Zl, Zp, Co,
/// Cn-like specials).
constexpr std::array kUnsafe = {
    CodeRange{0x0000, 0x001F}, CodeRange{0x007F, 0x009F}, CodeRange{0x00AD, 0x00AD},
    CodeRange{0x061C, 0x061C}, CodeRange{0x115F, 0x1160}, CodeRange{0x180B, 0x180F},
    CodeRange{0x200B, 0x200F}, CodeRange{0x2028, 0x202E}, CodeRange{0x2060, 0x206F},
    CodeRange{0x3164, 0x3164}, CodeRange{0xE000, 0xF8FF}, CodeRange{0xFE00, 0xFE0F},
    CodeRange{0xFEFF, 0xFEFF}, CodeRange{0xFFF0, 0xFFFF}, CodeRange{0xE0000, 0x10FFFF},
};

bool is_unsafe(char32_t code_point) {
    return std::any_of(kUnsafe.begin(), kUnsafe.end(), [code_point](CodeRange range) {
        return code_point >= range.first && code_point <= range.last;
    });
}

/// Appends a code point to a JSON string: ASCII as it is, others as one or two \u escapes.
void append_json(std::string& to, char32_t code_point) {
    if (code_point == '"' || code_point == '\\') {
        to += '\\';
        to += static_cast<char>(code_point);
    } else if (code_point >= 0x20 && code_point < 0x7F) {
        to += static_cast<char>(code_point);
    } else if (code_point < 0x10000) {
        fmt::format_to(std::back_inserter(to), "\\u{:04x}", static_cast<std::uint32_t>(code_point));
    } else {
        const auto above = static_cast<std::uint32_t>(code_point) - 0x10000u;
        fmt::format_to(std::back_inserter(to), "\\u{:04x}\\u{:04x}", 0xD800u + (above >> 10),
                       0xDC00u + (above & 0x3FFu));
    }
}

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD in UTF-8

std::string_view html_entity(char32_t code_point) {
    switch (code_point) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        case '\'':
            return "&#39;";
        default:
            return {};
    }
}

bool is_file_character(char character) {
    return (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z') ||
           (character >= '0' && character <= '9') || character == '_' || character == '.' ||
           character == '-';
}

}  // namespace

std::string terminal_text(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Step step = decode(text, at);
        if (step.valid && step.code_point == '\\') {
            result += "\\\\";
        } else if (step.valid && !is_unsafe(step.code_point)) {
            result += text.substr(at, step.bytes);
        } else {
            for (std::size_t index = at; index < at + step.bytes; ++index) {
                fmt::format_to(std::back_inserter(result), "\\x{:02x}", byte_at(text, index));
            }
        }
        at += step.bytes;
    }
    return result;
}

std::string json_string(std::string_view text) {
    std::string result = "\"";
    for (std::size_t at = 0; at < text.size();) {
        const Step step = decode(text, at);
        append_json(result, step.valid ? step.code_point : U'\uFFFD');
        at += step.bytes;
    }
    return result + '"';
}

std::string csv_cell(std::string_view text) {
    std::string cell(text);
    if (!cell.empty() &&
        std::string_view("=+-@\t\r\n").find(cell.front()) != std::string_view::npos) {
        cell.insert(cell.begin(), '\'');
    }
    if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
    std::string quoted = "\"";
    for (const char character : cell) {
        if (character == '"') quoted += '"';
        quoted += character;
    }
    return quoted + '"';
}

std::string html_text(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Step step = decode(text, at);
        const std::string_view entity =
            step.valid ? html_entity(step.code_point) : std::string_view{};
        const bool keeps = step.code_point == '\n' || step.code_point == '\t';
        if (!step.valid || (is_unsafe(step.code_point) && !keeps)) {
            result += kReplacement;
        } else {
            result += entity.empty() ? text.substr(at, step.bytes) : entity;
        }
        at += step.bytes;
    }
    return result;
}

std::string file_name_part(std::string_view text) {
    constexpr std::size_t kLongest =
        100;  // leaves room for a suffix below the usual limit of 255 bytes
    std::string result(text.substr(0, kLongest));
    for (char& character : result) {
        if (!is_file_character(character)) character = '_';
    }
    if (result.empty()) return "_";
    if (result.front() == '.' || result.front() == '-') result.front() = '_';
    return result;
}

}  // namespace n6vp::traces
