// SPDX-License-Identifier: Apache-2.0
#include "models/soc/serial/i2c_register_device.h"

#include <utility>

namespace n6vp::models {

I2cRegisterDevice::I2cRegisterDevice(const Layout& layout)
    : I2cDevice(layout.address, layout.ten_bits),
      RegisterFile(layout.register_bytes, layout.value_bytes, 0),
      layout_(layout) {}

bool I2cRegisterDevice::start(bool read) {
    // A write begins with a number; a read goes on where the last transfer stopped.
    number_bytes_ = read ? layout_.register_bytes : 0;
    if (!read) number_ = 0;
    return true;
}

bool I2cRegisterDevice::write(std::uint8_t byte) {
    if (number_bytes_ < layout_.register_bytes) {
        number_ = number_ << 8 | byte;
        if (++number_bytes_ == layout_.register_bytes) next_ = place(number_);
        return true;
    }
    const std::size_t at = next_;
    byte_at(at) = byte;
    next_ = behind(at);
    if (next_ % layout_.value_bytes == 0)
        written(static_cast<std::uint32_t>(at / layout_.value_bytes));
    return true;
}

std::uint8_t I2cRegisterDevice::read() {
    return byte_at(std::exchange(next_, behind(next_)));
}

}  // namespace n6vp::models
