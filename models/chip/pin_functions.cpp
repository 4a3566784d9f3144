// SPDX-License-Identifier: Apache-2.0
#include "models/chip/pin_functions.h"

#include <algorithm>

namespace n6vp::models {

void PinFunctions::add(Gpio& port) {
    port.on_functions = [this, &port](Picoseconds at) { follow_functions(port, at); };
}

void PinFunctions::follow_functions(Gpio& port, Picoseconds at) {
    // A pin is let go by one unit before another one takes it.
    for (const bool takes : {false, true}) {
        for (PinUser* const user : users_) user->follow_functions(port, takes, at);
    }
    // A port without a unit's pin is read without them: firmware polls it.
    const bool looks = std::any_of(users_.begin(), users_.end(),
                                   [&port](const PinUser* user) { return user->is_at(port); });
    if (!looks) {
        port.on_look = nullptr;
    } else if (!port.on_look) {
        port.on_look = [this, &port](Picoseconds time) { return look(port, time); };
    }
}

void PinFunctions::follow_levels(const Gpio& port, std::uint16_t levels, Picoseconds at) {
    for (PinUser* const user : users_) user->follow_levels(port, levels, at);
}

Gpio::Driven PinFunctions::look(const Gpio& port, Picoseconds at) {
    Gpio::Driven all;
    for (PinUser* const user : users_) {
        const Gpio::Driven driven = user->look(port, at);
        all.pins |= driven.pins;
        all.high |= driven.high;
    }
    return all;
}

}  // namespace n6vp::models
