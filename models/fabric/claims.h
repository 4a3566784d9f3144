// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace n6vp::models {

/// The bytes of one target that are in use by masters. A few dozen intervals at most, so
/// that an access searches them linearly, after a filter by pages.
class Claims {
  public:
    static constexpr std::uint32_t kPageBytes = 4096;

    struct Interval {
        unsigned claim = 0;
        std::uint8_t initiator = 0;
        bool write = false;
        std::uint32_t first = 0, last = 0;  ///< offsets, both inside
        const char* what = "";
    };

    [[nodiscard]] bool empty() const { return intervals_.empty(); }
    [[nodiscard]] const std::vector<Interval>& intervals() const { return intervals_; }

    void add(const Interval& interval) {
        intervals_.push_back(interval);
        const std::size_t pages = std::size_t{interval.last / kPageBytes} + 1;
        if (users_.size() < pages) users_.resize(pages);
        count(interval, 1);
    }

    /// Returns the interval of the claim, which there must be.
    Interval remove(unsigned claim) {
        const auto found = std::find_if(intervals_.begin(), intervals_.end(),
                                        [claim](const Interval& i) { return i.claim == claim; });
        const Interval interval = *found;
        intervals_.erase(found);
        count(interval, -1);
        return interval;
    }

    /// Returns true if a byte of the page of `offset` is in use.
    [[nodiscard]] bool in_use(std::uint32_t offset) const {
        const std::uint32_t page = offset / kPageBytes;
        return page < users_.size() && users_[page] != 0;
    }

    /// Returns true if a page of [first, last] is in use.
    [[nodiscard]] bool any_in_use(std::uint32_t first, std::uint32_t last) const {
        for (std::uint64_t page = first / kPageBytes; page <= last / kPageBytes; ++page) {
            if (page >= users_.size()) return false;
            if (users_[page] != 0) return true;
        }
        return false;
    }

  private:
    void count(const Interval& interval, int step) {
        for (std::uint32_t page = interval.first / kPageBytes; page <= interval.last / kPageBytes;
             ++page) {
            users_[page] += static_cast<unsigned>(step);
        }
    }

    std::vector<Interval> intervals_;
    std::vector<unsigned> users_;  ///< intervals, by page
};

}  // namespace n6vp::models
