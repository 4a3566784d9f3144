// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::models {

/// What stands on an SPI bus, as its controller talks to it. Takes no time of its own: the bus
/// does. Bits stand in the order of the line: the first one is the highest of a frame.
class SpiDevice {
  public:
    SpiDevice() = default;
    SpiDevice(const SpiDevice&) = delete;
    SpiDevice& operator=(const SpiDevice&) = delete;
    virtual ~SpiDevice() = default;

    /// The chip select has become active or inactive.
    virtual void select(bool /*active*/) {}
    /// Takes a frame of `bits`, 4 to 32, from MOSI. Returns the one of MISO in the same clocks.
    [[nodiscard]] virtual std::uint32_t exchange(std::uint32_t frame, unsigned bits) = 0;
};

/// MOSI and MISO connected by a wire.
class SpiLoopback : public SpiDevice {
  public:
    [[nodiscard]] std::uint32_t exchange(std::uint32_t frame, unsigned /*bits*/) override {
        return frame;
    }
};

}  // namespace n6vp::models
