// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "models/chip/pin_functions.h"
#include "models/chip/timer_pins.h"
#include "models/picoseconds.h"
#include "models/soc/system/gpio.h"
#include "models/soc/timers/low_power_timer.h"

namespace n6vp::models {

/// Connects inputs and outputs of low-power timers with the pins of the STM32N6 whose alternate
/// function they are. They drive pins as `TimerPins` does.
class LowPowerTimerPins : public PinUser {
  public:
    /// Both return the unit of a name in the address map, or nullptr, and outlive this.
    void connect(const std::function<LowPowerTimer*(std::string_view name)>& timer,
                 const std::function<Gpio*(std::string_view name)>& port);
    void follow_functions(Gpio& port, bool takes, Picoseconds at) override;
    void follow_levels(const Gpio& port, std::uint16_t levels, Picoseconds at) override;
    [[nodiscard]] bool is_at(const Gpio& port) const override;
    [[nodiscard]] Gpio::Driven look(const Gpio& port, Picoseconds at) override;

    /// Appends what they drive at the absolute time `at`.
    void add_outputs(std::vector<TimerPins::Output>& list, Picoseconds at);

  private:
    struct Link {
        Gpio* port = nullptr;
        unsigned pin = 0, function = 0;
        LowPowerTimer* timer = nullptr;
        bool is_input = false;
        LowPowerTimer::Input input = LowPowerTimer::Input::In1;
        unsigned output = 0;  ///< bit of LowPowerTimer::Outputs
        std::string name, pin_name;
        bool connected = false;  ///< the pin has this function
    };
    void listen(LowPowerTimer& timer, Picoseconds at);
    void drive(const LowPowerTimer& timer, const LowPowerTimer::Outputs& outputs, Picoseconds at);

    std::vector<Link> links_;
};

}  // namespace n6vp::models
