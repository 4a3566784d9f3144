// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "models/picoseconds.h"
#include "models/soc/base/signal_level.h"

namespace n6vp::models {

/// Interrupt line and DMA request of one channel of a unit, whose listeners are told its number.
class ChannelLines {
  public:
    void set_interrupt(unsigned channel, bool level,
                       const std::function<void(unsigned channel, bool level)>& listener) {
        interrupt_.set(level, [channel, &listener](bool changed) {
            if (listener) listener(channel, changed);
        });
    }
    /// `at` is the absolute time of a change.
    void set_request(
        unsigned channel, bool level, Picoseconds at,
        const std::function<void(unsigned channel, bool level, Picoseconds at)>& listener) {
        request_.set(level, at, [channel, &listener](bool changed, Picoseconds when) {
            if (listener) listener(channel, changed, when);
        });
    }

  private:
    SignalLevel interrupt_, request_;
};

}  // namespace n6vp::models
