// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/port_schedule.h"

#include <algorithm>

namespace n6vp::models {

std::size_t PortSchedule::first_after(Picoseconds time) const {
    const auto begin = busy_.begin() + static_cast<std::ptrdiff_t>(oldest_);
    const auto found =
        std::upper_bound(begin, busy_.end(), time,
                         [](Picoseconds at, const Interval& each) { return at < each.end; });
    return static_cast<std::size_t>(found - busy_.begin());
}

Picoseconds PortSchedule::search(Picoseconds arrival, Picoseconds duration,
                                 std::size_t& next) const {
    Picoseconds start = std::max(arrival, forgotten_);
    next = first_after(start);
    while (next < busy_.size() && busy_[next].start < start + duration) start = busy_[next++].end;
    return start;
}

Picoseconds PortSchedule::find(Picoseconds arrival, Picoseconds duration) const {
    std::size_t next = 0;
    return search(arrival, duration, next);
}

PortSchedule::Grant PortSchedule::book_in_gap(Picoseconds arrival, Picoseconds duration,
                                              std::uint8_t initiator) {
    std::size_t next = 0;
    const Picoseconds start = search(arrival, duration, next);
    Grant grant{start, start - arrival, 0};
    if (grant.waited != 0) grant.holder = longest_holder(arrival, start);
    if (next == busy_.size()) {
        append(start, start + duration, initiator);
    } else {
        insert(next, {start, start + duration, initiator});
    }
    return grant;
}

PortSchedule::Grant PortSchedule::book_last(Picoseconds arrival, Picoseconds start,
                                            Picoseconds duration, std::uint8_t initiator) {
    Grant grant{start, start > arrival ? start - arrival : 0, 0};
    if (grant.waited != 0) grant.holder = longest_holder(arrival, start);
    append(start, start + duration, initiator);
    return grant;
}

void PortSchedule::insert(std::size_t before, const Interval& interval) {
    Interval& behind = busy_[before];
    const bool joins_behind =
        behind.start == interval.end && behind.initiator == interval.initiator;
    const bool joins_ahead = before > oldest_ && busy_[before - 1].end == interval.start &&
                             busy_[before - 1].initiator == interval.initiator;
    const auto place = busy_.begin() + static_cast<std::ptrdiff_t>(before);
    if (joins_ahead && joins_behind) {
        busy_[before - 1].end = behind.end;
        busy_.erase(place);
    } else if (joins_ahead) {
        busy_[before - 1].end = interval.end;
    } else if (joins_behind) {
        behind.start = interval.start;
    } else {
        busy_.insert(place, interval);
    }
}

void PortSchedule::forget() {
    while (oldest_ < busy_.size() && busy_[oldest_].end + kHorizon < end_)
        forgotten_ = busy_[oldest_++].end;
    // Moving what is left to the front is worth it now and then.
    if (oldest_ < 64 || oldest_ < busy_.size() / 2) return;
    busy_.erase(busy_.begin(), busy_.begin() + static_cast<std::ptrdiff_t>(oldest_));
    oldest_ = 0;
}

std::uint8_t PortSchedule::longest_holder(Picoseconds arrival, Picoseconds start) {
    const std::size_t first = first_after(arrival);
    std::size_t last = first;
    std::uint8_t holder = 0;
    Picoseconds longest = 0;
    for (; last < busy_.size() && busy_[last].start < start; ++last) {
        const Interval& each = busy_[last];
        Picoseconds& held = held_[each.initiator];
        held += std::min(each.end, start) - std::max(each.start, arrival);
        if (held > longest) {
            longest = held;
            holder = each.initiator;
        }
    }
    for (std::size_t i = first; i < last; ++i) held_[busy_[i].initiator] = 0;
    return holder;
}

void PortSchedule::clear() {
    busy_.clear();
    oldest_ = 0;
    forgotten_ = end_ = 0;
}

}  // namespace n6vp::models
