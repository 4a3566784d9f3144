// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/soc/register_block.h"

namespace n6vp::models::mcu_chip {

/// A timer that counts up.
///
/// Modelled: CR1.CEN, PSC, ARR, CNT, EGR.UG, the update flag in SR.
/// Not modelled: interrupts, DMA, channels, other directions and modes, preload of ARR (a write
/// takes effect at once; PSC is preloaded as on the chip).
class Timer : public RegisterBlock {
  public:
    Timer(const char* name, unsigned bits);

    /// Frequency of the counter before its prescaler, from now on.
    void set_kernel_hz(double hz, Picoseconds at);

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    void reset() override;

  private:
    static constexpr std::uint32_t kRegisters = 32;

    /// Brings the counter up to date.
    void settle(Picoseconds at);
    [[nodiscard]] std::uint64_t period() const;

    std::uint32_t limit_;  ///< all ones of its width
    double hz_ = 0;
    std::array<std::uint32_t, kRegisters> held_{};
    std::uint32_t divider_ = 1;  ///< PSC in use
    std::uint64_t count_ = 0;
    Picoseconds counted_to_ = 0;
    double remainder_ = 0;  ///< part of a tick since then
};

}  // namespace n6vp::models::mcu_chip
