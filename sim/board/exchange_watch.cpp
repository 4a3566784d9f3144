// SPDX-License-Identifier: Apache-2.0
#include "sim/board/exchange_watch.h"

#include <algorithm>

namespace n6vp::sim::board {

namespace {

constexpr std::uint8_t kNextPacket = 0xAA;
constexpr std::uint32_t kEndOfMessage = 0x8000, kCountMask = 0x7FFF;
constexpr std::uint64_t kMostBytes = 0x7FFFFFFF;

std::uint64_t varint(std::span<const std::uint8_t>& bytes) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; !bytes.empty() && shift < 64; shift += 7) {
        const std::uint8_t byte = bytes.front();
        bytes = bytes.subspan(1);
        value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80) break;
    }
    return value;
}

}  // namespace

bool ExchangeWatch::awaits_message() const {
    if (!is_aligned() || unanswered_) return false;
    return answers_ == 0 || last_.ends_exchange() || last_.wants_reply();
}

void ExchangeWatch::take_payload(std::uint8_t byte) {
    if (padding_) return;
    if (!in_length_) {
        padding_ = --left_ == 0;
        in_length_ = padding_;
        return;
    }
    length_ |= static_cast<std::uint64_t>(byte & 0x7F) << length_bits_;
    length_bits_ += 7;
    const bool ends = byte < 0x80;
    if (!ends && length_bits_ < 35) return;
    // A length that no message has begins none.
    left_ = ends && length_ <= kMostBytes ? length_ : 0;
    length_ = length_bits_ = 0;
    in_length_ = padding_ = left_ == 0;
}

void ExchangeWatch::to_firmware(std::span<const std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) {
        if (packet_at_ == 0) {
            if (left_ == 0) {
                // A client that does not wait for its turn may be heard in part only.
                out_of_turn_ = out_of_turn_ || unanswered_ || answer_at_ != 0 || answer_bytes_ != 0;
                unanswered_ = true;
                in_length_ = true;
                length_ = length_bits_ = 0;
            }
            open_ = true;
            padding_ = asked_ = false;
            payload_ = 0;
        }
        if (packet_at_ < kPacketHeader) {
            payload_ = payload_ << 8 | byte;
        } else if (packet_at_ - kPacketHeader < payload_) {
            take_payload(byte);
        }
        packet_at_ = (packet_at_ + 1) % kPacketSize;
        // A packet without contents, or with more than it can have, is none.
        if (packet_at_ == 0 && (payload_ == 0 || payload_ > kPacketPayload)) left_ = 0;
    }
}

void ExchangeWatch::from_firmware(std::span<const std::uint8_t> bytes) {
    from_firmware_ += bytes.size();
    for (const std::uint8_t byte : bytes) {
        if (answer_at_ == 0) {
            if (byte == kNextPacket) asked_ = true;
            // Between packets there may be other text.
            if (byte != 0x00 && byte != kEndOfMessage >> 8) continue;
            answer_header_ = 0;
        }
        if (answer_at_ < kPacketHeader) {
            answer_header_ = answer_header_ << 8 | byte;
        } else if (answer_at_ - kPacketHeader < (answer_header_ & kCountMask)) {
            if (answer_bytes_ < head_.size()) head_[answer_bytes_] = byte;
            ++answer_bytes_;
        }
        answer_at_ = (answer_at_ + 1) % kPacketSize;
        if (answer_at_ == 0 && (answer_header_ & kEndOfMessage) != 0) end_answer();
    }
}

void ExchangeWatch::end_answer() {
    std::span<const std::uint8_t> head(head_.data(), std::min(answer_bytes_, head_.size()));
    answer_bytes_ = 0;
    last_ = {};
    // Fields come in this order: number of the request, state, contents.
    static_cast<void>(varint(head));
    last_.request = varint(head);
    static_cast<void>(varint(head));
    last_.state = varint(head);
    last_.content = varint(head) >> 3;
    ++answers_;
    unanswered_ = false;
    if (last_.ends_exchange() && packet_at_ == 0 && left_ == 0) open_ = false;
}

void ExchangeWatch::rest() {
    packet_at_ = answer_at_ = answer_bytes_ = 0;
    left_ = 0;
    unanswered_ = asked_ = open_ = out_of_turn_ = false;
}

}  // namespace n6vp::sim::board
