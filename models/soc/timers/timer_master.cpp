// SPDX-License-Identifier: Apache-2.0
// Trigger outputs of a timer.
#include <utility>

#include "models/soc/timers/timer.h"
#include "models/soc/timers/timer_registers.h"

namespace n6vp::models {

void Timer::listen_to_trigger(bool listens, Picoseconds at) {
    listen(kTrgo, listens, at);
}

void Timer::listen_to_second_trigger(bool listens, Picoseconds at) {
    listen(kTrgo2, listens, at);
}

void Timer::listen(unsigned output, bool listens, Picoseconds at) {
    if (listens == masters_[output].listened) return;
    // What was before is no news for who begins to listen.
    settle(at);
    update_triggers(at);
    masters_[output].listened = listens;
    update(at);
}

void Timer::tell(unsigned output, bool level, Picoseconds at) const {
    if (!masters_[output].listened) return;
    const auto& listener = output == kTrgo ? on_trigger : on_second_trigger;
    if (listener) listener(level, at);
}

unsigned Timer::master_mode(unsigned output) const {
    const std::uint32_t control = get(kTimCr2);
    if (output == kTrgo2) return control >> kTimSecondMaster & 0xF;
    return (control >> kTimMaster & kTimMasterMask) | (control >> kTimMasterTop & 1) << 3;
}

bool Timer::triggers_by(unsigned mode) const {
    return (masters_[kTrgo].listened && master_mode(kTrgo) == mode) ||
           (masters_[kTrgo2].listened && master_mode(kTrgo2) == mode);
}

/// One clock of the timer long, which is shorter than what a trigger starts.
void Timer::pulse(unsigned mode, Picoseconds at) const {
    for (const unsigned output : {kTrgo, kTrgo2}) {
        if (master_mode(output) != mode) continue;
        tell(output, true, at);
        tell(output, false, at);
    }
}

bool Timer::trigger_level(unsigned output) const {
    const unsigned mode = master_mode(output);
    if (mode == kTimMasterEnable) return (get(kTimCr1) & kTimCen) != 0 && !gate_closed();
    if (mode < kTimMasterReference || mode >= kTimMasterEncoder) return false;
    const unsigned channel = mode - kTimMasterReference;
    return compares(channel) && reference(channel);
}

void Timer::update_triggers(Picoseconds at) {
    if (std::exchange(first_met_, false)) pulse(kTimMasterCompare, at);
    for (const unsigned output : {kTrgo, kTrgo2}) {
        const bool level = trigger_level(output);
        if (std::exchange(masters_[output].level, level) != level) tell(output, level, at);
    }
}

std::uint64_t Timer::to_edge() const {
    std::uint64_t ticks = 0;
    for (const unsigned output : {kTrgo, kTrgo2}) {
        const unsigned mode = master_mode(output);
        const bool by_flag = mode == kTimMasterCompare;
        if (!masters_[output].listened || mode < kTimMasterCompare || mode >= kTimMasterEncoder)
            continue;
        const unsigned channel = by_flag ? 0 : mode - kTimMasterReference;
        if (!compares(channel) || (!by_flag && !moves(channel))) continue;
        const std::uint64_t next = to_match(channel);
        if (ticks == 0 || next < ticks) ticks = next;
    }
    return ticks;
}

// What is modelled ---------------------------------------------------------------------------

bool Timer::trigger_known(unsigned output) const {
    const unsigned mode = master_mode(output);
    if (mode == kTimMasterCompare) return layout_.channels != 0;
    if (mode < kTimMasterReference || mode >= kTimMasterEncoder) return true;
    const unsigned channel = mode - kTimMasterReference;
    return channel < layout_.channels && output_mode(channel) <= kTimPwm2;
}

bool Timer::master_known(std::uint32_t value) const {
    const std::uint32_t first = on_trigger ? kTimMasterMask << kTimMaster : 0;
    const std::uint32_t second = on_second_trigger ? kTimMasterMask << kTimSecondMaster : 0;
    const std::uint32_t pins = on_outputs ? kTimXor | kTimIdleLevels : 0;
    return (value & ~(kTimWithUpdate | first | second | pins)) == 0 && trigger_known(kTrgo) &&
           trigger_known(kTrgo2);
}

}  // namespace n6vp::models
