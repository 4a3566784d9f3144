// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <systemc>

#include "models/soc/serial/uart.h"
#include "sim/console/console_backends.h"

namespace n6vp::sim {

/// Binds a serial port to its place on the host.
///
/// Output leaves when the simulated line has carried it. Input comes in only here, every
/// `kPollPeriod` of simulated time, and only as much as the line can carry until then: the host
/// keeps the rest. Without input the guest cannot observe this; with input a run depends on host
/// time and is not reproducible.
class Console : public sc_core::sc_module {
  public:
    static constexpr models::Picoseconds kPollPeriod = 100'000'000;  ///< 100 us: 9 characters
    static constexpr std::size_t kMaxAhead = 16;                     ///< characters on the line

    /// `uart` must outlive the console.
    Console(const sc_core::sc_module_name& name, models::Uart& uart,
            std::unique_ptr<ConsoleBackend> place);
    ~Console() override;

    /// Says where clients find the port, in one line that is there before the program runs; nothing
    /// if the place is not for clients.
    /// `port` names it where there are several.
    void announce(std::ostream& err, std::string_view port = "") const;
    [[nodiscard]] bool repeatable() const { return !place_->has_input(); }
    /// Hands over what is left. Fails with UserError if the place stopped taking output.
    void finish();
    /// The place takes no more: the run had better end. `finish` says why.
    std::function<void()> on_failure;
    /// A character that has left the port.
    std::function<void(char)> on_character;

    [[nodiscard]] bool gone() const { return place_->gone(); }
    [[nodiscard]] std::uint64_t dropped() const { return place_->dropped(); }

  private:
    void poll();
    void guarded(const std::function<void()>& work);

    models::Uart& uart_;
    std::unique_ptr<ConsoleBackend> place_;
    std::exception_ptr failure_;
};

}  // namespace n6vp::sim
