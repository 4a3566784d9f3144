// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Text from models, guests and command lines is hostile until it passed one of these.
namespace n6vp::traces {

/// Returns the text for a terminal or a log: printable UTF-8 stays; control characters, broken
/// UTF-8, and invisible or direction-changing characters become \xNN per byte, a backslash becomes
/// two. One line stays one line.
[[nodiscard]] std::string terminal_text(std::string_view text);

/// Returns a JSON string with its quotes, pure ASCII; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string json_string(std::string_view text);

/// Returns one CSV cell (RFC 4180), quoted when needed. A leading = + - @, tab or line end, which
/// spreadsheets would execute, gets an apostrophe before it.
[[nodiscard]] std::string csv_cell(std::string_view text);

/// Returns the text for HTML content and quoted attributes; control characters other than newline
/// and tab, and broken UTF-8, become U+FFFD.
[[nodiscard]] std::string html_text(std::string_view text);

/// Returns the text as one component of a file name: characters outside [A-Za-z0-9_.-] become '_',
/// a leading '.' or '-' too, at most 100 characters, never empty.
[[nodiscard]] std::string file_name_part(std::string_view text);

}  // namespace n6vp::traces
