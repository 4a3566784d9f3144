// SPDX-License-Identifier: Apache-2.0
#include "sim/run/run_watch.h"

#include <algorithm>
#include <utility>

namespace n6vp::sim {

TextWatch::TextWatch(std::string text) : text_(std::move(text)), fallback_(text_.size() + 1) {
    std::size_t length = 0;
    for (std::size_t i = 1; i < text_.size(); ++i) {
        while (length != 0 && text_[i] != text_[length]) length = fallback_[length];
        if (text_[i] == text_[length]) ++length;
        fallback_[i + 1] = length;
    }
}

void TextWatch::take(char character) {
    if (found()) return;
    while (matched_ != 0 && text_[matched_] != character) matched_ = fallback_[matched_];
    if (text_[matched_] == character) ++matched_;
}

ConsoleWatch::ConsoleWatch(const std::vector<std::string>& texts) {
    for (std::vector<TextWatch>& channel : watches_) {
        for (const std::string& text : texts) channel.emplace_back(text);
    }
}

void ConsoleWatch::take(Channel channel, std::string_view text) {
    const auto index = static_cast<std::size_t>(channel);
    for (const char character : text) {
        for (TextWatch& watch : watches_[index]) watch.take(character);
        remember(index, character);
    }
    if (!text.empty()) last_ = index;
}

void ConsoleWatch::remember(std::size_t channel, char character) {
    if (character == '\r') return;
    if (character == '\n') {
        line_ended_[channel] = true;
        return;
    }
    if (line_ended_[channel]) lines_[channel].clear();
    line_ended_[channel] = false;
    if (lines_[channel].size() < kLine) lines_[channel] += character;
}

bool ConsoleWatch::found(std::size_t index) const {
    return std::any_of(watches_.begin(), watches_.end(),
                       [index](const auto& channel) { return channel[index].found(); });
}

}  // namespace n6vp::sim
