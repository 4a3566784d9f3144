// SPDX-License-Identifier: Apache-2.0
// The counter of a timer: its periods, what it meets on its way, and when.
#include <algorithm>
#include <utility>

#include "models/soc/base/clock_periods.h"
#include "models/soc/timers/timer.h"
#include "models/soc/timers/timer_registers.h"

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

// Directions. Sources: counter modes of the reference manuals; CR1.DIR and CMS.

bool Timer::counts_down() const {
    return (get(kTimCr1) & kTimDir) != 0 && (has_directions() || encodes());
}

/// Inferred: an encoder's counter does not turn at ARR.
bool Timer::centred() const {
    return (get(kTimCr1) & kTimCms) != 0 && has_directions() && !encodes();
}

bool Timer::beyond() const {
    return !counts_down() && (centred() ? count_ >= reload_ : count_ > reload_);
}

std::uint64_t Timer::period() const {
    return centred() ? 2 * std::uint64_t{reload_} : std::uint64_t{reload_} + 1;
}

std::uint64_t Timer::place() const {
    if (!counts_down()) return count_;
    return (centred() ? 2u : 1u) * std::uint64_t{reload_} - std::min(count_, reload_);
}

void Timer::go_to(std::uint64_t tick) {
    if (centred()) {
        const bool down = tick >= reload_;
        at(kTimCr1) = (get(kTimCr1) & ~kTimDir) | (down ? kTimDir : 0);
        count_ = static_cast<std::uint32_t>(down ? period() - tick : tick);
    } else {
        count_ = static_cast<std::uint32_t>(counts_down() ? reload_ - tick : tick);
    }
}

/// A count beyond ARR goes on to the end of the register.
std::uint64_t Timer::to_turn() const {
    if (beyond()) return std::uint64_t{top_} - count_ + 1;
    if (!counts_down()) return way() - count_;
    return centred() ? std::max(count_, 1u) : std::uint64_t{count_} + 1;
}

void Timer::begin_way(bool turns) {
    if (centred()) at(kTimCr1) = turns ? get(kTimCr1) ^ kTimDir : get(kTimCr1) & ~kTimDir;
    count_ = counts_down() ? reload_ : 0;
}

/// Source for CNT: reference manuals, hints on this mode. Inferred for the other registers.
void Timer::turn_at_ends() {
    if (!centred() || (count_ != 0 && count_ != reload_)) return;
    at(kTimCr1) = (get(kTimCr1) & ~kTimDir) | (count_ == 0 ? 0 : kTimDir);
}

/// By CMS only on one of both ways; at their ends always, as the figure of that mode has it.
bool Timer::flags_at(std::uint32_t count) const {
    const std::uint32_t flags = get(kTimCr1) >> kTimAlignment & 3;
    return !centred() || count == 0 || count == reload_ ||
           (flags & (counts_down() ? kTimFlagsDown : kTimFlagsUp)) != 0;
}

// Periods and events.

void Timer::load() {
    prescaler_ = get(kTimPsc);
    reload_ = get(kTimArr);
    for (unsigned i = 0; i < layout_.channels; ++i) compare_[i] = get(kTimCcr1 + 4 * i);
    repetitions_ = layout_.repetition ? get(kTimRcr) : 0;
}

void Timer::overflow(Picoseconds at) {
    const bool ends = repetitions_ == 0, updates = ends && (get(kTimCr1) & kTimUdis) == 0;
    if (!ends) --repetitions_;
    if (updates) load();
    begin_way(true);
    if (!ends) return;
    if (updates) {
        this->at(kTimSr) |= kTimUif;
        ask_for_update();
        pulse(kTimMasterUpdate, at);
    }
    if ((get(kTimCr1) & kTimOpm) != 0) this->at(kTimCr1) &= ~kTimCen;
    update_triggers(at);
}

void Timer::repeat(std::uint64_t periods) {
    if (periods == 0) return;
    mark_beyond();
    if (centred()) {
        compare(0, 0, periods);
        compare(reload_, reload_, periods);
        for (unsigned direction = 0; direction < 2; ++direction) {
            compare(1, std::uint64_t{reload_} - 1, periods);
            at(kTimCr1) ^= kTimDir;
        }
    } else {
        compare(0, reload_, periods);
    }
    // Without updates nothing is loaded, and no period is one of several.
    if (!layout_.repetition || (get(kTimCr1) & kTimUdis) != 0) return;
    // An update reloads what has no other value since the last one.
    const std::uint64_t cycle = std::uint64_t{get(kTimRcr)} + 1;
    const std::uint64_t ways = centred() ? 2 * periods : periods, rest = ways % cycle;
    if (ways > repetitions_) at(kTimSr) |= kTimUif;
    repetitions_ = (repetitions_ % cycle + cycle - rest) % cycle;
}

void Timer::compare(std::uint64_t first, std::uint64_t last, std::uint64_t times) {
    for (unsigned i = 0; i < layout_.channels; ++i) {
        if (!compares(i) || compare_[i] < first || last < compare_[i]) continue;
        meet(i, times);
        if (flags_at(compare_[i])) mark(i);
    }
}

void Timer::mark(unsigned channel) {
    at(kTimSr) |= channel_flag(channel);
    if (channel == 0 && triggers_by(kTimMasterCompare)) first_met_ = true;
    if ((get(kTimCr2) & kTimWithUpdate) == 0) ask(channel + 1);
}

/// Source: reference manuals, CCxIF; of a counter that goes both ways the overflow only.
void Timer::mark_beyond() {
    for (unsigned i = 0; i < layout_.channels; ++i) {
        if (compares(i) && compare_[i] > reload_) mark(i);
    }
}

void Timer::walk(std::uint32_t ticks) {
    if (ticks == 0) return;
    const std::uint64_t from = count_;
    if (counts_down()) {
        count_ -= ticks;
        compare(count_, from - 1);
    } else {
        count_ += ticks;
        compare(from + 1, count_);
    }
}

void Timer::count(std::uint64_t ticks) {
    while (ticks != 0) {
        const std::uint64_t turn = to_turn();
        if (ticks < turn) return walk(static_cast<std::uint32_t>(ticks));
        ticks -= turn;
        const bool late = beyond();
        walk(static_cast<std::uint32_t>(turn - 1));
        if (late) {
            count_ = 0;
            compare(0, 0);
            continue;
        }
        const bool updates = repetitions_ == 0;
        const std::uint64_t clocks = ticks * (std::uint64_t{prescaler_} + 1) + phase_;
        if (!centred() || !counts_down()) mark_beyond();
        // A clock from outside has come at this time.
        overflow(clocked_outside() ? origin_ : origin_ + periods_to_ps(clocks_ - clocks, hz_));
        compare(count_, count_);
        // A new prescaler holds from here on; a stopped counter loses the rest.
        phase_ = running() ? clocks % (std::uint64_t{prescaler_} + 1) : 0;
        ticks = running() ? clocks / (std::uint64_t{prescaler_} + 1) : 0;
        // Further periods are all alike, once the preloads hold; but a listener hears of each.
        if (!updates || !running() || triggers_by(kTimMasterUpdate)) continue;
        repeat(ticks / period());
        ticks %= period();
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
    const std::uint64_t turn = to_turn();
    const std::uint32_t value = compare_[channel];
    if (counts_down()) return value < count_ ? std::min<std::uint64_t>(count_ - value, turn) : turn;
    return value > count_ ? std::min<std::uint64_t>(value - count_, turn) : turn;
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
        take(to_turn() + repetitions_ * way());
    for (unsigned i = 0; i < layout_.channels; ++i) {
        if (((awaited & channel_flag(i)) != 0 || shows(i)) && compares(i)) take(to_match(i));
    }
    return ticks;
}

void Timer::generate(std::uint32_t events, Picoseconds at) {
    // Inferred: an event of channel 1 by software triggers as one of the channel's does.
    for (unsigned i = 0; i < layout_.channels; ++i) {
        if ((events & channel_flag(i)) == 0) continue;
        if (captures(i)) {
            keep_count(i);
        } else {
            mark(i);
        }
    }
    if (on_outputs) this->at(kTimSr) |= events & kTimTriggerEvent;
    if ((events & kTimUg) == 0) return;
    const bool updates = (get(kTimCr1) & kTimUdis) == 0;
    if (updates) load();
    begin_way(false);
    restart(at);
    pulse(kTimMasterReset, at);
    if (!updates) return;
    pulse(kTimMasterUpdate, at);
    if ((get(kTimCr1) & kTimUrs) != 0) return;
    this->at(kTimSr) |= kTimUif;
    ask_for_update();
}

/// Software may have looked at a later time already. Flags and toggled outputs of that time stay.
void Timer::go_back(Picoseconds at) {
    if (!running() || at < origin_ || (centred() && count_ > reload_)) return;
    const std::uint64_t clocks = periods_in(at + kRounding - origin_, hz_);
    if (clocks >= clocks_) return;
    const std::uint64_t tick = std::uint64_t{prescaler_} + 1;
    const std::uint64_t whole = period() * tick, ahead = clocks_ - clocks;
    std::uint64_t clock = place() * tick + phase_;
    if (clock < ahead) clock += (ahead - clock + whole - 1) / whole * whole;
    clock -= ahead;
    go_to(clock / tick);
    phase_ = clock % tick;
    clocks_ = clocks;
}

void Timer::come_to(Picoseconds at) {
    settle(running() ? at + kRounding : at);
    go_back(at);
}

void Timer::tick() {
    if ((get(kTimCr1) & kTimCen) == 0 || hz_ == 0 || reload_ == 0 || gate_closed()) return;
    if (++phase_ <= prescaler_) return;
    phase_ = 0;
    count(1);
}

}  // namespace n6vp::models
