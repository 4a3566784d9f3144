// SPDX-License-Identifier: Apache-2.0
// The counter of a timer: its periods, what it meets on its way, and when.
#include <algorithm>
#include <utility>

#include "models/soc/clock_periods.h"
#include "models/soc/timer.h"
#include "models/soc/timer_registers.h"

namespace n6vp::models {

namespace {

/// Edges of another timer come at whole picoseconds; none of its periods may be lost by that.
constexpr Picoseconds kRounding = 2;

}  // namespace

void Timer::restart(Picoseconds at) {
    origin_ = at;
    clocks_ = phase_ = 0;
}

bool Timer::running() const {
    return (get(kTimCr1) & kTimCen) != 0 && hz_ != 0 && reload_ != 0 && !clocked_outside() &&
           !gate_closed();
}

bool Timer::clocked_outside() const {
    return (kTimExternalModes >> slave_mode() & 1) != 0 || (get(kTimSmcr) & kTimEce) != 0;
}

/// A count beyond ARR goes on to the end of the register.
std::uint64_t Timer::to_wrap() const {
    return std::uint64_t{count_ <= reload_ ? reload_ : top_} - count_ + 1;
}

void Timer::load() {
    prescaler_ = get(kTimPsc);
    reload_ = get(kTimArr);
    for (unsigned i = 0; i < layout_.channels; ++i) compare_[i] = get(kTimCcr1 + 4 * i);
    repetitions_ = layout_.repetition ? get(kTimRcr) : 0;
}

void Timer::overflow(Picoseconds at) {
    if (repetitions_ != 0) {
        --repetitions_;
        return;
    }
    if ((get(kTimCr1) & kTimUdis) == 0) {
        this->at(kTimSr) |= kTimUif;
        load();
        ask_for_update();
        pulse(kTimMasterUpdate, at);
    }
    if ((get(kTimCr1) & kTimOpm) != 0) this->at(kTimCr1) &= ~kTimCen;
    update_triggers(at);
}

void Timer::repeat(std::uint64_t periods) {
    if (periods == 0) return;
    compare(0, reload_, periods);
    if (!layout_.repetition) return;
    // An update reloads what has no other value since the last one.
    const std::uint64_t cycle = std::uint64_t{get(kTimRcr)} + 1;
    const std::uint64_t rest = periods % cycle;
    if ((get(kTimCr1) & kTimUdis) == 0 && periods > repetitions_) at(kTimSr) |= kTimUif;
    repetitions_ = (repetitions_ % cycle + cycle - rest) % cycle;
}

void Timer::compare(std::uint64_t first, std::uint64_t last, std::uint64_t times) {
    for (unsigned i = 0; i < layout_.channels; ++i) {
        if (!compares(i) || compare_[i] < first || last < compare_[i]) continue;
        meet(i, times);
        at(kTimSr) |= channel_flag(i);
        if (i == 0 && triggers_by(kTimMasterCompare)) first_met_ = true;
        if ((get(kTimCr2) & kTimWithUpdate) == 0) ask(i + 1);
    }
}

void Timer::count(std::uint64_t ticks) {
    while (ticks != 0) {
        const std::uint64_t wrap = to_wrap(), from = std::uint64_t{count_} + 1;
        if (ticks < wrap) {
            count_ += static_cast<std::uint32_t>(ticks);
            compare(from, count_);
            return;
        }
        ticks -= wrap;
        const bool period_ends = count_ <= reload_;
        compare(from, period_ends ? reload_ : top_);
        count_ = 0;
        if (!period_ends) {
            compare(0, 0);
            continue;
        }
        const bool updates = repetitions_ == 0;
        const std::uint64_t clocks = ticks * (std::uint64_t{prescaler_} + 1) + phase_;
        // A clock from outside has come at this time.
        overflow(clocked_outside() ? origin_ : origin_ + periods_to_ps(clocks_ - clocks, hz_));
        compare(0, 0);
        // A new prescaler holds from here on; a stopped counter loses the rest.
        phase_ = running() ? clocks % (std::uint64_t{prescaler_} + 1) : 0;
        ticks = running() ? clocks / (std::uint64_t{prescaler_} + 1) : 0;
        // Further periods are all alike, once the preloads hold; but a listener hears of each.
        if (!updates || !running() || triggers_by(kTimMasterUpdate)) continue;
        const std::uint64_t period = std::uint64_t{reload_} + 1;
        repeat(ticks / period);
        ticks %= period;
    }
}

void Timer::settle(Picoseconds at) {
    if (at <= origin_) return;
    if (!running()) {
        // Time that stands still is not counted later.
        origin_ = at;
        clocks_ = 0;
        return;
    }
    const std::uint64_t clocks = periods_in(at - origin_, hz_);
    if (clocks <= clocks_) return;
    const bool busy = std::exchange(busy_, true);
    // A listener hears of each edge at its time.
    while (running()) {
        const std::uint64_t ticks = to_edge();
        const std::uint64_t edge = clocks_ + ticks * (std::uint64_t{prescaler_} + 1) - phase_;
        if (ticks == 0 || edge > clocks) break;
        advance(edge);
        update_triggers(origin_ + periods_to_ps(edge, hz_));
    }
    if (running()) advance(clocks);
    busy_ = busy;
}

void Timer::advance(std::uint64_t clocks) {
    phase_ += clocks - clocks_;
    clocks_ = clocks;
    const std::uint64_t ticks = phase_ / (std::uint64_t{prescaler_} + 1);
    phase_ %= std::uint64_t{prescaler_} + 1;
    count(ticks);
}

std::uint64_t Timer::to_match(unsigned channel) const {
    const std::uint64_t wrap = to_wrap();
    if (compare_[channel] <= count_) return wrap;
    return std::min<std::uint64_t>(compare_[channel] - count_, wrap);
}

std::uint64_t Timer::to_event() const {
    std::uint32_t awaited = get(kTimDier) & ~get(kTimSr);
    const std::uint32_t requests = on_request ? asking() : 0;
    const bool with_update = (get(kTimCr2) & kTimWithUpdate) != 0;
    awaited |= with_update && requests != 0 ? kTimUie : requests;
    // One pulse ends with the update, and CEN as a trigger with it.
    const bool ends = triggers_by(kTimMasterEnable) && (get(kTimCr1) & kTimOpm) != 0;
    if (triggers_by(kTimMasterUpdate) || ends) awaited |= kTimUie;
    std::uint64_t ticks = to_edge();
    const auto take = [&ticks](std::uint64_t next) {
        if (ticks == 0 || next < ticks) ticks = next;
    };
    if ((awaited & kTimUie) != 0 && ((get(kTimCr1) & kTimUdis) == 0 || ends))
        take(to_wrap() + repetitions_ * (std::uint64_t{reload_} + 1));
    for (unsigned i = 0; i < layout_.channels; ++i) {
        if (((awaited & channel_flag(i)) != 0 || shows(i)) && compares(i)) take(to_match(i));
    }
    return ticks;
}

void Timer::generate(std::uint32_t events, Picoseconds at) {
    this->at(kTimSr) |=
        events & (channel_flags(layout_.channels) | (on_outputs ? kTimTriggerEvent : 0));
    // Inferred: an event of channel 1 by software triggers as one of the channel's does.
    if ((events & channel_flag(0)) != 0 && triggers_by(kTimMasterCompare)) first_met_ = true;
    if ((events & kTimUg) == 0) return;
    count_ = 0;
    restart(at);
    pulse(kTimMasterReset, at);
    if ((get(kTimCr1) & kTimUdis) != 0) return;
    load();
    pulse(kTimMasterUpdate, at);
    if ((get(kTimCr1) & kTimUrs) != 0) return;
    this->at(kTimSr) |= kTimUif;
    ask_for_update();
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

void Timer::tick(bool up, Picoseconds at) {
    if ((get(kTimCr1) & kTimCen) == 0 || hz_ == 0 || reload_ == 0 || gate_closed()) return;
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

}  // namespace n6vp::models
