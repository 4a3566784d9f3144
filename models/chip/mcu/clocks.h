// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "memmap/chips/chip.h"
#include "models/parameter.h"

namespace n6vp::models::mcu_chip {

struct OscillatorParameters {
    Parameter hse{"hse", 8, kMegahertz, Confidence::Assumed,
                  "crystal or clock input of the board: 8 MHz from the probe of Nucleo boards"};
    Parameter csi{"csi", 4, kMegahertz, Confidence::Documented,
                  "device header of the H7: CSI_VALUE"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.hse);
        function(self.csi);
    }
};

/// In Hz. `apb` and `timer` are by number of the bus, 1 to 4; H7: 4 is the bus of the third domain.
struct Frequencies {
    double system = 0, core = 0, bus = 0;
    double apb[5] = {}, timer[5] = {};
    double hsi = 0;  ///< as kernel clock of serial ports
};

/// Returns a bit field.
[[nodiscard]] constexpr std::uint32_t field(std::uint32_t value, unsigned position,
                                            unsigned width) {
    return (value >> position) & ((1u << width) - 1);
}

/// Returns what a register of RCC holds.
using RccReader = std::function<std::uint32_t(std::uint32_t offset)>;

/// Computes the frequencies from the registers of RCC: oscillator or main PLL, and prescalers.
/// Not modelled: other PLLs, TIMPRE, spread spectrum, trimming, oscillators that need time.
[[nodiscard]] Frequencies frequencies(memmap::ChipFamily family, const RccReader& rcc,
                                      const OscillatorParameters& oscillators = {});

/// Returns the number of the APB that the peripheral at `base` is on, 0 for AHB.
[[nodiscard]] unsigned apb_of(memmap::ChipFamily family, std::uint32_t base);

/// Returns the kernel clock of a serial port: its APB clock or, where a selection of USART1 or
/// LPUART1 (L4, U5) says so, the system clock or HSI16. Not modelled: other selections, which give
/// the APB clock.
[[nodiscard]] double serial_kernel_hz(memmap::ChipFamily family, const memmap::ChipPeripheral& port,
                                      const RccReader& rcc, const Frequencies& clocks);

}  // namespace n6vp::models::mcu_chip
