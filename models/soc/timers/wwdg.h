// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"

namespace n6vp::models {

/// The window watchdog: counts down from the value in CR, and asks for a reset when bit 6 falls.
///
/// Modelled: WDGA, T, W, WDGTB, the reset at the end of the count and by a refresh above the
/// window, EWIF and the early interrupt at 0x40.
/// Not modelled: the count before WDGA is set (T keeps its value), stop in debug mode. The clock is
/// that of the AHB: the prescaler of APB1 is not modelled.
class Wwdg : public sc_core::sc_module, public RegisterBlock {
  public:
    Wwdg(const sc_core::sc_module_name& name, const char* block);
    using RegisterBlock::name;

    /// The chip is to be reset, at the kernel's time. The watchdog stays off until `reset`.
    std::function<void()> on_reset;
    std::function<void(bool level)> on_interrupt;

    /// Clock from now on, above 0 Hz; a count under way begins anew with what is left of it.
    void set_clock_hz(double hz);
    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    void reset() override;

  private:
    void step();
    void settle(Picoseconds at);
    void begin(std::uint32_t count, Picoseconds at);
    void request_reset(Picoseconds at);
    void update();
    [[nodiscard]] std::uint32_t count(Picoseconds at) const;
    /// Returns the time of so many counts.
    [[nodiscard]] Picoseconds counts(std::uint64_t number) const;

    std::uint64_t hz_ = 100'000'000;
    bool active_ = false, flag_ = false, level_ = false, expired_ = false;
    std::uint32_t start_ = 0, configuration_ = 0;
    Picoseconds started_ = 0;
    sc_core::sc_event next_;
};

}  // namespace n6vp::models
