// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <systemc>
#include <utility>
#include <vector>

#include "models/chip/io_peripherals.h"
#include "models/picoseconds.h"
#include "models/soc/camera/camera_link.h"
#include "models/soc/camera/image_sensor.h"
#include "sim/run/board_setup.h"

namespace n6vp::sim {

/// Puts the board around a chip: the codec of the discovery kit, and what a scenario describes:
/// devices on its I2C and SPI buses, levels on its pins at their times, a record of the output pins
/// that are watched.
class BoardDevices : public sc_core::sc_module {
  public:
    static constexpr std::size_t kMaxKept = 1000;  ///< changes of each pin

    struct Watched {
        std::string name;           ///< "PO1"
        std::string label;          ///< "LED1 green"; may be empty
        bool lit_low = false;       ///< a LED that is lit by a low level
        std::uint64_t changes = 0;  ///< of its level while it is an output; at reset it is low
        std::uint64_t rising = 0;   ///< those from low to high
        models::Picoseconds first_rise = 0, last_rise = 0;
        bool level = false;
        std::vector<std::pair<models::Picoseconds, bool>> kept;  ///< the first of them
        const models::Gpio* port = nullptr;
        unsigned number = 0;  ///< in it

        /// Returns true if the pin drives the LED to the level that lights it. One that drives
        /// nothing, as after reset, leaves it dark.
        [[nodiscard]] bool lit() const {
            return (port->output_pins() >> number & 1) != 0 && level != lit_low;
        }
        /// Returns the mean time from one rising edge to the next; 0 with less than two of them.
        [[nodiscard]] models::Picoseconds period() const {
            return rising < 2 ? 0 : (last_rise - first_rise) / (rising - 1);
        }
    };

    /// What it is given must outlive it. After the chip's construction, before the elaboration.
    BoardDevices(const sc_core::sc_module_name& name, const BoardSetup& setup,
                 models::IoPeripherals& io, models::CameraLink& camera);

    [[nodiscard]] const std::vector<Watched>& watched() const { return watched_; }
    /// Returns what timers and low-power timers drive at the absolute time `at`, the end of a run.
    [[nodiscard]] std::vector<models::TimerPins::Output> timer_outputs(
        models::Picoseconds at) const {
        return io_.timer_outputs(at);
    }
    /// Called with each change of a watched pin, by its place in `watched`.
    std::function<void(std::size_t pin, bool level, models::Picoseconds at)> on_change;

  private:
    struct Edge {
        models::Picoseconds at = 0;
        models::Gpio* port = nullptr;
        unsigned pin = 0;
        bool level = false;
    };
    void attach(const BoardSetup::I2cDevice& device);
    [[nodiscard]] std::unique_ptr<models::I2cDevice> sensor(const BoardSetup::I2cDevice& device);
    /// The pin that puts the sensor of a bus into its reset state while it is low.
    void follow_reset_pin(std::string_view bus, models::ImageSensor& sensor);
    void attach(const BoardSetup::SpiDevice& device);
    /// That of the discovery kit, where a scenario has no device of its own.
    void add_codec();
    void watch(const BoardSetup::Pin& pin);
    /// Another pin has the level of this one while it is driven.
    void wire(const BoardSetup::Pin& pin);
    void note(std::size_t index, bool level, models::Picoseconds at);
    void drive();

    models::IoPeripherals& io_;
    models::CameraLink& camera_;
    std::vector<Edge> edges_;  ///< by ascending time
    std::size_t next_ = 0;
    std::vector<Watched> watched_;
};

}  // namespace n6vp::sim
