// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace n6vp::models {

/// The level of an output line, which tells its listener of changes only.
class SignalLevel {
  public:
    void set(bool level, const std::function<void(bool)>& listener) {
        if (level == level_) return;
        level_ = level;
        if (listener) listener(level);
    }

  private:
    bool level_ = false;
};

}  // namespace n6vp::models
