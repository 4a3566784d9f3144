// SPDX-License-Identifier: Apache-2.0
#include "sim/host/message_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "traces/escape.h"

namespace n6vp::sim {

namespace {

constexpr std::size_t kMaxWord = 256, kShownWord = 80, kMaxMessage = 1000, kShownMessage = 600;

/// Returns the first `most` bytes, or a few less if a character would be cut.
[[nodiscard]] std::string_view beginning(std::string_view text, std::size_t most) {
    if (text.size() <= most) return text;
    while (most != 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
    return text.substr(0, most);
}

[[nodiscard]] std::string cut(std::string_view text, std::size_t most) {
    return fmt::format("{}... ({} characters)", beginning(text, most), text.size());
}

}  // namespace

std::string shortened(std::string_view message) {
    constexpr std::string_view kEnds = " \n'\"";
    std::string result;
    while (!message.empty()) {
        const std::size_t bytes = std::min(message.find_first_of(kEnds), message.size());
        const std::string_view word = message.substr(0, bytes);
        result += word.size() > kMaxWord ? cut(word, kShownWord) : std::string(word);
        message.remove_prefix(bytes);
        if (message.empty()) break;
        result += message.front();
        message.remove_prefix(1);
    }
    return result.size() > kMaxMessage ? cut(result, kShownMessage) : result;
}

std::string one_line(std::string_view text, std::size_t most) {
    std::string line;
    for (const char c : beginning(text, most)) {
        if (c != '\n') {
            line += c;
        } else if (!line.empty() && !line.ends_with("; ")) {
            line += "; ";
        }
    }
    if (line.ends_with("; ")) line.resize(line.size() - 2);
    return traces::terminal_text(line);
}

std::string counted(std::uint64_t number, std::string_view what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

}  // namespace n6vp::sim
