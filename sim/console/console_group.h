// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/soc/serial/uart.h"
#include "sim/console/console.h"

namespace n6vp::sim {

/// A serial port of the chip and the place on the host that a run connects it to.
struct PortPlace {
    std::string port;    ///< "usart2", in small letters
    std::string place;   ///< as `open_console` takes it
    std::string origin;  ///< "--uart"
};

/// Returns the name of a port as the address maps have it: "USART2".
[[nodiscard]] std::string serial_port_name(std::string_view text);

/// Takes "usart2=tcp:10000" apart. Returns no port for a place alone, whose own "=" stands behind a
/// colon.
[[nodiscard]] PortPlace port_place(std::string_view text, std::string origin);

/// Returns the place of the port that `standard` names: that of `places` if it has one, which it
/// loses then. Fails with UserError if the other was set, too.
[[nodiscard]] PortPlace main_place(std::vector<PortPlace>& places, const PortPlace& standard);

/// The serial ports of a run beside that of its console.
class ConsoleGroup {
  public:
    struct Chip {
        std::string_view title;          ///< "STM32N6"
        std::vector<std::string> ports;  ///< names of all serial ports
        std::string main;                ///< the console's, which has a place already
        /// Returns the port of that name, or nullptr.
        std::function<models::Uart*(std::string_view name)> find;
    };

    /// Opens every place and connects it. Fails with UserError. Before the elaboration.
    void open(const std::vector<PortPlace>& places, const Chip& chip, std::ostream& err);
    /// A place takes no more; see `Console::on_failure`. Before the run.
    void set_on_failure(const std::function<void()>& on_failure);
    /// Hands over what is left. Fails with UserError if a place stopped taking output.
    void finish();
    [[nodiscard]] bool gone() const;
    [[nodiscard]] bool repeatable() const;
    /// Returns the longest time of a frame on any of the ports.
    [[nodiscard]] models::Picoseconds frame_ps() const;

  private:
    struct Entry {
        models::Uart* port = nullptr;
        std::unique_ptr<Console> console;
    };
    std::vector<Entry> entries_;
};

}  // namespace n6vp::sim
