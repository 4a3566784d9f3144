// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::models {

/// A target on an I2C bus, as its controller addresses it. Takes no time of its own: the bus does.
class I2cDevice {
  public:
    /// `address` has 7 bits, without the direction bit, or 10.
    explicit I2cDevice(std::uint16_t address, bool ten_bits = false)
        : address_(address), ten_bits_(ten_bits) {}
    I2cDevice(const I2cDevice&) = delete;
    I2cDevice& operator=(const I2cDevice&) = delete;
    virtual ~I2cDevice() = default;

    [[nodiscard]] std::uint16_t address() const { return address_; }
    [[nodiscard]] bool ten_bits() const { return ten_bits_; }

    /// A START, or a repeated one, with this device's address. Returns true to acknowledge it. To
    /// read from an address of 10 bits a controller writes to it first, without data.
    [[nodiscard]] virtual bool start(bool read) = 0;
    /// Takes a byte. Returns true to acknowledge it.
    [[nodiscard]] virtual bool write(std::uint8_t byte) = 0;
    [[nodiscard]] virtual std::uint8_t read() = 0;
    /// The STOP that ends what `start` began.
    virtual void stop() {}

  private:
    const std::uint16_t address_;
    const bool ten_bits_;
};

}  // namespace n6vp::models
