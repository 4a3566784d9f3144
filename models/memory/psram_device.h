// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "models/fabric/serial_device.h"
#include "models/memory/backing_store.h"

namespace n6vp::models {

/// The PSRAM of the discovery kit, APS256XX, as commands see it.
///
/// Modelled: reads and writes of the array, linear and wrapped (as linear ones), mode registers,
/// global reset. A mode register gives its byte again and again (assumed).
/// Not modelled: what the mode registers set (latency, wrap, lines, row crossing), refresh,
/// power-down, access to the array by a wrong number of lines.
class PsramDevice : public SerialDevice {
  public:
    /// `cells` must outlive it.
    explicit PsramDevice(BackingStore& cells);

    /// Cells [offset, offset + bytes) are about to change.
    std::function<void(std::uint32_t offset, std::uint32_t bytes)> on_change;

    void begin(const SerialCommand& command, Picoseconds at) override;
    [[nodiscard]] std::uint8_t read(Picoseconds at) override;
    void write(std::uint8_t byte) override;
    void end(Picoseconds) override { action_ = Action::None; }
    [[nodiscard]] Picoseconds next_change(Picoseconds) const override { return 0; }
    void power_on() override;

  private:
    enum class Action : std::uint8_t { None, Read, Write, ReadMode, WriteMode };

    BackingStore& cells_;
    std::array<std::uint8_t, 9> mode_{};  ///< MR0 to MR8
    Action action_ = Action::None;
    std::uint32_t address_ = 0;
    bool first_ = false;  ///< byte of a mode register
};

}  // namespace n6vp::models
