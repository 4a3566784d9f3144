// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "memmap/chips/chip.h"
#include "models/soc/mcu/frequencies.h"
#include "models/soc/mcu/set_up_block.h"

namespace n6vp::models::mcu {

/// Reset and clock control of the STM32L4, U5, F7 and H7.
///
/// Modelled: registers with their reset values; ready flags that follow the enables of oscillators
/// and PLLs after `FlagTimes`; the switch of the system clock, which waits for the ready flag of
/// its new source and then shows it in SWS; the frequencies that PLL 1 and prescalers make; gates
/// of the peripherals, and the switches of whole buses of the U5 (AHBxDIS, APBxDIS), which leave
/// RCC itself, flash interface, caches and IWDG running. Not modelled: resets of single peripherals
/// (xxxRST), clock security, interrupts, low-power modes, PLL 2, PLL 3 and SAI PLLs beside their
/// ready flags, a source that is switched off while in use (its clock stays). Sources: CMSIS device
/// headers and SVD files; HAL drivers for polled flags; the STM32U5 SVD for what a bus switch
/// spares.
class Rcc : public SetUpBlock {
  public:
    /// Throws std::logic_error for a chip without a table of RCC.
    Rcc(const memmap::Chip& chip, const char* name, const OscillatorParameters& oscillators = {},
        const FlagTimes& times = {});

    /// Called when a frequency has changed, with the absolute time.
    std::function<void(const Frequencies&, Picoseconds at)> on_frequencies;

    [[nodiscard]] const Frequencies& frequencies() const { return frequencies_; }
    /// Returns true if the clock of the peripheral's registers runs.
    [[nodiscard]] bool clocked(const memmap::ChipPeripheral& peripheral) const;
    /// Returns the clock that a peripheral counts by: of the timers for TIMx; for a serial port
    /// what its selection in RCC states (0: a source that is not modelled); else of its bus.
    [[nodiscard]] double kernel_hz(const memmap::ChipPeripheral& peripheral) const;

    void reset() override;

  private:
    struct Switch {
        std::uint32_t offset;        ///< of the register with SW and SWS
        unsigned width, status_lsb;  ///< SW starts at bit 0
        std::uint32_t ready[4];      ///< bit of CR, by code
    };
    [[nodiscard]] static const Switch& switch_of(memmap::ChipFamily family);
    [[nodiscard]] bool ready(std::uint32_t code) const;
    /// The switch and the frequencies follow what the registers ask for.
    void accessed(Picoseconds at) override;
    [[nodiscard]] Frequencies compute() const;

    const memmap::Chip& chip_;
    const OscillatorParameters oscillators_;
    const Switch& switch_;
    std::uint32_t source_ = 0;  ///< code of the clock in use
    Frequencies frequencies_;
};

}  // namespace n6vp::models::mcu
