// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/soc/base/register_file.h"
#include "models/soc/serial/i2c_device.h"

namespace n6vp::models {

/// A file of registers on an I2C bus, as most sensors and codecs have: a write sends the number of
/// a register and then values, a read goes on from the register that was named last.
///
/// Modelled: register numbers of 1 or 2 bytes, values of 1, 2 or 4 bytes, both with the most
/// significant byte first; the number counts up behind every value and wraps at its end. Registers
/// hold what was written last; all accept writes. A device may act on what was written.
/// Not modelled: registers that change by themselves or are read-only.
class I2cRegisterDevice : public I2cDevice, public RegisterFile {
  public:
    struct Layout {
        std::uint16_t address = 0;    ///< 7 or 10 bits
        unsigned register_bytes = 1;  ///< of a register's number: 1 or 2
        unsigned value_bytes = 1;     ///< of a register: 1, 2 or 4
        bool ten_bits = false;        ///< of the address
    };

    /// All registers are zero. Fails with std::logic_error for another layout.
    explicit I2cRegisterDevice(const Layout& layout);

    [[nodiscard]] bool start(bool read) override;
    [[nodiscard]] bool write(std::uint8_t byte) override;
    [[nodiscard]] std::uint8_t read() override;

  protected:
    /// The register was written as a whole, by the bus.
    virtual void written(std::uint32_t /*number*/) {}

  private:
    const Layout layout_;
    std::size_t next_ = 0;       ///< byte that is read or written next
    unsigned number_bytes_ = 0;  ///< of the number, received since START
    std::uint32_t number_ = 0;
};

}  // namespace n6vp::models
