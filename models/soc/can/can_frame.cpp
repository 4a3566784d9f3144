// SPDX-License-Identifier: Apache-2.0
#include "models/soc/can/can_frame.h"

#include <algorithm>
#include <optional>

namespace n6vp::models::can {
namespace {

/// Bits as they come, with dynamic stuff bits behind each five equal ones.
class BitStream {
  public:
    void add(std::uint32_t value, unsigned bits) {
        while (bits-- > 0) add_bit((value >> bits & 1) != 0);
    }
    void add_bit(bool bit) {
        stuff();
        put(bit);
        const bool feeds = bit != ((crc_ >> 14 & 1) != 0);
        crc_ = crc_ << 1 & 0x7FFF;
        if (feeds) crc_ ^= 0x4599;
    }
    /// The stuff bit that the last five bits ask for, if any.
    void stuff() {
        if (run_ == 5) put(!last_);
    }
    [[nodiscard]] unsigned count() const { return count_; }
    [[nodiscard]] std::uint32_t crc() const { return crc_; }

  private:
    void put(bool bit) {
        run_ = count_ != 0 && bit == last_ ? run_ + 1 : 1;
        last_ = bit;
        ++count_;
    }

    unsigned count_ = 0, run_ = 0;
    bool last_ = false;
    std::uint32_t crc_ = 0;  ///< CRC-15 of classic frames
};

void add_identifier(BitStream& bits, const Frame& frame) {
    constexpr unsigned kExtension = 18;
    bits.add_bit(false);  // SOF
    const std::uint32_t base = frame.extended ? frame.identifier >> kExtension : frame.identifier;
    bits.add(base & 0x7FF, 11);
    if (!frame.extended) return;
    bits.add(3, 2);  // SRR, IDE
    bits.add(frame.identifier & 0x3FFFF, kExtension);
}

void add_data(BitStream& bits, const Frame& frame) {
    bits.add(frame.length_code, 4);
    for (unsigned i = 0; i < frame.bytes(); ++i) bits.add(frame.data[i], 8);
}

/// Returns the length of the CRC field of a CAN FD frame: stuff count and CRC, with a fixed stuff
/// bit before the field and after every four bits of it. Source: ISO 11898-1.
[[nodiscard]] unsigned crc_field_bits(const Frame& frame) {
    constexpr unsigned kStuffCount = 4;
    const unsigned content = kStuffCount + (frame.bytes() > 16 ? 21u : 17u);
    return 1 + content + content / 4;
}

}  // namespace

unsigned Frame::bytes() const {
    constexpr std::array<std::uint8_t, 16> kLengths{0, 1,  2,  3,  4,  5,  6,  7,
                                                    8, 12, 16, 20, 24, 32, 48, 64};
    if (remote) return 0;
    return fd ? kLengths[length_code & 15] : std::min(length_code, 8u);
}

std::uint32_t Frame::priority() const {
    // Identifier, RTR or SRR, IDE, the rest of the identifier, RTR.
    if (!extended) return (identifier & 0x7FF) << 21 | (remote ? 1u << 20 : 0);
    return (identifier >> 18 & 0x7FF) << 21 | 3u << 19 | (identifier & 0x3FFFF) << 1 |
           (remote ? 1u : 0);
}

BitCounts count_bits(const Frame& frame) {
    BitStream bits;
    add_identifier(bits, frame);
    bits.add_bit(frame.remote && !frame.fd);   // RTR or RRS
    if (!frame.extended) bits.add_bit(false);  // IDE
    bits.add_bit(frame.fd);
    if (frame.fd || frame.extended) bits.add_bit(false);  // reserved
    BitCounts counts;
    counts.end = kAcknowledgeBits + kEndBits;
    if (!frame.fd) {
        add_data(bits, frame);
        bits.add(bits.crc(), 15);
        bits.stuff();
        counts.arbitration = bits.count();
        return counts;
    }
    bits.stuff();  // what it asks for stands before BRS
    const unsigned before = bits.count();
    bits.add_bit(frame.fast);
    bits.add_bit(frame.passive);
    add_data(bits, frame);
    const unsigned whole = bits.count() + crc_field_bits(frame);
    if (!frame.fast) {
        counts.arbitration = whole;
        return counts;
    }
    counts.arbitration = before;
    counts.data = whole - before - 1;
    return counts;
}

std::uint64_t clocks_to_acknowledge(const Frame& frame, const BitTiming& nominal,
                                    const BitTiming& data) {
    const BitCounts counts = count_bits(frame);
    const std::uint64_t arbitration = std::uint64_t{counts.arbitration} * nominal.clocks();
    if (!frame.fd || !frame.fast) return arbitration + nominal.clocks();
    return arbitration + nominal.before_sample + data.after_sample +
           std::uint64_t{counts.data} * data.clocks() + data.before_sample + nominal.after_sample;
}

}  // namespace n6vp::models::can
