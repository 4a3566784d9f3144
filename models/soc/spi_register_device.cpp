// SPDX-License-Identifier: Apache-2.0
#include "models/soc/spi_register_device.h"

#include <stdexcept>

namespace n6vp::models {

SpiRegisterDevice::SpiRegisterDevice(const Layout& layout) : layout_(layout) {
    const unsigned number = layout.register_bytes, value = layout.value_bytes;
    if (number < 1 || number > 2 || (value != 1 && value != 2 && value != 4))
        throw std::logic_error("no such layout of an SPI device");
    bytes_.resize((std::size_t{last()} + 1) * value);
}

std::uint32_t SpiRegisterDevice::last() const {
    return (1u << (8 * layout_.register_bytes - 1)) - 1;
}

void SpiRegisterDevice::set(std::uint32_t number, std::uint32_t value) {
    const std::size_t first = place(number);
    for (unsigned i = 0; i < layout_.value_bytes; ++i) {
        const unsigned shift = 8 * (layout_.value_bytes - 1 - i);
        bytes_[first + i] = static_cast<std::uint8_t>(value >> shift);
    }
}

std::uint32_t SpiRegisterDevice::get(std::uint32_t number) const {
    const std::size_t first = place(number);
    std::uint32_t value = 0;
    for (unsigned i = 0; i < layout_.value_bytes; ++i) value = value << 8 | bytes_[first + i];
    return value;
}

void SpiRegisterDevice::select(bool active) {
    if (active) bits_ = shifted_ = 0;
}

std::uint32_t SpiRegisterDevice::exchange(std::uint32_t frame, unsigned bits) {
    std::uint32_t miso = 0;
    for (unsigned i = bits; i-- > 0;)
        miso = miso << 1 | (exchange_bit((frame >> i & 1) != 0) ? 1 : 0);
    return miso;
}

bool SpiRegisterDevice::exchange_bit(bool mosi) {
    const unsigned number_bits = 8 * layout_.register_bytes, position = 7 - bits_ % 8;
    const bool in_number = bits_ < number_bits;
    const bool miso = !in_number && reads_ && (bytes_[next_] >> position & 1) != 0;
    shifted_ = shifted_ << 1 | (mosi ? 1u : 0u);
    ++bits_;
    if (bits_ == number_bits) {
        reads_ = ((shifted_ >> (number_bits - 1)) & 1) == (layout_.reads_with_one ? 1u : 0u);
        next_ = place(shifted_ & last());
        shifted_ = 0;
    } else if (!in_number && position == 0) {
        if (!reads_) bytes_[next_] = static_cast<std::uint8_t>(shifted_);
        next_ = (next_ + 1) % bytes_.size();
        shifted_ = 0;
    }
    return miso;
}

}  // namespace n6vp::models
