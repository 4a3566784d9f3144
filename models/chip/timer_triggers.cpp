// SPDX-License-Identifier: Apache-2.0
#include "models/chip/timer_triggers.h"

#include <algorithm>
#include <utility>

namespace n6vp::models {

namespace {

/// No timer acts on it.
constexpr unsigned kNone = 32;

/// Numbers of TRGO in CFGR1.EXTSEL of the ADCs, and as ITR of timers; those of TRGO2 in EXTSEL.
/// Source: public driver, triggers of regular groups. The numbers of ITR are inferred from it: it
/// refuses to each timer the one number that would be its own, and examples for the board use ITR0
/// for TIM1 and ITR1 for TIM2. What ITR8, ITR9 and those from ITR11 on are is unknown. TRGO2 is for
/// ADCs alone, as the driver has it.
struct Row {
    std::string_view timer;
    unsigned of_adc, of_timer;
    unsigned second_of_adc = kNone;
};
constexpr Row kRows[] = {
    {"TIM1", 4, 0, 5}, {"TIM2", 7, 1},      {"TIM3", 11, 2},     {"TIM4", 13, 3},
    {"TIM5", 14, 4},   {"TIM6", 15, kNone}, {"TIM7", 16, kNone}, {"TIM8", 17, 5, 18},
    {"TIM9", 20, 6},   {"TIM12", 21, 7},    {"TIM15", 22, 10},   {"TIM18", 23, kNone},
};

}  // namespace

void TimerTriggers::connect(const std::function<Timer*(std::string_view name)>& timer,
                            std::vector<Adc*> adcs) {
    adcs_ = std::move(adcs);
    for (const Row& row : kRows) {
        Timer* const found = timer(row.timer);
        if (found == nullptr) continue;
        sources_.push_back({found, row.of_adc, row.of_timer, row.second_of_adc});
        for (Adc* const adc : adcs_) {
            adc->triggers |= 1u << row.of_adc;
            if (row.second_of_adc != kNone) adc->triggers |= 1u << row.second_of_adc;
        }
    }
    for (const Source& source : sources_) {
        Timer& each = *source.timer;
        each.on_trigger = [this, &source](bool level, Picoseconds at) { tell(source, level, at); };
        if (source.second_of_adc != kNone) {
            each.on_second_trigger = [this, number = source.second_of_adc](bool level,
                                                                           Picoseconds at) {
                tell_adcs(number, level, at);
            };
        }
        each.on_trigger_source = [this, &each](Picoseconds at) {
            listen(at);
            return level_for(each);
        };
        for (const Source& other : sources_) {
            if (&other != &source && other.of_timer != kNone) each.triggers |= 1u << other.of_timer;
        }
    }
    for (Adc* const adc : adcs_) adc->on_trigger_source = [this](Picoseconds at) { listen(at); };
}

void TimerTriggers::tell_adcs(unsigned number, bool level, Picoseconds at) {
    for (Adc* const adc : adcs_) adc->trigger(number, level, at);
}

bool TimerTriggers::adc_awaits(unsigned number) const {
    return std::any_of(adcs_.begin(), adcs_.end(),
                       [number](const Adc* adc) { return adc->trigger_source() == number; });
}

void TimerTriggers::tell(const Source& source, bool level, Picoseconds at) {
    tell_adcs(source.of_adc, level, at);
    for (const Source& other : sources_) {
        if (other.timer->trigger_source() == source.of_timer) other.timer->trigger(level, at);
    }
}

void TimerTriggers::listen(Picoseconds at) {
    for (const Source& source : sources_) {
        const bool by_timer =
            std::any_of(sources_.begin(), sources_.end(), [&source](const Source& other) {
                return other.timer->trigger_source() == source.of_timer;
            });
        source.timer->listen_to_trigger(adc_awaits(source.of_adc) || by_timer, at);
        if (source.second_of_adc != kNone)
            source.timer->listen_to_second_trigger(adc_awaits(source.second_of_adc), at);
    }
}

bool TimerTriggers::level_for(const Timer& timer) const {
    return std::any_of(sources_.begin(), sources_.end(), [&timer](const Source& source) {
        return timer.trigger_source() == source.of_timer && source.timer->trigger_output();
    });
}

}  // namespace n6vp::models
