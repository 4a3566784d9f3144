// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "models/chip/pin_functions.h"
#include "models/picoseconds.h"
#include "models/soc/system/gpio.h"
#include "models/soc/timers/timer.h"

namespace n6vp::models {

/// Connects channels and external triggers of timers with the pins of the STM32N6 whose alternate
/// function they are.
///
/// A timer drives the pins of its outputs. Without an event of the kernel it does so where nobody
/// watches a pin: then software that reads IDR sees its level, and EXTI does not see it change.
class TimerPins : public PinUser {
  public:
    /// A pin that a timer drives at the end of a run, or now.
    struct Output {
        std::string signal;  ///< "TIM1_CH1N"
        std::string pin;     ///< "PE8"
        Timer::Wave wave;
    };

    /// Both return the unit of a name in the address map, or nullptr, and outlive this.
    void connect(const std::function<Timer*(std::string_view name)>& timer,
                 const std::function<Gpio*(std::string_view name)>& port);
    void follow_functions(Gpio& port, bool takes, Picoseconds at) override;
    void follow_levels(const Gpio& port, std::uint16_t levels, Picoseconds at) override;
    [[nodiscard]] bool is_at(const Gpio& port) const override;
    [[nodiscard]] Gpio::Driven look(const Gpio& port, Picoseconds at) override;

    [[nodiscard]] std::vector<Output> outputs(Picoseconds at);

  private:
    struct Link {
        Gpio* port = nullptr;
        unsigned pin = 0, function = 0;
        Timer* timer = nullptr;
        unsigned output = 0;  ///< bit of Timer::Outputs, or kExternalTrigger
        std::string name, pin_name;
        bool connected = false;  ///< the pin has this function
    };
    static constexpr unsigned kExternalTrigger = 8;
    /// Without a unit in the address map there is no link.
    void add(Gpio* port, unsigned pin, unsigned function, Timer* timer, unsigned output,
             const std::string& name);
    /// The level at a pin is one of its timer's inputs.
    static void feed(const Link& link, bool high, Picoseconds at);
    void listen(const Timer& timer, Picoseconds at);
    void drive(const Timer& timer, const Timer::Outputs& outputs, Picoseconds at);

    std::vector<Link> links_;
};

}  // namespace n6vp::models
