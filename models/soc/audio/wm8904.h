// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/soc/serial/i2c_register_device.h"

namespace n6vp::models {

/// The audio codec WM8904 of the discovery kit, as its driver sees it on I2C.
///
/// Modelled: registers of 16 bits that hold what is written; a write of register 0 resets them, a
/// read of it returns the identification.
/// Not modelled: what the registers do to the sound, their reset values other than zero, ready
/// bits of the DC servo and the write sequencer.
/// Source: public driver of the board support package.
class Wm8904 : public I2cRegisterDevice {
  public:
    static constexpr std::uint8_t kAddress = 0x1A;
    static constexpr std::uint32_t kIdentification = 0x8904;

    Wm8904() : I2cRegisterDevice({kAddress, 1, 2}) { identify(); }

    void stop() override {
        if (get(0) == kIdentification) return;
        for (std::uint32_t number = 0; number <= 0xFF; ++number) set(number, 0);
        identify();
    }

  private:
    void identify() { set(0, kIdentification); }
};

}  // namespace n6vp::models
