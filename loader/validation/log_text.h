// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/digits.h"

namespace n6vp::validation {

/// The text of a log message, which clients read up to 127 characters; what exceeds them is lost.
class LogText {
  public:
    LogText& put(const char* text) {
        while (*text != '\0') character(*text++);
        return *this;
    }
    LogText& decimal(std::uint32_t value) {
        loader::put_decimal(value, [this](char digit) { character(digit); });
        return *this;
    }
    LogText& signed_decimal(std::int32_t value) {
        if (value >= 0) return decimal(static_cast<std::uint32_t>(value));
        return put("-").decimal(0 - static_cast<std::uint32_t>(value));
    }
    LogText& hex(std::uint32_t value) {
        loader::put_hex(value, 8, "0123456789abcdef", [this](char digit) { character(digit); });
        return *this;
    }
    [[nodiscard]] const char* text() const { return text_; }

  private:
    void character(char value) {
        if (count_ + 1 < sizeof text_) text_[count_++] = value;
    }
    char text_[128] = {};
    std::uint32_t count_ = 0;
};

}  // namespace n6vp::validation
