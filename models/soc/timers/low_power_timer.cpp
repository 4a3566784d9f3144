// SPDX-License-Identifier: Apache-2.0
#include "models/soc/timers/low_power_timer.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "models/soc/base/clock_periods.h"
#include "models/soc/timers/low_power_timer_registers.h"

namespace n6vp::models {
namespace {

/// Keeps the earlier of two times, of which 0 is none.
void keep_earlier(Picoseconds& due, Picoseconds next) {
    if (next != 0 && (due == 0 || next < due)) due = next;
}

}  // namespace

LowPowerTimer::LowPowerTimer(const sc_core::sc_module_name& name, const char* block,
                             const LowPowerTimerParameters& parameters)
    : sc_module(name),
      RegisterBlock(block),
      one_output_(std::string_view(block) == "LPTIM4" || std::string_view(block) == "LPTIM5"),
      take_over_(parameters.take_over.value),
      trigger_clocks_(static_cast<std::uint64_t>(parameters.trigger.value)),
      lost_edges_(static_cast<std::uint64_t>(parameters.lost_edges.value)) {
    SC_HAS_PROCESS(LowPowerTimer);
    SC_METHOD(step);
    sensitive << next_;
    dont_initialize();
    at(kLptimArr) = 1;
    constexpr std::array<std::uint32_t, 5> kTaken{kLptimCmp1Ok, kLptimArrOk, kLptimRepOk,
                                                  kLptimCmp2Ok, kLptimDierOk};
    for (std::size_t i = 0; i < kTaken.size(); ++i) pending_[i].flag = kTaken[i];
}

void LowPowerTimer::reset() {
    held_ = {};
    at(kLptimArr) = 1;
    for (Pending& each : pending_) each = {{}, each.flag};
    count_ = repetitions_ = 0;
    started_ = single_ = armed_ = false;
    start_ = {};
    lost_ = phase_ = once_ = 0;
    // The pins are outside.
    for (Line& line : lines_) line = {line.pin, line.pin, 0};
    const Picoseconds now = sc_core::sc_time_stamp().value();
    restart(now);
    update(now);
}

void LowPowerTimer::set_kernel_hz(double hz, Picoseconds at) {
    settle(at);
    hz_ = static_cast<std::uint64_t>(std::llround(std::max(hz, 0.0)));
    restart(std::max(at, origin_));
    update(at);
}

void LowPowerTimer::restart(Picoseconds at) {
    origin_ = at;
    ticks_ = 0;
}

bool LowPowerTimer::running() const {
    return started_ && hz_ != 0 && !configured(kLptimByInputs);
}

bool LowPowerTimer::configured(std::uint32_t bits) const {
    return (get(kLptimCfgr) & bits) != 0;
}

void LowPowerTimer::begin(Picoseconds at) {
    started_ = true;
    count_ = phase_ = 0;
    repetitions_ = get(kLptimRcr);
    restart(at);
}

unsigned LowPowerTimer::prescaler() const {
    return get(kLptimCfgr) >> 9 & 7;
}

void LowPowerTimer::meet(std::uint64_t first, std::uint64_t last) {
    const auto within = [&](std::uint32_t value) { return first <= value && value <= last; };
    if (within(get(kLptimCcr1))) at(kLptimIsr) |= kLptimCc1;
    if (within(get(kLptimCcr2))) at(kLptimIsr) |= kLptimCc2;
    if (within(get(kLptimArr))) at(kLptimIsr) |= kLptimArrm;
    if (!configured(kLptimSetOnce)) return;
    for (unsigned i = 0; i < kChannels; ++i) {
        if (last > compare(i)) once_ |= static_cast<std::uint8_t>(1u << i);
    }
}

void LowPowerTimer::overflow() {
    count_ = 0;
    if (repetitions_ != 0) {
        --repetitions_;
    } else {
        at(kLptimIsr) |= kLptimUpdate;
        repetitions_ = get(kLptimRcr);
    }
    if (single_) started_ = false;
}

void LowPowerTimer::count(std::uint64_t ticks) {
    const std::uint32_t reload = get(kLptimArr);
    while (ticks != 0 && started_) {
        const std::uint64_t wrap = count_ <= reload ? std::uint64_t{reload} - count_ + 1 : 1;
        if (ticks < wrap) {
            meet(std::uint64_t{count_} + 1, count_ + ticks);
            count_ += static_cast<std::uint32_t>(ticks);
            return;
        }
        ticks -= wrap;
        meet(std::uint64_t{count_} + 1, reload);
        overflow();
        if (started_) meet(0, 0);
        // Long silences: what all further periods do is known after the first full cycle of RCR.
        const std::uint64_t cycle = (std::uint64_t{reload} + 1) * (get(kLptimRcr) + 1);
        if (repetitions_ == get(kLptimRcr) && ticks >= 2 * cycle) ticks = ticks % cycle + cycle;
    }
}

void LowPowerTimer::settle(Picoseconds at) {
    for (Pending& each : pending_) {
        if (each.due == 0 || each.due > at) continue;
        this->at(kLptimIsr) |= each.flag;
        each.due = 0;
    }
    for (Picoseconds moment = next_moment(); moment != 0 && moment <= at; moment = next_moment()) {
        advance(moment);
        act(moment);
    }
    advance(at);
}

void LowPowerTimer::advance(Picoseconds at) {
    if (at <= origin_) return;
    if (!running()) {
        // Time that stands still is not counted later.
        restart(at);
        return;
    }
    const std::uint64_t ticks = periods_in(at - origin_, hz_) >> prescaler();
    if (ticks <= ticks_) return;
    const std::uint64_t passed = ticks - std::exchange(ticks_, ticks);
    count(passed);
}

Picoseconds LowPowerTimer::next_event() const {
    const std::uint32_t awaited = get(kLptimDier) & ~get(kLptimIsr);
    Picoseconds due = 0;
    for (const Pending& each : pending_) {
        if ((awaited & each.flag) != 0) keep_earlier(due, each.due);
    }
    if (awaited != 0 || listened_ != 0) keep_earlier(due, next_moment());
    if (running()) keep_earlier(due, next_count(awaited));
    return due;
}

Picoseconds LowPowerTimer::next_count(std::uint32_t awaited) const {
    Picoseconds due = 0;
    const std::uint32_t reload = get(kLptimArr);
    const std::uint64_t wrap = count_ <= reload ? std::uint64_t{reload} - count_ + 1 : 1;
    const auto ticks = [&](std::uint64_t number) {
        keep_earlier(due, origin_ + periods_to_ps((ticks_ + number) << prescaler(), hz_));
    };
    // What lies beyond the end of the period is looked at again there.
    const auto value = [&](std::uint32_t register_value) {
        ticks(register_value > count_ ? std::min<std::uint64_t>(register_value - count_, wrap)
                                      : wrap);
    };
    if ((awaited & kLptimCc1) != 0) value(get(kLptimCcr1));
    if ((awaited & kLptimCc2) != 0) value(get(kLptimCcr2));
    if ((awaited & kLptimArrm) != 0) value(reload);
    if ((awaited & kLptimUpdate) != 0) ticks(wrap);
    for (unsigned i = 0; i < kChannels; ++i) {
        if (shows(i)) value(compare(i) + 1);
    }
    return due;
}

void LowPowerTimer::update(Picoseconds at) {
    level_.set((get(kLptimIsr) & get(kLptimDier)) != 0, on_interrupt);
    update_outputs(at);
    next_.cancel();
    if (const Picoseconds due = next_event(); due != 0)
        next_.notify(delay_until(std::max(due, at)));
}

void LowPowerTimer::step() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    settle(now);
    update(now);
}

void LowPowerTimer::follow(std::uint32_t flag, Picoseconds at) {
    Waiting wait;
    if (configured(kLptimOutsideClock)) {
        // Inferred: the clock domain of the counter has no other clock.
        wait.edges = static_cast<std::uint64_t>(std::max(1.0, std::ceil(take_over_)));
    } else if (hz_ != 0) {
        wait.due =
            at + std::max<Picoseconds>(1, cycles_to_ps(take_over_, static_cast<double>(hz_)));
    } else {
        // Without a clock nothing is taken over, and drivers wait.
        return;
    }
    for (Pending& each : pending_) {
        if (each.flag == flag) each = {wait, flag};
    }
}

void LowPowerTimer::write_control(std::uint32_t next, Picoseconds at) {
    const bool was_enabled = (get(kLptimCr) & kLptimEnable) != 0;
    const bool enabled = (next & kLptimEnable) != 0;
    this->at(kLptimCr) = next & (kLptimEnable | kLptimReadReset);
    if (!enabled) {
        started_ = armed_ = false;
        start_ = {};
        count_ = once_ = 0;
        return;
    }
    if (!was_enabled) lost_ = configured(kLptimOutsideClock) ? lost_edges_ : 0;
    if ((next & kLptimCountReset) != 0) {
        count_ = 0;
        restart(at);
    }
    // The counter starts only while it is enabled already.
    if (!was_enabled || (next & (kLptimSingle | kLptimContinuous)) == 0) return;
    single_ = (next & kLptimContinuous) == 0;
    if (configured(kLptimTriggerEdges)) {
        armed_ = true;
    } else if (!started_) {
        begin(at);
    }
}

bool LowPowerTimer::configuration_known() const {
    if (!has_pins()) return !configured(kLptimByInputs | kLptimTriggerEdges | kLptimTimeOut);
    const bool trigger = !configured(kLptimTriggerEdges) || !configured(kLptimTriggerSource);
    return trigger && !configured(kLptimEncoder);
}

bool LowPowerTimer::known(std::uint32_t offset) const {
    switch (offset) {
        case kLptimCfgr:
            return configuration_known();
        case kLptimDier:
            return (get(kLptimDier) & ~(kLptimFlags | (has_pins() ? kLptimTriggered : 0))) == 0;
        case kLptimCr:
            return (get(kLptimCr) & kLptimReadReset) == 0;
        case kLptimCcmr1:
            return (get(kLptimCcmr1) & (has_pins() ? kLptimCaptures : ~0u)) == 0;
        case kLptimCfgr2:
            return get(kLptimCfgr2) == 0;
        default:
            return kLptimNames[offset / 4][0] != '\0';
    }
}

RegisterBlock::Answer LowPowerTimer::read(std::uint32_t offset, Picoseconds at) {
    if (offset >= kLptimEnd) return {.modelled = false};
    settle(at);
    Answer answer{.value = get(offset), .name = kLptimNames[offset / 4]};
    answer.modelled = answer.name[0] != '\0';
    if (offset == kLptimIcr) answer.value = 0;
    if (offset == kLptimCnt) answer.value = count_;
    return answer;
}

RegisterBlock::Answer LowPowerTimer::write(std::uint32_t offset, std::uint32_t value,
                                           std::uint32_t mask, Picoseconds at) {
    if (offset >= kLptimEnd) return {.modelled = false};
    settle(at);
    constexpr std::uint32_t kHalf = 0xFFFF, kByte = 0xFF;
    const std::uint32_t next = (get(offset) & ~mask) | (value & mask);
    const auto take = [&](std::uint32_t bits, std::uint32_t flag) {
        this->at(offset) = next & bits;
        if (flag != 0) follow(flag, at);
    };
    switch (offset) {
        case kLptimIcr:
            this->at(kLptimIsr) &= ~(value & mask);
            break;
        case kLptimDier:
            take(0xFFFFFFFF, kLptimDierOk);
            break;
        case kLptimCr:
            write_control(next, at);
            break;
        case kLptimCcr1:
            take(kHalf, kLptimCmp1Ok);
            break;
        case kLptimCcr2:
            take(kHalf, kLptimCmp2Ok);
            break;
        case kLptimArr:
            take(kHalf, kLptimArrOk);
            break;
        case kLptimRcr:
            take(kByte, kLptimRepOk);
            break;
        case kLptimIsr:
        case kLptimCnt:
            break;  // read-only
        default:
            take(0xFFFFFFFF, 0);
            break;
    }
    Answer answer{.name = kLptimNames[offset / 4]};
    answer.modelled = known(offset);
    update(at);
    return answer;
}

}  // namespace n6vp::models
