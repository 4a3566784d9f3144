// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/digits.h"

namespace n6vp::firmware {

/// One line of output in a fixed buffer; what does not fit is cut.
class Text {
  public:
    Text& put(const char* text) {
        while (*text != '\0') put_character(*text++);
        return *this;
    }

    Text& decimal(std::uint32_t value) {
        loader::put_decimal(value, [this](char digit) { put_character(digit); });
        return *this;
    }

    Text& signed_decimal(std::int32_t value) {
        if (value < 0) put("-");
        const auto magnitude = static_cast<std::uint32_t>(value);
        return decimal(value < 0 ? 0 - magnitude : magnitude);
    }

    Text& hex(std::uint32_t value) {
        put("0x");
        loader::put_hex(value, 8, "0123456789abcdef", [this](char digit) { put_character(digit); });
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
