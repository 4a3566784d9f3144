// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::firmware {

/// One line of output in a fixed buffer; what does not fit is cut.
class Text {
  public:
    Text& put(const char* text) {
        while (*text != '\0') put_character(*text++);
        return *this;
    }

    Text& decimal(std::uint32_t value) {
        char digits[10];
        std::uint32_t count = 0;
        do {
            digits[count++] = static_cast<char>('0' + value % 10);
            value /= 10;
        } while (value != 0);
        while (count != 0) put_character(digits[--count]);
        return *this;
    }

    Text& hex(std::uint32_t value) {
        put("0x");
        for (std::uint32_t i = 8; i-- != 0;)
            put_character("0123456789abcdef"[value >> (4 * i) & 0xF]);
        return *this;
    }

    [[nodiscard]] const char* text() const { return text_; }

  private:
    void put_character(char character) {
        if (count_ + 1 < sizeof text_) text_[count_++] = character;
    }

    char text_[512] = {};
    std::uint32_t count_ = 0;
};

}  // namespace n6vp::firmware
