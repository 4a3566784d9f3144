// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "models/soc/base/register_block.h"
#include "models/soc/base/signal_level.h"

namespace n6vp::models {

/// CSI: the CSI-2 host between an image sensor and DCMIPP.
///
/// Modelled: start and stop of the virtual channels with VCnSTATEF, start and end of frame with
/// their interrupts, lanes and D-PHY as far as nothing comes in while they are off; all other
/// registers keep what is written.
/// Not modelled: line/byte counters and timers (asking for one answers "not modelled"), short
/// packets, the watchdog, errors of the link, filters by data type: all frames are free of errors
/// and pass.
/// Assumed: a channel starts and stops at once, and its START and STOP bits clear themselves.
/// Sources: registers of the public register description; behaviour of the HAL driver.
class Csi : public RegisterBlock {
  public:
    static constexpr unsigned kChannels = 4;

    explicit Csi(const char* block) : RegisterBlock(block) { Csi::reset(); }

    std::function<void(bool level)> on_interrupt;
    /// Whether the unit has a clock; without this function it always has.
    std::function<bool()> clocked;

    /// Returns true if frames of a virtual channel come in.
    [[nodiscard]] bool receives(unsigned channel) const;
    void start_of_frame(unsigned channel) { raise(kStartOfFrame, channel); }
    void end_of_frame(unsigned channel) { raise(kEndOfFrame, channel); }

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t /*offset*/) const override { return true; }
    void reset() override;

  private:
    static constexpr unsigned kStartOfFrame = 8, kEndOfFrame = 12;  ///< of SR0, channel 0
    void raise(unsigned flag, unsigned channel);
    void write_control(std::uint32_t value);
    void update();
    [[nodiscard]] std::uint32_t& at(std::uint32_t offset);
    [[nodiscard]] std::uint32_t get(std::uint32_t offset) const;

    std::array<std::uint32_t, 0x48> words_{};  ///< link registers
    std::array<std::uint32_t, 8> phy_{};       ///< those from 0x1000 on
    SignalLevel level_;
};

}  // namespace n6vp::models
