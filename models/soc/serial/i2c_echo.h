// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/soc/serial/i2c_device.h"

namespace n6vp::models {

/// A partner without registers: takes all bytes, and answers each read from the first byte on with
/// a given text, or with what was written to it last.
class I2cEcho : public I2cDevice {
  public:
    /// An empty `answer` has it answer with what was written. Beyond the last byte reads are 0xFF,
    /// as on a bus without a driver.
    I2cEcho(std::uint16_t address, bool ten_bits, std::vector<std::uint8_t> answer = {})
        : I2cDevice(address, ten_bits), answer_(std::move(answer)) {}

    [[nodiscard]] bool start(bool read) override {
        next_ = 0;
        // To read from 10 bits a controller first addresses it to write: nothing is written then.
        fresh_ = !read;
        return true;
    }
    [[nodiscard]] bool write(std::uint8_t byte) override {
        if (std::exchange(fresh_, false)) written_.clear();
        written_.push_back(byte);
        return true;
    }
    [[nodiscard]] std::uint8_t read() override {
        const std::vector<std::uint8_t>& from = answer_.empty() ? written_ : answer_;
        return next_ < from.size() ? from[next_++] : 0xFF;
    }

  private:
    const std::vector<std::uint8_t> answer_;
    std::vector<std::uint8_t> written_;
    std::size_t next_ = 0;
    bool fresh_ = false;
};

}  // namespace n6vp::models
