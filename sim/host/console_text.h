// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

namespace n6vp::sim {

/// Returns the text for a terminal: line ends (\n and \r\n), tabs and printable characters stay,
/// what would control the terminal is written as \xNN: also a \r alone, after which a line goes
/// over itself.
[[nodiscard]] std::string console_text(std::string_view text);

/// Returns the number of last bytes that may be the beginning of a UTF-8 character or of \r\n.
[[nodiscard]] std::size_t unfinished_character(std::string_view text);

/// A program's text on its way to a stream: escaped, wherever the stream leads, with characters
/// that come in pieces kept whole.
class ConsoleText {
  public:
    /// `to` may be null: the text goes nowhere. It must outlive this object.
    explicit ConsoleText(std::ostream* to) : to_(to) {}

    void put(std::string_view text);
    /// Writes what was taken for the beginning of a character.
    void finish();

  private:
    std::ostream* to_;
    std::string kept_;  ///< at most 3 bytes between calls
};

}  // namespace n6vp::sim
