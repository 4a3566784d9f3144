// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <vector>

#include "models/picoseconds.h"
#include "models/soc/serial/i2c.h"
#include "models/soc/serial/uart.h"
#include "sim/console/console_group.h"
#include "sim/run/board_setup.h"

namespace n6vp::sim {

/// Feeds the inputs of a scenario to the chip: a run with them is as repeatable as without.
/// Characters follow each other on the line at the speed that the port is set to.
class InputFeed : public sc_core::sc_module {
  public:
    /// What of a chip takes inputs beside its serial ports.
    struct Board {
        std::function<void(const std::string& port, unsigned pin, bool level,
                           models::Picoseconds at)>
            drive;
        std::function<models::I2c*(const std::string& bus)> i2c;
    };
    /// What came to a serial port.
    struct Port {
        std::string name;
        models::Uart* uart = nullptr;
        std::uint64_t characters = 0;
    };
    /// What another controller did with a target address of the chip.
    struct Target {
        std::string bus;
        std::uint16_t address = 0;
        bool ten_bits = false;
        std::uint64_t asked = 0;         ///< transfers begun, or waiting for the bus
        std::uint64_t done = 0;          ///< ended by STOP
        std::uint64_t acknowledged = 0;  ///< of `done`: each time that the address was sent
        std::uint64_t written = 0;       ///< bytes that the chip has taken
        std::uint64_t read = 0;          ///< bytes that came from it
        std::vector<std::uint8_t> last;  ///< of the last transfer that read
    };

    /// Fails with UserError for a serial port that the chip does not have, and for pins and buses
    /// of a chip without them in `board`. Before the elaboration.
    InputFeed(const sc_core::sc_module_name& name, const std::vector<BoardInput>& inputs,
              const ConsoleGroup::Chip& chip, Board board = {});

    /// The serial ports that inputs go to.
    [[nodiscard]] const std::vector<Port>& ports() const { return ports_; }
    /// The targets on I2C that transfers go to.
    [[nodiscard]] const std::vector<Target>& targets() const { return targets_; }

  private:
    struct Entry {
        const BoardInput* input = nullptr;
        std::size_t place = 0;  ///< in `ports_`, or in `targets_` of a transfer
        models::Picoseconds next = 0;
        std::uint64_t done = 0;
    };
    void step();
    void send(const Entry& entry, models::Picoseconds now);
    void transfer(const Entry& entry, models::Picoseconds now);
    [[nodiscard]] std::size_t place_of(const BoardInput& input, const ConsoleGroup::Chip& chip);
    [[nodiscard]] std::size_t port_of(const BoardInput& input, const ConsoleGroup::Chip& chip);
    [[nodiscard]] std::size_t target_of(const BoardInput& input);
    /// Has the transfers of a bus counted. Once for each bus.
    void follow(const std::string& name, models::I2c& bus);
    [[nodiscard]] Target* target_at(const std::string& bus, std::uint16_t address, bool ten_bits);

    std::vector<Port> ports_;
    std::vector<Target> targets_;
    std::vector<Entry> entries_;  ///< in the order of the scenario, which decides at one time
    Board board_;
};

}  // namespace n6vp::sim
