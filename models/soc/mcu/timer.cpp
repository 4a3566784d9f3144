// SPDX-License-Identifier: Apache-2.0
#include "models/soc/mcu/timer.h"

#include <algorithm>
#include <cmath>

#include "models/soc/mcu/clock_periods.h"

namespace n6vp::models::mcu {
namespace {

enum TimerOffset : std::uint32_t {
    kTimCr1 = 0x00,
    kTimCr2 = 0x04,
    kTimSmcr = 0x08,
    kTimDier = 0x0C,
    kTimSr = 0x10,
    kTimEgr = 0x14,
    kTimCcer = 0x20,
    kTimCnt = 0x24,
    kTimPsc = 0x28,
    kTimArr = 0x2C,
    kTimRcr = 0x30,
    kTimEnd = 0x70,
};
constexpr std::array<const char*, kTimEnd / 4> kTimerNames{
    "CR1",   "CR2",  "SMCR", "DIER",  "SR",   "EGR",  "CCMR1", "CCMR2", "CCER", "CNT",
    "PSC",   "ARR",  "RCR",  "CCR1",  "CCR2", "CCR3", "CCR4",  "BDTR",  "CCR5", "CCR6",
    "CCMR3", "DTR2", "ECR",  "TISEL", "AF1",  "AF2",  "OR1",   ""};

constexpr std::uint32_t kCen = 1, kUdis = 2, kUrs = 4, kOpm = 8, kArpe = 1u << 7;
constexpr std::uint32_t kUifRemap = 1u << 11, kUif = 1, kUie = 1, kUg = 1;
constexpr std::uint32_t kCr1NotModelled = 1u << 4 | 3u << 5;  // DIR, CMS

/// Returns true if the value of the register asks for nothing that is not modelled.
[[nodiscard]] bool known(std::uint32_t offset, std::uint32_t value) {
    switch (offset) {
        case kTimCr1:
            return (value & kCr1NotModelled) == 0;
        case kTimDier:
            return (value & ~kUie) == 0;
        case kTimCr2:
        case kTimSmcr:
        case kTimCcer:
        case kTimRcr:
            return value == 0;
        default:
            // Modes and values of channels do nothing until CCER switches them on.
            return offset < kTimEnd - 4;
    }
}

}  // namespace

Timer::Timer(const sc_core::sc_module_name& name, const char* block, unsigned bits)
    : sc_module(name), RegisterBlock(block), top_(bits == 32 ? 0xFFFFFFFFu : 0xFFFFu) {
    SC_HAS_PROCESS(Timer);
    SC_METHOD(step);
    sensitive << next_;
    dont_initialize();
    at(kTimArr) = reload_ = top_;
}

void Timer::reset() {
    held_ = {};
    at(kTimArr) = reload_ = top_;
    count_ = prescaler_ = 0;
    const Picoseconds now = sc_core::sc_time_stamp().value();
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
    return (get(kTimCr1) & kCen) != 0 && hz_ != 0 && reload_ != 0;
}

/// A count beyond ARR goes on to the end of the register.
std::uint64_t Timer::to_wrap() const {
    return std::uint64_t{count_ <= reload_ ? reload_ : top_} - count_ + 1;
}

void Timer::load() {
    prescaler_ = get(kTimPsc);
    reload_ = get(kTimArr);
}

void Timer::overflow() {
    if ((get(kTimCr1) & kUdis) == 0) {
        at(kTimSr) |= kUif;
        load();
    }
    if ((get(kTimCr1) & kOpm) != 0) at(kTimCr1) &= ~kCen;
}

void Timer::count(std::uint64_t ticks) {
    while (ticks != 0) {
        const std::uint64_t wrap = to_wrap();
        if (ticks < wrap) {
            count_ += static_cast<std::uint32_t>(ticks);
            return;
        }
        ticks -= wrap;
        const bool period_ends = count_ <= reload_;
        count_ = 0;
        if (!period_ends) continue;
        const std::uint64_t clocks = ticks * (std::uint64_t{prescaler_} + 1) + phase_;
        overflow();
        // A new prescaler holds from here on; a stopped counter loses the rest.
        phase_ = running() ? clocks % (std::uint64_t{prescaler_} + 1) : 0;
        ticks = running() ? clocks / (std::uint64_t{prescaler_} + 1) : 0;
        // Further periods are all alike.
        ticks %= std::uint64_t{reload_} + 1;
    }
}

void Timer::settle(Picoseconds at) {
    if (!running() || at <= origin_) return;
    const std::uint64_t clocks = periods_in(at - origin_, hz_);
    if (clocks <= clocks_) return;
    phase_ += clocks - clocks_;
    clocks_ = clocks;
    const std::uint64_t ticks = phase_ / (std::uint64_t{prescaler_} + 1);
    phase_ %= std::uint64_t{prescaler_} + 1;
    count(ticks);
}

void Timer::update(Picoseconds at) {
    const bool level = (get(kTimSr) & get(kTimDier) & kUif) != 0;
    if (level != level_) {
        level_ = level;
        if (on_interrupt) on_interrupt(level);
    }
    next_.cancel();
    // Only the interrupt needs a process: everything else is found when software looks.
    if (level || !running() || (get(kTimDier) & kUie) == 0 || (get(kTimCr1) & kUdis) != 0) return;
    const std::uint64_t clocks = to_wrap() * (std::uint64_t{prescaler_} + 1) - phase_;
    const Picoseconds due = origin_ + periods_to_ps(clocks_ + clocks, hz_);
    next_.notify(delay_until(std::max(due, at)));
}

void Timer::step() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    settle(now);
    update(now);
}

void Timer::generate(std::uint32_t events, Picoseconds at) {
    if ((events & kUg) == 0) return;
    count_ = 0;
    restart(at);
    if ((get(kTimCr1) & kUdis) != 0) return;
    load();
    if ((get(kTimCr1) & kUrs) == 0) this->at(kTimSr) |= kUif;
}

void Timer::write_control(std::uint32_t next, Picoseconds at) {
    const std::uint32_t before = get(kTimCr1);
    this->at(kTimCr1) = next & 0xBFF;
    if ((~before & next & kCen) != 0) {
        const std::uint64_t phase = phase_;
        restart(at);
        phase_ = phase;
    }
    // Without preload ARR holds at once.
    if ((next & kArpe) == 0) reload_ = get(kTimArr);
}

RegisterBlock::Answer Timer::read(std::uint32_t offset, Picoseconds at) {
    Answer answer;
    if (offset >= kTimEnd) {
        answer.modelled = false;
        return answer;
    }
    settle(at);
    answer.name = kTimerNames[offset / 4];
    answer.value = get(offset);
    if (offset == kTimEgr) answer.value = 0;
    if (offset == kTimCnt) {
        answer.value = count_;
        if ((get(kTimCr1) & kUifRemap) != 0)
            answer.value = (count_ & 0x7FFFFFFF) | (get(kTimSr) & kUif) << 31;
    }
    return answer;
}

RegisterBlock::Answer Timer::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                   Picoseconds at) {
    Answer answer;
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
            if ((get(kTimCr1) & kArpe) == 0) reload_ = next & top_;
            break;
        default:
            this->at(offset) = next;
            break;
    }
    answer.name = kTimerNames[offset / 4];
    answer.modelled = known(offset, next);
    update(at);
    return answer;
}

}  // namespace n6vp::models::mcu
