// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace n6vp::models::core {

/// Numbers for the states in which blocks are left: 0 is a pipeline with nothing to finish. When
/// all 255 others are given away, further states count as that.
template <class State>
class StateNumbers {
  public:
    [[nodiscard]] std::uint8_t number(const State& state) {
        const auto found = std::ranges::find(states_, state);
        if (found != states_.end()) return static_cast<std::uint8_t>(found - states_.begin());
        if (states_.size() > kMost) return 0;
        states_.push_back(state);
        return static_cast<std::uint8_t>(states_.size() - 1);
    }
    [[nodiscard]] const State& operator[](std::uint8_t number) const { return states_[number]; }

  private:
    static constexpr std::size_t kMost = 255;
    std::vector<State> states_ = std::vector<State>(1);
};

}  // namespace n6vp::models::core
