// SPDX-License-Identifier: Apache-2.0
#include "loader/validation/channel.h"

#include <cstring>

#include "loader/validation/wire.h"

namespace n6vp::validation {

namespace {

/// A message of several packets: how often the silence limit may pass before the next one.
constexpr std::uint32_t kPatience = 25;

}  // namespace

Received Channel::read_packet(bool first) {
    std::int32_t value = -1;
    const std::uint32_t attempts = first ? 1 : kPatience;
    for (std::uint32_t i = 0; i < attempts && value < 0; ++i)
        value = line_.get(line_.context, !first);
    at_ = count_ = 0;
    if (value < 0) return first ? Received::Closed : Received::Broken;
    std::uint8_t header[kHeaderBytes] = {static_cast<std::uint8_t>(value)};
    for (std::uint32_t i = 1; i < kHeaderBytes + kPacketBytes; ++i) {
        value = line_.get(line_.context, true);
        if (value < 0) return Received::Broken;
        (i < kHeaderBytes ? header[i] : packet_[i - kHeaderBytes]) =
            static_cast<std::uint8_t>(value);
    }
    const std::uint32_t count = static_cast<std::uint32_t>(header[0]) << 8 | header[1];
    if (count != 0 && count <= kPacketBytes) {
        count_ = count;
        return Received::Message;
    }
    // No packet begins here: whatever comes in one go is none either.
    while (line_.get(line_.context, true) >= 0) {
    }
    return Received::Broken;
}

bool Channel::next(std::uint8_t& value) {
    if (at_ == count_) {
        line_.put(line_.context, &kNextPacket, 1);
        if (read_packet(false) != Received::Message) return false;
        // Clients fill every packet but the last: a short one in between that holds a message of
        // its own, length and all, comes from another client.
        kept_ = count_ < kPacketBytes && count_ < expected_ && packet_[0] + 1u == count_;
        if (kept_) return false;
    }
    value = packet_[at_++];
    if (expected_ != 0) --expected_;
    return true;
}

bool Channel::varint(std::uint32_t& left, std::uint64_t& value) {
    constexpr std::uint32_t kMaxBits = 70;
    value = 0;
    for (std::uint32_t shift = 0; shift < kMaxBits; shift += 7) {
        std::uint8_t byte = 0;
        if (left == 0 || !next(byte)) return false;
        --left;
        if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80) return true;
    }
    return false;
}

bool Channel::skip(std::uint32_t& left, std::uint64_t bytes) {
    if (bytes > left) return false;
    for (std::uint8_t unused = 0; bytes != 0; --bytes, --left) {
        if (!next(unused)) return false;
    }
    return true;
}

bool Channel::contents(std::uint32_t& left, std::uint64_t bytes, Incoming& message,
                       const Sink& sink) {
    if (bytes > left) return false;
    message.bytes = static_cast<std::uint32_t>(bytes);
    std::memset(message.name, 0, sizeof message.name);
    for (std::uint32_t i = 0; i < message.bytes; ++i, --left) {
        std::uint8_t byte = 0;
        if (!next(byte)) return false;
        if (i < sink.capacity) sink.to[i] = byte;
        if (i < Incoming::kMaxName) message.name[i] = static_cast<char>(byte);
    }
    if (message.bytes > Incoming::kMaxName) message.name[0] = '\0';
    return true;
}

bool Channel::field(std::uint32_t& left, Incoming& message, const Sink& sink) {
    std::uint64_t tag = 0, value = 0;
    if (!varint(left, tag) || tag >> 3 == 0 || tag > 0xFFFFFFFF) return false;
    const auto number = static_cast<std::uint32_t>(tag >> 3);
    const bool known = number < Incoming::kFields;
    const auto wire = static_cast<Wire>(tag & 7);
    if (known && wire != (number == Incoming::kContents ? Wire::Bytes : Wire::Varint)) return false;
    switch (wire) {
        case Wire::Varint:
            if (!varint(left, value)) return false;
            if (known) message.values[number] = static_cast<std::uint32_t>(value);
            break;
        case Wire::Fixed64:
            if (!skip(left, 8)) return false;
            break;
        case Wire::Bytes:
            if (!varint(left, value)) return false;
            if (!(known ? contents(left, value, message, sink) : skip(left, value))) return false;
            break;
        case Wire::Fixed32:
            if (!skip(left, 4)) return false;
            break;
        default:
            return false;
    }
    if (known) message.seen |= 1u << number;
    return true;
}

bool Channel::parse(Incoming& message, const Sink& sink) {
    // Of the length: five bytes of a 32-bit number.
    std::uint32_t prefix = 5;
    std::uint64_t length = 0;
    if (!varint(prefix, length) || length > 0x7FFFFFFF) return false;
    auto left = static_cast<std::uint32_t>(length);
    expected_ = left;
    while (left != 0) {
        if (!field(left, message, sink)) return false;
    }
    return true;
}

Received Channel::receive(Incoming& message, const Sink& sink) {
    message = {};
    expected_ = 0;
    if (!kept_) {
        const Received packet = read_packet(true);
        if (packet != Received::Message) return packet;
    }
    kept_ = false;
    const bool whole = parse(message, sink);
    if (!kept_) at_ = count_ = 0;  // the rest of the packet is padding
    return whole ? Received::Message : Received::Broken;
}

void Channel::send(const std::uint8_t* head, std::uint32_t head_bytes, const std::uint8_t* tail,
                   std::uint32_t tail_bytes) {
    std::uint32_t left = head_bytes + tail_bytes, sent = 0;
    for (;;) {
        // A full packet never ends a message: an empty one does.
        const bool last = left < kPacketBytes;
        const std::uint32_t count = last ? left : kPacketBytes;
        const std::uint32_t header = count | (last ? kEndOfMessage : 0);
        std::uint8_t packet[kHeaderBytes + kPacketBytes] = {static_cast<std::uint8_t>(header >> 8),
                                                            static_cast<std::uint8_t>(header)};
        for (std::uint32_t i = 0; i < count; ++i, ++sent)
            packet[kHeaderBytes + i] = sent < head_bytes ? head[sent] : tail[sent - head_bytes];
        line_.put(line_.context, packet, sizeof packet);
        left -= count;
        if (last) return;
    }
}

}  // namespace n6vp::validation
