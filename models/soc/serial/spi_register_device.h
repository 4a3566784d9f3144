// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/soc/base/register_file.h"
#include "models/soc/serial/spi_device.h"

namespace n6vp::models {

/// A file of registers on an SPI bus, as many sensors have: after the chip select comes the number
/// of a register with a bit for the direction, then values, and the number counts up behind each.
///
/// Modelled: numbers of 1 or 2 bytes, whose highest bit is the direction; values of 1, 2 or 4
/// bytes; all with the most significant byte first and the number wrapping at its end. Registers
/// hold what was written last; all accept writes. Frames may have any length: the device counts
/// bits. Before the values MISO is low.
/// Not modelled: registers that change by themselves, that are read-only or that act.
class SpiRegisterDevice : public SpiDevice, public RegisterFile {
  public:
    struct Layout {
        unsigned register_bytes = 1;  ///< of a number and the direction: 1 or 2
        unsigned value_bytes = 1;     ///< of a register: 1, 2 or 4
        bool reads_with_one = true;   ///< the direction bit is 1 for a read
    };

    /// All registers are zero. Fails with std::logic_error for another layout.
    explicit SpiRegisterDevice(const Layout& layout);

    void select(bool active) override;
    [[nodiscard]] std::uint32_t exchange(std::uint32_t frame, unsigned bits) override;

  private:
    [[nodiscard]] bool exchange_bit(bool mosi);

    const Layout layout_;
    std::uint32_t shifted_ = 0;  ///< bits since the last whole byte, of the number all
    unsigned bits_ = 0;          ///< since the chip select
    std::size_t next_ = 0;       ///< byte under way
    bool reads_ = false;
};

}  // namespace n6vp::models
