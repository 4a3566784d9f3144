// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/picoseconds.h"

namespace n6vp::models {

/// What a controller sends before the data of a transaction.
struct SerialCommand {
    /// One of the phases.
    struct Phase {
        unsigned lines = 0;  ///< 0: not sent
        unsigned bytes = 0;
        bool double_rate = false;
    };
    Phase instruction_phase, address_phase;
    Phase data;  ///< `bytes` has no meaning
    std::uint32_t instruction = 0, address = 0;
    unsigned dummy_clocks = 0;
};

/// What lines read that nobody drives (assumed). A device may give something else for commands
/// that it does not hear.
inline constexpr std::uint8_t kUndrivenLines = 0x00;

/// A device on the lines of a controller for serial memories. Times are absolute and do not
/// decrease.
class SerialDevice {
  public:
    SerialDevice() = default;
    SerialDevice(const SerialDevice&) = delete;
    SerialDevice& operator=(const SerialDevice&) = delete;
    virtual ~SerialDevice() = default;

    /// The chip select falls at `at`. Commands that the device does not know, or not in its present
    /// protocol, or not now, are ignored: their data have no effect, and reads give
    /// a constant.
    virtual void begin(const SerialCommand& command, Picoseconds at) = 0;
    /// The next byte from, or to, the device, which is through at `at`.
    [[nodiscard]] virtual std::uint8_t read(Picoseconds at) = 0;
    virtual void write(std::uint8_t byte) = 0;
    /// The chip select rises.
    virtual void end(Picoseconds at) = 0;
    /// Returns the first time after `at` at which something changes by itself that a command can
    /// read; 0: nothing does.
    [[nodiscard]] virtual Picoseconds next_change(Picoseconds at) const = 0;
    /// State after power-on; contents stay.
    virtual void power_on() = 0;
};

}  // namespace n6vp::models
