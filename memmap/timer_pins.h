// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::memmap {

/// A pin whose alternate function is the channel of a timer.
struct TimerPin {
    char port;  ///< 'A' to 'Q'
    std::uint8_t pin, function;
    std::uint8_t timer;    ///< 1 to 17
    std::uint8_t channel;  ///< 1 to 4
    bool complementary;    ///< CHxN
};

/// A pin whose alternate function is the external trigger (ETR) of a timer.
struct TimerTriggerPin {
    char port;
    std::uint8_t pin, function;
    std::uint8_t timer;
};

/// Source: pin data that the vendor publishes for its configuration tool (STM32N6, GPIO modes).
inline constexpr TimerTriggerPin kTimerTriggerPins[] = {
    {'A', 12, 1, 1}, {'D', 0, 1, 1}, {'D', 10, 1, 1}, {'E', 7, 1, 1},  {'F', 5, 1, 1},
    {'G', 5, 1, 1},  {'H', 2, 1, 1}, {'A', 5, 2, 2},  {'A', 15, 2, 2}, {'H', 2, 2, 3},
    {'E', 0, 2, 4},  {'F', 4, 2, 5}, {'Q', 0, 2, 8},
};

/// Source: pin definitions of the STM32N657 in public device trees.
inline constexpr TimerPin kTimerPins[] = {
    {'A', 8, 1, 1, 1, false},   {'B', 2, 1, 1, 1, false},   {'C', 6, 1, 1, 1, false},
    {'D', 6, 1, 1, 1, false},   {'E', 9, 1, 1, 1, false},   {'A', 7, 1, 1, 1, true},
    {'E', 8, 1, 1, 1, true},    {'G', 10, 1, 1, 1, true},   {'A', 9, 1, 1, 2, false},
    {'D', 7, 1, 1, 2, false},   {'E', 11, 1, 1, 2, false},  {'C', 4, 1, 1, 2, true},
    {'E', 2, 13, 1, 2, true},   {'E', 10, 1, 1, 2, true},   {'F', 7, 1, 1, 2, true},
    {'A', 10, 1, 1, 3, false},  {'D', 2, 1, 1, 3, false},   {'E', 13, 1, 1, 3, false},
    {'F', 6, 13, 1, 3, false},  {'B', 1, 1, 1, 3, true},    {'E', 12, 1, 1, 3, true},
    {'F', 2, 1, 1, 3, true},    {'G', 8, 1, 1, 3, true},    {'A', 11, 1, 1, 4, false},
    {'B', 0, 1, 1, 4, false},   {'C', 12, 1, 1, 4, false},  {'E', 14, 1, 1, 4, false},
    {'G', 15, 1, 1, 4, false},  {'B', 3, 1, 1, 4, true},    {'D', 5, 1, 1, 4, true},
    {'G', 0, 1, 1, 4, true},    {'A', 0, 1, 2, 1, false},   {'A', 5, 1, 2, 1, false},
    {'A', 15, 1, 2, 1, false},  {'A', 1, 1, 2, 2, false},   {'C', 0, 1, 2, 2, false},
    {'F', 14, 1, 2, 2, false},  {'A', 2, 1, 2, 3, false},   {'B', 10, 1, 2, 3, false},
    {'B', 11, 1, 2, 4, false},  {'F', 6, 1, 2, 4, false},   {'A', 6, 2, 3, 1, false},
    {'B', 4, 2, 3, 1, false},   {'C', 6, 2, 3, 1, false},   {'A', 7, 2, 3, 2, false},
    {'B', 5, 2, 3, 2, false},   {'C', 7, 2, 3, 2, false},   {'C', 8, 2, 3, 3, false},
    {'F', 7, 2, 3, 3, false},   {'B', 1, 2, 3, 4, false},   {'C', 9, 2, 3, 4, false},
    {'E', 5, 2, 4, 1, false},   {'G', 13, 2, 4, 1, false},  {'D', 13, 2, 4, 2, false},
    {'E', 6, 2, 4, 2, false},   {'F', 1, 2, 4, 3, false},   {'H', 9, 2, 4, 3, false},
    {'C', 1, 2, 4, 4, false},   {'F', 0, 2, 4, 4, false},   {'A', 0, 2, 5, 1, false},
    {'A', 1, 2, 5, 2, false},   {'A', 2, 2, 5, 3, false},   {'F', 6, 2, 5, 4, false},
    {'Q', 3, 2, 8, 1, false},   {'Q', 4, 2, 8, 1, true},    {'Q', 5, 2, 8, 2, false},
    {'Q', 6, 2, 8, 2, true},    {'Q', 7, 2, 8, 3, false},   {'B', 13, 2, 8, 3, true},
    {'G', 14, 2, 8, 4, false},  {'B', 14, 2, 8, 4, true},   {'A', 0, 3, 9, 1, false},
    {'C', 6, 3, 9, 1, false},   {'F', 7, 3, 9, 1, false},   {'A', 5, 3, 9, 2, false},
    {'B', 1, 3, 9, 2, false},   {'C', 7, 3, 9, 2, false},   {'A', 5, 10, 10, 1, false},
    {'A', 8, 9, 11, 1, false},  {'C', 4, 2, 12, 1, false},  {'G', 0, 2, 12, 1, false},
    {'G', 8, 2, 12, 2, false},  {'A', 6, 10, 13, 1, false}, {'G', 1, 10, 13, 1, false},
    {'A', 7, 11, 14, 1, false}, {'G', 2, 11, 14, 1, false}, {'A', 2, 4, 15, 1, false},
    {'B', 6, 7, 15, 1, false},  {'C', 12, 4, 15, 1, false}, {'A', 1, 4, 15, 1, true},
    {'B', 0, 7, 15, 1, true},   {'D', 2, 7, 15, 1, true},   {'D', 7, 4, 15, 1, true},
    {'B', 7, 7, 15, 2, false},  {'D', 6, 4, 15, 2, false},  {'F', 6, 4, 15, 2, false},
    {'A', 3, 1, 16, 1, false},  {'H', 9, 1, 16, 1, false},  {'C', 7, 1, 16, 1, true},
    {'E', 5, 1, 16, 1, true},   {'G', 1, 1, 16, 1, true},   {'C', 1, 1, 17, 1, false},
    {'G', 12, 1, 17, 1, false}, {'E', 6, 1, 17, 1, true},   {'G', 2, 1, 17, 1, true},
};

}  // namespace n6vp::memmap
