// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// The packet layer of the GDB remote serial protocol: framing, checksums, escapes and numbers.
/// Knows neither sockets nor the chip.
namespace n6vp::sim::debugger {

/// Longest payload of a packet in either direction, in bytes after unescaping.
inline constexpr std::size_t kMaxPayload = 16384;

/// What the client sent.
struct Incoming {
    enum class Kind : std::uint8_t {
        Packet,     ///< `payload` is complete, its checksum right, or none is asked for
        Damaged,    ///< checksum wrong, not of two digits, or payload longer than kMaxPayload
        Interrupt,  ///< the byte 0x03 outside a packet
        Ack,        ///< '+'
        Nak,        ///< '-': the last packet is wanted again
    };
    Kind kind = Kind::Packet;
    std::string payload;  ///< unescaped bytes
};

/// Finds packets in a stream of bytes, in pieces of any size. Its memory is bounded by
/// kMaxPayload and `kMaxWaiting`, whatever comes.
class PacketReader {
  public:
    /// Items that are found and not taken; while there are so many, more input is dropped.
    static constexpr std::size_t kMaxWaiting = 1024;

    void put(std::span<const std::uint8_t> bytes);
    void put(std::string_view text);
    /// Returns the next item, none if it is not complete yet.
    [[nodiscard]] std::optional<Incoming> take();
    /// Takes the first interrupt out of turn. Returns false if none waits.
    [[nodiscard]] bool take_interrupt();
    /// Checksums are no longer compared: QStartNoAckMode is in force.
    void ignore_checksums() { checks_ = false; }
    /// A new client: forgets everything.
    void clear();

  private:
    enum class State : std::uint8_t { Outside, Inside, Escaped, FirstDigit, SecondDigit };

    void put(std::uint8_t byte);
    void begin();
    void add(char character);
    void finish(bool good);
    void found(Incoming item);

    State state_ = State::Outside;
    std::deque<Incoming> waiting_;
    std::string payload_;
    bool too_long_ = false, checks_ = true;
    std::uint8_t sum_ = 0;
    int first_digit_ = 0;
};

/// Returns "$payload#checksum" with the bytes that need it escaped.
[[nodiscard]] std::string frame(std::string_view payload);

/// Returns the value of a hexadecimal digit, -1 for any other character.
[[nodiscard]] int digit_of(char character);

[[nodiscard]] std::string hex_of(std::span<const std::uint8_t> bytes);
[[nodiscard]] std::string hex_of(std::string_view text);
/// Returns `value` as `bytes` bytes, the lowest first, in hexadecimal.
[[nodiscard]] std::string hex_of(std::uint64_t value, unsigned bytes);
/// Returns the bytes of pairs of digits; none if there is anything else, or an odd number.
[[nodiscard]] std::optional<std::string> bytes_of_hex(std::string_view digits);

/// Reads the parts of a payload from left to right. Every function leaves it where it is if what
/// it looks for is not there.
class PayloadReader {
  public:
    explicit PayloadReader(std::string_view payload) : rest_(payload) {}

    /// Passes `text` if it comes next.
    [[nodiscard]] bool skip(std::string_view text);
    /// Reads a hexadecimal number of 1 to 8 digits after leading zeros; none for more or without
    /// digits.
    [[nodiscard]] std::optional<std::uint32_t> number();
    /// Returns everything up to `end`, which is passed, too; none if it does not come.
    [[nodiscard]] std::optional<std::string_view> until(char end);
    [[nodiscard]] std::string_view rest() const { return rest_; }
    [[nodiscard]] bool at_end() const { return rest_.empty(); }

  private:
    std::string_view rest_;
};

/// A range of addresses of a packet: "ADDR,LENGTH".
struct PacketRange {
    std::uint32_t address = 0, bytes = 0;

    /// Returns true if it ends within the address space.
    [[nodiscard]] bool fits() const { return bytes == 0 || address <= 0xFFFFFFFFu - (bytes - 1); }
};
/// Reads "ADDR,LENGTH"; none if it is malformed or does not fit.
[[nodiscard]] std::optional<PacketRange> range_of(PayloadReader& reader);

}  // namespace n6vp::sim::debugger
