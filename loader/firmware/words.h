// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

namespace n6vp::firmware {

/// Splits a line at its spaces, in place.
class Words {
  public:
    explicit Words(char* line) : at_(line) {}

    /// Returns the next word, or nullptr.
    [[nodiscard]] char* next() {
        while (*at_ == ' ') ++at_;
        if (*at_ == '\0') return nullptr;
        char* word = at_;
        while (*at_ != '\0' && *at_ != ' ') ++at_;
        if (*at_ != '\0') *at_++ = '\0';
        return word;
    }

  private:
    char* at_;
};

[[nodiscard]] inline bool same(const char* a, const char* b) {
    return std::strcmp(a, b) == 0;
}

/// Parses "123" or "0x7B" up to a terminator or `stop`. Fails for anything else and for more than
/// 32 bits.
[[nodiscard]] inline bool parse_number(const char* text, std::uint32_t& value,
                                       const char** rest = nullptr, char stop = '\0') {
    const bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const std::uint32_t base = is_hex ? 16 : 10;
    if (is_hex) text += 2;
    std::uint64_t sum = 0;
    const char* at = text;
    for (; *at != '\0' && *at != stop; ++at) {
        const char lower = *at >= 'A' && *at <= 'F' ? static_cast<char>(*at + 32) : *at;
        const std::uint32_t digit =
            lower >= '0' && lower <= '9'   ? static_cast<std::uint32_t>(lower - '0')
            : lower >= 'a' && lower <= 'f' ? static_cast<std::uint32_t>(lower - 'a') + 10
                                           : 16u;
        if (digit >= base) return false;
        sum = sum * base + digit;
        if (sum > 0xFFFFFFFFu) return false;
    }
    if (at == text || (stop != '\0' && *at != stop)) return false;
    if (rest != nullptr) *rest = *at == '\0' ? at : at + 1;
    value = static_cast<std::uint32_t>(sum);
    return true;
}

}  // namespace n6vp::firmware
