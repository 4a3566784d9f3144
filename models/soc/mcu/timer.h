// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <systemc>

#include "models/picoseconds.h"
#include "models/soc/register_block.h"

namespace n6vp::models::mcu {

/// A timer (TIM2 to TIM7 and the like) as a time base: counts up at the clock over PSC + 1, from 0
/// to ARR.
///
/// Modelled: CR1 (CEN, UDIS, URS, OPM, ARPE, UIFREMAP), preload of PSC and ARR, EGR.UG, SR.UIF,
/// DIER.UIE and the interrupt line, CNT of 16 or 32 bits at any time without drift. ARR = 0 stops
/// the counter.
/// Not modelled: counting down or both ways, capture and compare, repetition, triggers, DMA, break:
/// these registers keep what is written, and a value that switches one of them on answers "not
/// modelled". A change of the clock restarts the clock period under way, as does CEN.
/// Source: registers and bits of the CMSIS device headers (TIM_TypeDef).
class Timer : public sc_core::sc_module, public RegisterBlock {
  public:
    /// `bits`: width of the counter, 16 or 32.
    Timer(const sc_core::sc_module_name& name, const char* block, unsigned bits);
    using RegisterBlock::name;

    std::function<void(bool level)> on_interrupt;

    /// Frequency of the clock in front of PSC from the kernel's time on; 0 stops it (clock gate).
    void set_kernel_hz(double hz);
    /// The same from the absolute time `at` on, for a change by an access ahead of the kernel.
    void set_kernel_hz(double hz, Picoseconds at);

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    void reset() override;

  private:
    void step();
    /// All that the counter does up to `at` has happened.
    void settle(Picoseconds at);
    void count(std::uint64_t ticks);
    /// End of a period, or UG.
    void load();
    void overflow();
    /// The clock under way begins at `at`.
    void restart(Picoseconds at);
    void generate(std::uint32_t events, Picoseconds at);
    void write_control(std::uint32_t next, Picoseconds at);
    void update(Picoseconds at);
    [[nodiscard]] bool running() const;
    [[nodiscard]] std::uint64_t to_wrap() const;
    [[nodiscard]] std::uint32_t& at(std::uint32_t offset) { return held_[offset / 4]; }
    [[nodiscard]] std::uint32_t get(std::uint32_t offset) const { return held_[offset / 4]; }

    const std::uint32_t top_;  ///< largest count
    std::uint64_t hz_ = 0;
    std::array<std::uint32_t, 0x70 / 4> held_{};
    std::uint32_t count_ = 0;
    std::uint32_t prescaler_ = 0, reload_ = 0;  ///< in use; PSC and ARR are their preloads
    Picoseconds origin_ = 0;                    ///< where the clock under way began
    std::uint64_t clocks_ = 0;                  ///< since then, of those that are counted
    std::uint64_t phase_ = 0;                   ///< of them, since the last tick
    bool level_ = false;
    sc_core::sc_event next_;
};

}  // namespace n6vp::models::mcu
