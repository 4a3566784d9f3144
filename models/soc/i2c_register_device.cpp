// SPDX-License-Identifier: Apache-2.0
#include "models/soc/i2c_register_device.h"

#include <stdexcept>

namespace n6vp::models {

I2cRegisterDevice::I2cRegisterDevice(const Layout& layout)
    : I2cDevice(layout.address), layout_(layout) {
    const unsigned number = layout.register_bytes, value = layout.value_bytes;
    if (number < 1 || number > 2 || (value != 1 && value != 2 && value != 4))
        throw std::logic_error("no such layout of an I2C device");
    bytes_.resize((std::size_t{1} << (8 * number)) * value);
}

void I2cRegisterDevice::set(std::uint32_t number, std::uint32_t value) {
    const std::size_t first = place(number);
    for (unsigned i = 0; i < layout_.value_bytes; ++i) {
        const unsigned shift = 8 * (layout_.value_bytes - 1 - i);
        bytes_[first + i] = static_cast<std::uint8_t>(value >> shift);
    }
}

std::uint32_t I2cRegisterDevice::get(std::uint32_t number) const {
    const std::size_t first = place(number);
    std::uint32_t value = 0;
    for (unsigned i = 0; i < layout_.value_bytes; ++i) value = value << 8 | bytes_[first + i];
    return value;
}

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
    bytes_[at] = byte;
    next_ = (next_ + 1) % bytes_.size();
    if (next_ % layout_.value_bytes == 0)
        written(static_cast<std::uint32_t>(at / layout_.value_bytes));
    return true;
}

std::uint8_t I2cRegisterDevice::read() {
    const std::uint8_t byte = bytes_[next_];
    next_ = (next_ + 1) % bytes_.size();
    return byte;
}

}  // namespace n6vp::models
