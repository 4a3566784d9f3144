// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Packets on a serial line, and the messages that a client sends in them.
namespace n6vp::validation {

/// The serial line.
struct Line {
    void* context = nullptr;
    /// Returns the next byte, or -1: 200 ms have passed without one (`limited`), or no more will
    /// come (otherwise).
    std::int32_t (*get)(void* context, bool limited) = nullptr;
    void (*put)(void* context, const std::uint8_t* bytes, std::uint32_t count) = nullptr;
};

inline constexpr std::uint32_t kPacketBytes = 32;  ///< behind the header, in both directions
inline constexpr std::uint32_t kHeaderBytes = 2;   ///< big-endian
inline constexpr std::uint32_t kEndOfMessage = 0x8000;
inline constexpr std::uint8_t kNextPacket = 0xAA;  ///< asks the client for it

/// Memory for the contents of a data message. What does not fit is counted only.
struct Sink {
    std::uint8_t* to = nullptr;
    std::uint32_t capacity = 0;
};

/// A message of the client. Request, data and acknowledgement have the same few fields.
struct Incoming {
    static constexpr std::uint32_t kFields = 6, kMaxName = 63;
    static constexpr std::uint32_t kContents = 4;  ///< the only field with bytes

    std::uint32_t values[kFields] = {};  ///< by field; of numbers
    std::uint32_t seen = 0;              ///< bit n: field n
    std::uint32_t bytes = 0;             ///< of the contents
    char name[kMaxName + 1] = {};        ///< the contents as text, "" if they are longer

    [[nodiscard]] bool has(std::uint32_t fields) const { return (seen & fields) == fields; }
    [[nodiscard]] bool is_request() const { return has(0x3E); }
    [[nodiscard]] bool is_data() const { return has(0x1E) && !is_request(); }
    [[nodiscard]] bool is_ack() const { return has(0x06) && (seen & 1u << kContents) == 0; }
};

enum class Received : std::uint8_t { Message, Broken, Closed };

class Channel {
  public:
    explicit Channel(const Line& line) : line_(line) {}

    /// Waits for a message. Broken: it was none, or it broke off; nothing of it is left, and a
    /// message that came in its place is the next one. `sink` may have been written to in any case.
    [[nodiscard]] Received receive(Incoming& message, const Sink& sink);
    /// Sends a message whose bytes are `head` and `tail` in turn.
    void send(const std::uint8_t* head, std::uint32_t head_bytes, const std::uint8_t* tail,
              std::uint32_t tail_bytes);

  private:
    [[nodiscard]] Received read_packet(bool first);
    [[nodiscard]] bool next(std::uint8_t& value);
    [[nodiscard]] bool varint(std::uint32_t& left, std::uint64_t& value);
    [[nodiscard]] bool skip(std::uint32_t& left, std::uint64_t bytes);
    [[nodiscard]] bool contents(std::uint32_t& left, std::uint64_t bytes, Incoming& message,
                                const Sink& sink);
    [[nodiscard]] bool field(std::uint32_t& left, Incoming& message, const Sink& sink);
    [[nodiscard]] bool parse(Incoming& message, const Sink& sink);

    Line line_;
    std::uint8_t packet_[kPacketBytes] = {};
    std::uint32_t at_ = 0, count_ = 0;
    std::uint32_t expected_ = 0;  ///< bytes of the message that are still to come, once known
    bool kept_ = false;           ///< the packet begins the next message
};

}  // namespace n6vp::validation
