// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace n6vp::sim {

/// Finds one text in a stream without keeping the stream (Knuth, Morris and Pratt).
class TextWatch {
  public:
    /// `text` must not be empty.
    explicit TextWatch(std::string text);
    void take(char character);
    [[nodiscard]] bool found() const { return matched_ == text_.size(); }

  private:
    std::string text_;
    std::vector<std::size_t> fallback_;  ///< of each length: the longest end that is a beginning
    std::size_t matched_ = 0;
};

/// What a program writes to its consoles: the serial port, texts for a debug probe and for the
/// simulator. Each is
/// searched by itself, because characters of the two may alternate.
class ConsoleWatch {
  public:
    enum class Channel : std::uint8_t { Serial, Mailbox, Semihosting, Probe };

    /// Looks for each of `texts`.
    explicit ConsoleWatch(const std::vector<std::string>& texts);
    void take(Channel channel, std::string_view text);
    /// Returns whether a channel carried that text, one of the constructor's.
    [[nodiscard]] bool found(std::size_t index) const;
    /// Returns the last line of the channel that spoke last, at most `kLine` characters of it.
    [[nodiscard]] const std::string& last_line() const { return lines_[last_]; }

  private:
    static constexpr std::size_t kLine = 80, kChannels = 4;
    void remember(std::size_t channel, char character);

    std::array<std::vector<TextWatch>, kChannels> watches_;
    std::array<std::string, kChannels> lines_;
    std::array<bool, kChannels> line_ended_{};
    std::size_t last_ = 0;
};

}  // namespace n6vp::sim
