// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "memmap/peripherals.h"
#include "models/chip/chip_parameters.h"
#include "models/chip/low_power_timer_pins.h"
#include "models/chip/peripheral_lines.h"
#include "models/chip/pin_functions.h"
#include "models/chip/sound_peripherals.h"
#include "models/chip/timer_pins.h"
#include "models/chip/timer_triggers.h"
#include "models/soc/analog/adc.h"
#include "models/soc/base/register_block.h"
#include "models/soc/sdmmc/sdmmc_controller.h"
#include "models/soc/serial/i2c.h"
#include "models/soc/serial/spi.h"
#include "models/soc/serial/uart.h"
#include "models/soc/system/clock_tree.h"
#include "models/soc/system/exti.h"
#include "models/soc/system/gpio.h"
#include "models/soc/system/rcc.h"
#include "models/soc/timers/low_power_timer.h"
#include "models/soc/timers/timer.h"

namespace n6vp::models {

/// The peripherals that firmware's drivers work with most: serial ports, I2C, SPI and SDMMC
/// controllers, timers, ADCs, GPIO ports, EXTI and the sound units, each instance of the address
/// map.
class IoPeripherals {
  public:
    template <class Model>
    struct Instance {
        const memmap::Peripheral* row = nullptr;
        std::unique_ptr<Model> model;
    };

    IoPeripherals(const ChipParameters& parameters, ClockTree& clocks, Rcc& rcc);

    /// Calls `add` for each block with its name in the address map.
    void for_each(const std::function<void(RegisterBlock&, const char*)>& add);
    void connect_interrupts(const InterruptLines& drive);
    /// Requests of GPDMA1 and HPDMA1, which count alike. Without this call DMA is not modelled.
    void connect_requests(const RequestLines& request);
    /// A controller has taken the request of that number: one of a timer is done with.
    void request_taken(unsigned number, Picoseconds at);

    /// Returns the unit of that name in the address map, or nullptr.
    [[nodiscard]] Uart* uart(std::string_view name);
    [[nodiscard]] I2c* i2c(std::string_view name);
    [[nodiscard]] Spi* spi(std::string_view name);
    [[nodiscard]] Adc* adc(std::string_view name);
    [[nodiscard]] Gpio* gpio(std::string_view name);
    [[nodiscard]] sdmmc::Controller* sdmmc(std::string_view name);
    [[nodiscard]] const std::vector<Instance<Uart>>& uarts() const { return uarts_; }

    /// The board gets its supply: SD cards are those that were inserted.
    void power_on();
    /// Kernel clocks are those of RCC from the absolute time `at` on. Of serial ports, I2C, SPI,
    /// SDMMC and ADC, one whose source is off keeps its frequency; a timer stops, also without the
    /// clock of its registers, and so does a sound unit without its kernel clock.
    void update_clocks(Picoseconds at);

    /// Returns what timers and low-power timers drive at pins at the absolute time `at`.
    [[nodiscard]] std::vector<TimerPins::Output> timer_outputs(Picoseconds at);

    SoundPeripherals sound;

  private:
    void make(const memmap::Peripheral& row, const ChipParameters& parameters);
    void make_port(const memmap::Peripheral& row);
    void connect_triggers();
    void connect_pins();
    /// Lines of EXTI follow the pins that are selected for them: one port has other levels, or the
    /// selection has changed.
    void follow_pins(unsigned code, std::uint16_t levels);
    void follow_selection();

    Rcc& rcc_;
    TimerPins timer_pins_;
    LowPowerTimerPins low_power_timer_pins_;
    PinFunctions pin_functions_{{&timer_pins_, &low_power_timer_pins_}};
    TimerTriggers timer_triggers_;
    std::vector<Instance<Uart>> uarts_;
    std::vector<Instance<I2c>> i2cs_;
    std::vector<Instance<Spi>> spis_;
    std::vector<Instance<Adc>> adcs_;
    std::unique_ptr<AdcCommon> adc_common_;
    std::vector<bool> adc_levels_;  ///< of their common interrupt line
    template <class Model>
    struct Counter : Instance<Model> {
        const ClockGate* gate = nullptr;
        double hz = -1;  ///< as the timer was told
    };
    std::vector<Counter<Timer>> timers_;
    struct TimerRequest {
        unsigned number = 0;
        Timer* timer = nullptr;
        unsigned source = 0;
    };
    std::vector<TimerRequest> timer_requests_;
    std::vector<Counter<LowPowerTimer>> low_power_timers_;
    std::vector<Instance<sdmmc::Controller>> sdmmcs_;
    std::vector<Instance<Gpio>> gpios_;
    std::unique_ptr<Exti> exti_;
    std::array<unsigned, 16> selected_{};  ///< port of each line, by its number in EXTICR
};

}  // namespace n6vp::models
