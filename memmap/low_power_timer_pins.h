// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::memmap {

enum class LowPowerTimerSignal : std::uint8_t {
    In1,
    Etr,
    Ch1,  ///< OUT of LPTIM4 and LPTIM5
    Ch2,
};

/// A pin whose alternate function is a signal of a low-power timer.
struct LowPowerTimerPin {
    char port;  ///< 'A' to 'Q'
    std::uint8_t pin, function;
    std::uint8_t timer;  ///< 1 to 5
    LowPowerTimerSignal signal;
};

/// Source: pin data of the STM32N6 that the vendor publishes (STM32_open_pin_data). Input 2, which
/// only encoders use, is left out.
inline constexpr LowPowerTimerPin kLowPowerTimerPins[] = {
    {'E', 4, 1, 1, LowPowerTimerSignal::In1},  {'G', 13, 1, 1, LowPowerTimerSignal::In1},
    {'E', 0, 1, 1, LowPowerTimerSignal::Etr},  {'G', 14, 1, 1, LowPowerTimerSignal::Etr},
    {'B', 13, 1, 1, LowPowerTimerSignal::Ch1}, {'D', 13, 1, 1, LowPowerTimerSignal::Ch1},
    {'B', 14, 1, 1, LowPowerTimerSignal::Ch2}, {'F', 1, 1, 1, LowPowerTimerSignal::Ch2},
    {'B', 10, 3, 2, LowPowerTimerSignal::In1}, {'G', 13, 3, 2, LowPowerTimerSignal::In1},
    {'B', 11, 3, 2, LowPowerTimerSignal::Etr}, {'E', 0, 3, 2, LowPowerTimerSignal::Etr},
    {'F', 1, 3, 2, LowPowerTimerSignal::Ch1},  {'G', 10, 3, 2, LowPowerTimerSignal::Ch1},
    {'C', 4, 3, 2, LowPowerTimerSignal::Ch2},  {'E', 1, 3, 2, LowPowerTimerSignal::Ch2},
    {'A', 1, 3, 3, LowPowerTimerSignal::In1},  {'A', 6, 3, 3, LowPowerTimerSignal::Etr},
    {'F', 6, 3, 3, LowPowerTimerSignal::Ch1},  {'F', 4, 3, 3, LowPowerTimerSignal::Ch2},
    {'C', 0, 3, 4, LowPowerTimerSignal::In1},  {'B', 4, 3, 4, LowPowerTimerSignal::Etr},
    {'B', 5, 3, 4, LowPowerTimerSignal::Ch1},  {'E', 2, 1, 5, LowPowerTimerSignal::In1},
    {'E', 3, 1, 5, LowPowerTimerSignal::Etr},  {'F', 0, 1, 5, LowPowerTimerSignal::Ch1},
};

}  // namespace n6vp::memmap
