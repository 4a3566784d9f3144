// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "models/picoseconds.h"

namespace n6vp::models {

/// The level of an output line, which tells its listener of changes only.
class SignalLevel {
  public:
    /// For a listener that takes the change when it is told.
    void set(bool level, const std::function<void(bool)>& listener) {
        if (level == level_) return;
        level_ = level;
        if (listener) listener(level);
    }
    /// For one that needs the absolute time `at` of the change, which may be ahead of the kernel's.
    void set(bool level, Picoseconds at, const std::function<void(bool, Picoseconds)>& listener) {
        if (level == level_) return;
        level_ = level;
        if (listener) listener(level, at);
    }

  private:
    bool level_ = false;
};

}  // namespace n6vp::models
