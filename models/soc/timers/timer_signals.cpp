// SPDX-License-Identifier: Apache-2.0
// Outputs and inputs of a timer's channels.
#include <algorithm>

#include "models/soc/timers/timer.h"
#include "models/soc/timers/timer_registers.h"

namespace n6vp::models {

namespace {

/// Bits of a channel's output and of its complementary output.
constexpr std::uint8_t output_bits(unsigned channel) {
    return static_cast<std::uint8_t>(3u << (2 * channel));
}

}  // namespace

// Outputs ------------------------------------------------------------------------------------

unsigned Timer::output_mode(unsigned channel) const {
    const std::uint32_t word = channel_mode(channel);
    return (word >> 4 & 7) | (word >> 13 & 8);
}

/// Source: reference manuals, OCxM. At ARR the counter that goes both ways is on its way down, at 0
/// on its way up: their figure of that mode has OCxREF active all the time for CCRx = ARR, and
/// never for CCRx = 0.
bool Timer::pulse_width(unsigned channel) const {
    return counts_down() ? count_ <= compare_[channel] : count_ < compare_[channel];
}

bool Timer::reference(unsigned channel) const {
    switch (output_mode(channel)) {
        case kTimForcedInactive:
            return false;
        case kTimForcedActive:
            return true;
        case kTimPwm1:
            return pulse_width(channel);
        case kTimPwm2:
            return !pulse_width(channel);
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

bool Timer::moves(unsigned channel) const {
    const unsigned mode = output_mode(channel);
    return mode != kTimFrozen && mode != kTimForcedInactive && mode != kTimForcedActive;
}

bool Timer::shows(unsigned channel) const {
    return (listened_outputs_ & output_bits(channel)) != 0 && moves(channel) &&
           (levels().driven & output_bits(channel)) != 0;
}

/// Of a counter that goes both ways and meets the channel's value on each.
double Timer::toggle_share(unsigned channel, bool high) const {
    const double below = static_cast<double>(compare_[channel]) / static_cast<double>(reload_);
    return pulse_width(channel) == high ? below : 1 - below;
}

std::optional<Timer::Wave> Timer::wave(unsigned output) const {
    const Outputs now = levels();
    if ((now.driven >> output & 1) == 0) return std::nullopt;
    const Wave still{0, (now.high >> output & 1) != 0 ? 1.0 : 0.0};
    const unsigned channel = output / 2;
    // Of PWM mode 1. A counter that goes both ways meets each of its counts twice.
    const std::uint64_t ticks = period(), below = std::uint64_t{compare_[channel]};
    const std::uint64_t active =
        centred() ? std::min(2 * below, ticks) : std::min(below + (counts_down() ? 1u : 0u), ticks);
    // Without MOE, or held by OSSR, its level stays.
    const std::uint32_t on = output % 2 == 0 ? kTimOn : kTimComplementOn;
    const bool follows = (!layout_.repetition || (get(kTimBdtr) & kTimMoe) != 0) &&
                         (get(kTimCcer) >> (4 * channel) & on) != 0;
    if (!running() || !follows) return still;
    const double hz = static_cast<double>(hz_) / static_cast<double>(ticks) /
                      (static_cast<double>(prescaler_) + 1);
    const unsigned mode = output_mode(channel);
    const bool high = (now.high >> output & 1) != 0;
    if (mode == kTimToggle && compare_[channel] <= reload_) {
        const bool twice = centred() && below != 0 && below != reload_;
        return twice ? Wave{hz, toggle_share(channel, high)} : Wave{hz / 2, 0.5};
    }
    if ((mode != kTimPwm1 && mode != kTimPwm2) || active == 0 || active == ticks) return still;
    const double share = static_cast<double>(active) / static_cast<double>(ticks);
    // High at its reference's active level or at the other one.
    const bool same = high == reference(channel);
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
    mark(channel);
}

bool Timer::has_capture_trigger() const {
    const bool edges = trigger_code(get(kTimSmcr)) == kTimTi1Edges;
    return internal_trigger() || (on_outputs && layout_.channels >= 2 && edges);
}

bool Timer::captures_triggers() const {
    for (unsigned i = 0; i < layout_.channels; ++i) {
        if (captures_trigger(i)) return true;
    }
    return false;
}

bool Timer::captures_trigger(unsigned channel) const {
    const bool on = (get(kTimCcer) >> (4 * channel) & kTimOn) != 0;
    return on && (channel_mode(channel) & 3) == kTimByTrigger;
}

/// Inferred: whatever the polarity of the channel, which is that of its input.
void Timer::capture_trigger() {
    for (unsigned i = 0; i < layout_.channels; ++i) {
        if (captures_trigger(i)) capture(i);
    }
}

void Timer::write_channels(std::uint32_t offset, std::uint32_t next, Picoseconds at) {
    const std::optional<unsigned> source = trigger_source();
    hold_references();
    this->at(offset) = next;
    // Without preload a compare value holds at once.
    if (offset != kTimCcer) {
        for (unsigned i = 0; i < layout_.channels; ++i) write_compare(i);
    }
    forget_events();
    if (trigger_source() != source) follow_trigger_source(at);
}

void Timer::forget_events() {
    for (unsigned i = 0; i < layout_.channels; ++i) {
        if ((get(kTimCcer) >> (4 * i) & kTimOn) == 0) events_[i] = 0;
    }
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
    const bool edges = trigger_code(get(kTimSmcr)) == kTimTi1Edges;
    if (edges && timer_input(before, 0) != timer_input(inputs_, 0)) capture_trigger();
    act_as_slave(before, at);
    update(at);
}

// What is modelled ---------------------------------------------------------------------------

bool Timer::channel_known(unsigned channel) const {
    const std::uint32_t bits = get(kTimCcer) >> (4 * channel) & 0xF;
    if (bits == 0) return true;
    if (!on_outputs || channel >= layout_.channels) return false;
    if (captures(channel)) {
        const bool without = captures_trigger(channel) && !has_capture_trigger();
        return (bits & kTimComplementOn) == 0 && !without;
    }
    const std::uint32_t others = kTimComplementOn | kTimComplementInverted;
    return (complementary(channel) || (bits & others) == 0) && output_mode(channel) <= kTimPwm2;
}

}  // namespace n6vp::models
