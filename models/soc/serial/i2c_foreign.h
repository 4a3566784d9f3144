// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace n6vp::models {

/// What another controller on an I2C bus does: it writes bytes, then reads some after a repeated
/// START, then sends STOP. Without both it only addresses the target, to write.
struct I2cForeignTransfer {
    std::uint16_t address = 0;  ///< 7 or 10 bits
    bool ten_bits = false;
    std::vector<std::uint8_t> written = {};
    std::size_t reads = 0;
    double scl_hz = 100e3;
};

/// What came of it.
struct I2cForeignResult {
    bool acknowledged = false;  ///< each time that it sent the address
    std::size_t taken = 0;      ///< bytes written that were acknowledged
    std::vector<std::uint8_t> read = {};
};

}  // namespace n6vp::models
