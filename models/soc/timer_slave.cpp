// SPDX-License-Identifier: Apache-2.0
// What a timer does as a slave of its own inputs and of other timers.
#include "models/soc/timer.h"
#include "models/soc/timer_registers.h"

namespace n6vp::models {

unsigned Timer::slave_mode() const {
    const std::uint32_t slave = get(kTimSmcr);
    return (slave & 7) | (slave >> 13 & 8);
}

bool Timer::filtered(std::uint32_t inputs, unsigned channel) const {
    const bool inverted = (get(kTimCcer) >> (4 * channel) & kTimInverted) != 0;
    return timer_input(inputs, channel) != inverted;
}

std::optional<unsigned> Timer::internal_trigger() const {
    const unsigned code = trigger_code(get(kTimSmcr));
    if (layout_.channels < 2 || (code >= kTimTi1Edges && code < kTimLaterTriggers))
        return std::nullopt;
    const unsigned number =
        code < kTimTi1Edges ? code : code - kTimLaterTriggers + kTimFirstLaterTrigger;
    if ((triggers >> number & 1) == 0) return std::nullopt;
    return number;
}

bool Timer::has_trigger() const {
    if (internal_trigger()) return true;
    if (!on_outputs || layout_.channels < 2) return false;
    const unsigned source = trigger_code(get(kTimSmcr));
    return source >= kTimTi1Edges && source <= kTimTi2;
}

/// The level of TRGI; TI1F_ED is pulses.
bool Timer::trigger_input(std::uint32_t inputs) const {
    if (internal_trigger()) return internal_level_;
    const unsigned source = trigger_code(get(kTimSmcr));
    return source != kTimTi1Edges && filtered(inputs, source - kTimTi1);
}

bool Timer::gate_closed() const {
    return slave_mode() == kTimGated && has_trigger() && !trigger_input(inputs_);
}

void Timer::act_as_slave(std::uint32_t before, Picoseconds at) {
    const unsigned mode = slave_mode();
    if (mode >= kTimEncoderTi1 && mode <= kTimEncoderBoth) return follow_encoder(before, at);
    if (mode == 0 || mode > kTimResetAndTrigger || !has_trigger() || internal_trigger()) return;
    const unsigned source = trigger_code(get(kTimSmcr));
    const unsigned channel = source == kTimTi1Edges ? 0 : source - kTimTi1;
    const bool input_before = timer_input(before, channel);
    const bool input_now = timer_input(inputs_, channel);
    bool acts = input_before != input_now;
    if (mode == kTimGated) {
        acts = trigger_input(before) != trigger_input(inputs_);
    } else if (source != kTimTi1Edges) {
        acts = selects(channel, input_before, input_now);
    }
    if (acts) react(at);
}

void Timer::react(Picoseconds at) {
    const unsigned mode = slave_mode();
    this->at(kTimSr) |= kTimTif;
    if (mode == kTimExternalClock) return tick(true, at);
    if (mode == kTimSlaveReset || mode == kTimResetAndTrigger) generate(kTimUg, at);
    if (mode == kTimTrigger || mode == kTimResetAndTrigger)
        write_control(get(kTimCr1) | kTimCen, at);
}

std::optional<unsigned> Timer::trigger_source() const {
    const unsigned mode = slave_mode();
    if (mode < kTimSlaveReset || mode > kTimResetAndTrigger) return std::nullopt;
    return internal_trigger();
}

void Timer::follow_trigger_source(Picoseconds at) {
    if (on_trigger_source) internal_level_ = on_trigger_source(at);
}

void Timer::trigger(bool level, Picoseconds at) {
    if (busy_ || level == internal_level_) return;
    come_to(at);
    internal_level_ = level;
    if (level || slave_mode() == kTimGated) {
        busy_ = true;
        react(at);
        busy_ = false;
    }
    update(at);
}

/// Source of the directions: table of the reference manuals, counting direction by encoder signals.
void Timer::follow_encoder(std::uint32_t before, Picoseconds at) {
    if (!on_outputs || layout_.channels < 2) return;
    const unsigned mode = slave_mode();
    const bool first = filtered(inputs_, 0), second = filtered(inputs_, 1);
    const bool first_moves = first != filtered(before, 0);
    const bool second_moves = second != filtered(before, 1);
    if (first_moves && mode != kTimEncoderTi2) return tick(first != second, at);
    if (second_moves && mode != kTimEncoderTi1) tick(second == first, at);
}

bool Timer::slave_known(std::uint32_t value) const {
    if (value == 0) return true;
    if ((!on_outputs && triggers == 0) || (value & kTimEce) != 0) return false;
    const unsigned mode = slave_mode();
    if (mode >= kTimEncoderTi1 && mode <= kTimEncoderBoth)
        return static_cast<bool>(on_outputs) && layout_.channels >= 2;
    return mode == 0 || (mode <= kTimResetAndTrigger && has_trigger());
}

}  // namespace n6vp::models
