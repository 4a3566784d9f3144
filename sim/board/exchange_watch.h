// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

/// The validation protocol as it is seen on the line between a client and the firmware. Packets
/// have a header of 2 bytes, big-endian, and 32 bytes in both directions.
namespace n6vp::sim::board {

inline constexpr std::size_t kPacketHeader = 2, kPacketPayload = 32;
inline constexpr std::size_t kPacketSize = kPacketHeader + kPacketPayload;

/// What an answer of the firmware begins with.
struct Answer {
    enum State : std::uint32_t { Idle, Waiting, Processing, Done, Failed };
    enum Content : std::uint32_t { Sync = 10, Ack = 12, Log = 13 };

    std::uint64_t request = 0;  ///< its number
    std::uint64_t state = Idle, content = 0;

    /// The firmware waits for a request.
    [[nodiscard]] bool ends_exchange() const {
        return state == Idle || state == Done || state == Failed;
    }
    /// The firmware waits for what the client sends: data or an acknowledgement.
    [[nodiscard]] bool wants_reply() const { return content == Ack || content == Log; }
};

/// Follows the bytes in both directions, in order to say whether the firmware has more to send to
/// the present client, or waits for more from it.
///
/// Limit: packets of other sizes, which firmware for other ports may agree on.
class ExchangeWatch {
  public:
    void to_firmware(std::span<const std::uint8_t> bytes);
    void from_firmware(std::span<const std::uint8_t> bytes);

    /// The last request was answered and nothing is under way: the next byte may be anyone's.
    [[nodiscard]] bool at_rest() const { return !open_ && !out_of_turn_ && is_aligned(); }
    /// The firmware waits for a message to begin, as far as its answers say.
    [[nodiscard]] bool awaits_message() const;

    /// Bytes that the packet to the firmware lacks.
    [[nodiscard]] std::size_t packet_lacks() const {
        return packet_at_ == 0 ? 0 : kPacketSize - packet_at_;
    }
    /// Bytes that the message to the firmware lacks when its packet is complete.
    [[nodiscard]] std::uint64_t message_lacks() const { return left_; }
    /// The firmware has asked for the next packet of the message.
    [[nodiscard]] bool asked() const { return asked_; }
    /// The firmware has given the message up.
    void drop_message() { left_ = 0; }

    [[nodiscard]] std::uint64_t bytes_from_firmware() const { return from_firmware_; }
    [[nodiscard]] std::uint64_t answers() const { return answers_; }
    [[nodiscard]] const Answer& last_answer() const { return last_; }

    /// It is known by other means that the firmware waits for a request.
    void rest();

  private:
    [[nodiscard]] bool is_aligned() const {
        return packet_at_ == 0 && left_ == 0 && answer_at_ == 0 && answer_bytes_ == 0;
    }
    void take_payload(std::uint8_t byte);
    void end_answer();

    // To the firmware.
    std::size_t packet_at_ = 0, payload_ = 0;  ///< position and bytes of the message in a packet
    std::uint64_t left_ =
        0;  ///< bytes of the message still to come; its length field is not counted
    std::uint64_t length_ = 0;
    unsigned length_bits_ = 0;
    bool in_length_ = true, padding_ = false;
    bool unanswered_ = false;  ///< the firmware has said nothing since the last message began
    bool asked_ = false, open_ = false, out_of_turn_ = false;
    // From the firmware.
    std::size_t answer_at_ = 0;  ///< position in a packet
    std::uint32_t answer_header_ = 0;
    std::size_t answer_bytes_ = 0;  ///< of the message, in the packets so far
    std::array<std::uint8_t, 16> head_{};
    std::uint64_t from_firmware_ = 0, answers_ = 0;
    Answer last_;
};

}  // namespace n6vp::sim::board
