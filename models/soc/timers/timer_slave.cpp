// SPDX-License-Identifier: Apache-2.0
// What a timer does as a slave of its own inputs and of other timers.
#include <utility>

#include "models/soc/base/clock_periods.h"
#include "models/soc/timers/timer.h"
#include "models/soc/timers/timer_registers.h"

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
    if (source == kTimEtrf) return has_external_trigger();
    return source >= kTimTi1Edges && source <= kTimTi2;
}

/// The level of TRGI; TI1F_ED is pulses.
bool Timer::trigger_input(std::uint32_t inputs) const {
    if (internal_trigger()) return internal_level_;
    const unsigned source = trigger_code(get(kTimSmcr));
    if (source == kTimEtrf) return etrf_;
    return source != kTimTi1Edges && filtered(inputs, source - kTimTi1);
}

bool Timer::gate_closed() const {
    return slave_mode() == kTimGated && has_trigger() && !trigger_input(inputs_);
}

void Timer::act_as_slave(std::uint32_t before, Picoseconds at) {
    const unsigned mode = slave_mode();
    if (mode >= kTimEncoderTi1 && mode <= kTimEncoderBoth) return follow_encoder(before);
    const unsigned source = trigger_code(get(kTimSmcr));
    if (!obeys_trigger() || source < kTimTi1Edges || source > kTimTi2) return;
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

/// With external clock mode 2, too, ETRF is the clock of mode 1.
bool Timer::obeys_trigger() const {
    const unsigned mode = slave_mode();
    if (mode == kTimExternalClock && (get(kTimSmcr) & kTimEce) != 0) return false;
    return mode >= kTimSlaveReset && mode <= kTimResetAndTrigger && has_trigger();
}

void Timer::react(Picoseconds at) {
    const unsigned mode = slave_mode();
    this->at(kTimSr) |= kTimTif;
    if (mode == kTimExternalClock) return tick();
    if (mode == kTimSlaveReset || mode == kTimResetAndTrigger) generate(kTimUg, at);
    if (mode == kTimTrigger || mode == kTimResetAndTrigger)
        write_control(get(kTimCr1) | kTimCen, at);
}

std::optional<unsigned> Timer::trigger_source() const {
    const unsigned mode = slave_mode();
    const bool slave = mode >= kTimSlaveReset && mode <= kTimResetAndTrigger;
    if (!slave && !captures_triggers()) return std::nullopt;
    return internal_trigger();
}

void Timer::follow_trigger_source(Picoseconds at) {
    if (on_trigger_source) internal_level_ = on_trigger_source(at);
}

void Timer::trigger(bool level, Picoseconds at) {
    if (busy_ || level == internal_level_) return;
    come_to(at);
    internal_level_ = level;
    if (level) capture_trigger();
    if ((level || slave_mode() == kTimGated) && obeys_trigger()) {
        busy_ = true;
        react(at);
        busy_ = false;
    }
    update(at);
}

bool Timer::encodes() const {
    const unsigned mode = slave_mode();
    return mode != kTimExternalClock && (kTimExternalModes >> mode & 1) != 0;
}

void Timer::encode(bool up) {
    if ((get(kTimCr1) & kTimCen) == 0 || hz_ == 0 || reload_ == 0) return;
    this->at(kTimCr1) = (get(kTimCr1) & ~kTimDir) | (up ? 0 : kTimDir);
    tick();
}

/// Source of the directions: table of the reference manuals, counting direction by encoder signals.
void Timer::follow_encoder(std::uint32_t before) {
    if (!on_outputs || layout_.channels < 2) return;
    const unsigned mode = slave_mode();
    const bool first = filtered(inputs_, 0), second = filtered(inputs_, 1);
    const bool first_moves = first != filtered(before, 0);
    const bool second_moves = second != filtered(before, 1);
    if (first_moves && mode != kTimEncoderTi2) return encode(first != second);
    if (second_moves && mode != kTimEncoderTi1) encode(second == first);
}

// External trigger ---------------------------------------------------------------------------

bool Timer::has_external_pin() const {
    return on_outputs && layout_.channels == 4;
}

bool Timer::has_external_trigger() const {
    return has_external_pin() && (get(kTimAf1) & kTimTriggerSelection) == 0;
}

void Timer::write_slave(std::uint32_t offset, std::uint32_t next, Picoseconds at) {
    const std::uint32_t settings = offset == kTimAf1 ? kTimTriggerSelection : kTimExternalTrigger;
    const bool changes = ((get(offset) ^ next) & settings) != 0;
    this->at(offset) = next;
    if (changes) restart_external_trigger();
    turn_at_ends();
    follow_trigger_source(at);
}

/// Assumed: a change of the settings is no edge.
void Timer::restart_external_trigger() {
    const std::uint32_t slave = get(kTimSmcr);
    const bool inverted = (slave & kTimEtp) != 0, divides = (slave >> kTimEtps & 3) != 0;
    external_edges_ = 0;
    etrf_ = divided_ = !divides && has_external_trigger() && external_pin_ != inverted;
    filter_end_.cancel();
}

/// Inferred from the prescaler of captures: the last edge of each two, four or eight is the one
/// that goes on. Assumed: the level behind it stays for half of them.
void Timer::prescale(bool level) {
    const unsigned edges = 1u << (get(kTimSmcr) >> kTimEtps & 3);
    if (edges == 1) {
        divided_ = level;
    } else if (level) {
        external_edges_ = (external_edges_ + 1) % edges;
        if (external_edges_ % (edges / 2) == 0) divided_ = external_edges_ == 0;
    }
}

/// Source: table of ETF in the reference manuals, samples of the same level and their clock. The
/// first sample is assumed to be that of the edge.
Picoseconds Timer::filter_time() const {
    struct Filter {
        std::uint8_t samples, divider;
        bool of_dts;
    };
    constexpr std::array<Filter, 16> kFilters{{{0, 1, false},
                                               {2, 1, false},
                                               {4, 1, false},
                                               {8, 1, false},
                                               {6, 2, true},
                                               {8, 2, true},
                                               {6, 4, true},
                                               {8, 4, true},
                                               {6, 8, true},
                                               {8, 8, true},
                                               {5, 16, true},
                                               {6, 16, true},
                                               {8, 16, true},
                                               {5, 32, true},
                                               {6, 32, true},
                                               {8, 32, true}}};
    const Filter& filter = kFilters[get(kTimSmcr) >> kTimEtf & 0xF];
    const unsigned division = filter.of_dts ? get(kTimCr1) >> kTimClockDivision & 3 : 0;
    if (hz_ == 0) return 0;
    return periods_to_ps(std::uint64_t{filter.samples} * filter.divider << division, hz_);
}

void Timer::external_trigger(bool level, Picoseconds at) {
    if (level == std::exchange(external_pin_, level) || !has_external_trigger()) return;
    const bool before = divided_;
    prescale(level != ((get(kTimSmcr) & kTimEtp) != 0));
    if (divided_ == before) return;
    const Picoseconds delay = filter_time();
    if (delay == 0) return set_etrf(divided_, at);
    // A level that does not stay is lost.
    filter_end_.cancel();
    if (divided_ != etrf_) filter_end_.notify(delay_until(at + delay));
}

void Timer::filter_step() {
    set_etrf(divided_, sc_core::sc_time_stamp().value());
}

void Timer::set_etrf(bool level, Picoseconds at) {
    if (level == etrf_) return;
    come_to(at);
    etrf_ = level;
    const std::uint32_t slave = get(kTimSmcr);
    if (level && (slave & kTimEce) != 0) tick();
    const bool acts = level || slave_mode() == kTimGated;
    if (acts && trigger_code(slave) == kTimEtrf && obeys_trigger()) react(at);
    update(at);
}

// What is modelled ---------------------------------------------------------------------------

bool Timer::slave_known(std::uint32_t value) const {
    if (captures_triggers() && !has_capture_trigger()) return false;
    if (value == 0) return true;
    if (!on_outputs && triggers == 0) return false;
    const bool second = (value & kTimEce) != 0;
    if (second && !has_external_trigger()) return false;
    const unsigned mode = slave_mode();
    if (mode >= kTimEncoderTi1 && mode <= kTimEncoderBoth)
        return static_cast<bool>(on_outputs) && layout_.channels >= 2 && !second;
    if (mode == 0 || (mode == kTimExternalClock && second)) return true;
    // ETRF is not clock and trigger at once; source: reference manuals, ECE.
    if (second && trigger_code(value) == kTimEtrf) return false;
    return mode <= kTimResetAndTrigger && has_trigger();
}

}  // namespace n6vp::models
