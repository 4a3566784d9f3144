// SPDX-License-Identifier: Apache-2.0
#include "models/soc/low_power_timer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/soc/clock_periods.h"

namespace n6vp::models {
namespace {

enum LptimOffset : std::uint32_t {
    kLptimIsr = 0x00,
    kLptimIcr = 0x04,
    kLptimDier = 0x08,
    kLptimCfgr = 0x0C,
    kLptimCr = 0x10,
    kLptimCcr1 = 0x14,
    kLptimArr = 0x18,
    kLptimCnt = 0x1C,
    kLptimCfgr2 = 0x24,
    kLptimRcr = 0x28,
    kLptimCcmr1 = 0x2C,
    kLptimCcr2 = 0x34,
    kLptimEnd = 0x38,
};
constexpr std::array<const char*, kLptimEnd / 4> kLptimNames{
    "ISR", "ICR", "DIER",  "CFGR", "CR",    "CCR1", "ARR",
    "CNT", "",    "CFGR2", "RCR",  "CCMR1", "",     "CCR2"};

constexpr std::uint32_t kLptimEnable = 1, kLptimSingle = 2, kLptimContinuous = 4,
                        kLptimCountReset = 8, kLptimReadReset = 16;
// ISR; DIER and ICR have the same places.
constexpr std::uint32_t kLptimCc1 = 1, kLptimArrm = 2, kLptimCmp1Ok = 8, kLptimArrOk = 16,
                        kLptimUpdate = 1u << 7, kLptimRepOk = 1u << 8, kLptimCc2 = 1u << 9,
                        kLptimCmp2Ok = 1u << 19, kLptimDierOk = 1u << 24;
constexpr std::uint32_t kLptimFlags = kLptimCc1 | kLptimArrm | kLptimCmp1Ok | kLptimArrOk |
                                      kLptimUpdate | kLptimRepOk | kLptimCc2 | kLptimCmp2Ok;
/// CKSEL, COUNTMODE, ENC: the counter has inputs in place of its kernel clock.
constexpr std::uint32_t kLptimOutside = 1 | 1u << 23 | 1u << 24;
/// These, TRIGEN, TIMOUT.
constexpr std::uint32_t kLptimCfgrNotModelled = kLptimOutside | 3u << 17 | 1u << 19;

}  // namespace

LowPowerTimer::LowPowerTimer(const sc_core::sc_module_name& name, const char* block,
                             const LowPowerTimerParameters& parameters)
    : sc_module(name), RegisterBlock(block), take_over_(parameters.take_over.value) {
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
    for (Pending& each : pending_) each.due = 0;
    count_ = repetitions_ = 0;
    started_ = single_ = false;
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
    return started_ && hz_ != 0 && (get(kLptimCfgr) & kLptimOutside) == 0;
}

unsigned LowPowerTimer::prescaler() const {
    return get(kLptimCfgr) >> 9 & 7;
}

void LowPowerTimer::meet(std::uint64_t first, std::uint64_t last) {
    const auto within = [&](std::uint32_t value) { return first <= value && value <= last; };
    if (within(get(kLptimCcr1))) at(kLptimIsr) |= kLptimCc1;
    if (within(get(kLptimCcr2))) at(kLptimIsr) |= kLptimCc2;
    if (within(get(kLptimArr))) at(kLptimIsr) |= kLptimArrm;
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

Picoseconds LowPowerTimer::next_interrupt() const {
    const std::uint32_t awaited = get(kLptimDier) & ~get(kLptimIsr);
    Picoseconds due = 0;
    const auto take = [&due](Picoseconds next) {
        if (due == 0 || next < due) due = next;
    };
    for (const Pending& each : pending_) {
        if (each.due != 0 && (awaited & each.flag) != 0) take(each.due);
    }
    if (!running()) return due;
    const std::uint32_t reload = get(kLptimArr);
    const std::uint64_t wrap = count_ <= reload ? std::uint64_t{reload} - count_ + 1 : 1;
    const auto ticks = [&](std::uint64_t number) {
        take(origin_ + periods_to_ps((ticks_ + number) << prescaler(), hz_));
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
    return due;
}

void LowPowerTimer::update(Picoseconds at) {
    level_.set((get(kLptimIsr) & get(kLptimDier)) != 0, on_interrupt);
    next_.cancel();
    if (const Picoseconds due = next_interrupt(); due != 0)
        next_.notify(delay_until(std::max(due, at)));
}

void LowPowerTimer::step() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    settle(now);
    update(now);
}

void LowPowerTimer::follow(std::uint32_t flag, Picoseconds at) {
    // Without a clock nothing is taken over, and drivers wait.
    if (hz_ == 0) return;
    const Picoseconds due =
        at + std::max<Picoseconds>(1, cycles_to_ps(take_over_, static_cast<double>(hz_)));
    for (Pending& each : pending_) {
        if (each.flag == flag) each.due = due;
    }
}

void LowPowerTimer::write_control(std::uint32_t next, Picoseconds at) {
    const bool was_enabled = (get(kLptimCr) & kLptimEnable) != 0;
    const bool enabled = (next & kLptimEnable) != 0;
    this->at(kLptimCr) = next & (kLptimEnable | kLptimReadReset);
    if (!enabled) {
        started_ = false;
        count_ = 0;
        return;
    }
    if ((next & kLptimCountReset) != 0) {
        count_ = 0;
        restart(at);
    }
    // The counter starts only while it is enabled already.
    if (!was_enabled || (next & (kLptimSingle | kLptimContinuous)) == 0) return;
    single_ = (next & kLptimContinuous) == 0;
    if (started_) return;
    started_ = true;
    count_ = 0;
    repetitions_ = get(kLptimRcr);
    restart(at);
}

bool LowPowerTimer::known(std::uint32_t offset) const {
    switch (offset) {
        case kLptimCfgr:
            return (get(kLptimCfgr) & kLptimCfgrNotModelled) == 0;
        case kLptimDier:
            return (get(kLptimDier) & ~kLptimFlags) == 0;
        case kLptimCr:
            return (get(kLptimCr) & kLptimReadReset) == 0;
        case kLptimCcmr1:
        case kLptimCfgr2:
            return get(offset) == 0;
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
