// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs of a low-power timer.
#include "models/soc/base/clock_periods.h"
#include "models/soc/timers/low_power_timer.h"
#include "models/soc/timers/low_power_timer_registers.h"

namespace n6vp::models {

// Inputs -------------------------------------------------------------------------------------

unsigned LowPowerTimer::filter(Input input) const {
    // CKFLT and TRGFLT.
    const unsigned code = get(kLptimCfgr) >> (input == Input::In1 ? 3 : 6) & 3;
    return code == 0 ? 0 : 1u << code;
}

void LowPowerTimer::input(Input input, bool level, Picoseconds at) {
    Line& line = lines_[static_cast<std::size_t>(input)];
    if (line.pin == level) return;
    settle(at);
    line.pin = level;
    const unsigned clocks = filter(input);
    line.due = 0;
    if (clocks == 0) {
        take(input, at);
    } else if (level != line.level && hz_ != 0) {
        // Without an internal clock a filter lets nothing pass.
        line.due = at + periods_to_ps(clocks, hz_);
    }
    update(at);
}

void LowPowerTimer::take(Input input, Picoseconds at) {
    Line& line = lines_[static_cast<std::size_t>(input)];
    if (line.level == line.pin) return;
    line.level = line.pin;
    if (input == Input::In1) {
        clock_edge(line.level, at);
    } else {
        trigger_edge(line.level, at);
    }
}

void LowPowerTimer::clock_edge(bool level, Picoseconds at) {
    const bool outside = configured(kLptimOutsideClock);
    if (!(outside || configured(kLptimCountEdges)) || configured(kLptimEncoder)) return;
    if ((get(kLptimCr) & kLptimEnable) == 0 || (!outside && hz_ == 0)) return;
    constexpr unsigned kRising = 0, kBoth = 2;
    const unsigned polarity = get(kLptimCfgr) >> 1 & 3;
    if (polarity != kBoth && level != (polarity == kRising)) return;
    if (outside) {
        for (Pending& each : pending_) {
            if (each.edge()) this->at(kLptimIsr) |= each.flag;
        }
        if (lost_ != 0) {
            --lost_;
            return;
        }
        if (start_.edge()) return begin(at);
    }
    if (!started_ || ++phase_ < 1u << prescaler()) return;
    phase_ = 0;
    count(1);
}

void LowPowerTimer::trigger_edge(bool level, Picoseconds at) {
    const bool outside = configured(kLptimOutsideClock);
    const unsigned edges = get(kLptimCfgr) >> 17 & 3;
    if ((edges & (level ? 1u : 2u)) == 0 || configured(kLptimTriggerSource)) return;
    if (!armed_ || start_.any() || (!outside && hz_ == 0)) return;
    // A trigger that is ignored sets no flag.
    if (started_ && !configured(kLptimTimeOut)) return;
    this->at(kLptimIsr) |= kLptimTriggered;
    // Set-once mode takes the first only.
    if (configured(kLptimSetOnce)) armed_ = false;
    const std::uint64_t clocks = trigger_clocks_ << prescaler();
    if (clocks == 0) {
        begin(at);
    } else if (outside) {
        start_.edges = clocks;
    } else {
        start_.due = at + periods_to_ps(clocks, hz_);
    }
}

Picoseconds LowPowerTimer::next_moment() const {
    Picoseconds first = start_.due;
    for (const Line& line : lines_) {
        if (line.due != 0 && (first == 0 || line.due < first)) first = line.due;
    }
    return first;
}

void LowPowerTimer::act(Picoseconds moment) {
    if (start_.due == moment) {
        start_ = {};
        begin(moment);
    }
    for (const Input input : {Input::In1, Input::Etr}) {
        Line& line = lines_[static_cast<std::size_t>(input)];
        if (line.due != moment) continue;
        line.due = 0;
        take(input, moment);
    }
}

// Outputs ------------------------------------------------------------------------------------

std::uint32_t LowPowerTimer::compare(unsigned channel) const {
    return get(channel == 0 ? kLptimCcr1 : kLptimCcr2);
}

bool LowPowerTimer::driven(unsigned channel) const {
    // Inferred: the timers whose polarity is in CFGR have no CC1E; the driver sets it for all.
    if (one_output_) return channel == 0;
    // Assumed: a channel that is off leaves its pin alone.
    const std::uint32_t mode = get(kLptimCcmr1) >> (16 * channel);
    return (mode & kLptimOutputOn) != 0 && (mode & kLptimCaptures & 1) == 0;
}

bool LowPowerTimer::inverted(unsigned channel) const {
    if (one_output_) return configured(kLptimWavePolarity);
    return (get(kLptimCcmr1) >> (16 * channel) & kLptimOutputInverted) != 0;
}

LowPowerTimer::Outputs LowPowerTimer::levels() const {
    Outputs result;
    for (unsigned i = 0; i < kChannels; ++i) {
        if (!driven(i)) continue;
        const auto bit = static_cast<std::uint8_t>(1u << i);
        const bool active =
            configured(kLptimSetOnce) ? (once_ & bit) != 0 : started_ && count_ > compare(i);
        result.driven |= bit;
        if (active != inverted(i)) result.high |= bit;
    }
    return result;
}

LowPowerTimer::Outputs LowPowerTimer::outputs(Picoseconds at) {
    settle(at);
    return levels();
}

void LowPowerTimer::listen_to_outputs(std::uint8_t outputs, Picoseconds at) {
    if (outputs == listened_) return;
    settle(at);
    listened_ = outputs;
    update(at);
}

void LowPowerTimer::update_outputs(Picoseconds at) {
    if (!on_outputs) return;
    Outputs now = levels();
    now.driven &= listened_;
    now.high &= listened_;
    if (now == told_) return;
    told_ = now;
    on_outputs(now, at);
}

bool LowPowerTimer::shows(unsigned channel) const {
    const unsigned bit = 1u << channel;
    const bool stays = configured(kLptimSetOnce) && (once_ & bit) != 0;
    return (listened_ & bit) != 0 && driven(channel) && !stays && compare(channel) < get(kLptimArr);
}

std::optional<LowPowerTimer::Wave> LowPowerTimer::wave(unsigned output) const {
    const Outputs now = levels();
    if ((now.driven >> output & 1) == 0) return std::nullopt;
    const std::uint32_t reload = get(kLptimArr);
    if (!running() || single_ || configured(kLptimSetOnce) || compare(output) >= reload)
        return Wave{0, (now.high >> output & 1) != 0 ? 1.0 : 0.0};
    const double period = reload + 1.0;
    const double share = (reload - compare(output)) / period;
    const double hz = static_cast<double>(hz_) / (1u << prescaler()) / period;
    return Wave{hz, inverted(output) ? 1 - share : share};
}

}  // namespace n6vp::models
