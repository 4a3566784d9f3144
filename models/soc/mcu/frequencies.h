// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "memmap/chips/chip.h"
#include "models/parameter.h"

namespace n6vp::models::mcu {

/// RC oscillators of fixed frequency, in Hz.
constexpr double kHsi16 = 16e6;  ///< STM32L4, U5, F7
constexpr double kHsi64 = 64e6;  ///< STM32H7
constexpr double kMsik = 4e6;    ///< STM32U5, of reset: its range is not modelled

/// Sources of the clock tree. `hse` is of the board: the supported boards clock from HSI or MSI.
struct OscillatorParameters {
    Parameter hse{"hse", 8, "MHz", Confidence::Assumed, "crystal or clock of the debug probe"};
    Parameter lse{"lse", 32.768, "kHz", Confidence::Documented, "crystal"};
    Parameter lsi{"lsi", 32, "kHz", Confidence::Documented, "device header: LSI_VALUE"};
    Parameter csi{"csi", 4, "MHz", Confidence::Documented, "device header: CSI_VALUE"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.hse);
        function(self.lse);
        function(self.lsi);
        function(self.csi);
    }
};

/// Frequencies in Hz that the registers of RCC ask for; 0: no such bus, or an illegal divider.
struct Frequencies {
    double system = 0;              ///< behind the switch
    double core = 0;                ///< of the processor
    double hclk = 0;                ///< AHB (AXI on the H7)
    std::array<double, 4> pclk{};   ///< APB1 to APB4
    std::array<double, 2> timer{};  ///< timers of APB1 and APB2

    friend bool operator==(const Frequencies&, const Frequencies&) = default;
};

/// Returns the value of the register at an offset in RCC.
using RccRegisters = std::function<std::uint32_t(std::uint32_t offset)>;

/// Returns the frequency of a source of the system clock, by its code in SW; 0 for an illegal one.
/// Does not look at ready bits.
[[nodiscard]] double source_hz(const memmap::Chip& chip, const RccRegisters& registers,
                               const OscillatorParameters& oscillators, std::uint32_t code);

/// Returns all frequencies while the system clock has the source `code`.
[[nodiscard]] Frequencies frequencies(const memmap::Chip& chip, const RccRegisters& registers,
                                      const OscillatorParameters& oscillators, std::uint32_t code);

}  // namespace n6vp::models::mcu
