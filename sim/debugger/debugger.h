// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "sim/debugger/link.h"
#include "sim/debugger/machine.h"
#include "sim/debugger/server.h"

namespace n6vp::sim::debugger {

struct DebuggerChoice {
    std::string place;  ///< of `open_link`; empty: no debugger
    bool wait = false;  ///< the program does not begin before a client says so
};

/// Runs a machine to its end under the control of clients that come and go.
class Debugger {
  public:
    /// Opens the place. Fails with UserError.
    explicit Debugger(const DebuggerChoice& choice);

    [[nodiscard]] const Link& link() const { return *link_; }
    /// Returns when the run has ended, or a client has ended it.
    void drive(ControlledMachine& machine);

  private:
    /// Serves one client, to whom the machine stands still by `halt`.
    [[nodiscard]] Server::State serve(ControlledMachine& machine, const Halt& halt);

    bool wait_;
    std::unique_ptr<Link> link_;
};

}  // namespace n6vp::sim::debugger
