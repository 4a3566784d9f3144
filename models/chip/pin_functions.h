// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "models/picoseconds.h"
#include "models/soc/system/gpio.h"

namespace n6vp::models {

/// Units of one kind whose signals are alternate functions of pins.
class PinUser {
  public:
    PinUser() = default;
    PinUser(const PinUser&) = delete;
    PinUser& operator=(const PinUser&) = delete;
    virtual ~PinUser() = default;

    /// Pins of a port may have other functions. First each user lets go the pins that it has no
    /// more, then each takes those that it has now (`takes`).
    virtual void follow_functions(Gpio& port, bool takes, Picoseconds at) = 0;
    /// The levels at the pins of a port have changed at the absolute time `at`.
    virtual void follow_levels(const Gpio& port, std::uint16_t levels, Picoseconds at) = 0;
    /// Returns true if one of its signals is at a pin of the port.
    [[nodiscard]] virtual bool is_at(const Gpio& port) const = 0;
    /// Returns what its units drive at the absolute time `at`, without an event of the kernel.
    [[nodiscard]] virtual Gpio::Driven look(const Gpio& port, Picoseconds at) = 0;
};

/// Tells all users of pins what happens at ports, in one order.
class PinFunctions {
  public:
    /// The users outlive this.
    explicit PinFunctions(std::vector<PinUser*> users) : users_(std::move(users)) {}

    /// The port, which outlives this, has its functions followed from now on.
    void add(Gpio& port);
    void follow_levels(const Gpio& port, std::uint16_t levels, Picoseconds at);

  private:
    void follow_functions(Gpio& port, Picoseconds at);
    [[nodiscard]] Gpio::Driven look(const Gpio& port, Picoseconds at);

    std::vector<PinUser*> users_;
};

}  // namespace n6vp::models
