// SPDX-License-Identifier: Apache-2.0
// Trigger outputs of a timer.
#include <utility>

#include "models/soc/timer.h"
#include "models/soc/timer_registers.h"

namespace n6vp::models {

void Timer::listen_to_trigger(bool listens, Picoseconds at) {
    if (listens == listened_) return;
    // What was before is no news for who begins to listen.
    settle(at);
    update_trigger(at);
    listened_ = listens;
    update(at);
}

bool Timer::triggers_at_update() const {
    return listened_ && (get(kTimCr2) >> kTimMaster & kTimMasterMask) == kTimMasterUpdate;
}

/// One clock of the timer long, which is shorter than what a trigger starts.
void Timer::pulse(Picoseconds at) {
    if (!on_trigger) return;
    on_trigger(true, at);
    on_trigger(false, at);
}

void Timer::update_trigger(Picoseconds at) {
    const bool level = (get(kTimCr2) >> kTimMaster & kTimMasterMask) == kTimMasterEnable &&
                       (get(kTimCr1) & kTimCen) != 0 && !gate_closed();
    if (std::exchange(trigger_level_, level) != level && listened_ && on_trigger)
        on_trigger(level, at);
}

}  // namespace n6vp::models
