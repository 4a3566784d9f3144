// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/packet.h"

#include <algorithm>
#include <utility>

namespace n6vp::sim::debugger {

namespace {

constexpr char kStart = '$', kEnd = '#', kEscape = '}', kRepeat = '*';
constexpr std::uint8_t kInterrupt = 0x03, kEscapeBit = 0x20;
constexpr std::string_view kDigits = "0123456789abcdef";

void add_hex(std::string& to, std::uint8_t byte) {
    to += kDigits[byte >> 4];
    to += kDigits[byte & 15];
}

}  // namespace

int digit_of(char character) {
    if (character >= '0' && character <= '9') return character - '0';
    if (character >= 'a' && character <= 'f') return character - 'a' + 10;
    if (character >= 'A' && character <= 'F') return character - 'A' + 10;
    return -1;
}

void PacketReader::put(std::span<const std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) put(byte);
}

void PacketReader::put(std::string_view text) {
    for (const char character : text) put(static_cast<std::uint8_t>(character));
}

void PacketReader::clear() {
    *this = PacketReader();
}

void PacketReader::found(Incoming item) {
    if (waiting_.size() < kMaxWaiting) waiting_.push_back(std::move(item));
}

void PacketReader::begin() {
    state_ = State::Inside;
    payload_.clear();
    too_long_ = false;
    sum_ = 0;
}

void PacketReader::add(char character) {
    if (payload_.size() < kMaxPayload) {
        payload_ += character;
    } else {
        too_long_ = true;
    }
}

void PacketReader::finish(bool good) {
    state_ = State::Outside;
    if (good && !too_long_) {
        found({Incoming::Kind::Packet, std::move(payload_)});
    } else {
        found({Incoming::Kind::Damaged, {}});
    }
    payload_.clear();
}

void PacketReader::put(std::uint8_t byte) {
    const char character = static_cast<char>(byte);
    switch (state_) {
        case State::Outside:
            if (character == kStart) begin();
            if (character == '+') found({Incoming::Kind::Ack, {}});
            if (character == '-') found({Incoming::Kind::Nak, {}});
            if (byte == kInterrupt) found({Incoming::Kind::Interrupt, {}});
            break;
        case State::Inside:
            if (character == kEnd) {
                state_ = State::FirstDigit;
                break;
            }
            // The client gave up the packet and begins anew.
            if (character == kStart) {
                begin();
                break;
            }
            sum_ = static_cast<std::uint8_t>(sum_ + byte);
            if (character == kEscape) {
                state_ = State::Escaped;
            } else {
                add(character);
            }
            break;
        case State::Escaped:
            state_ = State::Inside;
            sum_ = static_cast<std::uint8_t>(sum_ + byte);
            add(static_cast<char>(byte ^ kEscapeBit));
            break;
        case State::FirstDigit:
            first_digit_ = digit_of(character);
            state_ = State::SecondDigit;
            break;
        case State::SecondDigit: {
            const int second = digit_of(character);
            const bool right =
                first_digit_ >= 0 && second >= 0 && (first_digit_ << 4 | second) == sum_;
            finish(right || !checks_);
            break;
        }
    }
}

std::optional<Incoming> PacketReader::take() {
    if (waiting_.empty()) return std::nullopt;
    Incoming item = std::move(waiting_.front());
    waiting_.pop_front();
    return item;
}

bool PacketReader::take_interrupt() {
    const auto found = std::find_if(waiting_.begin(), waiting_.end(), [](const Incoming& item) {
        return item.kind == Incoming::Kind::Interrupt;
    });
    if (found == waiting_.end()) return false;
    waiting_.erase(found);
    return true;
}

std::string frame(std::string_view payload) {
    std::string text(1, kStart);
    text.reserve(payload.size() + 4);
    std::uint8_t sum = 0;
    const auto add = [&text, &sum](char character) {
        text += character;
        sum = static_cast<std::uint8_t>(sum + static_cast<std::uint8_t>(character));
    };
    for (const char character : payload) {
        const bool special = character == kStart || character == kEnd || character == kEscape ||
                             character == kRepeat;
        if (special) add(kEscape);
        add(special ? static_cast<char>(character ^ kEscapeBit) : character);
    }
    text += kEnd;
    add_hex(text, sum);
    return text;
}

std::string hex_of(std::span<const std::uint8_t> bytes) {
    std::string text;
    text.reserve(2 * bytes.size());
    for (const std::uint8_t byte : bytes) add_hex(text, byte);
    return text;
}

std::string hex_of(std::string_view text) {
    std::string result;
    result.reserve(2 * text.size());
    for (const char character : text) add_hex(result, static_cast<std::uint8_t>(character));
    return result;
}

std::string hex_of(std::uint64_t value, unsigned bytes) {
    std::string text;
    for (unsigned i = 0; i < bytes; ++i) add_hex(text, static_cast<std::uint8_t>(value >> 8 * i));
    return text;
}

std::optional<std::string> bytes_of_hex(std::string_view digits) {
    if (digits.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    bytes.reserve(digits.size() / 2);
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const int high = digit_of(digits[i]), low = digit_of(digits[i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        bytes += static_cast<char>(high << 4 | low);
    }
    return bytes;
}

bool PayloadReader::skip(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
}

std::optional<std::uint32_t> PayloadReader::number() {
    constexpr std::uint32_t kTopDigit = 0xF0000000;
    std::uint32_t value = 0;
    std::size_t length = 0;
    for (; length < rest_.size(); ++length) {
        const int digit = digit_of(rest_[length]);
        if (digit < 0) break;
        if ((value & kTopDigit) != 0) return std::nullopt;
        value = value << 4 | static_cast<std::uint32_t>(digit);
    }
    if (length == 0) return std::nullopt;
    rest_.remove_prefix(length);
    return value;
}

std::optional<std::string_view> PayloadReader::until(char end) {
    const std::size_t at = rest_.find(end);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view part = rest_.substr(0, at);
    rest_.remove_prefix(at + 1);
    return part;
}

std::optional<PacketRange> range_of(PayloadReader& reader) {
    const auto address = reader.number();
    if (!address || !reader.skip(",")) return std::nullopt;
    const auto bytes = reader.number();
    if (!bytes) return std::nullopt;
    const PacketRange range{*address, *bytes};
    if (!range.fits()) return std::nullopt;
    return range;
}

}  // namespace n6vp::sim::debugger
