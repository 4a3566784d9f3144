// SPDX-License-Identifier: Apache-2.0
#include "sim/run/board_setup.h"

#include <algorithm>

namespace n6vp::sim {

namespace {

struct Led {
    std::string_view board, label, port;
    unsigned number;
    bool lit_low;
};
/// Source: board support packages of STM32N6570-DK and NUCLEO-N657X0-Q.
constexpr Led kLeds[] = {{"dk", "LED1 green", "GPIOO", 1, false},
                         {"dk", "LED2 red", "GPIOG", 10, true},
                         {"nucleo", "LED1 blue", "GPIOG", 8, true},
                         {"nucleo", "LED2 red", "GPIOG", 10, true},
                         {"nucleo", "LED3 green", "GPIOG", 0, true}};

}  // namespace

void BoardSetup::watch_leds(std::string_view board) {
    for (const Led& led : kLeds) {
        if (led.board != board) continue;
        auto pin = std::find_if(pins.begin(), pins.end(), [&led](const Pin& each) {
            return each.port == led.port && each.number == led.number;
        });
        if (pin == pins.end()) {
            Pin added;
            added.port = led.port;
            added.number = led.number;
            pin = pins.insert(pins.end(), added);
        }
        pin->watch = true;
        pin->label = led.label;
        pin->lit_low = led.lit_low;
    }
}

}  // namespace n6vp::sim
