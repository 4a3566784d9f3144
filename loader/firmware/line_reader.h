// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/firmware/semihosting.h"

namespace n6vp::firmware {

/// Reads lines from a file, a block at a time.
class LineReader {
  public:
    explicit LineReader(std::int32_t file) : file_(file) {}

    enum class Result : std::uint8_t { Line, End, TooLong };

    /// Stores the next line, terminated and without its end. TooLong leaves the rest of the line
    /// unread.
    [[nodiscard]] Result next(char* line, std::uint32_t capacity) {
        std::uint32_t count = 0;
        for (;;) {
            if (at_ == filled_ && !refill()) break;
            const char character = block_[at_++];
            if (character == '\n') {
                line[count] = '\0';
                return Result::Line;
            }
            if (count + 1 == capacity) return Result::TooLong;
            if (character != '\r') line[count++] = character;
        }
        line[count] = '\0';
        return count == 0 ? Result::End : Result::Line;
    }

  private:
    [[nodiscard]] bool refill() {
        filled_ = semihosting::read(file_, block_, sizeof block_);
        at_ = 0;
        return filled_ != 0;
    }

    std::int32_t file_;
    std::uint32_t at_ = 0, filled_ = 0;
    char block_[4096] = {};
};

}  // namespace n6vp::firmware
