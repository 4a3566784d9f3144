// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

/// Registers and bits of an I2C unit. Source: CMSIS device header, I2C_TypeDef.
namespace n6vp::models {

enum I2cOffset : std::uint32_t {
    kI2cCr1 = 0x00,
    kI2cCr2 = 0x04,
    kI2cOar1 = 0x08,
    kI2cOar2 = 0x0C,
    kI2cTimingr = 0x10,
    kI2cTimeoutr = 0x14,
    kI2cIsr = 0x18,
    kI2cIcr = 0x1C,
    kI2cPecr = 0x20,
    kI2cRxdr = 0x24,
    kI2cTxdr = 0x28,
};
constexpr std::array<const char*, 11> kI2cNames{"CR1", "CR2", "OAR1", "OAR2", "TIMINGR", "TIMEOUTR",
                                                "ISR", "ICR", "PECR", "RXDR", "TXDR"};

constexpr std::uint32_t i2c_bit(unsigned position) {
    return 1u << position;
}
// CR1; the enables of the event interrupts are at the same places as their flags, but for TCR.
constexpr std::uint32_t kI2cPeripheralEnable = i2c_bit(0);
constexpr std::uint32_t kI2cTransmitDma = i2c_bit(14), kI2cReceiveDma = i2c_bit(15);
/// SBC, WUPEN, GCEN, SMBHEN, SMBDEN, ALERTEN, PECEN.
constexpr std::uint32_t kI2cCr1NotModelled = i2c_bit(16) | 0x3Fu << 18;
// CR2.
constexpr std::uint32_t kI2cReadDirection = i2c_bit(10), kI2cTenBits = i2c_bit(11),
                        kI2cShortHeader = i2c_bit(12), kI2cStart = i2c_bit(13),
                        kI2cStop = i2c_bit(14), kI2cNotAcknowledge = i2c_bit(15),
                        kI2cReload = i2c_bit(24), kI2cAutoEnd = i2c_bit(25),
                        kI2cPecByte = i2c_bit(26);
// OAR1 and OAR2: their enables, and OA1MODE.
constexpr std::uint32_t kI2cOwnEnable = i2c_bit(15), kI2cOwnTenBits = i2c_bit(10);
// ISR.
constexpr std::uint32_t kI2cTxe = i2c_bit(0), kI2cTxis = i2c_bit(1), kI2cRxne = i2c_bit(2),
                        kI2cAddr = i2c_bit(3), kI2cNackf = i2c_bit(4), kI2cStopf = i2c_bit(5),
                        kI2cTc = i2c_bit(6), kI2cTcr = i2c_bit(7), kI2cBusy = i2c_bit(15),
                        kI2cDirection = i2c_bit(16);
constexpr std::uint32_t kI2cAddressCode = 0xFFu << 16;  ///< ADDCODE and DIR
constexpr std::uint32_t kI2cCleared = 0x3F38;           ///< by ICR

}  // namespace n6vp::models
