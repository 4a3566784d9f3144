// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::models {

/// A target on an I2C bus, as its controller addresses it. Takes no time of its own: the bus does.
class I2cDevice {
  public:
    /// `address` has 7 bits, without the direction bit.
    explicit I2cDevice(std::uint8_t address) : address_(address) {}
    I2cDevice(const I2cDevice&) = delete;
    I2cDevice& operator=(const I2cDevice&) = delete;
    virtual ~I2cDevice() = default;

    [[nodiscard]] std::uint8_t address() const { return address_; }

    /// A START, or a repeated one, with this device's address. Returns true to acknowledge it.
    [[nodiscard]] virtual bool start(bool read) = 0;
    /// Takes a byte. Returns true to acknowledge it.
    [[nodiscard]] virtual bool write(std::uint8_t byte) = 0;
    [[nodiscard]] virtual std::uint8_t read() = 0;
    /// The STOP that ends what `start` began.
    virtual void stop() {}

  private:
    const std::uint8_t address_;
};

}  // namespace n6vp::models
