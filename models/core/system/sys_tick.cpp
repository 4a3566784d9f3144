// SPDX-License-Identifier: Apache-2.0
#include "models/core/system/sys_tick.h"

#include <limits>

namespace n6vp::models::core {

namespace {

constexpr std::uint32_t kEnable = 1, kInterrupt = 2, kCoreClock = 4, kCountFlag = 1u << 16;
constexpr std::uint32_t kCounterMask = 0xFFFFFF;
// CALIB: 10 ms not exact, and no value given: SKEW.
constexpr std::uint32_t kCalibration = 1u << 30;

}  // namespace

void SysTick::reset() {
    control_ = reload_ = value_ = 0;
    since_ = 0;
    reached_zero_ = stopped_ = false;
}

void SysTick::stop_clock(std::uint64_t now) {
    stopped_ = true;
    stopped_at_ = now;
}

void SysTick::start_clock(std::uint64_t now) {
    if (stopped_) since_ += now - stopped_at_;
    stopped_ = false;
}

std::uint64_t SysTick::cycles_per_tick() const {
    return (control_ & kCoreClock) != 0 ? 1 : divider_;
}

bool SysTick::advance(std::uint64_t now) {
    if (stopped_) return false;
    if ((control_ & kEnable) == 0 || now <= since_) {
        since_ = now;
        return false;
    }
    std::uint64_t ticks = (now - since_) / cycles_per_tick();
    since_ += ticks * cycles_per_tick();
    if (ticks < value_) {
        value_ -= static_cast<std::uint32_t>(ticks);
        return false;
    }
    bool zero = false;
    if (value_ != 0) {
        ticks -= value_;
        value_ = 0;
        zero = true;
    }
    if (reload_ != 0) {
        const std::uint64_t period = std::uint64_t{reload_} + 1;
        if (ticks >= period) zero = true;
        const std::uint64_t left = ticks % period;
        value_ = left == 0 ? 0 : static_cast<std::uint32_t>(period - left);
    }
    if (zero) reached_zero_ = true;
    return zero && (control_ & kInterrupt) != 0;
}

std::uint64_t SysTick::next(std::uint64_t now) const {
    constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
    if ((control_ & (kEnable | kInterrupt)) != (kEnable | kInterrupt)) return kNever;
    if (stopped_ || (value_ == 0 && reload_ == 0)) return kNever;
    const std::uint64_t ticks = value_ != 0 ? value_ : std::uint64_t{reload_} + 1;
    const std::uint64_t at = since_ + ticks * cycles_per_tick();
    return at > now ? at - now : 0;
}

std::uint32_t SysTick::read(std::uint32_t offset) {
    switch (offset) {
        case 0x0: {
            const std::uint32_t value = control_ | (reached_zero_ ? kCountFlag : 0);
            reached_zero_ = false;
            return value;
        }
        case 0x4:
            return reload_;
        case 0x8:
            return value_;
        default:
            return kCalibration;
    }
}

void SysTick::write(std::uint32_t offset, std::uint32_t value, std::uint64_t now) {
    switch (offset) {
        case 0x0:
            control_ = value & (kEnable | kInterrupt | kCoreClock);
            since_ = now;
            break;
        case 0x4:
            reload_ = value & kCounterMask;
            break;
        case 0x8:
            value_ = 0;
            reached_zero_ = false;
            since_ = now;
            break;
        default:
            break;
    }
}

}  // namespace n6vp::models::core
