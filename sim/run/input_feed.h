// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <vector>

#include "models/picoseconds.h"
#include "models/soc/serial/uart.h"
#include "sim/console/console_group.h"
#include "sim/run/board_setup.h"

namespace n6vp::sim {

/// Feeds the inputs of a scenario to the chip: a run with them is as repeatable as without.
/// Characters follow each other on the line at the speed that the port is set to.
class InputFeed : public sc_core::sc_module {
  public:
    using DrivePin = std::function<void(const std::string& port, unsigned pin, bool level,
                                        models::Picoseconds at)>;
    /// What came to a serial port.
    struct Port {
        std::string name;
        models::Uart* uart = nullptr;
        std::uint64_t characters = 0;
    };

    /// Fails with UserError for a serial port that the chip does not have, and for a pin without
    /// `drive`. Before the elaboration.
    InputFeed(const sc_core::sc_module_name& name, const std::vector<BoardInput>& inputs,
              const ConsoleGroup::Chip& chip, DrivePin drive = {});

    /// The serial ports that inputs go to.
    [[nodiscard]] const std::vector<Port>& ports() const { return ports_; }

  private:
    struct Entry {
        const BoardInput* input = nullptr;
        std::size_t port = 0;  ///< of `ports_`
        models::Picoseconds next = 0;
        std::uint64_t done = 0;
    };
    void step();
    void send(const Entry& entry, models::Picoseconds now);
    [[nodiscard]] std::size_t port_of(const BoardInput& input, const ConsoleGroup::Chip& chip);

    std::vector<Port> ports_;
    std::vector<Entry> entries_;  ///< in the order of the scenario, which decides at one time
    DrivePin drive_;
};

}  // namespace n6vp::sim
