// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace n6vp::models {

/// An event with several listeners. Each listener gives its position in the calling order;
/// listeners of one place are called as they were added. A listener lives as long as the event, or
/// longer.
template <typename... Values>
class Event {
  public:
    using Listener = std::function<void(Values...)>;

    /// Listeners of lower places are called first. Must not be called by a listener.
    void listen(unsigned place, Listener listener) {
        const auto behind = std::upper_bound(
            listeners_.begin(), listeners_.end(), place,
            [](unsigned wanted, const Entry& entry) { return wanted < entry.place; });
        listeners_.insert(behind, {place, std::move(listener)});
    }
    void operator()(Values... values) const {
        for (const Entry& entry : listeners_) entry.call(values...);
    }
    [[nodiscard]] bool empty() const { return listeners_.empty(); }

  private:
    struct Entry {
        unsigned place;
        Listener call;
    };
    std::vector<Entry> listeners_;
};

}  // namespace n6vp::models
