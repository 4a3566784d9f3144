// SPDX-License-Identifier: Apache-2.0
#include "sim/host/console_text.h"

#include <algorithm>
#include <utility>

#include "traces/escape.h"

namespace n6vp::sim {

std::string console_text(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\n\r\t\\"), text.size());
        out += traces::terminal_text(text.substr(0, end));
        text.remove_prefix(end);
        const std::string_view next = text.substr(0, 1);
        const bool alone = next == "\r" && !text.starts_with("\r\n");
        out += alone ? traces::terminal_text(next) : next;
        text.remove_prefix(next.size());
    }
    return out;
}

std::size_t unfinished_character(std::string_view text) {
    if (text.ends_with('\r')) return 1;
    const std::size_t most = std::min<std::size_t>(3, text.size());
    for (std::size_t count = 1; count <= most; ++count) {
        const auto byte = static_cast<unsigned char>(text[text.size() - count]);
        if (byte < 0x80) return 0;
        if (byte < 0xC0) continue;
        const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
        return count < length ? count : 0;
    }
    return 0;
}

void ConsoleText::put(std::string_view text) {
    if (to_ == nullptr) return;
    kept_ += text;
    const std::size_t whole = kept_.size() - unfinished_character(kept_);
    *to_ << console_text(std::string_view(kept_).substr(0, whole));
    kept_.erase(0, whole);
}

void ConsoleText::finish() {
    if (to_ != nullptr) *to_ << console_text(std::exchange(kept_, {}));
}

}  // namespace n6vp::sim
