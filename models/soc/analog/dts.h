// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <systemc>

#include "models/parameter.h"
#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"
#include "models/soc/base/signal_level.h"

namespace n6vp::models {

struct DtsParameters {
    Parameter temperature{"temperature", 30, ParameterUnit{"degree C", {-40, 125}},
                          Confidence::Assumed, "of the die, at both sensors"};
    Parameter clock{"clock", 8, ParameterUnit{"MHz", {1, 100}}, Confidence::Documented,
                    "HAL: kernel clock, HSI / 8"};
    Parameter conversion{"conversion", 4096, "sensor clocks", Confidence::Assumed,
                         "a sample of 12 bits; a quarter of it for each step of the resolution"};
    Parameter serial{"serial", 40, "sensor clocks", Confidence::Assumed,
                     "SDIF_PROG to SDIF_BUSY = 0: a word to a sensor, one bit a clock"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.temperature);
        function(self.clock);
        function(self.conversion);
        function(self.serial);
    }
};

/// The digital temperature sensor: a controller and two sensors on its serial interface.
///
/// Modelled: the synthesised sensor clock; SDIF words to the sensors with BUSY, inhibit and disable
/// bits; power-up delay, resolution, single and continuous conversions; SMPL_DONE, sample data,
/// highest and lowest sample, alarms A and B, sample counter, flags with test, clear and enable
/// bits, masks, interrupt.
/// Not modelled: conversions by a trigger, discarded samples, the timer, the software lock, words
/// read back from a sensor, faults: what asks for one answers "not modelled".
/// Assumed: `DtsParameters`; reset values are zero; reading the data clears SMPL_DONE; a sample of
/// less resolution ends with zeros (the HAL converts all by one formula); an alarm rises at its
/// threshold, and again after a sample on the other side of the hysteresis value; with a higher
/// hysteresis value it guards the other direction. Sources: device header; HAL driver with its
/// formula of the temperature; the words of a sensor are those of the HAL: 0 control (power down 0,
/// once 2, continuous 3), 1 resolution (6:5) and trigger (18:16), 5 power-up delay.
class Dts : public sc_core::sc_module, public RegisterBlock {
  public:
    static constexpr unsigned kSensors = 2;

    Dts(const sc_core::sc_module_name& name, const char* block,
        const DtsParameters& parameters = {});
    using RegisterBlock::name;

    std::function<void(bool level)> on_interrupt;

    /// Temperature at a sensor, for conversions that end from now on.
    void set_celsius(unsigned sensor, double celsius);

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t offset) const override;
    void reset() override;

  private:
    struct Sensor {
        double celsius = 0;
        std::uint32_t control = 0, configuration = 0, delay = 0;  ///< words of the sensor
        Picoseconds due = 0;                                      ///< end of a conversion; 0: none
        std::uint32_t enables = 0, flags = 0, data = 0, alarm_a = 0, alarm_b = 0;
        std::uint32_t highest = 0, lowest = 0;
        bool done = false, armed_a = true, armed_b = true;
    };

    void step();
    /// All that happens up to `at` has happened.
    void settle(Picoseconds at);
    void update(Picoseconds at);
    [[nodiscard]] bool write_serial(std::uint32_t word, Picoseconds at);
    void program(std::uint32_t word, Picoseconds at);
    void start(Sensor& sensor, Picoseconds at);
    void sample(Sensor& sensor);
    [[nodiscard]] Answer read_sensor(Sensor& sensor, std::uint32_t offset);
    [[nodiscard]] Answer write_sensor(Sensor& sensor, std::uint32_t offset, std::uint32_t value,
                                      std::uint32_t mask);
    [[nodiscard]] std::uint32_t pending() const;  ///< a bit for each sensor
    [[nodiscard]] double sensor_hz() const;       ///< 0: off
    [[nodiscard]] Picoseconds clocks(double count) const;
    [[nodiscard]] std::uint32_t& at(std::uint32_t offset) { return held_[offset / 4]; }
    [[nodiscard]] std::uint32_t get(std::uint32_t offset) const { return held_[offset / 4]; }

    const DtsParameters parameters_;
    std::array<std::uint32_t, 0xC0 / 4> held_{};
    std::array<Sensor, kSensors> sensors_;
    std::uint32_t word_ = 0;      ///< on the serial interface
    Picoseconds word_until_ = 0;  ///< 0: none
    SignalLevel level_;
    sc_core::sc_event next_;
};

}  // namespace n6vp::models
