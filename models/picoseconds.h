// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "models/duration.h"

namespace n6vp::models {

[[nodiscard]] inline sc_core::sc_time to_sc_time(Picoseconds duration) {
    return sc_core::sc_time::from_value(duration);
}

/// Adds to annotations what is often the same as last time: SystemC's conversion looks into its
/// context, which shows in the host's time.
class LastDelay {
  public:
    void add(sc_core::sc_time& delay, Picoseconds duration) {
        if (duration != duration_) {
            duration_ = duration;
            as_time_ = to_sc_time(duration);
        }
        delay += as_time_;
    }

  private:
    Picoseconds duration_ = 0;
    sc_core::sc_time as_time_;
};

/// Returns the absolute time that a TLM delay stands for: kernel time plus annotation.
[[nodiscard]] inline Picoseconds absolute_ps(const sc_core::sc_time& delay) {
    return sc_core::sc_time_stamp().value() + delay.value();
}

/// Returns the annotation for an absolute time that is not in the kernel's past.
[[nodiscard]] inline sc_core::sc_time delay_until(Picoseconds absolute) {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    return to_sc_time(absolute > now ? absolute - now : 0);
}

}  // namespace n6vp::models
