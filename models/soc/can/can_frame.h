// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace n6vp::models::can {

/// A frame as message RAM and bus know it.
struct Frame {
    std::uint32_t identifier = 0;  ///< 11 or 29 bits
    bool extended = false;
    bool remote = false;
    bool passive = false;  ///< ESI
    bool fd = false;
    bool fast = false;  ///< BRS: the data phase at its own bit rate
    unsigned length_code = 0;
    std::array<std::uint8_t, 64> data{};

    /// Returns the number of data bytes on the bus.
    [[nodiscard]] unsigned bytes() const;
    /// Of two frames that start at once, the one with the lower value stays on the bus.
    [[nodiscard]] std::uint32_t priority() const;
};

/// Bits of a frame, stuff bits included. Those of the data phase, which stand between BRS and CRC
/// delimiter, are zero without `fast`; BRS and CRC delimiter change the rate at their sample point.
struct BitCounts {
    unsigned arbitration = 0;  ///< before the data phase, without BRS
    unsigned data = 0;         ///< behind BRS, before the CRC delimiter
    unsigned end = 0;          ///< acknowledge slot and delimiter, end of frame: 9
};

/// Returns the bits of a frame that is not disturbed. Source: ISO 11898-1.
[[nodiscard]] BitCounts count_bits(const Frame& frame);

/// One bit rate of NBTP or DBTP, in clocks of the kernel.
struct BitTiming {
    unsigned before_sample = 1, after_sample = 1;
    [[nodiscard]] unsigned clocks() const { return before_sample + after_sample; }
};

/// Returns the clocks from the start of the frame to the end of the CRC delimiter.
[[nodiscard]] std::uint64_t clocks_to_acknowledge(const Frame& frame, const BitTiming& nominal,
                                                  const BitTiming& data);

constexpr unsigned kAcknowledgeBits = 1;  ///< the slot, in which an error shows
constexpr unsigned kEndBits = 8;          ///< acknowledge delimiter and end of frame
constexpr unsigned kIntermissionBits = 3;
constexpr unsigned kErrorFrameBits = 14;  ///< flag and delimiter of a node alone on the bus
constexpr unsigned kSuspendBits = 8;      ///< of an error passive transmitter
constexpr unsigned kIntegrationBits = 11;

}  // namespace n6vp::models::can
