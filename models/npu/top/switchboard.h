// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "memmap/npu/links.h"
#include "models/npu/control/register_window.h"
#include "models/npu/dataflow/link.h"
#include "models/npu/dataflow/network.h"
#include "models/npu/dataflow/port.h"
#include "models/npu/stream/switch.h"
#include "models/npu/top/reporter.h"

namespace n6vp::models::npu {

/// The stream switch at work: all links, and the inputs of the units that are on, connected as the
/// DST registers say. In what order registers, units and CTRL.EN change does not matter.
class Switchboard {
  public:
    /// All outlive this.
    Switchboard(const RegisterWindow& window, Network& network, Reporter& report);
    Switchboard(const Switchboard&) = delete;
    Switchboard& operator=(const Switchboard&) = delete;

    /// Return the number of a unit's output and of its input `port`, as links.h counts them.
    [[nodiscard]] static unsigned source_of(const memmap::npu::Unit& unit);
    [[nodiscard]] static unsigned destination_of(const memmap::npu::Unit& unit, unsigned port = 0);

    [[nodiscard]] Link& link(unsigned source) { return links_[source]; }
    /// The link has no source any more; words that it offered are lost.
    void source_gone(unsigned source);

    /// The input of a unit that was switched on, until `detach`.
    void attach(unsigned destination, Port& port, Picoseconds at);
    void detach(unsigned destination);
    /// The DST register may have changed, or CTRL.EN.
    void update(unsigned destination, Picoseconds at);
    void update_all(Picoseconds at);
    /// All contexts begin anew.
    void restart(Picoseconds at);

    /// Returns the sources of a destination's links as text: "STRENG3", or "nothing".
    [[nodiscard]] std::string sources_text(unsigned destination) const;
    /// Returns the destinations of a source as text.
    [[nodiscard]] std::string listeners_text(unsigned source) const;

  private:
    struct Entry {
        Port* port = nullptr;
        SwitchConfig config;  ///< that was last looked at
    };

    [[nodiscard]] SwitchConfig configured(unsigned destination) const;
    void connect(unsigned destination, Picoseconds at);

    const RegisterWindow& window_;
    Network& network_;
    Reporter& report_;
    std::array<Link, kSwitchSources> links_;
    std::array<Link*, kSwitchSources> link_pointers_{};
    std::array<Entry, kSwitchDestinations> entries_;
};

}  // namespace n6vp::models::npu
