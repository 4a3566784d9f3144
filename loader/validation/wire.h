// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

/// Protocol Buffers, version 2: what a message consists of.
namespace n6vp::validation {

enum class Wire : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

/// Writes fields in the order of the calls. What does not fit is left out, and `ok` tells so.
class Writer {
  public:
    static constexpr std::uint32_t kMaxText = 63;

    Writer(std::uint8_t* buffer, std::uint32_t bytes) : buffer_(buffer), capacity_(bytes) {}

    void number(std::uint32_t field, std::uint64_t value) {
        tag(field, Wire::Varint);
        varint(value);
    }
    /// Negative numbers take ten bytes.
    void signed_number(std::uint32_t field, std::int32_t value) {
        number(field, static_cast<std::uint64_t>(std::int64_t{value}));
    }
    void real(std::uint32_t field, float value) {
        tag(field, Wire::Fixed32);
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        for (std::uint32_t i = 0; i < 4; ++i) byte(static_cast<std::uint8_t>(bits >> 8 * i));
    }
    /// Cuts the text after `most` characters.
    void text(std::uint32_t field, const char* value, std::uint32_t most = kMaxText) {
        std::uint32_t count = 0;
        while (value != nullptr && count < most && value[count] != '\0') ++count;
        tag(field, Wire::Bytes);
        varint(count);
        for (std::uint32_t i = 0; i < count; ++i) byte(static_cast<std::uint8_t>(value[i]));
    }
    /// Announces `bytes` bytes that follow the buffer.
    void tail(std::uint32_t field, std::uint32_t bytes) {
        tag(field, Wire::Bytes);
        varint(bytes);
    }
    /// Begins a message in the message, which `end` completes. Returns its place.
    [[nodiscard]] std::uint32_t begin(std::uint32_t field) {
        tag(field, Wire::Bytes);
        return count_;
    }
    /// `tail` bytes of it follow the buffer.
    void end(std::uint32_t place, std::uint32_t tail = 0) {
        const std::uint32_t inside = count_ - place;
        std::uint32_t prefix = 1;
        for (std::uint32_t rest = (inside + tail) >> 7; rest != 0; rest >>= 7) ++prefix;
        if (prefix > capacity_ - count_) {
            ok_ = false;
            return;
        }
        std::memmove(buffer_ + place + prefix, buffer_ + place, inside);
        count_ = place;
        varint(inside + tail);
        count_ += inside;
    }

    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] std::uint32_t count() const { return count_; }

  private:
    void byte(std::uint8_t value) {
        if (count_ < capacity_) {
            buffer_[count_++] = value;
        } else {
            ok_ = false;
        }
    }
    void tag(std::uint32_t field, Wire wire) {
        varint(field << 3 | static_cast<std::uint32_t>(wire));
    }
    void varint(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) byte(static_cast<std::uint8_t>(value | 0x80));
        byte(static_cast<std::uint8_t>(value));
    }

    std::uint8_t* buffer_;
    std::uint32_t capacity_, count_ = 0;
    bool ok_ = true;
};

}  // namespace n6vp::validation
