// SPDX-License-Identifier: Apache-2.0
#include "models/soc/timers/timer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/soc/base/clock_periods.h"
#include "models/soc/timers/timer_registers.h"

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
    SC_METHOD(filter_step);
    sensitive << filter_end_;
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
    first_met_ = false;
    events_ = {};
    restart_external_trigger();
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

std::uint32_t Timer::channel_mode(unsigned channel) const {
    return get(channel < 2 ? kTimCcmr1 : kTimCcmr2) >> (channel % 2 * 8);
}

bool Timer::compares(unsigned channel) const {
    return channel < layout_.channels && (channel_mode(channel) & 3) == 0;
}

bool Timer::preloads(unsigned channel) const {
    return (channel_mode(channel) & 8) != 0;
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
    update_triggers(at);
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
    // An encoder decides about the direction, and so does a counter that goes both ways.
    const bool keeps = encodes() || (centred() && (next & kTimCms) != 0);
    const std::uint32_t kept = keeps ? kTimDir : 0;
    this->at(kTimCr1) = (before & kept) | (next & kTimCr1Bits & ~kept);
    if ((~before & next & kTimCen) != 0) {
        const std::uint64_t phase = phase_;
        restart(at);
        phase_ = phase;
    }
    // Without preload ARR holds at once.
    if ((next & kTimArpe) == 0) reload_ = get(kTimArr);
    turn_at_ends();
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
        case kTimCr1: {
            const std::uint32_t without = kTimCms | (encodes() ? 0 : kTimDir);
            return (get(kTimCr1) & (kTimDithers | (has_directions() ? 0 : without))) == 0;
        }
        case kTimDier:
            return (value & ~(kTimUie | channel_flags(layout_.channels) | requests |
                              (on_outputs ? kTimTie : 0))) == 0;
        case kTimEgr:
            return (value & ~(kTimUg | channel_flags(layout_.channels) |
                              (on_outputs ? kTimTriggerEvent : 0))) == 0;
        case kTimRcr:
            return layout_.repetition || value == 0;
        case kTimCr2:
            return master_known(value);
        case kTimSmcr:
            return slave_known(value);
        case kTimAf1:
            return !has_external_pin() || (value & kTimTriggerSelection) == 0;
        case kTimCcmr1:
        case kTimCcmr2:
        case kTimCcer:
            // Modes of channels do nothing until CCER switches them on.
            for (unsigned i = 0; i < 8; ++i) {
                if (!channel_known(i)) return false;
            }
            return trigger_known(kTrgo) && trigger_known(kTrgo2);
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
            turn_at_ends();
            break;
        case kTimPsc:
            this->at(offset) = next & 0xFFFF;
            break;
        case kTimArr:
            this->at(offset) = next & top_;
            if ((get(kTimCr1) & kTimArpe) == 0) reload_ = next & top_;
            turn_at_ends();
            break;
        case kTimRcr:
            this->at(offset) = next & 0xFFFF;
            break;
        case kTimBdtr:
            // Break inputs are armed again at once.
            this->at(offset) = next & ~kTimDisarm;
            break;
        case kTimSmcr:
        case kTimAf1:
            write_slave(offset, next, at);
            break;
        case kTimCcmr1:
        case kTimCcmr2:
        case kTimCcer:
            write_channels(offset, next, at);
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
