// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>

#include "models/chip/peripheral_lines.h"
#include "models/soc/base/register_block.h"
#include "models/soc/can/fdcan.h"
#include "models/soc/can/message_ram.h"

namespace n6vp::models {

/// The three FDCAN with the message RAM that they share, and their kernel clock.
class CanPeripherals {
  public:
    static constexpr std::array<const char*, 3> kNames{"FDCAN1", "FDCAN2", "FDCAN3"};

    CanPeripherals();

    /// Calls `add` for each block with its name in the address map.
    void for_each(const std::function<void(RegisterBlock&, const char*)>& add);
    void connect_interrupts(const InterruptLines& drive);
    /// The kernel clock from now on; they keep the last one while it is off (0).
    void set_kernel_hz(double hz);
    /// `instance` is 1, 2 or 3.
    [[nodiscard]] can::Fdcan& unit(unsigned instance) { return *units_.at(instance - 1); }

  private:
    can::MessageRam ram_{"SRAMCAN"};
    std::array<std::unique_ptr<can::Fdcan>, 3> units_;
};

}  // namespace n6vp::models
