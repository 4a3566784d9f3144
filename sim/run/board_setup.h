// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/picoseconds.h"
#include "models/soc/camera/image_sensor.h"
#include "models/soc/serial/i2c_register_device.h"
#include "models/soc/serial/spi_register_device.h"

namespace n6vp::sim {

/// What the other side of a board does at a time: it sends characters to a serial port, or changes
/// the level of a pin.
struct BoardInput {
    models::Picoseconds at = 0;
    models::Picoseconds every = 0;  ///< from one time to the next; 0: once
    std::uint64_t count = 1;        ///< how often; 0: as long as the run lasts
    std::string uart;               ///< "usart1"; "": the port of the console
    std::vector<std::uint8_t> bytes;
    std::string port;  ///< "GPIOC" of a pin, "" of characters
    unsigned pin = 0;
    bool level = false;
    std::string i2c;  ///< "I2C1" of a transfer by another controller, which writes `bytes`
    std::uint16_t address = 0;  ///< of the chip as target
    bool ten_bits = false;      ///< of the address
    std::size_t reads = 0;      ///< bytes, after those written
    std::string origin;         ///< "scenario.toml:7"
};

/// What a scenario puts around the chip: devices on I2C and SPI buses, levels of pins,
/// inputs.
struct BoardSetup {
    /// Registers and what they hold; the others are zero.
    using Values = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    struct I2cDevice {
        std::string bus;  ///< "I2C1"
        models::I2cRegisterDevice::Layout layout;
        Values values;
        /// An image sensor, whose layout it is; else a file of registers, or an echo.
        std::optional<models::SensorKind> sensor;
        bool echo = false;                 ///< with address and `answer` only
        std::vector<std::uint8_t> answer;  ///< of an echo; empty: what was written to it
        std::string origin;                ///< "scenario.toml:7"
    };
    struct SpiDevice {
        std::string bus;        ///< "SPI5"
        bool loopback = false;  ///< MOSI to MISO; otherwise registers
        models::SpiRegisterDevice::Layout layout;
        Values values;
        std::string select_port;  ///< "GPIOE" of the pin that selects it, low; "": the controller
        unsigned select_pin = 0;
        std::string origin;
    };
    struct Pin {
        std::string port;  ///< "GPIOC"
        unsigned number = 0;
        /// Times, ascending, and the level that the board drives from there on.
        std::vector<std::pair<models::Picoseconds, bool>> levels;
        bool watch = false;      ///< report its changes as an output
        std::string wired_port;  ///< "GPIOA" of the pin that its output is wired to; "": none
        unsigned wired_number = 0;
        std::string label;     ///< "LED1 green" of a board; may be empty
        bool lit_low = false;  ///< of a LED
        std::string origin;
    };

    std::vector<I2cDevice> i2c;
    std::vector<SpiDevice> spi;
    std::vector<Pin> pins;
    std::vector<BoardInput> inputs;

    /// Watches the LEDs of a board: "dk", "nucleo" or "none".
    void watch_leds(std::string_view board);
    /// Returns where the first device or pin stands, "" if there is none.
    [[nodiscard]] std::string origin() const {
        if (!i2c.empty()) return i2c.front().origin;
        if (!spi.empty()) return spi.front().origin;
        return pins.empty() ? "" : pins.front().origin;
    }
};

}  // namespace n6vp::sim
