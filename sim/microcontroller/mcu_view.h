// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "models/chip/mcu/microcontroller.h"
#include "models/simulator/mailbox.h"

namespace n6vp::sim {

/// Memory of an older chip as its core sees it, the cache included. Flash is written like RAM.
class McuView : public models::GuestView {
  public:
    explicit McuView(models::mcu_chip::Microcontroller& chip) : chip_(chip) {}
    [[nodiscard]] bool fetch(std::uint32_t address, std::span<std::uint8_t> bytes) override;
    [[nodiscard]] bool store(std::uint32_t address, std::span<const std::uint8_t> bytes) override;

  private:
    models::mcu_chip::Microcontroller& chip_;
};

}  // namespace n6vp::sim
