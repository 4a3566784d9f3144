// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "models/npu/dataflow/path_time.h"
#include "models/npu/dataflow/queue.h"

namespace n6vp::models::npu {

/// Places of a FIFO, with the times from which on those that were used can be used again.
class Credits {
  public:
    explicit Credits(std::size_t places) : free_(places) {}

    /// Places that can be taken, now or at a time that is known.
    [[nodiscard]] std::size_t available() const { return free_ + released_; }
    /// Returns when `count` places are free that are not taken yet. Requires that many.
    [[nodiscard]] const PathTime& when(std::size_t count) const {
        static constexpr PathTime kAlways{};
        if (count <= free_) return kAlways;
        std::size_t missing = count - free_;
        const PathTime* time = &kAlways;
        for (std::size_t i = 0;; ++i) {
            const Release& release = releases_[i];
            if (*time < release.at) time = &release.at;
            if (release.places >= missing) break;
            missing -= release.places;
        }
        return *time;
    }
    /// Takes `count` places. Requires that many.
    void take(std::size_t count) {
        const std::size_t at_once = std::min(count, free_);
        free_ -= at_once;
        count -= at_once;
        released_ -= count;
        while (count > 0) {
            Release& oldest = releases_.front();
            const std::size_t part = std::min(count, oldest.places);
            oldest.places -= part;
            count -= part;
            if (oldest.places == 0) releases_.pop_front();
        }
    }
    void release(std::size_t places, const PathTime& at) {
        if (places == 0) return;
        released_ += places;
        Release& release = releases_.add();
        release.places = places;
        release.at = at;
    }

  private:
    struct Release {
        std::size_t places = 0;
        PathTime at;
    };
    std::size_t free_;
    std::size_t released_ = 0;  ///< sum of `releases_`
    Queue<Release> releases_;
};

}  // namespace n6vp::models::npu
