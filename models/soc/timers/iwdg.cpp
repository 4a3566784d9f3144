// SPDX-License-Identifier: Apache-2.0
#include "models/soc/timers/iwdg.h"

#include <algorithm>
#include <cmath>

#include "models/soc/base/clock_periods.h"

namespace n6vp::models {
namespace {

enum IwdgOffset : std::uint32_t {
    kKr = 0x00,
    kPr = 0x04,
    kRlr = 0x08,
    kIwdgSr = 0x0C,
    kWinr = 0x10,
    kEwcr = 0x14,
    kIwdgIcr = 0x18,
};
constexpr std::uint32_t kIwdgStart = 0xCCCC, kReload = 0xAAAA, kUnlock = 0x5555;
constexpr std::uint32_t kTop = 0xFFF;
constexpr std::uint32_t kRuns = 1u << 8, kEarly = 1u << 15;  ///< ONF; EWIE, EWIF, EWIC

[[nodiscard]] const char* iwdg_name(std::uint32_t offset) {
    constexpr const char* kNames[] = {"KR", "PR", "RLR", "SR", "WINR", "EWCR", "ICR"};
    return offset <= kIwdgIcr ? kNames[offset / 4] : "";
}

}  // namespace

Iwdg::Iwdg(const sc_core::sc_module_name& name, const char* block, const IwdgParameters& parameters)
    : Iwdg(name, block, parameters, Traits{}) {}

Iwdg::Iwdg(const sc_core::sc_module_name& name, const char* block, const IwdgParameters& parameters,
           const Traits& traits)
    : sc_module(name), RegisterBlock(block), parameters_(parameters), traits_(traits) {
    SC_HAS_PROCESS(Iwdg);
    SC_METHOD(step);
    sensitive << end_;
    dont_initialize();
    SC_METHOD(wake);
    sensitive << early_;
    dont_initialize();
    reload_ = window_ = kTop;
}

void Iwdg::reset() {
    prescaler_ = wake_up_ = 0;
    reload_ = window_ = kTop;
    running_ = unlocked_ = false;
    for (Picoseconds& end : updated_) end = 0;
    end_.cancel();
    early_.cancel();
    early_flag_ = false;
    update_interrupt();
}

std::uint64_t Iwdg::lsi_hz() const {
    constexpr double kKilo = 1e3;
    return std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::llround(parameters_.lsi.value * kKilo)));
}

std::uint32_t Iwdg::divider() const {
    return 4u << std::min(prescaler_, traits_.most_prescaler);
}

std::uint32_t Iwdg::count(Picoseconds at) const {
    const std::uint64_t passed = at > start_ ? periods_in(at - start_, lsi_hz()) / divider() : 0;
    return passed > reload_ ? 0 : reload_ - static_cast<std::uint32_t>(passed);
}

void Iwdg::schedule(Picoseconds at) {
    const auto after = [this](std::uint64_t counts) {
        return periods_to_ps(counts * divider(), lsi_hz());
    };
    start_ = at;
    end_.cancel();
    end_.notify(delay_until(at + after(std::uint64_t{reload_} + 1)));
    early_.cancel();
    const std::uint32_t early = wake_up_ & kTop;
    if ((wake_up_ & kEarly) == 0 || !traits_.early || early > reload_) return;
    early_.notify(delay_until(at + after(reload_ - early)));
}

void Iwdg::wake() {
    early_flag_ = true;
    update_interrupt();
}

void Iwdg::update_interrupt() {
    const bool level = early_flag_ && (wake_up_ & kEarly) != 0;
    if (level == level_) return;
    level_ = level;
    if (on_interrupt) on_interrupt(level);
}

/// Assumed: a new value holds from the next reload on.
void Iwdg::write_early(std::uint32_t value, Picoseconds at) {
    constexpr double kNsPerUs = 1e3;
    wake_up_ = value & (kTop | kEarly);
    updated_[3] = at + ns_to_ps(parameters_.update.value * kNsPerUs);
    update_interrupt();
}

void Iwdg::step() {
    running_ = false;
    early_.cancel();
    if (on_reset) on_reset();
}

void Iwdg::reload(Picoseconds at) {
    if (!running_) return;
    if (window_ < kTop && count(at) > window_) {
        end_.cancel();
        end_.notify(delay_until(at));
        return;
    }
    schedule(at);
}

void Iwdg::key(std::uint32_t value, Picoseconds at) {
    unlocked_ = value == kUnlock;
    if (value == kReload) reload(at);
    if (value == kIwdgStart && !running_) {
        running_ = true;
        schedule(at);
    }
}

std::uint32_t Iwdg::busy(Picoseconds at) const {
    std::uint32_t flags = 0;
    for (unsigned i = 0; i < std::size(updated_); ++i) {
        if (updated_[i] > at) flags |= 1u << i;
    }
    return flags;
}

RegisterBlock::Answer Iwdg::read(std::uint32_t offset, Picoseconds at) {
    Answer answer{.name = iwdg_name(offset)};
    switch (offset) {
        case kKr:
            break;
        case kPr:
            answer.value = prescaler_;
            break;
        case kRlr:
            answer.value = reload_;
            break;
        case kIwdgSr:
            answer.value = busy(at);
            if (traits_.early && running_) answer.value |= kRuns;
            if (early_flag_) answer.value |= kEarly;
            break;
        case kWinr:
            answer.value = window_;
            break;
        case kEwcr:
            answer.value = wake_up_;
            answer.modelled = traits_.early;
            break;
        default:
            answer.modelled = false;
            break;
    }
    return answer;
}

RegisterBlock::Answer Iwdg::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                  Picoseconds at) {
    Answer answer{.name = iwdg_name(offset)};
    const std::uint32_t written = value & mask;
    constexpr double kNsPerUs = 1e3;
    const Picoseconds done = at + ns_to_ps(parameters_.update.value * kNsPerUs);
    switch (offset) {
        case kKr:
            key(written & 0xFFFF, at);
            break;
        case kPr:
            if (!unlocked_) break;
            prescaler_ = written & ((1u << traits_.prescaler_bits) - 1);
            updated_[0] = done;
            break;
        case kRlr:
            if (!unlocked_) break;
            reload_ = written & kTop;
            updated_[1] = done;
            break;
        case kWinr:
            // A write of the window reloads the counter as well.
            if (!unlocked_) break;
            window_ = written & kTop;
            updated_[2] = done;
            if (running_) schedule(at);
            break;
        case kIwdgSr:
            break;
        case kEwcr:
            if (!traits_.early) wake_up_ = written;
            if (traits_.early && unlocked_) write_early(written, at);
            answer.modelled = traits_.early;
            break;
        case kIwdgIcr:
            if ((written & kEarly) != 0) early_flag_ = false;
            update_interrupt();
            answer.modelled = traits_.early;
            break;
        default:
            answer.modelled = false;
            break;
    }
    return answer;
}

}  // namespace n6vp::models
