// SPDX-License-Identifier: Apache-2.0
#include "models/soc/serial/spi_register_device.h"

namespace n6vp::models {

SpiRegisterDevice::SpiRegisterDevice(const Layout& layout)
    : RegisterFile(layout.register_bytes, layout.value_bytes, 1), layout_(layout) {}

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
    const bool miso = !in_number && reads_ && (byte_at(next_) >> position & 1) != 0;
    shifted_ = shifted_ << 1 | (mosi ? 1u : 0u);
    ++bits_;
    if (bits_ == number_bits) {
        reads_ = ((shifted_ >> (number_bits - 1)) & 1) == (layout_.reads_with_one ? 1u : 0u);
        next_ = place(shifted_ & last());
        shifted_ = 0;
    } else if (!in_number && position == 0) {
        if (!reads_) byte_at(next_) = static_cast<std::uint8_t>(shifted_);
        next_ = behind(next_);
        shifted_ = 0;
    }
    return miso;
}

}  // namespace n6vp::models
