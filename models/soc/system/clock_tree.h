// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "memmap/clocks.h"

namespace n6vp::models {

/// Frequencies of the clock domains, with listeners for changes.
class ClockTree {
  public:
    using Listener = std::function<void(double hz)>;

    [[nodiscard]] double hz(memmap::ClockDomain domain) const { return hz_[index(domain)]; }

    /// Sets a frequency (above 0) and notifies the listeners if it differs.
    void set(memmap::ClockDomain domain, double hz) {
        if (hz_[index(domain)] == hz) return;
        hz_[index(domain)] = hz;
        for (const Listener& listener : listeners_[index(domain)]) listener(hz);
    }

    /// Calls `listener` now and whenever the frequency changes.
    void follow(memmap::ClockDomain domain, Listener listener) {
        listener(hz(domain));
        listeners_[index(domain)].push_back(std::move(listener));
    }

  private:
    static constexpr std::size_t kDomains = sizeof memmap::kClocks / sizeof memmap::kClocks[0];
    [[nodiscard]] static std::size_t index(memmap::ClockDomain domain) {
        return static_cast<std::size_t>(domain);
    }

    static constexpr std::array<double, kDomains> default_hz() {
        std::array<double, kDomains> hz{};
        for (std::size_t i = 0; i < kDomains; ++i) hz[i] = memmap::kClocks[i].overdrive_hz;
        return hz;
    }
    std::array<double, kDomains> hz_ = default_hz();
    std::array<std::vector<Listener>, kDomains> listeners_;
};

}  // namespace n6vp::models
