// SPDX-License-Identifier: Apache-2.0
#include "models/soc/timers/wwdg.h"

#include <algorithm>
#include <cmath>

#include "models/duration.h"
#include "models/soc/base/clock_periods.h"

namespace n6vp::models {
namespace {

enum WwdgOffset : std::uint32_t { kWwdgCr = 0x00, kWwdgCfr = 0x04, kWwdgSr = 0x08 };
constexpr std::uint32_t kWwdgCount = 0x7F, kWwdgActive = 1u << 7, kWwdgEarly = 1u << 9,
                        kWwdgTop = 0x40, kWwdgPrescaler = 7u << 11;
constexpr std::uint64_t kWwdgDivider = 4096;

}  // namespace

Wwdg::Wwdg(const sc_core::sc_module_name& name, const char* block)
    : sc_module(name), RegisterBlock(block) {
    SC_HAS_PROCESS(Wwdg);
    SC_METHOD(step);
    sensitive << next_;
    dont_initialize();
    start_ = configuration_ = kWwdgCount;
}

void Wwdg::reset() {
    active_ = flag_ = expired_ = false;
    start_ = configuration_ = kWwdgCount;
    next_.cancel();
    update();
}

void Wwdg::set_clock_hz(double hz) {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    const std::uint32_t left = count(now);
    hz_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(hz)));
    if (active_ && !expired_) begin(left, now);
}

Picoseconds Wwdg::counts(std::uint64_t number) const {
    return periods_to_ps(number * (kWwdgDivider << ((configuration_ & kWwdgPrescaler) >> 11)), hz_);
}

std::uint32_t Wwdg::count(Picoseconds at) const {
    if (!active_ || at <= started_) return start_;
    const std::uint64_t passed = periods_in(at - started_, hz_) /
                                 (kWwdgDivider << ((configuration_ & kWwdgPrescaler) >> 11));
    return passed >= start_ ? 0 : start_ - static_cast<std::uint32_t>(passed);
}

/// The next events: 0x40 reached, and the count behind it.
void Wwdg::begin(std::uint32_t count, Picoseconds at) {
    start_ = count;
    started_ = at;
    next_.cancel();
    if (!active_) return;
    if (count < kWwdgTop) {
        request_reset(at);
        return;
    }
    const std::uint64_t to_early = count - kWwdgTop;
    next_.notify(delay_until(at + counts(to_early == 0 ? 1 : to_early)));
    if (to_early == 0) flag_ = true;
    update();
}

void Wwdg::request_reset(Picoseconds at) {
    expired_ = true;
    next_.cancel();
    next_.notify(delay_until(at));
}

void Wwdg::step() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    if (!expired_ && count(now) == kWwdgTop) {
        flag_ = true;
        update();
        next_.notify(to_sc_time(counts(1)));
        return;
    }
    active_ = false;
    expired_ = false;
    if (on_reset) on_reset();
}

void Wwdg::update() {
    const bool level = flag_ && (configuration_ & kWwdgEarly) != 0;
    if (level == level_) return;
    level_ = level;
    if (on_interrupt) on_interrupt(level);
}

RegisterBlock::Answer Wwdg::read(std::uint32_t offset, Picoseconds at) {
    switch (offset) {
        case kWwdgCr:
            return {.value = count(at) | (active_ ? kWwdgActive : 0), .name = "CR"};
        case kWwdgCfr:
            return {.value = configuration_, .name = "CFR"};
        case kWwdgSr:
            return {.value = flag_ ? 1u : 0u, .name = "SR"};
        default:
            return {.modelled = false};
    }
}

RegisterBlock::Answer Wwdg::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                  Picoseconds at) {
    const std::uint32_t written = value & mask;
    switch (offset) {
        case kWwdgCr: {
            const bool late = active_ && count(at) > (configuration_ & kWwdgCount);
            active_ = active_ || (written & kWwdgActive) != 0;
            if (late) {
                request_reset(at);
            } else if (!expired_) {
                begin(written & kWwdgCount, at);
            }
            return {.name = "CR"};
        }
        case kWwdgCfr: {
            constexpr std::uint32_t kBits = kWwdgCount | kWwdgEarly | kWwdgPrescaler;
            const std::uint32_t before = configuration_, left = count(at);
            configuration_ = ((before & ~mask) | written) & kBits;
            // The early interrupt is switched off by a reset only.
            configuration_ |= before & kWwdgEarly;
            const bool rate = ((configuration_ ^ before) & kWwdgPrescaler) != 0;
            if (rate && active_ && !expired_) begin(left, at);
            update();
            return {.name = "CFR"};
        }
        case kWwdgSr:
            if ((mask & 1) != 0 && (written & 1) == 0) flag_ = false;
            update();
            return {.name = "SR"};
        default:
            return {.modelled = false};
    }
}

}  // namespace n6vp::models
