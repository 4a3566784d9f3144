// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "models/picoseconds.h"
#include "models/soc/analog/adc.h"
#include "models/soc/timers/timer.h"

namespace n6vp::models {

/// Connects the trigger outputs of timers with the units of the STM32N6: TRGO with the ADCs and the
/// other timers, TRGO2 with the ADCs.
///
/// A timer tells its trigger, with events of the kernel, only while an ADC or a timer acts on it.
class TimerTriggers {
  public:
    /// `timer` returns the unit of a name in the address map, or nullptr. All units outlive this.
    void connect(const std::function<Timer*(std::string_view name)>& timer, std::vector<Adc*> adcs);

  private:
    /// A timer, and by which number the others know its TRGO and the ADCs its TRGO2.
    struct Source {
        Timer* timer = nullptr;
        unsigned of_adc = 0, of_timer = 0, second_of_adc = 0;
    };
    void tell_adcs(unsigned number, bool level, Picoseconds at);
    [[nodiscard]] bool adc_awaits(unsigned number) const;
    void tell(const Source& source, bool level, Picoseconds at);
    /// Somebody may act on another trigger.
    void listen(Picoseconds at);
    /// Returns the level of the trigger that a timer acts on.
    [[nodiscard]] bool level_for(const Timer& timer) const;

    std::vector<Source> sources_;
    std::vector<Adc*> adcs_;
};

}  // namespace n6vp::models
