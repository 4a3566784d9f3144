// SPDX-License-Identifier: Apache-2.0
#include "models/soc/timer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/soc/clock_periods.h"
#include "models/soc/timer_registers.h"

namespace n6vp::models {
namespace {

constexpr std::array<const char*, kTimEnd / 4> kTimerNames{
    "CR1",   "CR2",  "SMCR", "DIER",  "SR",   "EGR",  "CCMR1", "CCMR2", "CCER", "CNT",
    "PSC",   "ARR",  "RCR",  "CCR1",  "CCR2", "CCR3", "CCR4",  "BDTR",  "CCR5", "CCR6",
    "CCMR3", "DTR2", "ECR",  "TISEL", "AF1",  "AF2",  "OR1",   ""};

constexpr bool is_compare(std::uint32_t offset) {
    return offset >= kTimCcr1 && offset <= kTimCcr4;
}

}  // namespace

TimerLayout timer_layout(std::string_view name, bool wide_3_and_4) {
    unsigned number = 0;
    for (const char each : name.substr(std::min<std::size_t>(3, name.size()))) {
        if (each < '0' || each > '9') break;
        number = number * 10 + static_cast<unsigned>(each - '0');
    }
    // By number, from TIM1 on; TIM19 and others are not in these chips.
    constexpr std::array<std::uint8_t, 18> kChannels{4, 4, 4, 4, 4, 0, 0, 4, 2,
                                                     1, 1, 2, 1, 1, 2, 1, 1, 0};
    TimerLayout layout;
    if (number == 0 || number > kChannels.size()) return layout;
    const bool wide = number == 2 || number == 5 || (wide_3_and_4 && (number == 3 || number == 4));
    layout.bits = wide ? 32 : 16;
    layout.channels = kChannels[number - 1];
    layout.repetition = number == 1 || number == 8 || (number >= 15 && number <= 17);
    return layout;
}

Timer::Timer(const sc_core::sc_module_name& name, const char* block, const TimerLayout& layout)
    : sc_module(name),
      RegisterBlock(block),
      layout_(layout),
      top_(layout.bits == 32 ? 0xFFFFFFFFu : 0xFFFFu) {
    SC_HAS_PROCESS(Timer);
    SC_METHOD(step);
    sensitive << next_;
    dont_initialize();
    set_reset_values();
}

void Timer::set_reset_values() {
    held_ = {};
    at(kTimArr) = reload_ = top_;
    // BKINE and BK2INE, of timers with break inputs.
    if (!layout_.repetition) return;
    at(kTimAf1) = 1;
    if (layout_.channels == 4) at(kTimAf2) = 1;
}

void Timer::reset() {
    set_reset_values();
    count_ = prescaler_ = 0;
    compare_ = {};
    repetitions_ = 0;
    burst_ = 0;
    burst_index_ = 0;
    wanted_ = {};
    references_ = 0;
    events_ = {};
    const Picoseconds now = sc_core::sc_time_stamp().value();
    follow_trigger_source(now);
    restart(now);
    update(now);
}

void Timer::set_kernel_hz(double hz) {
    set_kernel_hz(hz, sc_core::sc_time_stamp().value());
}

void Timer::set_kernel_hz(double hz, Picoseconds at) {
    settle(at);
    const std::uint64_t phase = phase_;
    hz_ = static_cast<std::uint64_t>(std::llround(std::max(hz, 0.0)));
    restart(std::max(at, origin_));
    phase_ = phase;
    update(at);
}

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

std::uint32_t Timer::channel_mode(unsigned channel) const {
    return get(channel < 2 ? kTimCcmr1 : kTimCcmr2) >> (channel % 2 * 8);
}

bool Timer::compares(unsigned channel) const {
    return channel < layout_.channels && (channel_mode(channel) & 3) == 0;
}

bool Timer::preloads(unsigned channel) const {
    return (channel_mode(channel) & 8) != 0;
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
        if (triggers_at_update()) pulse(at);
    }
    if ((get(kTimCr1) & kTimOpm) != 0) this->at(kTimCr1) &= ~kTimCen;
    update_trigger(at);
}

void Timer::repeat(std::uint64_t periods) {
    if (periods == 0) return;
    compare(0, reload_, periods);
    // Without updates nothing is loaded, and no period is one of several.
    if (!layout_.repetition || (get(kTimCr1) & kTimUdis) != 0) return;
    // An update reloads what has no other value since the last one.
    const std::uint64_t cycle = std::uint64_t{get(kTimRcr)} + 1;
    const std::uint64_t rest = periods % cycle;
    if (periods > repetitions_) at(kTimSr) |= kTimUif;
    repetitions_ = (repetitions_ % cycle + cycle - rest) % cycle;
}

void Timer::compare(std::uint64_t first, std::uint64_t last, std::uint64_t times) {
    for (unsigned i = 0; i < layout_.channels; ++i) {
        if (!compares(i) || compare_[i] < first || last < compare_[i]) continue;
        meet(i, times);
        channel_event(i);
    }
}

void Timer::channel_event(unsigned channel) {
    at(kTimSr) |= channel_flag(channel);
    if ((get(kTimCr2) & kTimWithUpdate) == 0) ask(channel + 1);
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
        if (!updates || !running() || triggers_at_update()) continue;
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
    phase_ += clocks - clocks_;
    clocks_ = clocks;
    const std::uint64_t ticks = phase_ / (std::uint64_t{prescaler_} + 1);
    phase_ %= std::uint64_t{prescaler_} + 1;
    const bool busy = std::exchange(busy_, true);
    count(ticks);
    busy_ = busy;
}

std::uint64_t Timer::to_event() const {
    std::uint32_t awaited = get(kTimDier) & ~get(kTimSr);
    const std::uint32_t requests = on_request ? asking() : 0;
    const bool with_update = (get(kTimCr2) & kTimWithUpdate) != 0;
    awaited |= with_update && requests != 0 ? kTimUie : requests;
    // One pulse ends with the update, and TRGO with it.
    const bool ends = trigger_level_ && (get(kTimCr1) & kTimOpm) != 0;
    if (listened_ && (triggers_at_update() || ends)) awaited |= kTimUie;
    const std::uint64_t wrap = to_wrap();
    std::uint64_t ticks = 0;
    const auto take = [&ticks](std::uint64_t next) {
        if (ticks == 0 || next < ticks) ticks = next;
    };
    if ((awaited & kTimUie) != 0 && ((get(kTimCr1) & kTimUdis) == 0 || ends))
        take(wrap + repetitions_ * (std::uint64_t{reload_} + 1));
    for (unsigned i = 0; i < layout_.channels; ++i) {
        const bool shown = shows(i);
        if (((awaited & channel_flag(i)) == 0 && !shown) || !compares(i)) continue;
        if (shown) take(wrap);  // where a pulse of PWM begins
        // Beyond the end of the period other values may hold: there it is looked at again.
        take(compare_[i] > count_ ? std::min<std::uint64_t>(compare_[i] - count_, wrap) : wrap);
    }
    return ticks;
}

void Timer::update(Picoseconds at) {
    const std::uint32_t pending = get(kTimSr) & get(kTimDier);
    const bool compared = (pending & channel_flags(layout_.channels)) != 0;
    const bool apart = static_cast<bool>(on_compare_interrupt);
    const bool triggered = (pending & kTimTif) != 0;
    const bool trigger_apart = static_cast<bool>(on_trigger_interrupt);
    level_.set((pending & kTimUif) != 0 || (compared && !apart) || (triggered && !trigger_apart),
               on_interrupt);
    compare_level_.set(compared && apart, on_compare_interrupt);
    trigger_interrupt_.set(triggered && trigger_apart, on_trigger_interrupt);
    update_outputs(at);
    update_requests(at);
    update_trigger(at);
    next_.cancel();
    // Only an interrupt, a request or a trigger needs a process: everything else is found when
    // software looks.
    if (!running()) return;
    const std::uint64_t ticks = to_event();
    if (ticks == 0) return;
    const std::uint64_t clocks = ticks * (std::uint64_t{prescaler_} + 1) - phase_;
    const Picoseconds due = origin_ + periods_to_ps(clocks_ + clocks, hz_);
    next_.notify(delay_until(std::max(due, at)));
}

void Timer::step() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    settle(now);
    update(now);
}

void Timer::generate(std::uint32_t events, Picoseconds at) {
    for (unsigned i = 0; i < layout_.channels; ++i) {
        if ((events & channel_flag(i)) == 0) continue;
        if (captures(i)) {
            keep_count(i);
        } else {
            channel_event(i);
        }
    }
    if (on_outputs) this->at(kTimSr) |= events & kTimTriggerEvent;
    if ((events & kTimUg) == 0) return;
    count_ = 0;
    restart(at);
    const std::uint32_t master = get(kTimCr2) >> kTimMaster & kTimMasterMask;
    if (listened_ && master == kTimMasterReset) pulse(at);
    if ((get(kTimCr1) & kTimUdis) != 0) return;
    load();
    if (triggers_at_update()) pulse(at);
    if ((get(kTimCr1) & kTimUrs) != 0) return;
    this->at(kTimSr) |= kTimUif;
    ask_for_update();
}

// Trigger output -----------------------------------------------------------------------------

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

// DMA ----------------------------------------------------------------------------------------

std::uint32_t Timer::asking() const {
    return get(kTimDier) >> kTimRequestEnables & ((1u << (layout_.channels + 1)) - 1);
}

void Timer::ask(unsigned source) {
    if ((asking() >> source & 1) == 0 || wanted_[source] != 0) return;
    // DBSS: from 1 on the update and the channels.
    const bool burst = (burst_ >> 16 & 0xF) == source + 1;
    wanted_[source] = burst ? (burst_ >> 8 & 0x1F) + 1 : 1;
    if (burst) burst_index_ = 0;
}

void Timer::ask_for_update() {
    ask(kUpdateRequest);
    if ((get(kTimCr2) & kTimWithUpdate) == 0) return;
    for (unsigned i = 0; i < layout_.channels; ++i) ask(i + 1);
}

void Timer::request_taken(unsigned source, Picoseconds at) {
    if (wanted_[source] != 0) --wanted_[source];
    update_requests(at);
}

void Timer::update_requests(Picoseconds at) {
    if (!on_request) return;
    for (unsigned source = 0; source < kRequests; ++source) {
        if ((asking() >> source & 1) == 0) wanted_[source] = 0;
        const bool level = wanted_[source] != 0;
        if (std::exchange(request_level_[source], level) != level) on_request(source, level, at);
    }
}

/// Offset of the register that the next access to DMAR means.
std::uint32_t Timer::burst_register() const {
    return 4 * ((burst_ & 0x1F) + burst_index_);
}

RegisterBlock::Answer Timer::access_burst(std::uint32_t offset, std::uint32_t value,
                                          std::uint32_t mask, bool write, Picoseconds at) {
    if (offset == kTimDcr) {
        if (write) burst_ = ((burst_ & ~mask) | (value & mask)) & 0xF1F1F;
        return {.value = burst_, .name = "DCR"};
    }
    const std::uint32_t meant = burst_register();
    // Software may have made the burst shorter meanwhile.
    burst_index_ = burst_index_ >= (burst_ >> 8 & 0x1F) ? 0 : burst_index_ + 1;
    Answer answer = write ? this->write(meant, value, mask, at) : read(meant, at);
    answer.name = "DMAR";
    return answer;
}

// Registers ----------------------------------------------------------------------------------

void Timer::write_control(std::uint32_t next, Picoseconds at) {
    const std::uint32_t before = get(kTimCr1);
    // An encoder decides about the direction.
    const std::uint32_t kept = clocked_outside() ? kTimDir : 0;
    this->at(kTimCr1) = (before & kept) | (next & kTimCr1Bits & ~kept);
    if ((~before & next & kTimCen) != 0) {
        const std::uint64_t phase = phase_;
        restart(at);
        phase_ = phase;
    }
    // Without preload ARR holds at once.
    if ((next & kTimArpe) == 0) reload_ = get(kTimArr);
}

void Timer::write_compare(unsigned channel) {
    at(kTimCcr1 + 4 * channel) &= top_;
    if (!preloads(channel)) compare_[channel] = get(kTimCcr1 + 4 * channel);
}

/// Returns true if the value of the register asks for nothing that is not modelled.
bool Timer::known(std::uint32_t offset, std::uint32_t value) const {
    const std::uint32_t requests =
        on_request ? ((2u << layout_.channels) - 1) << kTimRequestEnables : 0;
    switch (offset) {
        case kTimCr1:
            return (get(kTimCr1) & kTimCr1NotModelled & (clocked_outside() ? ~kTimDir : ~0u)) == 0;
        case kTimDier:
            return (value & ~(kTimUie | channel_flags(layout_.channels) | requests |
                              (on_outputs ? kTimTie : 0))) == 0;
        case kTimEgr:
            return (value & ~(kTimUg | channel_flags(layout_.channels) |
                              (on_outputs ? kTimTriggerEvent : 0))) == 0;
        case kTimRcr:
            return layout_.repetition || value == 0;
        case kTimCr2:
            return (value & ~(kTimWithUpdate | (on_trigger ? 3u << kTimMaster : 0) |
                              (on_outputs ? kTimXor | kTimIdleLevels : 0))) == 0 &&
                   (value >> kTimMaster & kTimMasterMask) <= kTimMasterUpdate;
        case kTimSmcr:
            return slave_known(value);
        case kTimCcmr1:
        case kTimCcmr2:
        case kTimCcer:
            // Modes of channels do nothing until CCER switches them on.
            for (unsigned i = 0; i < 8; ++i) {
                if (!channel_known(i)) return false;
            }
            return true;
        default:
            return offset < kTimEnd - 4;
    }
}

bool Timer::reads_freely(std::uint32_t offset) const {
    if (is_compare(offset)) return !captures((offset - kTimCcr1) / 4);
    return offset != kTimDmar;
}

RegisterBlock::Answer Timer::read(std::uint32_t offset, Picoseconds at) {
    Answer answer;
    const bool burst = offset == kTimDcr || offset == kTimDmar;
    if (burst && on_request) return access_burst(offset, 0, 0, false, at);
    if (offset >= kTimEnd) {
        answer.modelled = false;
        return answer;
    }
    settle(at);
    answer.name = kTimerNames[offset / 4];
    answer.value = get(offset);
    if (offset == kTimEgr) answer.value = 0;
    if (is_compare(offset) && captures((offset - kTimCcr1) / 4)) {
        this->at(kTimSr) &= ~channel_flag((offset - kTimCcr1) / 4);
        update(at);
    }
    if (offset == kTimCnt) {
        answer.value = count_;
        if ((get(kTimCr1) & kTimUifRemap) != 0)
            answer.value = (count_ & 0x7FFFFFFF) | (get(kTimSr) & kTimUif) << 31;
    }
    return answer;
}

RegisterBlock::Answer Timer::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                   Picoseconds at) {
    Answer answer;
    const bool burst = offset == kTimDcr || offset == kTimDmar;
    if (burst && on_request) return access_burst(offset, value, mask, true, at);
    if (offset >= kTimEnd) {
        answer.modelled = false;
        return answer;
    }
    settle(at);
    const std::uint32_t next = (get(offset) & ~mask) | (value & mask);
    switch (offset) {
        case kTimCr1:
            write_control(next, at);
            break;
        case kTimSr:
            // Flags are cleared by a zero.
            this->at(offset) &= next;
            break;
        case kTimEgr:
            generate(value & mask, at);
            break;
        case kTimCnt:
            count_ = ((count_ & ~mask) | (value & mask)) & top_;
            break;
        case kTimPsc:
            this->at(offset) = next & 0xFFFF;
            break;
        case kTimArr:
            this->at(offset) = next & top_;
            if ((get(kTimCr1) & kTimArpe) == 0) reload_ = next & top_;
            break;
        case kTimRcr:
            this->at(offset) = next & 0xFFFF;
            break;
        case kTimBdtr:
            // Break inputs are armed again at once.
            this->at(offset) = next & ~kTimDisarm;
            break;
        case kTimSmcr:
            this->at(offset) = next;
            follow_trigger_source(at);
            break;
        case kTimCcmr1:
        case kTimCcmr2:
            hold_references();
            this->at(offset) = next;
            // Without preload a compare value holds at once.
            for (unsigned i = 0; i < layout_.channels; ++i) write_compare(i);
            break;
        case kTimCcer:
            this->at(offset) = next;
            forget_events();
            break;
        default:
            if (is_compare(offset) && captures((offset - kTimCcr1) / 4)) break;
            this->at(offset) = next;
            if (is_compare(offset)) write_compare((offset - kTimCcr1) / 4);
            break;
    }
    answer.name = kTimerNames[offset / 4];
    answer.modelled = known(offset, next);
    update(at);
    return answer;
}

}  // namespace n6vp::models
