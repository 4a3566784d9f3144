// SPDX-License-Identifier: Apache-2.0
// Outputs and inputs of a timer's channels, and what it does as a slave of its own inputs.
#include <algorithm>
#include <utility>

#include "models/soc/clock_periods.h"
#include "models/soc/timer.h"
#include "models/soc/timer_registers.h"

namespace n6vp::models {

namespace {

/// Bits of a channel's output and of its complementary output.
constexpr std::uint8_t output_bits(unsigned channel) {
    return static_cast<std::uint8_t>(3u << (2 * channel));
}

/// Edges of another timer come at whole picoseconds; none of its periods may be lost by that.
constexpr Picoseconds kRounding = 2;

}  // namespace

// Outputs ------------------------------------------------------------------------------------

unsigned Timer::output_mode(unsigned channel) const {
    const std::uint32_t word = channel_mode(channel);
    return (word >> 4 & 7) | (word >> 13 & 8);
}

bool Timer::reference(unsigned channel) const {
    switch (output_mode(channel)) {
        case kTimForcedInactive:
            return false;
        case kTimForcedActive:
            return true;
        case kTimPwm1:
            return count_ < compare_[channel];
        case kTimPwm2:
            return count_ >= compare_[channel];
        default:
            return (references_ >> channel & 1) != 0;
    }
}

void Timer::hold_references() {
    std::uint32_t levels = 0;
    for (unsigned i = 0; i < layout_.channels; ++i) levels |= (reference(i) ? 1u : 0u) << i;
    references_ = static_cast<std::uint8_t>(levels);
}

void Timer::meet(unsigned channel, std::uint64_t times) {
    const auto bit = static_cast<std::uint8_t>(1u << channel);
    switch (output_mode(channel)) {
        case kTimActive:
            references_ |= bit;
            break;
        case kTimInactive:
            references_ &= static_cast<std::uint8_t>(~bit);
            break;
        case kTimToggle:
            if (times % 2 != 0) references_ ^= bit;
            break;
        default:
            break;
    }
}

/// TIM15 to TIM17 have one complementary output, of channel 1.
bool Timer::complementary(unsigned channel) const {
    return layout_.repetition && channel < (layout_.channels == 4 ? 4u : 1u);
}

Timer::Outputs Timer::levels() const {
    const std::uint32_t break_word = layout_.repetition ? get(kTimBdtr) : kTimMoe;
    const bool main = (break_word & kTimMoe) != 0;
    Outputs result;
    const auto put = [&result](unsigned output, bool high) {
        result.driven |= static_cast<std::uint8_t>(1u << output);
        if (high) result.high |= static_cast<std::uint8_t>(1u << output);
    };
    for (unsigned i = 0; i < layout_.channels; ++i) {
        if (!compares(i)) continue;
        const std::uint32_t bits = get(kTimCcer) >> (4 * i);
        const bool on = (bits & kTimOn) != 0, inverted = (bits & kTimInverted) != 0;
        const bool other_on = complementary(i) && (bits & kTimComplementOn) != 0;
        const bool other_inverted = (bits & kTimComplementInverted) != 0;
        if (!main) {
            if ((break_word & kTimOssi) == 0) continue;
            // Assumed: polarity does not turn idle levels over.
            const std::uint32_t idle = get(kTimCr2) >> (kTimIdleLevel + 2 * i);
            if (on) put(2 * i, (idle & 1) != 0);
            if (other_on) put(2 * i + 1, (idle & 2) != 0);
            continue;
        }
        const bool level = reference(i);
        // OSSR: the one of a pair that is off is held inactive.
        const bool held = (break_word & kTimOssr) != 0 && on != other_on && complementary(i);
        if (on || held) put(2 * i, (on && level) != inverted);
        if (other_on || (held && on)) {
            const bool active = other_on && (on ? !level : level);
            put(2 * i + 1, active != other_inverted);
        }
    }
    return result;
}

Timer::Outputs Timer::outputs(Picoseconds at) {
    settle(at);
    return levels();
}

void Timer::listen_to_outputs(std::uint8_t outputs, Picoseconds at) {
    if (outputs == listened_outputs_) return;
    settle(at);
    listened_outputs_ = outputs;
    update(at);
}

void Timer::update_outputs(Picoseconds at) {
    if (!on_outputs) return;
    Outputs now = levels();
    now.driven &= listened_outputs_;
    now.high &= listened_outputs_;
    if (now == told_) return;
    told_ = now;
    on_outputs(now, at);
}

bool Timer::shows(unsigned channel) const {
    const unsigned mode = output_mode(channel);
    const bool stays = mode == kTimFrozen || mode == kTimForcedInactive || mode == kTimForcedActive;
    return (listened_outputs_ & output_bits(channel)) != 0 && !stays &&
           (levels().driven & output_bits(channel)) != 0;
}

std::optional<Timer::Wave> Timer::wave(unsigned output) const {
    const Outputs now = levels();
    if ((now.driven >> output & 1) == 0) return std::nullopt;
    const Wave still{0, (now.high >> output & 1) != 0 ? 1.0 : 0.0};
    const unsigned channel = output / 2;
    const std::uint64_t period = std::uint64_t{reload_} + 1;
    const std::uint64_t active = std::min<std::uint64_t>(compare_[channel], period);
    // Without MOE, or held by OSSR, its level stays.
    const std::uint32_t on = output % 2 == 0 ? kTimOn : kTimComplementOn;
    const bool follows = (!layout_.repetition || (get(kTimBdtr) & kTimMoe) != 0) &&
                         (get(kTimCcer) >> (4 * channel) & on) != 0;
    if (!running() || !follows) return still;
    const double hz = static_cast<double>(hz_) / static_cast<double>(period) /
                      (static_cast<double>(prescaler_) + 1);
    const unsigned mode = output_mode(channel);
    if (mode == kTimToggle && compare_[channel] <= reload_) return Wave{hz / 2, 0.5};
    if ((mode != kTimPwm1 && mode != kTimPwm2) || active == 0 || active == period) return still;
    const double share = static_cast<double>(active) / static_cast<double>(period);
    // High at its reference's active level or at the other one.
    const bool same = ((now.high >> output & 1) != 0) == reference(channel);
    const bool with_reference = (mode == kTimPwm1) == same;
    return Wave{hz, with_reference ? share : 1 - share};
}

// Inputs -------------------------------------------------------------------------------------

bool Timer::captures(unsigned channel) const {
    return channel < layout_.channels && (channel_mode(channel) & 3) != 0;
}

bool Timer::timer_input(std::uint32_t inputs, unsigned number) const {
    const bool joined = number == 0 && (get(kTimCr2) & kTimXor) != 0;
    if (joined) return ((inputs ^ inputs >> 1 ^ inputs >> 2) & 1) != 0;
    return (inputs >> number & 1) != 0;
}

bool Timer::selects(unsigned channel, bool before, bool after) const {
    const std::uint32_t bits = get(kTimCcer) >> (4 * channel);
    if (before == after) return false;
    const bool both = (bits & kTimInverted) != 0 && (bits & kTimComplementInverted) != 0;
    return both || after != ((bits & kTimInverted) != 0);
}

void Timer::capture(unsigned channel) {
    if (++events_[channel] < 1u << (channel_mode(channel) >> 2 & 3)) return;
    events_[channel] = 0;
    keep_count(channel);
}

void Timer::keep_count(unsigned channel) {
    at(kTimCcr1 + 4 * channel) = compare_[channel] = count_;
    if ((get(kTimSr) & channel_flag(channel)) != 0) at(kTimSr) |= 1u << (kTimOvercapture + channel);
    channel_event(channel);
}

void Timer::forget_events() {
    for (unsigned i = 0; i < layout_.channels; ++i) {
        if ((get(kTimCcer) >> (4 * i) & kTimOn) == 0) events_[i] = 0;
    }
}

/// Software may have looked at a later time already. Flags and toggled outputs of that time stay.
void Timer::go_back(Picoseconds at) {
    if (!running() || at < origin_) return;
    const std::uint64_t clocks = periods_in(at + kRounding - origin_, hz_);
    if (clocks >= clocks_) return;
    const std::uint64_t tick = std::uint64_t{prescaler_} + 1;
    const std::uint64_t period = (std::uint64_t{reload_} + 1) * tick, ahead = clocks_ - clocks;
    std::uint64_t place = count_ * tick + phase_;
    if (place < ahead) place += (ahead - place + period - 1) / period * period;
    place -= ahead;
    count_ = static_cast<std::uint32_t>(place / tick);
    phase_ = place % tick;
    clocks_ = clocks;
}

void Timer::come_to(Picoseconds at) {
    settle(running() ? at + kRounding : at);
    go_back(at);
}

void Timer::input(unsigned channel, bool level, Picoseconds at) {
    const std::uint32_t before = inputs_;
    if ((before >> channel & 1) == (level ? 1u : 0u)) return;
    come_to(at);
    inputs_ ^= static_cast<std::uint8_t>(1u << channel);
    for (unsigned i = 0; i < layout_.channels; ++i) {
        const unsigned selection = channel_mode(i) & 3;
        const bool on = (get(kTimCcer) >> (4 * i) & kTimOn) != 0;
        if (!on || (selection != 1 && selection != 2)) continue;
        const unsigned number = selection == 1 ? i : i ^ 1;
        if (selects(i, timer_input(before, number), timer_input(inputs_, number))) capture(i);
    }
    act_as_slave(before, at);
    update(at);
}

// Slave modes --------------------------------------------------------------------------------

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

void Timer::tick(bool up, Picoseconds at) {
    if ((get(kTimCr1) & kTimCen) == 0 || hz_ == 0 || reload_ == 0) return;
    this->at(kTimCr1) = (get(kTimCr1) & ~kTimDir) | (up ? 0 : kTimDir);
    if (++phase_ <= prescaler_) return;
    phase_ = 0;
    if (up) return count(1);
    if (count_ == 0) {
        overflow(at);
        count_ = reload_;
    } else {
        --count_;
    }
    compare(count_, count_);
}

// What is modelled ---------------------------------------------------------------------------

bool Timer::channel_known(unsigned channel) const {
    const std::uint32_t bits = get(kTimCcer) >> (4 * channel) & 0xF;
    if (bits == 0) return true;
    if (!on_outputs || channel >= layout_.channels) return false;
    // Not the internal trigger as input.
    if (captures(channel))
        return (bits & kTimComplementOn) == 0 && (channel_mode(channel) & 3) != 3;
    const std::uint32_t others = kTimComplementOn | kTimComplementInverted;
    return (complementary(channel) || (bits & others) == 0) && output_mode(channel) <= kTimPwm2;
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
